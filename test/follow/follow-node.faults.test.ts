// What a node does wrong costs time, never truth: the followed chain equals the one loaded from the same records.
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { randomNumbers } from "../../mocks/chain/random.ts";
import type { Address } from "../../mocks/chain/records.ts";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { type FollowOptions, followNode, startFollowing } from "../../mocks/follow/follow-node.ts";
import { loadChain } from "../../mocks/ingest/load-chain.ts";
import { DEMO } from "../support/chains.ts";
import { readDemoOracle } from "../support/demo-oracle.ts";
import { FakeNode, type FakeNodeFaults, type RpcAnswer } from "../support/fake-node.ts";
import { runs } from "../support/runs.ts";
import { accountState, readState } from "./account-state.ts";

const quick = { retryDelay: 0, interval: 60_000 } satisfies FollowOptions;

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
test("faults that pass change nothing, together and in any order", async () => {
  const kinds = [
    ["call", error(-32005, "rate limited")],
    ["call", error(-32603, "internal")],
    ["call", null],
    ["call", error(-32000, "something went wrong")],
    ["post", () => new Response("", { status: 429 })],
    [
      "post",
      () => {
        throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
      },
    ],
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
        const { chain, status } = await follow(node, { batch, retries: 30 });
        expectDemo(chain);
        expect(status()).toMatchObject({ lag: 0, missing: [], state: "following" });
      },
    ),
    { numRuns: runs(5) },
  );
});

describe("what does not pass", () => {
  test.each<[url: string, advice: string, options?: object]>([
    ["http://127.0.0.1", "headers.a: expected a string", { headers: { a: 424242 } }],
    ["ws://127.0.0.1:8545", "use http://127.0.0.1:8545,"],
    ["wss://user:secret@node.test/v3/secret?key=secret", "use https://node.test/…,"],
    ["ftp://127.0.0.1", "such as http://127.0.0.1:8545"],
  ])("%s is refused with what to do: %s", async (url, advice, options) => {
    const failure = await followNode(url, options).catch(String);
    expect(failure).toContain(advice);
    expect(failure).not.toMatch(/secret|4242/);
  });

  test("a request without a response is named with its method in the status", async () => {
    const node = nodeWith({
      post: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
    });
    const retried: string[] = [];
    const follower = startFollowing(node.url, {
      ...{ ...quick, fetch: node.fetch, timeout: 20, retries: 1, onError: () => {} },
      onRetry: ({ message }) => retried.push(message),
    });
    await expect(follower.update()).rejects.toThrow(
      "cannot reach the node at http://node.test: eth_getBlockByNumber timed out after 0.02 s",
    );
    expect(follower.status().lastError?.message).toContain("eth_getBlockByNumber timed out");
    expect(retried).toContain(follower.status().lastError?.message);
    await follower.close();
  });
});
