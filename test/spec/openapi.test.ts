// openapi.json against the specification's operations and fields, and against what the service answers.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { packageFile } from "../../scripts/package-file.ts";
import { digitsUpTo } from "../../scripts/service-forms.ts";
import { type AnyOperation, type OperationId, operations } from "../../src/contract/index.ts";
import { runs } from "../support/runs.ts";
import { enumerations, limits, modelOf, nameOf, requiredOf, specified } from "./fields.ts";
import { shapeOf, simple } from "./results.ts";
import { pathsOf, type Shape } from "./shape.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

interface Described {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly "application/json": { schema: Schema } } };
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly "application/json": { schema: Schema } } }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const text = packageFile("openapi.json").read();
const { paths, components }: Document = JSON.parse(text);

/** The schema itself, where it is a reference. */
function resolved(schema: Schema | undefined): Schema {
  if (schema?.$ref === undefined) return schema ?? {};
  return resolved(components.schemas[schema.$ref.replace("#/components/schemas/", "")]);
}

const described = (id: string): Described => {
  const specifiedOperation = specified.find((operation) => operation.id === id);
  const operation =
    paths[specifiedOperation?.path ?? ""]?.[specifiedOperation?.method.toLowerCase() ?? ""];
  if (operation === undefined) throw new Error(`openapi.json has no ${id}`);
  return operation;
};

/** Returns the schemas of an operation with HTTP status 200: the success first, then failures. */
function answersOf(id: string): Schema[] {
  const { schema } = described(id).responses[200]?.content["application/json"] ?? {};
  return (schema?.anyOf ?? [schema]).map(resolved);
}

const resultsOf = (id: string): Schema => {
  const [success = {}] = answersOf(id);
  return id === "A6" ? success : resolved(success.properties?.results);
};

/** Every required path in a schema. */
function schemaPaths(schema: Schema, path: string): string[] {
  const { items, properties, required = [] } = resolved(schema);
  if (items) return schemaPaths(items, `${path}[]`);
  if (!properties) return [path];
  return Object.entries(properties).flatMap(([name, of]) =>
    required.includes(name) ? schemaPaths(of, `${path}.${name}`) : [],
  );
}

/** Keywords that a schema needs for each type of the specification. */
const forms: Readonly<Record<string, Partial<Schema>>> = {
  "ISO 8601 UTC": { format: "date-time" },
  address: { pattern: "^0x[0-9a-fA-F]{40}$" },
  "address or null": { pattern: "^0x[0-9a-fA-F]{40}$" },
  hash: { pattern: "^0x[0-9a-fA-F]{64}$" },
  hex32: { pattern: "^0x[0-9a-fA-F]{64}$" },
  "integer string": { pattern: expect.stringMatching(/^\^(\(\?:)?\[0-9\]\{1,\d\d\}/) },
};

/** The words of the specification for the type of each path. */
const typesOf = (shape: Shape, path: string): (readonly [string, string])[] => {
  if (typeof shape === "string") return [[path, shape]];
  if ("list" in shape) return typesOf(shape.list, `${path}[]`);
  if ("byType" in shape) return Object.values(shape.byType).flatMap((of) => typesOf(of, path));
  return shape.record.flatMap(([name, of]) => typesOf(of, `${path}.${name}`));
};

/** The schema at a path. */
function schemaAt(schema: Schema, path: string): Schema {
  const steps = path.replaceAll("[]", ".[]").split(".").slice(1);
  return steps.reduce((at: Schema, step) => {
    const { items, properties } = resolved(at);
    return resolved(step === "[]" ? items : properties?.[step]);
  }, schema);
}

test("openapi.json has the specification's operations, and no others", () => {
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(requests.sort()).toEqual(specified.map(({ method, path }) => `${method} ${path}`).sort());
});

describe.each(specified.map((one) => [one.id, one] as const))("openapi.json on %s", (id, one) => {
  test("has its parameters in order, and which of them are required", () => {
    const { parameters, requestBody } = described(id);
    const required = requiredOf(one);
    const expected = (place: string, names: readonly string[]) =>
      names.map(nameOf).map((name) => [name, place, required.includes(name)]);
    expect(parameters.map((given) => [given.name, given.in, given.required])).toEqual([
      ...expected("path", one.pathParameters),
      ...expected("query", one.query),
    ]);
    const body = requestBody?.content["application/json"].schema;
    const fields = Object.keys(body?.properties ?? {});
    expect(fields.map((name) => [name, "body", body?.required?.includes(name)])).toEqual(
      expected("body", one.body),
    );
  });

  test("has its defaults, limits and words", () => {
    const schemas = Object.fromEntries(
      described(id).parameters.map(({ name, schema }) => [name, schema]),
    );
    const { limit, offset, ...others } = schemas;
    const { list }: AnyOperation = operations[id as OperationId];
    const maximum = list?.maxLimit ?? limits.limit.max;
    if (limit) expect(limit).toMatchObject({ default: Math.min(50, maximum), minimum: 1, maximum });
    if (offset) expect(offset).toMatchObject({ default: limits.offset.default, minimum: 0 });
    for (const [name, words] of Object.entries(enumerations))
      if (others[name]) expect(others[name]?.enum).toEqual(words);
  });

  test("has the fields of its results in order, and their types", () => {
    const results = resultsOf(id);
    const [full = results, short] = (results.anyOf ?? [results]).map(resolved);
    expect(schemaPaths(full, id)).toEqual(pathsOf(shapeOf(id), id, "every"));
    if (short) expect([...schemaPaths(short, id), "A2.to_block"]).toEqual(pathsOf(simple, id));
    for (const [path, type] of typesOf(shapeOf(id), id)) {
      const fieldSchema = schemaAt(full, path);
      const json = type === "boolean" ? "boolean" : type.startsWith("array") ? "array" : "string";
      if (type !== "null") expect([path, [fieldSchema.type].flat()[0]]).toEqual([path, json]);
      expect({ path, ...fieldSchema }).toMatchObject({ path, ...forms[type] });
    }
  });

  test("has the statuses that occur", () => {
    const statuses = Object.keys(described(id).responses).map(Number);
    const usual = [200, 400, 401, 404, 405, 408, 429, 431, 500, 503];
    const posted = one.body.length > 0 ? [413, 415] : [];
    expect(statuses).toEqual([...usual, ...posted, ...(id === "C3" ? [501] : [])].sort());
  });
});

test("an ABI entry may have the specification's fields in order, and must have its type (S32)", () => {
  const { AbiEntry, AbiParameter } = components.schemas;
  const names = modelOf("2.10").map(({ name }) => name);
  expect(Object.keys(AbiEntry?.properties ?? {})).toEqual([...names, "anonymous"]);
  expect(AbiEntry?.required).toEqual(["type"]);
  expect(AbiParameter?.required).toEqual(["name", "type"]);
});

test("the failure of C3 is the service's: another message, and data of 0", () => {
  const [success, failure, ...more] = answersOf("C3");
  expect(more).toEqual([]);
  expect(success?.properties?.message).toEqual({ type: "string", const: "success" });
  expect(failure?.properties?.status).toEqual({ type: "string", const: "200" });
  expect(failure?.properties?.message?.const).toBeUndefined();
  expect(failure?.properties?.results?.properties?.data).toEqual({ type: "string", const: "0" });
});

/** Every object in the document. */
function* objectsIn(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== "object" || value === null) return;
  yield { ...value };
  for (const child of Object.values(value)) yield* objectsIn(child);
}

const objects = [...objectsIn(JSON.parse(text))];

test("no block number is promised, or asked for, beyond what a chain can have", () => {
  const promised = objects
    .flatMap(({ properties }) => Object.entries<Schema>(Object(properties)))
    .filter(([name]) => name === "block_number" || name === "to_block");
  expect(promised).not.toEqual([]);
  for (const [, { anyOf: [schema = {}] = [], ...bare }] of promised)
    expect(bare.$ref ?? schema.$ref).toBe("#/components/schemas/BlockNumber");
  const blockParameters = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters }) => parameters)
    .filter(({ name }) => /block/i.test(name));
  expect(blockParameters).not.toEqual([]);
  for (const { description, schema } of blockParameters) {
    expect(description).toContain("below 2^63");
    expect(schema.$ref).toBe("#/components/schemas/BlockNumber");
  }
  const { pattern = "" } = components.schemas.BlockNumber ?? {};
  const isAllowed = (number: bigint) => new RegExp(pattern).test(`${number}`);
  expect([2n ** 63n - 1n, 2n ** 63n].map(isAllowed)).toEqual([true, false]);
});

test("what the service adds is declared: X1's description, and what compilers write", () => {
  const status = schemaAt(resultsOf("X1"), "X1.data");
  expect(status.properties?.description?.type).toBe("string");
  expect(status.required).toEqual(["status"]);
  const { AbiEntry, AbiParameter } = components.schemas;
  expect(AbiEntry?.properties?.anonymous?.type).toBe("boolean");
  expect(AbiParameter?.properties).toMatchObject({
    indexed: { type: "boolean" },
    components: { type: "array", items: { $ref: "#/components/schemas/AbiParameter" } },
    internalType: { type: "string" },
  });
});

test("a constant has a type", () => {
  const constants = objects.filter((one) => "const" in one);
  expect(constants.length).toBeGreaterThan(40);
  for (const constant of constants) expect(constant).toHaveProperty("type", "string");
});

test("a pattern of digits takes the numbers up to its limit, and no others", () => {
  const near = (max: bigint) =>
    fc.bigInt({ min: max > 1000n ? max - 1000n : 0n, max: max + 1000n });
  const cases = fc.bigInt({ min: 0n, max: 2n ** 64n }).chain((max) =>
    fc.record({
      max: fc.constant(max),
      number: fc.oneof(near(max), fc.bigInt({ min: 0n, max: 2n ** 70n })),
    }),
  );
  fc.assert(
    fc.property(cases, ({ max, number }) => {
      expect(new RegExp(digitsUpTo(max)).test(`${number}`)).toBe(number <= max);
    }),
    { numRuns: runs(1000) },
  );
});

test("every pattern has an example that matches it, for mock servers and generators", () => {
  const patterned = objects.filter(({ pattern }) => typeof pattern === "string");
  expect(patterned.length).toBeGreaterThan(40);
  for (const { pattern, examples } of patterned)
    expect(examples).toEqual([expect.stringMatching(new RegExp(String(pattern)))]);
});
