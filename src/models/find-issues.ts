// Finds the issues of an invalid response by its schema: the first of them, and how many there are.
// A hostile response has millions of issues, so nothing is kept for each.
import { parse } from "./check.ts";
import { decodeFast, isPlain } from "./fast-path.ts";
import { check, issuesOf } from "./issues.ts";
import { type Issue, MAX_ISSUES } from "./mismatch.ts";
import { readingOf } from "./reading.ts";
import { type AnySchema, definitionOf } from "./schema.ts";

export interface Found {
  /** The first of them, at most {@link MAX_ISSUES}. */
  readonly issues: readonly Issue[];
  /** How many there are. */
  readonly issueCount: number;
  /** Whether an object or a list is missing that holds records. */
  readonly broken: boolean;
}

const STRUCTURES: ReadonlySet<string> = new Set(["object", "array"]);

/** The fields that contain records. */
const CONTAINERS: readonly (string | number)[] = ["data", "results", "mrc_20", "mrc_721"];

/**
 * Whether records or their containers are at this path: without them, lenient validation has no
 * field to keep.
 */
const isVital = (path: Issue["path"]): boolean =>
  path.every((step) => typeof step === "number" || CONTAINERS.includes(step));

export function findIssues(schema: AnySchema, value: unknown): Found {
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
  // A schema of the caller's own may be such that only zod can decode it.
  const { issues: all = [], issueCount: count = 0 } = check(schema, value);
  return { issues: all, issueCount: count, broken };
}

type Path = (string | number)[];

/** Receives an invalid part, its schema, and its path, which changes after the call. */
type Report = (schema: AnySchema, part: unknown, path: Readonly<Path>) => void;

/**
 * Reports the invalid parts of a value in the order of zod's issues. Fields and items are parts of
 * their own.
 */
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
        // An object that refuses unknown fields is checked as a whole, because these are issues, too.
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
