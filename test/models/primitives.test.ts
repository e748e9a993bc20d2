// The limits of amounts, counts, addresses and bytes, on both sides of each.

import { expect, test } from "vitest";
import * as z from "zod/mini";
import {
  address,
  amount,
  flag,
  hash,
  hex,
  integer,
  orNull,
  status,
  text,
  timestamp,
} from "../../src/models/primitives.ts";

const reads = (schema: z.ZodMiniType, wire: unknown) => z.safeDecode(schema, wire).data;
const writes = (schema: z.ZodMiniType, value: unknown) => z.safeEncode(schema, value).data;

test("an amount is written up to 2^256 - 1, as a bigint or a safe integer", () => {
  const max = 2n ** 256n - 1n;
  expect(writes(amount, max)).toBe(`${max}`);
  expect(reads(amount, `${max}`)).toBe(max);
  expect([0n, 7, 2 ** 53 - 1].map((value) => writes(amount, value))).toEqual([
    "0",
    "7",
    "9007199254740991",
  ]);
  for (const value of [max + 1n, -1n, -1, 0.5, 2 ** 53, "7", null])
    expect(writes(amount, value)).toBeUndefined();
});

test("an amount is read from decimal digits, or from a safe integer", () => {
  expect(
    ["0", "007", 7, "9".repeat(15), "1".repeat(16)].map((wire) => reads(amount, wire)),
  ).toEqual([0n, 7n, 7n, 999_999_999_999_999n, 1_111_111_111_111_111n]);
  for (const wire of [
    "",
    "-1",
    "+1",
    "1.0",
    "1e3",
    "0x1",
    " 1",
    "1n",
    "1".repeat(79),
    -1,
    1.5,
    2 ** 53,
  ])
    expect([wire, reads(amount, wire)]).toEqual([wire, undefined]);
});

test("a count is at most 2^53 - 1", () => {
  expect(reads(integer, "9007199254740991")).toBe(Number.MAX_SAFE_INTEGER);
  expect(reads(integer, "9007199254740992")).toBeUndefined();
  expect(writes(integer, Number.MAX_SAFE_INTEGER)).toBe("9007199254740991");
  expect(writes(integer, 2 ** 53)).toBeUndefined();
  expect(writes(integer, 1n)).toBeUndefined();
  for (const schema of [amount, integer])
    expect([`${reads(schema, 0)}`, writes(schema, 0)]).toEqual(["0", "0"]);
});

test("a flag may be a word, and a status a number, but neither is guessed", () => {
  expect([true, "true", false, "false"].map((wire) => reads(flag, wire))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  for (const wire of [1, 0, "1", "TRUE", "", null]) expect(reads(flag, wire)).toBeUndefined();
  expect(["1", 1, 0].map((wire) => reads(status, wire))).toEqual(["1", "1", "0"]);
  for (const wire of [1.5, true, null]) expect(reads(status, wire)).toBeUndefined();
});

test.each([
  ["2024-02-29T23:59:59Z", "2024-02-29T23:59:59.000Z"],
  ["2024-01-31T00:00:00.5Z", "2024-01-31T00:00:00.500Z"],
  ["2024-01-31T00:00:00.123Z", "2024-01-31T00:00:00.123Z"],
  ["2024-01-31T00:00:00.123456789Z", "2024-01-31T00:00:00.123Z"],
  ["2024-01-31T00:30:00+02:00", "2024-01-30T22:30:00.000Z"],
  ["2024-01-31T00:30:00.1-0230", "2024-01-31T03:00:00.100Z"],
  ["2024-01-31T00:30:00+19:59", "2024-01-30T04:31:00.000Z"],
  ["2024-01-31T00:30:00-23:00", "2024-01-31T23:30:00.000Z"],
  ["2023-02-29T00:00:00Z", undefined],
  ["2024-04-31T00:00:00+01:00", undefined],
  ["2024-13-01T00:00:00Z", undefined],
  ["2024-01-31T00:00:00", undefined],
  ["2024-01-31T00:00:00.1234567890Z", undefined],
  ["2024-01-31T00:00:00+24:00", undefined],
  ["2024-01-31T00:00:00+02:60", undefined],
  ["2024-01-31T00:00:00Z ", undefined],
  [" 2024-01-11T00:00:00Z", undefined],
  ["2024-01-31T00:00:00Z (noon)", undefined],
  ["x2024-01-31T00:00:00+02:00", undefined],
  // A date of its own in JavaScript, in the year 12024.
  ["+012024-01-11T00:00:00Z", undefined],
  ["2024-01-31 00:00:00Z", undefined],
  ["", undefined],
  [1_706_659_200, undefined],
])("%j is the time %s", (wire, expected) => {
  const time = reads(timestamp, wire);
  expect(time instanceof Date ? time.toISOString() : time).toBe(expected);
});

test("equal times are separate dates, and a time is written to the second if it is one", () => {
  const wire = "2024-01-31T00:00:00Z";
  const [first, second] = [reads(timestamp, wire), reads(timestamp, wire)] as [Date, Date];
  expect([first, second === first]).toEqual([second, false]);
  expect(writes(timestamp, first)).toBe(wire);
  expect(writes(timestamp, new Date("2024-01-31T00:00:00.050Z"))).toBe("2024-01-31T00:00:00.050Z");
  for (const value of [new Date(Number.NaN), wire, 0])
    expect(writes(timestamp, value)).toBeUndefined();
});

test("a status is written as text, and a flag as a boolean", () => {
  expect([writes(status, "2"), writes(flag, true), writes(flag, false)]).toEqual([
    "2",
    true,
    false,
  ]);
  expect([writes(status, 1), writes(flag, "true")]).toEqual([undefined, undefined]);
});

test("a value that is missing, or empty where no text is empty, is null", () => {
  for (const schema of [amount, address, timestamp, flag])
    expect([undefined, null, ""].map((wire) => reads(orNull(schema), wire))).toEqual([
      null,
      null,
      null,
    ]);
  for (const schema of [text, z.unknown()])
    expect([undefined, null, ""].map((wire) => reads(orNull(schema), wire))).toEqual([
      null,
      null,
      "",
    ]);
});

test("null is written as null only", () => {
  expect([writes(orNull(amount), null), writes(orNull(amount), "")]).toEqual([null, undefined]);
});

test("each primitive has the JSON Schema of its wire form", () => {
  const primitives = { amount, integer, timestamp, address, hash, hex, text, status, flag };
  const { properties } = z.toJSONSchema(z.object(primitives), { io: "input" });
  const digits = { type: "string", pattern: "^[0-9]{1,78}$" };
  expect(properties).toEqual({
    amount: digits,
    integer: digits,
    timestamp: { type: "string", format: "date-time" },
    address: { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" },
    hash: { type: "string", pattern: "^0x[0-9a-fA-F]{64}$" },
    hex: { type: "string", pattern: "^0x([0-9a-fA-F]{2})*$" },
    text: { type: "string" },
    status: { type: "string" },
    flag: { type: "boolean" },
  });
});

test("what is no text is said to be none, also to those who parse with zod itself", () => {
  expect(text.safeParse(1).error?.issues).toMatchObject([
    { message: "expected a string, received 1" },
  ]);
});
