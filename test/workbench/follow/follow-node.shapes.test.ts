// Nodes that are too large to run here, by their shapes: the demo chain's records, written as nethermind, erigon, reth, besu and geth write their answers.
import { beforeAll, describe, expect, test } from "vitest";
import type { ChainWriter } from "../../../mocks/double/chain/writer.ts";
import { loadChain } from "../../../mocks/double/sources/ingest/load-chain.ts";
import { followNode } from "../../../mocks/workbench/follow/follow-node.ts";
import { DEMO } from "../../support/chains.ts";
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
