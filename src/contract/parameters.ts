// The parameters that several operations share (specification 2.1), and the kinds only parameters have.
import { fail, type Kind } from "../models/kind.ts";
import { amount, type Decimal, defaulted, flag, integer, optional } from "../models/primitives.ts";

/** An integer within bounds. */
function between(least: number, most: number): Kind<Decimal, number> {
  const expected = `an integer from ${least} to ${most}`;
  const bounded = (value: number, pass: () => Decimal | number) =>
    Number.isSafeInteger(value) && value >= least && value <= most ? pass() : undefined;
  return {
    expected,
    json: { type: "integer", minimum: least, maximum: most },
    decode(raw, issues) {
      const value = integer.decode(raw, []);
      return bounded(value, () => value) === undefined ? fail(issues, expected, raw) : value;
    },
    encode(value, issues) {
      return bounded(value, () => value) === undefined ? fail(issues, expected, value) : `${value}`;
    },
  };
}

/** One of a few words; `spoken` are other spellings that are understood when read. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  spoken: Readonly<Record<string, Word>> = {},
): Kind<Word, Word> {
  const expected = `one of ${words.join(", ")}`;
  const known = (value: unknown): value is Word => words.some((word) => word === value);
  return {
    expected,
    json: { type: "string", enum: words },
    decode(raw, issues) {
      const word = typeof raw === "string" && Object.hasOwn(spoken, raw) ? spoken[raw] : raw;
      return known(word) ? word : fail(issues, expected, raw);
    },
    encode: (value, issues) => (known(value) ? value : fail(issues, expected, value)),
  };
}

/** An integer as a JSON number, as bodies carry it; its digits in a string are understood too. */
export const wholeNumber: Kind<number, number> = {
  expected: "an integer",
  json: { type: "integer" },
  decode(raw, issues) {
    const value = typeof raw === "string" && /^-?\d{1,15}$/.test(raw) ? Number(raw) : raw;
    return typeof value === "number" && Number.isSafeInteger(value)
      ? value
      : fail(issues, this.expected, raw);
  },
  encode(value, issues) {
    return Number.isSafeInteger(value) ? value : fail(issues, this.expected, value);
  },
};

/** A block number; larger ones than a chain can have are refused. */
export const blockNumber: Kind<Decimal, bigint, bigint | number> = {
  ...amount,
  expected: "a block number (a non-negative integer below 2^63)",
  json: { type: "string", pattern: "^[0-9]{1,19}$" },
  decode(raw, issues) {
    const value = amount.decode(raw, []);
    return typeof value === "bigint" && value < 1n << 63n
      ? value
      : fail(issues, this.expected, raw);
  },
  encode(value, issues) {
    const whole = typeof value === "bigint" || Number.isSafeInteger(value);
    return whole && value >= 0 && value < 1n << 63n
      ? `${value}`
      : fail(issues, this.expected, value);
  },
};

/** The limits of the specification (section 8). */
export const limits = {
  /** The smallest, the largest and the default `limit` of a page. */
  least: 1,
  most: 1000,
  usual: 50,
  /** How many addresses one question about balances may name. */
  addresses: 20,
} as const;

/** Which part of a list: shared by every list operation. */
export const paging = {
  limit: /*#__PURE__*/ defaulted(/*#__PURE__*/ between(limits.least, limits.most), limits.usual),
  offset: /*#__PURE__*/ defaulted(/*#__PURE__*/ between(0, Number.MAX_SAFE_INTEGER), 0),
};

/** Which blocks: both ends belong to the range. */
export const blockRange = {
  startBlock: /*#__PURE__*/ optional(blockNumber),
  endBlock: /*#__PURE__*/ optional(blockNumber),
};

/** Whether entries carry their call data. */
export const withInput = { input: /*#__PURE__*/ defaulted(flag, false) };
