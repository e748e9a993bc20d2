// Random records of every model, for the laws.
import fc from "fast-check";
import type * as z from "zod/mini";
import * as explorer from "../../src/index.ts";
import { expectedOf } from "../../src/models/issues.ts";
import { type AnySchema, definitionOf, unwrapped } from "../../src/models/schema.ts";

type AnyModel = z.ZodMiniObject;

const isModel = (value: unknown): value is AnyModel =>
  typeof value === "object" && value !== null && "_zod" in value && "shape" in value;

/** The exported models. */
export const models = Object.entries<unknown>(explorer).flatMap(
  ([name, value]): [string, AnyModel][] => (isModel(value) ? [[name, value]] : []),
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
  "a verification level": fc.constantFrom("exact", "partial", "other"),
  "true or false": fc.boolean(),
  "any JSON value": json,
};
/** Lists, by the field they stand in. */
const lists: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  trace_address: fc.array(int),
  inputs: fc.array(parameter),
  outputs: fc.array(parameter),
  contract_abi: fc.array(abiEntry),
  verify_uncovered: fc.array(fc.string()),
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

/** Decoded records of a model, with fields it does not know. */
export function recordOf({ shape }: AnyModel): fc.Arbitrary<Record<string, unknown>> {
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
