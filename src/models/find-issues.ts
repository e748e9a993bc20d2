// Finds the issues of an invalid response by its schema: the first of them, and how many there are.
// There may be millions, so nothing is kept for each.
import { parse } from "./check.ts";
import { derive, isPlain } from "./fast-path.ts";
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
  visitInvalid(schema, value, (part, received, path) => {
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

type Path = readonly (string | number)[];

/** Receives an invalid part, its schema, and its path, which changes after the call. */
type Report = (schema: AnySchema, part: unknown, path: Path) => void;

type Visit = (value: unknown, path: (string | number)[], report: Report) => void;

/**
 * Reports the invalid parts of a value in the order of zod's issues; fields and items are parts of
 * their own.
 */
function visitInvalid(schema: AnySchema, value: unknown, report: Report): void {
  visitorOf(schema)(value, [], report);
}

const visitors = new WeakMap<AnySchema, Visit>();

function visitorOf(schema: AnySchema): Visit {
  const visit = visitors.get(schema) ?? derived(schema);
  visitors.set(schema, visit);
  return visit;
}

function derived(schema: AnySchema): Visit {
  const visit = visitParts(schema);
  const toSpecified = readingOf(schema);
  return toSpecified ? (value, path, report) => visit(toSpecified(value), path, report) : visit;
}

function visitParts(schema: AnySchema): Visit {
  const def = definitionOf(schema);
  if (def.checks?.length) return visitWhole(schema);
  switch (def.type) {
    case "object":
      // For other objects, unknown fields are issues, too.
      return def.catchall?._zod.def.type === "unknown"
        ? visitFields(schema, def.shape)
        : visitWhole(schema);
    case "array": {
      const visit = visitorOf(def.element);
      return (values, path, report) => {
        if (!Array.isArray(values)) return report(schema, values, path);
        const last = path.push(0) - 1;
        for (let index = 0; index < values.length; index++) {
          path[last] = index;
          visit(values[index], path, report);
        }
        path.pop();
      };
    }
    case "nullable":
      return except(null, def.innerType);
    case "optional":
    case "default":
      return except(undefined, def.innerType);
    default:
      return visitWhole(schema);
  }
}

function visitFields(schema: AnySchema, shape: Readonly<Record<string, AnySchema>>): Visit {
  const fields = Object.entries(shape).map(([key, field]) => [key, visitorOf(field)] as const);
  return (value, path, report) => {
    if (!isPlain(value)) return report(schema, value, path);
    const last = path.push("") - 1;
    for (const [key, visit] of fields) {
      path[last] = key;
      visit(value[key], path, report);
    }
    path.pop();
  };
}

function except(valid: null | undefined, inner: AnySchema): Visit {
  const visit = visitorOf(inner);
  return (value, path, report) => {
    if (value !== valid) visit(value, path, report);
  };
}

/** Any other schema: its issues are zod's. */
function visitWhole(schema: AnySchema): Visit {
  const convert = derive(schema, { keep: false });
  return (value, path, report) => {
    if (convert(value) === undefined) report(schema, value, path);
  };
}
