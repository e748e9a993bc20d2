// Describes a problem with a value in a message. Does not import zod, so that reporting an error
// loads no schemas in a browser.

/** A problem with a value. */
export interface Issue {
  /** The path of the value, from the outermost key. */
  readonly path: readonly (string | number)[];
  /** A description of the expected value. */
  readonly expected: string;
  /** The received value, or a description of it if the value is secret. */
  readonly received: unknown;
  /** The message of a problem that "expected …, received …" does not describe. */
  readonly problem?: string;
  /**
   * Whether the last key of the path does not exist. The message then omits the path, because
   * `problem` names the key.
   */
  readonly isUnknown?: boolean;
  /** Whether an object or a list is missing here, so that none of its parts can be decoded. */
  readonly structural?: boolean;
  /** The values of an enumeration, or the names of fields, one of which is expected. */
  readonly options?: readonly string[];
}

/** How many issues to keep, because a hostile response can have millions. */
export const MAX_ISSUES = 20;

export const mismatch = (expected: string, received: unknown): string =>
  `expected ${expected}, received ${describe(received)}`;

/** Describes a value for a message: short, on one line, with its type. */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof Date)
    return value.toJSON() ? `the Date ${value.toJSON()}` : "an invalid Date";
  // Matches "function" and "symbol".
  if (/^[fs]/.test(typeof value)) return `a ${typeof value}`;
  return value === Object(value) ? "an object" : String(value);
}

/** Matches control, zero-width and formatting characters, and line separators. */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]+/gu;

const MAX_QUOTED = 80;

const quote = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

export function explain({ path, expected, received, problem, isUnknown }: Issue): string {
  const prefix = path.length && !isUnknown ? `${path.join(".")}: ` : "";
  return prefix + (problem ?? mismatch(expected, received));
}

/** Creates an issue that describes a value without showing it, because it may be secret. */
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

/** Formats the first `max` issues as lines, and counts the rest. */
export function issueLines(issues: readonly Issue[], issueCount: number, max: number): string[] {
  const lines = issues.slice(0, max).map((issue) => `- ${explain(issue)}`);
  const more = issueCount - lines.length;
  return more > 0 ? [...lines, `… and ${more} more`] : lines;
}
