// The states of reading a list, and what a step takes and gives: plain data. The schema of a state is that of cursors.
import * as z from "zod/mini";
import { listProfileShape } from "../contract/list-profile.ts";
import type { ListErrorReason } from "../errors/unfinished.ts";
import { among, list } from "../models/model.ts";

/** Blocks, both ends included; undefined where there is no bound. */
export interface Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Its records arrived later, if the list turns out to be newest first. */
  readonly late?: boolean | undefined;
}

/** A page to request. */
export interface PageRequest extends Range {
  readonly offset: number;
  readonly limit: number;
}

/** What the caller wants to read. */
export interface Wish extends Range {
  /** The largest page to request. */
  readonly limit: number;
  /** The position of the first record. */
  readonly start: number;
  /** The operation takes `startBlock` and `endBlock`. */
  readonly blocks: boolean;
  /** Different records may have the same key. */
  readonly repeats: boolean;
  /** Pages are requested ahead. */
  readonly ahead: boolean;
}

// Types of their own: anything else that this file imports from zod would be loaded at first by all clients.
const is = <Value>(type: string) => z.custom<Value>((value) => typeof value === type);
const number = is<number>("number");
const maybe = z.optional(number);
const orNull = z.nullable(number);
const flag = z.optional(is<boolean>("boolean"));
const range = z.object({ from: maybe, to: maybe, late: flag });
const numbers = z.array(number);

const progress = z.object({
  profile: z.object(listProfileShape),
  /** The part of the list to read, if it is not the whole. */
  part: z.optional(range),
  /** The blocks that are read, and those to read after them. */
  range,
  rest: z.array(range),
  /** Ranges whose first `read` records were yielded and come again: they are read again, or in parts. */
  yielded: z.array(z.object({ from: maybe, to: maybe, read: number })),
  /** Which end of the range excludes blocks that were read to their end: -1 the last block, 1 the first. */
  cut: among([-1, 0, 1]),
  /** The largest page to request. */
  limit: number,
  /** The position in the range of the next record, as far as is known. */
  next: number,
  /** How many records were yielded. */
  read: number,
  /** The reader has forgotten records that were yielded: another process yielded them. */
  forgot: flag,
  /** The keys of the last records read, oldest first; the last of them is at `next` - 1. */
  keys: numbers,
  /** The keys of records that were yielded and may come again: of blocks that are read again, or forgotten since. */
  missing: numbers,
  /** Block or time of the last record read, and how many of its block were read; undefined if unknown. */
  rank: maybe,
  inRank: maybe,
  /** Some records of the range were new. */
  fresh: flag,
  /** The lowest and the highest block read in the range. */
  lowest: maybe,
  highest: maybe,
  /** How often a new record was of a later block than the one ahead of it, less the opposite. */
  steps: number,
  /** A page showed both: blocks do not order the list. */
  mixed: flag,
  /** Records name their blocks. */
  named: flag,
  /** The length of the longest page. */
  longest: number,
  /** The first count, and the one expected for this range. */
  promised: orNull,
  total: orNull,
  /** A count was not the length of its page. */
  counted: flag,
  /** The list changes while it is read. */
  moves: flag,
  /** The list ended before its count. */
  short: flag,
  /** A bound was widened, and the next page has to show that it needed to be. */
  trial: flag,
  /** The offset of the last page, and a digest of its keys. */
  page: z.optional(numbers),
  /** The length of the next page if the list continues. */
  expected: number,
  /** How often in a row: the same page was requested, the end was requested, nothing followed, two offsets returned one page. */
  again: number,
  checks: number,
  edges: number,
  same: number,
  /** How often in a row a position could not be read, although the last record was in its place before it. */
  holes: number,
  /** How many requests in a row returned nothing new. */
  idle: number,
});

/** What all states share. */
export type Progress = z.infer<typeof progress> & { readonly wish: Wish };

/** What the next page should show. */
export type Phase =
  /** No record of the range is read. */
  | { readonly at: "start" }
  /** It holds the last record. `follows`: the key that a bare page began with, null if it was empty. `offset`: where it is to begin. */
  | { readonly at: "overlap"; readonly follows?: number | null; readonly offset?: number }
  /** It begins after the last record. `sure`: the page before was the last if nothing follows. `follows`: confirmed. */
  | { readonly at: "bare"; readonly sure?: boolean; readonly follows?: number | null }
  /** No known record is in its place: the search goes towards the start of the list, then, if nothing orders the list, `onwards`. */
  | { readonly at: "search"; readonly offset: number; readonly onwards?: boolean }
  /** If keys repeat and few records showed the order: no records remain in the blocks about to be left out. */
  | { readonly at: "proof" }
  /** Whether `offset` is the number of a page; where all records look the same, whether it is heeded `far` away. */
  | { readonly at: "pages"; readonly far?: number }
  | { readonly at: "end" };

/** The state of reading a list. */
export type State = Phase & { readonly progress: Readonly<Progress> };

const at = among<State["at"]>(["start", "overlap", "bare", "search", "proof", "pages", "end"]);

/** The states of a list: one, or the two of A6. What the caller wants is not part of a cursor. */
export const states = list(z.looseObject({ at, progress }), 1);

/** What is known of a range of which nothing is read. */
export const UNREAD = {
  ...{ cut: 0 as const, next: 0, keys: [], missing: [], rank: undefined, inRank: undefined },
  ...{ fresh: false, lowest: undefined, highest: undefined, page: undefined, total: null },
  ...{ again: 0, checks: 0, edges: 0, same: 0, holes: 0 },
};

/** The state in which nothing is read. */
export function begin(wish: Wish, profile: Progress["profile"] = {}): State {
  const { from, to, limit, start } = wish;
  const own = { wish, profile, range: { from, to }, rest: [], yielded: [], limit, next: start };
  const none = { read: 0, steps: 0, longest: 0, promised: null, expected: 0, idle: 0 };
  return { at: "start", progress: { ...UNREAD, ...own, ...none } };
}

/** A page that arrived. */
export interface Answer {
  readonly request: PageRequest;
  /** The keys of its records: equal for equal records, and for no others unless the list `repeats` them. */
  readonly keys: readonly number[];
  /** What orders its records: their blocks, else their times; NaN for those that have neither. */
  readonly ranks: readonly number[];
  /** Which of its records were yielded before, as far as the reader remembers. */
  readonly known: readonly boolean[];
  /** The ranks are blocks. */
  readonly inBlocks: boolean;
  readonly count: number | null;
  /** The server answered with an error instead. */
  readonly refused?: boolean;
  /** The most records to take. */
  readonly max?: number;
}

/** What an answer leads to. */
export interface Step {
  readonly state: State;
  /** The indexes of the new records. */
  readonly records: readonly number[];
  readonly reports: readonly Report[];
}

/** Something to report to the caller. */
export type Report =
  | { readonly kind: "reorganisation"; readonly shift: number | undefined; readonly deep: boolean }
  | { readonly kind: "shortfall"; readonly promised: number; readonly received: number }
  /** The list cannot be read further. */
  | { readonly kind: "failure"; readonly reason: ListErrorReason };
