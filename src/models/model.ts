// Models: zod object schemas that keep unknown fields (R3) and decode fast, with their decoded and wire types.
import * as z from "zod/mini";
import { fast } from "./fast-path.ts";
import { message } from "./issues.ts";

/** A model with these fields: a `z.looseObject`, which keeps unknown fields as received (R3). */
export const model = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  fast(z.looseObject(shape, { error: message }));

/** A list of values. */
export const list = <S extends z.core.$ZodType>(item: S): z.ZodMiniArray<S> =>
  z.array(item, { error: message });

type ObjectWith<Shape> = { _zod: { def: { type: "object"; shape: Shape } } };
type ArrayOf<Item> = { _zod: { def: { type: "array"; element: Item } } };
type Wrapped<Type extends string, Inner> = { _zod: { def: { type: Type; innerType: Inner } } };

/** Fields that may be missing and have no default. */
type OptionalKey<Shape> = {
  [Key in keyof Shape]: Shape[Key] extends Wrapped<"optional", unknown> ? Key : never;
}[keyof Shape];

/** An intersection as one object, which editors show with its fields. */
type Flat<T> = T extends infer One ? { [Key in keyof One]: One[Key] } : never;

/** The decoded type of a schema, with its known fields only. */
export type Decoded<S> =
  S extends ObjectWith<infer Shape>
    ? Flat<
        { [Key in keyof Shape as Exclude<Key, OptionalKey<Shape>>]: Decoded<Shape[Key]> } & {
          [Key in keyof Shape as Extract<Key, OptionalKey<Shape>>]?:
            | Decoded<Shape[Key]>
            | undefined;
        }
      >
    : S extends ArrayOf<infer Item>
      ? Decoded<Item>[]
      : S extends Wrapped<"nullable", infer Inner>
        ? Decoded<Inner> | null
        : S extends Wrapped<"optional" | "default", infer Inner>
          ? Decoded<Inner>
          : z.output<S>;

/** The wire type of a schema, with all of its known fields and no others. */
export type Encoded<S> =
  S extends ObjectWith<infer Shape>
    ? Flat<
        { [Key in keyof Shape as Exclude<Key, OptionalKey<Shape>>]: Encoded<Shape[Key]> } & {
          [Key in keyof Shape as Extract<Key, OptionalKey<Shape>>]?:
            | Encoded<Shape[Key]>
            | undefined;
        }
      >
    : S extends ArrayOf<infer Item>
      ? Encoded<Item>[]
      : S extends Wrapped<"nullable", infer Inner>
        ? Encoded<Inner> | null
        : S extends Wrapped<"optional" | "default", infer Inner>
          ? Encoded<Inner>
          : z.input<S>;
