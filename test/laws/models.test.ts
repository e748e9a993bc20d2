// The laws of the models: what is written reads back as it was, and what is read is written back as it came.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import * as explorer from "../../src/index.ts";
import { decodeLeniently } from "../../src/models/fast-path.ts";
import { check } from "../../src/models/issues.ts";
import type { AnySchema } from "../../src/models/schema.ts";
import { models, recordOf } from "../models/arbitraries.ts";
import { runs } from "../support/runs.ts";

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
    "Verification",
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
      { numRuns: runs(100) },
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
      { numRuns: runs(100) },
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
      { numRuns: runs(200) },
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
    ["2024-01-01T00:00:00+02:00", 1_704_060_000_000],
    [1_704_067_200, "refused"],
  ])("a time %j is %s", (raw, expected) => {
    const value = read(shape.timestamp, raw);
    expect(value instanceof Date ? value.getTime() : value).toBe(expected);
  });
});
