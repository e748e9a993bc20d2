// Whatever a server does, an iteration is exact, or ends with an error that says what the server did.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isExplorerError, operations, type Reorganisation } from "../../../src/index.ts";
import { watch } from "../../../src/lists/watch.ts";
import { runsUpTo } from "../../support/runs.ts";
import { type Habits, tally } from "./growing-list.ts";
import {
  anyBlocks,
  anyGrowth,
  anyHabits,
  anyLengths,
  anyQuirks,
  anyReading,
  anyReorganisation,
  type Change,
  type ListId,
  type Quirks,
  QuirkyList,
} from "./quirky-list.ts";

const ids = ["A2", "A5", "A10", "L1"] as const;
const anyId = fc.constantFrom(...ids);

/** Each record that must come does so exactly once, and no record more often than there are. */
function expectExact(got: readonly object[], lasting: readonly object[]): void {
  const seen = tally(got);
  for (const [record, times] of tally(lasting))
    expect(seen.get(record), `lost or repeated: ${record}`).toBe(times);
}

const collected = async (list: QuirkyList, options: object) => {
  const got: object[] = [];
  for await (const record of list.read(options)) got.push(record);
  return got;
};

/** Of each of the eight laws; together 3,000 and 100,000. */
const numRuns = runsUpTo(375, 12_500);

/** How many requests in a row may bring nothing new: 1000, each with those ahead of it. */
const MAX_DROUGHT = 4100;

describe("every iteration", () => {
  it("ends, within the caller's limit, whatever the server does", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyId,
        anyHabits,
        anyReading,
        anyBlocks,
        fc.oneof(anyGrowth, anyReorganisation),
        anyQuirks,
        fc.nat(3),
        async (id, habits, reading, blocks, changes, quirks, offset) => {
          const list = new QuirkyList(id, habits, quirks, blocks, changes);
          list.limit = reading.limit;
          let error: unknown;
          await collected(list, { ...reading, offset }).catch((thrown: unknown) => {
            error = thrown;
          });
          if (error && !isExplorerError(error, "LIST"))
            expect(String(error)).toBe("Error: limit too large");
          expect(list.complaints).toEqual([]);
          expect(list.longestDrought).toBeLessThan(MAX_DROUGHT);
        },
      ),
      {
        numRuns,
        examples: [
          // A transfer that had arrived before the last one, which was gone, came again and again.
          [
            "A5",
            { order: "oldest first", count: "total", cap: 2 },
            { limit: 2, prefetch: 0 },
            [1, 1, 2, 0, 1],
            [{ depth: 2, blocks: [] }, { blocks: [1] }],
            { ignoresBlocks: true, horizon: 4 },
            3,
          ],
        ],
      },
    );
  });
});

describe("every record of a block that stays", () => {
  it("comes exactly once, whatever the length of pages, while blocks arrive", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyId,
        anyHabits,
        anyReading,
        anyBlocks,
        anyGrowth,
        fc.option(anyLengths, { nil: undefined }),
        async (id, habits, reading, blocks, changes, lengths) => {
          const list = new QuirkyList(id, habits, lengths ? { lengths } : {}, blocks, changes);
          const lasting = list.lasting;
          const reports: unknown[] = [];
          const onReorganisation = (event: Reorganisation) => reports.push(event);
          expectExact(await collected(list, { ...reading, onReorganisation }), lasting);
          expect(reports).toEqual([]);
        },
      ),
      {
        numRuns,
        examples: [
          [
            "A5",
            { order: "oldest first", count: "total", cap: 3 },
            { limit: 3, prefetch: 3 },
            [4, 1, 2, 2],
            [],
            [2, 3, 3, 1],
          ],
          [
            "A5",
            { order: "oldest first", count: "page", cap: 1000 },
            { limit: 5, prefetch: 3 },
            [1, 2],
            [{ blocks: [1] }, { blocks: [4] }],
            [3, 5, 1],
          ],
          [
            "A5",
            { order: "newest first", count: "page", cap: 1000 },
            { limit: 3, prefetch: 0 },
            [2, 2],
            [],
            [1, 3, 2],
          ],
          // A block arrived while equal transfers, the last of the list, were looked at with the block before them: one came twice.
          [
            "A5",
            { order: "newest first", count: "page", cap: 1000 },
            { limit: 6, prefetch: 0 },
            [1],
            [
              { blocks: [2] },
              { blocks: [] },
              { blocks: [1, 1, 1] },
              { blocks: [] },
              { blocks: [1] },
            ],
            [5, 2],
          ],
          // Requested again and again ahead of the page before it: a record was lost.
          [
            "A2",
            { order: "newest first", count: "page", cap: 1000 },
            { limit: 2, prefetch: 3 },
            [3],
            [{ blocks: [4] }, { blocks: [4] }],
            [2, 2, 1],
          ],
        ],
      },
    );
  });

  it("comes exactly once through a reorganisation", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyId,
        anyHabits,
        anyReading,
        anyBlocks,
        anyReorganisation,
        async (id, habits, reading, blocks, changes) => {
          const list = new QuirkyList(id, habits, {}, blocks, changes);
          const lasting = list.lasting;
          expectExact(await collected(list, reading), lasting);
        },
      ),
      {
        numRuns,
        examples: [
          // Pages of one record, of which nothing is known at an offset of 1, looked as if `offset` counted pages: a record was lost.
          [
            "A2",
            { order: "newest first", count: "total", cap: 1 },
            { limit: 2, prefetch: 0 },
            [3],
            [{ blocks: [] }, { blocks: [1] }, { blocks: [0, 0, 1] }, { depth: 4, blocks: [] }],
          ],
          // Of two equal transfers, the other one stood where the last one had been: it was lost.
          [
            "A5",
            { order: "newest first", count: "total", cap: 7 },
            { limit: 7, prefetch: 3 },
            [2, 4, 3, 3, 1, 1],
            [{ blocks: [0] }, { blocks: [0] }, { depth: 7, blocks: [] }, { blocks: [1, 5] }],
          ],
          // Twelve steps, one of them a reorganisation of six blocks: a record of a block that stays came twice.
          [
            "L1",
            { order: "newest first", count: "page", cap: 1000 },
            { limit: 3, prefetch: 0 },
            [2, 1, 3, 1, 2, 2, 1, 3, 2, 1],
            [1, 0, 2, 1, -6, 2, 0, 1, 3, 0, 1, 2].map((step) =>
              step < 0 ? { depth: -step, blocks: [2, 0, 3, 1] } : { blocks: [step] },
            ),
          ],
          [
            "A10",
            { order: "newest first", count: "none", cap: 1 },
            { limit: 1, prefetch: 0 },
            [0, 0, 0, 0, 0, 0],
            [{ depth: 5, blocks: [] }, { blocks: [0, 0] }, { blocks: [0, 0] }, { blocks: [0] }],
          ],
          [
            "A10",
            { order: "newest first", count: "page", cap: 1000 },
            { limit: 1, prefetch: 0 },
            [0, 0],
            [
              { blocks: [] },
              { blocks: [] },
              { blocks: [0, 0, 0] },
              { depth: 4, blocks: [0] },
              { blocks: [0, 0, 0] },
            ],
          ],
          // Blocks that arrive look as if `offset` counted pages: the list ended in an error.
          ...(["total", "page"] as const).map(
            (count): [ListId, Habits, { limit: number; prefetch: number }, number[], Change[]] => [
              "A10",
              { order: "newest first", count, cap: 2 },
              { limit: 2, prefetch: 0 },
              [0, 0, 0, 0, 0, 0],
              [
                { depth: 6, blocks: [0, 0, 0] },
                { blocks: [] },
                { blocks: [0] },
                { blocks: [0, 0] },
                { blocks: [0, 0, 0] },
              ],
            ],
          ),
          [
            "L1",
            { order: "newest first", count: "total", cap: 1000 },
            { limit: 2, prefetch: 0 },
            [1, 1, 1],
            [
              { blocks: [1, 2] },
              { blocks: [] },
              { blocks: [] },
              { blocks: [] },
              { depth: 2, blocks: [] },
            ],
          ],
          [
            "L1",
            { order: "newest first", count: "total", cap: 1000 },
            { limit: 3, prefetch: 0 },
            [1, 1, 2],
            [
              { blocks: [3, 2] },
              { blocks: [] },
              { blocks: [] },
              { blocks: [] },
              { depth: 2, blocks: [] },
            ],
          ],
          [
            "L1",
            { order: "newest first", count: "total", cap: 1 },
            { limit: 1, prefetch: 0 },
            [1, 1],
            [
              { blocks: [1] },
              { blocks: [] },
              { blocks: [1] },
              { blocks: [] },
              { blocks: [] },
              { depth: 2, blocks: [] },
            ],
          ],
        ],
      },
    );
  });

  it("comes exactly once if stale replicas answer at times", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyId,
        anyHabits,
        anyReading,
        anyBlocks,
        anyGrowth,
        fc.oneof(
          fc.nat(3).map((lag) => [0, 0, 0, lag]),
          fc.tuple(fc.constant(0), fc.nat(3), fc.nat(3)),
        ),
        async (id, habits, reading, blocks, changes, lags) => {
          const list = new QuirkyList(id, { ...habits, count: "total" }, { lags }, blocks, changes);
          const { lasting } = list;
          expectExact(await collected(list, reading), lasting);
        },
      ),
      {
        numRuns,
        examples: [
          [
            "L1",
            { order: "newest first", count: "total", cap: 1 },
            { limit: 1, prefetch: 0 },
            [1],
            [{ blocks: [1] }, { blocks: [1] }],
            [0, 0, 0, 2],
          ],
          [
            "L1",
            { order: "newest first", count: "total", cap: 1000 },
            { limit: 1, prefetch: 0 },
            [1],
            [{ blocks: [2] }],
            [0, 0, 0, 3],
          ],
          [
            "L1",
            { order: "newest first", count: "total", cap: 1 },
            { limit: 1, prefetch: 0 },
            [1],
            [{ blocks: [1, 1] }],
            [0, 0, 2],
          ],
          [
            "A10",
            { order: "newest first", count: "total", cap: 1 },
            { limit: 1, prefetch: 0 },
            [0],
            [{ blocks: [0] }, { blocks: [0] }],
            [0, 0, 0, 2],
          ],
          [
            "A10",
            { order: "newest first", count: "total", cap: 2 },
            { limit: 2, prefetch: 0 },
            [0, 0, 0],
            [{ blocks: [0] }, { blocks: [] }, { blocks: [0] }],
            [0, 2, 0],
          ],
        ],
      },
    );
  });

  it("comes exactly once from an offset on, while blocks arrive", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("A2", "A5", "L1"),
        anyHabits,
        fc.record({ limit: fc.integer({ min: 2, max: 12 }), prefetch: fc.constantFrom(0, 3) }),
        anyBlocks,
        anyGrowth,
        fc.nat(6),
        async (id, habits, reading, blocks, changes, offset) => {
          // Transfers of one transaction that look the same may be mistaken there.
          const list = new QuirkyList(
            id,
            habits,
            {},
            id === "A5" ? blocks.map(() => 1) : blocks,
            changes.map((change) => ({
              blocks: id === "A5" ? change.blocks.map(() => 1) : change.blocks,
            })),
          );
          const { lasting } = list;
          if (habits.order === "newest first") lasting.reverse();
          const reports: unknown[] = [];
          const onReorganisation = (event: Reorganisation) => reports.push(event);
          const got = await collected(list, { ...reading, offset, onReorganisation });
          expectExact(got, lasting.slice(offset));
          expect(reports).toEqual([]);
        },
      ),
      {
        numRuns,
        examples: [
          // A record arrives before each page: it looked as if `offset` counted pages, and a record came twice.
          [
            "A5",
            { order: "newest first", count: "total", cap: 2 },
            { limit: 2, prefetch: 0 },
            [0, 0, 0],
            [{ blocks: [0] }, { blocks: [0] }, { blocks: [0] }],
            1,
          ],
        ],
      },
    );
  });
});

describe("a loop by nextPage()", () => {
  it("sees the same records as for await", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyId,
        anyHabits,
        anyReading,
        anyBlocks,
        fc.oneof(anyGrowth, anyReorganisation),
        async (id, habits, { limit }, blocks, changes) => {
          const fresh = () => new QuirkyList(id, habits, {}, blocks, changes);
          const got: object[] = [];
          let page = await fresh().read({ limit });
          got.push(...page.data);
          while (page.hasNextPage()) {
            page = await page.nextPage();
            got.push(...page.data);
          }
          expect(tally(got)).toEqual(tally(await collected(fresh(), { limit })));
        },
      ),
      {
        numRuns,
        examples: [
          [
            "A10",
            { order: "newest first", count: "total", cap: 2 },
            { limit: 2, prefetch: 0 },
            [0, 0, 0],
            [
              { blocks: [0, 0] },
              { blocks: [0, 0, 0] },
              { depth: 8, blocks: [0, 0, 0, 0, 0, 0, 0] },
              { blocks: [0] },
            ],
          ],
        ],
      },
    );
  });
});

describe("a server that sends fewer records than it counts", () => {
  it("is never believed silently", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyId,
        anyHabits,
        anyReading,
        anyBlocks,
        fc.record(
          {
            horizon: fc.nat(20),
            maximum: fc.record({
              limit: fc.integer({ min: 1, max: 12 }),
              beyond: fc.constantFrom("few" as const, "nothing" as const, "error" as const),
            }),
          },
          { requiredKeys: [] },
        ),
        async (id, habits, reading, blocks, quirks) => {
          const list = new QuirkyList(id, { ...habits, count: "total" }, quirks, blocks, []);
          const got: object[] = [];
          const reports: unknown[] = [];
          const onShortfall = (event: unknown) => reports.push(event);
          const error = await (async () => {
            for await (const record of list.read({ ...reading, onShortfall })) got.push(record);
          })().catch((thrown: unknown) => thrown);
          if (!error && !reports.length) expectExact(got, list.records);
          else if (error && !isExplorerError(error, "LIST"))
            expect(String(error)).toBe("Error: limit too large");
        },
      ),
      {
        numRuns,
        examples: [
          [
            "A5",
            { order: "oldest first", count: "total", cap: 3 },
            { limit: 3, prefetch: 0 },
            [1, 2],
            { horizon: 1 },
          ],
          [
            "A5",
            { order: "newest first", count: "total", cap: 1000 },
            { limit: 3, prefetch: 0 },
            [2, 1],
            { horizon: 1 },
          ],
        ],
      },
    );
  });
});

describe("a range that the caller narrows", () => {
  const anyRange = fc
    .tuple(fc.nat(12), fc.nat(12))
    .map(([startBlock, length]) => ({ startBlock, endBlock: startBlock + length }));
  const arrange = (id: "A2" | "A5" | "L1", habits: Habits, blocks: number[], quirks: Quirks) =>
    new QuirkyList(id, { ...habits, count: "total" }, quirks, blocks, []);

  it("is read without an error if the count is that of all blocks", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("A2", "A5", "L1"),
        anyHabits,
        anyReading,
        anyBlocks,
        anyRange,
        async (id, habits, reading, blocks, range) => {
          const list = arrange(id, habits, blocks, { countsAll: true });
          const got = await collected(list, { ...reading, ...range });
          const wanted = list.blocks.slice(range.startBlock, range.endBlock + 1).flat();
          expect(tally(got)).toEqual(tally(wanted));
        },
      ),
      { numRuns },
    );
  });

  it("is read with smaller limits if the server sends nothing for one above its own", async () => {
    for (const id of ["A2", "A5", "L1"] as const) {
      const habits = { order: "newest first", count: "total", cap: 1000 } as const;
      const maximum = { limit: 10, beyond: "nothing" } as const;
      const list = arrange(id, habits, [1, 2, 3], { maximum });
      const got = await collected(list, { limit: 20, startBlock: 1 });
      expect(tally(got)).toEqual(tally(list.blocks.slice(1).flat()));
    }
  });

  it("reports to onShortfall that the count promises more", async () => {
    const list = arrange("A2", { order: "newest first", count: "total", cap: 1000 }, [2, 2], {
      horizon: 1,
    });
    const reports: unknown[] = [];
    const onShortfall = (event: unknown) => reports.push(event);
    for await (const _ of list.read({ startBlock: 1, offset: 1, onShortfall }));
    expect(reports).toEqual([{ operation: "A2", promised: 2, received: 1 }]);
  });

  it("is watched without errors if the count is that of all blocks", async () => {
    const habits = { order: "newest first", count: "total", cap: 1000 } as const;
    const list = arrange("A2", habits, [2, 2], { countsAll: true });
    const controller = new AbortController();
    const errors: unknown[] = [];
    const watched = {
      operation: operations.A2,
      list: (range: object) => list.read(range),
      event: (record: object) => record,
    };
    let polls = 0;
    const options = {
      from: 5n,
      pollInterval: 1,
      signal: controller.signal,
      onError: (error: unknown) => errors.push(error),
    };
    list.before = () => {
      if (++polls === 20) controller.abort();
    };
    for await (const _ of watch([watched], options));
    expect(polls).toBeGreaterThanOrEqual(20);
    expect(errors).toEqual([]);
  });
});
