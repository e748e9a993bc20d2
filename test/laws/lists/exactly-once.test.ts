// Iteration yields every record that existed when it began exactly once, whatever arrives while it runs.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isExplorerError, type ListError } from "../../../src/index.ts";
import { runs } from "../../support/runs.ts";
import { GrowingList, mining, tally } from "./growing-list.ts";
import { readIn } from "./habit-laws.ts";

const habits = fc.record({
  order: fc.constantFrom("newest first" as const, "oldest first" as const),
  count: fc.constantFrom("total" as const, "page" as const, "nonsense" as const, "none" as const),
  cap: fc.oneof(fc.constant(1000), fc.integer({ min: 1, max: 9 })),
});
const sizes = (id: string) => fc.integer({ min: id === "A10" ? 1 : 0, max: id === "A10" ? 1 : 6 });

/** What happens, and when: how many blocks arrive before each answer, and how long the answer takes. */
const script = fc.array(
  fc.record({
    blocks: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 9 })),
    delay: fc.nat(3),
  }),
  { minLength: 1, maxLength: 12 },
);

const run = (id: "A2" | "A5" | "A10" | "L1") =>
  fc.record({
    id: fc.constant(id),
    habits,
    initial: fc.array(sizes(id), { maxLength: 25 }),
    arriving: fc.array(sizes(id), { minLength: 1, maxLength: 10 }),
    script,
    limit: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(undefined)),
    prefetch: fc.constantFrom(0, 0, 1, 2, 5),
  });

/** A list of one record, read one at a time: nothing tells its order, and a block that arrives is no reorganisation. */
const alone: Omit<Run, "id"> = {
  habits: { order: "newest first", count: "total", cap: 2 },
  initial: [1],
  arriving: [1],
  script: [1, 0, 0, 0].map((blocks) => ({ blocks, delay: 0 })),
  limit: 1,
  prefetch: 0,
};

/** Transfers that look the same, a `count` of the page and many blocks that arrive between pages requested ahead: one came twice. */
const ahead: Omit<Run, "id"> = {
  habits: { order: "newest first", count: "page", cap: 4 },
  initial: [5, 1, 1, 4, 1, 4, 1, 2, 1],
  arriving: [1, 3, 0],
  script: [5, 0].map((blocks) => ({ blocks, delay: 0 })),
  limit: undefined,
  prefetch: 5,
};

/** Equal transfers, five of them at a time, and blocks that arrive in between: two came twice. */
const few: Omit<Run, "id"> = {
  habits: { order: "newest first", count: "nonsense", cap: 1000 },
  initial: [1, 3, 1],
  arriving: [0, 0, 3, 6, 4, 6, 1, 1],
  script: [2, 2, 4].map((blocks) => ({ blocks, delay: 0 })),
  limit: undefined,
  prefetch: 0,
};

/** Equal transfers, and blocks that arrive while the end is looked at: one transfer came twice. */
const ended: readonly Omit<Run, "id">[] = [
  {
    habits: { order: "newest first", count: "page", cap: 1000 },
    initial: [1, 1],
    arriving: [2, 1, 1, 0, 2],
    script: [3, 0, 1, 0].map((blocks) => ({ blocks, delay: 0 })),
    limit: undefined,
    prefetch: 0,
  },
  {
    habits: { order: "newest first", count: "page", cap: 3 },
    initial: [3, 2],
    arriving: [0, 4, 0, 3],
    script: [0, 0, 0, 3, 0, 0].map((blocks) => ({ blocks, delay: 0 })),
    limit: undefined,
    prefetch: 0,
  },
];

/** Equal transfers of the blocks that arrive, before a look far away: a reorganisation was reported. */
const looked: Omit<Run, "id"> = {
  habits: { order: "newest first", count: "page", cap: 3 },
  initial: [1],
  arriving: [2],
  script: [2, 0, 0, 0].map((blocks) => ({ blocks, delay: 0 })),
  limit: undefined,
  prefetch: 0,
};

/** A list that grows by a page before each page: read from cursors, its first records came again after 32 others. */
const faster: Omit<Run, "id"> = {
  habits: { order: "newest first", count: "total", cap: 1000 },
  initial: [2],
  arriving: [2],
  script: [{ blocks: 1, delay: 0 }],
  limit: 2,
  prefetch: 0,
};

/** Read one record at a time, from cursors, while it grows by six records for every twelve requests: an error in an earlier version. */
const slow: Omit<Run, "id"> = {
  habits: { order: "newest first", count: "page", cap: 6 },
  initial: [5, 5, 3],
  arriving: [2, 5, 2, 6, 2, 3, 1, 6, 3, 6],
  script: [2, ...Array<number>(11).fill(0)].map((blocks) => ({ blocks, delay: 0 })),
  limit: 1,
  prefetch: 1,
};

/** Read four records at a time, two pages in a process, while four arrive before each: those that had arrived came again. */
const arrived: Omit<Run, "id"> = {
  habits: { order: "newest first", count: "total", cap: 4 },
  initial: [1, 1],
  arriving: [6, 4, 2],
  script: [{ blocks: 1, delay: 0 }],
  limit: undefined,
  prefetch: 0,
};

/** A search met a page that was requested ahead of it, before blocks arrived: records were lost. */
const searched: Omit<Run, "id"> = {
  habits: { order: "newest first", count: "nonsense", cap: 4 },
  initial: [1, 5, 6, 6, 0, 6, 4, 2, 2, 1],
  arriving: [4, 1, 5, 1, 1],
  script: [
    [0, 2],
    [0, 3],
    [0, 1],
    [1, 0],
    [3, 3],
    [0, 1],
    [3, 0],
    [0, 3],
    [0, 2],
    [0, 3],
    [0, 2],
    [0, 0],
  ].map(([blocks = 0, delay = 0]) => ({ blocks, delay })),
  limit: undefined,
  prefetch: 2,
};

/** A list that grows by three records before each sixth request, read one record at a time: a search did not keep up with it. */
const chased: Omit<Run, "id"> = {
  habits: { order: "newest first", count: "total", cap: 1 },
  initial: [2],
  arriving: [3],
  script: [0, 0, 0, 1, 0, 0].map((blocks) => ({ blocks, delay: 0 })),
  limit: 1,
  prefetch: 0,
};

type Run = ReturnType<typeof run> extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Read one record at a time, a list that grows nearly as fast may move on before what was read is found: that ends with an error that says so.
 * A server that returns nothing may not know a limit that large: the client asks for fewer, down to one.
 */
const mayOutrun = ({ habits, initial, limit, script }: Run, maxItems?: number): boolean =>
  ![alone, chased, slow].some((example) => example.script === script) &&
  (Math.min(limit ?? 1000, maxItems ?? 1000, habits.cap) === 1 ||
    (habits.count === "nonsense" && initial.every((size) => size === 0)));

/** Throws an error unless it is that one. */
function expectOutrun(error: unknown, input: Run, maxItems?: number): void {
  if (!mayOutrun(input, maxItems) || !isExplorerError(error, "LIST")) throw error;
  expect((error as ListError).reason).toBe("NO_PROGRESS");
}

/** A count that means nothing may promise more than there is. */
const heedlessOf = ({ habits }: Run) =>
  habits.count === "nonsense" ? { onShortfall: () => {} } : {};

function arrange({ id, habits, initial, arriving, script }: Run) {
  const list = new GrowingList(habits);
  const mine = (size: number) => list.blocks.push(mining[id]?.(list.blocks.length, size, 0) ?? []);
  for (const size of initial) mine(size);
  let turn = 0;
  let mined = 0;
  list.before = async () => {
    const { blocks, delay } = script[turn % script.length] ?? { blocks: 0, delay: 0 };
    // Nothing grows for ever, or a list read oldest first never ends.
    const first = turn++ === 0;
    for (let wait = 0; wait < delay; wait++) await null;
    if (!first && mined < 100)
      for (let block = 0; block < blocks; block++) mine(arriving[mined++ % arriving.length] ?? 0);
  };
  return { list, existing: tally(list.records) };
}

function check(existing: Map<string, number>, list: GrowingList, got: readonly object[]) {
  const seen = tally(got);
  const all = tally(list.records);
  for (const [record, times] of existing)
    expect(seen.get(record), `lost or repeated: ${record}`).toBe(times);
  for (const [record, times] of seen)
    expect(times, `repeated: ${record}`).toBeLessThanOrEqual(all.get(record) ?? 0);
}

for (const id of ["A2", "A5", "A10", "L1"] as const)
  describe(id, () => {
    it("yields every record exactly once while blocks arrive", async () => {
      await fc.assert(
        fc.asyncProperty(run(id), async (input) => {
          const { list, existing } = arrange(input);
          const reports: unknown[] = [];
          const { limit, prefetch } = input;
          const got: object[] = [];
          const read = list.list(id, {
            limit,
            prefetch,
            ...heedlessOf(input),
            onReorganisation: (event: unknown) => reports.push(event),
          });
          try {
            for await (const record of read) got.push(record);
            check(existing, list, got);
          } catch (error) {
            expectOutrun(error, input);
            check(new Map(), list, got);
          }
          expect(reports).toEqual([]);
          expect(list.mostInFlight).toBeLessThanOrEqual(Math.max(1, prefetch));
        }),
        {
          numRuns: runs(1000),
          examples: [
            [{ ...alone, id }],
            [{ ...chased, id }],
            ...(id === "A5" ? [ahead, ...ended, looked].map((one): [Run] => [{ ...one, id }]) : []),
          ],
        },
      );
    });

    /** Reads a list, some pages or records at a time, each time from the last cursor. */
    const resumed = async (input: Run, stop: number, maxItems?: number) => {
      const { list, existing } = arrange(input);
      const { limit, prefetch } = input;
      const got: object[] = [];
      const options = { limit, prefetch, ...heedlessOf(input) };
      const stops = { pages: stop, maxItems, times: Number.POSITIVE_INFINITY };
      try {
        for await (const record of readIn((more) => list.list(id, { ...options, ...more }), stops))
          got.push(record);
        check(existing, list, got);
      } catch (error) {
        expectOutrun(error, input, maxItems);
        check(new Map(), list, got);
      }
    };

    it("goes on from a cursor in another process without losing or repeating", async () => {
      await fc.assert(
        fc.asyncProperty(
          run(id),
          fc.integer({ min: 1, max: 3 }),
          fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
          resumed,
        ),
        {
          numRuns: runs(500),
          examples: [
            [{ ...faster, id }, 1, undefined],
            [{ ...slow, id }, 1, undefined],
            [{ ...arrived, id }, 2, 4],
            [{ ...searched, id }, 1, undefined],
            ...(id === "A5" ? [[{ ...few, id }, 2, 5] as [Run, number, number]] : []),
          ],
        },
      );
    });

    // A fault of an earlier version: a transfer came twice.
    if (id === "A5")
      it("goes on from a cursor of equal transfers that a search has found", () =>
        resumed(
          {
            id,
            habits: { order: "newest first", count: "page", cap: 1000 },
            initial: [1],
            arriving: [2, 0, 1, 1, 1, 0, 1, 0],
            script: [0, 1, 0, 1, 0, 0, 0, 5].map((blocks) => ({ blocks, delay: 0 })),
            limit: undefined,
            prefetch: 1,
          },
          2,
        ));

    // Faults of an earlier version: an error, and a record that came twice.
    if (id === "A2")
      it.each([
        { cap: 1, count: "total" as const, initial: [2, 2], arriving: [5, 3], at: 8 },
        { cap: 4, count: "nonsense" as const, initial: [1, 1], arriving: [2], at: 4 },
      ])("goes on from a cursor of a list that grew: %j", ({ cap, count, initial, arriving, at }) =>
        resumed(
          {
            id,
            habits: { order: "newest first", count, cap },
            initial,
            arriving,
            script: [...Array(at).fill(0), 2, 0].map((blocks: number) => ({ blocks, delay: 0 })),
            limit: undefined,
            prefetch: 0,
          },
          1,
        ),
      );
  });
