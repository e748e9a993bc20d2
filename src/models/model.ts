// What a model is: a zod object schema that keeps unknown fields (R3) and decodes fast; and the types of both its sides.
import * as z from "zod/mini";
import { fast } from "./fast-path.ts";
import { message } from "./issues.ts";

/** A model with these fields: a `z.looseObject`, for fields the specification does not know are kept as received (R3). */
export const model = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  fast(z.looseObject(shape, { error: message }));

/** A list of values. */
export const list = <S extends z.core.$ZodType>(item: S): z.ZodMiniArray<S> =>
  z.array(item, { error: message });

type ObjectWith<Shape> = { _zod: { def: { type: "object"; shape: Shape } } };
type ArrayOf<Item> = { _zod: { def: { type: "array"; element: Item } } };
type Wrapped<Type extends string, Inner> = { _zod: { def: { type: Type; innerType: Inner } } };

/** The fields that may be missing, with nothing to stand for a missing one. */
type OptionalKey<Shape> = {
  [Key in keyof Shape]: Shape[Key] extends Wrapped<"optional", unknown> ? Key : never;
}[keyof Shape];

type Flat<T> = { [Key in keyof T]: T[Key] };

/** The decoded side of a schema, with its known fields only. */
export type Decoded<S> =
  S extends ObjectWith<infer Shape>
    ? Flat<
        { [Key in Exclude<keyof Shape, OptionalKey<Shape>>]: Decoded<Shape[Key]> } & {
          [Key in OptionalKey<Shape>]?: Decoded<Shape[Key]> | undefined;
        }
      >
    : S extends ArrayOf<infer Item>
      ? Decoded<Item>[]
      : S extends Wrapped<"nullable", infer Inner>
        ? Decoded<Inner> | null
        : S extends Wrapped<"optional" | "default", infer Inner>
          ? Decoded<Inner>
          : z.output<S>;

/** The wire side of a schema, with its known fields only and none of them missing. */
export type Encoded<S> =
  S extends ObjectWith<infer Shape>
    ? Flat<
        { [Key in Exclude<keyof Shape, OptionalKey<Shape>>]: Encoded<Shape[Key]> } & {
          [Key in OptionalKey<Shape>]?: Encoded<Shape[Key]> | undefined;
        }
      >
    : S extends ArrayOf<infer Item>
      ? Encoded<Item>[]
      : S extends Wrapped<"nullable", infer Inner>
        ? Encoded<Inner> | null
        : S extends Wrapped<"optional" | "default", infer Inner>
          ? Encoded<Inner>
          : z.input<S>;
