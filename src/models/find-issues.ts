// Finds the first issues of an invalid response, and counts all. A hostile response can have
// millions of issues, so no memory is used for each.
import { parse } from "./check.ts";
import { decodeFast, isPlain } from "./fast-path.ts";
import { check, issuesOf } from "./issues.ts";
import { type Issue, MAX_ISSUES } from "./mismatch.ts";
import { readingOf } from "./reading.ts";
import { type AnySchema, definitionOf } from "./schema.ts";

interface InvalidParts {
  /** The first issues, at most {@link MAX_ISSUES}. */
  readonly issues: readonly Issue[];
  /** The number of all issues. */
  readonly issueCount: number;
  /** Whether an object or a list that holds records is missing. */
  readonly broken: boolean;
}

const STRUCTURES: ReadonlySet<string> = new Set(["object", "array"]);

/** The fields that contain records. */
const CONTAINERS: readonly (string | number)[] = ["data", "results", "mrc_20", "mrc_721"];

/** Whether a path leads to records or their containers, without which a response is useless. */
const isVital = (path: Issue["path"]): boolean =>
  path.every((step) => typeof step === "number" || CONTAINERS.includes(step));

export function findIssues(schema: AnySchema, value: unknown): InvalidParts {
  const issues: Issue[] = [];
  let issueCount = 0;
  let broken = false;
  visitInvalid(schema, value, [], (part, received, path) => {
    broken ||= STRUCTURES.has(definitionOf(part).type) && isVital(path);
    if (issues.length === MAX_ISSUES) {
      issueCount++;
      return;
    }
    for (const zodIssue of parse(part, received).error?.issues ?? [])
      for (const issue of issuesOf(part, zodIssue)) {
        issueCount++;
        if (issues.length < MAX_ISSUES) issues.push({ ...issue, path: [...path, ...issue.path] });
      }
  });
  if (issueCount) return { issues, issueCount, broken };
  // A schema that a caller has extended may be decodable only by zod.
  const { issues: all = [], issueCount: count = 0 } = check(schema, value);
  return { issues: all, issueCount: count, broken };
}

type Path = (string | number)[];

/** Receives an invalid part, its schema, and its path. The path changes after the call. */
type Report = (schema: AnySchema, part: unknown, path: Readonly<Path>) => void;

/** Reports the invalid fields and items of a value, in the order of zod's issues. */
function visitInvalid(schema: AnySchema, received: unknown, path: Path, report: Report): void {
  const toSpecified = readingOf(schema);
  const value = toSpecified ? toSpecified(received) : received;
  const def = definitionOf(schema);
  if (!def.checks?.length)
    switch (def.type) {
      case "array":
        if (!Array.isArray(value)) break;
        for (let index = 0; index < value.length; index++)
          visitPart(index, def.element, value[index], path, report);
        return;
      case "object":
        // An object that refuses unknown fields is checked as a whole, so that they are reported.
        if (!isPlain(value) || def.catchall?._zod.def.type !== "unknown") break;
        for (const key in def.shape)
          visitPart(key, def.shape[key] as AnySchema, value[key], path, report);
        return;
      case "nullable":
        if (value !== null) visitInvalid(def.innerType, value, path, report);
        return;
      case "optional":
      case "default":
        if (value !== undefined) visitInvalid(def.innerType, value, path, report);
        return;
    }
  if (decodeFast(schema, value) === undefined) report(schema, value, path);
}

function visitPart(
  key: string | number,
  schema: AnySchema,
  value: unknown,
  path: Path,
  report: Report,
) {
  path.push(key);
  visitInvalid(schema, value, path, report);
  path.pop();
}
