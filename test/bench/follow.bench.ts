// What following a node costs beside fetching its blocks, how often it asks, and how soon a block
// is visible.
import { expect, test } from "vitest";
import { BlockSource } from "../../mocks/follow/block-source.ts";
import { blockGroups } from "../../mocks/follow/chain-updater.ts";
import { followNode } from "../../mocks/follow/follow-node.ts";
import { RpcNode } from "../../mocks/follow/rpc/node.ts";
import { type Anvil, startAnvil } from "../support/anvil.ts";
import { median } from "./median.ts";

const ROUNDS = 5;

const seconds = async (job: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await job();
  return (performance.now() - start) / 1000;
};

/** All blocks, as fast as the node sends them. */
async function fetchAll(url: string, blocks: number): Promise<void> {
  const source = new BlockSource(new RpcNode(url));
  for await (const group of blockGroups(source, 0, blocks - 1, 4))
    if (group.blocks.length === 0) throw new Error("no blocks");
}

async function follow(url: string) {
  const { chain, close } = await followNode(url);
  await close();
  return chain;
}

/**
 * Blocks of calls of an account on an anvil, mined at once; each account calls itself without one.
 */
async function mine(
  node: Anvil,
  from: number,
  blocks: number,
  perBlock: number,
  called?: string,
): Promise<void> {
  const accounts = (await node.ask("eth_accounts")) as string[];
  for (let block = from; block < from + blocks; block += 1) {
    const sent = Array.from({ length: perBlock }, (_, index) => {
      const nonce = block * (perBlock / accounts.length) + Math.floor(index / accounts.length);
      const from = accounts[index % accounts.length];
      const gas = called === undefined ? "0x5208" : "0x20000";
      const rest = { value: "0x1", gas, gasPrice: "0x77359400" };
      return { from, to: called ?? from, nonce: `0x${nonce.toString(16)}`, ...rest };
    });
    await Promise.all(sent.map((transaction) => node.ask("eth_sendTransaction", transaction)));
    await node.ask("evm_mine");
  }
}

const RICH = "0x00000000000000000000000000000000000c0de5";
const HOLDER = "00000000000000000000000000000000deadbee5";
const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/**
 * Code that makes 9 calls with 68 bytes each, writes 4 transfers, and returns 2; and the selectors
 * by which a token is known.
 */
const RICH_CODE = `0x${`6000600060446000600073${HOLDER}5af150`.repeat(9)}${`73${HOLDER}337f${TRANSFER}60206000a3`.repeat(4)}600260005260206000f3${"6318160ddd6370a08231"}`;

test.each([
  ["50 transfers a block", 200, 50, undefined],
  ["500 transactions a block, with 9 frames and 4 logs each", 20, 500, RICH],
] as const)(
  "following a real anvil, %s",
  async (name, blocks, perBlock, called) => {
    const node = await startAnvil(["--no-mining", "--order", "fifo", "--gas-limit", "100000000"]);
    let calls = 0;
    const counting: typeof fetch = (url, init) => {
      const asked: unknown = JSON.parse(String(init?.body));
      calls += Array.isArray(asked) ? asked.length : 1;
      return fetch(url, init);
    };
    try {
      await node.ask("anvil_setCode", RICH, RICH_CODE);
      await mine(node, 0, blocks, perBlock, called);
      const ratios: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const fetching = await seconds(() => fetchAll(node.url, blocks + 1));
        const following = await seconds(() => follow(node.url));
        ratios.push(fetching / following);
      }
      const { chain, update, close } = await followNode(node.url, {
        fetch: counting,
        interval: 60_000,
      });
      const perTransaction = calls / chain.transactionCount;
      calls = 0;
      await mine(node, blocks, 1, perBlock, called);
      await update();
      const afterBlock = calls;
      await close();
      const last = chain.blockInput(blocks + 1)?.executions.at(-1);
      expect([last?.frames.length, last?.logs.length]).toEqual(called ? [9, 4] : [0, 0]);
      expect(chain.tokens()).toHaveLength(called ? 1 : 0);
      console.info(
        `following a real anvil, ${name}: ${median(ratios).toFixed(2)} times as fast as fetching; calls: ${perTransaction.toFixed(3)} a transaction while catching up, ${afterBlock} after a block`,
      );
      if (called !== undefined) expect(perTransaction).toBeLessThanOrEqual(0.05);
      expect(afterBlock).toBeLessThanOrEqual(20);
    } finally {
      await node.stop();
    }
  },
  600_000,
);

test("from mined to visible", async () => {
  const node = await startAnvil();
  const { chain, close } = await followNode(node.url);
  try {
    const [from] = (await node.ask("eth_accounts")) as string[];
    const waits: number[] = [];
    for (let round = 0; round < 15; round += 1) {
      await node.ask("eth_sendTransaction", { from, to: from, value: "0x1" });
      const before = chain.transactionCount;
      waits.push(
        await seconds(async () => {
          while (chain.transactionCount === before)
            await new Promise((resolve) => setTimeout(resolve, 2));
        }),
      );
    }
    console.info(`from mined to visible: ${median(waits).toFixed(3)} s (at most 0.5)`);
    expect(median(waits)).toBeLessThanOrEqual(0.5);
  } finally {
    await close();
    await node.stop();
  }
}, 120_000);
