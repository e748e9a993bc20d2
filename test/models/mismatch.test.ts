// How messages describe a value.
import { expect, test } from "vitest";
import { describe, explain } from "../../src/models/mismatch.ts";

test.each([
  [undefined, "nothing"],
  [null, "null"],
  [1.5, "1.5"],
  [5n, "5n"],
  [true, "true"],
  ["a\nb", '"a\\nb"'],
  ["x".repeat(80), `"${"x".repeat(80)}"`],
  ["x".repeat(81), `"${"x".repeat(80)}…"`],
  [[1, 2], "an array of 2"],
  [{}, "an object"],
  [() => 1, "a function"],
  [Symbol("a"), "a symbol"],
  [new Date(0), "the Date 1970-01-01T00:00:00.000Z"],
  [new Date(Number.NaN), "an invalid Date"],
] as const)("%s is %s", (value, words) => {
  expect(describe(value)).toBe(words);
});

test("an issue names its place, if it has one", () => {
  const issue = { expected: "a hash", received: "0x" };
  expect(explain({ ...issue, path: ["data", 3, "hash"] })).toBe(
    'data.3.hash: expected a hash, received "0x"',
  );
  expect(explain({ ...issue, path: [] })).toBe('expected a hash, received "0x"');
});
