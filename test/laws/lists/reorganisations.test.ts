// A reorganisation while a list is read: what still exists comes exactly once, and what changed
// is reported.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reorganisation } from "../../../src/index.ts";
import { runs } from "../../support/runs.ts";
import { cap, countOfPage, newestFirst, oldestFirst } from "./habits.ts";
import { ListServer, tally } from "./list-server.ts";

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

describe("a reorganisation ahead of what was read", () => {
  it("is reported with the number of positions that records moved by", async () => {
    const list = new ListServer("A10", [newestFirst], Array(30).fill(1));
    let answered = 0;
    list.before = () => {
      if (++answered === 2) list.mine([1, 1], 5);
    };
    const reports: Reorganisation[] = [];
    const onReorganisation = (event: Reorganisation) => reports.push(event);
    const got = await list.read({ limit: 12, onReorganisation }).collect();
    expect(got).toHaveLength(30);
    expect(reports).toEqual([{ operation: "A10", shift: -3, position: 12, deep: false }]);
  });
});

describe("a reorganisation far ahead of what was read", () => {
  it("is reported, though the last record is found again pages later", async () => {
    const changes = [...Array(5).fill({ blocks: [] }), { depth: 2, blocks: [] }];
    const list = new ListServer("A10", [newestFirst], Array(400).fill(1), changes);
    const reports: Reorganisation[] = [];
    const onReorganisation = (event: Reorganisation) => reports.push(event);
    await list.read({ limit: 50, onReorganisation, onShortfall: () => {} }).collect();
    expect(reports).toMatchObject([{ operation: "A10", shift: -2, deep: false }]);
  });
});

describe("a reorganisation deeper than what was read", () => {
  it("is reported", async () => {
    for (const order of [newestFirst, oldestFirst]) {
      const list = new ListServer("A2", [order], Array(20).fill(2));
      const depth = order === newestFirst ? 10 : 20;
      let answered = 0;
      list.before = () => {
        if (++answered === 2) list.mine(Array(depth).fill(3), depth);
      };
      const reports: Reorganisation[] = [];
      const got = await list
        .read({ limit: 4, onReorganisation: (event: Reorganisation) => reports.push(event) })
        .collect();
      expect(reports).toContainEqual(expect.objectContaining({ operation: "A2", deep: true }));
      // Twenty records of the first ten blocks stayed when reading newest first; all are there.
      const seen = tally(got);
      if (order === newestFirst)
        for (const record of list.blocks.slice(0, 10).flat())
          expect(seen.get([...tally([record]).keys()][0] ?? "")).toBe(1);
    }
  });
});

describe("a reorganisation that replaces the last record that was read", () => {
  it("is reported where records before it are still there", async () => {
    const blocks = [0, 3, 2, 0, 3, 2, 1, 3, 0];
    const changes = [
      { blocks: [] },
      { blocks: [1, 3, 1] },
      { depth: 5, blocks: [0, 3, 3, 1, 3, 0] },
    ];
    const server = new ListServer("A2", [oldestFirst, countOfPage], blocks, changes);
    const reports: Reorganisation[] = [];
    const onReorganisation = (event: Reorganisation) => reports.push(event);
    await server.read({ limit: 5, onReorganisation }).collect();
    expect(reports).toEqual([{ operation: "A2", shift: undefined, position: 15, deep: true }]);
  });
});

describe("a reorganisation of transfers that were read before a cursor", () => {
  it("is reported, and what stays comes once", async () => {
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
});
