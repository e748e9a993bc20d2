// A node that becomes another one without a word: blocks that do not fit together, and another network with equal blocks.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createExplorer } from "../../../mocks/node.ts";
import {
  type Follower,
  type FollowOptions,
  followNode,
} from "../../../mocks/workbench/follow/follow-node.ts";
import { ExplorerClient } from "../../../src/index.ts";
import { type Anvil, startAnvil } from "../../support/anvil.ts";

const BOB = "0x00000000000000000000000000000000000b0b00";

const nodes: Anvil[] = [];
const followers: Follower[] = [];
afterEach(async () => {
  for (const follower of followers.splice(0)) await follower.close();
  for (const node of nodes.splice(0)) await node.stop();
});

async function start(...flags: string[]): Promise<Anvil> {
  const node = await startAnvil(flags);
  nodes.push(node);
  return node;
}

async function follow(url: string, options: FollowOptions = {}): Promise<Follower> {
  const follower = await followNode(url, { interval: 3_600_000, ...options });
  followers.push(follower);
  return follower;
}

interface NodeBlock {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
}

const blockOf = async (node: Anvil, at: string) =>
  (await node.ask("eth_getBlockByNumber", at, false)) as NodeBlock;

const mine = async (node: Anvil, count: number) => {
  for (let mined = 0; mined < count; mined += 1) await node.ask("evm_mine");
};

describe("a node of another network with the same head", () => {
  /** Two nodes with equal blocks. */
  const startEqual = async (chainId: number) => {
    const node = await start("--timestamp", "1000", "--chain-id", String(chainId));
    for (const time of [2000, 3000]) {
      await node.ask("evm_setNextBlockTimestamp", time);
      await mine(node, 1);
    }
    return node;
  };
  let one: Anvil;
  let other: Anvil;
  /** Where the requests go. */
  let current: Anvil;
  const ask: typeof fetch = (_, init) => fetch(current.url, init);
  beforeEach(async () => {
    [one, other] = [await startEqual(1), await startEqual(2)];
    current = one;
    expect(await blockOf(one, "latest")).toEqual(await blockOf(other, "latest"));
  });

  test("is not asked for the state while a store of the first one refuses it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "mrc-store-"));
    try {
      const follower = await follow("http://node.test", { fetch: ask, store: folder });
      const { baseUrl, fetch } = createExplorer({ chain: follower });
      const explorer = new ExplorerClient({ baseUrl, apiKey: "any", fetch, retry: 0 });
      await one.ask("anvil_setBalance", BOB, "0x1");
      await other.ask("anvil_setBalance", BOB, "0x2");
      expect(await explorer.accounts.balance(BOB)).toBe(1n);
      current = other;
      for (let poll = 0; poll < 60; poll += 1) await follower.update().catch(() => {});
      await expect(follower.update()).rejects.toThrow(/choose another folder/);
      await expect(explorer.accounts.balance(BOB)).rejects.toThrow(
        /of chain 1, and the node has chain 2/,
      );
      expect(follower.chain.balance(BOB)).toBe(1n);

      current = one;
      await follower.update();
      await one.ask("anvil_setBalance", BOB, "0x3");
      expect(await explorer.accounts.balance(BOB)).toBe(3n);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
