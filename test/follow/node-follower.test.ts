// Which blocks a follower takes over when its node's chain grows, changes or goes, and when it waits, gives up or starts over.
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { type FollowOptions, startFollowing } from "../../mocks/follow/follow-node.ts";
import { createExplorer, followNode } from "../../mocks/node.ts";
import { ExplorerClient } from "../../src/index.ts";
import type { RpcAnswer } from "../support/fake-node.ts";
import { temporaryFolder } from "../support/project.ts";
import { BLOCK, BranchingNode, error, FIRST, follow, LAST } from "./branching-node.ts";

/** The hashes of the blocks, by their numbers. */
const hashes = ({ chain }: { chain: ChainWriter }, from = FIRST) =>
  Array.from({ length: chain.length }, (_, index) => chain.block(from + index)?.hash);
const hashesOf = (node: BranchingNode, to = LAST, from = FIRST) =>
  Array.from({ length: to - from + 1 }, (_, index) => node.hash(from + index));
const span = (from: number, to = LAST) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("a node whose chain changes", () => {
  test.each([FIRST, 88, LAST])("from block %i on is read from there on", async (from) => {
    const node = new BranchingNode();
    const follower = await follow(node);
    expect(hashes(follower)).toEqual(hashesOf(node));
    node.taken();
    node.replacedFrom = from;
    await follower.update();
    expect(hashes(follower)).toEqual(hashesOf(node));
    expect(node.taken()).toEqual(span(from));
    expect(follower.status()).toMatchObject({ state: "following", first: FIRST, head: LAST });
    expect(follower.errors).toEqual([]);
  });

  test.each([5, 15, 25, 35])(
    "while it is read, at request %i, is read as it is then",
    async (at) => {
      const node = new BranchingNode();
      const changeTo = (branch: string) => {
        let posts = 0;
        node.faults.post = () => {
          posts += 1;
          if (posts === at) Object.assign(node, { replacedFrom: 86, branch });
          return undefined;
        };
      };
      node.head = 88;
      changeTo("f00d");
      const follower = await follow(node, { batch: 3 });
      // What changes after that is of the next update.
      if (node.replacedFrom === 86) expect(hashes(follower)).toEqual(hashesOf(node, 88));
      node.head = LAST;
      changeTo("beef");
      await follower.update();
      if (node.branch === "beef") expect(hashes(follower)).toEqual(hashesOf(node));
      expect(follower.errors).toEqual([]);
    },
  );

  test("is compared at few blocks", async () => {
    const node = new BranchingNode();
    const { update } = await follow(node, { fromBlock: 0 });
    node.taken();
    node.replacedFrom = 40;
    await update();
    const compared = node.calls.filter((call) => /^eth_getBlockByNumber 0x\w+ false$/.test(call));
    expect(compared.length).toBeLessThan(16);
    expect(node.taken()).toEqual(span(40));
  });

  test.each([
    ["to a longer chain", 88, 87, LAST],
    ["to a chain of the same length", LAST, 91, LAST],
    ["to a shorter chain", LAST, 89, 90],
  ])("%s is followed", async (_, before, from, after) => {
    const node = new BranchingNode();
    node.head = before;
    const follower = await follow(node);
    node.replacedFrom = from;
    node.head = after;
    node.taken();
    await follower.update();
    expect(hashes(follower)).toEqual(hashesOf(node, after));
    expect(node.taken()).toEqual(span(from, after));
    expect(follower.status()).toMatchObject({ head: after, nodeHead: after, lag: 0 });
  });
});

describe("a node that grows", () => {
  /** The heads that readers saw while the node went from one block to another. */
  async function headsSeen(from: number, to: number) {
    const node = new BranchingNode();
    node.head = from;
    const { chain, update } = await follow(node, { fromBlock: from - 5 });
    node.head = to;
    const seen = new Set<number>();
    node.faults.post = () => {
      seen.add(chain.head.number);
      return undefined;
    };
    await update();
    expect(chain.head.number).toBe(to);
    return [...seen];
  }

  test("by up to 64 blocks is taken over at once, by more in steps", async () => {
    expect(await headsSeen(28, LAST)).toEqual([28, LAST]);
    const [first, ...others] = await headsSeen(27, LAST);
    expect(first).toBe(27);
    expect(others.length).toBeGreaterThan(1);
  });

  test("takes one update after another", async () => {
    const node = new BranchingNode();
    node.head = 90;
    const { update, chain } = await follow(node);
    node.head = LAST;
    node.taken();
    await Promise.all([update(), update(), update()]);
    expect(node.taken()).toEqual([91, 92]);
    expect(chain.head.number).toBe(LAST);
  });
});

describe("the network of a node", () => {
  const chainIds = (node: BranchingNode) =>
    node.calls.splice(0).filter((call) => call === "eth_chainId");

  test("is asked for once a minute of polls at the same head, with each new head, and after a failure", async () => {
    const node = new BranchingNode();
    node.head = 90;
    const { update } = await follow(node);
    chainIds(node);
    for (let poll = 0; poll < 122; poll += 1) await update();
    expect(chainIds(node)).toHaveLength(2);
    node.head = 91;
    await update();
    expect(chainIds(node)).toHaveLength(1);
    await update();
    expect(chainIds(node)).toHaveLength(0);
    node.spoil = () => error(-32603, "internal");
    await expect(update()).rejects.toThrow("internal");
    node.spoil = () => undefined;
    chainIds(node);
    await update();
    expect(chainIds(node)).toHaveLength(1);
  });

  test("is asked for each time at block 0, which all networks may share", async () => {
    const node = new BranchingNode();
    node.head = 0;
    const { update } = await follow(node, { fromBlock: 0 });
    chainIds(node);
    await update();
    await update();
    expect(chainIds(node)).toHaveLength(2);
  });

  test("that is another one has another chain", async () => {
    const node = new BranchingNode();
    const { update, chain, status } = await follow(node);
    node.spoil = ({ method }) => (method === "eth_chainId" ? { result: "0x2a" } : undefined);
    node.head = 90;
    await update();
    expect([chain.chainId, chain.head.number, chain.length]).toEqual([42, 90, 7]);
    expect(status()).toMatchObject({ state: "following", first: FIRST, head: 90 });
  });
});

test("a node of another network with the same head is not asked for the state, where a store refuses it", async () => {
  const node = new BranchingNode();
  // Whose state may change without a block.
  node.version = "anvil/v1.7.1";
  const store = temporaryFolder("store", onTestFinished);
  const follower = await followNode(node.url, {
    ...{ fetch: node.fetch, interval: 3_600_000, retries: 0, traces: "none", store },
    onError: () => {},
  });
  onTestFinished(() => follower.close());
  const { baseUrl, fetch } = createExplorer({ chain: follower });
  const { accounts } = new ExplorerClient({ baseUrl, apiKey: "any", fetch, retry: 0 });
  const account = `0x${"0b".repeat(20)}` as const;
  let [chainId, balance] = ["0x6b5", "0x1"];
  node.spoil = ({ method }) => {
    if (method === "eth_chainId") return { result: chainId };
    return method === "eth_getBalance" ? { result: balance } : undefined;
  };
  expect(await accounts.balance(account)).toBe(1n);
  [chainId, balance] = ["0x2a", "0x2"];
  for (let poll = 0; poll < 60; poll += 1) await follower.update().catch(() => {});
  await expect(follower.update()).rejects.toThrow(/choose another folder/);
  await expect(accounts.balance(account)).rejects.toThrow(
    /of chain 1717, and the node has chain 42/,
  );
  expect(follower.chain.balance(account)).toBe(1n);
  [chainId, balance] = ["0x6b5", "0x3"];
  await follower.update();
  expect(await accounts.balance(account)).toBe(3n);
});

describe("the first block", () => {
  /** A node with this head, which returns no block in whole. */
  const nodeAt = (head: number) => {
    const node = new BranchingNode();
    node.spoil = ({ method, params: [number, full] }) => {
      if (method !== BLOCK) return undefined;
      if (full === true) return error(-32603, `not ${Number(number)}`);
      return { result: { number: `0x${head.toString(16)}`, hash: `0x${"1".repeat(64)}` } };
    };
    return node;
  };
  const started = (head: number, options: FollowOptions) =>
    expect(follow(nodeAt(head), { fromBlock: undefined, ...options })).rejects;

  test("is 0 for up to 5 million blocks, for more if they are wanted", async () => {
    await started(4_999_999, {}).toThrow("not 0");
    await started(5_000_000, { fromBlock: 0 }).toThrow("not 0");
    await started(5_000_000, {}).toThrow(
      "the node has 5000001 blocks: choose where to begin with fromBlock (--from-block 4990000,",
    );
  });

  test("is the one that is given, whatever comes after it", async () => {
    await started(9_000_000, { fromBlock: 5 }).toThrow("not 5");
    await started(9_000_000, { fromBlock: "latest" }).toThrow("not 9000000");
    await started(9_000_000, { fromBlock: 9_000_000 }).toThrow("not 9000000");
    await started(9_000_000, { fromBlock: 9_000_001 }).toThrow(
      "cannot follow from block 9000001: the node's head is 9000000",
    );
  });
});

describe("an update whose blocks are not all there", () => {
  /** Updates on a virtual clock; the error, and when each attempt began. */
  async function attempts(node: BranchingNode, update: () => Promise<void>) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 0 });
    const at: number[] = [];
    node.faults.post = ([call]) => {
      if (call?.params[0] === "latest") at.push(Date.now());
      return undefined;
    };
    let ended = false;
    const failure = update().then(
      () => undefined,
      (reason: Error) => reason.message,
    );
    void failure.finally(() => {
      ended = true;
    });
    while (!ended) await vi.advanceTimersToNextTimerAsync();
    return { message: await failure, at };
  }
  const pauses = (count: number) =>
    Array.from({ length: count }, (_, index) => 20 * (2 ** index - 1));
  const blocks = (answer: RpcAnswer) => (node: BranchingNode) => {
    node.spoil = ({ method, params: [, full] }) =>
      method === BLOCK && full === true ? answer : undefined;
  };
  const receipts = (answer: RpcAnswer) => (node: BranchingNode) => {
    node.spoil = ({ method }) => (method.includes("Receipt") ? answer : undefined);
  };

  test.each<[string, (node: BranchingNode) => void, number, RegExp]>([
    [
      "without a word is tried ten times",
      blocks({ result: null }),
      10,
      /^gave up the update after 10 attempts/,
    ],
    [
      "that are unknown yet is tried ten times",
      receipts(error(-32000, "unknown block")),
      10,
      /^gave up the update at block 91: .*unknown block/,
    ],
    [
      "that are gone for good is tried ten times",
      receipts(error(-32000, "state is pruned")),
      10,
      /^gave up the update at block 91: .*is pruned/,
    ],
  ])("%s, after pauses twice as long each", async (_, spoil, count, message) => {
    const node = new BranchingNode();
    node.head = 90;
    const { update, status, chain } = await follow(node);
    node.head = LAST;
    spoil(node);
    const { message: received, at } = await attempts(node, update);
    expect(received).toMatch(message);
    expect(at).toEqual(pauses(count));
    expect(status().state).toBe("failing");
    expect(chain.head.number).toBe(90);
  });

  test("takes what one method never returns from the next one after 2.5 s", async () => {
    const node = new BranchingNode();
    node.head = 90;
    const { update, chain } = await follow(node);
    node.head = LAST;
    node.spoil = ({ method }) => (method === "eth_getBlockReceipts" ? { result: null } : undefined);
    const { message, at } = await attempts(node, update);
    expect(message).toBeUndefined();
    expect(at).toEqual([...pauses(8), 2540]);
    expect(chain.head.number).toBe(LAST);
  });

  test("begins to count again where it takes blocks over", async () => {
    const node = new BranchingNode();
    node.head = 4;
    const { update, chain } = await follow(node, { fromBlock: 0 });
    node.head = LAST;
    /** Two blocks far from the head are there the ninth time only. */
    const asked = new Map([
      [10, 0],
      [20, 0],
    ]);
    node.spoil = ({ method, params: [at, full] }) => {
      const count = asked.get(Number(at));
      if (method !== BLOCK || full !== true || count === undefined) return undefined;
      asked.set(Number(at), count + 1);
      return count < 8 ? { result: null } : undefined;
    };
    expect((await attempts(node, update)).message).toBeUndefined();
    expect(chain.head.number).toBe(LAST);
  });
});

describe("a block that cannot be taken over", () => {
  const unreadable = (number: number) => (node: BranchingNode) => {
    node.spoil = (call) => {
      if (call.method !== BLOCK || Number(call.params[0]) !== number) return undefined;
      const { result } = node.branched(call) as { result: object | null };
      return { result: result && { ...result, timestamp: "0xffffffffffffffff" } };
    };
  };
  const unlinked = (number: number) => (node: BranchingNode) => {
    node.spoil = (call) => {
      if (call.method !== BLOCK || Number(call.params[0]) !== number) return undefined;
      const { result } = node.branched(call) as { result: object | null };
      return { result: result && { ...result, parentHash: `0x${"7".repeat(64)}` } };
    };
  };
  const missing = (number: number) => (node: BranchingNode) => {
    node.spoil = ({ method, params: [at] }) =>
      method === BLOCK && Number(at) === number ? { result: null } : undefined;
  };
  const faults = [
    [
      "that cannot be read",
      unreadable,
      /cannot read block 90.*timestamp.*set the node's time to seconds since 1970/,
    ],
    ["that does not follow the one below it", unlinked, /block 90 .*does not follow its block 89/],
    ["that is missing", missing, /does not have block 90, though its head is block 92/],
  ] as const;

  test.each(faults)(
    "%s ends the chain before it, is named once, and left alone",
    async (_, spoil, message) => {
      const node = new BranchingNode();
      spoil(90)(node);
      const follower = await follow(node);
      expect(follower.status()).toMatchObject({ state: "stuck", head: 89, nodeHead: LAST, lag: 3 });
      expect(hashes(follower)).toEqual(hashesOf(node, 89));
      node.taken();
      for (let poll = 0; poll < 3; poll += 1) await follower.update();
      expect(node.taken()).toEqual([]);
      expect(follower.errors).toEqual([expect.stringMatching(message)]);
      expect(follower.status().lastError?.message).toMatch(message);
      expect(follower.status().state).toBe("stuck");
    },
  );

  test.each(faults)("%s is taken over once it is there", async (name, spoil) => {
    const node = new BranchingNode();
    spoil(90)(node);
    const follower = await follow(node);
    node.spoil = () => undefined;
    // What cannot be read has the same hash as what can be: it is read again if the node has another one.
    if (name !== "that is missing") node.replacedFrom = 90;
    await follower.update();
    expect(follower.status()).toMatchObject({ state: "following", head: LAST, lag: 0 });
    expect(hashes(follower)).toEqual(hashesOf(node));
  });

  test.each(faults)("%s is read again once the head was below it", async (_, spoil) => {
    const node = new BranchingNode();
    spoil(90)(node);
    const { update, status } = await follow(node);
    node.head = 89;
    await update();
    expect(status()).toMatchObject({ state: "following", head: 89, lag: 0 });
    node.spoil = () => undefined;
    node.head = LAST;
    await update();
    expect(status()).toMatchObject({ state: "following", head: LAST });
  });

  test("does not hold up the blocks below it that are replaced", async () => {
    const node = new BranchingNode();
    unreadable(90)(node);
    const follower = await follow(node);
    const { hash } = follower.chain.head;
    node.replacedFrom = 88;
    await follower.update();
    expect(follower.chain.head.hash).not.toBe(hash);
    expect(hashes(follower)).toEqual(hashesOf(node, 89));
    expect(follower.status().state).toBe("stuck");
  });

  test("is read again if the one below it, which it does not follow, is another one", async () => {
    const node = new BranchingNode();
    unlinked(90)(node);
    const { update, errors, status } = await follow(node);
    const before = node.hash(89);
    node.replacedFrom = 89;
    node.replacedTo = 89;
    await update();
    expect(errors).toEqual([
      expect.stringContaining(`its block 89 (${before})`),
      expect.stringContaining(`its block 89 (${node.hash(89)})`),
    ]);
    expect(status()).toMatchObject({ state: "stuck", head: 89 });
  });

  test("is an error of each update if it is the first one", async () => {
    const node = new BranchingNode();
    unreadable(FIRST)(node);
    const follower = startFollowing(node.url, {
      ...{ fetch: node.fetch, interval: 3_600_000, retries: 0, fromBlock: FIRST },
      onError: () => {},
    });
    onTestFinished(() => follower.close());
    for (let update = 0; update < 2; update += 1)
      await expect(follower.update()).rejects.toThrow(`cannot read block ${FIRST}`);
    expect(follower.status()).toMatchObject({ first: null, head: null, nodeHead: LAST, lag: 9 });
    unreadable(FIRST + 1)(node);
    await follower.update();
    expect(follower.status()).toMatchObject({ state: "stuck", first: FIRST, head: FIRST, lag: 8 });
  });
});

describe("a chain that is kept", () => {
  /** A folder with the chain of a node, up to its head. */
  async function stored(node: BranchingNode): Promise<string> {
    const store = temporaryFolder("store", onTestFinished);
    const { close } = await follow(node, { store });
    await close();
    node.taken();
    return store;
  }

  test("is continued, from whatever block the next start begins", async () => {
    const node = new BranchingNode();
    node.head = 90;
    const store = await stored(node);
    node.head = LAST;
    for (const fromBlock of [FIRST, "latest", undefined] as const) {
      const follower = await follow(node, { store, fromBlock });
      expect(hashes(follower)).toEqual(hashesOf(node));
      expect(follower.status()).toMatchObject({ state: "following", first: FIRST });
      await follower.close();
    }
    expect(node.taken()).toEqual([91, 92]);
  });

  test("has its own first block", async () => {
    const node = new BranchingNode();
    const store = await stored(node);
    await expect(follow(node, { store, fromBlock: FIRST + 1 })).rejects.toThrow(
      `${store} has the chain from block ${FIRST} on, not ${FIRST + 1}; choose another folder`,
    );
  });

  test("is continued where the node replaced its last blocks meanwhile", async () => {
    const node = new BranchingNode();
    const store = await stored(node);
    node.replacedFrom = 90;
    const follower = await follow(node, { store });
    expect(hashes(follower)).toEqual(hashesOf(node));
    expect(node.taken()).toEqual(span(90));
  });

  test.each<[string, (node: BranchingNode) => void, RegExp]>([
    [
      "another one",
      (node) => {
        node.replacedFrom = FIRST;
      },
      /another chain with this id/,
    ],
    [
      "less of it",
      (node) => {
        node.head = 90;
      },
      /another one with this id: only the blocks up to 90 are the same, and its head is block 90/,
    ],
    [
      "a shorter one that left it",
      (node) => {
        node.replacedFrom = 88;
        node.head = 91;
      },
      /only the blocks up to 87 are the same, and its head is block 91/,
    ],
  ])(
    "is not given up at a start for a node with %s, unless it may be replaced",
    async (_, change, message) => {
      const node = new BranchingNode();
      const store = await stored(node);
      change(node);
      await expect(follow(node, { store })).rejects.toThrow(message);
      const follower = await follow(node, { store, replace: true });
      expect(hashes(follower)).toEqual(hashesOf(node, node.head));
    },
  );

  test("follows a node that replaces blocks while it runs, as long as it is the same chain", async () => {
    const node = new BranchingNode();
    const follower = await follow(node, { store: temporaryFolder("store", onTestFinished) });
    node.replacedFrom = 88;
    node.head = 91;
    await follower.update();
    expect(hashes(follower)).toEqual(hashesOf(node, 91));
    node.branch = "beef";
    node.replacedFrom = FIRST;
    for (let update = 0; update < 2; update += 1)
      await expect(follower.update()).rejects.toThrow("another chain with this id");
    expect(follower.chain.head.number).toBe(91);
    expect(follower.status().state).toBe("failing");
  });

  test("is compared at the first update only after a start", async () => {
    const node = new BranchingNode();
    node.version = "anvil/v1.7.1";
    const store = await stored(node);
    const follower = await follow(node, { store });
    node.head = 90;
    await follower.update();
    expect(hashes(follower)).toEqual(hashesOf(node, 90));
  });
});
