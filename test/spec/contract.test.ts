// The contract and its models against the specification's operations and fields: names, order, parameters, defaults, limits, words.
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { isOptional, operations } from "../../src/contract/index.ts";
import * as explorer from "../../src/index.ts";
import { type AnySchema, definitionOf, innermost } from "../../src/models/schema.ts";
import { enumerations, limits, modelOf, requiredOf, specified } from "./fields.ts";
import { shapeOf, simple } from "./results.ts";
import { pathsOf } from "./shape.ts";

/** The exported model of each of the specification's. */
const models = {
  "2.2": explorer.Transaction,
  "2.3": explorer.SimpleTransaction,
  "2.4": explorer.InternalTransaction,
  "2.5": explorer.Mrc20Transfer,
  "2.6": explorer.Mrc721Transfer,
  "2.7 combined list, MRC20 entry": explorer.Mrc20Holding,
  "2.7 combined list, MRC721 entry": explorer.Mrc721Holding,
  "2.7 single list entry": explorer.TokenEntry,
  "2.8 inventory, per holder": explorer.HolderToken,
  "2.8 inventory, per contract": explorer.CollectionToken,
  "2.9 block reward": explorer.BlockReward,
  "2.9 mined block": explorer.MinedBlock,
  "2.10": explorer.AbiEntry,
  "2.11": explorer.VerifiedContract,
  "2.12": explorer.EventLog,
};

/** The fields of a model, but for those that only some answers have. */
const fieldsOf = (shape: Readonly<Record<string, AnySchema>>): string[] =>
  Object.entries(shape).flatMap(([name, schema]) =>
    definitionOf(schema).type === "optional" ? [] : [name],
  );

test.each(Object.entries(models))(
  "model %s has the specification's fields in order",
  (title, model) => {
    expect(fieldsOf(model.shape)).toEqual(modelOf(title).map(({ name }) => name));
  },
);

test("only input may follow the fields of a model, where it was asked for (S8)", () => {
  const more = Object.entries(models).map(([title, { shape }]) => [
    title,
    Object.keys(shape).slice(modelOf(title).length),
  ]);
  expect(more.filter(([, names]) => names?.length)).toEqual([
    ["2.2", ["input"]],
    ["2.3", ["input"]],
    ["2.4", ["input"]],
  ]);
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
