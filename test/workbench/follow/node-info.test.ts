// What a node says of itself, in every form it may say it, and what counts as nothing said.
import { describe, expect, test } from "vitest";
import {
  blockHash,
  forkBlock,
  lacksBlock,
  methodsLackedBy,
  nodeHead,
  nodeKind,
  syncProgress,
} from "../../../mocks/workbench/follow/node-info.ts";
import { RpcNode } from "../../../mocks/workbench/follow/rpc/node.ts";
import { FakeNode, type RpcAnswer } from "../../support/fake-node.ts";

const hash = (digit: string) => `0x${digit.repeat(64)}`;
const error = (code: number, message: string): RpcAnswer => ({ error: { code, message } });
const unsupported = error(-32601, "no such method");
const gone = error(-32000, "header not found");

/** A node that answers each method so, and its calls as they arrived. */
function nodeThat(answers: Readonly<Record<string, RpcAnswer | ((at: string) => RpcAnswer)>>) {
  const fake = new FakeNode();
  const asked: unknown[] = [];
  fake.faults.call = ({ method, params }) => {
    asked.push([method, ...params]);
    const answer = answers[method] ?? unsupported;
    return typeof answer === "function" ? answer(String(params[0])) : answer;
  };
  const node = new RpcNode(fake.url, { fetch: fake.fetch, retries: 0 });
  return { node, asked };
}
const found = (number: string, digit: string): RpcAnswer => ({
  result: { number, hash: hash(digit) },
});

describe("the head", () => {
  const latest = { eth_getBlockByNumber: found("0x5", "a"), eth_chainId: { result: "0x7" } };

  test("is the latest block, of the chain that the node has", async () => {
    const { node, asked } = nodeThat(latest);
    const known: string[] = [];
    const head = await nodeHead(node, (hash) => {
      known.push(hash);
      return undefined;
    });
    expect(head).toEqual({ chainId: 7, number: 5, hash: hash("a") });
    expect(known).toEqual([hash("a")]);
    expect(asked).toEqual([["eth_getBlockByNumber", "latest", false], ["eth_chainId"]]);
  });

  test("is all that is asked for where the chain of its hash is known", async () => {
    const { node, asked } = nodeThat(latest);
    expect(await nodeHead(node, () => 1)).toEqual({ chainId: 1, number: 5, hash: hash("a") });
    expect(asked).toHaveLength(1);
  });

  test("of a node without one is an error that says what to do", async () => {
    const { node } = nodeThat({ eth_getBlockByNumber: { result: null } });
    await expect(nodeHead(node, () => 1)).rejects.toThrow(
      /the node has no latest block.*eth_getBlockByNumber\("latest"\)|eth_getBlockByNumber\("latest"\).*the node has no latest block/,
    );
  });

  test.each([
    ["block.number", { result: { hash: hash("a") } }],
    ["block.hash", { result: { number: "0x5" } }],
  ])("without %s is an error that names it", async (field, answer) => {
    const { node } = nodeThat({ eth_getBlockByNumber: answer });
    await expect(nodeHead(node, () => 1)).rejects.toThrow(field);
  });

  test("of no readable chain is an error that names the method", async () => {
    const { node } = nodeThat({ ...latest, eth_chainId: { result: "seven" } });
    await expect(nodeHead(node, () => undefined)).rejects.toThrow("eth_chainId");
  });
});

describe("the hash of a block", () => {
  const of = (answer: RpcAnswer) => {
    const { node, asked } = nodeThat({ eth_getBlockByNumber: answer });
    return { hash: blockHash(node, 18), asked };
  };

  test("is asked for by the number", async () => {
    const { hash: own, asked } = of(found("0x12", "b"));
    expect(await own).toBe(hash("b"));
    expect(asked).toEqual([["eth_getBlockByNumber", "0x12", false]]);
  });

  test("is undefined if the node does not have the block", async () => {
    expect(await of({ result: null }).hash).toBeUndefined();
    expect(await of(gone).hash).toBeUndefined();
  });

  test("is an error if the node fails, or what it returns is no block", async () => {
    await expect(of(unsupported).hash).rejects.toThrow("no such method");
    await expect(of({ result: { hash: 5 } }).hash).rejects.toThrow("block.hash");
  });
});

describe("a block is missing", () => {
  const head = { chainId: 1, number: 9, hash: hash("a") };
  const lacks = (number: number, below: RpcAnswer, last: RpcAnswer) => {
    const { node, asked } = nodeThat({
      eth_getBlockByNumber: (at) => (at === "0x9" ? last : below),
    });
    return { lacks: lacksBlock(node, number, head), asked };
  };
  const there = found("0x9", "a");

  test("if the node has its head and not the block", async () => {
    for (const absent of [gone, { result: null }]) {
      const { lacks: is, asked } = lacks(8, absent, there);
      expect(await is).toBe(true);
      expect(asked).toEqual(["0x8", "0x9"].map((at) => ["eth_getBlockByNumber", at, false]));
    }
  });

  test.each<[string, RpcAnswer, RpcAnswer]>([
    ["has both", found("0x8", "c"), there],
    ["has neither: it lags", gone, gone],
    ["has another head", gone, found("0x9", "c")],
  ])("but not if the node %s", async (_, below, last) => {
    expect(await lacks(8, below, last).lacks).toBe(false);
  });

  test("but not above the head, of which nothing is asked", async () => {
    for (const number of [9, 10]) {
      const { lacks: is, asked } = lacks(number, gone, there);
      expect([await is, asked]).toEqual([false, []]);
    }
  });

  test("is an error if the node fails", async () => {
    await expect(lacks(8, unsupported, there).lacks).rejects.toThrow("no such method");
    await expect(lacks(8, { result: { hash: 1 } }, there).lacks).rejects.toThrow("block.hash");
  });
});

describe("the kind of a node", () => {
  test.each([
    ["anvil/v1.7.1", "anvil"],
    ["HardhatNetwork/2.22.1/@nomicfoundation", "hardhat-2"],
    ["HardhatNetwork/3.0.0", "hardhat"],
    ["hardhat 3", "hardhat"],
    ["Geth/v1.14 (hardhat, anvil/, hardhatnetwork/2.)", "other"],
    ["", "other"],
  ] as const)("%j is %s", async (result, kind) => {
    expect(await nodeKind(nodeThat({ web3_clientVersion: { result } }).node)).toBe(kind);
  });

  test("is other if it does not say", async () => {
    expect(await nodeKind(nodeThat({}).node)).toBe("other");
    const { node, asked } = nodeThat({ web3_clientVersion: { result: 7 } });
    expect(await nodeKind(node)).toBe("other");
    expect(asked).toEqual([["web3_clientVersion"]]);
  });

  test("says which methods need not be tried first", () => {
    const kinds = ["anvil", "other", "hardhat", "hardhat-2"] as const;
    const traces = ["trace_block", "debug_traceBlockByNumber"];
    expect(kinds.map(methodsLackedBy)).toEqual([
      [],
      [],
      [...traces, "eth_getBlockReceipts", "eth_getReceiptsByHash"],
      [...traces, "debug_traceTransaction", "eth_getBlockReceipts", "eth_getReceiptsByHash"],
    ]);
  });
});

test("a node that was forked names the block, others do not", async () => {
  const of = (answers: Record<string, RpcAnswer>) => forkBlock(nodeThat(answers).node);
  const forked = { forkedNetwork: { forkBlockNumber: 12 } };
  expect(await of({ hardhat_metadata: { result: forked } })).toBe(12);
  for (const result of [null, {}, { forkedNetwork: null }, { forkedNetwork: {} }])
    expect(await of({ hardhat_metadata: { result } })).toBeUndefined();
  expect(await of({})).toBeUndefined();
});

test("a node that fetches its own blocks says how far it is, until it has them", async () => {
  const of = (result: unknown) => syncProgress(nodeThat({ eth_syncing: { result } }).node);
  expect(await of({ currentBlock: "0x5", highestBlock: "0x6" })).toEqual({ at: 5, of: 6 });
  expect(await of({ currentBlock: "0x6", highestBlock: "0x6" })).toBeUndefined();
  expect(await of({ currentBlock: "0x7", highestBlock: "0x6" })).toBeUndefined();
  for (const result of [false, {}, { currentBlock: "0x5" }, { highestBlock: "0x5" }])
    expect(await of(result)).toBeUndefined();
  const { node, asked } = nodeThat({});
  expect(await syncProgress(node)).toBeUndefined();
  expect(asked).toEqual([["eth_syncing"]]);
});

test("a node that is not reached is an error, whatever is asked", async () => {
  const fetch = () => Promise.reject(new TypeError("fetch failed"));
  const node = new RpcNode("http://node.test", { fetch, retries: 0 });
  for (const ask of [nodeKind, forkBlock, syncProgress])
    await expect(ask(node)).rejects.toThrow("cannot reach the node");
});
