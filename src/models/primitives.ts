// The primitive kinds of the specification: amounts, counts, timestamps, addresses, hashes, texts and flags (R5 to R7).
import { fail, type Issue, type Kind } from "./kind.ts";

/** `0x` and hexadecimal digits. */
export type Hex = `0x${string}`;
/** 20 bytes in hexadecimal, case as received. */
export type Address = Hex;
/** 32 bytes in hexadecimal, case as received. */
export type Hash = Hex;
/** A decimal number in a JSON string. */
export type Decimal = `${bigint}` | `${number}`;
/** A yes or no in a string: "1" is success or on, "0" error or off; a server may know more. */
export type Status = "0" | "1" | (string & {});

const ZERO = 48;
const NINE = 57;
/** No integer of the EVM has more digits: 2^256 has 78. */
const MOST_DIGITS = 78;
/** Up to here digits can be added up in a double without loss. */
const EXACT_DIGITS = 15;

/** The exact non-negative integer a wire value stands for, as a number where it is surely exact, else as a bigint. */
function digits(raw: unknown): number | bigint | undefined {
  if (typeof raw === "string") {
    const length = raw.length;
    if (length === 0 || length > MOST_DIGITS) return undefined;
    let sum = 0;
    for (let index = 0; index < length; index++) {
      const code = raw.charCodeAt(index);
      if (code < ZERO || code > NINE) return undefined;
      sum = sum * 10 + (code - ZERO);
    }
    return length <= EXACT_DIGITS ? sum : BigInt(raw);
  }
  return typeof raw === "number" && Number.isSafeInteger(raw) && raw >= 0 ? raw : undefined;
}

const decimalJson = { type: "string", pattern: "^[0-9]{1,78}$" } as const;

/** An amount in the smallest unit, a gas figure, a block number, a token id: any size up to 256 bits. */
export const amount: Kind<Decimal, bigint, bigint | number> = {
  expected: "a non-negative integer in decimal digits",
  json: decimalJson,
  decode(raw, issues) {
    const value = digits(raw);
    return value === undefined ? fail(issues, this.expected, raw) : BigInt(value);
  },
  encode(value, issues) {
    const fits =
      typeof value === "bigint"
        ? value >= 0n && value < 1n << 256n
        : Number.isSafeInteger(value) && value >= 0;
    return fits
      ? `${value}`
      : fail(issues, "a non-negative bigint (or safe integer) of at most 256 bits", value);
  },
};

/** A count, an index, a number of decimals: refused where a double could not hold it exactly. */
export const integer: Kind<Decimal, number> = {
  expected: "a non-negative integer of at most 2^53 - 1 in decimal digits",
  json: decimalJson,
  decode(raw, issues) {
    const value = digits(raw);
    if (typeof value === "number") return value;
    return value !== undefined && value <= Number.MAX_SAFE_INTEGER
      ? Number(value)
      : fail(issues, this.expected, raw);
  },
  encode(value, issues) {
    return Number.isSafeInteger(value) && value >= 0
      ? `${value}`
      : fail(issues, "a non-negative safe integer", value);
  },
};

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;

/** The moment a text stands for, if it is one; a day that its month does not have is none. */
function moment(text: string): Date | undefined {
  if (!ISO.test(text)) return undefined;
  const date = new Date(text);
  // Only days after the 28th can move into the next month.
  const shifted = text.charCodeAt(8) > 49 && date.getUTCDate() !== Number(text.slice(8, 10));
  return Number.isNaN(date.getTime()) || shifted ? undefined : date;
}

/** The last text read: the records of a page often share their block, and so its time. */
const lastRead = { text: "", time: Number.NaN };

/** A moment in UTC. */
export const timestamp: Kind<string, Date> = {
  expected: "a UTC time YYYY-MM-DDThh:mm:ssZ",
  json: { type: "string", format: "date-time" },
  decode(raw, issues) {
    if (typeof raw !== "string") return fail(issues, this.expected, raw);
    if (raw === lastRead.text) return new Date(lastRead.time);
    const date = moment(raw);
    if (date === undefined) return fail(issues, this.expected, raw);
    lastRead.text = raw;
    lastRead.time = date.getTime();
    return date;
  },
  encode(value, issues) {
    return value instanceof Date && !Number.isNaN(value.getTime())
      ? value.toISOString().replace(".000Z", "Z")
      : fail(issues, "a valid Date", value);
  },
};

/** With `*` and the length apart, this takes half the time of `{40}` or `{64}`, and of a loop over a table. */
const HEX = /^0x[0-9a-fA-F]*$/;

/** Whether `raw` is `0x` and `length` hexadecimal digits (any even number of them where `length` is undefined). */
function isHex(raw: unknown, length?: number): raw is Hex {
  if (typeof raw !== "string") return false;
  return (length === undefined ? raw.length % 2 === 0 : raw.length === length + 2) && HEX.test(raw);
}

function hexKind(expected: string, pattern: string, length?: number): Kind<Hex, Hex> {
  const check = (raw: unknown, issues: Issue[]): Hex =>
    isHex(raw, length) ? raw : fail(issues, expected, raw);
  return { expected, json: { type: "string", pattern }, decode: check, encode: check };
}

/** An address, case as received. */
export const address = /*#__PURE__*/ hexKind(
  "an address (0x and 40 hexadecimal digits)",
  "^0x[0-9a-fA-F]{40}$",
  40,
);
/** A hash or a topic. */
export const hash = /*#__PURE__*/ hexKind(
  "a 32-byte hash (0x and 64 hexadecimal digits)",
  "^0x[0-9a-fA-F]{64}$",
  64,
);
/** Bytes of any length. */
export const hex = /*#__PURE__*/ hexKind(
  "bytes in hexadecimal (0x and pairs of digits)",
  "^0x([0-9a-fA-F]{2})*$",
);

function textKind<Text extends string>(expected: string): Kind<Text, Text> {
  const check = (raw: unknown, issues: Issue[]): Text =>
    typeof raw === "string" ? (raw as Text) : fail(issues, expected, raw);
  return { expected, json: { type: "string" }, decode: check, encode: check };
}

/** Any text. */
export const text = /*#__PURE__*/ textKind<string>("a string");

/** A status indicator; a JSON number is read as its digits, for some deployments write it so. */
export const status: Kind<Status, Status> = {
  ...textKind<Status>("a status string"),
  decode: (raw, issues) =>
    typeof raw === "string"
      ? raw
      : Number.isSafeInteger(raw)
        ? `${raw}`
        : fail(issues, "a status string", raw),
};

/** A yes or no. */
export const flag: Kind<boolean, boolean> = {
  expected: "true or false",
  json: { type: "boolean" },
  decode(raw, issues) {
    if (raw === true || raw === "true") return true;
    return raw === false || raw === "false" ? false : fail(issues, this.expected, raw);
  },
  encode(value, issues) {
    return typeof value === "boolean" ? value : fail(issues, this.expected, value);
  },
};

/** Whatever stands there, untouched. */
export const anything: Kind<unknown, unknown> = {
  expected: "any JSON value",
  json: {},
  decode: (raw) => raw,
  encode: (value) => value,
};

/** The kind, or null; a missing value is read as null (R4). */
export function nullable<Wire, Value, Input>(
  kind: Kind<Wire, Value, Input>,
): Kind<Wire | null, Value | null, Input | null> {
  const { type } = kind.json;
  return {
    expected: `${kind.expected} or null`,
    json: type === undefined ? kind.json : { ...kind.json, type: [type, "null"].flat() },
    absent: null,
    within: kind,
    decode: (raw, issues) => (raw === null || raw === undefined ? null : kind.decode(raw, issues)),
    encode: (value, issues) => (value === null ? null : kind.encode(value, issues)),
  };
}

/** The kind, where the answer or the caller has one; nothing stands for nothing. */
export function optional<Wire, Value, Input>(
  kind: Kind<Wire, Value, Input>,
): Kind<Wire, Value, Input> & { readonly optional: true; readonly absent?: undefined } {
  return { ...asIs(kind), optional: true, absent: undefined };
}

/** The kind, with the value that a missing one is read as. */
export function defaulted<Wire, Value, Input>(
  kind: Kind<Wire, Value, Input>,
  value: Value & NonNullable<unknown>,
): Kind<Wire, Value, Input> & {
  readonly optional: true;
  readonly absent: Value & NonNullable<unknown>;
} {
  return {
    ...asIs(kind),
    json: { ...kind.json, default: value },
    optional: true,
    absent: value,
  };
}

/** A copy whose methods still belong to the original. */
function asIs<Wire, Value, Input>(kind: Kind<Wire, Value, Input>): Kind<Wire, Value, Input> {
  return {
    ...kind,
    decode: (raw, issues) => kind.decode(raw, issues),
    encode: (value, issues) => kind.encode(value, issues),
  };
}
