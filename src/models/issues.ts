// Validation issues: zod's issues as path, expected and received, and their messages.
import * as z from "zod/mini";
import { type Issue, MAX_ISSUES, mismatch } from "./mismatch.ts";
import { type AnySchema, innermost, unwrapped } from "./schema.ts";

export { describe, explain, type Issue, MAX_ISSUES, mismatch } from "./mismatch.ts";

/** The result of a check: the decoded value, or the first issues and how many there are. */
export type Checked<Value> =
  | { readonly value: Value; readonly issues?: undefined; readonly issueCount?: undefined }
  | {
      readonly value?: undefined;
      readonly issues: readonly [Issue, ...Issue[]];
      readonly issueCount: number;
    };

/** With the received value, and without a message where the schema defines none. */
const reporting: z.core.ParseContext<z.core.$ZodIssue> = { reportInput: true, error: () => "" };

/** The issues of a value by zod. */
export const parse = <S extends AnySchema>(schema: S, value: unknown) =>
  z.safeParse(schema, value, reporting);

/** Decodes a value by a schema; returns the issues instead of throwing. For responses see `findIssues`: zod collects every issue. */
export function check<S extends AnySchema>(schema: S, value: unknown): Checked<z.output<S>> {
  const result = parse(schema, value);
  if (result.success) return { value: result.data };
  const [first, ...more] = result.error.issues.flatMap((issue) => [...issuesOf(schema, issue)]);
  if (first === undefined) throw result.error;
  return { issues: [first, ...more.slice(0, MAX_ISSUES - 1)], issueCount: 1 + more.length };
}

/** A description of what a schema expects. */
export const expectedOf = (schema: AnySchema): string =>
  check(unwrapped(schema), undefined).issues?.[0].expected ?? "a value";

/** The message of an issue, for schemas where zod would only say "Invalid input". */
export const message = (issue: z.core.$ZodRawIssue): string =>
  mismatch(expectedBy(issue as z.core.$ZodIssue).expected, issue.input);

/** One of zod's issues as ours. */
export function* issuesOf(schema: AnySchema, issue: z.core.$ZodIssue): Generator<Issue> {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  const { input } = issue;
  if (issue.code === "unrecognized_keys") {
    const options = Object.keys(shapeAt(schema, path, input));
    const expected = options.length ? `one of ${options.join(", ")}` : "no field";
    for (const key of issue.keys) yield { path: [...path, key], expected, received: key, options };
  } else if (issue.code === "invalid_union" && "options" in issue) {
    yield { path, received: Object(input)[issue.discriminator ?? ""], ...oneOf(issue.options) };
  } else if (issue.code === "invalid_union") {
    // If one alternative fits the value's type, report the issues within it.
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

/** Descriptions of zod's types. */
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

const UNKNOWN: Expected = { expected: "something else" };

function expectedBy(issue: z.core.$ZodIssue): Expected {
  // A message of the schema itself is the expectation; one made by `message` contains it already.
  const own = issue.message;
  return own && !own.startsWith("expected ")
    ? { ...expectedByCode(issue), expected: own }
    : expectedByCode(issue);
}

function expectedByCode(issue: z.core.$ZodIssue): Expected {
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
      return first ? expectedBy(first) : UNKNOWN;
    }
    case "invalid_union": {
      const [first = [], ...others] = issue.errors;
      const words = [first, ...others].flatMap(([one]) => (one ? [expectedBy(one).expected] : []));
      return { expected: words.length > 0 ? [...new Set(words)].join(" or ") : "something else" };
    }
    default:
      return UNKNOWN;
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

/** The fields of the object at a path of a schema; of a union, those of the option `value` selects. */
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

/** The option of a discriminated union that a value selects. */
function optionFor(def: z.core.$ZodUnionDef, value: unknown): AnySchema | undefined {
  if (!("discriminator" in def)) return undefined;
  const name = String(def.discriminator);
  return def.options.find((one) => one._zod.propValues?.[name]?.has(Object(value)[name]));
}

/** Whether a value is a JSON object: neither null nor an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
