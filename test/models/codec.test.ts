// A codec of a primitive, as whoever parses with zod itself sees it.
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { codec, reader } from "../../src/models/codec.ts";

const size = codec<string, number>({
  expected: "a size in digits",
  expectedValue: "a number",
  json: { type: "string" },
  decode: (wire) => (/^\d$/.test(`${wire}`) ? Number(wire) : undefined),
  encode: (value) => (typeof value === "number" ? `${value}` : undefined),
});
const colour = codec<string>({
  expected: "a colour",
  words: ["red", "blue"],
  json: { type: "string" },
  decode: (wire) => (wire === "red" || wire === "blue" ? wire : undefined),
  encode: (value) => (value === "red" || value === "blue" ? value : undefined),
});
const issueOf = (result: z.core.util.SafeParseResult<unknown>) => result.error?.issues[0];

test("converts both ways, and says of an invalid value what it expected there", () => {
  expect([z.decode(size, "7"), z.encode(size, 7)]).toEqual([7, "7"]);
  expect(issueOf(z.safeDecode(size, "x"))).toMatchObject({
    ...{ code: "invalid_type", expected: "a size in digits" },
    message: 'expected a size in digits, received "x"',
  });
  expect(issueOf(z.safeEncode(size, "7" as never))).toMatchObject({
    ...{ code: "invalid_type", expected: "a number" },
    message: 'expected a number, received "7"',
  });
});

test("of a few words names them in its issue", () => {
  expect(issueOf(z.safeDecode(colour, "green"))).toMatchObject({
    ...{ code: "invalid_value", values: ["red", "blue"] },
    message: 'expected a colour, received "green"',
  });
});

test("has a half that only reads", () => {
  const half = reader("a digit", (wire) => (wire === "7" ? 7 : undefined));
  expect(z.parse(half, "7")).toBe(7);
  expect(issueOf(z.safeParse(half, "8"))).toMatchObject({ expected: "a digit" });
});
