// What a zod schema is made of, for those who walk it.
import type * as z from "zod/mini";

/** Any schema. */
export type AnySchema = z.core.$ZodType;

/** The definition of a schema, told apart by its `type`. */
export type Definition = z.core.$ZodTypes["_zod"]["def"];

export const definitionOf = (schema: AnySchema): Definition => schema._zod.def as Definition;

/** What stands inside `optional`, `nullable` and `default`. */
export function unwrapped(schema: AnySchema): AnySchema {
  const def = definitionOf(schema);
  return "innerType" in def ? unwrapped(def.innerType as AnySchema) : schema;
}

/** The definition of what stands inside them. */
export const innermost = (schema: AnySchema): Definition => definitionOf(unwrapped(schema));

/** What a missing value is read as; undefined where there is no default. */
export function defaultOf(schema: AnySchema): unknown {
  const def = definitionOf(schema);
  return def.type === "default" ? def.defaultValue : undefined;
}
