// What a node does wrong costs time, never truth: the followed chain equals the one loaded from the same records.
import fc from "fast-check";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Address } from "../../../mocks/double/chain/records.ts";
import type { ChainWriter } from "../../../mocks/double/chain/writer.ts";
import { randomNumbers } from "../../../mocks/double/service/random.ts";
import { loadChain } from "../../../mocks/double/sources/ingest/load-chain.ts";
import {
  type FollowOptions,
  followNode,
  startFollowing,
} from "../../../mocks/workbench/follow/follow-node.ts";
import { accountState, readState } from "../../support/account-state.ts";
import { DEMO } from "../../support/chains.ts";
import { readDemoOracle } from "../../support/demo-oracle.ts";
import {
  type Call,
  FakeNode,
  type FakeNodeFaults,
  type RpcAnswer,
} from "../../support/fake-node.ts";
import { limit, runs } from "../../support/runs.ts";

const quick = { retryDelay: 0, interval: 60_000 } satisfies FollowOptions;
const LAST = 92;

let demo: ChainWriter;
let addresses: Address[];
beforeAll(async () => {
  demo = await loadChain(DEMO);
  addresses = Object.keys(readDemoOracle().nativeBalances) as Address[];
});

function expectDemo(chain: ChainWriter) {
  expect(chain.head).toEqual(demo.head);
  expect(chain.transactionCount).toBe(demo.transactionCount);
  for (const address of addresses)
    expect([address, accountState(chain, address)]).toEqual([address, accountState(demo, address)]);
}

async function follow(node: FakeNode, options: FollowOptions = {}) {
  const follower = await followNode(node.url, { ...quick, fetch: node.fetch, ...options });
  await readState(follower, addresses);
  await follower.close();
  return follower;
}

const nodeWith = (faults: FakeNodeFaults, missing?: readonly string[]) => {
  const node = new FakeNode(missing);
  node.faults = faults;
  return node;
};

const error = (code: number, message: string): RpcAnswer => ({ error: { code, message } });
const html = (status: number) =>
  new Response("<html>", { status, headers: { "content-type": "text/html" } });
/** True for about one in `n` questions. */
const oneIn = (n: number) => {
  let count = 0;
  return () => {
    count += 1;
    return randomNumbers(n, count) < 1 / n;
  };
};

/** By name: faults that pass when the node is asked again. */
const TRANSIENT: Readonly<Record<string, () => FakeNodeFaults>> = {
  "a rate limit for one eth_call in ten": () => {
    const isHit = oneIn(10);
    return {
      call: ({ method }) =>
        method === "eth_call" && isHit() ? error(-32005, "limit exceeded") : undefined,
    };
  },
  "internal errors": () => {
    const isHit = oneIn(7);
    return { call: () => (isHit() ? error(-32603, "Internal error") : undefined) };
  },
  "errors without a meaning": () => {
    const isHit = oneIn(9);
    return { call: () => (isHit() ? error(-32000, "something went wrong") : undefined) };
  },
  "HTTP 429 with Retry-After": () => {
    const isHit = oneIn(5);
    return {
      post: () =>
        isHit() ? new Response("", { status: 429, headers: { "retry-after": "0" } }) : undefined,
    };
  },
  "pages of HTML": () => {
    const isHit = oneIn(5);
    return { post: () => (isHit() ? html(200) : undefined) };
  },
  "bad gateways": () => {
    const isHit = oneIn(5);
    return { post: () => (isHit() ? html(502) : undefined) };
  },
  "connections that are reset": () => {
    const isHit = oneIn(5);
    return {
      post: () => {
        if (isHit()) throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
        return undefined;
      },
    };
  },
  "requests left out of a batch": () => {
    const isHit = oneIn(5);
    return { call: () => (isHit() ? null : undefined) };
  },
  "batches of more than 7 refused with HTTP 413": () => ({
    post: (calls) => (calls.length > 7 ? html(413) : undefined),
  }),
  "batches of more than 3 refused with an error": () => ({
    post: (calls) =>
      calls.length > 3
        ? Response.json({
            jsonrpc: "2.0",
            id: null,
            error: { code: -32600, message: "batch too large" },
          })
        : undefined,
  }),
  "no batches at all": () => ({
    post: (calls) =>
      calls.length > 1 ? Response.json({ error: "no batches" }, { status: 400 }) : undefined,
  }),
};

describe("a fault that passes changes nothing", () => {
  test.each(Object.entries(TRANSIENT))("%s", async (_, faults) => {
    const { chain, status } = await follow(nodeWith(faults()));
    expectDemo(chain);
    expect(status()).toMatchObject({ head: LAST, lag: 0, missing: [], state: "following" });
  });

  test(
    "any of them together, in any order",
    async () => {
      const kinds = [
        ["call", error(-32005, "rate limited")],
        ["call", error(-32603, "internal")],
        ["call", null],
        ["post", () => new Response("", { status: 429 })],
        ["post", () => html(503)],
        ["post", () => new Response("[", { status: 200 })],
      ] as const;
      await fc.assert(
        fc.asyncProperty(
          fc.nat(),
          fc.integer({ min: 1, max: 100 }),
          fc.subarray(["eth_getBlockReceipts"]),
          async (seed, batch, missing) => {
            let drawn = 0;
            const random = () => randomNumbers(seed, drawn++);
            const draw = (where: "call" | "post") => {
              const [at, fault] = kinds[Math.floor(random() * kinds.length)] ?? kinds[0];
              return random() < 0.1 && at === where ? fault : undefined;
            };
            const node = nodeWith(
              {
                call: () => draw("call") as RpcAnswer | null | undefined,
                post: () => (draw("post") as (() => Response) | undefined)?.(),
              },
              ["trace_block", ...missing],
            );
            expectDemo((await follow(node, { batch, retries: 30 })).chain);
          },
        ),
        { numRuns: runs(5) },
      );
    },
    limit(600_000),
  );
});

describe("what does not pass", () => {
  test("a reverted call is a fact, and not retried", async () => {
    const asked: string[] = [];
    const node = nodeWith({
      call: ({ method, params }) => {
        if (method === "eth_call") asked.push(JSON.stringify(params));
        return undefined;
      },
    });
    const { close } = await followNode(node.url, { ...quick, fetch: node.fetch });
    await close();
    expect(asked.length).toBeGreaterThan(50);
    // What may become a token is asked again as it runs.
    expect(asked.length).toBeLessThan(2 * new Set(asked).size);
  });

  test("a token that cannot be asked is named as missing, and asked again", async () => {
    const node = nodeWith({});
    let broken: string | undefined;
    node.faults.call = ({ method, params: [subject] }: Call) => {
      if (method !== "eth_call") return undefined;
      const { to, data } = subject as { to: string; data: string };
      if (!data.startsWith("0x06fdde03")) return undefined;
      broken ??= to;
      return to === broken ? error(-32000, "something went wrong") : undefined;
    };
    const follower = await followNode(node.url, { ...quick, fetch: node.fetch });
    expect(follower.status().missing).toEqual([`eth_call to ${broken}`]);
    node.faults = {};
    await follower.update();
    expect(follower.status().missing).toEqual([]);
    await readState(follower, addresses);
    expectDemo(follower.chain);
    await follower.close();
  });

  test("a wrong key is said at once, without its text", async () => {
    const node = nodeWith({ post: () => new Response("bad key", { status: 401 }) });
    await expect(follow(node)).rejects.toThrow(
      "http://node.test refused access (HTTP 401). What to do: check the key in the node's URL",
    );
    expect(node.posts).toBe(1);
  });

  test("one refusal of a method is not remembered", async () => {
    let refusals = 1;
    const node = nodeWith({
      call: ({ method }) =>
        method === "debug_traceBlockByNumber" && refusals-- > 0
          ? error(-32601, "the method does not exist")
          : undefined,
    });
    expectDemo((await follow(node)).chain);
    expect(node.asked.get("debug_traceBlockByNumber")).toBeGreaterThan(50);
  });

  test("a request without a response is named with its method in the status", async () => {
    const node = nodeWith({
      post: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    const follower = startFollowing(node.url, {
      ...{ ...quick, fetch: node.fetch, timeout: 20, retries: 1, onError: () => {} },
    });
    await expect(follower.update()).rejects.toThrow(
      "cannot reach the node at http://node.test: eth_getBlockByNumber timed out after 0.02 s",
    );
    expect(follower.status().lastError?.message).toContain("eth_getBlockByNumber timed out");
    await follower.close();
  });
});

describe("a chain that changes while it is read", () => {
  test("receipts that are not there yet are asked again", async () => {
    let missing = 3;
    const node = nodeWith({
      call: ({ method }) =>
        method === "eth_getBlockReceipts" && missing-- > 0 ? { result: null } : undefined,
    });
    expectDemo((await follow(node)).chain);
  });

  test("blocks that a server behind the same address does not have yet are no gap", async () => {
    let lagging = 6;
    const node = nodeWith({
      call: ({ method, params }) => {
        if (method !== "eth_getBlockByNumber" || Number(params[0]) < 90) return undefined;
        if (Number(params[0]) === 91) lagging -= 1;
        return params[0] !== "latest" && lagging > 0 ? { result: null } : undefined;
      },
    });
    const errors: unknown[] = [];
    const { chain } = await follow(node, { onError: (error) => errors.push(error) });
    expect([lagging, errors]).toEqual([expect.toSatisfy((left) => left <= 0), []]);
    expectDemo(chain);
  });

  test("no latest block yet is asked again by a follower that has started", async () => {
    let missing = 3;
    const node = nodeWith({
      call: ({ method, params }) =>
        method === "eth_getBlockByNumber" && params[0] === "latest" && missing-- > 0
          ? { result: null }
          : undefined,
    });
    const follower = startFollowing(node.url, {
      ...quick,
      interval: 1,
      fetch: node.fetch,
      onError: () => {},
    });
    expect(follower.status()).toMatchObject({
      state: "connecting",
      head: null,
      nodeHead: null,
      lag: null,
    });
    await follower.ready;
    await readState(follower, addresses);
    await follower.close();
    expectDemo(follower.chain);
  });

  test("a node that starts later is followed when it is there", async () => {
    let down = true;
    const node = nodeWith({
      post: () => {
        if (down) throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
        return undefined;
      },
    });
    const errors: unknown[] = [];
    const follower = startFollowing(node.url, {
      ...quick,
      interval: 1,
      retries: 0,
      fetch: node.fetch,
      onError: (error) => errors.push(error),
    });
    await expect.poll(() => errors.length).toBeGreaterThan(2);
    expect(follower.status().lastError?.message).toMatch(/cannot reach the node .*ECONNREFUSED/);
    down = false;
    await follower.ready;
    await readState(follower, addresses);
    await follower.close();
    expectDemo(follower.chain);
  });
});

describe("a block that cannot be read", () => {
  test("is named once, and what lies before it is served", async () => {
    let broken = true;
    const node = nodeWith({
      call: (call) => {
        if (!broken || call.method !== "eth_getBlockByNumber" || Number(call.params[0]) !== 50)
          return undefined;
        const answer = node.answer(call) as { result: object };
        return { result: { ...answer.result, timestamp: "0xffffffffffffffff" } };
      },
    });
    const errors: unknown[] = [];
    const follower = await followNode(node.url, {
      ...quick,
      fetch: node.fetch,
      onError: (error) => errors.push(error),
    });
    await follower.update();
    await follower.update();
    expect(follower.chain.head.number).toBe(49);
    expect(follower.status()).toMatchObject({ state: "stuck", head: 49, nodeHead: LAST, lag: 43 });
    expect(errors.map(String)).toEqual([
      expect.stringMatching(/cannot read block 50.*timestamp.*seconds since 1970/),
    ]);
    broken = false;
    node.head = 49;
    await follower.update();
    node.head = LAST;
    await follower.update();
    await readState(follower, addresses);
    await follower.close();
    expectDemo(follower.chain);
  });

  test("is read again with each update if it is the first one", async () => {
    let broken = true;
    const node = nodeWith({
      call: (call) => {
        if (!broken || call.method !== "eth_getBlockByNumber" || Number(call.params[0]) !== 0)
          return undefined;
        const answer = node.answer(call) as { result: object };
        return { result: { ...answer.result, timestamp: "0xffffffffffffffff" } };
      },
    });
    const errors: unknown[] = [];
    const follower = startFollowing(node.url, {
      ...quick,
      fetch: node.fetch,
      onError: (error) => errors.push(error),
    });
    for (let update = 0; update < 2; update += 1)
      await expect(follower.update()).rejects.toThrow(/cannot read block 0.*timestamp/);
    expect(follower.status()).toMatchObject({ head: null, nodeHead: LAST });
    expect(follower.unavailable()).toContain("at block - of 92");
    broken = false;
    await follower.update();
    await follower.ready;
    await readState(follower, addresses);
    await follower.close();
    expect(follower.status()).toMatchObject({ state: "following", head: LAST });
    expectDemo(follower.chain);
  });
});

test("a chain of many blocks is begun only if the user says so", async () => {
  const node = nodeWith({
    call: ({ method, params }) =>
      method === "eth_getBlockByNumber" && params[0] === "latest"
        ? { result: { number: "0x1312d00", hash: `0x${"1".repeat(64)}` } }
        : undefined,
  });
  await expect(follow(node)).rejects.toThrow(
    "the node has 20000001 blocks: choose where to begin with fromBlock (--from-block 19990000, or --from-block latest), or load them all (--all)",
  );
});

test("a chain that grows far ahead is taken over in visible steps", async () => {
  const node = nodeWith({});
  node.head = 5;
  const follower = await followNode(node.url, { ...quick, fetch: node.fetch });
  node.head = LAST;
  const seen = new Set<number>();
  node.faults.post = () => {
    seen.add(follower.chain.head.number);
    return undefined;
  };
  await follower.update();
  await readState(follower, addresses);
  await follower.close();
  expect([...seen].some((number) => number > 5 && number < LAST)).toBe(true);
  expectDemo(follower.chain);
});

test("`await using` stops following at the end of the block", async () => {
  const node = new FakeNode();
  const closed = vi.fn();
  {
    await using follower = await followNode(node.url, { ...quick, fetch: node.fetch });
    const { close } = follower;
    vi.spyOn(follower, "close").mockImplementation(() => close().then(closed));
    expect(closed).not.toHaveBeenCalled();
  }
  expect(closed).toHaveBeenCalledOnce();
});
