// Records and lists of kinds.
import {
  type AnyKind,
  at,
  describe,
  fail,
  type InputOf,
  type Issue,
  isObject,
  type Kind,
  type ValueOf,
  type WireOf,
} from "./kind.ts";

export type Fields = Readonly<Record<string, AnyKind>>;

type OptionalKey<F extends Fields> = {
  [Key in keyof F]: F[Key] extends { readonly optional: true } ? Key : never;
}[keyof F];
/** Optional, and with nothing to stand for a missing one. */
type AbsentKey<F extends Fields> = {
  [Key in keyof F]: F[Key] extends { readonly optional: true; readonly absent?: undefined }
    ? Key
    : never;
}[keyof F];
type Flat<T> = { [Key in keyof T]: T[Key] };

/** The decoded record of a field table. */
export type RecordValue<F extends Fields> = Flat<
  { [Key in Exclude<keyof F, AbsentKey<F>>]: ValueOf<F[Key]> } & {
    [Key in AbsentKey<F>]?: ValueOf<F[Key]>;
  }
>;
/** The wire form of a field table. */
export type RecordWire<F extends Fields> = Flat<
  { [Key in Exclude<keyof F, OptionalKey<F>>]: WireOf<F[Key]> } & {
    [Key in OptionalKey<F>]?: WireOf<F[Key]>;
  }
>;
/** What may be given where the record is wanted. */
export type RecordInput<F extends Fields> = Flat<
  { [Key in Exclude<keyof F, OptionalKey<F>>]: InputOf<F[Key]> } & {
    [Key in OptionalKey<F>]?: InputOf<F[Key]> | undefined;
  }
>;

/** The kind of a JSON object with these fields. Fields it does not know are kept as they came (R3). */
export function recordKind<F extends Fields>(
  fields: F,
  title?: string,
): Kind<RecordWire<F>, RecordValue<F>, RecordInput<F>> & {
  readonly fields: F;
  readonly title?: string | undefined;
} {
  const expected = "an object";
  const entries = Object.entries(fields);
  // Null reads and writes as itself: what is not null goes to the kind within, one call less for most fields of a page.
  const steps = entries.map(([key, kind]) => ({ key, kind, within: kind.within ?? kind }));

  /** One pass over the fields in either direction; a copy, so that unknown fields come along and the input stays whole. */
  function pass(
    direction: "decode" | "encode",
    value: unknown,
    issues: Issue[],
  ): Record<string, unknown> {
    if (!isObject(value)) return fail(issues, expected, value, true);
    const copy: Record<string, unknown> = { ...value };
    for (const { key, kind, within } of steps) {
      const one = copy[key];
      if (one === null && within !== kind) continue;
      if (one === undefined) {
        if (direction === "encode" && kind.optional) delete copy[key];
        else if (kind.absent !== undefined) copy[key] = kind.absent;
        else if (!kind.optional)
          issues.push({ path: [key], expected: kind.expected, received: undefined });
        continue;
      }
      const before = issues.length;
      const other =
        direction === "decode" ? within.decode(one, issues) : within.encode(one, issues);
      // Most texts read as themselves, and a store by a changing key is what this loop would spend its time on.
      if (other !== one) copy[key] = other;
      if (issues.length > before) at(issues, before, key);
    }
    return copy;
  }

  return {
    expected,
    fields,
    title,
    json: {
      ...(title !== undefined && { title }),
      type: "object",
      properties: Object.fromEntries(entries.map(([key, kind]) => [key, kind.json])),
      required: entries.filter(([, kind]) => !kind.optional).map(([key]) => key),
    },
    decode: (raw, issues) => pass("decode", raw, issues) as RecordValue<F>,
    encode: (value, issues) => pass("encode", value, issues) as RecordWire<F>,
  };
}

/** The kind of a JSON array. */
export function listKind<Wire, Value, Input>(
  item: Kind<Wire, Value, Input>,
  bounds: { readonly minItems?: number; readonly maxItems?: number } = {},
): Kind<Wire[], Value[], readonly Input[]> {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = bounds;
  const expected =
    maxItems === Number.POSITIVE_INFINITY
      ? "an array"
      : `an array of ${minItems} to ${maxItems} items`;

  function pass<From, To>(
    one: (value: From, issues: Issue[]) => To,
    values: unknown,
    issues: Issue[],
  ): To[] {
    if (!Array.isArray(values) || values.length < minItems || values.length > maxItems)
      return fail(issues, expected, values, true);
    const out = new Array<To>(values.length);
    for (let index = 0; index < values.length; index++) {
      const before = issues.length;
      out[index] = one(values[index], issues);
      if (issues.length > before) at(issues, before, index);
    }
    return out;
  }

  return {
    expected,
    json: { type: "array", items: item.json, ...bounds },
    decode: (raw, issues) =>
      pass<unknown, Value>((value, more) => item.decode(value, more), raw, issues),
    encode: (values, issues) =>
      pass<Input | Value, Wire>((value, more) => item.encode(value, more), values, issues),
  };
}

/** One line that says what is wrong with a value. */
export function explain({ path, expected, received }: Issue): string {
  const where = path.length ? `${path.join(".")}: ` : "";
  return `${where}expected ${expected}, received ${describe(received)}`;
}
