// The laws of the models: what is written reads back as it was, and what is read is written back as it came.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { decodeLeniently } from "../../src/models/fast-path.ts";
import { check } from "../../src/models/issues.ts";
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
