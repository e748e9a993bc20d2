// What the admin API asks of a followed node: calls, storage and transactions; and what it says without one.
import { expect, onTestFinished, test } from "vitest";
import { isLive, type LiveChain, type NodeCall } from "../../../mocks/chain/live-chain.ts";
import { createExplorer } from "../../../mocks/explorer.ts";
import { type ExplorerOptions, serveExplorer } from "../../../mocks/node.ts";
import { rawAdmin } from "../../support/raw-admin.ts";
import { buildSampleChain } from "../../support/sample-chain.ts";

const to = `0x${"c0".repeat(20)}`;
const from = `0x${"f0".repeat(20)}`;

async function serve(options: ExplorerOptions) {
  const served = await serveExplorer(createExplorer(options), { admin: true });
  onTestFinished(() => served.close({ graceMs: 0 }));
  return rawAdmin(served).call;
}

/** A chain that follows a node which answers as told, and what it was asked. */
function following(answers: Readonly<Record<string, unknown>>) {
  const { chain } = buildSampleChain();
  const asked: NodeCall[] = [];
  const live = {
    chain,
    live: true,
    untraced: false,
    unavailable: () => undefined,
    health: () => ({}),
    question: () => ({ fetch: () => undefined, incomplete: false }),
    async ask(calls: readonly NodeCall[]) {
      asked.push(...calls);
      return calls.map(({ method }) => {
        const answer = answers[method];
        return answer instanceof Error
          ? { error: Object.assign({ message: answer.message }, answer.cause) }
          : { result: answer };
      });
    },
  };
  return { chain, asked, live: live as Partial<LiveChain> as LiveChain };
}

test("calls a contract at the head and at a block", async () => {
  const { live, asked } = following({ eth_call: "0x07" });
  expect(isLive(live)).toBe(true);
  const call = await serve({ chain: live });
  const request = { to, data: "0x12345678", from };
  expect(await call("POST node/call", request)).toEqual({ data: "0x07", failure: null });
  await call("POST node/call", { ...request, block: 300 });
  expect(asked).toEqual([
    { method: "eth_call", params: [request, "latest"] },
    { method: "eth_call", params: [request, "0x12c"] },
  ]);
});

test.for([
  ["geth and anvil", { data: "0x08c379a0" }],
  ["Hardhat", { data: { data: "0x08c379a0", message: "x" } }],
])("returns what a call reverted with, as %s says it", async ([, cause]) => {
  const { live } = following({ eth_call: new Error("execution reverted", { cause }) });
  const call = await serve({ chain: live });
  expect(await call("POST node/call", { to, data: "0x12345678" })).toEqual({
    data: null,
    failure: { message: "execution reverted", data: "0x08c379a0" },
  });
});

test("sends a transaction from an account of the node, and answers once the chain has it", async () => {
  const { chain } = buildSampleChain();
  const hash = chain.allTransactions({}).at(0)?.hash;
  const node = following({
    eth_accounts: [from],
    eth_getTransactionCount: "0x5",
    eth_sendTransaction: hash,
  });
  const call = await serve({ chain: node.live });
  expect(await call("GET node/accounts")).toEqual({ accounts: [from] });
  expect(await call("POST node/send", { to, from, data: "0x", value: "17" })).toEqual({
    transaction_hash: hash,
    failure: null,
  });
  // With the pending ones, so that two of a block do not have the same nonce.
  expect(node.asked.slice(-2)).toEqual([
    { method: "eth_getTransactionCount", params: [from, "pending"] },
    {
      method: "eth_sendTransaction",
      params: [{ to, from, data: "0x", nonce: "0x5", value: "0x11" }],
    },
  ]);
  await expect(call("POST node/send", { to, data: "0x" })).rejects.toThrow(
    "from: expected an account of the node",
  );
});

test("says why a node sends nothing", async () => {
  const { live } = following({
    eth_getTransactionCount: "0x0",
    eth_sendTransaction: new Error("unknown account"),
  });
  const call = await serve({ chain: live });
  expect(await call("POST node/send", { to, from, data: "0x" })).toEqual({
    transaction_hash: null,
    failure: { message: "unknown account", data: null },
  });
});

test.each([
  ["POST node/call", { to, data: "0x" }],
  ["POST node/send", { to, from, data: "0x" }],
  ["GET node/accounts", undefined],
])("a chain that follows no node refuses %s", async (action, body) => {
  const call = await serve({ chain: buildSampleChain().chain });
  await expect(call(action, body)).rejects.toThrow("this chain follows no node");
});

test("has a development node mine, save its state, return to it and impersonate", async () => {
  const { chain } = buildSampleChain();
  const node = following({
    web3_clientVersion: "anvil/v1.7.1",
    evm_setNextBlockTimestamp: "0x1",
    hardhat_mine: null,
    evm_snapshot: "0x2",
    evm_revert: true,
    hardhat_impersonateAccount: null,
    eth_getBlockByNumber: { hash: chain.head.hash },
  });
  const call = await serve({ chain: node.live });
  const head = `${chain.head.number}`;
  expect(await call("GET node")).toEqual({ client: "anvil/v1.7.1", controls: true });
  expect(await call("POST node/mine", { blocks: 3, timestamp: 1_700_000_000 })).toEqual({ head });
  expect(await call("POST node/snapshot")).toEqual({ snapshot: "0x2" });
  expect(await call("POST node/revert", { snapshot: "0x2" })).toEqual({ head });
  expect(await call("POST node/impersonate", { account: from })).toEqual({});
  const asked = node.asked.map(({ method, params }) => [method, ...params]);
  const isControl = ([method]: readonly unknown[]) => /^(evm|hardhat)_/.test(`${method}`);
  expect(asked.filter(isControl)).toEqual([
    ["evm_setNextBlockTimestamp", "0x6553f100"],
    ["hardhat_mine", "0x3"],
    ["evm_snapshot"],
    ["evm_revert", "0x2"],
    ["hardhat_impersonateAccount", from],
  ]);
});

test("knows Hardhat's node by its name, too", async () => {
  const call = await serve({ chain: following({ web3_clientVersion: "HardhatNetwork/3" }).live });
  expect(await call("GET node")).toMatchObject({ controls: true });
});

test("says that a node has no snapshot, or no such method", async () => {
  const { live } = following({
    web3_clientVersion: "Geth/v1.16.0",
    evm_revert: false,
    hardhat_mine: new Error("the method hardhat_mine does not exist"),
  });
  const call = await serve({ chain: live });
  expect(await call("GET node")).toEqual({ client: "Geth/v1.16.0", controls: false });
  await expect(call("POST node/revert", { snapshot: "0x7" })).rejects.toThrow(
    "snapshot: the node has no snapshot 0x7",
  );
  await expect(call("POST node/mine", {})).rejects.toThrow(
    "the node refused hardhat_mine: the method hardhat_mine does not exist",
  );
});
