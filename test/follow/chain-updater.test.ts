// How blocks are taken over: in groups that grow with what they hold, up to the first one that is missing, unreadable or out of place.
import { describe, expect, test } from "vitest";
import { type BlockGroup, blockGroups } from "../../mocks/follow/chain-updater.ts";
import type { RpcBlock } from "../../mocks/ingest/block-fields.ts";

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
