// What is wrong with a value: zod's issues as path, expected and received, and the words for them.
import * as z from "zod/mini";
import { type AnySchema, innermost, unwrapped } from "./schema.ts";

/** What is wrong with one value, and where. */
export interface Issue {
  /** Where the value stands, from the outermost value inwards. */
  readonly path: readonly (string | number)[];
  /** What was expected, in words. */
  readonly expected: string;
  /** The value that was received. */
  readonly received: unknown;
  /** An object or a list is missing here: what belongs in it cannot be read at all. */
  readonly structural?: boolean;
  /** The words that would have been right: the values of an enumeration, the names of the fields. */
  readonly options?: readonly string[];
}

/** What a schema made of a value: the decoded value, or every issue. */
export type Checked<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: readonly [Issue, ...Issue[]] };

/** Decodes a value by a schema; tells everything that is wrong with it instead of throwing. */
export function check<S extends AnySchema>(schema: S, value: unknown): Checked<z.output<S>> {
  const result = z.safeParse(schema, value, { reportInput: true });
  if (result.success) return { value: result.data };
  const [first, ...more] = result.error.issues.flatMap((issue) => [...issuesOf(schema, issue)]);
  if (first === undefined) throw result.error;
  return { issues: [first, ...more] };
}

/** What a schema expects, in words. */
export const expectedOf = (schema: AnySchema): string =>
  check(unwrapped(schema), undefined).issues?.[0].expected ?? "a value";

/** One line that says what is wrong with a value. */
export function explain({ path, expected, received }: Issue): string {
  const where = path.length ? `${path.join(".")}: ` : "";
  return `${where}${mismatch(expected, received)}`;
}

/** The message of an issue, for schemas whose issues zod itself would only call "Invalid input". */
export const message = (issue: z.core.$ZodRawIssue): string =>
  mismatch(expectedBy(issue as z.core.$ZodIssue).expected, issue.input);

/** The words of every mismatch. */
export const mismatch = (expected: string, received: unknown): string =>
  `expected ${expected}, received ${describe(received)}`;

function* issuesOf(schema: AnySchema, issue: z.core.$ZodIssue): Generator<Issue> {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  const received = issue.input;
  if (issue.code === "unrecognized_keys") {
    const options = Object.keys(shapeAt(schema, path));
    const expected = `one of ${options.join(", ")}`;
    for (const key of issue.keys) yield { path: [...path, key], expected, received: key, options };
  } else yield { path, received, ...expectedBy(issue) };
}

/** What zod expects of a type, in words. */
const TYPES: Readonly<Record<string, string>> = {
  object: "an object",
  record: "an object",
  array: "an array",
  string: "a string",
  number: "a number",
  boolean: "true or false",
  nonoptional: "a value",
};

function expectedBy(issue: z.core.$ZodIssue): Pick<Issue, "expected" | "structural" | "options"> {
  switch (issue.code) {
    case "invalid_type": {
      const expected = TYPES[issue.expected] ?? issue.expected;
      return issue.expected === "object" || issue.expected === "array"
        ? { expected, structural: true }
        : { expected };
    }
    case "invalid_value": {
      const options = issue.values.map(String);
      return {
        expected: options.length === 1 ? `${options}` : `one of ${options.join(", ")}`,
        options,
      };
    }
    case "too_small":
      return sized(issue.origin, "at least", issue.minimum);
    case "too_big":
      return sized(issue.origin, "at most", issue.maximum);
    case "invalid_union": {
      const [first = [], ...others] = issue.errors;
      const words = [first, ...others].flatMap(([one]) => (one ? [expectedBy(one).expected] : []));
      return { expected: words.length > 0 ? [...new Set(words)].join(" or ") : issue.message };
    }
    default:
      return { expected: issue.message };
  }
}

function sized(
  origin: string,
  bound: string,
  size: number | bigint,
): Pick<Issue, "expected" | "structural"> {
  if (origin === "array")
    return {
      expected: `an array of ${bound} ${size} ${Number(size) === 1 ? "item" : "items"}`,
      structural: true,
    };
  return origin === "string"
    ? { expected: `a string of ${bound} ${size} characters` }
    : { expected: `a number of ${bound} ${size}` };
}

/** The fields of the object that stands at a path of a schema. */
function shapeAt(schema: AnySchema, path: readonly (string | number)[]): z.core.$ZodShape {
  const def = innermost(schema);
  const [step, ...rest] = path;
  if (def.type === "array") return shapeAt(def.element, rest);
  if (def.type !== "object") return {};
  const field = step === undefined ? undefined : def.shape[step];
  return field === undefined ? def.shape : shapeAt(field, rest);
}

/** Whether it is what JSON calls an object: neither null nor an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** A value for a message: short, on one line, and telling its type. */
export function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? "an invalid Date" : `the Date ${value.toISOString()}`;
  if (value !== null && typeof value === "object") return "an object";
  return typeof value === "function" || typeof value === "symbol"
    ? `a ${typeof value}`
    : String(value);
}

const QUOTED = 80;

const quote = (text: string): string =>
  JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
