// Requests to a node leave nothing behind, because a follower makes them for days; failures are retried, split or final.
import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { RpcNode } from "../../../mocks/follow/rpc/node.ts";

interface Call {
  readonly id: number;
}
const refusal = (id: number | null | undefined, code: number, message: string) => ({
  ...{ jsonrpc: "2.0", id: id ?? null },
  error: { code, message },
});

test("a request leaves no listener and no timer behind", async () => {
  const ended = new AbortController();
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const signals = new Set<AbortSignal>();
  const node = new RpcNode("http://node.test", {
    signal: ended.signal,
    fetch: async (_, init) => {
      if (init?.signal) signals.add(init.signal);
      return Response.json({ jsonrpc: "2.0", id: 1, result: "0x1" });
    },
  });
  await node.call("eth_blockNumber", []);
  const before = timers();
  for (let index = 0; index < 200; index++) {
    await node.call("eth_blockNumber", []);
    await node.callForText("debug_traceTransaction", []);
  }
  expect(timers() - before).toBeLessThan(20);
  expect(getEventListeners(ended.signal, "abort")).toHaveLength(0);
  // What the follower's signal aborts is a request that runs, not one that has ended.
  ended.abort();
  expect([...signals].some(({ aborted }) => aborted)).toBe(false);
});

test.each([
  ["when it says", 429, "30", 30_000],
  ["after a minute at the latest", 429, "3600", 60_000],
  ["after a minute at the latest", 503, "86400", 60_000],
])("a node that allows no more requests is asked again %s", async (_, status, seconds, wait) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const began = performance.now();
  const limited = new Response("", { status, headers: { "retry-after": seconds } });
  const answers = [limited, Response.json({ id: 1, result: "0x1" })];
  const post: typeof fetch = async () => answers.shift() ?? Response.error();
  const result = new RpcNode("http://node.test", { fetch: post }).call("eth_blockNumber", []);
  const waited = result.then(() => performance.now() - began);
  await vi.runAllTimersAsync();
  expect(await waited).toBe(wait);
});

test.each<[string, () => Promise<Response>]>([
  ["half of the JSON", async () => new Response("[")],
  ["a broken connection", () => Promise.reject(new TypeError("fetch failed"))],
])("a request is sent again after %s", async (_, broken) => {
  const post = vi.fn<typeof fetch>(async () => Response.json({ id: 1, result: "0x1" }));
  post.mockImplementationOnce(broken);
  const node = new RpcNode("http://node.test", { fetch: post, retryDelay: 0 });
  expect(await node.call("eth_blockNumber", [])).toBe("0x1");
  expect(post).toHaveBeenCalledTimes(2);
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

test("the ids of a batch begin at 1: tevm leaves out the response to 0", async () => {
  const ids: number[] = [];
  const answering: typeof fetch = async (_, init) => {
    const calls: { id: number }[] = JSON.parse(String(init?.body));
    ids.push(...calls.map(({ id }) => id));
    return Response.json(calls.filter(({ id }) => id !== 0).map(({ id }) => ({ id, result: id })));
  };
  const node = new RpcNode("http://node.example", { fetch: answering, retries: 0 });
  const calls = [1, 2, 3].map(() => ({ method: "eth_chainId", params: [] }));
  expect(await node.callAll(calls)).toEqual([{ result: 1 }, { result: 2 }, { result: 3 }]);
  expect(ids).toEqual([1, 2, 3]);
});

describe("a batch that is too much is sent in smaller ones, at once", () => {
  const MOST = 5;
  /** The first calls are answered, the others refused. */
  const behind = (code: number, message: string) => (calls: readonly Call[]) =>
    Response.json(
      calls.map(({ id }, nth) => (nth < MOST ? { id, result: id } : refusal(id, code, message))),
    );

  test.each<[string, (calls: readonly Call[]) => Response]>([
    [
      "geth: of the first call",
      ([first]) => Response.json([refusal(first?.id, -32600, "batch too large")]),
    ],
    ["geth: too long a response, of the calls after it", behind(-32003, "response too large")],
    ["geth: too long a time, of the calls after it", behind(-32002, "request timed out")],
    [
      "besu",
      () => Response.json(refusal(null, -32005, "Number of requests exceeds max batch size")),
    ],
    ["erigon", () => Response.json([refusal(null, -32000, "batch limit 5 exceeded: 100")])],
    ["a proxy, by HTTP 413", () => new Response("<html>", { status: 413 })],
    ["a node without batches", () => Response.json({ error: "no batches" }, { status: 400 })],
  ])("%s", async (_, refused) => {
    const failures: string[] = [];
    const node = new RpcNode("http://node.example", {
      onRetry: ({ message }) => failures.push(message),
      fetch: async (_, init) => {
        const sent: Call | readonly Call[] = JSON.parse(String(init?.body));
        if ("id" in sent) return Response.json({ id: sent.id, result: sent.id });
        if (sent.length > MOST) return refused(sent);
        return Response.json(sent.map(({ id }) => ({ id, result: id })));
      },
    });
    const calls = Array.from({ length: 40 }, () => ({ method: "eth_chainId", params: [] }));
    const answers = await node.callAll(calls);
    expect(answers).toEqual(calls.map(() => ({ result: expect.any(Number) })));
    expect(failures).toEqual([]);
  });
});

describe("an unknown error of a call", () => {
  const error = { code: -32000, message: "receipts length mismatch: 1 vs 0" };
  /** A node that fails one method, and all when it is `down`. */
  const failing = (isDown: boolean) => {
    const counts = { calls: 0 };
    const answering: typeof fetch = async (_, init) => {
      const { id, method } = JSON.parse(String(init?.body));
      counts.calls += 1;
      const fails = isDown || method === "eth_getBlockReceipts";
      return Response.json({ id, ...(fails ? { error } : { result: "0x1" }) });
    };
    const node = new RpcNode("http://node.example", { fetch: answering });
    return {
      counts,
      ask: (method = "eth_getBlockReceipts") => node.callAll([{ method, params: ["0x1"] }]),
    };
  };

  test("is final after four retries if the node answers another call, and then at once", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const { ask, counts } = failing(false);
    const began = performance.now();
    const first = ask();
    await vi.runAllTimersAsync();
    expect(await first).toEqual([{ error: { ...error, isForGood: true } }]);
    expect(performance.now() - began).toBe(3000);
    const before = counts.calls;
    expect(await ask()).toEqual([{ error: { ...error, isForGood: true } }]);
    expect(counts.calls - before).toBe(1);
  });

  test("is the answer where a transaction is sent, which is sent once", async () => {
    const { ask, counts } = failing(true);
    expect(await ask("eth_sendTransaction")).toEqual([{ error }]);
    expect(counts.calls).toBe(1);
  });

  test("is not, if the node answers nothing", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const { ask } = failing(true);
    const first = ask();
    await vi.runAllTimersAsync();
    expect(await first).toEqual([{ error }]);
  });
});
