// What is wrong with a response, or with the input of an operation of the caller's own, is explained by code that is loaded then.
import { afterAll, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { operations, ParameterError } from "../../src/index.ts";
import { ADDRESS, clientOf, success, thrown } from "./server.ts";

// With modules of its own, since others share theirs, and one of these is another.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("../../src/http/invalid.ts");
  vi.resetModules();
});
const loaded = vi.hoisted(() => ({ times: 0 }));
vi.mock("../../src/http/invalid.ts", (original) => {
  loaded.times++;
  return original();
});

const clientFor = (results: unknown) =>
  clientOf(
    { url: "https://explorer.example" },
    { fetch: async () => Response.json(success(results)) },
  );

/** An operation of a caller's own, with schemas that are zod's alone. */
const own = {
  ...operations.T1,
  path: "/v2/prices",
  places: { path: [], query: ["of", "in"], body: [] },
  input: z.strictObject({
    of: z.string().check(z.minLength(3)),
    in: z.union([z.literal("usd"), z.literal("eur")]),
  }),
  results: z.object({ price: z.number(), source: z.union([z.string(), z.null()]) }),
};

test("a client that receives what is specified, and is used as documented, never loads it", async () => {
  const client = clientFor({ data: { total_supply: "7" } });
  expect(await client.tokens.totalSupply(ADDRESS)).toBe(7n);
  const errors = [
    await thrown(client.tokens.totalSupply("0x" as never)),
    await thrown(client.request("A1", { addresses: [] })),
    await thrown(client.accounts.transactions(ADDRESS, { limt: 5 } as never)),
    await thrown(client.blocks.get(1, { retry: "often" } as never)),
  ];
  for (const error of errors) expect(error).toBeInstanceOf(ParameterError);
  expect(loaded.times).toBe(0);
  await thrown(clientFor({ data: {} }).tokens.balance(ADDRESS, ADDRESS));
  expect(loaded.times).toBe(1);
});

test("what schemas of the caller's own expect is described, too", async () => {
  const client = clientFor({ price: 1, source: "x" });
  expect(await client.request(own, { of: "MRC", in: "usd" })).toEqual({ price: 1, source: "x" });
  const input = { of: "M", in: "gbp" as "usd", extra: 1 };
  const error = await thrown(client.request(own, input));
  expect(error).toMatchObject({
    code: "PARAMETER",
    issues: [
      { path: ["of"], expected: "a string of at least 3 characters" },
      { path: ["in"], expected: "usd or eur" },
      { path: ["extra"], expected: "one of of, in" },
    ],
  });
  const invalid = await thrown(clientFor({ price: "1" }).request(own, { of: "MRC", in: "usd" }));
  expect(invalid).toMatchObject({
    code: "RESPONSE_VALIDATION",
    path: "results.price",
    expected: "a number",
  });
});
