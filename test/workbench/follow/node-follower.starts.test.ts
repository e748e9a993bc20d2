// A node that keeps reverting does not keep a follower from starting, or from ending.
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { followNode, startFollowing } from "../../../mocks/node.ts";
import { type Anvil, startAnvil } from "../../support/anvil.ts";
import { FakeNode } from "../../support/fake-node.ts";
import { limit, runs } from "../../support/runs.ts";

let node: Anvil;
beforeAll(async () => {
  node = await startAnvil();
});
afterAll(() => node.stop());

test(
  "15 starts while another process reverts are 15 successes",
  async () => {
    let stopped = false;
    let reverts = 0;
    let started = 0;
    const [from] = (await node.ask("eth_accounts")) as string[];
    const reverting = (async () => {
      while (!stopped) {
        // Without a pause no chain would stay long enough to be read: a start has ten attempts, and each revert ends one.
        if (reverts >= 5 * started) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          continue;
        }
        const snapshot = await node.ask("evm_snapshot");
        for (let nonce = 0; nonce < 4; nonce++) {
          await node.ask("eth_sendTransaction", { from, to: from, value: "0x1" });
          await node.ask("evm_mine");
        }
        await node.ask("evm_revert", snapshot);
        reverts += 1;
      }
    })();
    try {
      while (started < runs(15)) {
        started += 1;
        const { chain, close } = await followNode(node.url, { interval: 60_000 });
        expect(chain.head.number).toBeGreaterThanOrEqual(0);
        await close();
        await expect.poll(() => reverts).toBe(5 * started);
      }
    } finally {
      stopped = true;
      await reverting;
    }
  },
  limit(300_000),
);

test("closing ends the pause between attempts", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const faked = new FakeNode();
  // The node does not have the blocks that it says are there.
  faked.faults.call = ({ method, params: [, full] }) =>
    method === "eth_getBlockByNumber" && full === true ? { result: null } : undefined;
  const follower = startFollowing(faked.url, { fetch: faked.fetch, onError: () => {} });
  await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
  // No time passes here: the pause would never end.
  await follower.close();
  expect(follower.status().head).toBeNull();
});

test("polls four times as often for ten seconds after a new head", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const node = new FakeNode();
  node.head = 90;
  const follower = await followNode(node.url, { fetch: node.fetch, interval: 1000 });
  try {
    const pollsIn = async (seconds: number) => {
      const before = node.posts;
      for (let passed = 0; passed < seconds; passed += 0.25) {
        await vi.advanceTimersByTimeAsync(250);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return node.posts - before;
    };
    expect(await pollsIn(10)).toBe(40);
    expect(await pollsIn(10)).toBeLessThan(13);
    node.head = 91;
    await pollsIn(1);
    expect(follower.chain.head.number).toBe(91);
    expect(await pollsIn(8)).toBe(32);
  } finally {
    vi.useRealTimers();
    await follower.close();
  }
});
