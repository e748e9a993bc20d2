// Other forms of a value that some deployments send, where they have one exact meaning (R13 to
// R16): read as the specified form.
import * as z from "zod/mini";
import { InvalidJsonError, parseJson } from "./json.ts";
import type { AnySchema } from "./schema.ts";

/** The specified form of a value; any value that has no other form unchanged. */
export type Read = (value: unknown) => unknown;

const readings = new WeakMap<AnySchema, Read>();

/** How a schema reads other forms; undefined if it accepts the specified one only. */
export const readingOf = (schema: AnySchema): Read | undefined => readings.get(schema);

/** The schema, decoding other forms too. Encoding gives the specified form. */
export function reading<S extends AnySchema>(schema: S, read: Read): S {
  const { run } = schema._zod;
  schema._zod.run = (payload, ctx) => {
    if (ctx.direction !== "backward") payload.value = read(payload.value);
    return run(payload, ctx);
  };
  readings.set(schema, read);
  return schema;
}

/** Null may be written as an empty string (R13). */
export const emptyAsNull: Read = (value) => (value === "" ? null : value);

/** The schema or null. Not for texts: theirs may be empty. */
export const nullable = <S extends AnySchema>(schema: S): z.ZodMiniNullable<S> =>
  reading(z.nullable(schema), emptyAsNull);

/** No records may be written as null (R15). */
export const nullAsEmpty: Read = (value) => (value === null ? [] : value);

/** A list may be written as JSON text (R16). */
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
