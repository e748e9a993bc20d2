// The schemas of the contract say themselves what they expect: the little that the client always loads finds what the whole description finds.
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { limits, operations } from "../../src/contract/index.ts";
import { requestOptions } from "../../src/http/request-options.ts";
import { checkOwn, UNKNOWN } from "../../src/models/check.ts";
import { check } from "../../src/models/issues.ts";
import type { AnySchema } from "../../src/models/schema.ts";
import { runs } from "../support/runs.ts";

const ADDRESS = `0x${"ab".repeat(20)}`;

/** Valid in some places, invalid in others. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, "", "0x", "7", -1, 1.5, 2 ** 60, true, ADDRESS),
  fc.constantFrom<unknown>([], {}, [null], [ADDRESS], [{ name: 1, address: ADDRESS }]),
  fc.constantFrom("all", "and", "latest", { data: [{}] }, { data: "none", count: [] }),
  fc.constant(Array.from({ length: limits.addresses + 1 }, () => ADDRESS)),
  fc.anything({ withBigInt: true, withDate: true, withMap: true }),
);

const schemas: [string, z.ZodMiniObject][] = [
  ["request options", requestOptions],
  ...Object.values(operations).flatMap(({ id, input, results }): [string, z.ZodMiniObject][] => [
    [`the input of ${id}`, input],
    ...("shape" in results
      ? [[`the results of ${id}`, results] as const].map(
          (one) => [...one] as [string, z.ZodMiniObject],
        )
      : []),
  ]),
];

test.each(schemas)("%s", (_, schema) => {
  const names = [...Object.keys(schema.shape), "unknown", "Limit"];
  const inputs = fc.oneof(
    fc.dictionary(fc.constantFrom(...names), odd),
    fc.anything({ withNullPrototype: true }),
  );
  fc.assert(
    fc.property(inputs, (input) => {
      const own = checkOwn(schema, input);
      expect(own).toStrictEqual(check(schema, input));
      for (const { expected } of own.issues ?? []) expect(expected).not.toBe(UNKNOWN);
    }),
    { numRuns: runs(100) },
  );
});

test("what another schema expects is left to the whole description", () => {
  const schema: AnySchema = z.object({
    either: z.union([z.string(), z.number()]),
    short: z.string().check(z.maxLength(2)),
    strict: z.array(z.strictObject({ one: z.optional(z.literal(1)) })),
    sum: z.number(),
  });
  const value = { either: true, short: "abc", strict: [{ two: 2 }], sum: "1" };
  const expectedOf = (found: typeof check) =>
    found(schema, value).issues?.map(({ path, expected }) => [path.join("."), expected]);
  expect(expectedOf(checkOwn)).toEqual([
    ["either", UNKNOWN],
    ["short", UNKNOWN],
    ["strict.0", UNKNOWN],
    ["sum", UNKNOWN],
  ]);
  expect(expectedOf(check)).toEqual([
    ["either", "a string or a number"],
    ["short", "a string of at most 2 characters"],
    ["strict.0.two", "one of one"],
    ["sum", "a number"],
  ]);
});
