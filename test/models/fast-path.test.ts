// The law of the fast path: it decodes what zod decodes, to the same value, and nothing else.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import * as explorer from "../../src/index.ts";
import { decodeFast, decodeLeniently, safeEncode } from "../../src/models/fast-path.ts";
import { findIssues } from "../../src/models/find-issues.ts";
import { check, type Issue, MAX_ISSUES } from "../../src/models/issues.ts";
import { definitionOf } from "../../src/models/schema.ts";
import { runs } from "../support/runs.ts";
import { models, recordOf } from "./arbitraries.ts";

/** What may stand where something else belongs. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, "", "0x", "-1", -1, 1.5, 2 ** 60, true, [], {}, [null]),
  fc.jsonValue(),
  fc.string({ maxLength: 90 }),
);

/** A record, with any number of its fields replaced, taken away or added. */
const damaged = (schema: z.ZodMiniObject) =>
  fc
    .tuple(
      recordOf(schema),
      fc.dictionary(fc.constantFrom(...Object.keys(schema.shape), "unknown"), odd),
      fc.uniqueArray(fc.constantFrom(...Object.keys(schema.shape)), { maxLength: 3 }),
    )
    .map(([value, replaced, missing]) => {
      const encoded = safeEncode(schema, value);
      if (!encoded.success) throw encoded.error;
      const wire: Record<string, unknown> = { ...(encoded.data as object), ...replaced };
      for (const name of missing) delete wire[name];
      return wire;
    });

/** Any value with an odd one somewhere inside. */
const hostile = fc.oneof(
  fc.anything({ withDate: true, withMap: true, withNullPrototype: true, withBigInt: true }),
  fc.array(fc.jsonValue()),
);

/** The value at a path. */
const at = (value: unknown, path: Issue["path"]): unknown =>
  path.reduce<unknown>((inner, step) => Object(inner)[step], value);

describe.each(models)("%s", (_, model) => {
  test("the fast path gives the values of zod, and none of what zod refuses", () => {
    fc.assert(
      fc.property(fc.oneof(damaged(model), hostile), (wire) => {
        const { data } = z.safeParse(model, wire);
        expect(decodeFast(model, wire)).toStrictEqual(data);
        expect(decodeFast(z.array(model), [wire, wire])).toStrictEqual(data && [data, data]);
      }),
      { numRuns: runs(300) },
    );
  });

  test("the issues found one by one are zod's, and all are counted", () => {
    const page = z.looseObject({ data: z.array(model) });
    fc.assert(
      fc.property(fc.array(fc.oneof(damaged(model), fc.jsonValue()), { maxLength: 5 }), (data) => {
        const { error } = z.safeParse(page, { data });
        const { issues, issueCount } = findIssues(page, { data });
        expect(issueCount).toBe(error?.issues.length ?? 0);
        const { issues: all = [] } = check(page, { data });
        expect(issues).toStrictEqual(all);
        expect(issues.length).toBe(Math.min(issueCount, MAX_ISSUES));
      }),
      { numRuns: runs(100) },
    );
  });

  test("encodes as zod does", () => {
    fc.assert(
      fc.property(recordOf(model), (value) => {
        expect(safeEncode(model, value)).toEqual(z.safeEncode(model, value));
        const { success } = safeEncode(model, { ...value, [firstOf(model)]: Symbol("odd") });
        expect(success).toBe(false);
      }),
      { numRuns: runs(100) },
    );
  });

  test("lenient decoding keeps exactly what has an issue, and decodes the rest", () => {
    fc.assert(
      fc.property(damaged(model), (wire) => {
        const { issues = [] } = check(model, wire);
        const lenient: unknown = decodeLeniently(model, wire);
        for (const { path } of issues) expect(at(lenient, path)).toBe(at(wire, path));
        const kept = new Set(issues.map(({ path }) => path[0]));
        for (const name of Object.keys(model.shape)) {
          if (kept.has(name)) continue;
          const one = z.safeParse(model.shape[name] as z.ZodMiniType, wire[name]);
          expect(at(lenient, [name])).toEqual(one.data);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});

const firstOf = (model: z.ZodMiniObject): string => Object.keys(model.shape)[0] ?? "";

test("the models are what the client decodes with", () => {
  const { A2 } = explorer.operations;
  const { data } = A2.results.shape;
  expect(definitionOf(data)).toHaveProperty("element", explorer.Transaction);
});

test("a schema the walk does not know is decoded by zod itself", () => {
  const schema = z.looseObject({
    either: z.union([z.string(), z.number()]),
    some: z.array(z.number()).check(z.maxLength(2)),
    strict: z.strictObject({ one: z.optional(z.literal(1)) }),
  });
  const value = { either: 7, some: [1, 2], strict: {}, more: true };
  expect(decodeFast(schema, value)).toEqual(value);
  const { issues = [] } = check(schema, { either: true, some: [1, 2, 3], strict: { two: 2 } });
  expect(issues.map(({ path }) => path.join("."))).toEqual(["either", "some", "strict.two"]);
});
