// A list that breaks off: its error says where to continue.
import { describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { createTransport } from "../../src/http/transport.ts";
import { type ExplorerError, operations } from "../../src/index.ts";
import { paged } from "../../src/lists/paged-request.ts";
import { resolveSettings } from "../../src/settings.ts";
import {
  ADDRESS,
  addressOf,
  clientOf,
  json,
  refusal,
  serve,
  success,
  thrown,
} from "../http/server.ts";

describe("a list", () => {
  const record = (index: number) => ({
    token_address: addressOf(index),
    token_name: null,
    token_symbol: null,
  });
  /** Ten records; fails once at the given request. */
  const serveTen = (failing = 0) =>
    serve(({ url }, response, count) => {
      const { searchParams } = new URL(url, "http://x");
      const [limit, offset] = [searchParams.get("limit"), searchParams.get("offset")].map(Number);
      const all = Array.from({ length: 10 }, (_, index) => record(index));
      if (count === failing) json(response, refusal(500, "down"), 500);
      else
        json(
          response,
          success({ count: "10", data: all.slice(offset, (offset ?? 0) + (limit ?? 50)) }),
        );
    });

  test.each(["awaited", "iterated", "collected"])(
    "that breaks off at its first page starts again from its error (%s)",
    async (way) => {
      const client = clientOf(await serveTen(1), { retry: 0 });
      const list = client.accounts.mrc20Tokens(ADDRESS);
      const error = await thrown(
        way === "awaited" ? list.then() : way === "iterated" ? list.pages().next() : list.collect(),
      );
      expect(error).toMatchObject({ code: "SERVER", records: [] });
      const resume = (error as ExplorerError).cursor as string;
      expect(await client.accounts.mrc20Tokens(ADDRESS, { resume }).collect()).toHaveLength(10);
    },
  );

  test("gives its next pages with their responses too", async () => {
    const client = clientOf(await serveTen());
    const list = client.accounts.mrc20Tokens(ADDRESS, { limit: 6 });
    expect(String(list)).toBe("[object PagedRequest]");
    const page = await list;
    const { data, response } = await page.nextPage().withResponse();
    expect(data.data).toHaveLength(4);
    expect(response.status).toBe(200);
    expect((await data.nextPage()).data).toEqual([]);
  });

  test("leaves the caller's own error as it is", async () => {
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    const list = clientOf(await serveTen()).accounts.mrc20Tokens(ADDRESS, {}, { signal });
    expect(await thrown(list.collect())).toBe(reason);
    expect(Object.keys(reason)).toEqual([]);
  });

  test("is not collected up to no number", async () => {
    const list = clientOf(await serveTen()).accounts.mrc20Tokens(ADDRESS);
    expect(await thrown(list.collect({ max: Number.NaN }))).toMatchObject({ code: "PARAMETER" });
    expect(await list.collect({ max: Number.POSITIVE_INFINITY })).toHaveLength(10);
    const three = clientOf(await serveTen()).accounts.mrc20Tokens(ADDRESS, { maxItems: 3 });
    expect(await three.collect({ max: 2 })).toHaveLength(2);
    expect(await three.collect({ max: 4 })).toHaveLength(3);
  });
});

test("parameters are checked and converted once for all requests of a list", async () => {
  const builder = buildChain();
  const alice = builder.account({ balance: coins(10) });
  for (let sent = 0; sent < 10; sent++) {
    builder.transfer(alice, builder.account(), 1n);
    builder.mine();
  }
  const { baseUrl, fetch, journal } = createExplorer({ chain: builder });
  const check = vi.fn((limit: unknown) => limit === 2);
  const { shape } = operations.A2.input;
  const input = z.strictObject({ ...shape, limit: z.custom<number>(check) });
  const operation = { ...operations.A2, input } as unknown as typeof operations.A2;
  const call = createTransport(resolveSettings({ baseUrl, apiKey: "any", fetch }));
  const list = paged(call, operation, { address_hash: alice, startBlock: 2n, limit: 2 });
  expect(await list.collect()).toHaveLength(9);
  expect(journal.entries.length).toBeGreaterThan(4);
  expect(check).toHaveBeenCalledTimes(1);
});
