// A follower under a gateway that answers any call with any error of the table, or breaks a request, ends with the values that it has without, or names what is missing.
import { describe, expect, test } from "vitest";
import { randomNumbers } from "../../mocks/chain/random.ts";
import type { Address } from "../../mocks/chain/records.ts";
import { createExplorer, startFollowing } from "../../mocks/node.ts";
import { ExplorerClient } from "../../src/index.ts";
import { errors } from "../follow/rpc/error-table.ts";
import { type Call, FakeNode, type RpcAnswer } from "../support/fake-node.ts";
import { runs, seed } from "../support/runs.ts";

const BLOCKS = Math.min(2000, runs(400));
/** The part of calls that fail. */
const FAILING = 0.1;

/** Draws numbers from 0 to 1. */
function drawing(seed: number): () => number {
  let drawn = 0;
  return () => randomNumbers(seed, drawn++);
}

const hex = (value: number | bigint) => `0x${value.toString(16)}` as const;
const word = (value: number | bigint) => value.toString(16).padStart(64, "0");
const hashOf = (kind: number, number: number) =>
  `0x${word(BigInt(kind) * 10n ** 12n + BigInt(number) + 1n)}`;
const account = (nth: number): Address => `0x${"c0de"}${nth.toString(16).padStart(36, "0")}`;
const [ALICE, BOB, MINER, GOLD] = [1, 2, 3, 4].map(account) as [Address, Address, Address, Address];
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const text = (value: string) =>
  `0x${word(32)}${word(value.length)}${Buffer.from(value).toString("hex").padEnd(64, "0")}`;

/** A block with up to two transfers of a token and of a coin, in the call of a contract. */
function blockOf(number: number, draw: () => number) {
  const count = Math.floor(draw() * 3);
  const own = { blockHash: hashOf(0, number), blockNumber: hex(number) };
  const transactions = Array.from({ length: count }, (_, index) => ({
    ...{ hash: hashOf(1, 2 * number + index), from: ALICE, to: GOLD, value: "0x1", nonce: "0x0" },
    ...{ gas: "0x5208", gasPrice: "0x1", input: "0xa9059cbb", type: "0x0", ...own },
    transactionIndex: hex(index),
  }));
  return {
    block: {
      ...{ number: hex(number), hash: hashOf(0, number), timestamp: hex(1_700_000_000 + number) },
      ...{ parentHash: number === 0 ? hashOf(9, 0) : hashOf(0, number - 1), miner: MINER },
      ...{ gasUsed: "0x0", gasLimit: "0x1c9c380", baseFeePerGas: "0x0", uncles: [], transactions },
    },
    receipts: transactions.map(({ hash }, index) => ({
      ...{ transactionHash: hash, status: "0x1", gasUsed: "0x5208", cumulativeGasUsed: "0x5208" },
      ...{ effectiveGasPrice: "0x1", contractAddress: null, ...own },
      logs: [
        {
          ...{ address: GOLD, data: `0x${word(1)}`, logIndex: hex(index) },
          topics: [
            TRANSFER,
            ...[ALICE, BOB].map((holder) => `0x${holder.slice(2).padStart(64, "0")}`),
          ],
        },
      ],
    })),
    traces: transactions.map(({ hash: txHash }) => ({
      txHash,
      result: {
        ...{ type: "CALL", from: ALICE, to: GOLD, value: "0x1" },
        calls: [{ type: "CALL", from: GOLD, to: BOB, value: "0x1", gas: "0x1", gasUsed: "0x0" }],
      },
    })),
  };
}

/** A node with such blocks. */
class GeneratedNode extends FakeNode {
  readonly blocks: ReturnType<typeof blockOf>[] = [];

  constructor(count: number) {
    super();
    const draw = drawing(seed);
    for (let number = 0; number < count; number += 1) this.blocks.push(blockOf(number, draw));
    this.head = count - 2;
  }

  override answer({ method, params: [subject, second] }: Call): RpcAnswer {
    const number = subject === "latest" ? this.head : Number(subject);
    const at = number <= this.head ? this.blocks[number] : undefined;
    const ofHash = (hash: unknown) =>
      this.blocks[Math.floor((Number(BigInt(String(hash)) - 10n ** 12n) - 1) / 2)];
    const receiptOf = (hash: unknown) =>
      ofHash(hash)?.receipts.find(({ transactionHash }) => transactionHash === hash);
    const traceOf = (hash: unknown) => ofHash(hash)?.traces.find(({ txHash }) => txHash === hash);
    const results: Readonly<Record<string, () => unknown>> = {
      eth_chainId: () => "0x7",
      web3_clientVersion: () => "Geth/v1.16.0",
      eth_getBlockByNumber: () =>
        at && second !== true
          ? { ...at.block, transactions: at.block.transactions.map(({ hash }) => hash) }
          : (at?.block ?? null),
      eth_getBlockReceipts: () => at?.receipts ?? null,
      eth_getTransactionReceipt: () => receiptOf(subject) ?? null,
      debug_traceBlockByNumber: () => at?.traces ?? null,
      debug_traceTransaction: () => traceOf(subject)?.result ?? null,
      eth_getBalance: () => hex(10n ** 18n + BigInt(this.head)),
      eth_getCode: () => (subject === GOLD ? "0x70a0823118160ddd" : "0x"),
      eth_call: () => this.#called(subject as { readonly to: string; readonly data: string }),
      eth_accounts: () => [],
      eth_syncing: () => false,
    };
    const result = results[method]?.();
    if (result !== undefined) return { result };
    return {
      error: {
        code: method === "eth_call" ? 3 : -32601,
        message:
          method === "eth_call" ? "execution reverted" : `the method ${method} does not exist`,
      },
    };
  }

  #called({ to, data }: { readonly to: string; readonly data: string }): string | undefined {
    if (to !== GOLD) return "0x";
    const returned: Readonly<Record<string, string>> = {
      "0x06fdde03": text("Gold"),
      "0x95d89b41": text("GLD"),
      "0x313ce567": `0x${word(2)}`,
      "0x18160ddd": `0x${word(1000)}`,
      "0x70a08231": `0x${word(77)}`,
    };
    return returned[data.slice(0, 10)];
  }
}

const all = Object.values(errors).flat();
const html = { status: 503, headers: { "content-type": "text/html" } };
/** What comes in place of a response to a whole request. */
const broken = [
  () => new Response("", { status: 429 }),
  () => new Response("<html>", html),
  () => new Response("["),
  () => {
    throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
  },
] as const;

/** The answers of an explorer that followed the node to its head. */
async function answersOf(node: GeneratedNode, failing: number) {
  const draw = drawing(seed + 1);
  let isFailing = true;
  node.faults.call = () => {
    if (!isFailing || draw() >= failing) return undefined;
    const [code, message] = all[Math.floor(draw() * all.length)] ?? [undefined, ""];
    return { error: { code: code as number, message } };
  };
  node.faults.post = () => {
    const isBroken = isFailing && draw() < failing / 4;
    return isBroken ? broken[Math.floor(draw() * broken.length)]?.() : undefined;
  };
  const ended: unknown[] = [];
  const follower = startFollowing(node.url, {
    ...{ fetch: node.fetch, interval: 1, retryDelay: 1 },
    onError: (error, hasEnded) => void (hasEnded && ended.push(error)),
  });
  await follower.ready;
  isFailing = false;
  // The state is requested at each head.
  node.head += 1;
  await follower.update();
  const { missing } = follower.status();
  const { fetch, baseUrl } = createExplorer({ chain: follower });
  const { accounts, blocks, tokens } = new ExplorerClient({
    baseUrl,
    apiKey: "k",
    fetch,
    retry: 0,
  });
  const lists = await Promise.all([
    accounts.transactions(ALICE).collect(),
    accounts.internalTransactions(BOB).collect(),
    accounts.mrc20Transfers(BOB).collect(),
  ]);
  const state = await Promise.all([
    ...[ALICE, BOB, MINER].map((address) => accounts.balance(address)),
    tokens.totalSupply(GOLD),
    tokens.balance(GOLD, BOB),
    tokens.holderCount(GOLD),
    blocks.get(BLOCKS - 1),
  ]);
  await follower.close();
  expect(ended).toEqual([]);
  return { lists, state, missing };
}

describe(`a gateway that fails ${100 * FAILING} % of calls, ${BLOCKS} blocks, PROPERTY_SEED=${seed}`, () => {
  test("changes no value that is not named as missing", async () => {
    const right = await answersOf(new GeneratedNode(BLOCKS), 0);
    const found = await answersOf(new GeneratedNode(BLOCKS), FAILING);
    expect(right.missing).toEqual([]);
    expect(right.lists.every((list) => list.length > 0)).toBe(true);
    expect(found.state).toEqual(right.state);
    // The list of what is missing is short, so that all of it is there.
    expect(found.missing.length).toBeLessThan(100);
    const isNamed = ({ block_number: number }: { readonly block_number: bigint | number }) =>
      found.missing.some((what) => what.startsWith(`block ${number},`));
    for (const [index, list] of right.lists.entries()) {
      const certain = (records: readonly { readonly block_number: bigint | number }[]) =>
        records.filter((record) => !isNamed(record));
      expect(certain(found.lists[index] ?? [])).toEqual(certain(list));
    }
  });
});
