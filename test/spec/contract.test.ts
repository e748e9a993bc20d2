// The contract and its models against the specification's operations and fields: names, order, parameters, defaults, limits, words.
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { models as exported } from "../../scripts/json-schema.ts";
import { isOptional, operations } from "../../src/contract/index.ts";
import { type AnySchema, definitionOf, innermost } from "../../src/models/schema.ts";
import { enumerations, limits, modelOf, requiredOf, specified } from "./fields.ts";
import { additions, modelNames } from "./models.ts";
import { shapeOf, simple } from "./results.ts";
import { neverNull, pathsOf } from "./shape.ts";

/** The specification's title and the shape of each exported model. */
const models = Object.entries(modelNames).map(([title, name]) => {
  const def = innermost(exported[name] as AnySchema);
  if (def.type !== "object") throw new Error(`${name} is no model`);
  return [title, def.shape as Readonly<Record<string, AnySchema>>] as const;
});

/** The fields of a model, but for those that only some answers have. */
const fieldsOf = (shape: Readonly<Record<string, AnySchema>>): string[] =>
  Object.entries(shape).flatMap(([name, schema]) =>
    definitionOf(schema).type === "optional" ? [] : [name],
  );

test.each(models)("model %s has the specification's fields in order", (title, shape) => {
  expect(fieldsOf(shape)).toEqual(modelOf(title).map(({ name }) => name));
});

test.each(models)(
  "model %s takes null for what neither identifies nor reads it (R5)",
  (title, shape) => {
    const strict = fieldsOf(shape).filter(
      (name) => !z.safeParse(shape[name] as AnySchema, null).success,
    );
    const named = title === "2.8 inventory, per contract" ? ["contract_address"] : [];
    const names = modelOf(title).map(({ name }) => name);
    expect(strict).toEqual(names.filter((name) => neverNull.has(name) || named.includes(name)));
  },
);

test("only what was decided may follow the fields of a model (S8, S35)", () => {
  for (const [title, shape] of models)
    expect(Object.keys(shape).slice(modelOf(title).length)).toEqual(additions[title] ?? []);
});

test("the contract has the specification's operations, and no others", () => {
  expect(Object.keys(operations).sort()).toEqual(specified.map(({ id }) => id).sort());
});

/** Every path in a schema; a conditional field is left out unless `conditional`. */
function schemaPaths(schema: AnySchema, path: string, conditional = false): string[] {
  const def = innermost(schema);
  if (def.type === "array") return schemaPaths(def.element, `${path}[]`);
  if (def.type !== "object") return [path];
  return Object.entries(def.shape).flatMap(([name, of]) =>
    definitionOf(of).type === "optional" && !conditional ? [] : schemaPaths(of, `${path}.${name}`),
  );
}

describe.each(specified.map((one) => [one.id, one] as const))("the contract of %s", (id, one) => {
  const operation = operations[id as keyof typeof operations];
  const shape: Readonly<Record<string, AnySchema>> = operation.input.shape;
  const jsonOf = (name: string) => z.toJSONSchema(shape[name] as AnySchema, { io: "input" });

  test("has its number, method, path and envelope", () => {
    const { method, path } = one;
    const enveloped = !one.results.startsWith("without envelope");
    expect(operation).toMatchObject({ id, method, path, enveloped });
  });

  test("has its parameters in order, where they travel, and which of them are required", () => {
    const bare = (names: readonly string[]) => names.map((name) => name.replace("!", ""));
    expect(operation.places).toEqual({
      path: one.pathParameters,
      query: bare(one.query),
      body: bare(one.body),
    });
    const required = Object.keys(shape).filter((name) => !isOptional(shape[name]));
    expect(required.sort()).toEqual(requiredOf(one).sort());
  });

  test("has its defaults, limits and words", () => {
    const defaults = operation.input.parse(
      Object.fromEntries(Object.entries(sample).filter(([name]) => requiredOf(one).includes(name))),
    );
    const expected = { limit: limits.limit.default, offset: 0, input: false, simple: false };
    for (const [name, value] of Object.entries({ ...expected, condition: "all" }))
      if (shape[name]) expect(defaults).toHaveProperty(name, value);
    if (shape.limit)
      expect(jsonOf("limit")).toMatchObject({ minimum: 1, maximum: limits.limit.max });
    if (shape.offset) expect(jsonOf("offset")).toMatchObject({ minimum: limits.offset.default });
    for (const [name, words] of Object.entries(enumerations))
      if (shape[name]) expect(jsonOf(name).enum).toEqual(words);
    const { min: minItems, max: maxItems } = limits.addresses;
    if (shape.addresses) expect(jsonOf("addresses")).toMatchObject({ minItems, maxItems });
  });

  test("has the fields of its results in order", () => {
    expect(schemaPaths(operation.results, id)).toEqual(pathsOf(shapeOf(id), id));
  });
});

test("the simple form of A2 has its fields in order, and to_block behind them", () => {
  const results = operations.A2.simpleResults;
  if (results === undefined) throw new Error("A2 has no simple form");
  expect(schemaPaths(results, "A2", true)).toEqual(pathsOf(simple, "A2"));
});

/** A value of each required parameter. */
const sample: Readonly<Record<string, unknown>> = {
  address_hash: `0x${"11".repeat(20)}`,
  contract_hash: `0x${"11".repeat(20)}`,
  contract_address: `0x${"11".repeat(20)}`,
  address: `0x${"11".repeat(20)}`,
  addresses: [`0x${"11".repeat(20)}`],
  transaction_hash: `0x${"11".repeat(32)}`,
  block_number: "1",
  contract_name: "Vault",
  compiler: "0.8.20",
  runs_optimizer: 200,
  optimization_enabled: 1,
  contract_source: "",
  constructor_arguments: "",
};
