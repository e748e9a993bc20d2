// Reads a node's JSON answers by their schemas: all that is not as expected is one error that names the fields.
import type * as z from "zod/mini";
import { check, describe, type Issue } from "../../src/models/issues.ts";
import type { AnySchema } from "../../src/models/schema.ts";
import { IngestError } from "./ingest-error.ts";

/** Where a value stands, from the outermost value inwards. */
export type Path = readonly (string | number)[];

/** As JavaScript would write it: `receipts[3].status`. */
export const fieldAt = (path: Path): string =>
  path.reduce<string>((field, step) => {
    if (typeof step === "number") return `${field}[${step}]`;
    return field === "" ? step : `${field}.${step}`;
  }, "");

/** So many are told: in a file of another kind nothing is as expected. */
const MOST = 5;

/** The error that tells what is wrong; its place is that of the first. */
export function ingestError(issues: readonly [Issue, ...Issue[]]): IngestError {
  const [first, ...others] = issues;
  const words = ({ expected, received }: Issue) =>
    `expected ${expected}, got ${describe(received)}`;
  const more = others.slice(0, MOST - 1).map((one) => `; ${fieldAt(one.path)}: ${words(one)}`);
  const rest = issues.length > MOST ? `; and ${issues.length - MOST} more` : "";
  const field = first.path.length > 0 ? { field: fieldAt(first.path) } : {};
  return new IngestError(words(first) + more.join("") + rest, field);
}

/** What stands at `path`, read by its schema. @throws IngestError */
export function read<S extends AnySchema>(schema: S, value: unknown, path: Path = []): z.output<S> {
  const checked = check(schema, value);
  if (checked.issues === undefined) return checked.value;
  const [first, ...others] = checked.issues;
  throw ingestError([within(path, first), ...others.map((issue) => within(path, issue))]);
}

/** The issue as it stands from further out. */
export const within = (path: Path, issue: Issue): Issue => ({
  ...issue,
  path: [...path, ...issue.path],
});
