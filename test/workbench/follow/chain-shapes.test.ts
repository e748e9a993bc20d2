// Chains that exist, by the shapes of their blocks: each is followed and loaded, and every value is the one that its format states.
import { describe, expect, test } from "vitest";
import type { Address, Hash } from "../../../mocks/double/chain/records.ts";
import type { ChainWriter } from "../../../mocks/double/chain/writer.ts";
import { parseChain } from "../../../mocks/double/sources/ingest/parse-chain.ts";
import { createExplorer } from "../../../mocks/node.ts";
import { type Follower, followNode } from "../../../mocks/workbench/follow/follow-node.ts";
import { ExplorerClient } from "../../../src/index.ts";
import { holders, shapes } from "../../nodes/shapes/index.ts";
import { ALICE_HAS, hex, MINER, type Shape } from "../../nodes/shapes/shape.ts";

type Sender = { readonly hash: Hash; readonly from: Address };
type Fields = Readonly<Record<string, unknown>>;

/** A node with these blocks, as go-ethereum has the methods. */
function nodeOf({ blocks, chainId }: Shape): typeof fetch {
  const given = blocks as readonly {
    block: Fields;
    receipts: (Fields | null)[];
    traces: unknown;
  }[];
  const methods: Readonly<Record<string, (first: unknown, second: unknown) => unknown>> = {
    eth_chainId: () => hex(chainId),
    eth_getBlockByNumber: (at) =>
      (at === "latest" ? given.at(-1) : given.find(({ block }) => block.number === at))?.block ??
      null,
    eth_getTransactionReceipt: (hash) =>
      given.flatMap(({ receipts }) => receipts).find((one) => one?.transactionHash === hash) ??
      null,
    debug_traceBlockByNumber: (at) => given.find(({ block }) => block.number === at)?.traces,
    eth_getCode: () => "0x",
  };
  const answer = ({ id, method, params }: { id: number; method: string; params: unknown[] }) => {
    const result = methods[method]?.(params[0], params[1]);
    const error = { code: -32601, message: `the method ${method} does not exist` };
    return { jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) };
  };
  return async (_, init) => {
    const body = JSON.parse(String(init?.body));
    return Response.json(Array.isArray(body) ? body.map(answer) : answer(body));
  };
}

/** What an explorer of the chain answers about block 1. */
async function answersOf(chain: ChainWriter | Follower, { transactions, blocks }: Shape) {
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
  const internal = frames.map(({ trace_type, value, gas_used }) => ({
    trace_type,
    value,
    gas_used,
  }));
  return { client, rows, rewards: { fees, mining_reward }, internal };
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
      { blocks: lines(blocks), calls: lines(calls) },
      { chainId, onMissing: (what) => reported.push(what) },
    );
    const { client, ...answers } = await answersOf(chain, shape);
    expect(answers).toEqual({ rows: transactions, rewards, internal });
    expect(reported).toEqual(missing.map((words) => expect.stringMatching(words)));
    const held: Record<string, bigint> = {};
    for (const holder of Object.keys(balances))
      held[holder] = await client.accounts.balance(holder as `0x${string}`);
    expect(held).toEqual(balances);
  });

  test("followed", async () => {
    const follower = await followNode("http://node.test", {
      ...{ fetch: nodeOf(shape), interval: 3_600_000, retryDelay: 0 },
    });
    try {
      const { client: _, ...answers } = await answersOf(follower, shape);
      expect(answers).toEqual({ rows: transactions, rewards, internal });
      const { state, missing: reported } = follower.status();
      expect(state).toBe("following");
      for (const words of missing) expect(reported.join("\n")).toMatch(words);
    } finally {
      await follower.close();
    }
  });
});
