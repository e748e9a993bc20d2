// The parameters that several operations share (specification 2.1), the codecs only parameters have, and how a call's parameters are checked.
import * as z from "zod/mini";
import { codec } from "../models/codec.ts";
import { type Checked, check, isObject, message } from "../models/issues.ts";
import { bigintOf, type Decimal, flag, numberOf } from "../models/primitives.ts";
import type { AnyOperation } from "./operation.ts";

/** An integer within bounds. */
function between(min: number, max: number) {
  const fits = (value: number | undefined) =>
    value !== undefined && value >= min && value <= max ? value : undefined;
  return codec<number>({
    expected: `an integer from ${min} to ${max}`,
    json: { type: "integer", minimum: min, maximum: max },
    decode: (given) => fits(numberOf(given)),
    encode: (value) => fits(numberOf(value)),
  });
}

/** One of a few words. */
export const oneOf = <const Word extends string>(words: readonly Word[]) =>
  z.enum(words, { error: message });

/** One of a few words, of which some have other spellings that are understood. */
export function spelled<const Word extends string>(
  words: readonly Word[],
  aliases: Readonly<Record<string, Word>>,
) {
  const known = (given: unknown) => words.find((word) => word === given);
  return codec<Word>({
    expected: `one of ${words.join(", ")}`,
    json: { type: "string", enum: [...words] },
    decode: (given) => known(Object.hasOwn(aliases, String(given)) ? aliases[`${given}`] : given),
    encode: known,
  });
}

/** An integer as a JSON number, as bodies carry it; its digits in a string are understood too. */
export const wholeNumber = /*#__PURE__*/ codec<number>({
  expected: "an integer",
  json: { type: "integer" },
  decode(given) {
    const value = typeof given === "string" && /^-?\d{1,15}$/.test(given) ? Number(given) : given;
    return Number.isSafeInteger(value) ? Number(value) : undefined;
  },
  encode: (value) => (Number.isSafeInteger(value) ? Number(value) : undefined),
});

/** The block number a value stands for; larger ones than a chain can have are refused. */
function blockNumberOf(given: unknown): bigint | undefined {
  const value = typeof given === "bigint" ? given : bigintOf(given);
  return value !== undefined && value >= 0n && value < 1n << 63n ? value : undefined;
}

/** A block number: a `bigint`, a safe integer, or decimal digits. */
export const blockNumber = /*#__PURE__*/ codec<Decimal | bigint | number, bigint>({
  expected: "a block number (a non-negative integer below 2^63)",
  json: { type: "string", pattern: "^[0-9]{1,19}$" },
  decode: blockNumberOf,
  encode: (value) => blockNumberOf(value)?.toString() as Decimal | undefined,
});

/** The limits of the specification (section 8). */
export const limits = {
  /** The smallest, the largest and the default `limit` of a page. */
  min: 1,
  max: 1000,
  default: 50,
  /** How many addresses one request for balances may name. */
  addresses: 20,
} as const;

/** Which part of a list, of pages of up to `max` records. */
export const pagingUpTo = (max: number) => ({
  limit: z._default(between(limits.min, max), Math.min(limits.default, max)),
  offset: z._default(between(0, Number.MAX_SAFE_INTEGER), 0),
});

/** Which part of a list: shared by the list operations. */
export const paging = /*#__PURE__*/ pagingUpTo(limits.max);

/** Which blocks: both ends belong to the range. */
export const blockRange = {
  startBlock: /*#__PURE__*/ z.optional(blockNumber),
  endBlock: /*#__PURE__*/ z.optional(blockNumber),
};

/** Whether entries carry their call data. */
export const withInput = { input: /*#__PURE__*/ z._default(flag, false) };

/** Whether a parameter may be left out. */
export const isOptional = (schema: z.core.$ZodType | undefined): boolean =>
  schema?._zod.optin !== undefined;

/** Checks the parameters of a call, as a program gives them or as a request brings them; null for an optional one means absent. */
export function checkInput(
  { input }: AnyOperation,
  given: unknown,
): Checked<Readonly<Record<string, unknown>>> {
  if (!isObject(given)) return check(input, given);
  const present = Object.entries(given).filter(
    ([name, value]) => value !== undefined && !(value === null && isOptional(input.shape[name])),
  );
  return check(input, Object.fromEntries(present));
}
