// Builds zod codecs for the primitives of the specification: from JSON text to a value, and back.
import * as z from "zod/mini";
import { mismatch } from "./mismatch.ts";

/**
 * The zod codec of one field of a model: `Transaction.shape.value` is a `Codec<string, bigint>`.
 */
export type Codec<Wire, Value> = z.ZodMiniCodec<
  z.ZodMiniCustom<Wire, Wire>,
  z.ZodMiniCustom<Value, Value>
>;

interface Primitive<Wire, Value> {
  /** The expected wire form, for messages. */
  readonly expected: string;
  /** The expected value when encoding, for messages; the same by default. */
  readonly expectedValue?: string;
  /** The valid words, if they are few. */
  readonly words?: readonly string[];
  /** The JSON Schema of the wire form. */
  readonly json: z.core.JSONSchema.BaseSchema;
  /** The value; undefined if the wire form is invalid. */
  readonly decode: (wire: unknown) => Value | undefined;
  /** The wire form; undefined if the value is invalid. */
  readonly encode: (value: unknown) => Wire | undefined;
}

/** Converts, or adds an issue. */
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

/** A decode-only schema: one half of a codec. */
export function reader<Value>(expected: string, decode: (wire: unknown) => Value | undefined) {
  const schema = z.transform<unknown, Value>(checked(expected, decode));
  functions.set(schema, { decode, encode: () => undefined });
  return schema;
}

/** The functions of a codec; undefined for any other schema. */
export const functionsOf = (schema: z.core.$ZodType) => functions.get(schema);

/**
 * A zod codec of a primitive. Its functions alone check it; the schemas of both sides only carry
 * the types. Invalid input becomes an `invalid_type` issue with `expected`.
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
