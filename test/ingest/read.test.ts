// The fast way to read a record and zod's own agree: on the value, and on what is wrong with it.
import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import {
  address,
  anything,
  blockTag,
  checkNode,
  count,
  list,
  quantity,
  text,
} from "../../mocks/ingest/read.ts";
import { check } from "../../src/models/issues.ts";
import { orNull } from "../../src/models/primitives.ts";
import { runs } from "../support/runs.ts";

const from = fc.constantFrom<unknown>(`0x${"Ab".repeat(20)}`, "0x12", null, 7);
const number = fc.constantFrom<unknown>("0x1a", 26, "1.5", -1, null);
const word = fc.constantFrom<unknown>("call", "reward", "other", null, 1);

const transfer = z.object({
  type: z.literal(["call", "create"]),
  from: address,
  value: orNull(quantity),
});
const reward = z.object({ type: z.literal("reward"), note: z.optional(text), more: anything });

const schemas = {
  transfer,
  tuple: z.object({ params: z.tuple([address, z.optional(blockTag)], z.unknown()) }),
  pair: z.object({ params: z.tuple([orNull(text), count]) }),
  entries: z.object({ entries: list(z.discriminatedUnion("type", [transfer, reward])) }),
  nested: z.object({ block: z.object({ number: count, transactions: orNull(list(transfer)) }) }),
};

const record = (requiredKeys: []) =>
  fc.record(
    { type: word, from, value: number, note: word, more: word, other: word },
    { requiredKeys },
  );
const records = fc.oneof(record([]), fc.constantFrom<unknown>(null, "x", []));
const values = fc.oneof(
  records,
  fc.record({
    entries: fc.array(records),
    params: fc.array(fc.oneof(from, number), { maxLength: 3 }),
  }),
  fc.record({ block: fc.record({ number, transactions: fc.array(records) }) }),
);

test.each(Object.entries(schemas))("of %s", (_, schema) => {
  fc.assert(
    fc.property(values, (value) => {
      expect(checkNode<z.ZodMiniType>(schema, value)).toStrictEqual(check(schema, value));
    }),
    { numRuns: runs(1000) },
  );
});

test("bytes of any case are read in lower case", () => {
  const lower = `0x${"ab".repeat(20)}`;
  for (const given of [lower, `0x${"AB".repeat(20)}`, `0x${"aB".repeat(20)}`])
    expect(check(address, given).value).toBe(lower);
  for (const given of [`0x${"ag".repeat(20)}`, `${lower}00`, `${lower}0`, lower.slice(2)])
    expect(check(address, given).issues).toHaveLength(1);
});
