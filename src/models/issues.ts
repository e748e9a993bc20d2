// Describes the issues of any zod schema by path, expected value and received value.
import type * as z from "zod/mini";
import { type Checked, checkWith, expectedBy, UNKNOWN } from "./check.ts";
import type { Issue } from "./mismatch.ts";
import { itemsExpected } from "./model.ts";
import { type AnySchema, innermost, unwrapped } from "./schema.ts";
import { unknownOption } from "./suggest.ts";

export type { Checked } from "./check.ts";
export { isObject } from "./json.ts";
export { describe, explain, type Issue, MAX_ISSUES, mismatch } from "./mismatch.ts";

/**
 * Decodes a value by any schema. Returns issues instead of throwing. For responses use `findIssues`
 * instead, because zod collects every issue.
 */
export const check = <S extends AnySchema>(schema: S, value: unknown): Checked<z.output<S>> =>
  checkWith(issuesOf, schema, value);

/** Describes the value that a schema expects. */
export const expectedOf = (schema: AnySchema): string =>
  check(unwrapped(schema), undefined).issues?.[0].expected ?? "a value";

export function* issuesOf(schema: AnySchema, issue: z.core.$ZodIssue): Generator<Issue> {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  const { input } = issue;
  if (issue.code === "unrecognized_keys")
    for (const key of issue.keys)
      yield unknownOption(path, key, Object.keys(shapeAt(schema, path, input)));
  else if (issue.code === "invalid_union" && "options" in issue) {
    yield { path, received: Object(input)[issue.discriminator ?? ""], ...oneOf(issue.options) };
  } else if (issue.code === "invalid_union") {
    // If one alternative fits the value's type, report the issues within it.
    const [fitting, ...others] = issue.errors.filter((issues) =>
      issues.every((nested) => nested.path.length > 0),
    );
    if (fitting === undefined || others.length)
      yield { path, received: input, ...expectedByAny(issue) };
    else
      for (const nested of fitting)
        for (const inner of issuesOf(schema, nested))
          yield { ...inner, path: [...path, ...inner.path] };
  } else yield { path, received: input, ...expectedByAny(issue) };
}

function oneOf(values: readonly unknown[]): Pick<Issue, "expected" | "options"> {
  const options = values.map(String);
  return {
    expected: options.length === 1 ? `${options}` : `one of ${options.join(", ")}`,
    options,
  };
}

const TYPES: Readonly<Record<string, string>> = {
  record: "an object",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  nonoptional: "a value",
};

type Expected = Pick<Issue, "expected" | "structural" | "options">;

function expectedByAny(issue: z.core.$ZodIssue): Expected {
  const described = expectedBy(issue);
  return described.expected === UNKNOWN ? { ...described, ...expectedByCode(issue) } : described;
}

function expectedByCode(issue: z.core.$ZodIssue): Expected {
  switch (issue.code) {
    case "invalid_type":
      return { expected: TYPES[issue.expected] ?? issue.expected };
    case "invalid_value":
      return oneOf(issue.values);
    case "too_small":
      return sized(issue.origin, issue.inclusive === false ? "above" : "at least", issue.minimum);
    case "too_big":
      return sized(issue.origin, issue.inclusive === false ? "below" : "at most", issue.maximum);
    case "invalid_key":
    case "invalid_element": {
      const [first] = issue.issues;
      return first ? expectedByAny(first) : { expected: UNKNOWN };
    }
    case "invalid_union": {
      const [first = [], ...others] = issue.errors;
      const alternatives = [first, ...others].flatMap(([nested]) =>
        nested ? [expectedByAny(nested).expected] : [],
      );
      const expected = [...new Set(alternatives)].join(" or ");
      return { expected: expected || UNKNOWN };
    }
    default:
      return { expected: UNKNOWN };
  }
}

function sized(
  origin: string,
  bound: string,
  size: number | bigint,
): Pick<Issue, "expected" | "structural"> {
  if (origin === "array") return { expected: itemsExpected(bound, size), structural: true };
  return origin === "string"
    ? { expected: `a string of ${bound} ${size} characters` }
    : { expected: `a number ${bound.startsWith("at") ? "of " : ""}${bound} ${size}` };
}

/** Returns the fields of the object at a path of a schema. `value` selects among unions. */
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

/** Returns the option of a discriminated union that a value selects. */
function optionFor(def: z.core.$ZodUnionDef, value: unknown): AnySchema | undefined {
  if (!("discriminator" in def)) return undefined;
  const name = String(def.discriminator);
  return def.options.find((option) => option._zod.propValues?.[name]?.has(Object(value)[name]));
}
