// When a follower polls its node, and that it ends while it waits for one.
import { expect, onTestFinished, test, vi } from "vitest";
import { followNode, startFollowing } from "../../mocks/node.ts";
import { FakeNode } from "../support/fake-node.ts";

test("closing ends the pause between attempts", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
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

test("polls four times as often for ten seconds after a new head, reports each, and ends with its signal", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const node = new FakeNode();
  node.head = 90;
  const heads: number[] = [];
  const ends = new Set<boolean>();
  const stop = new AbortController();
  const follower = await followNode(node.url, {
    ...{ fetch: node.fetch, interval: 1000, signal: stop.signal },
    onHead: ({ head }) => heads.push(head.number),
    onError: (_, ended) => ends.add(ended),
  });
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
    // Once it has followed, nothing that the node refuses ends it.
    node.faults.post = () => new Response("", { status: 401 });
    await pollsIn(1);
    node.faults = {};
    node.head = 92;
    await pollsIn(1);
    expect([heads, ends]).toEqual([[90, 91, 92], new Set([false])]);
    stop.abort();
    expect(await pollsIn(2)).toBe(0);
  } finally {
    vi.useRealTimers();
    await follower.close();
  }
});

test("blocks are followed up to the last one that is wanted", async () => {
  const node = new FakeNode();
  node.head = 40;
  const follower = await followNode(node.url, { fetch: node.fetch, retries: 0, toBlock: 50 });
  onTestFinished(() => follower.close());
  expect(follower.status()).toMatchObject({ head: 40, nodeHead: 40 });
  node.head = 92;
  await follower.update();
  expect(follower.status()).toMatchObject({ head: 50, nodeHead: 50, lag: 0, state: "following" });
});

test("a chain that would not fit into memory is refused before it is read, by a sample of its blocks", async () => {
  const node = new FakeNode();
  const hashes = Array.from({ length: 5000 }, (_, index) => `0x${`${index}`.padStart(64, "0")}`);
  const requested = new Set<unknown>();
  node.faults.call = ({ method, params: [at, whole] }) => {
    if (method !== "eth_getBlockByNumber") return undefined;
    if (whole === true) throw new Error("no block is read");
    requested.add(at);
    const number = at === "latest" ? "0xf4240" : at;
    return { result: { number, hash: hashes[0], transactions: hashes } };
  };
  await expect(followNode(node.url, { fetch: node.fetch, retries: 0 })).rejects.toThrow(
    /^the blocks 0 to 1000000 have about 5000005000 transactions, by a sample of them, which take about \d+ MB of memory; this process may use \d+ MB\. What to do: load fewer blocks with fromBlock \(--from-block \d+\) or toBlock \(--to-block \d+\)/,
  );
  expect(requested.size).toBe(101);
});
