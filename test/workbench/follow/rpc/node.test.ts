// Requests to a node leave nothing behind, since a follower makes them for days, and do not keep the event loop busy.
import { getEventListeners } from "node:events";
import { expect, test, vi } from "vitest";
import { RpcNode } from "../../../../mocks/workbench/follow/rpc/node.ts";

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

test("a transaction that the node refuses is not sent again", async () => {
  let requests = 0;
  const node = new RpcNode("http://node.test", {
    retryDelay: 0,
    fetch: async () => {
      requests++;
      const error = { code: -32003, message: "Insufficient funds for gas * price + value" };
      return Response.json({ jsonrpc: "2.0", id: 0, error });
    },
  });
  await expect(node.call("eth_sendTransaction", [{}])).rejects.toThrow("Insufficient funds");
  expect(requests).toBe(1);
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

test("of long responses that arrive together, one is parsed in a turn of the event loop", async () => {
  const result = "x".repeat(2 ** 18);
  const post: typeof fetch = async () => Response.json({ jsonrpc: "2.0", id: 0, result });
  const node = new RpcNode("http://node.test", { fetch: post });
  let turn = 0;
  let isRunning = true;
  const count = () => {
    turn += 1;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  const parse = JSON.parse;
  const spy = vi.spyOn(JSON, "parse").mockImplementation((text, ...rest) => {
    if (text.length > result.length) turns.push(turn);
    return parse(text, ...rest);
  });
  try {
    expect(await Promise.all([1, 2, 3, 4].map(() => node.call("any", [])))).toEqual(
      Array(4).fill(result),
    );
  } finally {
    isRunning = false;
    spy.mockRestore();
  }
  expect(new Set(turns).size).toBe(4);
});
