// Other forms that deployments send, where they have one exact meaning (R13 to R16): decoded as the specified form, encoded as it.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { AbiEntry, EventLog, HolderInventory, operations, Transaction } from "../../src/index.ts";
import { decodeFast, decodeLeniently, safeEncode } from "../../src/models/fast-path.ts";
import { check } from "../../src/models/issues.ts";
import { definitionOf, innermost } from "../../src/models/schema.ts";
import { runs } from "../support/runs.ts";
import { models, recordOf } from "./arbitraries.ts";

/** What fields that may be null become as an empty string. */
const nullables = (model: z.ZodMiniObject): string[] =>
  Object.entries(model.shape).flatMap(([name, schema]) => {
    const def = definitionOf(schema);
    const mayBeNull = ["default", "optional"].includes(def.type);
    return mayBeNull && !["string", "unknown"].includes(innermost(schema).type) ? [name] : [];
  });

describe.each(models)("%s", (_, model) => {
  test("reads an empty string as null wherever null may stand, unless the field is a text", () => {
    const names = nullables(model);
    fc.assert(
      fc.property(recordOf(model), fc.subarray(names), (value, empty) => {
        const wire = safeEncode(model, value).data as Record<string, unknown>;
        const changed = Object.fromEntries(empty.map((name) => [name, ""]));
        const nulls = Object.fromEntries(empty.map((name) => [name, null]));
        const given = { ...wire, ...changed };
        const decoded = z.decode(model, given as never);
        expect(decoded).toEqual({ ...value, ...nulls });
        expect(decodeFast(model, given)).toEqual(decoded);
        expect(decodeLeniently(model, given)).toEqual(decoded);
        expect(safeEncode(model, decoded).data).toEqual({ ...wire, ...nulls });
      }),
      { numRuns: runs(60) },
    );
  });
});

test("a text may be empty, and so may what has no schema", () => {
  const { token_symbol } = operations.A4.results.shape.data._zod.def.element.shape;
  expect(z.decode(token_symbol, "")).toBe("");
  expect(z.decode(EventLog.shape.log_abi, "")).toBe("");
  expect(z.decode(EventLog.shape.method, "" as never)).toBeNull();
});

test("what may not be null is not empty either", () => {
  const { sender, value, block_number } = Transaction.shape;
  for (const schema of [sender, value, block_number])
    expect(check(schema, "").issues).toHaveLength(1);
});

describe("lists", () => {
  const address = `0x${"ab".repeat(20)}`;

  test.each([
    ["a page", operations.A4.results, { count: "0", data: null }, { count: 0, data: [] }],
    [
      "an inventory",
      HolderInventory,
      { count: "0", data: null, token_name: null, token_symbol: null },
      { count: 0, data: [], token_name: null, token_symbol: null },
    ],
    [
      "the tokens of an account",
      operations.A6.results,
      { mrc_20: { count: "0", results: null }, mrc_721: { count: "0", results: [] } },
      { mrc_20: { count: 0, results: [] }, mrc_721: { count: 0, results: [] } },
    ],
  ])("null for the records of %s means none", (_, schema: z.ZodMiniObject, wire, value) => {
    expect(z.decode(schema, wire)).toEqual(value);
    expect(decodeFast(schema, wire)).toEqual(value);
    expect(check(schema, { ...wire, extra: 1 })).toEqual({ value: { ...value, extra: 1 } });
  });

  test("other lists are not null, and a list of records is neither missing nor a text", () => {
    const frame = operations.A3.results.shape.data._zod.def.element;
    expect(check(frame.shape.trace_address, null).issues).toHaveLength(1);
    expect(check(operations.C1.results, { data: null }).issues).toHaveLength(1);
    for (const data of [undefined, "", "[]", 0, {}])
      expect(check(operations.A4.results, { data }).issues).toMatchObject([
        { path: ["data"], expected: "an array", structural: true },
      ]);
  });

  test("an ABI as JSON text is the ABI", () => {
    fc.assert(
      fc.property(fc.array(recordOf(AbiEntry), { maxLength: 4 }), (entries) => {
        const wire = entries.map((entry) => safeEncode(AbiEntry, entry).data);
        const data = JSON.stringify(wire);
        fc.pre(!data.includes("__proto__"));
        const decoded = z.decode(operations.C1.results, { data } as never);
        expect(decoded).toEqual({ data: entries });
        expect(z.encode(operations.C1.results, decoded)).toEqual({ data: wire });
        const contract = { address, contract_abi: data };
        expect(z.decode(operations.C2.results, { data: contract } as never).data).toMatchObject({
          contract_abi: entries,
        });
      }),
      { numRuns: runs(100) },
    );
  });

  test.each([
    "",
    "{}",
    "[",
    "Contract source code not verified",
    '[{"__proto__":{"x":1}}]',
    `${"[".repeat(100)}${"]".repeat(100)}`,
  ])("the text %j is no ABI", (data) => {
    const { issues } = check(operations.C1.results, { data });
    expect(issues).toMatchObject([{ path: ["data"], expected: "an array", received: data }]);
  });

  test("an entry of an ABI in text that is invalid is named, and kept by lenient decoding", () => {
    const data = JSON.stringify([{ type: "function" }, { type: 7 }]);
    const { issues } = check(operations.C1.results, { data });
    expect(issues).toMatchObject([{ path: ["data", 1, "type"], received: 7 }]);
    expect(decodeLeniently(operations.C1.results, { data })).toMatchObject({
      data: [{ type: "function" }, { type: 7 }],
    });
  });
});

test("an invalid field beside other forms does not change how they are read", () => {
  const wire = { count: "x", data: null, token_name: "", token_symbol: 7 };
  const { issues = [] } = check(HolderInventory, wire);
  expect(issues.map(({ path }) => path.join("."))).toEqual(["count", "token_symbol"]);
});
