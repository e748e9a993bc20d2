// Pages that are as full as what is left: the last one names no next one.
import { expect, test } from "vitest";
import { buildChain, coins } from "../../../../mocks/double/sources/builder/index.ts";
import {
  blocksBefore,
  transactionsBefore,
  transferLogsBefore,
} from "../../../../mocks/workbench/page/inspect/pages.ts";

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

const readers: readonly (readonly [
  list: string,
  count: number,
  page: (limit: number, before?: string) => { items: readonly unknown[]; next: string | null },
])[] = [
  [
    "blocks",
    5,
    (limit, before) =>
      blocksBefore(chain, { limit, before: before === undefined ? before : Number(before) }),
  ],
  ["transactions", 7, (limit, before) => transactionsBefore(chain, { limit, before })],
  ["transfers", 7, (limit, before) => transferLogsBefore(chain, gold.address, { limit, before })],
];

test.each(readers)("of %s", (_, count, page) => {
  const all = page(100).items;
  expect(all).toHaveLength(count);
  for (let limit = 1; limit <= count + 1; limit++) {
    const read: unknown[] = [];
    let before: string | undefined;
    let pages = 0;
    do {
      const { items, next } = page(limit, before);
      read.push(...items);
      before = next ?? undefined;
      pages++;
    } while (before !== undefined);
    expect(read).toEqual(all);
    expect([limit, pages]).toEqual([limit, Math.ceil(count / limit)]);
  }
});
