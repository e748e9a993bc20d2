// A node that lags, or one of whose servers does: one line says so, and what was served stays.
import { expect, test, vi } from "vitest";
import { type FollowOptions, followNode, startFollowing } from "../../mocks/follow/follow-node.ts";
import { FakeNode, type FakeNodeFaults, type RpcAnswer } from "../support/fake-node.ts";

const LAST = 92;

/** Options that note errors. */
function noting(node: FakeNode) {
  const errors: string[] = [];
  const options: FollowOptions = {
    ...{ fetch: node.fetch, interval: 3_600_000, retries: 0, fromBlock: 75 },
    onError: (error) => errors.push(String(error)),
  };
  return { errors, options };
}

test("a head that goes back to a block before takes nothing away, and is named once", async () => {
  const node = new FakeNode();
  const { errors, options } = noting(node);
  const follower = await followNode(node.url, options);
  for (const head of [90, 91, LAST, 90]) {
    node.head = head;
    await follower.update();
    expect(follower.chain.head.number).toBe(LAST);
  }
  expect(follower.status()).toMatchObject({ state: "following", head: LAST, nodeHead: 90 });
  expect(errors).toEqual([
    expect.stringMatching(/from block 92 back to 90.*lags.*served meanwhile. What to do: wait/),
  ]);
  await follower.close();
});

test("a node that stays at the block it went back to is believed, one that comes and goes is not", async () => {
  const node = new FakeNode();
  const { options } = noting(node);
  const follower = await followNode(node.url, options);
  const behind = Array<number>(60).fill(80);
  for (const head of [...behind, LAST, ...behind]) {
    node.head = head;
    await follower.update();
    expect(follower.chain.head.number).toBe(LAST);
  }
  await follower.update();
  expect(follower.chain.head.number).toBe(80);
  await follower.close();
});

test("a development node goes back at once, as evm_revert does", async () => {
  const node = new FakeNode();
  node.version = "anvil/v1.7.1";
  const { errors, options } = noting(node);
  const follower = await followNode(node.url, options);
  node.head = 90;
  await follower.update();
  expect(follower.chain.head.number).toBe(90);
  expect(errors).toEqual([]);
  await follower.close();
});

test("a node that is still syncing is named with how far it is", async () => {
  const node = new FakeNode();
  node.faults.call = ({ method }) =>
    method === "eth_syncing"
      ? { result: { startingBlock: "0x0", currentBlock: "0x5c", highestBlock: "0x3e8" } }
      : undefined;
  const { errors, options } = noting(node);
  const follower = await followNode(node.url, options);
  expect(errors).toEqual([
    expect.stringMatching(/the node is still syncing: it is at block 92 of 1000.*What to do: wait/),
  ]);
  expect(follower.chain.head.number).toBe(LAST);
  await follower.close();
});

/** Starts following on a virtual clock; returns once something is wrong, which may take no longer than 3 s. */
async function startedUntilError(node: FakeNode, options: FollowOptions = noting(node).options) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const start = Date.now();
  const follower = startFollowing(node.url, options);
  while (follower.status().lastError === null) await vi.advanceTimersToNextTimerAsync();
  expect(Date.now() - start).toBeLessThan(3000);
  return follower;
}

const limited = { error: { code: -32005, message: "daily request count exceeded" } };
const unsupported = { error: { code: -32601, message: "no such method" } };
const refused = () => {
  throw new Error("connect ECONNREFUSED");
};
const isOf = (pattern: RegExp, answer: RpcAnswer): FakeNodeFaults => ({
  call: ({ method }) => (pattern.test(method) ? answer : undefined),
});

test.each<[string, FakeNodeFaults, RegExp]>([
  ["that is not reached", { post: refused }, /^cannot reach the node at [^\n]*ECONNREFUSED$/],
  [
    ...(["that answers an HTML page", { post: () => new Response("<html>") }] as const),
    /^[^\n]*received HTTP 200 with an HTML page. What to do: check that the URL[^\n]*$/,
  ],
  [
    ...(["that limits requests", { post: () => new Response("", { status: 429 }) }] as const),
    /^[^\n]*no more requests for now \(HTTP 429\). What to do: wait, or send fewer[^\n]*$/,
  ],
  [
    ...(["that limits calls", isOf(/^eth_getBlockReceipts$/, limited)] as const),
    /^[^\n]*daily request count exceeded \(-32005\). What to do: wait, or send fewer[^\n]*$/,
  ],
  [
    ...(["without traces", isOf(/trace/, unsupported)] as const),
    /^[^\n]*supports none of trace_block[^\n]*Start the node with tracing[^\n]*--traces none[^\n]*$/,
  ],
])("a node %s is named within 3 s, in a line", async (_, faults, line) => {
  const node = new FakeNode();
  node.faults = faults;
  // With the retries of every follower.
  const follower = await startedUntilError(node, { fetch: node.fetch, onError: () => {} });
  expect(follower.status().lastError?.message).toMatch(line);
  await follower.close();
});

test("a block that is announced and not returned is named within 3 s, and waited for", async () => {
  const node = new FakeNode();
  let isThere = false;
  node.faults.call = ({ method, params }) =>
    method === "eth_getBlockByNumber" && Number(params[0]) === LAST && !isThere
      ? { result: null }
      : undefined;
  const follower = await startedUntilError(node);
  expect(follower.status().lastError?.message).toMatch(
    /announced block 92, but does not return all.*lags. What to do: use another address/,
  );
  isThere = true;
  while (follower.status().state !== "following") await vi.advanceTimersToNextTimerAsync();
  expect(follower.chain.head.number).toBe(LAST);
  await follower.close();
});

test("a node that has pruned the state of old blocks is named within 3 s, with what to do", async () => {
  const node = new FakeNode([]);
  node.faults.call = ({ method }) =>
    method.includes("trace")
      ? { error: { code: -32000, message: "state at block #20 is pruned" } }
      : undefined;
  const follower = await startedUntilError(node);
  expect(follower.status().lastError?.message).toMatch(
    /^[^\n]*is pruned[^\n]*--from-block[^\n]*--traces[^\n]*$/,
  );
  await follower.close();
});
