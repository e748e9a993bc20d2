// Requests to a node leave nothing behind: a follower makes them for days.
import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { RpcNode } from "../../mocks/rpc/node.ts";

test("a request leaves no listener and no timer behind", async () => {
  const ended = new AbortController();
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const signals = new Set<AbortSignal>();
  const node = new RpcNode("http://node.test", {
    signal: ended.signal,
    fetch: async (_, init) => {
      if (init?.signal) signals.add(init.signal);
      return Response.json({ jsonrpc: "2.0", id: 0, result: "0x1" });
    },
  });
  await node.call("eth_blockNumber", []);
  const before = timers();
  for (let index = 0; index < 200; index++) await node.call("eth_blockNumber", []);
  expect(timers() - before).toBeLessThan(20);
  expect(getEventListeners(ended.signal, "abort")).toHaveLength(0);
  // What the follower's signal aborts is a request that runs, not one that has ended.
  ended.abort();
  expect([...signals].some(({ aborted }) => aborted)).toBe(false);
});

test("a request that runs ends when the follower does", async () => {
  const ended = new AbortController();
  const node = new RpcNode("http://node.test", {
    signal: ended.signal,
    fetch: (_, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        ended.abort(new Error("closed"));
      }),
  });
  await expect(node.call("eth_blockNumber", [])).rejects.toThrow("closed");
});
