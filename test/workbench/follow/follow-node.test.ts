// Following a real node: what it has, what it mines, and what it takes back.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Address } from "../../../mocks/double/chain/records.ts";
import {
  type Follower,
  type FollowOptions,
  followNode,
} from "../../../mocks/workbench/follow/follow-node.ts";
import { readState } from "../../support/account-state.ts";
import { type Anvil, startAnvil } from "../../support/anvil.ts";

const [ALICE, BOB]: [Address, Address] = [
  "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
];

describe("following a node", () => {
  let node: Anvil;
  const followers: Follower[] = [];
  const follow = async (options: FollowOptions = {}) => {
    const follower = await followNode(node.url, { interval: 60_000, ...options });
    followers.push(follower);
    return follower;
  };
  afterEach(async () => {
    for (const follower of followers.splice(0)) await follower.close();
  });

  describe("that goes on", () => {
    beforeAll(async () => {
      node = await startAnvil();
    });
    afterAll(() => node.stop());
    const send = async (value: number) => {
      const hash = await node.ask("eth_sendTransaction", {
        from: ALICE,
        to: BOB,
        value: `0x${value.toString(16)}`,
      });
      // The node says that it has a transaction before it has mined it.
      await expect.poll(() => node.ask("eth_getTransactionReceipt", hash)).not.toBeNull();
      return hash as `0x${string}`;
    };
    const balanceOf = async (follower: Follower, address: Address) => {
      await readState(follower, [address]);
      return follower.chain.balance(address);
    };
    const balanceOnNode = async (address: Address) =>
      BigInt(String(await node.ask("eth_getBalance", address, "latest")));
    const headHash = async () => {
      const head = await node.ask("eth_getBlockByNumber", "latest", false);
      return (head as { hash: string }).hash;
    };

    test("takes over new blocks by itself", async () => {
      const follower = await follow({ interval: 20 });
      const { chain } = follower;
      expect(await balanceOf(follower, BOB)).toBe(await balanceOnNode(BOB));
      const hash = await send(1000);
      await expect.poll(() => chain.transaction(hash)?.succeeded).toBe(true);
      expect(await balanceOf(follower, BOB)).toBe(await balanceOnNode(BOB));
    });

    test("takes no contract for a collection that only writes its events", async () => {
      const transfer = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
      // Writes Transfer(0, Alice, 7) when created; its code is STOP, an answer of no bytes to any question.
      const data = `0x600773${ALICE.slice(2)}60007f${transfer}60006000a460016000f3`;
      const hash = await node.ask("eth_sendTransaction", { from: ALICE, data });
      await expect.poll(() => node.ask("eth_getTransactionReceipt", hash)).not.toBeNull();
      const { chain } = await follow();
      const created = chain.transaction(hash as `0x${string}`)?.created as Address;
      expect(chain.logs({ address: created, topics: [], operand: "and" }).count).toBe(1);
      expect(chain.code(created)).toBe("0x00");
      expect(chain.token(created)).toBeUndefined();
      expect(chain.transfers(ALICE, "mrc721", {}).count).toBe(0);
    });

    test("goes back with the node, and takes the other branch", async () => {
      await send(1);
      const follower = await follow();
      const { chain, update } = follower;
      const snapshot = await node.ask("evm_snapshot");
      const undone = await send(2);
      await send(3);
      await update();
      expect(chain.transaction(undone)).toBeDefined();

      await node.ask("evm_revert", snapshot);
      await update();
      expect(chain.head.hash).toBe(await headHash());
      expect(chain.transaction(undone)).toBeUndefined();
      expect(await balanceOf(follower, BOB)).toBe(await balanceOnNode(BOB));

      const kept = [await send(4), await send(5), await send(6)];
      await update();
      expect(chain.head.hash).toBe(await headHash());
      expect(kept.map((hash) => chain.transaction(hash)?.succeeded)).toEqual([true, true, true]);
      expect([await balanceOf(follower, ALICE), await balanceOf(follower, BOB)]).toEqual([
        await balanceOnNode(ALICE),
        await balanceOnNode(BOB),
      ]);
    });

    test("replaces blocks that the node replaced at the same height", async () => {
      for (const value of [7, 8, 9]) await send(value);
      const follower = await follow();
      const { chain, update } = follower;
      const before = chain.head.hash;
      await node.ask("anvil_reorg", 3, []);
      await update();
      expect(chain.head.hash).not.toBe(before);
      expect(chain.head.hash).toBe(await headHash());
      expect(await balanceOf(follower, BOB)).toBe(await balanceOnNode(BOB));
    });

    test("reports failures and continues; requests nothing once closed", async () => {
      const errors: unknown[] = [];
      let broken = false;
      let asked = 0;
      const follower = await follow({
        interval: 10,
        retries: 0,
        onError: (error) => errors.push(error),
        fetch: (url, init) => {
          asked += 1;
          return broken ? Promise.reject(new Error("no line")) : fetch(url, init);
        },
      });
      broken = true;
      await expect.poll(() => errors.length).toBeGreaterThan(0);
      broken = false;
      const hash = await send(10);
      await expect.poll(() => follower.chain.transaction(hash)).toBeDefined();
      await follower.close();
      const then = asked;
      await send(11);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(asked).toBe(then);
    });
  });

  test("fails where there is no node, and says nothing of keys", async () => {
    const failure = await followNode("http://user:secret@127.0.0.1:65535/key?key=key", {
      retries: 1,
      retryDelay: 1,
    }).catch((error: unknown) => error);
    expect(String(failure)).toMatch(/cannot reach the node at http:\/\/127\.0\.0\.1:65535: /);
    expect(String(failure)).not.toMatch(/key|secret/);
  });
});
