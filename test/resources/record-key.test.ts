// Keys of records: one each for every record of every list, whatever page, case or further list
// it comes from.
import { expect, test } from "vitest";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { loadDemo } from "../../mocks/node.ts";
import {
  type Address,
  ExplorerClient,
  type KeyedRecord,
  operations,
  recordKey,
} from "../../src/index.ts";

const chain = await loadDemo();
const account: Address = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720";
const token: Address = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const collection: Address = "0x71c95911e9a5d330f4d621842ec243ee1343292e";

const clientOf = (mock: ReturnType<typeof createExplorer>) =>
  new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });
const explorer = clientOf(createExplorer({ chain }));

/** A list that is not empty, for each operation that has one. */
const lists: Readonly<Record<string, (limit?: number) => AsyncIterable<KeyedRecord>>> = {
  A2: (limit) => explorer.accounts.transactions(account, { limit }),
  A3: (limit) => explorer.accounts.internalTransactions(account, { limit }),
  A4: (limit) => explorer.accounts.mrc20Transfers(account, { limit }),
  A5: (limit) => explorer.accounts.mrc721Transfers(chain.nfts(collection).at(0).owner, { limit }),
  A6: (limit) => explorer.accounts.tokens(account, { limit }),
  A7: (limit) => explorer.accounts.mrc20Tokens(account, { limit }),
  A8: (limit) => explorer.accounts.mrc721Tokens(chain.nfts(collection).at(0).owner, { limit }),
  A9: (limit) => explorer.accounts.inventory(collection, { limit }),
  A10: (limit) => explorer.accounts.minedBlocks(chain.head.miner, { limit }),
  L1: (limit) => explorer.eventLogs.list({ address: token, limit }),
};

async function keysOf(list: AsyncIterable<KeyedRecord>): Promise<string[]> {
  const repeats = new Map<string, number>();
  return (await Array.fromAsync(list)).map((record) => recordKey(record, repeats));
}

/** The other case of a record's hashes and addresses. */
const shouted = <Item extends object>(record: Item): Item =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === "string" && /^0x[0-9a-f]{40,64}$/.test(value)
        ? `0x${value.slice(2).toUpperCase()}`
        : value,
    ]),
  ) as Item;

test("every operation with a list is tested here, but those whose records are another one's", () => {
  const listed = Object.values(operations).flatMap(({ id, list }) => (list ? [id] : []));
  expect(listed.filter((id) => lists[id] === undefined)).toEqual(["X3"]);
});

test.each(Object.entries(lists))(
  "each record of %s has a key of its own, on pages of any size",
  async (_, list) => {
    const keys = await keysOf(list());
    expect(keys.length).toBeGreaterThan(0);
    expect(new Set(keys).size).toBe(keys.length);
    expect((await keysOf(list(7))).sort()).toEqual(keys.sort());
  },
);

test("keys of different kinds differ, so that they fit into one list", async () => {
  const kinds = ["A2", "A3", "A4", "A9", "A10", "L1"];
  const keys = await Promise.all(
    kinds.map((id) => keysOf(lists[id]?.() ?? explorer.eventLogs.list({ address: token }))),
  );
  expect(new Set(keys.flat()).size).toBe(keys.flat().length);
});

test("the case of a hash or an address makes no other key, nor does the short form of a transaction", async () => {
  const [transaction] = await explorer.accounts.transactions(account).collect({ max: 1 });
  const [simple] = await explorer.accounts
    .transactions(account, { simple: true })
    .collect({ max: 1 });
  const [transfer] = await explorer.accounts.mrc20Transfers(account).collect({ max: 1 });
  if (!transaction || !simple || !transfer) throw new Error("the account has no records");
  expect(recordKey(transaction)).toBe(transaction.transaction_hash);
  expect(recordKey(simple)).toBe(recordKey(transaction));
  for (const record of [transaction, transfer])
    expect(recordKey(shouted(record))).toBe(recordKey(record));
});

test("transfers that look the same get different keys from a map of repeats, also across pages", async () => {
  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const bob = builder.account({ name: "bob" });
  const shop = builder.deploy(alice).address;
  const gold = builder.deployMRC20(alice, {
    name: "Gold",
    symbol: "GLD",
    decimals: 2,
    supply: 99n,
  });
  gold.transfer(alice, shop, 9n);
  const { hash } = builder.call(alice, {
    to: shop,
    does(frame) {
      for (let count = 0; count < 3; count++) frame.call(gold.calls.transfer(bob, 1n));
    },
  });
  builder.mine();
  const { accounts } = clientOf(createExplorer({ chain: builder }));

  const alike = await accounts.mrc20Transfers(bob).collect();
  expect(alike.map(({ transaction_hash }) => transaction_hash)).toEqual([hash, hash, hash]);
  const [key] = alike.map((transfer) => recordKey(transfer, new Map()));
  // @ts-expect-error: without a map, all three have one key.
  expect(alike.map((transfer) => recordKey(transfer))).toEqual([key, key, key]);
  for (const limit of [1000, 2])
    expect(await keysOf(accounts.mrc20Transfers(bob, { limit }))).toEqual([
      key,
      `${key}#2`,
      `${key}#3`,
    ]);
});

test("a key has every field of the identity, also one that is a list or missing", () => {
  const [hash, first] = [`0x${"AB".repeat(32)}`, { transaction_hash: `0x${"AB".repeat(32)}` }];
  const lower = hash.toLowerCase();
  const frame = (trace_address: unknown) => recordKey({ ...first, trace_address } as never);
  expect([[0, 1], [], null].map(frame)).toEqual([`${lower}/[0,1]`, `${lower}/[]`, `${lower}/`]);
  expect(recordKey({ ...first, log_index: 1 } as never)).toBe(`${lower}/1`);
});

test("rejects a value that is no record of a list", () => {
  for (const value of [null, undefined, "0x12", {}, { holder_address: account, token_id: 1n }]) {
    const refused = () => recordKey(value as never);
    expect(refused).toThrow("Invalid record: record: expected a record of a list");
  }
});
