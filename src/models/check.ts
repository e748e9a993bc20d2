// Checks values by schemas whose issues say what they expect, like all our schemas. For other
// schemas of zod, `issues.ts` describes the expected value.
import * as z from "zod/mini";
import { type Issue, MAX_ISSUES, mismatch } from "./mismatch.ts";
import { type AnySchema, innermost } from "./schema.ts";
import { unknownOption } from "./suggest.ts";

/** The result of a check: the decoded value, or the first issues and the number of all. */
export type Checked<Value> =
  | { readonly value: Value; readonly issues?: undefined; readonly issueCount?: undefined }
  | {
      readonly value?: undefined;
      readonly issues: readonly [Issue, ...Issue[]];
      readonly issueCount: number;
    };

export type Describe = (schema: AnySchema, issue: z.core.$ZodIssue) => Iterable<Issue>;

/** Adds the received value to issues, and no message if the schema defines none. */
const reporting: z.core.ParseContext<z.core.$ZodIssue> = { reportInput: true, error: () => "" };

export const parse = <S extends AnySchema>(schema: S, value: unknown) =>
  z.safeParse(schema, value, reporting);

/** Decodes a value by a schema. Returns issues instead of throwing. */
export function checkWith<S extends AnySchema>(
  describe: Describe,
  schema: S,
  value: unknown,
): Checked<z.output<S>> {
  const result = parse(schema, value);
  if (result.success) return { value: result.data };
  const [first, ...more] = result.error.issues.flatMap((issue) => [...describe(schema, issue)]);
  if (first === undefined) throw result.error;
  return { issues: [first, ...more.slice(0, MAX_ISSUES - 1)], issueCount: 1 + more.length };
}

/** Decodes a value by a schema whose issues say what it expects. */
export const checkOwn = <S extends AnySchema>(schema: S, value: unknown) =>
  checkWith(describeOwn, schema, value);

/** Descriptions of the types that our schemas take from zod. */
const TYPES: Readonly<Record<string, string>> = {
  object: "an object",
  array: "an array",
  string: "a string",
};

/** Stands for the expected value if an issue does not describe it. */
export const UNKNOWN = "something else";

interface AnyIssue extends z.core.$ZodIssueBase {
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly origin?: string;
  readonly params?: { readonly problem?: string | undefined };
}

/** Describes the value that a schema expects, as far as its issue says so. */
export function expectedBy(issue: object): Omit<Issue, "path" | "received"> {
  const { expected = "", message, origin, params, values } = issue as AnyIssue;
  return {
    // A schema's own message is the expected value. The message of a codec, or one made by
    // `message`, begins with "expected".
    expected:
      (message?.startsWith("expected ") && (TYPES[expected] ?? expected)) ||
      message ||
      TYPES[expected] ||
      UNKNOWN,
    ...(["object", "array"].includes(origin ?? expected) && { structural: true }),
    ...(values && { options: values.map(String) }),
    ...(params?.problem && { problem: params.problem }),
  };
}

/** Makes the message of an issue for schemas where zod would only say "Invalid input". */
export const message = (issue: z.core.$ZodRawIssue): string =>
  mismatch(expectedBy(issue).expected, issue.input);

/** Returns the fields of the object at a path of a schema. */
function fieldsAt(
  schema: AnySchema | undefined,
  [step, ...rest]: Issue["path"],
): object | undefined {
  const { shape } = schema ? Object(innermost(schema)) : {};
  return step === undefined ? shape : fieldsAt(shape?.[step], rest);
}

const describeOwn: Describe = (schema, issue) => {
  // Our schemas have no symbols as keys.
  const path = issue.path as Issue["path"];
  const shape = issue.code === "unrecognized_keys" && fieldsAt(schema, path);
  return shape
    ? issue.keys.map((key) => unknownOption(path, key, Object.keys(shape)))
    : [{ path, received: issue.input, ...expectedBy(issue) }];
};
