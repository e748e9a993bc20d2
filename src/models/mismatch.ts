// A problem with one value, and how a message describes it. Without zod, so that an error costs a
// browser no schemas.

/** A problem with one value. */
export interface Issue {
  /** The path of the value, outermost key first. */
  readonly path: readonly (string | number)[];
  /** A description of the expected value. */
  readonly expected: string;
  /** The received value, or a description of it if the value is secret. */
  readonly received: unknown;
  /** The problem in words, where "expected …, received …" would not say it. */
  readonly problem?: string;
  /** Whether the last step of the path is a name that does not exist; `problem` names it. */
  readonly isUnknown?: boolean;
  /** Whether an object or a list is missing here, so that nothing in it can be decoded. */
  readonly structural?: boolean;
  /** The valid words: values of an enumeration, names of fields. */
  readonly options?: readonly string[];
}

/** How many issues are kept: a hostile response has millions. */
export const MAX_ISSUES = 20;

/** The message of a mismatch. */
export const mismatch = (expected: string, received: unknown): string =>
  `expected ${expected}, received ${describe(received)}`;

/** A value for a message: short, on one line, with its type. */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof Date)
    return value.toJSON() ? `the Date ${value.toJSON()}` : "an invalid Date";
  if (/^[fs]/.test(typeof value)) return `a ${typeof value}`;
  return value === Object(value) ? "an object" : String(value);
}

/**
 * Characters that print nothing: control, zero-width and formatting characters, line separators.
 */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]+/gu;

const MAX_QUOTED = 80;

const quote = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

/** An issue as one line. */
export function explain({ path, expected, received, problem, isUnknown }: Issue): string {
  const where = path.length && !isUnknown ? `${path.join(".")}: ` : "";
  return where + (problem ?? mismatch(expected, received));
}

/**
 * An issue that describes a value instead of showing it, because the value is secret or says
 * nothing.
 */
export const describedIssue = (
  path: Issue["path"],
  expected: string,
  description: string,
): Issue => ({
  path,
  expected,
  received: description,
  problem: `expected ${expected}, received ${description}`,
});

/** The first issues as lines of a message, and how many more there are. */
export function issueLines(issues: readonly Issue[], issueCount: number, max: number): string[] {
  const lines = issues.slice(0, max).map((issue) => `- ${explain(issue)}`);
  const more = issueCount - lines.length;
  return more > 0 ? [...lines, `… and ${more} more`] : lines;
}
