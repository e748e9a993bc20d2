// The primitives of the specification as codecs: amounts, counts, timestamps, addresses, hashes,
// texts, flags (R5 to R7), bounded numbers and enumerations.
import * as z from "zod/mini";
import { message } from "./check.ts";
import { codec } from "./codec.ts";
import { isHex } from "./hex.ts";
import { nullable } from "./reading.ts";
import { definitionOf } from "./schema.ts";

/** Bytes as `0x` and hexadecimal digits. */
export type Hex = `0x${string}`;
/** 20 bytes in hexadecimal, in the case that was received. */
export type Address = Hex;
/** 32 bytes in hexadecimal, in the case that was received. */
export type Hash = Hex;
/** A decimal number in a JSON string. */
export type Decimal = `${bigint}` | `${number}`;
/** A status: "1" for success or on, "0" for error or off. Servers may send other values. */
export type Status = "0" | "1" | (string & {});

const ZERO = 48;
const NINE = 57;
/** An integer of the EVM is below 2^256, which has 78 digits. */
const MAX_DIGITS = 78;
/** A double holds this many digits exactly. */
const EXACT_DIGITS = 15;

/** Reads a non-negative integer (R7): as a number if that is surely exact, otherwise a bigint. */
function integerOf(wire: unknown): number | bigint | undefined {
  if (typeof wire === "string") {
    const length = wire.length;
    if (length === 0 || length > MAX_DIGITS) return undefined;
    let sum = 0;
    for (let index = 0; index < length; index++) {
      const code = wire.charCodeAt(index);
      if (code < ZERO || code > NINE) return undefined;
      sum = sum * 10 + (code - ZERO);
    }
    return length <= EXACT_DIGITS ? sum : BigInt(wire);
  }
  return isCount(wire) ? wire : undefined;
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

/** Reads a wire value as a bigint; undefined unless it is a non-negative integer. */
export function bigintOf(wire: unknown): bigint | undefined {
  const value = integerOf(wire);
  return value === undefined ? undefined : BigInt(value);
}

/** Reads a wire value as a number; undefined unless it is an integer from 0 to 2^53 - 1. */
function numberOf(wire: unknown): number | undefined {
  const value = integerOf(wire);
  if (typeof value === "number" || value === undefined) return value;
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : undefined;
}

const decimal = { type: "string", pattern: "^[0-9]{1,78}$" } as const;

/** An integer of up to 256 bits: an amount, a gas figure, a block number or a token id. */
export const amount = codec<Decimal, bigint>({
  expected: "a non-negative integer in decimal digits",
  expectedValue: "a non-negative bigint (or safe integer) of at most 256 bits",
  json: decimal,
  decode: bigintOf,
  encode(value) {
    const fits = typeof value === "bigint" ? value >= 0n && value < 1n << 256n : isCount(value);
    return fits ? (`${value}` as Decimal) : undefined;
  },
});

/** A count, an index or a number of decimals. Invalid if a double cannot hold it exactly. */
export const integer = codec<Decimal, number>({
  expected: "a non-negative integer of at most 2^53 - 1 in decimal digits",
  expectedValue: "a non-negative safe integer",
  json: decimal,
  decode: numberOf,
  encode: (value) => (isCount(value) ? `${value}` : undefined),
});

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;
/** Also accepts up to nanoseconds, and an offset (R14). */
const ISO_WITH_OFFSET =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:(\.\d{1,3})\d{0,6})?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d))$/;

/** Returns the time of a text; NaN if it is invalid, such as February 30. */
function timeOf(text: string): number {
  if (ISO.test(text)) return utcTimeOf(text);
  const [whole, local, fraction = "", sign, hours, minutes] = ISO_WITH_OFFSET.exec(text) ?? [];
  if (whole === undefined) return Number.NaN;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return utcTimeOf(`${local}${fraction}Z`) - (sign === "-" ? -offset : offset);
}

function utcTimeOf(text: string): number {
  const date = new Date(text);
  // Only days after the 28th can move into the next month.
  const shifted = text.charCodeAt(8) > 49 && date.getUTCDate() !== Number(text.slice(8, 10));
  return shifted ? Number.NaN : date.getTime();
}

/** The last decoded text, because the records of a page often have the same block and time. */
const lastDecoded = { text: "", time: Number.NaN };

/** Formats a valid time as it is on the wire. */
export const isoTime = (time: Date): string => time.toISOString().replace(".000Z", "Z");

/** A time in UTC. */
export const timestamp = codec<string, Date>({
  expected: "a UTC time YYYY-MM-DDThh:mm:ssZ",
  expectedValue: "a valid Date",
  json: { type: "string", format: "date-time" },
  decode(wire) {
    if (typeof wire !== "string") return undefined;
    if (wire !== lastDecoded.text) {
      const time = timeOf(wire);
      if (Number.isNaN(time)) return undefined;
      lastDecoded.text = wire;
      lastDecoded.time = time;
    }
    return new Date(lastDecoded.time);
  },
  encode: (value) =>
    value instanceof Date && !Number.isNaN(value.getTime()) ? isoTime(value) : undefined,
});

/** Creates a codec for hexadecimal text: of `length` digits, or by default an even number. */
function hexCodec(expected: string, pattern: string, length?: number) {
  // Skips the check of the last two texts, because records of a page share accounts and blocks.
  let last: Hex | undefined;
  let previous: Hex | undefined;
  const readHex = (text: unknown): Hex | undefined => {
    if (text === last) return last;
    if (text !== previous && (typeof text !== "string" || !isHex(text, length))) return undefined;
    previous = last;
    last = text as Hex | undefined;
    return last;
  };
  return codec<Hex>({
    expected,
    json: { type: "string", pattern },
    decode: readHex,
    encode: readHex,
  });
}

/** An address, in the case that was received. */
export const address = hexCodec(
  "an address (0x and 40 hexadecimal digits)",
  "^0x[0-9a-fA-F]{40}$",
  40,
);
/** A hash or a topic. */
export const hash = hexCodec(
  "a 32-byte hash (0x and 64 hexadecimal digits)",
  "^0x[0-9a-fA-F]{64}$",
  64,
);
/** Bytes of any length. */
export const hex = hexCodec(
  "bytes in hexadecimal (0x and pairs of digits)",
  "^0x([0-9a-fA-F]{2})*$",
);

export const text = z.string({ error: message });

/** A status. A JSON number becomes its digits, because some deployments send numbers (R7). */
export const status = codec<Status>({
  expected: "a status string",
  json: { type: "string" },
  decode: (wire) =>
    typeof wire === "string" ? wire : Number.isSafeInteger(wire) ? `${wire}` : undefined,
  encode: (value) => (typeof value === "string" ? value : undefined),
});

/** A boolean. Also accepts the strings "true" and "false" (R7). */
export const flag = codec<boolean>({
  expected: "true or false",
  json: { type: "boolean" },
  decode(wire) {
    if (wire === true || wire === "true") return true;
    return wire === false || wire === "false" ? false : undefined;
  },
  encode: (value) => (typeof value === "boolean" ? value : undefined),
});

/** Types of schemas for which an empty string is a valid value. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(["string", "unknown"]);

/** A value or null. A missing value becomes null (R4), and so does "" unless it is a text (R13). */
export const orNull = <S extends z.core.$ZodType>(
  schema: S,
): z.ZodMiniDefault<z.ZodMiniNullable<S>> =>
  z._default(
    MAY_BE_EMPTY.has(definitionOf(schema).type) ? z.nullable(schema) : nullable(schema),
    null as never,
  );

/** An integer within bounds. */
export function between(min: number, max: number) {
  const fits = (value: number | undefined) =>
    value !== undefined && value >= min && value <= max ? value : undefined;
  return codec<number>({
    expected: `an integer from ${min} to ${max}`,
    json: { type: "integer", minimum: min, maximum: max },
    decode: (wire) => fits(numberOf(wire)),
    encode: (value) => fits(numberOf(value)),
  });
}

/** One of a few words, or an alias of a word. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  aliases: Readonly<Record<string, Word>> = {},
) {
  const wordOf = (text: unknown) => words.find((word) => word === text);
  return codec<Word>({
    expected: `one of ${words.join(", ")}`,
    words,
    json: { type: "string", enum: [...words] },
    decode: (wire) =>
      wordOf(typeof wire === "string" && Object.hasOwn(aliases, wire) ? aliases[wire] : wire),
    encode: wordOf,
  });
}

/** An integer as a JSON number, as in bodies. Also accepts its digits in a string. */
export const wholeNumber = (expected = "an integer") =>
  codec<number>({
    expected,
    json: { type: "integer" },
    decode(wire) {
      const value = typeof wire === "string" && /^-?\d{1,15}$/.test(wire) ? Number(wire) : wire;
      return Number.isSafeInteger(value) ? Number(value) : undefined;
    },
    encode: (value) => (Number.isSafeInteger(value) ? Number(value) : undefined),
  });

/** Reads a value as a block number; undefined if it is invalid or too large. */
function blockNumberOf(value: unknown): bigint | undefined {
  const number = typeof value === "bigint" ? value : bigintOf(value);
  return number !== undefined && number >= 0n && number < 1n << 63n ? number : undefined;
}

/** A block number: a `bigint`, a safe integer, or decimal digits. */
export const blockNumber = codec<Decimal | bigint | number, bigint>({
  expected: "a block number (a non-negative integer below 2^63)",
  json: { type: "string", pattern: "^[0-9]{1,19}$" },
  decode: blockNumberOf,
  encode: (value) => blockNumberOf(value)?.toString() as Decimal | undefined,
});
