// The contract and its models have the operations and fields of the specification.
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { models as exported } from "../../scripts/json-schema.ts";
import { type AnySchema, definitionOf, innermost } from "../../src/models/schema.ts";
import { modelOf, specifiedModels } from "./fields.ts";
import { additions, modelNames } from "./models.ts";
import { neverNull } from "./shape.ts";

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

test("models.ts names every model of the specification", () => {
  const named = Object.keys(modelNames).map((title) => modelOf(title));
  expect(specifiedModels.filter((one) => !named.includes(one))).toEqual([]);
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
