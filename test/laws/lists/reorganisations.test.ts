// A reorganisation while a list is read: what still exists comes exactly once, and what changed
// is reported.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reorganisation } from "../../../src/index.ts";
import { runs } from "../../support/runs.ts";
import { cap, countOfPage, newestFirst, oldestFirst } from "./habits.ts";
import { type Change, type Habit, type ListId, ListServer, tally } from "./list-server.ts";

/**
 * Transfers that look the same, which a page cannot hold with one more: one of them came twice,
 * or was lost.
 */
const batches: [number[], number, number[], number, { limit: number; prefetch: number }, number][] =
  [
    [[...Array(17).fill(1), 2, 2, 1], 2, [1], 6, { limit: 2, prefetch: 3 }, 20],
    [[...Array(17).fill(1), 4, 2, 2], 2, [1], 3, { limit: 4, prefetch: 3 }, 20],
    [[...Array(15).fill(1), 4, 1, 2, 3, 1], 2, [], 9, { limit: 2, prefetch: 3 }, 20],
  ];

for (const id of ["A2", "A5", "L1"] as const)
  for (const [name, order] of Object.entries({ newestFirst, oldestFirst }))
    describe(`${id}, ${name}`, () => {
      it("yields every record that stays exactly once, and reports what does not", async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 20, maxLength: 40 }),
            // A record stays.
            fc.integer({ min: 1, max: 19 }),
            fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 12 }),
            fc.integer({ min: 1, max: 9 }),
            fc.record({ limit: fc.integer({ min: 2, max: 12 }), prefetch: fc.constantFrom(0, 3) }),
            fc.integer({ min: 2, max: 20 }),
            async (blocks, depth, instead, when, options, most) => {
              // Where a count is that of the page, docs/iteration.md promises nothing of transfers.
              const habits = [order, cap(most), ...(id === "A5" ? [] : [countOfPage])];
              const list = new ListServer(id, habits, blocks);
              const lasting = tally(list.blocks.slice(0, -depth).flat());
              let answered = 0;
              list.before = () => {
                if (++answered === when) list.mine(instead, depth);
              };
              const reports: Reorganisation[] = [];
              const got = await list
                .read({
                  ...options,
                  onReorganisation: (event: Reorganisation) => reports.push(event),
                })
                .collect();
              const seen = tally(got);
              for (const [record, times] of list.isCut ? [] : lasting)
                expect(seen.get(record), `lost or repeated: ${record}`).toBe(times);
              if (id !== "A5") for (const times of seen.values()) expect(times).toBe(1);
            },
          ),
          { numRuns: runs(500), examples: id === "A5" ? batches : [] },
        );
      });
    });

const unchanged: Change = { blocks: [] };
const full = (length: number, size: number): number[] => Array(length).fill(size);

const newest = { id: "A2", habits: [newestFirst], blocks: full(20, 2), limit: 4 } as const;

it.each<{
  name: string;
  id: ListId;
  habits: readonly Habit[];
  blocks: readonly number[];
  /** The changes from the second answer on. */
  changes: readonly Change[];
  limit: number;
  report: Partial<Reorganisation>;
}>([
  {
    ...{ name: "ahead of what was read", id: "A10", habits: [newestFirst], blocks: full(30, 1) },
    ...{ changes: [{ depth: 5, blocks: [1, 1] }], limit: 12 },
    report: { operation: "A10", shift: -3, position: 12, deep: false },
  },
  {
    ...{ name: "far ahead, though the last record is found again pages later", id: "A10" },
    ...{ habits: [newestFirst], blocks: full(400, 1), limit: 50 },
    changes: [...Array<Change>(5).fill(unchanged), { depth: 2, blocks: [] }],
    report: { operation: "A10", shift: -2, deep: false },
  },
  {
    ...{ ...newest, name: "deeper than what was read, newest first" },
    ...{ changes: [{ depth: 10, blocks: full(10, 3) }], report: { operation: "A2", deep: true } },
  },
  {
    ...{ ...newest, habits: [oldestFirst], name: "deeper than what was read, oldest first" },
    ...{ changes: [{ depth: 20, blocks: full(20, 3) }], report: { operation: "A2", deep: true } },
  },
  {
    ...{ name: "of the last record that was read, where earlier ones are still there", id: "A2" },
    ...{ habits: [oldestFirst, countOfPage], blocks: [0, 3, 2, 0, 3, 2, 1, 3, 0], limit: 5 },
    changes: [unchanged, { blocks: [1, 3, 1] }, { depth: 5, blocks: [0, 3, 3, 1, 3, 0] }],
    report: { operation: "A2", shift: undefined, position: 15, deep: true },
  },
])("a reorganisation $name is reported", async ({ id, habits, blocks, changes, limit, report }) => {
  const list = new ListServer(id, habits, blocks, changes);
  const reports: Reorganisation[] = [];
  const onReorganisation = (event: Reorganisation) => reports.push(event);
  await list.read({ limit, onReorganisation, onShortfall: () => {} }).collect();
  expect(reports[0]).toMatchObject(report);
});

it("a reorganisation of transfers that were read before a cursor is reported, and what stays comes once", async () => {
  const list = new ListServer("A5", [newestFirst], Array(8).fill(1));
  const { value: page } = await list.read({ limit: 8 }).pages().next();
  expect(page?.data).toHaveLength(8);
  list.mine([1, 3, 1, 0, 1], 5);
  const reports: Reorganisation[] = [];
  const onReorganisation = (event: Reorganisation) => reports.push(event);
  const options = { resume: page?.cursor, onReorganisation };
  const got = await list.read(options).collect();
  expect(got).toEqual([]);
  expect(reports).toEqual([{ operation: "A5", shift: undefined, position: 8, deep: true }]);
});
