// What the habits of servers promise: which lists are exact, and how one is read and judged, in one process or several.
import * as fc from "fast-check";
import { expect } from "vitest";
import type { ListProfile } from "../../../src/contract/list-profile.ts";
import { isExplorerError, type PagedRequest } from "../../../src/index.ts";
import { profilesOf } from "../../../src/lists/profile.ts";
import * as habits from "../servers/habits.ts";
import { type Habit, ListServer } from "../servers/list-server.ts";
import { type ListId, type SimulatedRecord, tally } from "./growing-list.ts";

export const orders: readonly Habit[] = [habits.newestFirst, habits.oldestFirst, habits.byHash];
const counts: readonly (readonly Habit[])[] = [[], [], [habits.countOfPage], [habits.noCount]];
export const sizes = (maxLength: number) => fc.array(fc.integer({ min: 0, max: 5 }), { maxLength });
const still = fc.constant([]);
const growing = fc.array(fc.record({ blocks: sizes(3) }), { maxLength: 12 });

export interface Law {
  readonly habit: (seed: number) => readonly Habit[];
  /** The lists it is exact for, all by default; those in `hides` may end with a typed error or a report. */
  readonly ids?: readonly ListId[];
  readonly hides?: boolean;
  /** What is hidden shows in the count only. */
  readonly blind?: boolean;
  readonly count?: boolean;
  readonly still?: boolean;
  /** Block 0 has no records: a server that takes 0 for no bound cannot leave it out. */
  readonly emptyGenesis?: boolean;
}

/** Where keys repeat, a list that is neither sorted by block nor heeds blocks cannot be told apart while it grows. */
export const unique: readonly ListId[] = ["A2", "L1", "A10"];
const window = (seed: number) => 13 + (seed % 30);

export const laws: Readonly<Record<string, Law>> = {
  "as specified": { habit: () => [] },
  "pages shorter than requested": { habit: (seed) => [habits.cap(1 + (seed % 9))] },
  "pages of a fixed length": { habit: (seed) => [habits.fixedPages(1 + (seed % 9))] },
  "one record more than requested": { habit: () => [habits.oneMore] },
  "pages of varying length": {
    habit: (seed) => [habits.varying([1 + (seed % 5), 1 + (seed % 7), 1 + (seed % 3)])],
    ids: unique,
  },
  "a count that is one too high": { habit: () => [habits.countOff(1)], count: true },
  "an estimated count": { habit: (seed) => [habits.countOff((seed % 41) - 20)], count: true },
  "a count of 10,000": { habit: () => [habits.countIs(10_000)], count: true },
  "a count that ends at a number": {
    habit: (seed) => [habits.countUpTo(10 + (seed % 30))],
    count: true,
  },
  "`offset` is ignored": {
    habit: () => [habits.ignoresOffset],
    ids: unique,
    hides: true,
    still: true,
  },
  "`offset` is the number of a page": {
    habit: () => [habits.offsetIsPage],
    ids: ["A2", "A10"],
    still: true,
  },
  "nothing beyond a result window": {
    habit: (seed) => [habits.windowEmpty(window(seed))],
    ids: unique,
    hides: true,
    blind: true,
    still: true,
  },
  "an error beyond a result window": {
    habit: (seed) => [habits.windowError(window(seed))],
    ids: unique,
    hides: true,
    still: true,
  },
  "the last page again beyond a result window": {
    habit: (seed) => [habits.windowClamp(window(seed))],
    ids: unique,
    hides: true,
    still: true,
  },
  "`endBlock` is exclusive": { habit: () => [habits.endExclusive] },
  "`startBlock` is exclusive": { habit: () => [habits.startExclusive], emptyGenesis: true },
  "blocks are ignored": { habit: () => [habits.ignoresBlocks], ids: unique },
};

/** Where another process goes on: after how many pages and records, and how often. */
export interface Stops {
  readonly pages: number;
  readonly maxItems?: number | undefined;
  readonly times: number;
}

export const anyStops = fc.record({
  pages: fc.integer({ min: 1, max: 3 }),
  maxItems: fc.constantFrom(undefined, undefined, 1, 5),
  times: fc.constantFrom(1, 2, 1000),
});

/** The records of a list, read in processes that each go on from the last cursor. */
export async function* readIn(
  read: (options: object) => PagedRequest<SimulatedRecord>,
  { maxItems, pages, times }: Stops,
) {
  let resume: string | undefined;
  for (let isOver = false, process = 0; !isOver; process++) {
    let seen = 0;
    let records = 0;
    for await (const { cursor, data } of read({ maxItems, resume }).pages()) {
      yield* data;
      resume = cursor;
      records += data.length;
      if (++seen === pages && process < times) break;
    }
    isOver = records !== maxItems && (seen !== pages || process >= times);
  }
}

export const anyList = (law: Law, orders: readonly Habit[]) =>
  fc.record({
    id: fc.constantFrom<ListId>(...(law.ids ?? ["A2", "A5", "L1", "A10"])),
    seed: fc.nat(1000),
    order: fc.constantFrom(...orders),
    count: fc.constantFrom(...counts),
    limit: fc.integer({ min: 1, max: 12 }),
    prefetch: fc.constantFrom(0, 0, 4, 8),
    // A cursor holds the keys of 32 records: some lists have many more.
    blocks: fc.oneof(
      { weight: 3, arbitrary: sizes(30) },
      fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 25, maxLength: 60 }),
    ),
    changes: law.still ? still : growing,
  });
type AnyList = ReturnType<typeof anyList> extends fc.Arbitrary<infer List> ? List : never;

/** What reading a list took, what was learned of its server, and how it ended. */
export interface Outcome {
  readonly requests: number;
  readonly learned: ListProfile | undefined;
  /** `shortfall`, or the reason of the error; undefined for a whole list. */
  readonly end: string | undefined;
}

/** Reads a list of a server with a habit: exact, or an error or a report where the habit hides the rest. */
export async function holdTo(law: Law, list: AnyList, stops: Stops): Promise<Outcome> {
  const { id, seed, order, count, limit, prefetch, blocks, changes } = list;
  // Nothing is promised of transfers that look the same in a list that blocks do not order.
  const sorted = id === "A5" && order === habits.byHash ? habits.newestFirst : order;
  const server = new ListServer(
    id,
    [sorted, ...law.habit(seed), ...(law.count ? [] : count)],
    law.emptyGenesis ? [0, ...blocks] : blocks,
    changes,
  );
  const { lasting } = server;
  const reports: unknown[] = [];
  const shortfalls: unknown[] = [];
  const got: object[] = [];
  let error: unknown;
  try {
    const options = {
      limit,
      prefetch,
      onReorganisation: (event: unknown) => reports.push(event),
      onShortfall: (event: unknown) => shortfalls.push(event),
    };
    for await (const record of readIn((more) => server.read({ ...options, ...more }), stops))
      got.push(record);
  } catch (thrown) {
    error = thrown;
  }
  const seen = tally(got);
  const all = tally(server.records);
  for (const [record, times] of seen)
    expect(times, `repeated: ${record}`).toBeLessThanOrEqual(all.get(record) ?? 0);
  expect(server.complaints).toEqual([]);
  expect(reports).toEqual([]);
  // Without a total, an empty page says nothing of what it hides.
  const isBlind = law.blind === true && count.length > 0;
  const isHidden = law.hides && (isBlind || isExplorerError(error) || shortfalls.length > 0);
  const { requests } = server;
  const reason = isExplorerError(error, "LIST") ? error.reason : undefined;
  const end = reason ?? (shortfalls.length > 0 ? "shortfall" : undefined);
  const outcome = { requests, learned: profilesOf(server.call).get(id), end };
  if (isHidden) return outcome;
  if (error) throw error;
  for (const [record, times] of tally(lasting))
    expect(seen.get(record), `lost: ${record}`).toBe(times);
  return outcome;
}

/** Nobody stops. */
export const inOneProcess: Stops = { pages: 0, times: 0 };
