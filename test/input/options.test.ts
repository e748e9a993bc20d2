import { expect, test } from "vitest";
import * as z from "zod/mini";
import { validOptions } from "../../mocks/input/options.ts";

const schema = z.strictObject({
  balance: z.optional(z.bigint()),
  mode: z.optional(z.enum(["warn", "throw"])),
  nested: z.optional(z.strictObject({ limit: z.number() })),
});

test.each([
  [{ ballance: 1n }, 'f: unknown option ballance; did you mean "balance"?'],
  [
    { ballance: 1n, mod: "warn" },
    /unknown option ballance.*; unknown option mod; did you mean "mode"\?$/,
  ],
  [{ something: 1 }, "f: unknown option something"],
  [{ mode: "warm" }, 'f: mode: expected one of warn, throw, received "warm"; did you mean "warn"?'],
  [{ balance: "5" }, /^f: balance: expected .*, received "5"$/],
  [{ nested: { limt: 1, limit: 1 } }, 'f: unknown option nested.limt; did you mean "limit"?'],
  ["alice", 'f: options: expected an object, received "alice"'],
  [new Map(), "f: expected an object of options, received a Map"],
  [null, "f: options: expected an object, received null"],
])("refuses %o with the option's name, and a suggestion", (options, message) => {
  expect(() => validOptions("f", schema, options)).toThrow(message);
});

test("returns options that are right", () => {
  const options = { balance: 5n, mode: "warn" };
  expect(validOptions("f", schema, options)).toEqual(options);
});
