// What a contract is, is asked as soon as it emits transfers: long before the head of a chain that is far ahead.
import { expect, test } from "vitest";
import type { Address } from "../../mocks/chain/records.ts";
import { MRC721_INTERFACE } from "../../mocks/ingest/head-state.ts";
import { createExplorer, followNode, loadDemo, startFollowing } from "../../mocks/node.ts";
import { type Call, FakeNode, type RpcAnswer } from "../support/fake-node.ts";

const NAME = "0x06fdde03";
const demo = await loadDemo();
const coin = [...demo.knownTokens()].find(
  (token) => demo.token(token)?.standard === "mrc20",
) as Address;

const isLastBlock = ({ method, params: [number, full] }: Call): boolean =>
  method === "eth_getBlockByNumber" && Number(number) === demo.head.number && full === true;

const calledWith = ({ method, params: [subject] }: Call) =>
  method === "eth_call" ? (subject as { readonly to: Address; readonly data: string }) : undefined;

/** Follows the demo chain. Returns all calls, and the standard of the coin when the last block was asked for. */
async function followed(answer: (call: Call) => RpcAnswer | undefined = () => undefined) {
  const node = new FakeNode();
  const calls: Call[] = [];
  let early: string | undefined;
  node.faults = {
    call: (call) => {
      calls.push(call);
      if (isLastBlock(call)) early = follower.chain.token(coin)?.standard ?? "none";
      return answer(call);
    },
  };
  const follower = startFollowing(node.url, { fetch: node.fetch, interval: 60_000 });
  await follower.ready;
  await follower.close();
  return { calls, early, last: follower.chain.token(coin)?.standard ?? "none" };
}

test("a token is asked for before the last blocks", async () => {
  const { calls, early, last } = await followed();
  const asked = calls.findIndex((call) => {
    const called = calledWith(call);
    return called?.to === coin && called.data === NAME;
  });
  expect(asked).toBeGreaterThan(-1);
  expect(asked).toBeLessThan(calls.findIndex(isLastBlock));
  expect({ early, last }).toEqual({ early: "mrc20", last: "mrc20" });
});

test("nothing is requested but blocks, with receipts and traces, and what new contracts are", async () => {
  const { calls } = await followed();
  const kind = ["web3_clientVersion", "hardhat_metadata", "eth_syncing"];
  const ofBlocks = ["eth_getBlockByNumber", "eth_getBlockReceipts", "debug_traceBlockByNumber"];
  const untraced = ["trace_block"];
  const ofContracts = ["eth_getCode", "eth_call"];
  const asked = new Set(calls.map(({ method }) => method));
  expect([...asked].sort()).toEqual(
    ["eth_chainId", ...kind, ...ofBlocks, ...untraced, ...ofContracts].sort(),
  );
  const subjects = calls.flatMap((call) => calledWith(call)?.to ?? []);
  expect(subjects.filter((account) => demo.code(account) === "0x")).toEqual([]);
});

test("what emits transfers and has no function of a token is none from the start", async () => {
  const { early, last } = await followed((call) =>
    calledWith(call)?.to === coin ? { result: "0x" } : undefined,
  );
  expect({ early, last }).toEqual({ early: "none", last: "none" });
});

test("a node that fails to return it is asked again", async () => {
  let hasFailed = false;
  const { last } = await followed((call) => {
    if (calledWith(call)?.to !== coin) return undefined;
    const isFirst = !hasFailed;
    hasFailed = true;
    return isFirst
      ? { error: { code: -32001, message: "the state is not available" } }
      : { result: "0x" };
  });
  expect(hasFailed).toBe(true);
  expect(last).toBe("none");
});

test("each contract is asked which interfaces it claims", async () => {
  const { calls } = await followed();
  const claims = `0x01ffc9a7${MRC721_INTERFACE.slice(2).padEnd(64, "0")}`;
  const asked = calls.filter((call) => calledWith(call)?.data === claims);
  expect(asked.map((call) => calledWith(call)?.to)).toContain(coin);
});

test("the code of an account that delegates (EIP-7702) is requested when it is read", async () => {
  const account = `0x${"7".repeat(40)}`;
  const node = new FakeNode();
  const code = `0xef0100${coin.slice(2)}`;
  node.faults.call = ({ method, params }) =>
    method === "eth_getCode" && params[0] === account ? { result: code } : undefined;
  const follower = await followNode(node.url, { fetch: node.fetch, interval: 60_000 });
  const mock = createExplorer({ chain: follower });
  const url = `${mock.baseUrl}/v1/contracts/${account}/code`;
  const response = await mock.fetch(url, { headers: { "api-key": "any" } });
  expect(await response.json()).toMatchObject({ results: { data: { contract_code: code } } });
  await follower.close();
});
