// A list that breaks off: its error says where to continue.
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import {
  ExplorerClient,
  type ExplorerError,
  isExplorerError,
  operations,
} from "../../src/index.ts";
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

  test("that breaks off says where to go on", async () => {
    const client = clientOf(await serveTen(3), { retry: 0 });
    const read: string[] = [];
    const list = (resume?: string) => client.accounts.mrc20Tokens(ADDRESS, { limit: 3, resume });
    const error = await (async () => {
      for await (const { token_address } of list()) read.push(token_address);
    })().catch((one: ExplorerError) => one);
    expect(isExplorerError(error, "SERVER") && error.cursor).toEqual(expect.any(String));
    expect(error?.records).toEqual([]);
    expect(read.length).toBeGreaterThan(0);
    for await (const { token_address } of list(error?.cursor)) read.push(token_address);
    expect(read).toEqual(Array.from({ length: 10 }, (_, index) => addressOf(index)));
  });

  /** The name of each record, or that there is none. */
  const named = ({ value, done }: IteratorResult<{ token_address: string }, void>) =>
    done ? "end" : value?.token_address;

  test("gives concurrent calls of next their records in order, whether their page is there or not", async () => {
    const iterator = clientOf(await serveTen())
      .accounts.mrc20Tokens(ADDRESS, { limit: 3 })
      [Symbol.asyncIterator]();
    const first = [iterator.next(), iterator.next(), iterator.next(), iterator.next()];
    const results = await Promise.all(first);
    results.push(await iterator.next());
    results.push(...(await Promise.all(Array.from({ length: 7 }, () => iterator.next()))));
    const all = Array.from({ length: 10 }, (_, index) => addressOf(index));
    expect(results.map(named)).toEqual([...all, "end", "end"]);
  });

  test.each(["return", "throw"] as const)(
    "yields nothing after %s, however much of its page is left",
    async (leave) => {
      const iterator = clientOf(await serveTen())
        .accounts.mrc20Tokens(ADDRESS, { limit: 5 })
        [Symbol.asyncIterator]();
      const reason = new Error("enough");
      const ended = [iterator.next(), iterator[leave](reason as never), iterator.next()];
      const results = await Promise.allSettled([...ended, iterator.next()]);
      expect(results[0]).toMatchObject({ value: { value: { token_address: addressOf(0) } } });
      if (leave === "throw") expect(results[1]).toEqual({ status: "rejected", reason });
      else
        expect(results[1]).toEqual({ status: "fulfilled", value: { value: reason, done: true } });
      const end = { status: "fulfilled", value: { value: undefined, done: true } };
      expect(results.slice(2)).toEqual([end, end]);
      expect(await iterator.next()).toEqual(end.value);
    },
  );

  test("yields nothing after an error", async () => {
    const iterator = clientOf(await serveTen(1), { retry: 0 })
      .accounts.mrc20Tokens(ADDRESS)
      [Symbol.asyncIterator]();
    expect(await thrown(iterator.next())).toMatchObject({ code: "SERVER" });
    expect(await iterator.next()).toEqual({ value: undefined, done: true });
  });

  test("yields a record of a page that is there after one turn of the microtask queue", async () => {
    const list = clientOf(await serveTen()).accounts.mrc20Tokens(ADDRESS, { limit: 5 });
    expect(String(list)).toBe("[object PagedRequest]");
    const iterator = list[Symbol.asyncIterator]();
    await iterator.next();
    let second: unknown;
    iterator.next().then(({ value }) => {
      second = value?.token_address;
    });
    await null;
    expect(second).toBe(addressOf(1));
  });

  test("yields nothing after return where a record was ready", async () => {
    const list = clientOf(await serveTen()).accounts.mrc20Tokens(ADDRESS, { limit: 5 });
    const iterator = list[Symbol.asyncIterator]();
    expect([named(await iterator.next()), named(await iterator.next())]).toEqual([
      addressOf(0),
      addressOf(1),
    ]);
    const left = iterator.return();
    expect(await iterator.next()).toEqual({ value: undefined, done: true });
    expect(await left).toEqual({ value: undefined, done: true });
  });

  test("gives its next pages with their responses too", async () => {
    const client = clientOf(await serveTen());
    const page = await client.accounts.mrc20Tokens(ADDRESS, { limit: 6 });
    const { data, response } = await page.nextPage().withResponse();
    expect(data.data).toHaveLength(4);
    expect(response.status).toBe(200);
    expect((await data.nextPage()).data).toEqual([]);
  });

  test.each<object>([
    { prefetch: Number.POSITIVE_INFINITY },
    { prefetch: 1.5 },
    { maxItems: Number.NaN },
    { maxItems: 2.5 },
    { limit: 0 },
  ])("is not read with %o", async (query) => {
    const client = clientOf(await serveTen());
    const error = await thrown(client.accounts.mrc20Tokens(ADDRESS, query).collect());
    expect(error).toMatchObject({ code: "PARAMETER", issues: [{ path: Object.keys(query) }] });
  });

  test("is not read with a signal that is none", async () => {
    const list = clientOf(await serveTen()).accounts.mrc20Tokens(
      ADDRESS,
      {},
      { signal: 5 as never },
    );
    expect(await thrown(list.collect())).toMatchObject({ code: "PARAMETER" });
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

test("limit and blocks are checked and converted once by the client, and once for each request by the service", async () => {
  const builder = buildChain();
  const alice = builder.account({ balance: coins(10) });
  for (let sent = 0; sent < 10; sent++) {
    builder.transfer(alice, builder.account(), 1n);
    builder.mine();
  }
  const mock = createExplorer({ chain: builder });
  const client = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });
  const check = vi.spyOn(operations.A2.input._zod, "run");
  onTestFinished(() => void vi.restoreAllMocks());
  const query = { startBlock: 2n, limit: 2 };
  expect(await client.accounts.transactions(alice, query).collect()).toHaveLength(9);
  const requests = mock.journal.entries.length;
  expect(requests).toBeGreaterThan(4);
  expect(check).toHaveBeenCalledTimes(1 + requests);
});
