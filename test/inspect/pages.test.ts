// Pages of a list are full up to the last one, from either end and with filters.
import { expect, test } from "vitest";
import { buildChain, coins } from "../../mocks/builder/index.ts";
import type { Block } from "../../mocks/chain/records.ts";
import { transferLogs } from "../../mocks/inspect/lists.ts";
import { blocksIn, filledPage } from "../../mocks/inspect/pages.ts";

const builder = buildChain();
const alice = builder.account({ balance: coins(10) });
const gold = builder.deployMRC20(alice, { name: "Gold", symbol: "GLD", supply: coins(9) });
builder.mine();
for (let block = 0; block < 3; block++) {
  gold.transfer(alice, builder.account(), 1n);
  gold.transfer(alice, builder.account(), 2n);
  builder.mine();
}
const { chain } = builder;
const transactions = { list: chain.allTransactions({}), conditions: [] };
const blocks = { list: blocksIn(chain, {}), conditions: [] };
const late = { list: blocksIn(chain, {}), conditions: [(one: Block) => one.number > 1] };
const transfers = { list: transferLogs(chain, gold.address), conditions: [] };

type Page = { items: readonly unknown[]; next: string | null; count: string | null };

const readers: readonly (readonly [
  list: string,
  count: number,
  page: (limit: number, from?: number, page?: number) => Page,
])[] = [
  ["blocks", 5, (limit, from, page) => filledPage(blocks, { order: "desc", limit, from, page })],
  [
    "filtered blocks",
    3,
    (limit, from, page) => filledPage(late, { order: "desc", limit, from, page }),
  ],
  [
    "transactions",
    7,
    (limit, from, page) => filledPage(transactions, { order: "desc", limit, from, page }),
  ],
  [
    "transactions",
    7,
    (limit, from, page) => filledPage(transactions, { order: "asc", limit, from, page }),
  ],
  [
    "transfers",
    7,
    (limit, from, page) => filledPage(transfers, { order: "desc", limit, from, page }),
  ],
];

test.each(readers)("of %s", (_, count, page) => {
  const all = page(100).items;
  expect(all).toHaveLength(count);
  for (let limit = 1; limit <= count + 1; limit++) {
    const read: unknown[] = [];
    let place: number | undefined;
    let pages = 0;
    do {
      const { items, next, count: counted } = page(limit, place);
      expect(counted).toBe(`${count}`);
      expect(page(limit, undefined, pages + 1).items).toEqual(items);
      read.push(...items);
      place = next === null ? undefined : Number(next);
      pages++;
    } while (place !== undefined);
    expect(read).toEqual(all);
    expect([limit, pages]).toEqual([limit, Math.ceil(count / limit)]);
  }
});

test.each([transactions, blocks, transfers])("from beyond the end %#", (list) => {
  const upwards = filledPage<unknown>(list, { order: "asc", from: 99, limit: 2 });
  expect(upwards).toMatchObject({ items: [], next: null });
  const newest = { order: "desc", limit: 2 } as const;
  expect(filledPage<unknown>(list, { ...newest, from: 99 })).toEqual(
    filledPage<unknown>(list, newest),
  );
});

test("a filter examines 20,000 records for a page, and continues there", () => {
  const numbers = {
    count: 50_000,
    at: (index: number) => index,
    slice: (offset: number, limit: number) =>
      Array.from({ length: Math.max(0, Math.min(limit, 50_000 - offset)) }, (_, at) => offset + at),
  };
  for (const [order, expected] of [
    ["asc", [0, 25_000]],
    ["desc", [25_000, 0]],
  ] as const) {
    const read: number[] = [];
    let from: number | undefined;
    let pages = 0;
    do {
      const found = { list: numbers, conditions: [(one: number) => one % 25_000 === 0] };
      const { items, next } = filledPage(found, { order, from, limit: 10 });
      read.push(...items);
      from = next === null ? undefined : Number(next);
      pages++;
    } while (from !== undefined);
    expect([order, read, pages]).toEqual([order, expected, 3]);
  }
});

test("a filter of a long list refuses the number of a page", () => {
  const numbers = {
    ...{ count: 20_001, at: (index: number) => index },
    slice: (offset: number, limit: number) => Array.from({ length: limit }, (_, at) => offset + at),
  };
  const odd = { list: numbers, conditions: [(one: number) => one % 2 === 1] };
  expect(filledPage(odd, { limit: 2 })).toEqual({ items: [1, 3], next: "4", count: null });
  expect(() => filledPage(odd, { limit: 2, page: 2 })).toThrow(/^page: expected none, because/);
});
