// Nodes that are too large to run here, by their shapes: the demo chain's records, written as nethermind, erigon, reth, besu and geth write their answers.
import { beforeAll, describe, expect, test } from "vitest";
import type { ChainWriter } from "../../../mocks/double/chain/writer.ts";
import { loadChain } from "../../../mocks/double/sources/ingest/load-chain.ts";
import { followNode } from "../../../mocks/workbench/follow/follow-node.ts";
import { DEMO } from "../../support/chains.ts";
import { executionsOf } from "../../support/executions.ts";
import { type Call, FakeNode, type RpcAnswer } from "../../support/fake-node.ts";

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

/** The transactions of a block with their frames, errors in the node's words, and logs. */
const framesOf = (chain: ChainWriter, number: number) =>
  (chain.blockInput(number)?.executions ?? []).map(({ transaction, frames, logs }) => ({
    transaction,
    frames: frames.map(({ transaction: _, ...frame }) => frame),
    logs: logs.map(({ transaction: _, ...log }) => log),
  }));

async function follow(node: FakeNode, respond: (call: Call) => RpcAnswer | undefined) {
  node.faults.call = respond;
  const follower = await followNode(node.url, { fetch: node.fetch, interval: 3_600_000 });
  await follower.close();
  return follower.chain;
}

/** How a node writes the entries of trace_block. */
interface Dialect {
  readonly version: string;
  /** Whether each block has a reward, of nothing. */
  readonly rewards: boolean;
  /** Whether a frame that reverted has its result too. */
  readonly resultOfReverted: boolean;
  readonly errorFields?: (frame: TracerFrame) => object;
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  nethermind: {
    version: "Nethermind/v1.25.4+20b10b35/linux-x64",
    ...{ rewards: true, resultOfReverted: false },
  },
  erigon: {
    version: "erigon/3.0.4/linux-amd64/go1.24.2",
    ...{ rewards: false, resultOfReverted: true },
  },
  reth: {
    version: "reth/v1.3.12-6f8e725/x86_64-unknown-linux-gnu",
    ...{ rewards: false, resultOfReverted: true },
  },
  besu: {
    version: "besu/v25.4.1/linux-x86_64/openjdk-java-21",
    ...{ rewards: true, resultOfReverted: false },
    errorFields: ({ output = "0x" }) => ({ revertReason: output }),
  },
};

/** The words of trace_block for an error of callTracer. */
const wordsFor = (error: string): string => {
  if (error.startsWith("execution reverted")) return "Reverted";
  return error.startsWith("out of gas") ? "Out of gas" : "Bad instruction";
};

describe.each(Object.entries(DIALECTS))("%s", (_, dialect) => {
  const hasResult = (error: string | null | undefined) =>
    error === undefined ||
    error === null ||
    (dialect.resultOfReverted && wordsFor(error) === "Reverted");

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
    const ending = (result: object) => ({
      result: hasResult(error) ? result : null,
      ...(error === undefined ? {} : { error: wordsFor(error), ...dialect.errorFields?.(frame) }),
    });
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

  test("trace_block gives the demo chain, with errors in the node's words", async () => {
    const node = new FakeNode([]);
    const chain = await follow(node, ({ method, params: [number] }) => {
      if (method === "web3_clientVersion") return { result: dialect.version };
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
      return { result: dialect.rewards ? [...entries, reward] : entries };
    });
    expect(node.asked.get("debug_traceTransaction")).toBeUndefined();
    const returns = dialect.resultOfReverted || dialect.errorFields !== undefined;
    const inWords = (error: string | null) => error && wordsFor(error);
    const expected = (number: number) =>
      framesOf(demo, number).map(({ transaction, frames, ...rest }) => ({
        ...rest,
        transaction: {
          ...transaction,
          error: inWords(transaction.error),
          output: returns ? transaction.output : undefined,
        },
        frames: frames.map((frame) => ({
          ...frame,
          output: returns ? frame.output : undefined,
          error: inWords(frame.error),
          gasUsed: hasResult(frame.error) ? frame.gasUsed : null,
        })),
      }));
    for (let number = 0; number <= 92; number += 1)
      expect([number, framesOf(chain, number)]).toEqual([number, expected(number)]);
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

  type Fields = Readonly<Record<string, unknown>>;
  const without = (fields: Fields | undefined, ...left: readonly string[]): Fields =>
    Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => !left.includes(name)));

  test("debug_traceBlockByNumber gives the demo chain, though old state is gone", async () => {
    const node = new FakeNode(["trace_block", "hardhat_metadata"]);
    const chain = await follow(node, ({ method, params: [subject, at] }) => {
      if (method === "web3_clientVersion")
        return { result: "Geth/v1.15.11-stable-36b2371c/linux-amd64/go1.24.2" };
      if (method === "debug_traceBlockByNumber") {
        const traces = resultOf<TracedTransaction[]>(node, method, subject) ?? [];
        return { result: traces.map((one) => ({ ...one, result: asGeth(one.result) })) };
      }
      if (method === "eth_getBlockByNumber" && subject !== "latest")
        return { result: without(resultOf<Fields>(node, method, subject, at), "totalDifficulty") };
      if (method === "eth_getBlockReceipts") {
        const receipts = resultOf<Fields[]>(node, method, subject) ?? [];
        return { result: receipts.map((one) => without(one, "blobGasPrice", "blockTimestamp")) };
      }
      const isState = ["eth_getBalance", "eth_getCode", "eth_call"].includes(method);
      if (isState && at !== "latest" && Number(at) !== 92)
        return { error: { code: -32000, message: "missing trie node 8a1f (path ) state is gone" } };
      if (method !== "eth_call") return undefined;
      const answer = node.answer({ id: 0, method, params: [subject, at] });
      if ("result" in answer) return answer;
      const reverted = { ...answer.error, data: "0x08c379a0" };
      return { error: reverted };
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
