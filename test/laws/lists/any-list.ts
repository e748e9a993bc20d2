// Random lists of a server, read in one process or several, and what came of it: the laws and
// their table judge the same.
import * as fc from "fast-check";
import { isExplorerError } from "../../../src/index.ts";
import * as habits from "./habits.ts";
import {
  type Change,
  type Habit,
  type ListId,
  ListServer,
  listIds,
  type SimulatedRecord,
  tally,
} from "./list-server.ts";

const sizes = (maxLength: number, minLength = 0) =>
  fc.array(fc.integer({ min: 0, max: 5 }), { minLength, maxLength });

/** Blocks that arrive before each answer. */
const anyGrowth: fc.Arbitrary<Change[]> = fc.array(fc.record({ blocks: sizes(3) }), {
  maxLength: 12,
});

/** One reorganisation, between blocks that arrive. */
const anyReorganisation = fc
  .tuple(anyGrowth, fc.integer({ min: 1, max: 24 }), sizes(10), anyGrowth)
  .map(([before, depth, blocks, after]): Change[] => [...before, { depth, blocks }, ...after]);

/** A habit of servers, as a law holds for it. */
export interface Law {
  readonly habit: (seed: number, id: ListId) => readonly Habit[];
  /** The kinds of `count`; by default the total, the length of the page or none. */
  readonly counts?: readonly (readonly Habit[])[];
  readonly orders?: readonly Habit[];
  readonly ids?: readonly ListId[];
  readonly changes?: fc.Arbitrary<Change[]>;
  /** How many times as many records there are in a block and on a page; by default 1. */
  readonly scale?: number;
  /** What may come of it besides an exact list. */
  readonly endings?: readonly string[];
}

const total: readonly (readonly Habit[])[] = [[]];
const sorted = [habits.newestFirst, habits.oldestFirst];
const unique: readonly ListId[] = ["A2", "A10", "L1"];
/** A position after which a server returns nothing, and where its count stops. */
const window = (seed: number) => 13 + (seed % 30);

/**
 * Habits for which there is public evidence: their lists are exact, or end with what cannot be
 * known.
 */
export const evidenced: Readonly<Record<string, Law>> = {
  "as specified": { habit: () => [] },
  "in a stable order without blocks": {
    habit: () => [],
    orders: [habits.byHash],
    ids: unique,
    // A few records of a list in no order may stand in the order of their blocks by chance.
    endings: ["false report"],
  },
  "pages shorter than `limit`": { habit: (seed) => [habits.cap(1 + (seed % 9))] },
  "pages of any length": {
    habit: (seed) => [habits.varying([1 + (seed % 5), 1 + (seed % 7), 1 + (seed % 3)])],
  },
  "empty pages in the middle": {
    habit: (seed) => [habits.emptyAtTimes(4 + (seed % 3))],
    counts: total,
    endings: ["shortfall"],
  },
  "late replicas": {
    habit: (seed) => [habits.stale([0, seed % 3, seed % 4])],
    counts: total,
    // Three late answers in a row look like a reorganisation.
    endings: ["false report"],
  },
  "a count that is wrong": {
    habit: (seed) => [habits.countOff((seed % 41) - 20)],
    counts: total,
    endings: ["shortfall"],
  },
  "a count of 10,000": {
    habit: () => [habits.countIs(10_000)],
    counts: total,
    endings: ["shortfall"],
  },
  "a count that stops at a number": {
    habit: (seed) => [habits.countUpTo(window(seed))],
    counts: total,
  },
  "blocks ignored": {
    habit: () => [habits.ignoresBlocks],
    endings: ["RANGE_IGNORED", "false report"],
  },
  "an error after a window": {
    habit: (seed) => [habits.windowError(window(seed))],
    endings: ["RESULT_WINDOW"],
  },
  "nothing after a window": {
    habit: (seed) => [seed % 2 ? habits.windowEmpty(window(seed)) : habits.windowCut(window(seed))],
    counts: total,
    endings: ["RESULT_WINDOW", "OFFSET_IGNORED", "shortfall", "loss reported"],
  },
  "wide ranges refused": {
    habit: (seed) => [habits.rangeUpTo(5 + (seed % 20))],
    endings: ["API"],
  },
  // Fewer records may be left than were counted, or none of those that were read; a list that
  // grew with each request and then shrinks to where it was looks as if `offset` were ignored.
  "a reorganisation": {
    habit: () => [],
    ids: unique,
    changes: anyReorganisation,
    endings: ["shortfall", "RESULT_WINDOW", "OFFSET_IGNORED"],
  },
  // Where the count is not the total, docs/iteration.md promises nothing; where none is left of
  // those that were read, their positions show nothing.
  "a reorganisation, transfers": {
    habit: () => [],
    counts: total,
    ids: ["A5"],
    changes: anyReorganisation,
    endings: ["shortfall", "OFFSET_IGNORED", "ORDER_CHANGED"],
  },
};

const failures = ["OFFSET_IGNORED", "RANGE_IGNORED", "ORDER_CHANGED", "RESULT_WINDOW"];
const contradiction = (habit: Law["habit"], more: Partial<Law> = {}): Law => ({
  habit,
  endings: [...failures, "NO_PROGRESS", "shortfall", "loss reported", "false report"],
  ...more,
});

/** Servers that contradict themselves: nothing is lost in silence, and nothing comes twice. */
export const contradictions: Readonly<Record<string, Law>> = {
  "`offset` ignored": contradiction(() => [habits.ignoresOffset]),
  "`offset` is the number of a page": contradiction(() => [habits.offsetIsPage]),
  "every record twice, pages longer than `limit`": contradiction(() => [habits.doubled]),
  "pages of a fixed length": contradiction((seed) => [habits.fixedPages(1 + (seed % 9))]),
  "no order at all, transfers": contradiction(() => [], { orders: [habits.byHash], ids: ["A5"] }),
  "sorted at first": contradiction((seed) => [habits.sortedAtFirst(seed % 30, seed % 2 > 0)], {
    orders: [habits.oldestFirst],
  }),
  "the last page again after a window": contradiction(
    (seed) => [habits.windowClamp(window(seed))],
    { ids: unique },
  ),
};

/**
 * Windows of known servers, and two of none. Beyond one, a server refuses, returns nothing or its
 * last page again, and its count may stop there.
 */
export const windows: Readonly<Record<string, Law>> = Object.fromEntries(
  [100, 500, 999, 1000, 1234, 2000, 5000, 10_000].map((size): [string, Law] => [
    `a window of ${size.toLocaleString("en")}`,
    {
      habit: (seed, id) => {
        const { windowClamp, windowCut, windowEmpty, windowError } = habits;
        // Transfers that look the same do not show that a page is repeated.
        const repeating = id === "A5" ? windowCut : windowClamp;
        // Without blocks, an empty page after an unusual number of records looks like the end.
        const isHidden = size === 1234 && (id === "A10" || id === "L1");
        const kinds = isHidden
          ? [windowError, windowClamp]
          : [windowError, windowEmpty, windowCut, repeating];
        return [(kinds[seed % kinds.length] ?? windowCut)(size)];
      },
      counts: [[], [habits.countUpTo(size)], [habits.countOfPage], [habits.noCount]],
      scale: Math.ceil(size / 100),
      endings: ["RESULT_WINDOW", "OFFSET_IGNORED", "shortfall", "loss reported"],
    },
  ]),
);

const kinds: readonly (readonly Habit[])[] = [[], [], [habits.countOfPage], [habits.noCount]];

export const anyList = ({ changes, counts = kinds, ids = listIds, orders = sorted, scale }: Law) =>
  fc.record({
    id: fc.constantFrom(...ids),
    seed: fc.nat(1000),
    order: fc.constantFrom(...orders),
    count: fc.constantFrom(...counts),
    limit: fc.integer({ min: 1, max: 12 }).map((limit) => Math.min(limit * (scale ?? 1), 1000)),
    prefetch: fc.constantFrom(0, 0, 4, 8),
    // The first block of a chain has no transactions.
    blocks: fc
      .oneof({ weight: 3, arbitrary: scale ? sizes(90, 40) : sizes(30) }, sizes(60, 25))
      .map((later) => [0, ...later.map((size) => size * (scale ?? 1))]),
    changes: changes ?? fc.oneof(fc.constant<Change[]>([]), anyGrowth),
    /** After how many pages another process continues; 0 for never. */
    pages: fc.constantFrom(0, 0, 1, 2, 3),
  });
export type AnyList = ReturnType<typeof anyList> extends fc.Arbitrary<infer List> ? List : never;

/** The records of a list, read in processes of so many pages that continue from the last cursor. */
async function* readIn(server: ListServer, pages: number, options: object) {
  let resume: string | undefined;
  for (let isOver = false; !isOver; ) {
    isOver = true;
    let seen = 0;
    for await (const page of server.read({ ...options, resume }).pages()) {
      yield* page.data;
      resume = page.cursor;
      if (resume.length > 4096) throw new Error(`A cursor of ${resume.length} characters`);
      if (++seen !== pages) continue;
      isOver = false;
      break;
    }
  }
}

export interface Outcome {
  /**
   * `exact`; `shortfall` if one was reported and nothing is lost; `loss reported` if one was and
   * something is; the reason of a {@link ListError}; or what must not be.
   */
  readonly ending: string;
  readonly requests: number;
  /** The records concerned. */
  readonly details: string;
}

/** Reads a list of a server with a habit. */
export async function outcomeOf(law: Law, list: AnyList): Promise<Outcome> {
  const { changes, count, id, limit, order, pages, prefetch, seed } = list;
  // A miner has one record in a block, so that a long list of them needs as many blocks.
  const isLong = law.scale !== undefined && id === "A10";
  const blocks = isLong ? list.blocks.flatMap((size) => Array<number>(size).fill(1)) : list.blocks;
  const server = new ListServer(id, [order, ...law.habit(seed, id), ...count], blocks, changes);
  // A page has the last record and as many new ones as the caller wants.
  server.limit = limit + 1;
  const { lasting } = server;
  const reports: unknown[] = [];
  let isShort = false;
  const got: SimulatedRecord[] = [];
  let ending: string | undefined;
  const onReorganisation = (event: unknown) => reports.push(event);
  const onShortfall = () => {
    isShort = true;
  };
  const options = { limit, prefetch, onReorganisation, onShortfall };
  try {
    for await (const record of readIn(server, pages, options)) got.push(record);
  } catch (error) {
    if (!isExplorerError(error)) throw error;
    ending = isExplorerError(error, "LIST") ? error.reason : error.code;
  }
  if (server.complaints.length) throw new Error(`Wrong requests: ${server.complaints}`);
  const seen = tally(got);
  const lost = [...tally(lasting)].filter(([record, times]) => (seen.get(record) ?? 0) < times);
  const isReorganised = changes.some(({ depth }) => depth);
  // Records that were replaced came once, those that look the same as often as there were.
  const most = isReorganised ? tally([...server.records, ...new Set(got)]) : tally(server.records);
  const isDoubled = law.habit(seed, id).includes(habits.doubled) && id === "A5";
  const twice = [...seen].filter(
    ([record, times]) => times > (most.get(record) ?? 0) * (isDoubled ? 2 : 1),
  );
  if (twice.length) ending = "twice";
  else if (!ending && lost.length)
    ending = isShort || (reports.length && !isReorganised) ? "loss reported" : "silent loss";
  else if (!ending && reports.length && !isReorganised) ending = "false report";
  else ending ??= isShort ? "shortfall" : "exact";
  return { ending, requests: server.requests, details: `${twice.length ? twice : lost}` };
}
