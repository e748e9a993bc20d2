// The laws of the models: what is written reads back as it was, and what is read is written back as it came.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import * as explorer from "../../src/index.ts";
import { decodeLeniently, safeEncode } from "../../src/models/fast-path.ts";
import { check, expectedOf } from "../../src/models/issues.ts";
import { type AnySchema, definitionOf, unwrapped } from "../../src/models/schema.ts";

type AnyModel = z.ZodMiniObject;

const isModel = (value: unknown): value is AnyModel =>
  typeof value === "object" && value !== null && "_zod" in value && "shape" in value;

const models = Object.entries<unknown>(explorer).flatMap(([name, value]): [string, AnyModel][] =>
  isModel(value) ? [[name, value]] : [],
);
/** JSON has no negative zero. */
const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array) => `0x${Buffer.from(array).toString("hex")}`);
const parameter = fc.record({ name: fc.option(fc.string()), type: fc.string() });
const int = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const abiEntry = fc.record({
  name: fc.option(fc.string()),
  type: fc.string(),
  inputs: fc.option(fc.array(parameter)),
  outputs: fc.option(fc.array(parameter)),
  payable: fc.option(fc.boolean()),
  constant: fc.option(fc.boolean()),
  stateMutability: fc.option(fc.string()),
});

/** Decoded values, by what a kind expects on the wire. */
const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  "a non-negative integer in decimal digits": fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  "a non-negative integer of at most 2^53 - 1 in decimal digits": int,
  "a UTC time YYYY-MM-DDThh:mm:ssZ": fc
    .integer({ min: 0, max: 4_102_444_799 })
    .map((seconds) => new Date(seconds * 1000)),
  "an address (0x and 40 hexadecimal digits)": hex(20),
  "a 32-byte hash (0x and 64 hexadecimal digits)": hex(32),
  "bytes in hexadecimal (0x and pairs of digits)": fc.nat({ max: 60 }).chain(hex),
  "a string": fc.string(),
  "a status string": fc.constantFrom("0", "1", "pending"),
  "true or false": fc.boolean(),
  "any JSON value": json,
};
/** Lists, by the field they stand in. */
const lists: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  trace_address: fc.array(int),
  inputs: fc.array(parameter),
  outputs: fc.array(parameter),
  contract_abi: fc.array(abiEntry),
};

/** Values of a field; undefined where it holds a list of other models, which have laws of their own. */
function fieldValues(name: string, schema: AnySchema): fc.Arbitrary<unknown> | undefined {
  const inner = unwrapped(schema);
  if (isModel(inner)) return recordOf(inner);
  const expected = definitionOf(inner).type === "unknown" ? "any JSON value" : expectedOf(inner);
  const base = expected === "an array" ? lists[name] : values[expected];
  if (base === undefined && expected === "an array") return fc.constant([]);
  return base && schema !== inner ? fc.option(base) : base;
}

function recordOf({ shape }: AnyModel): fc.Arbitrary<Record<string, unknown>> {
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const value = fieldValues(name, schema);
    if (value === undefined) throw new Error(`no values for ${name}: ${expectedOf(schema)}`);
    model[name] = value;
  }
  const required = Object.keys(shape).filter(
    (name) => definitionOf(shape[name] as AnySchema).type !== "optional",
  );
  const unknown = fc.dictionary(fc.stringMatching(/^unknown_[a-z]{1,8}$/), json);
  return fc
    .tuple(fc.record(model, { requiredKeys: required }), unknown)
    .map(([known, more]) => ({ ...known, ...more }));
}

test("all models are here", () => {
  expect(models.map(([name]) => name).sort()).toEqual([
    "AbiEntry",
    "AccountBalance",
    "AccountTokens",
    "BlockReward",
    "CollectionToken",
    "EventLog",
    "HolderInventory",
    "HolderToken",
    "InternalTransaction",
    "MinedBlock",
    "Mrc20Holding",
    "Mrc20Transfer",
    "Mrc721Holding",
    "Mrc721Transfer",
    "SimpleTransaction",
    "TokenEntry",
    "Transaction",
    "VerifiedContract",
  ]);
});

describe.each(models)("%s", (_, model) => {
  test("reads back what it writes, through JSON, unknown fields included", () => {
    fc.assert(
      fc.property(recordOf(model), (value) => {
        const wire: unknown = JSON.parse(JSON.stringify(z.encode(model, value)));
        expect(z.decode(model, wire as object as never)).toEqual(value);
      }),
      { numRuns: 100 },
    );
  });

  test("writes back what it read, and leaves its input alone", () => {
    fc.assert(
      fc.property(recordOf(model), (value) => {
        const wire = Object.freeze(z.encode(model, value));
        const copy = structuredClone(wire);
        expect(z.encode(model, z.decode(model, wire))).toEqual(copy);
        expect(wire).toEqual(copy);
      }),
      { numRuns: 100 },
    );
  });

  test("names the field that is malformed, what was expected and what came", () => {
    fc.assert(
      fc.property(
        recordOf(model),
        fc.constantFrom(...Object.keys(model.shape)),
        fc.constantFrom<unknown>(-1.5, { odd: true }, "\u0000zz", true),
        (value, field, odd) => {
          const wire = { ...z.encode(model, value), [field]: odd };
          const { issues = [] } = check(model, wire);
          const decoded: Record<string, unknown> = decodeLeniently(model, wire);
          const result = z.safeDecode(model, wire);
          expect(result.success).toBe(issues.length === 0);
          for (const [index, issue] of issues.entries()) {
            expect(issue.path[0]).toBe(field);
            expect(issue.expected).not.toBe("");
            const told = result.error?.issues[index];
            expect(told?.path).toEqual(issue.path);
            expect(told?.message).toContain(issue.expected);
          }
          // What is amiss stays as it came, for those who want to keep it.
          if (issues.some(({ path }) => path.length === 1)) expect(decoded[field]).toBe(odd);
        },
      ),
      { numRuns: 200 },
    );
  });

  test.each([null, undefined, 7, "text", [], true])("is not %j", (odd) => {
    expect(z.safeDecode(model, odd as never).success).toBe(false);
  });
});

describe("numbers", () => {
  const { Transaction } = explorer;
  const { shape } = Transaction;
  const read = (schema: AnySchema, wire: unknown) => {
    const { value, issues } = check(schema, wire);
    return issues ? "refused" : value;
  };

  test.each([
    ["0", 0n],
    ["007", 7n],
    [String(2n ** 256n - 1n), 2n ** 256n - 1n],
    ["9007199254740993", 9_007_199_254_740_993n],
    [42, 42n],
    [Number.MAX_SAFE_INTEGER, 9_007_199_254_740_991n],
    [2 ** 53, "refused"],
    [-1, "refused"],
    ["-1", "refused"],
    ["1.0", "refused"],
    ["1e3", "refused"],
    ["0x10", "refused"],
    ["", "refused"],
    [" 1", "refused"],
    ["9".repeat(79), "refused"],
    [1.5, "refused"],
    [Number.NaN, "refused"],
    [null, "refused"],
    [true, "refused"],
  ])("an amount %j is %s", (raw, expected) => {
    expect(read(shape.value, raw)).toBe(expected);
  });

  test.each([
    ["9007199254740991", 9_007_199_254_740_991],
    ["9007199254740992", "refused"],
    ["12", 12],
    [12, 12],
  ])("an index %j is %s", (raw, expected) => {
    expect(read(shape.transaction_index, raw)).toBe(expected);
  });

  test.each([
    ["2024-02-29T23:59:59Z", Date.UTC(2024, 1, 29, 23, 59, 59)],
    ["2024-01-01T00:00:00.123Z", Date.UTC(2024, 0, 1, 0, 0, 0, 123)],
    ["2023-02-29T00:00:00Z", "refused"],
    ["2024-13-01T00:00:00Z", "refused"],
    ["2024-01-01T25:00:00Z", "refused"],
    ["2024-01-01 00:00:00", "refused"],
    ["2024-01-01T00:00:00+02:00", "refused"],
    [1_704_067_200, "refused"],
  ])("a time %j is %s", (raw, expected) => {
    const value = read(shape.timestamp, raw);
    expect(value instanceof Date ? value.getTime() : value).toBe(expected);
  });
});
