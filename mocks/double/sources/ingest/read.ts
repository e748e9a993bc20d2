// Reads values of a node by a schema; an error names the file, the line, the block and the field.
import type * as z from "zod/mini";
import { describe, type Issue } from "../../../../src/models/issues.ts";
import type { AnySchema } from "../../../../src/models/schema.ts";
import { checkNode } from "./node-schemas.ts";

/** A location in the data, as precise as known. */
export interface InputLocation {
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
  readonly block?: number | undefined;
  /** Inside the record, such as `receipts[3].status`. */
  readonly field?: string | undefined;
}

function describeLocation({ file, line, block, field }: InputLocation): string {
  const parts = [
    file,
    line === undefined ? undefined : `line ${line}`,
    block === undefined ? undefined : `block ${block}`,
    field,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

/** Thrown for invalid chain data. Nothing of it is loaded. */
export class IngestError extends Error {
  override readonly name = "IngestError";
  readonly location: InputLocation;
  /** The message without the location. */
  readonly reason: string;

  constructor(reason: string, location: InputLocation = {}, cause?: unknown) {
    const where = describeLocation(location);
    super(where === "" ? reason : `${where}: ${reason}`, cause === undefined ? {} : { cause });
    this.reason = reason;
    this.location = location;
  }

  /** The same error, with more of its location. */
  at(location: InputLocation): IngestError {
    return new IngestError(this.reason, { ...location, ...this.location }, this.cause);
  }
}

/** Runs `read`, and adds the location to an IngestError it throws. */
export function withLocation<T>(location: () => InputLocation, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof IngestError ? error.at(location()) : error;
  }
}

/** The path to a value, from the outermost value inwards. */
export type Path = readonly (string | number)[];

/** A path as JavaScript writes it: `receipts[3].status`. */
export const fieldAt = (path: Path): string =>
  path.reduce<string>((field, step) => {
    if (typeof step === "number") return `${field}[${step}]`;
    return field === "" ? step : `${field}.${step}`;
  }, "");

/** The most issues to report: in a file of another kind everything is wrong. */
const MAX_ISSUES = 5;

/** What is wrong with a value. */
export const describeIssue = ({ expected, received }: Issue): string =>
  `expected ${expected}, received ${describe(received)}`;

/** An error about these issues, located at the first. */
export function ingestError(issues: readonly [Issue, ...Issue[]]): IngestError {
  const [first, ...others] = issues;
  const more = others
    .slice(0, MAX_ISSUES - 1)
    .map((one) => `; ${fieldAt(one.path)}: ${describeIssue(one)}`);
  const rest = issues.length > MAX_ISSUES ? `; and ${issues.length - MAX_ISSUES} more` : "";
  const field = first.path.length > 0 ? { field: fieldAt(first.path) } : {};
  return new IngestError(describeIssue(first) + more.join("") + rest, field);
}

/** Reads the value at `path` by its schema. @throws IngestError */
export function read<S extends AnySchema>(schema: S, value: unknown, path: Path = []): z.output<S> {
  const checked = checkNode(schema, value);
  if (checked.issues === undefined) return checked.value;
  const [first, ...others] = checked.issues;
  throw ingestError([within(path, first), ...others.map((issue) => within(path, issue))]);
}

/** The issue with its path prefixed. */
export const within = (path: Path, issue: Issue): Issue => ({
  ...issue,
  path: [...path, ...issue.path],
});

/** Sets a value in nested objects and lists to null. */
export function setNull(root: unknown, path: Path): void {
  let holder: unknown = root;
  for (const step of path.slice(0, -1)) holder = Object(holder)[step];
  Object(holder)[path.at(-1) ?? ""] = null;
}
