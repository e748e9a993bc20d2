// The fast path of a schema: a decoder and an encoder made once by walking it, several times as fast as zod's own walk.
import * as z from "zod/mini";
import { functionsOf } from "./codec.ts";
import { type AnySchema, type Definition, definitionOf } from "./schema.ts";

/** Converts a value by a schema; {@link z.INVALID}, or undefined, where zod itself must tell what is wrong. */
export type Convert = (value: unknown) => unknown;

export interface Mode {
  readonly direction: "decode" | "encode";
  /** Whether a value that cannot be converted stays as it came, instead of ending the walk. */
  readonly keep: boolean;
  /** Derives what the walk does not know, where it can. */
  readonly more?: Derive | undefined;
}

/** Derives a conversion from a definition; undefined where zod must do it. */
export type Derive = (def: Definition, mode: Mode) => Convert | undefined;

/** The schema with its derived decoder installed: zod's own decoding and its errors, but fast where nothing is wrong. */
export function fast<S extends AnySchema>(schema: S, more?: Derive): S {
  let decode: Convert | undefined;
  return z.withParser(schema, (value) => {
    // Derived at first use: most programs use few of all schemas.
    decode ??= derive(schema, { direction: "decode", keep: false, more });
    const decoded = decode(value);
    return isInvalid(decoded) ? z.INVALID : (decoded as z.output<S>);
  });
}

const encoders = new WeakMap<AnySchema, Convert>();

/** What `z.safeEncode` gives, as fast as decoding. */
export function safeEncode<S extends AnySchema>(
  schema: S,
  value: unknown,
): z.core.util.SafeParseResult<z.input<S>> {
  const encode = encoders.get(schema) ?? derive(schema, { direction: "encode", keep: false });
  encoders.set(schema, encode);
  const data = encode(value);
  return isInvalid(data)
    ? z.safeEncode(schema, value as z.output<S>)
    : { success: true, data: data as z.input<S> };
}

/** Decodes what can be decoded; all that cannot stays as received (`validation: "lenient"`). */
export const decodeLeniently = <S extends AnySchema>(schema: S, value: unknown): z.output<S> =>
  derive(schema, { direction: "decode", keep: true })(value) as z.output<S>;

export function derive(schema: AnySchema, mode: Mode): Convert {
  const def = definitionOf(schema);
  if (def.checks?.length) return byZod(schema, mode);
  switch (def.type) {
    case "object":
      return object(def, mode) ?? other(schema, mode);
    case "array":
      return array(derive(def.element, mode), mode);
    case "nullable": {
      const inner = derive(def.innerType, mode);
      return (value) => (value === null ? null : inner(value));
    }
    case "pipe":
      return codec(schema, mode) ?? byZod(schema, mode);
    case "string":
      return (value) => (typeof value === "string" || mode.keep ? value : z.INVALID);
    default:
      return other(schema, mode);
  }
}

/** What the walk itself does not know. */
const other = (schema: AnySchema, mode: Mode): Convert =>
  mode.more?.(definitionOf(schema), mode) ?? byZod(schema, mode);

function byZod(schema: AnySchema, { direction, keep }: Mode): Convert {
  return (value) => {
    const result = (direction === "decode" ? z.safeDecode : z.safeEncode)(schema, value as never);
    return result.success ? result.data : keep ? value : z.INVALID;
  };
}

/** One of our codecs. */
function codec(schema: AnySchema, { direction, keep }: Mode): Convert | undefined {
  const convert = functionsOf(schema)?.[direction];
  return convert && keep ? (value) => convert(value) ?? value : convert;
}

function array(item: Convert, { keep }: Mode): Convert {
  return (values) => {
    if (!Array.isArray(values)) return keep ? values : z.INVALID;
    const converted = new Array<unknown>(values.length);
    for (let index = 0; index < values.length; index++) {
      const one = item(values[index]);
      if (isInvalid(one)) return z.INVALID;
      converted[index] = one;
    }
    return converted;
  };
}

/** A field of an object: what it says of a missing value and of null taken off it, for most fields of a page are neither. */
interface Field {
  readonly key: string;
  readonly convert: Convert;
  readonly nullable: boolean;
  /** Whether it may be missing. */
  readonly optional: boolean;
  /** What a missing one is read as. */
  readonly fallback: (() => unknown) | undefined;
}

export function field(key: string, schema: AnySchema, mode: Mode): Field {
  let [inner, nullable, optional] = [schema, false, false];
  let fallback: Field["fallback"];
  for (;;) {
    const def = definitionOf(inner);
    if (def.checks?.length) break;
    if (def.type === "nullable") nullable = true;
    else if (def.type === "optional" && fallback === undefined) optional = true;
    else if (def.type === "default" && !optional && !nullable) fallback = () => def.defaultValue;
    else break;
    inner = def.innerType;
  }
  return { key, convert: derive(inner, mode), nullable, optional, fallback };
}

/** Objects that keep what they do not know (`z.looseObject`), as all models do. */
function object(def: z.core.$ZodObjectDef, mode: Mode): Convert | undefined {
  if (def.catchall?._zod.def.type !== "unknown") return undefined;
  const fields = Object.entries(def.shape).map(([key, schema]) => field(key, schema, mode));
  const { keep } = mode;
  const decodes = mode.direction === "decode";
  return (value) => {
    if (!isPlain(value)) return keep ? value : z.INVALID;
    // A copy, so that unknown fields come along and the input stays whole.
    const copy: Record<string, unknown> = { ...value };
    for (const { key, convert, nullable, optional, fallback } of fields) {
      const one = copy[key];
      if (one === null && nullable) continue;
      if (one === undefined) {
        if (decodes && fallback) copy[key] = fallback();
        else if (!optional && !keep) return z.INVALID;
        continue;
      }
      const other = convert(one);
      if (isInvalid(other)) return z.INVALID;
      // Most texts read as themselves, and a store by a changing key is what this loop would spend its time on.
      if (other !== one) copy[key] = other;
    }
    return copy;
  };
}

/** Whether a conversion leaves it to zod. */
export const isInvalid = (converted: unknown): boolean =>
  converted === undefined || converted === z.INVALID;

export const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
