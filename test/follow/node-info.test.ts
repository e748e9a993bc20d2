// What a node says of itself, in every form it may say it, and what counts as nothing said.
import { describe, expect, test } from "vitest";
import { forkBlock, nodeHead, nodeKind, syncLag } from "../../mocks/follow/node-info.ts";
import { RpcNode } from "../../mocks/follow/rpc/node.ts";
import { FakeNode, type RpcAnswer } from "../support/fake-node.ts";

const hash = (digit: string) => `0x${digit.repeat(64)}`;
const error = (code: number, message: string): RpcAnswer => ({ error: { code, message } });
const unsupported = error(-32601, "no such method");

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
  const lag = async (result: unknown) =>
    (await syncLag(nodeThat({ eth_syncing: { result } }).node))?.message;
  expect(await lag({ currentBlock: "0x5", highestBlock: "0x6" })).toContain("at block 5 of 6");
  for (const currentBlock of ["0x6", "0x7", undefined])
    expect(await lag({ currentBlock, highestBlock: "0x6" })).toBeUndefined();
  expect(await lag(false)).toBeUndefined();
  expect(await syncLag(nodeThat({}).node)).toBeUndefined();
});
