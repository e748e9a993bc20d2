// The parameters several operations share (specification 2.1), and the codecs only parameters use.
import * as z from "zod/mini";
import { codec } from "../models/codec.ts";
import { bigintOf, type Decimal, flag, numberOf } from "../models/primitives.ts";
import { limits } from "./lists.ts";

/** An integer within bounds. */
export function between(min: number, max: number) {
  const fits = (value: number | undefined) =>
    value !== undefined && value >= min && value <= max ? value : undefined;
  return codec<number>({
    expected: `an integer from ${min} to ${max}`,
    json: { type: "integer", minimum: min, maximum: max },
    decode: (given) => fits(numberOf(given)),
    encode: (value) => fits(numberOf(value)),
  });
}

/** One of a few words, with aliases. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  aliases: Readonly<Record<string, Word>> = {},
) {
  const known = (given: unknown) => words.find((word) => word === given);
  return codec<Word>({
    expected: `one of ${words.join(", ")}`,
    words,
    json: { type: "string", enum: [...words] },
    decode: (given) =>
      known(typeof given === "string" && Object.hasOwn(aliases, given) ? aliases[given] : given),
    encode: known,
  });
}

/** An integer as a JSON number, as in bodies; its digits in a string are accepted too. */
export const wholeNumber = (expected = "an integer") =>
  codec<number>({
    expected,
    json: { type: "integer" },
    decode(given) {
      const value = typeof given === "string" && /^-?\d{1,15}$/.test(given) ? Number(given) : given;
      return Number.isSafeInteger(value) ? Number(value) : undefined;
    },
    encode: (value) => (Number.isSafeInteger(value) ? Number(value) : undefined),
  });

/** A value as a block number; undefined if it is invalid or too large. */
function blockNumberOf(given: unknown): bigint | undefined {
  const value = typeof given === "bigint" ? given : bigintOf(given);
  return value !== undefined && value >= 0n && value < 1n << 63n ? value : undefined;
}

/** A block number: a `bigint`, a safe integer, or decimal digits. */
export const blockNumber = codec<Decimal | bigint | number, bigint>({
  expected: "a block number (a non-negative integer below 2^63)",
  json: { type: "string", pattern: "^[0-9]{1,19}$" },
  decode: blockNumberOf,
  encode: (value) => blockNumberOf(value)?.toString() as Decimal | undefined,
});

/** The page parameters of a list with pages of up to `max` records. */
export const pagingUpTo = (max: number) => ({
  limit: z._default(between(limits.min, max), Math.min(limits.default, max)),
  offset: z._default(between(0, Number.MAX_SAFE_INTEGER), 0),
});

/** The page parameters of most lists. */
export const paging = pagingUpTo(limits.max);

/** A range of blocks, both ends included. */
export const blockRange = {
  startBlock: z.optional(blockNumber),
  endBlock: z.optional(blockNumber),
};

/** Whether records include their call data. */
export const withInput = { input: z._default(flag, false) };

/** Whether a parameter is optional. */
export const isOptional = (schema: z.core.$ZodType | undefined): boolean =>
  schema?._zod.optin !== undefined;
