// What a contract is, is asked as soon as it emits transfers: long before the head of a chain that is far ahead.
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import type { Address } from "../../../mocks/double/chain/records.ts";
import { MRC721_INTERFACE } from "../../../mocks/double/sources/ingest/head-state.ts";
import { followNode, loadDemo, startFollowing } from "../../../mocks/node.ts";
import { type Call, FakeNode, type RpcAnswer } from "../../support/fake-node.ts";

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

test("the code of an account follows its authorizations (EIP-7702) and their end", async () => {
  const account = privateKeyToAccount(`0x${"7".repeat(64)}`);
  const authority = account.address.toLowerCase() as Address;
  const node = new FakeNode();
  node.head = 90;
  let code = "0x";
  const authorize = async (contractAddress: Address) => {
    code = /^0x0+$/.test(contractAddress) ? "0x" : `0xef0100${contractAddress.slice(2)}`;
    const { r, s, yParity } = await account.signAuthorization({
      ...{ contractAddress, chainId: demo.chainId, nonce: 0 },
    });
    const signed = { chainId: demo.chainId, address: contractAddress, nonce: "0x0", r, s };
    const authorizationList = [{ ...signed, yParity }];
    node.head += 1;
    const latest = node.head;
    node.faults.call = (call) => {
      const { method, params } = call;
      if (method === "eth_getCode" && params[0] === authority) return { result: code };
      const isHead = method === "eth_getBlockByNumber" && Number(params[0]) === latest;
      const answer = isHead && params[1] === true ? node.answer(call) : undefined;
      if (answer === undefined || !("result" in answer)) return undefined;
      const block = answer.result as { readonly transactions: readonly object[] };
      const transactions = block.transactions.map((one) => ({ ...one, authorizationList }));
      return { result: { ...block, transactions } };
    };
  };
  const follower = await followNode(node.url, { fetch: node.fetch, interval: 60_000 });
  expect(follower.chain.code(authority)).toBe("0x");
  await authorize(coin);
  await follower.update();
  expect(follower.chain.code(authority)).toBe(`0xef0100${coin.slice(2)}`);
  await authorize(`0x${"0".repeat(40)}`);
  await follower.update();
  expect(follower.chain.code(authority)).toBe("0x");
  await follower.close();
});
