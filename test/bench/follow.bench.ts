// What following a node costs beside fetching its blocks, how long an answer may have to wait for it, and how soon a block is visible.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BlockSource } from "../../mocks/workbench/follow/block-source.ts";
import { blockGroups } from "../../mocks/workbench/follow/chain-updater.ts";
import { followNode } from "../../mocks/workbench/follow/follow-node.ts";
import { RpcNode } from "../../mocks/workbench/follow/rpc/node.ts";
import { type Anvil, startAnvil } from "../support/anvil.ts";
import { median } from "./median.ts";
import { bytesInUse } from "./memory.ts";

const PROGRAM = fileURLToPath(new URL("./long-node.ts", import.meta.url));
const ROUNDS = 5;

/** Runs with a node in another process: blocks, transactions in each, milliseconds a request, frames and logs of a transaction, words of call data. */
async function withNode(
  shape: readonly number[],
  run: (url: string) => Promise<unknown>,
): Promise<void> {
  const words = shape.map(String);
  const node = spawn(process.execPath, [PROGRAM, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = await once(node.stdout, "data");
    await run(`http://127.0.0.1:${String(port).trim()}`);
  } finally {
    node.kill();
  }
}

const seconds = async (job: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await job();
  return (performance.now() - start) / 1000;
};

/** The processor's time of this thread, in milliseconds: on a busy machine it tells more than the clock. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The longest time of the processor between two turns of other work. */
async function longestSlice(job: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = processorTime();
  let isRunning = true;
  const turn = () => {
    const time = processorTime();
    longest = Math.max(longest, time - last);
    last = time;
    if (isRunning) setImmediate(turn);
  };
  turn();
  await job();
  isRunning = false;
  return longest;
}

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

test.each([
  ["a fast node, 20 transactions a block", [1500, 20, 0]],
  ["a node that takes 20 ms a request, 20 transactions a block", [1500, 20, 20]],
  ["an automine chain, 1 transaction a block", [6000, 1, 2]],
  ["rich blocks: 500 transactions with 9 frames and 4 logs each", [40, 500, 0, 9, 4]],
] as const)(
  "following %s",
  async (name, shape) => {
    await withNode(shape, async (url) => {
      const [blocks, perBlock] = shape;
      const rates = { fetching: [] as number[], following: [] as number[] };
      const processor = { fetching: [] as number[], following: [] as number[] };
      const waits = { most: [] as number[], longest: [] as number[] };
      for (let round = 0; round <= ROUNDS; round += 1) {
        const begin = processorTime();
        const fetching = await seconds(() => fetchAll(url, blocks));
        const middle = processorTime();
        // A new one each round: when it is enabled again, its first figure is the time that it was disabled.
        const delay = monitorEventLoopDelay({ resolution: 1 });
        delay.enable();
        const following = await seconds(() => follow(url));
        delay.disable();
        const end = processorTime();
        // The first round warms up.
        if (round > 0) {
          rates.fetching.push(fetching);
          rates.following.push(following);
          processor.fetching.push(middle - begin);
          processor.following.push(end - middle);
          waits.most.push(delay.percentile(99) / 1e6);
          waits.longest.push(delay.max / 1e6);
        }
      }
      const [fetching, following] = [median(rates.fetching), median(rates.following)];
      const each = (times: number[]) => ((median(times) * 1000) / (blocks * perBlock)).toFixed(0);
      const slice = await longestSlice(() => follow(url));
      console.info(
        [
          name,
          `  fetching ${Math.round(blocks / fetching)} blocks/s, ${Math.round((blocks * perBlock) / fetching)} transactions/s`,
          `  following ${(fetching / following).toFixed(2)} times as fast by the clock, ${(median(processor.fetching) / median(processor.following)).toFixed(2)} by the processor`,
          `  an answer waits ${median(waits.most).toFixed(0)} ms (99 %), ${median(waits.longest).toFixed(0)} ms at most in the median round, ${Math.max(...waits.longest).toFixed(0)} ms in the worst`,
          `  of the processor: fetching ${each(processor.fetching)} µs a transaction, following ${each(processor.following)}, the longest slice ${slice.toFixed(0)} ms`,
        ].join("\n"),
      );
    });
  },
  600_000,
);

/** Blocks of calls of an account on an anvil, mined at once; each account calls itself without one. */
async function mine(node: Anvil, blocks: number, perBlock: number, called?: string): Promise<void> {
  const accounts = (await node.ask("eth_accounts")) as string[];
  for (let block = 0; block < blocks; block += 1) {
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
/** Code that makes 9 calls with 68 bytes each, and writes 4 transfers. */
const RICH_CODE = `0x${`6000600060446000600073${HOLDER}5af150`.repeat(9)}${`73${HOLDER}337f${TRANSFER}60206000a3`.repeat(4)}`;

test.each([
  ["50 transfers a block", 200, 50, undefined],
  ["500 transactions a block, with 9 frames and 4 logs each", 20, 500, RICH],
] as const)(
  "following a real anvil, %s",
  async (name, blocks, perBlock, called) => {
    const node = await startAnvil(["--no-mining", "--order", "fifo", "--gas-limit", "100000000"]);
    try {
      await node.ask("anvil_setCode", RICH, RICH_CODE);
      await mine(node, blocks, perBlock, called);
      const last = (await follow(node.url)).blockInput(blocks)?.executions.at(-1);
      expect([last?.frames.length, last?.logs.length]).toEqual(called ? [9, 4] : [0, 0]);
      const ratios: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const fetching = await seconds(() => fetchAll(node.url, blocks + 1));
        const following = await seconds(() => follow(node.url));
        ratios.push(fetching / following);
      }
      console.info(
        `following a real anvil, ${name}: ${median(ratios).toFixed(2)} times as fast by the clock`,
      );
    } finally {
      await node.stop();
    }
  },
  600_000,
);

test.each([
  ["short", 2],
  ["long", 12],
])(
  "bytes kept of a transaction with 9 frames and 4 logs, whose calls have %s data",
  async (name, words) => {
    // What a first run compiles and keeps is not the chain's.
    await withNode([3, 500, 0, 9, 4, words], follow);
    await withNode([40, 500, 0, 9, 4, words], async (url) => {
      const before = bytesInUse();
      const { chain, close } = await followNode(url);
      await close();
      const bytes = (bytesInUse() - before) / chain.transactionCount;
      console.info(`bytes kept of a rich transaction with ${name} data: ${bytes.toFixed(0)}`);
      expect(chain.transactionCount).toBe(39 * 500);
    });
  },
  120_000,
);

test("calls of the node, catching up and after a block", async () => {
  await withNode([80, 500, 0, 9, 4], async (url) => {
    const ask = async (method: string, ...params: unknown[]) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const headers = { "content-type": "application/json" };
      const response = await fetch(url, { method: "POST", headers, body });
      return ((await response.json()) as { result: number }).result;
    };
    await ask("setHead", 78);
    const before = await ask("callsSoFar");
    const { chain, update, close } = await followNode(url);
    const caughtUp = await ask("callsSoFar");
    const perTransaction = (caughtUp - before) / chain.transactionCount;
    await ask("setHead", 79);
    await update();
    const afterBlock = (await ask("callsSoFar")) - caughtUp - 1;
    await close();
    console.info(
      `calls of the node: ${perTransaction.toFixed(3)} a transaction while catching up (at most 0.05), ${afterBlock} after a block of 500 transactions (at most 20)`,
    );
    expect(chain.head.number).toBe(79);
    expect(perTransaction).toBeLessThanOrEqual(0.05);
    expect(afterBlock).toBeLessThanOrEqual(20);
  });
}, 120_000);

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
