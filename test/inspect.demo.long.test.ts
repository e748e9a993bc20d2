// The views of the demo chain on a port equal the client's answers, and the records of the chain's node.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Address } from "../mocks/chain/records.ts";
import { loadDemo } from "../mocks/ingest/load-chain.ts";
import type { Candidate } from "../mocks/inspect/records.ts";
import { allPages, type Looked, look } from "./inspect/served.ts";
import { readDemoOracle } from "./support/demo-oracle.ts";

const oracle = readDemoOracle();
const accounts = Object.keys(oracle.nativeBalances) as Address[];

let looked: Looked;
beforeAll(async () => {
  looked = await look({ chain: await loadDemo({ verified: true }) });
});
afterAll(() => looked.served.close({ graceMs: 0 }));

/** How many transactions each address is in, by the node's own records. */
function transactionCounts(): Map<Address, number> {
  const counts = new Map<Address, number>();
  for (const { from, to, created } of oracle.transactions)
    for (const party of new Set([from, to, created]))
      if (party !== null) counts.set(party, (counts.get(party) ?? 0) + 1);
  return counts;
}

test("the head names chain, source and size", async () => {
  const { mock, ask } = looked;
  expect(await ask("head", {})).toMatchObject({
    chain_id: 1717,
    source: { kind: "demo", name: null },
    head: { block_number: oracle.head, block_hash: mock.chain.head.hash },
    first_block: 0,
    blocks: oracle.miners.length,
    transactions: oracle.transactions.length,
    unavailable: null,
    node: null,
  });
});

test("blocks page through the whole chain, with the rewards of B1", async () => {
  const { ask, client } = looked;
  const all = await allPages(
    (from) => ask("blocks", { from, limit: 10 }),
    ({ blocks }) => blocks,
  );
  expect(all.map(({ miner }) => miner).reverse()).toEqual(oracle.miners);
  for (const block of all.slice(0, 30)) {
    expect(await client.blocks.get(block.block_number)).toMatchObject({
      fees: block.fees,
      mining_reward: block.mining_reward,
      timestamp: block.timestamp,
    });
  }
});

test("the lists on Home have the first rows of the list views", async () => {
  const { ask } = looked;
  const [home, transactions, blocks, tokens] = await Promise.all([
    ask("overview", {}),
    ask("transactions", { limit: 10 }),
    ask("blocks", { limit: 100 }),
    ask("tokens", {}),
  ]);
  expect(home.latest_transactions).toEqual(transactions.transactions);
  expect(home.latest_blocks).toEqual(blocks.blocks.slice(0, 10));
  expect(home.activity.first_block).toBe(0);
  expect(home.activity.transaction_counts).toEqual(
    blocks.blocks.map(({ transaction_count }) => transaction_count).reverse(),
  );
  const failed = await Promise.all(
    blocks.blocks.map(async ({ block_number: number }) => {
      const { count } = await ask("transactions", {
        status: "failed",
        start_block: number,
        end_block: number,
      });
      // Of two filters one has no count.
      return count ?? Number.NaN;
    }),
  );
  expect(Math.max(...failed)).toBeGreaterThan(0);
  expect(home.activity.failed_counts).toEqual(failed.reverse());
  expect(home.token_count).toBe(tokens.count);
  expect(home.tokens).toEqual(tokens.tokens.slice(0, 10));
});

test("a transaction agrees with X1 to X3, and its logs with L1", async () => {
  const { ask, client, get } = looked;
  for (const { hash } of oracle.transactions.filter((_, index) => index % 9 === 0)) {
    const found = await ask("transaction", { hash });
    const status = { status: found.transaction.tx_status };
    const { body } = await get(`/v1/transactions/${hash}/transaction-status`);
    expect(body).toMatchObject({
      results: {
        data:
          found.failure === null ? status : { ...status, description: found.failure.trace_error },
      },
    });
    const internal = await client.transactions.internalTransactions(hash);
    expect(found.internal_transaction_count).toBe(internal.count);
    expect(found.logs).toHaveLength(found.log_count);
    for (const log of found.logs) {
      const block = found.transaction.block_number;
      const logs = await client.eventLogs
        .list({ address: log.address, startBlock: block, endBlock: block })
        .collect();
      const same = logs.find((one) => one.log_index === log.log_index);
      expect(same).toMatchObject({ data: log.data });
      // L1 has events of the contract's own source alone, without those of standards and of what is behind a proxy.
      if (same?.log_name != null) expect(log.event?.name).toBe(same.log_name);
      expect([same?.topic_0, same?.topic_1, same?.topic_2, same?.topic_3]).toEqual(
        [0, 1, 2, 3].map((at) => log.topics[at] ?? null),
      );
    }
  }
});

test("the counts of an account are those of the client's lists", async () => {
  const { ask, client } = looked;
  const counts = transactionCounts();
  for (const address of accounts) {
    const found = await ask("account", { address });
    expect(`${found.balance}`).toBe(oracle.nativeBalances[address]);
    expect(found.transaction_count).toBe(counts.get(address) ?? 0);
    expect(found.log_count).toBe(oracle.logs[address]?.all.length ?? 0);
    const { accounts } = client;
    const lists = await Promise.all([
      accounts.internalTransactions(address, { limit: 1 }),
      accounts.mrc20Transfers(address, { limit: 1 }),
      accounts.mrc721Transfers(address, { limit: 1 }),
      accounts.mrc20Tokens(address, { limit: 1 }),
      accounts.mrc721Tokens(address, { limit: 1 }),
      accounts.minedBlocks(address, { limit: 1 }),
    ]);
    expect([
      found.internal_transaction_count,
      found.mrc20_transfer_count,
      found.mrc721_transfer_count,
      found.mrc20_count,
      found.mrc721_count,
      found.mined_block_count,
    ]).toEqual(lists.map(({ count }) => count));
  }
});

describe("a search", () => {
  const found = async (q: string) => {
    const { candidates, tried } = await looked.ask("search", { q });
    return { candidates, tried };
  };

  test("finds blocks, transactions, accounts, tokens and contracts", async () => {
    const [transaction] = oracle.transactions;
    const { hash = "0x" } = looked.mock.chain.block(40) ?? {};
    const of = async (q: string): Promise<readonly Candidate[]> => (await found(q)).candidates;
    expect(await of("40")).toEqual([{ kind: "block", block_number: 40, block_hash: hash }]);
    expect(await of(" #40 ")).toEqual(await of("40"));
    expect(await of(hash.slice(2).toUpperCase())).toEqual(await of("40"));
    expect(await of(`${transaction?.hash}`)).toEqual([
      { kind: "transaction", transaction_hash: transaction?.hash, block_number: 2 },
    ]);
    const [account] = accounts.slice(1);
    expect(await of(`${account}`.replace("0x", "0X"))).toMatchObject([
      { kind: "account", address: account },
    ]);
    expect(await of("metro")).toMatchObject([
      { kind: "token", token_name: "Metro Cash" },
      { kind: "contract", contract_name: expect.stringMatching(/^Metro/) },
      { kind: "contract", contract_name: expect.stringMatching(/^Metro/) },
    ]);
    expect(await of("aUr")).toMatchObject([
      { token_symbol: "AUR" },
      { token_symbol: "AUR" },
      ...(await of("aur")).slice(2),
    ]);
  });
});
