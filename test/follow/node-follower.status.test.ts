// What a follower asks of its node, no more than it needs, and what its status says meanwhile.
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { FollowStatus } from "../../mocks/chain/live-chain.ts";
import { type FollowOptions, startFollowing } from "../../mocks/follow/follow-node.ts";
import { temporaryFolder } from "../support/project.ts";
import { BLOCK, BranchingNode, error, FIRST, follow, LAST } from "./branching-node.ts";

const quiet: FollowOptions = {
  ...{ interval: 3_600_000, retries: 0, fromBlock: FIRST, traces: "none", onError: () => {} },
};
function start(node: BranchingNode, options: FollowOptions = {}) {
  const follower = startFollowing(node.url, { ...quiet, fetch: node.fetch, ...options });
  onTestFinished(() => follower.close());
  return follower;
}

/** The states that a follower has whenever its node is asked. */
function statesDuring(node: BranchingNode, status: () => FollowStatus): Set<string> {
  const states = new Set<string>();
  node.faults.post = () => {
    states.add(status().state);
    return undefined;
  };
  return states;
}

describe("what a node is asked", () => {
  test("at rest is its head alone", async () => {
    const node = new BranchingNode();
    const { update } = await follow(node);
    node.calls = [];
    await update();
    expect(node.calls).toEqual([`${BLOCK} latest false`]);
  });

  test("about a new block is what it follows, the block, and whether it is still the head", async () => {
    const node = new BranchingNode();
    node.head = 91;
    const { update } = await follow(node);
    node.head = LAST;
    node.calls = [];
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    // No timer runs: there is no pause.
    await update();
    expect(node.calls.filter((call) => !/eth_(call|getCode)/.test(call))).toEqual([
      `${BLOCK} latest false`,
      "eth_chainId",
      `${BLOCK} 0x5b false`,
      `${BLOCK} 0x5c true`,
      "eth_getBlockReceipts 0x5c",
      `${BLOCK} 0x5c false`,
      `${BLOCK} latest false`,
    ]);
  });

  test("of Hardhat is nothing that it does not have, from the block that it was forked from on", async () => {
    const node = new BranchingNode();
    node.version = "HardhatNetwork/3.0.0";
    node.spoil = ({ method }) => {
      if (method === "debug_traceTransaction") return { result: { type: "CALL" } };
      if (method !== "hardhat_metadata") return undefined;
      return { result: { forkedNetwork: { forkBlockNumber: 88 } } };
    };
    const { chain } = await follow(node, { fromBlock: undefined, traces: "auto" });
    expect([chain.head.number, chain.length]).toEqual([LAST, 5]);
    const methods = new Set(node.calls.map((call) => call.split(" ")[0]));
    expect(methods).not.toContain("trace_block");
    expect(methods).not.toContain("debug_traceBlockByNumber");
    expect(methods).not.toContain("eth_getBlockReceipts");
    expect(methods).toContain("debug_traceTransaction");
    const traced = node.calls.filter((call) => call.startsWith("debug_traceTransaction"));
    const { result } = node.answer({ id: 0, method: BLOCK, params: ["0x58", false] }) as {
      result: { transactions: string[] };
    };
    expect(result.transactions.length).toBeGreaterThan(0);
    // Its block ran elsewhere.
    for (const hash of result.transactions)
      expect(traced.some((call) => call.includes(hash))).toBe(false);
  });

  test("of many blocks counts from the one that it was forked from", async () => {
    const node = new BranchingNode();
    node.spoil = ({ method, params: [, full] }) => {
      if (method === "hardhat_metadata")
        return { result: { forkedNetwork: { forkBlockNumber: 8_999_990 } } };
      if (method !== BLOCK) return undefined;
      if (full === true) return error(-32603, "the first blocks are asked for");
      return { result: { number: "0x895440", hash: `0x${"1".repeat(64)}` } };
    };
    await expect(follow(node, { fromBlock: undefined })).rejects.toThrow(
      "the first blocks are asked for",
    );
  });
});

describe("the status", () => {
  test("is connecting until a node has responded, also after failures", async () => {
    const node = new BranchingNode();
    node.spoil = () => error(-32603, "internal");
    const follower = start(node);
    const none = { first: null, head: null, nodeHead: null, lag: null, secondsLeft: null };
    expect(follower.status()).toMatchObject({ state: "connecting", ...none, blocks: 0 });
    await expect(follower.update()).rejects.toThrow("internal");
    expect(follower.status()).toMatchObject({
      ...{ state: "connecting", ...none },
      lastError: { message: expect.stringContaining("internal") },
    });
  });

  test("is catching up with a rate until the head is reached, then following without one", async () => {
    const node = new BranchingNode();
    const seen: FollowStatus[] = [];
    const follower = start(node, { fromBlock: 0 });
    node.faults.post = () => {
      seen.push(follower.status());
      return undefined;
    };
    await follower.ready;
    expect(follower.chain.origin).toEqual({ kind: "node", name: "node.test" });
    const growing = seen.filter(({ head }) => head !== null && head < LAST);
    expect(growing.length).toBeGreaterThan(1);
    for (const {
      state,
      head,
      lag,
      blocksPerSecond,
      transactionsPerSecond,
      secondsLeft,
    } of growing) {
      expect(state).toBe("catching-up");
      expect(lag).toBe(LAST - (head ?? 0));
      expect(blocksPerSecond).toBeGreaterThan(0);
      expect(transactionsPerSecond).not.toBeNull();
      expect(secondsLeft).toBeCloseTo((lag ?? 0) / (blocksPerSecond ?? 1), 3);
    }
    expect(follower.status()).toMatchObject({
      ...{ state: "following", first: 0, head: LAST, lag: 0, blocks: LAST + 1 },
      ...{ blocksPerSecond: null, transactionsPerSecond: null, secondsLeft: null },
    });
  });

  test("stays the same in a poll without news, also where a block cannot be taken over", async () => {
    const node = new BranchingNode();
    const { update, status, errors } = await follow(node);
    const states = statesDuring(node, status);
    await update();
    expect([...states]).toEqual(["following"]);
    node.spoil = ({ method, params: [at] }) =>
      method === BLOCK && Number(at) === 91 ? { result: null } : undefined;
    node.replacedFrom = 90;
    await update();
    states.clear();
    await update();
    expect([...states]).toEqual(["stuck"]);
    // Blocks below the one that is missing are replaced meanwhile.
    node.branch = "beef";
    states.clear();
    await update();
    expect([...states]).toEqual(["stuck"]);
    node.spoil = () => undefined;
    await update();
    expect(status().state).toBe("following");
    // That it is over is no error.
    expect(errors).toHaveLength(1);
  });

  test("says that a stored chain is read, and then that its node is asked", async () => {
    const store = temporaryFolder("store", onTestFinished);
    const node = new BranchingNode();
    const { close } = await follow(node, { store });
    await close();
    const follower = start(node, { store });
    let before: FollowStatus | undefined;
    node.faults.post = () => {
      before ??= follower.status();
      return undefined;
    };
    const states = new Set<string>();
    for (let turn = 0; turn < 100; turn += 1) {
      states.add(follower.status().state);
      await Promise.resolve();
    }
    expect([...states]).toEqual(["connecting", "restoring"]);
    await follower.ready;
    expect(before).toMatchObject({ state: "connecting", first: FIRST, head: LAST, nodeHead: null });
    expect(follower.status().state).toBe("following");
  });
});

test("a token of which the node fails to tell is asked for again in each poll, which has no other news", async () => {
  const node = new BranchingNode();
  node.spoil = ({ method }) =>
    method === "eth_call" ? error(-32000, "something went wrong") : undefined;
  const { update, status } = await follow(node);
  expect(status().missing.length).toBeGreaterThan(0);
  const states = statesDuring(node, status);
  await update();
  expect([...states]).toEqual(["following"]);
  node.spoil = () => undefined;
  await update();
  expect(status()).toMatchObject({ state: "following", missing: [] });
});

test("readers see the chain or what replaces it, also where no block is the same", async () => {
  const node = new BranchingNode();
  const { chain, update } = await follow(node);
  node.replacedFrom = FIRST;
  const seen = new Set<string>();
  node.faults.post = () => {
    seen.add(`${chain.length} blocks up to ${chain.head.hash}`);
    return undefined;
  };
  const before = chain.head.hash;
  await update();
  expect([...seen]).toEqual([before, chain.head.hash].map((hash) => `9 blocks up to ${hash}`));
});

test("an update that fails says what the last attempt lacked, not an earlier one", async () => {
  const node = new BranchingNode();
  node.head = 90;
  const { update } = await follow(node);
  node.head = LAST;
  let lacks = 3;
  node.spoil = ({ method, params: [, full] }) => {
    if (method.includes("Receipt") && lacks-- > 0) return error(-32000, "state is pruned");
    return method === BLOCK && full === true && lacks <= 0 ? { result: null } : undefined;
  };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const failure = expect(update()).rejects.toThrow(/^gave up the update after 10 attempts/);
  for (let timer = 0; timer < 12; timer += 1) await vi.advanceTimersToNextTimerAsync();
  await failure;
});

test("closing waits for the update that runs", async () => {
  const node = new BranchingNode();
  const follower = await follow(node);
  let hasEnded = false;
  const update = follower
    .update()
    .catch(() => {})
    .then(() => {
      hasEnded = true;
    });
  await follower.close();
  expect(hasEnded).toBe(true);
  await update;
});
