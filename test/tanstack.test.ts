// The queries for TanStack Query: keys, results, pages, retries and aborts.
import { QueryClient } from "@tanstack/query-core";
import { describe, expect, test } from "vitest";
import { createExplorer } from "../mocks/explorer.ts";
import { ExplorerClient } from "../src/client.ts";
import { type OperationId, operations } from "../src/contract/index.ts";
import type { Page } from "../src/lists/paged-request.ts";
import { createQueries, type ListQuery, queries, type ResultQuery } from "../src/tanstack.ts";
import { buildSampleChain } from "./support/sample-chain.ts";
import { samplesOf } from "./support/samples.ts";

function setUp() {
  const sample = buildSampleChain();
  const mock = createExplorer({ chain: sample.builder });
  const signals: AbortSignal[] = [];
  const explorer = new ExplorerClient({
    baseUrl: mock.baseUrl,
    apiKey: "any",
    retry: { limit: 2, delay: () => 1 },
    fetch: (url, init) => {
      signals.push(init.signal);
      return mock.fetch(url, init);
    },
  });
  const client = new QueryClient();
  const hash = sample.chain.transactions(sample.bob, "all", {}).at(0).hash;
  return { ...sample, mock, explorer, client, signals, hash };
}

describe("each method that reads has a query", () => {
  const { explorer, client, alice, bob, gold, art, till, hash } = setUp();
  type Query = ListQuery<unknown> | ResultQuery<unknown>;
  const { all: _, ...each } = queries;
  const queryOf = (name: string, values: readonly unknown[]): Query =>
    Reflect.apply(Reflect.get(queries, name), queries, [explorer, ...values]);
  const methodOf = (name: string) => `${queryOf(name, [alice]).queryKey[2]}`;
  const samples = samplesOf({
    ...{ account: bob, miner: alice, token: gold.address, collection: art.address },
    ...{ transaction: hash, block: 2n },
  });
  /** The parameters of each method: those of its operation, in this order. */
  const parameters: Record<string, readonly unknown[]> = {
    ...Object.fromEntries(
      Object.entries(samples).map(([id, [input]]) => [
        operations[id as OperationId].name,
        Object.values(input),
      ]),
    ),
    "accounts.balance": [alice],
    "accounts.balances": [[alice, bob]],
    "blocks.at": [new Date("2100-01-01")],
    "contracts.abi": [till],
    "contracts.code": [till],
    "eventLogs.list": [{ address: gold.address }],
    "tokens.info": [gold.address],
    "tokens.transfers": [gold.address, { to: bob }],
  };

  test.each(Object.keys(each))("%s", async (name) => {
    const [resource = "", action = ""] = methodOf(name).split(".");
    const values = parameters[methodOf(name)] ?? expect.fail("a query without parameters");
    const methods = Reflect.get(explorer, resource);
    const expected: PromiseLike<Page<unknown>> = Reflect.apply(
      Reflect.get(methods, action),
      methods,
      values,
    );
    const query = queryOf(name, values);
    if (!("initialPageParam" in query)) {
      expect(await client.fetchQuery<unknown>(query)).toEqual(await expected);
      return;
    }
    const { pages } = await client.fetchInfiniteQuery({ ...query, pages: 1 });
    const { data, count, offset, cursor, ...page } = await expected;
    expect(pages).toEqual([{ data, count, offset, cursor: page.hasNextPage() ? cursor : null }]);
    // Values only: it can leave the process.
    expect(structuredClone(pages)).toEqual(pages);
  });

  test("and no other, under the name of the method or a clearer one", () => {
    const methods = Object.keys(each).map((name) => [name, methodOf(name)] as const);
    const { "contracts.verify": _, ...reading } = parameters;
    expect(methods.map(([, method]) => method).sort()).toEqual(Object.keys(reading).sort());
    const renamed = methods.filter(([name, method]) => method.split(".")[1] !== name);
    expect(Object.fromEntries(renamed)).toEqual({
      ...{ tokenBalance: "tokens.balance", holderInventory: "tokens.inventory" },
      ...{ tokenInfo: "tokens.info", tokenTransfers: "tokens.transfers" },
      transactionInternalTransactions: "transactions.internalTransactions",
      transactionStatus: "transactions.status",
      ...{ block: "blocks.get", blockAt: "blocks.at", eventLogs: "eventLogs.list" },
    });
  });
});

describe("a key", () => {
  const { explorer, client, alice, bob } = setUp();
  const upper = alice.toUpperCase().replace("0X", "0x") as typeof alice;

  test("is the same for every spelling, and JSON", () => {
    const { queryKey } = queries.transactions(explorer, alice, { startBlock: 2n, limit: 5 });
    const other = { limit: 5, endBlock: undefined, startBlock: "2", input: null } as const;
    expect(queries.transactions(explorer, upper, other).queryKey).toEqual(queryKey);
    expect(JSON.parse(JSON.stringify(queryKey))).toEqual(queryKey);
    expect(queryKey).toEqual([
      "mrc-explorer",
      explorer.toJSON().baseUrl,
      "accounts.transactions",
      alice,
      { startBlock: "2", limit: "5" },
    ]);
    const block = (number: bigint | number) => queries.block(explorer, number).queryKey;
    expect(block(7)).toEqual(block(7n));
  });

  test("is another one for other parameters, operations and explorers", () => {
    const elsewhere = new ExplorerClient({ baseUrl: "https://elsewhere.example", apiKey: "any" });
    const keys = [
      queries.transactions(explorer, alice),
      queries.transactions(explorer, bob),
      queries.transactions(explorer, alice, { simple: true }),
      queries.transactions(elsewhere, alice),
      queries.mrc20Transfers(explorer, alice),
      queries.balance(explorer, alice),
      queries.balances(explorer, [alice]),
      // The names of events differ in case.
      queries.eventLogs(explorer, { address: alice, topic_0: "Moved(address)" }),
      queries.eventLogs(explorer, { address: alice, topic_0: "moved(address)" }),
    ].map(({ queryKey }) => JSON.stringify(queryKey));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("invalidates the queries of an account whatever their parameters, or all of an explorer", async () => {
    const short = queries.transactions(explorer, alice, { limit: 1 });
    await client.prefetchInfiniteQuery(short);
    await client.prefetchQuery(queries.balance(explorer, alice));
    const stale = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
      client.getQueryState(queryKey)?.isInvalidated;
    await client.invalidateQueries({ queryKey: queries.transactions(explorer, upper).queryKey });
    expect([stale(short), stale(queries.balance(explorer, alice))]).toEqual([true, false]);
    await client.invalidateQueries({ queryKey: queries.all(explorer) });
    expect(stale(queries.balance(explorer, alice))).toBe(true);
  });
});

test("the pages of a list have each record once while blocks arrive", async () => {
  const { builder, chain, alice, bob, explorer, client } = setUp();
  const query = queries.transactions(explorer, bob, { limit: 7 });
  const expected = await explorer.accounts.transactions(bob).collect();
  let { pages, pageParams } = await client.fetchInfiniteQuery({ ...query, pages: 1 });
  for (let count = 2; pages.at(-1)?.cursor !== null; count++) {
    builder.transfer(alice, bob, 1n);
    builder.mine();
    const pageParam = pages.at(-1)?.cursor ?? null;
    const signal = new AbortController().signal;
    const page = await query.queryFn({ pageParam, signal });
    pages = [...pages, page];
    pageParams = [...pageParams, pageParam];
    expect(count).toBeLessThan(chain.length);
  }
  const hashes = pages.flatMap(({ data }) => data.map((one) => one.transaction_hash));
  expect(hashes).toEqual(expected.map((one) => one.transaction_hash));
  expect(new Set(pageParams).size).toBe(pages.length);
});

test("a failure is retried by the client alone", async () => {
  const { mock, explorer, client, alice } = setUp();
  mock.faults.add({ preset: "offline" });
  await expect(client.fetchQuery(queries.balance(explorer, alice))).rejects.toThrow(
    "Connection failed",
  );
  expect(mock.journal.count("accounts.balance")).toBe(3);
});

test("a query that nobody needs any more aborts its request", async () => {
  const { mock, explorer, client, alice, signals } = setUp();
  mock.faults.add({ fault: "never" });
  const query = queries.transactions(explorer, alice);
  const fetched = client.fetchInfiniteQuery(query).catch((error: unknown) => error);
  await expect.poll(() => signals.length).toBe(1);
  await client.cancelQueries({ queryKey: query.queryKey });
  expect(signals[0]?.aborted).toBe(true);
  expect(await fetched).toMatchObject({ message: "CancelledError" });
  for (const one of [queries.totalSupply(explorer, alice), queries.balances(explorer, [alice])]) {
    const left = client.fetchQuery<unknown>(one).catch(() => signals.pop()?.aborted);
    await expect.poll(() => signals.length).toBe(2);
    await client.cancelQueries({ queryKey: one.queryKey });
    expect(await left).toBe(true);
  }
});

test("queries of one explorer have a key in place of its URL", async () => {
  const { client, explorer, alice } = setUp();
  const mainnet = createQueries(explorer, { key: "mainnet" });
  expect(mainnet.all()).toEqual(["mrc-explorer", "mainnet"]);
  const since = new Date("2026-10-01");
  const list = mainnet.transactions(alice, { since });
  expect(list.queryKey).toEqual([
    ...["mrc-explorer", "mainnet", "accounts.transactions", alice],
    { since: "2026-10-01T00:00:00.000Z" },
  ]);
  const balance = await client.fetchQuery(mainnet.balance(alice));
  expect(balance).toBe(await explorer.accounts.balance(alice));
  expect(
    JSON.stringify(
      client
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey),
    ),
  ).not.toContain("http");
});
