// Normalizes other forms of values that some deployments send, if their meaning is clear (R13 to
// R16).
import * as z from "zod/mini";
import { InvalidJsonError, parseJson } from "./json.ts";
import type { AnySchema } from "./schema.ts";

/** Converts another form of a value to the specified form; returns other values unchanged. */
export type Read = (value: unknown) => unknown;

const readings = new WeakMap<AnySchema, Read>();

/** Returns the conversion of a schema; undefined if it accepts only the specified form. */
export const readingOf = (schema: AnySchema): Read | undefined => readings.get(schema);

/** Makes a schema decode other forms, too. It still encodes the specified form. */
export function reading<S extends AnySchema>(schema: S, read: Read): S {
  const { run } = schema._zod;
  schema._zod.run = (payload, ctx) => {
    if (ctx.direction !== "backward") payload.value = read(payload.value);
    return run(payload, ctx);
  };
  readings.set(schema, read);
  return schema;
}

/** Reads an empty string as null (R13). */
export const emptyAsNull: Read = (value) => (value === "" ? null : value);

/** A value or null. Not for texts, because they may be empty. */
export const nullable = <S extends AnySchema>(schema: S): z.ZodMiniNullable<S> =>
  reading(z.nullable(schema), emptyAsNull);

/** Reads null as an empty list (R15). */
export const nullAsEmpty: Read = (value) => (value === null ? [] : value);

/** Reads JSON text as a list (R16). */
export function jsonAsList(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    const parsed = parseJson(value);
    return Array.isArray(parsed) ? parsed : value;
  } catch (error) {
    if (error instanceof InvalidJsonError) return value;
    throw error;
  }
}
