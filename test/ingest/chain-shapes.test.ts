// Chains that exist, by the shapes of their blocks: each is loaded, and every value is the one that its format states.
import { describe, expect, test } from "vitest";
import type { Address, Hash } from "../../mocks/chain/records.ts";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { createExplorer } from "../../mocks/index.ts";
import { parseChain } from "../../mocks/ingest/parse-chain.ts";
import { ExplorerClient } from "../../src/index.ts";
import { holders, shapes } from "../nodes/shapes/index.ts";
import {
  ALICE,
  ALICE_HAS,
  ART,
  BOB,
  GOLD,
  hashOf,
  hex,
  MINER,
  type Shape,
  TRANSFER,
  tokenCalls,
} from "../nodes/shapes/shape.ts";

const NOBODY = "0x0000000000000000000000000000000000000000";

type Sender = { readonly hash: Hash; readonly from: Address };

/** What an explorer of the chain answers about block 1. */
async function answersOf(chain: ChainWriter, { transactions, blocks }: Shape) {
  const { baseUrl, fetch } = createExplorer({ chain });
  const client = new ExplorerClient({ baseUrl, apiKey: "key", fetch, retry: 0 });
  const [, second] = blocks as readonly { block: { transactions: readonly Sender[] } }[];
  const sent = second?.block.transactions ?? [];
  const rows = await Promise.all(
    sent.map(async ({ hash, from }, index) => {
      const full = await client.accounts.transactions(from).collect();
      const simple = await client.accounts.transactions(from, { simple: true }).collect();
      const one = { ...full.find(at(hash)), ...simple.find(at(hash)) };
      expect(await client.transactions.receiptStatus(hash)).toBe(one.tx_status);
      expect(await client.transactions.status(hash)).toBe(one.tx_status);
      return Object.fromEntries(
        Object.keys(transactions[index] ?? {}).map((name) => [name, one[name as keyof typeof one]]),
      );
    }),
  );
  const { fees, mining_reward, reward } = await client.blocks.get(1);
  expect(reward).toBe((fees ?? 0n) + (mining_reward ?? 0n));
  const [mined] = await client.accounts.minedBlocks(MINER).collect();
  expect(mined).toMatchObject({ block_number: 1n, fees, mining_reward, reward });
  const frames = await client.transactions.internalTransactions(sent[0]?.hash ?? "0x").collect();
  expect(await client.accounts.internalTransactions(ALICE).collect()).toEqual(frames);
  const internal = frames.map(({ trace_type, value, gas_used }) => ({
    trace_type,
    value,
    gas_used,
  }));
  return { client, rows, rewards: { fees, mining_reward }, internal };
}

/** What is answered from the events: the first transaction of block 1 has two. */
async function eventsOf({ accounts, eventLogs }: ExplorerClient) {
  return {
    A4: await accounts.mrc20Transfers(BOB).collect(),
    A5: await accounts.mrc721Transfers(BOB).collect(),
    L1: await eventLogs.list({ address: GOLD }).collect(),
  };
}

/** The same, by hand. */
function eventsBy({ blocks }: Shape) {
  const [, second] = blocks as readonly { block: { transactions: readonly Sender[] } }[];
  const of = {
    timestamp: new Date(2000),
    transaction_hash: second?.block.transactions[0]?.hash,
    transaction_index: 0,
  };
  const transfer = { ...of, sender: NOBODY, receiver: BOB, confirmations: 0, block_number: 1n };
  const inBlock = { ...transfer, block_hash: hashOf("1") };
  const gold = { token_address: GOLD, token_name: "Gold", token_symbol: "GLD", token_decimals: 2 };
  const art = { token_address: ART, token_name: "Art", token_symbol: "ART", token_decimals: null };
  const word = (value: string) => `0x${value.padStart(64, "0")}`;
  return {
    A4: [{ ...inBlock, value: 7n, ...gold }],
    A5: [{ ...inBlock, ...art }],
    L1: [
      {
        ...{ ...of, address: GOLD, data: word("7"), method: "0xddf252ad", log_index: 0 },
        ...{ log_name: null, log_abi: null, address_type: null, address_extra: null },
        ...{ topics_count: 3, topic_0: TRANSFER, topic_1: word(""), topic_2: word(BOB.slice(2)) },
        topic_3: null,
      },
    ],
  };
}

const at =
  (hash: string) =>
  ({ transaction_hash }: { transaction_hash: string }) =>
    transaction_hash === hash;

describe.each(Object.entries(shapes))("%s", (_, shape) => {
  const { blocks, chainId, internal = [], rewards, transactions, balances, missing = [] } = shape;

  test("as a chain folder", async () => {
    const calls = holders.map((holder) => ({
      ...{ method: "eth_getBalance", params: [holder, "0x0"], result: hex(ALICE_HAS) },
    }));
    const reported: string[] = [];
    const lines = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value));
    const chain = parseChain(
      { blocks: lines(blocks), calls: lines([...calls, ...tokenCalls]) },
      { chainId, onMissing: (what) => reported.push(what) },
    );
    const { client, ...answers } = await answersOf(chain, shape);
    expect(answers).toEqual({ rows: transactions, rewards, internal });
    expect(await eventsOf(client)).toEqual(eventsBy(shape));
    expect(reported).toEqual(missing.map((words) => expect.stringMatching(words)));
    const held: Record<string, bigint> = {};
    for (const holder of Object.keys(balances))
      held[holder] = await client.accounts.balance(holder as `0x${string}`);
    expect(held).toEqual(balances);
  });
});
