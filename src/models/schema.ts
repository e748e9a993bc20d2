// Access to the definition of a zod schema.
import type * as z from "zod/mini";

export type AnySchema = z.core.$ZodType;

/** The definition of a schema, discriminated by its `type`. */
export type Definition = z.core.$ZodTypes["_zod"]["def"];

export const definitionOf = (schema: AnySchema): Definition => schema._zod.def as Definition;

/** Returns a schema without `optional`, `nullable` and `default`. */
export function unwrapped(schema: AnySchema): AnySchema {
  const def = definitionOf(schema);
  return "innerType" in def ? unwrapped(def.innerType as AnySchema) : schema;
}

export const innermost = (schema: AnySchema): Definition => definitionOf(unwrapped(schema));

/** Returns the default of a schema; undefined if it has none. */
export function defaultOf(schema: AnySchema): unknown {
  const def = definitionOf(schema);
  return def.type === "default" ? def.defaultValue : undefined;
}
