// The fast path: derives a decoder and an encoder from a schema, several times as fast as zod.
import * as z from "zod/mini";
import { functionsOf } from "./codec.ts";
import { emptyAsNull, readingOf } from "./reading.ts";
import { type AnySchema, definitionOf } from "./schema.ts";

/** Converts a value by a schema. Returns undefined if zod must report the issues. */
type Convert = (value: unknown) => unknown;

interface Mode {
  /** The function with which zod encodes; without it, the mode decodes. */
  readonly encode?: typeof z.safeEncode;
  /** Whether to keep an invalid value as received instead of failing the conversion. */
  readonly keep: boolean;
}

/** Derives each schema's conversion once. */
function derivedOnce(mode: Mode): (schema: AnySchema) => Convert {
  const conversions = new WeakMap<AnySchema, Convert>();
  return (schema) => {
    const convert = conversions.get(schema) ?? derive(schema, mode);
    conversions.set(schema, convert);
    return convert;
  };
}

const decoderOf = derivedOnce({ keep: false });
const encoderOf = derivedOnce({ encode: z.safeEncode, keep: false });
const lenientDecoderOf = derivedOnce({ keep: true });

/** Decodes a value; undefined if it is invalid, or only zod can decode it. */
export const decodeFast = (schema: AnySchema, value: unknown): unknown => decoderOf(schema)(value);

/** Encodes like `z.safeEncode`, but faster. */
export function safeEncode<S extends AnySchema>(
  schema: S,
  value: unknown,
): z.core.util.SafeParseResult<z.input<S>> {
  const data = encoderOf(schema)(value);
  return data === undefined
    ? z.safeEncode(schema, value as z.output<S>)
    : { success: true, data: data as z.input<S> };
}

/** Decodes valid values, and keeps invalid values as received (`validation: "lenient"`). */
export const decodeLeniently = <S extends AnySchema>(schema: S, value: unknown): z.output<S> =>
  lenientDecoderOf(schema)(value) as z.output<S>;

function derive(schema: AnySchema, mode: Mode): Convert {
  const convert = deriveSpecified(schema, mode);
  const toSpecified = mode.encode ? undefined : readingOf(schema);
  return toSpecified ? (value) => convert(toSpecified(value)) : convert;
}

function deriveSpecified(schema: AnySchema, mode: Mode): Convert {
  const def = definitionOf(schema);
  if (def.checks?.length) return byZod(schema, mode);
  switch (def.type) {
    case "object":
      return object(def, mode) ?? byZod(schema, mode);
    case "array":
      return array(derive(def.element, mode), mode);
    case "nullable": {
      const inner = derive(def.innerType, mode);
      return (value) => (value === null ? null : inner(value));
    }
    case "pipe":
    case "transform":
      return codec(schema, mode) ?? byZod(schema, mode);
    case "string":
      return (value) => (typeof value === "string" || mode.keep ? value : undefined);
    default:
      return byZod(schema, mode);
  }
}

function byZod(schema: AnySchema, { encode, keep }: Mode): Convert {
  return (value) => {
    const result = (encode ?? z.safeParse)(schema, value as never);
    return result.success ? result.data : keep ? value : undefined;
  };
}

function codec(schema: AnySchema, { encode, keep }: Mode): Convert | undefined {
  const convert = functionsOf(schema)?.[encode ? "encode" : "decode"];
  return convert && keep ? (value) => convert(value) ?? value : convert;
}

function array(item: Convert, { keep }: Mode): Convert {
  return (values) => {
    if (!Array.isArray(values)) return keep ? values : undefined;
    // Grows item by item, so that a list of millions of invalid values allocates no memory.
    const converted: unknown[] = [];
    for (const value of values) {
      const itemValue = item(value);
      if (itemValue === undefined) return undefined;
      converted.push(itemValue);
    }
    return converted;
  };
}

/** A field of an object. For speed, `nullable`, `optional` and `default` become flags. */
interface Field {
  readonly key: string;
  readonly convert: Convert;
  readonly nullable: boolean;
  /** Whether null may be written as an empty string. */
  readonly emptyIsNull: boolean;
  /** Whether the field may be missing. */
  readonly optional: boolean;
  /** The default of a missing field. */
  readonly fallback: (() => unknown) | undefined;
}

function field(key: string, schema: AnySchema, mode: Mode): Field {
  let [inner, nullable, emptyIsNull, optional] = [schema, false, false, false];
  let fallback: Field["fallback"];
  for (;;) {
    const def = definitionOf(inner);
    const toSpecified = mode.encode ? undefined : readingOf(inner);
    if (def.checks?.length || (toSpecified && (toSpecified !== emptyAsNull || nullable))) break;
    emptyIsNull ||= toSpecified === emptyAsNull;
    if (def.type === "nullable") nullable = true;
    else if (def.type === "optional" && fallback === undefined) optional = true;
    else if (def.type === "default" && !optional && !nullable) fallback = () => def.defaultValue;
    else break;
    inner = def.innerType;
  }
  return { key, convert: derive(inner, mode), nullable, emptyIsNull, optional, fallback };
}

/**
 * Converts objects that keep unknown fields (`z.looseObject`), like all models, or refuse them
 * (`z.strictObject`), like all parameters.
 */
function object({ shape, catchall }: z.core.$ZodObjectDef, mode: Mode): Convert | undefined {
  const unknown = catchall?._zod.def.type;
  if (unknown !== "unknown" && unknown !== "never") return undefined;
  const fields = Object.entries(shape).map(([key, schema]) => field(key, schema, mode));
  const { encode, keep } = mode;
  return (value) => {
    if (!isPlain(value)) return keep ? value : undefined;
    if (unknown === "never")
      for (const key in value) if (!Object.hasOwn(shape, key)) return undefined;
    // A copy keeps unknown fields and leaves the input unchanged.
    const copy: Record<string, unknown> = { ...value };
    for (const { key, convert, nullable, emptyIsNull, optional, fallback } of fields) {
      const wire = copy[key];
      if (nullable && (wire === null || (emptyIsNull && wire === ""))) {
        copy[key] = null;
        continue;
      }
      if (wire === undefined) {
        if (!encode && fallback) copy[key] = fallback();
        else if (!optional && !keep) return undefined;
        continue;
      }
      const converted = convert(wire);
      if (converted === undefined) return undefined;
      // Most strings decode to themselves; skipping the write keeps this loop fast.
      if (converted !== wire) copy[key] = converted;
    }
    return copy;
  };
}

export const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
