// How a primitive of the specification becomes a zod codec: from its text in JSON to the value a program works with, and back.
import * as z from "zod/mini";
import { mismatch } from "./issues.ts";

/** A codec of one primitive. */
export type Codec<Wire, Value> = z.ZodMiniCodec<
  z.ZodMiniCustom<Wire, Wire>,
  z.ZodMiniCustom<Value, Value>
>;

interface Primitive<Wire, Value> {
  /** What is expected on the wire, in words. */
  readonly expected: string;
  /** What is expected of a value that is encoded, in words: the same unless given. */
  readonly expectedValue?: string;
  /** What a JSON Schema says of the wire form. */
  readonly json: z.core.JSONSchema.BaseSchema;
  /** The value, or undefined where there is none to be read. */
  readonly decode: (wire: unknown) => Value | undefined;
  /** The wire form, or undefined where the value has none. */
  readonly encode: (value: unknown) => Wire | undefined;
}

/** Converts, or pushes the issue that something else was expected. */
const checked =
  <To>(expected: string, convert: (from: unknown) => To | undefined) =>
  (from: unknown, { issues }: z.core.ParsePayload): To => {
    const to = convert(from);
    if (to !== undefined) return to;
    const message = mismatch(expected, from);
    issues.push({ code: "invalid_type", expected, message, input: from });
    return z.NEVER;
  };

/** What is only read, never written: one half of a codec. */
export const reader = <Value>(expected: string, read: (wire: unknown) => Value | undefined) =>
  z.transform<unknown, Value>(checked(expected, read));

/** The functions of each codec, for the fast path. */
const functions = new WeakMap<
  z.core.$ZodType,
  Pick<Primitive<unknown, unknown>, "decode" | "encode">
>();

/** The functions a codec was made of; undefined for any other schema. */
export const functionsOf = (schema: z.core.$ZodType) => functions.get(schema);

/**
 * A zod codec of a primitive, checked by its functions alone: the schemas of both sides only carry the types. What cannot be decoded or encoded is an
 * `invalid_type` issue with `expected` in words.
 */
export function codec<Wire, Value = Wire>(primitive: Primitive<Wire, Value>): Codec<Wire, Value> {
  const { expected, expectedValue = expected, json, decode, encode } = primitive;
  const schema = z.codec(z.custom<Wire>(), z.custom<Value>(), {
    decode: checked(expected, decode),
    encode: checked(expectedValue, encode),
  });
  schema._zod.toJSONSchema = () => ({ ...json });
  functions.set(schema, primitive);
  return schema;
}
