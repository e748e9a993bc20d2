// The queries for TanStack Query: keys, results, pages, retries and aborts.
import { QueryClient } from "@tanstack/query-core";
import { describe, expect, test } from "vitest";
import { createExplorer } from "../mocks/explorer.ts";
import { ExplorerClient } from "../src/client.ts";
import { operations } from "../src/contract/index.ts";
import { createQueries, type ListQuery, queries } from "../src/tanstack.ts";
import { buildSampleChain } from "./support/sample-chain.ts";

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

describe("each operation that reads has a query", () => {
  const { explorer, client, alice, bob, gold, art, till, hash } = setUp();
  const ofGold = gold.address;
  const results = {
    balance: [queries.balance(explorer, alice), explorer.accounts.balance(alice)],
    balances: [queries.balances(explorer, [alice, bob]), explorer.accounts.balances([alice, bob])],
    totalSupply: [queries.totalSupply(explorer, ofGold), explorer.tokens.totalSupply(ofGold)],
    tokenBalance: [
      queries.tokenBalance(explorer, ofGold, bob),
      explorer.tokens.balance(ofGold, bob),
    ],
    holderInventory: [
      queries.holderInventory(explorer, art.address, bob),
      explorer.tokens.inventory(art.address, bob),
    ],
    holderCount: [queries.holderCount(explorer, ofGold), explorer.tokens.holderCount(ofGold)],
    transactionStatus: [
      queries.transactionStatus(explorer, hash),
      explorer.transactions.status(hash),
    ],
    receiptStatus: [
      queries.receiptStatus(explorer, hash),
      explorer.transactions.receiptStatus(hash),
    ],
    abi: [queries.abi(explorer, till), explorer.contracts.abi(till)],
    code: [queries.code(explorer, till), explorer.contracts.code(till)],
    block: [queries.block(explorer, 2n), explorer.blocks.get(2n)],
    blockAt: [queries.blockAt(explorer, new Date("2100-01-01")), explorer.blocks.at("2100-01-01")],
    tokenInfo: [queries.tokenInfo(explorer, ofGold), explorer.tokens.info(ofGold)],
  } as const;
  const lists = {
    transactions: [queries.transactions(explorer, bob), explorer.accounts.transactions(bob)],
    tokenTransfers: [
      queries.tokenTransfers(explorer, ofGold, { to: bob }),
      explorer.tokens.transfers(ofGold, { to: bob }),
    ],
    internalTransactions: [
      queries.internalTransactions(explorer, alice),
      explorer.accounts.internalTransactions(alice),
    ],
    mrc20Transfers: [queries.mrc20Transfers(explorer, bob), explorer.accounts.mrc20Transfers(bob)],
    mrc721Transfers: [
      queries.mrc721Transfers(explorer, bob),
      explorer.accounts.mrc721Transfers(bob),
    ],
    tokens: [queries.tokens(explorer, bob), explorer.accounts.tokens(bob)],
    mrc20Tokens: [queries.mrc20Tokens(explorer, bob), explorer.accounts.mrc20Tokens(bob)],
    mrc721Tokens: [queries.mrc721Tokens(explorer, bob), explorer.accounts.mrc721Tokens(bob)],
    inventory: [queries.inventory(explorer, art.address), explorer.accounts.inventory(art.address)],
    minedBlocks: [queries.minedBlocks(explorer, alice), explorer.accounts.minedBlocks(alice)],
    transactionInternalTransactions: [
      queries.transactionInternalTransactions(explorer, hash),
      explorer.transactions.internalTransactions(hash),
    ],
    eventLogs: [
      queries.eventLogs(explorer, { address: ofGold }),
      explorer.eventLogs.list({ address: ofGold }),
    ],
  } as const;

  test.each(Object.entries(results))("%s", async (_, [query, result]) => {
    expect(await client.fetchQuery<unknown>(query)).toEqual(await result);
  });

  test.each(Object.entries(lists))("%s, page by page", async (_, [query, list]) => {
    const { pages } = await client.fetchInfiniteQuery({
      ...(query as ListQuery<unknown>),
      pages: 1,
    });
    const { data, count, offset, cursor, ...page } = await list;
    expect(pages).toEqual([{ data, count, offset, cursor: page.hasNextPage() ? cursor : null }]);
    // Values only: it can leave the process.
    expect(structuredClone(pages)).toEqual(pages);
  });

  test("and no other", () => {
    const { all: _, ...each } = queries;
    expect(Object.keys({ ...results, ...lists }).sort()).toEqual(Object.keys(each).sort());
    const covered = Object.values({ ...results, ...lists }).map(([{ queryKey }]) => queryKey[2]);
    const names = Object.values(operations).map(({ name }) => name);
    const searches = ["accounts.balances", "blocks.at", "tokens.info", "tokens.transfers"];
    const reading = names.filter((name) => name !== "contracts.verify");
    expect(new Set(covered)).toEqual(new Set([...reading, ...searches]));
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
