// Models: zod schemas of objects that keep unknown fields (R3), and their decoded and wire types.
import * as z from "zod/mini";
import { message } from "./check.ts";
import { nullAsEmpty, reading } from "./reading.ts";

/** Creates a model: a `z.looseObject`, which keeps unknown fields as received (R3). */
export const model = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.looseObject(shape, { error: message });

/** Describes the expected length of a list. */
export const itemsExpected = (bound: string, size: number | bigint): string =>
  `an array of ${bound} ${size} ${Number(size) === 1 ? "item" : "items"}`;

/**
 * A list of at least `min` and at most `max` values. Its issues and its JSON Schema are like those
 * of `z.minLength` and `z.maxLength`, which would add more code.
 */
export function list<S extends z.core.$ZodType>(
  item: S,
  min = 0,
  max = Number.POSITIVE_INFINITY,
): z.ZodMiniArray<S> {
  const values = z.array(item, { error: message });
  if (min === 0 && max === Number.POSITIVE_INFINITY) return values;
  const sized = values.check(({ value: input, issues }) => {
    const issue = (bound: string, size: number) =>
      ({ origin: "array", inclusive: true, input, message: itemsExpected(bound, size) }) as const;
    if (input.length < min)
      issues.push({ code: "too_small", minimum: min, ...issue("at least", min) });
    if (input.length > max)
      issues.push({ code: "too_big", maximum: max, ...issue("at most", max) });
  });
  Object.assign(sized._zod.bag, { minimum: min, maximum: max });
  return sized;
}

/** One of a few values. `z.enum` and `z.literal` would add more code. */
export const among = <const Value>(values: readonly Value[], expected?: string) =>
  z.custom<Value>((input) => values.some((value) => value === input), expected);

/** The records of a list; null stands for an empty list (R15). */
export const records = <S extends z.core.$ZodType>(item: S): z.ZodMiniArray<S> =>
  reading(list(item), nullAsEmpty);

type ObjectWith<Shape> = { _zod: { def: { type: "object"; shape: Shape } } };
type ArrayOf<Item> = { _zod: { def: { type: "array"; element: Item } } };
type Wrapped<Type extends string, Inner> = { _zod: { def: { type: Type; innerType: Inner } } };

/** Fields that may be missing and have no default. */
type OptionalKey<Shape> = {
  [Key in keyof Shape]: Shape[Key] extends Wrapped<"optional", unknown> ? Key : never;
}[keyof Shape];

/** Turns an intersection into one object, so that editors show its fields. */
type Flat<T> = T extends infer Whole ? { [Key in keyof Whole]: Whole[Key] } : never;

/** Some fields on one side. Does not rename by `as`, because editors would show no descriptions. */
type Fields<Shape, Keys extends keyof Shape, Side extends "input" | "output"> = {
  [Key in Keys]: SideOf<Shape[Key], Side>;
};
type OptionalFields<Shape, Keys extends keyof Shape, Side extends "input" | "output"> = {
  [Key in Keys]?: SideOf<Shape[Key], Side> | undefined;
};

/** One side of a schema, with its known fields only. Only optional fields may be missing. */
type SideOf<S, Side extends "input" | "output"> =
  S extends ObjectWith<infer Shape>
    ? Flat<
        Fields<Shape, Exclude<keyof Shape, OptionalKey<Shape>>, Side> &
          OptionalFields<Shape, OptionalKey<Shape>, Side>
      >
    : S extends ArrayOf<infer Item>
      ? SideOf<Item, Side>[]
      : S extends Wrapped<"nullable", infer Inner>
        ? SideOf<Inner, Side> | null
        : S extends Wrapped<"optional" | "default", infer Inner>
          ? SideOf<Inner, Side>
          : Side extends "input"
            ? z.input<S>
            : z.output<S>;

/** The decoded type of a schema, with its known fields only. */
export type Decoded<S> = SideOf<S, "output">;

/** The wire type of a schema, with all of its known fields and no others. */
export type Encoded<S> = SideOf<S, "input">;
