// What a poll of a list finds: what is new, gone, back or moved, and how much of the list it
// reads for that.
import { describe, expect, it } from "vitest";
import { operations } from "../../src/index.ts";
import { ListPoller, type PollOptions } from "../../src/lists/list-poller.ts";
import type { ListRecord } from "../../src/lists/records.ts";
import { countOfPage, newestFirst, noCount, oldestFirst } from "../laws/lists/habits.ts";
import { type Habit, type ListId, ListServer } from "../laws/lists/list-server.ts";

const { signal } = new AbortController();
type Block = ListServer["blocks"][number];
const orders = { "newest first": newestFirst, "oldest first": oldestFirst } as const;
type Order = keyof typeof orders;

/** A list, and a poller of it that writes down what it asks. */
function setting(
  id: ListId,
  options: { from?: bigint; depth?: number },
  order: Order = "newest first",
  ...habits: Habit[]
) {
  const list = new ListServer(id, [orders[order], ...habits], []);
  const asked: PollOptions[] = [];
  const watched = {
    operation: operations[id],
    list: (reading: PollOptions) => {
      asked.push(reading);
      return list.read(reading);
    },
    event: (record: ListRecord) => record,
  };
  const poller = new ListPoller(watched, { from: options.from, depth: options.depth ?? 32 });
  const mine = (blocks: number, size = 1, depth = 0) =>
    list.mine(Array<number>(blocks).fill(size), depth);
  return { list, asked, mine, poll: () => poller.poll(signal) };
}

const record = (block: number, hash: string, more: object = {}): Block[number] => ({
  block_number: BigInt(block),
  transaction_hash: hash,
  ...more,
});
const hashes = (records: readonly ListRecord[] = []) =>
  records.map(({ transaction_hash }) => transaction_hash);

describe("without a first block, what is new", () => {
  const counts = [{}, countOfPage, noCount];
  const both = Object.keys(orders) as Order[];
  it.each(both)("is in later blocks than the newest when it began (%s)", async (order) => {
    for (const count of counts)
      for (const before of [0, 1, 2, 3, 40]) {
        const { asked, list, mine, poll } = setting("A2", { depth: 2 }, order, count);
        mine(before);
        let isNew = true;
        list.before = () => {
          // The newest block is known: blocks arrive that reach deeper than the depth.
          if (isNew && asked.at(-1)?.limit === undefined) mine(6);
          isNew &&= asked.at(-1)?.limit !== undefined;
        };
        expect(await poll()).toEqual({ added: list.records.slice(before), reorganised: undefined });
        expect(list.records).toHaveLength(before + 6);
        mine(1);
        expect(await poll()).toEqual({ added: list.records.slice(-1), reorganised: undefined });
      }
  });

  it("is compared with as many blocks before it as the depth", async () => {
    const { list, mine, poll } = setting("A2", { depth: 10 });
    mine(20);
    await poll();
    const gone = list.records.slice(-5);
    list.blocks.splice(-5);
    const { added, reorganised } = await poll();
    expect(added).toEqual([]);
    expect(hashes(reorganised?.removed).toSorted()).toEqual(hashes(gone).toSorted());
  });
});

describe("each poll", () => {
  it("reads the last blocks only, and forgets those before them", async () => {
    for (const order of ["newest first", "oldest first"] as const) {
      const { list, asked, mine, poll } = setting("A2", { from: 0n, depth: 4 }, order);
      mine(20);
      await poll();
      expect(asked.at(-1)?.startBlock).toBe(0n);
      expect(await poll()).toEqual({ added: [], reorganised: undefined });
      expect(asked.at(-1)?.startBlock).toBe(16n);
      const gone = list.records.slice(-3);
      mine(3, 1, 3);
      const { added, reorganised } = await poll();
      expect(added).toEqual(list.records.slice(-3));
      expect(hashes(reorganised?.removed).toSorted()).toEqual(hashes(gone).toSorted());
    }
  });

  it("looks for the newest block of more than 1000 records that do not name theirs", async () => {
    const { asked, mine, poll } = setting("L1", { from: 0n, depth: 4 });
    mine(100, 20);
    await poll();
    await poll();
    expect(asked.at(-1)?.startBlock).toBe(0n);
    mine(1);
    expect((await poll()).added).toHaveLength(1);
    expect(await poll()).toEqual({ added: [], reorganised: undefined });
    expect(asked.at(-1)?.startBlock).toBe(97n);
    mine(1);
    expect((await poll()).added).toHaveLength(1);
  });

  it("reads again, up to five times, what is reorganised while it is read", async () => {
    for (const [times, reads] of [
      [0, 1],
      [2, 3],
      [9, 5],
    ] as const) {
      let count = 0;
      const watched = {
        operation: operations.A2,
        list: ({ onReorganisation }: PollOptions) => ({
          collect: async () => {
            if (++count <= times) onReorganisation?.();
            return [record(1, `${count}`)];
          },
        }),
        event: (one: ListRecord) => one,
      };
      const poller = new ListPoller(watched, { from: 0n, depth: 4 });
      expect(hashes((await poller.poll(signal)).added)).toEqual([`${reads}`]);
    }
  });

  it("finds records in chain order, whatever the order of the list", async () => {
    for (const order of ["newest first", "oldest first"] as const) {
      const { list, poll } = setting("L1", { from: 0n }, order);
      const log = (transaction_index: number, log_index: number) =>
        record(1, `${transaction_index}/${log_index}`, { transaction_index, log_index });
      list.blocks.push([record(0, "first")], [log(1, 4), log(0, 2), log(1, 3), log(0, 1)]);
      const ordered = ["first", "0/1", "0/2", "1/3", "1/4"];
      expect(hashes((await poll()).added)).toEqual(ordered);
      const plain = setting("A2", { from: 0n }, order);
      plain.mine(3, 3);
      expect((await plain.poll()).added).toEqual(plain.list.records);
    }
  });
});

describe("a reorganisation", () => {
  it("takes records away, brings them back and moves them, each reported once", async () => {
    const { list, poll } = setting("A2", { from: 0n });
    const [a, b] = [record(0, "a"), record(1, "b", { block_hash: "0x1" })];
    list.blocks.push([a], [b]);
    expect(await poll()).toEqual({ added: [a, b], reorganised: undefined });
    const report = { operation: "A2", removed: [], returned: [], moved: [] };
    list.blocks[1] = [];
    expect(await poll()).toEqual({ added: [], reorganised: { ...report, removed: [b] } });
    expect(await poll()).toEqual({ added: [], reorganised: undefined });
    list.blocks[1] = [b];
    expect(await poll()).toEqual({ added: [], reorganised: { ...report, returned: [b] } });
    const moved = { ...b, block_hash: "0xb2" };
    list.blocks[1] = [moved];
    expect(await poll()).toEqual({ added: [], reorganised: { ...report, moved: [moved] } });
    list.blocks[1] = [{ ...moved, block_hash: "0xB2" }];
    expect(await poll()).toEqual({ added: [], reorganised: undefined });
  });

  it("counts records that look the same", async () => {
    const { list, mine, poll } = setting("A5", { from: 0n });
    mine(1, 4);
    const sizes = async () => {
      const { added, reorganised } = await poll();
      const { removed = [], returned = [], moved = [] } = reorganised ?? {};
      return [added, removed, returned, moved].map(({ length }) => length);
    };
    expect(await sizes()).toEqual([4, 0, 0, 0]);
    const [all = []] = list.blocks;
    list.blocks[0] = all.slice(0, 1);
    expect(await sizes()).toEqual([0, 3, 0, 0]);
    list.blocks[0] = all.slice(0, 3);
    expect(await sizes()).toEqual([0, 0, 2, 0]);
    list.blocks[0] = [...all, ...all];
    expect(await sizes()).toEqual([4, 0, 1, 0]);
    list.blocks[0] = [];
    expect(await sizes()).toEqual([0, 8, 0, 0]);
  });
});
