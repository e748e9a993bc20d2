// What any schema of zod expects, in words: issues as path, expected and received.
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { check, expectedOf } from "../../src/models/issues.ts";
import { among, list, model } from "../../src/models/model.ts";
import type { AnySchema } from "../../src/models/schema.ts";

const a = z.object({ kind: z.literal("a"), size: z.number() });
const b = z.object({ kind: z.literal("b"), name: z.string() });
const either = z.discriminatedUnion("kind", [a, b]);
const strict = z.strictObject({ one: z.string(), two: z.optional(z.strictObject({ x: z.int() })) });
const exact = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("a"), size: z.number() }),
  z.strictObject({ kind: z.literal("b"), name: z.string() }),
]);
const items = (count: number) => Array(count).fill("x");

type Case = [schema: AnySchema, value: unknown, ...expected: [string, string][]];

describe("a value is said to lack", () => {
  test.each<Case>([
    [z.object({ x: z.number() }), { x: "1" }, ["x", "a number"]],
    [z.object({ x: z.int() }), { x: 1.5 }, ["x", "an integer"]],
    [z.object({ x: z.boolean() }), {}, ["x", "true or false"]],
    [z.object({ x: z.string() }), { x: 1 }, ["x", "a string"]],
    [z.object({ x: z.date() }), { x: 1 }, ["x", "date"]],
    [z.nonoptional(z.optional(z.string())), undefined, ["", "a value"]],
    [z.record(z.string(), z.string()), 1, ["", "an object"]],
    [
      z.record(z.string().check(z.minLength(2)), z.int()),
      { a: 1 },
      ["a", "a string of at least 2 characters"],
    ],
    [z.map(z.string(), z.int()), new Map([[1, 1]]), ["1", "a string"]],
    [z.object({ x: z.object({}) }), { x: null }, ["x", "an object"]],
    [z.array(z.string()), {}, ["", "an array"]],
    [z.literal("one"), "two", ["", "one"]],
    [z.enum(["one", "two"]), "three", ["", "one of one, two"]],
    [z.number().check(z.gt(3)), 3, ["", "a number above 3"]],
    [z.number().check(z.gte(3)), 2, ["", "a number of at least 3"]],
    [z.number().check(z.lt(3)), 3, ["", "a number below 3"]],
    [z.number().check(z.lte(3)), 4, ["", "a number of at most 3"]],
    [z.string().check(z.minLength(3)), "x", ["", "a string of at least 3 characters"]],
    [z.string().check(z.maxLength(3)), "xxxx", ["", "a string of at most 3 characters"]],
    [z.array(z.string()).check(z.minLength(1)), [], ["", "an array of at least 1 item"]],
    [z.array(z.string()).check(z.maxLength(2)), items(3), ["", "an array of at most 2 items"]],
    [z.string().check(z.regex(/x/)), "y", ["", "something else"]],
    [z.string().check(z.regex(/x/, "an x")), "y", ["", "an x"]],
    [z.union([z.string(), z.number(), z.string()]), true, ["", "a string or a number"]],
    [z.union([]), true, ["", "something else"]],
    [z.union([z.array(z.int()), z.string()]), ["x"], ["0", "a number"]],
    [z.union([z.array(z.int()), z.object({ x: z.int() })]), 1, ["", "an array or an object"]],
    [z.union([a, b]), {}, ["", "a or b"]],
    [either, { kind: "c" }, ["kind", "one of a, b"]],
    [z.map(z.symbol(), z.int()), new Map([[Symbol("x"), "1"]]), ["Symbol(x)", "a number"]],
    [list(z.string(), 1, 2), [], ["", "an array of at least 1 item"]],
    [list(z.string(), 1, 2), items(3), ["", "an array of at most 2 items"]],
    [among(["one", 2]), "2", ["", "something else"]],
    [among(["one", 2], "one or 2"), "2", ["", "one or 2"]],
    [z.array(either), [{ kind: "a", size: "1" }], ["0.size", "a number"]],
    [
      strict,
      { one: "1", three: 3, four: 4 },
      ["three", "one of one, two"],
      ["four", "one of one, two"],
    ],
    [strict, { one: "1", two: { x: 1, y: 2 } }, ["two.y", "one of x"]],
    [z.strictObject({}), { x: 1 }, ["x", "no field"]],
    [exact, { kind: "b", name: "x", size: 1 }, ["size", "one of kind, name"]],
    [z.array(exact), [{ kind: "a", size: 1, name: "x" }], ["0.name", "one of kind, size"]],
    [z.array(strict), [{ one: "1", three: 3 }], ["0.three", "one of one, two"]],
  ])("%# %o", (schema, value, ...expected) => {
    const { issues = [], issueCount } = check(schema, value);
    expect(issues.map(({ path, expected }) => [path.join("."), expected])).toEqual(expected);
    expect(issueCount).toBe(expected.length);
  });
});

test.each<[AnySchema, unknown]>([
  [list(z.string(), 1, 2), ["x"]],
  [list(z.string(), 1, 2), items(2)],
  [list(z.string()), items(30)],
  [among(["one", 2]), 2],
  [among(["one", 2]), "one"],
  [either, { kind: "b", name: "x" }],
])("%o takes %o", (schema, value) => {
  expect(check(schema, value)).toEqual({ value });
});

test("an issue has the value and the valid words, and says whether a whole object or list is missing", () => {
  const first = (schema: AnySchema, value: unknown) => check(schema, value).issues?.[0];
  expect(first(z.object({ x: z.enum(["one", "two"]) }), { x: "three" })).toEqual({
    ...{ path: ["x"], expected: "one of one, two", received: "three", options: ["one", "two"] },
  });
  const unknown = { path: ["three"], received: "three", options: ["one", "two"] };
  expect(first(strict, { one: "1", three: 3 })).toMatchObject(unknown);
  expect(first(z.array(either), [{ kind: "c" }])).toMatchObject({
    path: [0, "kind"],
    received: "c",
    options: ["a", "b"],
  });
  for (const structure of [z.object({}), z.array(z.string()), model({}), list(z.string())])
    expect(first(structure, "text")).toMatchObject({ received: "text", structural: true });
  for (const short of [z.array(z.string()).check(z.minLength(1)), list(z.string(), 1)])
    expect(first(short, [])).toMatchObject({ received: [], structural: true });
  expect(first(z.number(), "text")).toEqual({ path: [], expected: "a number", received: "text" });
  expect(first(z.string().check(z.minLength(1)), "")).not.toHaveProperty("structural");
});

test("the first twenty issues are kept, and all are counted", () => {
  const { issues, issueCount } = check(z.array(z.string()), Array(30).fill(1));
  expect([issues?.length, issueCount]).toEqual([20, 30]);
});

test("a schema says what it expects before it gets a value", () => {
  const schemas = [z.nullable(z.optional(z.string())), z.unknown(), z.enum(["one", "two"])];
  expect(schemas.map(expectedOf)).toEqual(["a string", "a value", "one of one, two"]);
});

test("the JSON Schema of a list has its sizes", () => {
  expect(z.toJSONSchema(list(z.string(), 1, 2))).toMatchObject({ minItems: 1, maxItems: 2 });
  expect(z.toJSONSchema(list(z.string()))).not.toHaveProperty("maxItems");
});
