// Nodes that are too large to run here, by their shapes: the demo chain's records, written as nethermind and geth document their answers.
import { beforeAll, describe, expect, test } from "vitest";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { followNode } from "../../mocks/follow/follow-node.ts";
import { loadChain } from "../../mocks/ingest/load-chain.ts";
import { DEMO } from "../support/chains.ts";
import { executionsOf } from "../support/executions.ts";
import { type Call, FakeNode, type RpcAnswer } from "../support/fake-node.ts";

interface TracerFrame {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly value?: string;
  readonly input: string;
  readonly output?: string;
  readonly gas: string;
  readonly gasUsed: string;
  readonly error?: string;
  readonly calls?: readonly TracerFrame[];
}

interface TracedTransaction {
  readonly txHash: string;
  readonly result: TracerFrame;
}

let demo: ChainWriter;
beforeAll(async () => {
  demo = await loadChain(DEMO);
});

/** The recorded answer to a call. */
const resultOf = <Result>(node: FakeNode, method: string, ...params: unknown[]) => {
  const answer = node.answer({ id: 0, method, params });
  return "result" in answer ? (answer.result as Result) : undefined;
};

async function follow(node: FakeNode, respond: (call: Call) => RpcAnswer | undefined) {
  node.faults.call = respond;
  const follower = await followNode(node.url, { fetch: node.fetch, interval: 3_600_000 });
  await follower.close();
  return follower.chain;
}

describe("nethermind", () => {
  /** The entries of trace_block for a frame and those below it. */
  function entriesOf(
    frame: TracerFrame,
    of: object,
    traceAddress: readonly number[] = [],
  ): readonly object[] {
    const {
      from,
      to,
      gas,
      gasUsed,
      input,
      output = "0x",
      value = "0x0",
      error,
      calls = [],
    } = frame;
    const word = frame.type.toLowerCase();
    const shared = { ...of, subtraces: calls.length, traceAddress };
    // A failed frame has an error in place of a result.
    const ending = (result: object | null) =>
      error === undefined ? { result } : { error: "Reverted", result: null };
    const own = word.startsWith("create")
      ? {
          type: "create",
          action: { creationMethod: word, from, gas, init: input, value },
          ...ending({ address: to, code: output, gasUsed }),
        }
      : word === "selfdestruct"
        ? {
            type: "suicide",
            action: { address: from, balance: value, refundAddress: to },
            result: null,
          }
        : {
            type: "call",
            action: { callType: word, from, gas, input, to, value },
            ...ending({ gasUsed, output }),
          };
    return [
      { ...own, ...shared },
      ...calls.flatMap((call, index) => entriesOf(call, of, [...traceAddress, index])),
    ];
  }

  test("trace_block, with a reward of nothing, gives the demo chain", async () => {
    const node = new FakeNode([]);
    const chain = await follow(node, ({ method, params: [number] }) => {
      if (method === "web3_clientVersion")
        return { result: "Nethermind/v1.25.4+20b10b35/linux-x64" };
      if (method !== "trace_block") return undefined;
      const traces = resultOf<TracedTransaction[]>(node, "debug_traceBlockByNumber", number) ?? [];
      const block = resultOf<{ hash: string; miner: string }>(
        node,
        "eth_getBlockByNumber",
        number,
        false,
      );
      const where = { blockHash: block?.hash, blockNumber: Number(number) };
      const entries = traces.flatMap(({ txHash, result }, transactionPosition) =>
        entriesOf(result, { ...where, transactionHash: txHash, transactionPosition }),
      );
      const reward = {
        ...where,
        action: { author: block?.miner, rewardType: "block", value: "0x0" },
        ...{ result: null, subtraces: 0, traceAddress: [] },
        ...{ transactionHash: null, transactionPosition: null, type: "reward" },
      };
      return { result: [...entries, reward] };
    });
    expect(node.asked.get("debug_traceTransaction")).toBeUndefined();
    // Frames that failed have no gas, and one word for every error.
    const comparable = (of: ChainWriter, number: number) =>
      executionsOf(of, number).map(({ transaction, frames, logs }) => ({
        hash: transaction.hash,
        logs,
        frames: frames.map(({ error, gasUsed, ...frame }) => ({
          ...frame,
          failed: error !== undefined,
          gasUsed: error === undefined ? gasUsed : null,
        })),
      }));
    for (let number = 0; number <= 92; number += 1)
      expect([number, comparable(chain, number)]).toEqual([number, comparable(demo, number)]);
  });
});

describe("geth", () => {
  /** A frame without what geth leaves out: the value of a static call, the address of a failed creation. */
  function asGeth(frame: TracerFrame): object {
    const { value, to, calls, ...rest } = frame;
    return {
      ...rest,
      ...(frame.type === "STATICCALL" ? {} : { value }),
      ...(frame.type.startsWith("CREATE") && frame.error !== undefined ? {} : { to }),
      ...(calls === undefined ? {} : { calls: calls.map(asGeth) }),
    };
  }

  test("debug_traceBlockByNumber gives the demo chain, though old state is gone", async () => {
    const node = new FakeNode(["trace_block", "anvil_nodeInfo", "hardhat_metadata"]);
    const chain = await follow(node, ({ method, params: [subject, at] }) => {
      if (method === "web3_clientVersion")
        return { result: "Geth/v1.15.11-stable-36b2371c/linux-amd64/go1.24.2" };
      if (method === "debug_traceBlockByNumber") {
        const traces = resultOf<TracedTransaction[]>(node, method, subject) ?? [];
        return { result: traces.map((one) => ({ ...one, result: asGeth(one.result) })) };
      }
      const isState = ["eth_getBalance", "eth_getCode", "eth_call"].includes(method);
      if (isState && at !== "latest" && Number(at) !== 92)
        return { error: { code: -32000, message: "missing trie node 8a1f (path ) state is gone" } };
      return undefined;
    });
    for (let number = 0; number <= 92; number += 1)
      expect([number, executionsOf(chain, number)]).toEqual([number, executionsOf(demo, number)]);
  });
});

describe("a node without tracing", () => {
  test("that is followed without traces gives transactions and logs, and asks for no trace", async () => {
    const node = new FakeNode(["trace_block", "debug_traceBlockByNumber"]);
    const follower = await followNode(node.url, {
      ...{ fetch: node.fetch, interval: 3_600_000, traces: "none" },
    });
    await follower.close();
    expect(follower.untraced).toBe(true);
    expect(follower.health()).toMatchObject({ node: { traces: "none", missing: [] } });
    expect([...node.asked.keys()].filter((method) => /trace/.test(method))).toEqual([]);
    for (let number = 0; number <= 92; number += 1)
      expect(executionsOf(follower.chain, number).map(({ logs }) => logs)).toEqual(
        executionsOf(demo, number).map(({ logs }) => logs),
      );
  });
});

test("a node at rest is asked one thing in each poll: development nodes log each method", async () => {
  const node = new FakeNode();
  const follower = await followNode(node.url, { fetch: node.fetch, interval: 3_600_000 });
  node.asked.clear();
  const before = node.posts;
  for (let poll = 0; poll < 5; poll += 1) await follower.update();
  await follower.close();
  expect(node.posts - before).toBe(5);
  expect([...node.asked]).toEqual([["eth_getBlockByNumber", 5]]);
});
