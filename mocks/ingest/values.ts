// Schemas for the values in a node's JSON responses: quantities, bytes, addresses and hashes, in lower case.
import * as z from "zod/mini";
import { reader } from "../../src/models/codec.ts";
import { isHex } from "../../src/models/hex.ts";
import type { Address, Hash, Hex } from "../chain/records.ts";

export const text = z.string("a text");
export const flag = z.boolean();
/** Any value or none, read later if at all. */
export const anything = z.optional(z.unknown());
/** A list of values. */
export const list = <S extends z.core.$ZodType>(item: S): z.ZodMiniArray<S> =>
  z.array(item, "a list");

const DIGITS = /^0x[0-9a-f]+$/i;

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** Remembers what short texts were read as: most quantities of a block are those of others. */
function remembering<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    if (text.length > MAX_REMEMBERED_LENGTH) return read(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = read(text);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(text, value);
    return value;
  };
}

/** Up to this length JSON.parse has each text only once, so finding it is fast. */
const MAX_REMEMBERED_LENGTH = 10;
const MAX_REMEMBERED = 4096;

const bigintIn = remembering((text) => (DIGITS.test(text) ? BigInt(text) : undefined));
const numberIn = remembering((text) => (DIGITS.test(text) ? Number(text) : undefined));

/** An unsigned integer of any size: hexadecimal, or a JSON number as some nodes write times and block numbers. */
export const quantity = reader("an integer such as 0x1a", (value) => {
  if (typeof value === "string") return bigintIn(value);
  return isCount(value) ? BigInt(value) : undefined;
});

function countOf(value: unknown): number | undefined {
  const number = typeof value === "string" ? numberIn(value) : value;
  return isCount(number) ? number : undefined;
}

/** An unsigned integer up to 2^53-1. */
export const count = reader("an integer such as 0x1a, below 2^53", countOf);

/** The block that a call was made at. */
export const blockTag = reader<number | "latest">(
  '"latest" or an integer such as 0x1a, below 2^53',
  (value) => (value === "latest" ? value : countOf(value)),
);

/** Bytes: `length` of them, or any number. */
const bytes = <Bytes extends Hex>(expected: string, length?: number) =>
  reader(expected, (value) =>
    typeof value === "string" && isHex(value, length && 2 * length)
      ? (value.toLowerCase() as Bytes)
      : undefined,
  );

export const data = bytes<Hex>("bytes in hexadecimal");
export const address = bytes<Address>("an address (20 bytes in hexadecimal)", 20);
export const hash = bytes<Hash>("a hash (32 bytes in hexadecimal)", 32);
