// How blocks are taken over: in groups that grow with what they hold, up to the first one that is missing, unreadable or out of place.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Chain } from "../../mocks/chain/chain.ts";
import { type BlockGroup, blockGroups, ChainUpdater } from "../../mocks/follow/chain-updater.ts";
import { CatchUp } from "../../mocks/follow/follow-status.ts";
import type { NodeHead } from "../../mocks/follow/node-info.ts";
import { UnreadableBlocks } from "../../mocks/follow/unreadable-block.ts";
import type { RpcBlock } from "../../mocks/ingest/block.ts";
import { loadDemo } from "../../mocks/node.ts";
import { RpcNode } from "../../mocks/rpc/node.ts";
import { type Call, FakeNode, type RpcAnswer } from "../support/fake-node.ts";

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
    const node = new RpcNode(fake.url, { fetch: fake.fetch, retries: 0 });
    chain = new Chain({ chainId: demo.chainId });
    [unreadable, progress] = [new UnreadableBlocks(), new CatchUp()];
    updater = new ChainUpdater(chain, node, unreadable, progress, { ahead: 2 });
  });
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
  });

  test("to the head lets readers see them one by one until it is reached, then all or none", async () => {
    const lengths = new Set<number>();
    const append = chain.append.bind(chain);
    vi.spyOn(chain, "append").mockImplementation((input) => {
      append(input);
      setImmediate(() => lengths.add(chain.length));
    });
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
    expect(await updater.takeAll(from(31), headAt(45))).toBe(false);
    expect(chain.head.number).toBe(30);
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
    const append = chain.append.bind(chain);
    vi.spyOn(chain, "append").mockImplementation((input) => {
      if (input.block.number === 25) throw new Error("it already has this transaction");
      append(input);
    });
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

  test("begins again for another chain", async () => {
    await updater.takeAll(from(0), headAt(30));
    await updater.startOver(5);
    expect([chain.length, chain.chainId]).toEqual([0, 5]);
    expect(updater.isComplete).toBe(true);
    // It grows again.
    change(25, null);
    expect(await updater.takeAll(from(0), headAt(30))).toBe(false);
    expect(chain.head.number).toBe(24);
  });
});
