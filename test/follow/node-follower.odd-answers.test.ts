// Wrong answers for a moment, and blocks that a node only reserves: the follower goes on, and its advice fits the node.
import { setTimeout } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { ZERO_HASH } from "../../mocks/chain/hex.ts";
import type { Call, RpcAnswer } from "../support/fake-node.ts";
import { BLOCK, BranchingNode, FIRST, follow, LAST } from "./branching-node.ts";

const AT = "0x5a"; // block 90

/** The answer about block 90, changed. */
const spoiled =
  (method: string, change: (result: never) => unknown) =>
  (node: BranchingNode) =>
  (call: Call): RpcAnswer | undefined => {
    const [at, whole] = call.params;
    if (call.method !== method || at !== AT || (method === BLOCK && whole !== true))
      return undefined;
    const answer = node.branched(call);
    return "result" in answer
      ? { result: change(structuredClone(answer.result) as never) }
      : answer;
  };

type Fields = Record<string, unknown>;
const otherHash = `0x${"77".repeat(32)}`;
const blockWith = (fields: Fields) => spoiled(BLOCK, (block: Fields) => ({ ...block, ...fields }));

describe("wrong answers about a block for a moment", () => {
  test.each([
    ["another parent", blockWith({ parentHash: otherHash })],
    ["a timestamp of null", blockWith({ timestamp: null })],
    ["another number", blockWith({ number: "0x3" })],
    ["no hash of a transaction", blockWith({ transactions: [{ hash: null }] })],
    [
      "transactions without senders",
      spoiled(BLOCK, ({ transactions, ...block }: Fields) => ({
        ...block,
        transactions: (transactions as Fields[]).map((one) => ({ ...one, from: "0x12" })),
      })),
    ],
    ["an empty block", spoiled(BLOCK, () => ({}))],
  ])("%s: the block is read again, and followed", async (_, spoil) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const node = new BranchingNode();
    node.head = 89;
    const { errors, ...follower } = await follow(node);
    node.spoil = spoil(node);
    node.head = LAST;
    for (let poll = 0; poll < 4; poll += 1) await follower.update().catch(() => {});
    expect(follower.chain.head.number).toBe(89);
    node.spoil = () => undefined;
    vi.advanceTimersByTime(500);
    await follower.update().catch(() => {});
    vi.advanceTimersByTime(60_000);
    await follower.update();
    expect(follower.status()).toMatchObject({ head: LAST, state: "following" });
    expect(new Set(errors).size).toBeLessThanOrEqual(1);
  });

  test("the pauses grow up to a minute", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const node = new BranchingNode();
    node.spoil = blockWith({ timestamp: null })(node);
    const follower = await follow(node);
    let reads = 0;
    const spoil = node.spoil;
    node.spoil = (call) => {
      const answer = spoil(call);
      if (answer !== undefined) reads += 1;
      return answer;
    };
    for (let second = 0; second < 300; second += 1) {
      vi.advanceTimersByTime(1000);
      await follower.update();
    }
    // After 1, 2, 4, 8, 16, 32, 60, 60 and 60 s.
    expect(reads).toBeGreaterThanOrEqual(8);
    expect(reads).toBeLessThanOrEqual(12);
  });
});

test("blocks that a node only reserves, without a parent, are followed by their number", async () => {
  const node = new BranchingNode();
  node.spoil = (call) => {
    if (call.method !== BLOCK) return undefined;
    const answer = node.branched(call);
    if (!("result" in answer) || answer.result === null) return answer;
    const block = answer.result as { number: string };
    const isReserved = Number(block.number) > FIRST + 1 && Number(block.number) < LAST;
    return isReserved ? { result: { ...block, parentHash: ZERO_HASH } } : answer;
  };
  const follower = await follow(node);
  expect(follower.status()).toMatchObject({ head: LAST, state: "following" });
  expect(follower.chain.block(90)?.parentHash).toBe(follower.chain.block(89)?.hash);
});

describe("what to do about a block that does not follow the one below it fits the node", () => {
  test.each([
    ["anvil/v1.7.1", /anvil_reset/, /hardhat/],
    ["HardhatNetwork/3.18.0/@nomicfoundation/edr/0.3.8", /hardhat_reset/, /anvil/],
    ["HardhatNetwork/2.22.1/@nomicfoundation", /hardhat_reset/, /anvil/],
    ["Geth/v1.16.0", /another address of the network/, /anvil|hardhat/],
    [undefined, /another address of the network/, /anvil|hardhat/],
  ])("%s", async (version, wanted, foreign) => {
    const node = new BranchingNode();
    node.version = version;
    node.spoil = blockWith({ parentHash: otherHash })(node);
    const { errors } = await follow(node);
    await setTimeout(0);
    expect(errors).toEqual([expect.stringMatching(wanted)]);
    expect(errors[0]).not.toMatch(foreign);
  });
});
