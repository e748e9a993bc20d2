// How blocks are taken over: in groups that grow with what they hold, up to the first one that is missing, unreadable or out of place.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Chain } from "../../../mocks/double/chain/chain.ts";
import type { RpcBlock } from "../../../mocks/double/sources/ingest/block.ts";
import { loadDemo } from "../../../mocks/node.ts";
import {
  type BlockGroup,
  blockGroups,
  ChainUpdater,
  type ChainUpdaterOptions,
} from "../../../mocks/workbench/follow/chain-updater.ts";
import { CatchUp } from "../../../mocks/workbench/follow/follow-status.ts";
import type { NodeHead } from "../../../mocks/workbench/follow/node-info.ts";
import { RpcNode } from "../../../mocks/workbench/follow/rpc/node.ts";
import { UnreadableBlocks } from "../../../mocks/workbench/follow/unreadable-block.ts";
import { type Call, FakeNode, type RpcAnswer } from "../../support/fake-node.ts";

const demo = await loadDemo();

describe("groups of blocks", () => {
  /** Blocks with that many transactions, and the groups that were requested: from and count. */
  function sourceOf(transactionsIn: (number: number) => number) {
    const requested: string[] = [];
    const blocks = async (from: number, count: number): Promise<RpcBlock[]> => {
      requested.push(`${from}+${count}`);
      return Array.from({ length: count }, (_, at) => ({
        block: {},
        receipts: Array(transactionsIn(from + at)).fill({}),
      }));
    };
    return { blocks, requested };
  }
  async function requestedFor(transactionsIn: (number: number) => number, to: number, ahead = 1) {
    const source = sourceOf(transactionsIn);
    const groups: BlockGroup[] = [];
    for await (const group of blockGroups(source, 0, to, ahead)) groups.push(group);
    expect(groups.map(({ from, blocks }) => `${from}+${blocks.length}`)).toEqual(source.requested);
    return source.requested.map((one) => Number(one.split("+")[1]));
  }

  test("begin with 4 blocks, and double up to 100 while blocks are empty", async () => {
    expect(await requestedFor(() => 0, 499)).toEqual([4, 8, 16, 32, 64, 100, 100, 100, 76]);
    expect(await requestedFor(() => 0, 3)).toEqual([4]);
    expect(await requestedFor(() => 0, 4)).toEqual([4, 1]);
    expect(await requestedFor(() => 0, -1)).toEqual([]);
  });

  test("have about 300 transactions, but at least a block", async () => {
    expect(await requestedFor(() => 100, 11)).toEqual([4, 3, 3, 2]);
    expect(await requestedFor(() => 1000, 6)).toEqual([4, 1, 1, 1]);
    // After large blocks, no group is more than 8 blocks, or twice the last.
    const large = (number: number) => (number < 4 ? 1000 : 0);
    expect(await requestedFor(large, 40)).toEqual([4, 1, 8, 16, 12]);
  });

  test("are requested ahead once the first one has shown their size", async () => {
    const source = sourceOf(() => 0);
    const groups = blockGroups(source, 0, 499, 3);
    await groups.next();
    expect(source.requested).toEqual(["0+4", "4+8", "12+8", "20+8"]);
    await groups.next();
    expect(source.requested.slice(4)).toEqual(["28+16"]);
    await groups.return();
  });

  test("that nobody takes may fail", async () => {
    const failures: unknown[] = [];
    const note = (error: unknown) => failures.push(error);
    process.on("unhandledRejection", note);
    const blocks = async (from: number, count: number) => {
      if (from > 0) throw new Error(`no block ${from}`);
      return Array.from({ length: count }, () => undefined);
    };
    for await (const { blocks: first } of blockGroups({ blocks }, 0, 99, 2)) {
      expect(first).toEqual([undefined, undefined, undefined, undefined]);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off("unhandledRejection", note);
    expect(failures).toEqual([]);
    const all = blockGroups({ blocks }, 0, 99, 2);
    await all.next();
    await expect(all.next()).rejects.toThrow("no block 4");
  });
});

describe("taking blocks over", () => {
  let fake: FakeNode;
  let chain: Chain;
  let updater: ChainUpdater;
  let unreadable: UnreadableBlocks;
  let progress: CatchUp;
  let calls: Call[];
  let fault: (call: Call) => RpcAnswer | null | undefined;
  beforeEach(() => {
    fake = new FakeNode();
    calls = [];
    fault = () => undefined;
    fake.faults.call = (call) => {
      calls.push(call);
      return fault(call);
    };
    chain = new Chain({ chainId: demo.chainId });
    [unreadable, progress] = [new UnreadableBlocks(), new CatchUp()];
    updater = updaterWith({});
  });
  function updaterWith(options: Partial<ChainUpdaterOptions>): ChainUpdater {
    const node = new RpcNode(fake.url, { fetch: fake.fetch, retries: 0 });
    return new ChainUpdater(chain, node, unreadable, progress, { ahead: 2, ...options });
  }
  afterEach(() => vi.restoreAllMocks());

  const headAt = (number: number): NodeHead => ({
    chainId: demo.chainId,
    number,
    hash: demo.block(number)?.hash ?? "",
  });
  const from = (first: number) => ({ from: first, kept: first });
  /** Changes the block with this number, whole, in what the node returns. */
  const change = (number: number, changed: object | null) => {
    fault = (call) => {
      const [at, isWhole] = call.params;
      if (call.method !== "eth_getBlockByNumber" || Number(at) !== number) return undefined;
      if (changed === null) return { result: null };
      if (isWhole !== true) return undefined;
      return { result: { ...Object(Object(fake.answer(call)).result), ...changed } };
    };
  };

  /** The chain refuses the block with this number. */
  const refuse = (number: number) => {
    const append = chain.append.bind(chain);
    vi.spyOn(chain, "append").mockImplementation((input) => {
      if (input.block.number === number) throw new Error("it already has this transaction");
      append(input);
    });
  };

  test("in groups counts each, and says whether there were any", async () => {
    expect(await updater.takeGroups(from(0), 20, headAt(30))).toBe(true);
    expect(chain.head).toEqual(demo.block(20));
    expect(progress.rates()?.blocks).toBeGreaterThan(0);
    change(21, null);
    expect(await updater.takeGroups(from(21), 30, headAt(30))).toBe(false);
    expect(chain.head.number).toBe(20);
    expect(unreadable.current).toBeUndefined();
    // It counts once it has not been there three times.
    for (const _ of [2, 3]) await updater.takeGroups(from(21), 30, headAt(30));
    expect(unreadable.current).toMatchObject({ number: 21, hash: undefined });
    expect(unreadable.current?.error.message).toContain("the node does not have block 21");
  });

  test("in groups takes nothing away for a block that is not there", async () => {
    await updater.takeAll(from(0), headAt(40));
    change(31, null);
    expect(await updater.takeGroups(from(31), 50, headAt(60))).toBe(false);
    expect(chain.head.number).toBe(40);
  });

  test("in groups ends with the one that the chain refuses", async () => {
    refuse(10);
    for (let time = 0; time < 3; time++)
      await updater.takeGroups(from(chain.length), 40, headAt(60));
    expect(chain.head.number).toBe(9);
    expect(unreadable.current?.number).toBe(10);
  });

  test("to the head is in groups until it is reached, then at once", async () => {
    expect(await updater.takeAll(from(0), headAt(30))).toBe(true);
    expect(updater.isComplete).toBe(true);
    expect(updater.missing).toEqual([]);
    expect(chain.head).toEqual(demo.block(30));
    calls = [];
    expect(await updater.takeAll(from(31), headAt(60))).toBe(true);
    // All in one request for their headers.
    const numbers = calls.flatMap(({ method, params: [at, isWhole] }) =>
      method === "eth_getBlockByNumber" && isWhole === true ? [Number(at)] : [],
    );
    expect(numbers).toEqual(Array.from({ length: 30 }, (_, at) => 31 + at));
    expect(chain.head).toEqual(demo.block(60));
    // Without new blocks, what is missing of contracts is requested, and nothing else.
    calls = [];
    expect(await updater.takeAll(from(61), headAt(60))).toBe(true);
    expect(calls.map(({ method }) => method)).toEqual(["eth_getBlockByNumber"]);
  });

  test("is given up where the node's head is another one afterwards, with what grew already", async () => {
    let isOther = true;
    fault = ({ method, params: [at, isWhole] }) =>
      isOther && method === "eth_getBlockByNumber" && Number(at) === 30 && isWhole === false
        ? { result: { number: "0x1e", hash: `0x${"7".repeat(64)}` } }
        : undefined;
    expect(await updater.takeAll(from(0), headAt(30))).toBe(false);
    expect(chain.head.number).toBe(30);
    isOther = false;
    expect(await updater.takeAll(from(30), headAt(30))).toBe(true);
    isOther = true;
    // At once: none.
    expect(await updater.takeAll(from(20), headAt(30))).toBe(false);
    expect(chain.head.number).toBe(30);
  });

  test("ends before one that is not there", async () => {
    change(25, null);
    expect(await updater.takeAll(from(0), headAt(30))).toBe(false);
    expect(chain.head.number).toBe(24);
    change(99, null);
    expect(await updater.takeAll(from(25), headAt(30))).toBe(true);
    change(40, null);
    for (let time = 0; time < 3; time++)
      expect(await updater.takeAll(from(31), headAt(45))).toBe(false);
    expect(chain.head.number).toBe(30);
    expect(unreadable.current?.number).toBe(40);
    // The head itself is on its way.
    chain.reset(demo.chainId);
    [unreadable, updater] = [new UnreadableBlocks(), updaterWith({})];
    change(30, null);
    expect(await updater.takeAll(from(0), headAt(30))).toBe(false);
    expect(chain.head.number).toBe(29);
    expect(unreadable.current).toBeUndefined();
  });

  test("does not name one that was not there for a moment", async () => {
    fault = ({ method, params: [at, isWhole] }) =>
      method === "eth_getBlockByNumber" && Number(at) === 25 && isWhole === true
        ? { result: null }
        : undefined;
    for (let time = 0; time < 4; time++) await updater.takeAll(from(chain.length), headAt(30));
    expect(chain.head.number).toBe(24);
    expect(unreadable.current).toBeUndefined();
  });

  test("ends before one that cannot be read, which is named", async () => {
    change(25, { timestamp: "soon" });
    for (let time = 0; time < 3; time++) await updater.takeAll(from(chain.length), headAt(30));
    expect(chain.head.number).toBe(24);
    expect(unreadable.current).toMatchObject({ number: 25, hash: demo.block(25)?.hash });
    expect(unreadable.current?.error.message).toMatch(/block 25.*timestamp/s);
  });

  test("ends before one that does not follow, also the first one", async () => {
    const parentHash = `0x${"6".repeat(64)}`;
    change(25, { parentHash });
    for (let time = 0; time < 3; time++) await updater.takeAll(from(chain.length), headAt(30));
    expect(chain.head.number).toBe(24);
    expect(unreadable.current).toMatchObject({ number: 25, below: demo.block(24)?.hash });
    // The first block of a chain follows any.
    change(0, { parentHash });
    unreadable.clear();
    expect(await updater.takeGroups({ from: 0, kept: 0 }, 5, headAt(30))).toBe(true);
    expect(chain.block(0)?.parentHash).toBe(parentHash);
  });

  test("ends before one that the chain refuses, which is named", async () => {
    await updater.takeAll(from(0), headAt(20));
    refuse(25);
    for (let time = 0; time < 3; time++)
      expect(await updater.takeAll(from(chain.length), headAt(30))).toBe(false);
    expect(chain.head.number).toBe(24);
    expect(unreadable.current).toMatchObject({ number: 25, hash: demo.block(25)?.hash });
    expect(unreadable.current?.error.message).toContain("it already has this transaction");
  });

  test("replaces those of the chain that come after the ones that stay, at once", async () => {
    await updater.takeAll(from(0), headAt(40));
    const { rewindCount } = chain;
    const seen: number[] = [];
    const append = chain.append.bind(chain);
    vi.spyOn(chain, "append").mockImplementation((input) => {
      append(input);
      setImmediate(() => seen.push(chain.length));
    });
    expect(await updater.takeAll(from(31), headAt(35))).toBe(true);
    expect(chain.head).toEqual(demo.block(35));
    expect(chain.rewindCount).toBe(rewindCount + 1);
    await new Promise(setImmediate);
    expect(new Set(seen)).toEqual(new Set([36]));
    expect(await updater.takeGroups(from(20), 30, headAt(60))).toBe(true);
    expect(chain.head).toEqual(demo.block(30));
  });

  test("says what the node did not return of contracts, and requests it again", async () => {
    const token = [...demo.knownTokens()][0] ?? "0x";
    fault = ({ method, params: [subject] }) =>
      method === "eth_getCode" && subject === token
        ? { error: { code: -32603, message: "internal" } }
        : undefined;
    expect(await updater.takeAll(from(0), headAt(demo.head.number))).toBe(true);
    expect(updater.isComplete).toBe(false);
    expect(updater.missing).toEqual([`eth_getCode ${token}`]);
    fault = () => undefined;
    expect(await updater.takeAll(from(demo.head.number + 1), headAt(demo.head.number))).toBe(true);
    expect(updater.isComplete).toBe(true);
    expect(updater.missing).toEqual([]);
  });

  test("knows what contracts are, those of blocks that came at once, too", async () => {
    const token = [...demo.knownTokens()].find((one) => demo.token(one)?.name) ?? "0x";
    const name = () => chain.token(token)?.name;
    const expected = demo.token(token)?.name;
    await updater.takeAll(from(0), headAt(demo.head.number));
    expect(name()).toBe(expected);
    chain.reset(demo.chainId);
    updater = updaterWith({});
    // Before the token was made.
    await updater.takeAll(from(0), headAt(0));
    const { rewindCount } = chain;
    expect(name()).toBeUndefined();
    await updater.takeAll(from(1), headAt(60));
    expect(name()).toBe(expected);
    expect(chain.rewindCount).toBe(rewindCount);
    chain.reset(demo.chainId);
    updater = updaterWith({});
    await updater.takeGroups(from(0), 60, headAt(demo.head.number));
    expect(name()).toBe(expected);
  });

  test("asks for the contracts of a chain from a store, from a block on", async () => {
    for (let number = 60; number <= demo.head.number; number++)
      chain.append(demo.blockInput(number) as never);
    await updater.resume(demo.head.number + 1);
    expect(updater.isComplete).toBe(true);
    await updater.resume(0);
    const all = updater.missing;
    expect(all.length).toBeGreaterThan(0);
    updater = updaterWith({});
    await updater.resume(demo.head.number);
    expect(updater.missing.length).toBeLessThan(all.length);
    const last = demo.blockInput(demo.head.number)?.executions ?? [];
    const ran = last.flatMap(({ logs }) => logs.map(({ address }) => `eth_call to ${address}`));
    expect(updater.missing.filter((call) => ran.includes(call))).toEqual(
      expect.arrayContaining(updater.missing.filter((call) => call.startsWith("eth_call"))),
    );
  });

  test("keeps in the store what the chain took, as the node returned it", async () => {
    const updates: { from: number; kept: number; blocks: RpcBlock[]; inputs: object[] }[] = [];
    const store = { update: async (update: never) => void updates.push(update) };
    updater = updaterWith({ store: store as never });
    await updater.takeAll(from(0), headAt(20));
    expect(updates.map((one) => one.from)).toEqual([0, 4, 12, 20]);
    expect(updates.map((one) => one.kept)).toEqual([0, 4, 12, 20]);
    refuse(25);
    updates.length = 0;
    await updater.takeAll(from(21), headAt(30));
    expect(updates).toHaveLength(1);
    expect(updates[0]).toMatchObject({ from: 21, kept: 21 });
    const { inputs = [] } = updates[0] ?? {};
    expect(inputs.map((input) => Object(input).block.number)).toEqual([21, 22, 23, 24]);
    expect(updates[0]?.blocks.map(({ block }) => Object(block).hash)).toEqual(
      [21, 22, 23, 24].map((number) => demo.block(number)?.hash),
    );
  });

  test("without trace methods requests none, and takes blocks without their inner calls", async () => {
    const isTrace = ({ method }: Call) => /trace/.test(method);
    updater = updaterWith({ traceMethods: [] });
    expect(await updater.takeAll(from(0), headAt(30))).toBe(true);
    expect(calls.filter(isTrace)).toEqual([]);
    expect(chain.transactionCount).toBeGreaterThan(0);
    // Where they are wanted, a block without them is not taken.
    chain.reset(demo.chainId);
    updater = updaterWith({});
    fault = (call) => (isTrace(call) ? { result: null } : undefined);
    expect(await updater.takeAll(from(0), headAt(30))).toBe(false);
  });

  test("passes on what is known of the node", async () => {
    updater.avoid(["eth_getBlockReceipts"]);
    await updater.takeAll(from(0), headAt(10));
    expect(calls.map(({ method }) => method)).not.toContain("eth_getBlockReceipts");
    updater = updaterWith({});
    chain.reset(demo.chainId);
    const isTrace = (call: Call) => /trace/.test(call.method);
    fault = (call) =>
      isTrace(call) ? { error: { code: -32000, message: "missing trie node" } } : undefined;
    expect(await updater.takeAll(from(0), headAt(20))).toBe(false);
    expect(updater.lack).toMatchObject({ error: { message: expect.stringContaining("trie") } });
    const lacking = updater.lack?.block ?? 0;
    updater.forgetLack();
    expect(updater.lack).toBeUndefined();
    // The block that the node was forked from is not traced.
    updater.forkedFrom(lacking);
    const traced = () =>
      calls.filter((call) => isTrace(call) && Number(call.params[0]) === lacking);
    expect(traced()).not.toEqual([]);
    calls = [];
    await updater.takeGroups(from(chain.length), lacking, headAt(20));
    expect(traced()).toEqual([]);
  });

  test("begins again for another chain", async () => {
    fault = ({ method }) =>
      method === "eth_getCode" ? { error: { code: -32603, message: "internal" } } : undefined;
    await updater.takeAll(from(0), headAt(30));
    expect(updater.isComplete).toBe(false);
    await updater.startOver(5);
    expect([chain.length, chain.chainId]).toEqual([0, 5]);
    expect(updater.isComplete).toBe(true);
    // It grows again.
    change(25, null);
    expect(await updater.takeAll(from(0), headAt(30))).toBe(false);
    expect(chain.head.number).toBe(24);
  });
});
