// Finds the issues of an invalid response: the first of them, and how many there are.
import { type Issue, issuesOf, maxIssues, parse } from "./issues.ts";
import { type AnySchema, definitionOf } from "./schema.ts";
import { visitInvalid } from "./visit-invalid.ts";

/** The issues of a value. */
export interface Found {
  /** The first of them, at most {@link maxIssues}. */
  readonly issues: readonly Issue[];
  /** How many there are. */
  readonly issueCount: number;
  /** Whether an object or a list is missing where one is vital. */
  readonly broken: boolean;
}

const STRUCTURES: ReadonlySet<string> = new Set(["object", "array"]);

/** Finds the issues of a value; `isVital` says at which paths objects and lists must not be missing. */
export function findIssues(
  schema: AnySchema,
  value: unknown,
  isVital: (path: Issue["path"]) => boolean,
): Found {
  const issues: Issue[] = [];
  let issueCount = 0;
  let broken = false;
  visitInvalid(schema, value, (part, received, path) => {
    broken ||= STRUCTURES.has(definitionOf(part).type) && isVital(path);
    if (issues.length === maxIssues) {
      issueCount++;
      return;
    }
    for (const one of parse(part, received).error?.issues ?? [])
      for (const issue of issuesOf(part, one)) {
        issueCount++;
        if (issues.length < maxIssues) issues.push({ ...issue, path: [...path, ...issue.path] });
      }
  });
  return { issues, issueCount, broken };
}
