// What nodes and gateways refuse, in their own words: another way is taken, or the message says what to do.
import { beforeAll, describe, expect, test } from "vitest";
import type { ChainWriter } from "../../../mocks/double/chain/writer.ts";
import { loadChain } from "../../../mocks/double/sources/ingest/load-chain.ts";
import { type FollowOptions, followNode } from "../../../mocks/workbench/follow/follow-node.ts";
import { DEMO } from "../../support/chains.ts";
import { executionsOf } from "../../support/executions.ts";
import { type Call, FakeNode, type RpcAnswer } from "../../support/fake-node.ts";

const LAST = 92;

let demo: ChainWriter;
beforeAll(async () => {
  demo = await loadChain(DEMO);
});

const error = (code: number, message: string): RpcAnswer => ({ error: { code, message } });

/** Follows the node to its head; `retries` are the failures that it asked again about. */
async function follow(node: FakeNode, options: FollowOptions = {}) {
  const retries: string[] = [];
  const follower = await followNode(node.url, {
    ...{ fetch: node.fetch, interval: 3_600_000, retryDelay: 0 },
    onRetry: ({ message }) => retries.push(message),
    ...options,
  });
  await follower.close();
  return { ...follower, chain: follower.chain, retries };
}

function expectDemo(chain: ChainWriter, from = 0): void {
  expect(chain.head.hash).toBe(demo.head.hash);
  for (let number = from; number <= LAST; number += 1)
    expect([number, executionsOf(chain, number)]).toEqual([number, executionsOf(demo, number)]);
}

test.each([
  ["geth", -32000, "missing trie node 8a1f (path ) state 0x8a1f is not available"],
  ["nethermind", -32002, "No state available for block 20 (0x8a1f)"],
  ["besu", -32000, "World state unavailable"],
  ["reth", -32000, "state at block #20 is pruned"],
])(
  "state that %s refuses by number is not retried, but asked for at the latest block",
  async (_, code, words) => {
    const node = new FakeNode();
    const isState = new Set(["eth_getBalance", "eth_getCode", "eth_call"]);
    node.faults.call = ({ method, params: [, at] }) =>
      isState.has(method) && at !== "latest" ? error(code, words) : undefined;
    const { chain, retries, status } = await follow(node);
    expectDemo(chain);
    expect(retries).toEqual([]);
    expect(status().missing).toEqual([]);
  },
);

test.each([
  ["ws://127.0.0.1:8545", "use http://127.0.0.1:8545,"],
  ["wss://user:secret@node.test/v3/secret?key=secret", "use https://node.test/…,"],
  ["ftp://127.0.0.1", "such as http://127.0.0.1:8545"],
])("the address %s is refused with one to use", async (url, advice) => {
  const failure = await followNode(url).catch(String);
  expect(failure).toContain(advice);
  expect(failure).not.toContain("secret");
});

describe("a batch that is too much", () => {
  type Respond = (calls: readonly Call[], answer: (call: Call) => object) => object | undefined;
  const MOST = 5;
  const BATCHES: Readonly<Record<string, Respond>> = {
    "geth: too many calls, said of the first": ([first, ...others]) =>
      others.length < MOST
        ? undefined
        : [{ jsonrpc: "2.0", id: first?.id, ...error(-32600, "batch too large") }],
    "geth: too long a response, said of the calls behind": (calls, answer) =>
      calls.length <= MOST
        ? undefined
        : calls.map((call, index) =>
            index < MOST
              ? answer(call)
              : { jsonrpc: "2.0", id: call.id, ...error(-32003, "response too large") },
          ),
    "geth: too long a time, said of the calls behind": (calls, answer) =>
      calls.length <= MOST
        ? undefined
        : calls.map((call, index) =>
            index < 1
              ? answer(call)
              : { jsonrpc: "2.0", id: call.id, ...error(-32002, "request timed out") },
          ),
    "besu: too many calls": (calls) =>
      calls.length <= MOST
        ? undefined
        : {
            jsonrpc: "2.0",
            id: null,
            ...error(-32005, "Number of requests exceeds max batch size"),
          },
    "erigon: too many calls": (calls) =>
      calls.length <= MOST
        ? undefined
        : [{ jsonrpc: "2.0", id: null, ...error(-32000, "batch limit 5 exceeded: 100") }],
  };

  test.each(Object.entries(BATCHES))("%s: smaller ones are sent, at once", async (_, respond) => {
    const node = new FakeNode();
    node.faults.post = (calls) => {
      const body = respond(calls, (call) => ({
        jsonrpc: "2.0",
        id: call.id,
        ...node.answer(call),
      }));
      return body && Response.json(body);
    };
    const { chain, retries, status } = await follow(node);
    expectDemo(chain);
    expect(retries).toEqual([]);
    expect(status().missing).toEqual([]);
  });
});
