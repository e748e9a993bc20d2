// The level of a verification: a word that servers may add to.
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { VerifiedContract } from "../../src/index.ts";

const { verify_level } = VerifiedContract.shape;

test.each(["exact", "partial", "bytecode only", null])("a level can be %j", (level) => {
  expect(z.decode(verify_level, level)).toBe(level);
  expect(z.encode(verify_level, level)).toBe(level);
});

test("a level is neither a number nor a truth value", () => {
  for (const level of [1, true])
    expect(z.safeDecode(verify_level, level as never).error?.issues).toMatchObject([
      { expected: "a verification level" },
    ]);
});

test("the JSON Schema of a level has the words of our own server", () => {
  expect(z.toJSONSchema(verify_level, { io: "input" })).toMatchObject({
    anyOf: [{ type: "string", enum: ["exact", "partial"] }, { type: "null" }],
  });
});
