// Builds zod codecs for the primitives of the specification, which convert JSON values and back.
import * as z from "zod/mini";
import { mismatch } from "./mismatch.ts";

/** The zod codec of a field of a model: `Transaction.shape.value` is a `Codec<string, bigint>`. */
export type Codec<Wire, Value> = z.ZodMiniCodec<
  z.ZodMiniCustom<Wire, Wire>,
  z.ZodMiniCustom<Value, Value>
>;

interface Primitive<Wire, Value> {
  /** The expected wire form, for messages. */
  readonly expected: string;
  /** The expected value to encode, for messages. @default `expected` */
  readonly expectedValue?: string;
  /** The valid words of an enumeration. */
  readonly words?: readonly string[];
  /** The JSON Schema of the wire form. */
  readonly json: z.core.JSONSchema.BaseSchema;
  /** Returns the value; undefined if the wire form is invalid. */
  readonly decode: (wire: unknown) => Value | undefined;
  /** Returns the wire form; undefined if the value is invalid. */
  readonly encode: (value: unknown) => Wire | undefined;
}

/** Wraps `convert` for zod: adds an issue if it returns undefined. */
const checked =
  <To>(
    expected: string,
    convert: (from: unknown) => To | undefined,
    values?: Primitive<unknown, unknown>["words"],
  ) =>
  (from: unknown, { issues }: z.core.ParsePayload): To => {
    const to = convert(from);
    if (to !== undefined) return to;
    const message = mismatch(expected, from);
    const issue = { expected, message, input: from };
    issues.push(
      values
        ? { code: "invalid_value", values: [...values], ...issue }
        : { code: "invalid_type", ...issue },
    );
    return z.NEVER;
  };

/** The functions of each codec, for the fast path. */
const functions = new WeakMap<
  z.core.$ZodType,
  Pick<Primitive<unknown, unknown>, "decode" | "encode">
>();

/** Creates a schema that only decodes. */
export function reader<Value>(expected: string, decode: (wire: unknown) => Value | undefined) {
  const schema = z.transform<unknown, Value>(checked(expected, decode));
  functions.set(schema, { decode, encode: () => undefined });
  return schema;
}

/** Returns the functions of a codec; undefined for any other schema. */
export const functionsOf = (schema: z.core.$ZodType) => functions.get(schema);

/**
 * Creates the zod codec of a primitive. The primitive's functions do all checks; the schemas of both
 * sides only carry the types. Invalid input becomes an `invalid_type` issue with `expected`.
 */
export function codec<Wire, Value = Wire>(primitive: Primitive<Wire, Value>): Codec<Wire, Value> {
  const { expected, expectedValue = expected, words, json, decode, encode } = primitive;
  const schema = z.codec(z.custom<Wire>(), z.custom<Value>(), {
    decode: checked(expected, decode, words),
    encode: checked(expectedValue, encode, words),
  });
  schema._zod.toJSONSchema = () => ({ ...json });
  functions.set(schema, primitive);
  return schema;
}
