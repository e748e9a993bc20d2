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

/** Stands for the message of an issue whose schema has no words of its own. */
const UNSAID = "";

/** Decodes a value by a schema; tells everything that is wrong with it instead of throwing. */
export function check<S extends AnySchema>(schema: S, value: unknown): Checked<z.output<S>> {
  const result = z.safeParse(schema, value, { reportInput: true, error: () => UNSAID });
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
  const { input } = issue;
  if (issue.code === "unrecognized_keys") {
    const options = Object.keys(shapeAt(schema, path, input));
    const expected = options.length ? `one of ${options.join(", ")}` : "no field";
    for (const key of issue.keys) yield { path: [...path, key], expected, received: key, options };
  } else if (issue.code === "invalid_union" && "options" in issue) {
    yield { path, received: Object(input)[issue.discriminator ?? ""], ...oneOf(issue.options) };
  } else if (issue.code === "invalid_union") {
    // The one alternative the value is like, if there is one: what is wrong lies within.
    const [near, ...others] = issue.errors.filter((all) => all.every((one) => one.path.length > 0));
    if (near === undefined || others.length) yield { path, received: input, ...expectedBy(issue) };
    else
      for (const one of near)
        for (const inner of issuesOf(schema, one))
          yield { ...inner, path: [...path, ...inner.path] };
  } else yield { path, received: input, ...expectedBy(issue) };
}

function oneOf(values: readonly unknown[]): Pick<Issue, "expected" | "options"> {
  const options = values.map(String);
  return {
    expected: options.length === 1 ? `${options}` : `one of ${options.join(", ")}`,
    options,
  };
}

/** What zod expects of a type, in words. */
const TYPES: Readonly<Record<string, string>> = {
  object: "an object",
  record: "an object",
  array: "an array",
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  nonoptional: "a value",
};

type Expected = Pick<Issue, "expected" | "structural" | "options">;

function expectedBy(issue: z.core.$ZodIssue): Expected {
  // A schema's own words say what is expected; those that `message` made of it say it already.
  const own = issue.message;
  return own && !own.startsWith("expected ")
    ? { ...usuallyExpectedBy(issue), expected: own }
    : usuallyExpectedBy(issue);
}

function usuallyExpectedBy(issue: z.core.$ZodIssue): Expected {
  switch (issue.code) {
    case "invalid_type": {
      const expected = TYPES[issue.expected] ?? issue.expected;
      return issue.expected === "object" || issue.expected === "array"
        ? { expected, structural: true }
        : { expected };
    }
    case "invalid_value":
      return oneOf(issue.values);
    case "too_small":
      return sized(issue.origin, issue.inclusive === false ? "above" : "at least", issue.minimum);
    case "too_big":
      return sized(issue.origin, issue.inclusive === false ? "below" : "at most", issue.maximum);
    case "invalid_key":
    case "invalid_element": {
      const [first] = issue.issues;
      return first ? expectedBy(first) : { expected: "something else" };
    }
    case "invalid_union": {
      const [first = [], ...others] = issue.errors;
      const words = [first, ...others].flatMap(([one]) => (one ? [expectedBy(one).expected] : []));
      return { expected: words.length > 0 ? [...new Set(words)].join(" or ") : "something else" };
    }
    default:
      return { expected: "something else" };
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
    : { expected: `a number ${bound.startsWith("at") ? "of " : ""}${bound} ${size}` };
}

/** The fields of the object that stands at a path of a schema; of several that may stand there, those of the one `value` is. */
function shapeAt(
  schema: AnySchema,
  path: readonly (string | number)[],
  value: unknown,
): z.core.$ZodShape {
  const def = innermost(schema);
  const [step, ...rest] = path;
  if (def.type === "array") return shapeAt(def.element, rest, value);
  if (def.type === "union" && step === undefined) {
    const option = optionFor(def, value);
    return option ? shapeAt(option, path, value) : {};
  }
  if (def.type !== "object") return {};
  const field = step === undefined ? undefined : def.shape[step];
  return field === undefined ? def.shape : shapeAt(field, rest, value);
}

/** The one of a discriminated union's schemas that a value is for. */
function optionFor(def: z.core.$ZodUnionDef, value: unknown): AnySchema | undefined {
  if (!("discriminator" in def)) return undefined;
  const name = String(def.discriminator);
  return def.options.find((one) => one._zod.propValues?.[name]?.has(Object(value)[name]));
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
