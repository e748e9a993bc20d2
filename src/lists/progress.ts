// How far a list is read: plain data, of which a cursor is the text; and what the steps of reading take and give.
import * as z from "zod/mini";
import type { ErrorContext } from "../errors/base.ts";
import { among } from "../models/model.ts";

/** Blocks, both ends included; undefined where there is no bound. */
export interface Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A page to request. */
export interface PageRequest extends Range {
  readonly offset: number;
  readonly limit: number;
}

export const isSame = (one: PageRequest | undefined, other: PageRequest | undefined): boolean =>
  one?.offset === other?.offset &&
  one?.limit === other?.limit &&
  one?.from === other?.from &&
  one?.to === other?.to;

/** What the caller wants to read: the blocks, and how. */
export interface ReadingOptions extends Range {
  /** The largest page to request. */
  readonly limit: number;
  /** The position of the first record. */
  readonly offset: number;
  /** The operation takes `startBlock` and `endBlock`. */
  readonly takesBlocks: boolean;
  /** Different records may look the same: token transfers have no log index. */
  readonly hasEqualRecords: boolean;
  /** The operation, for errors. */
  readonly context: ErrorContext;
}

/** A page that arrived. */
export interface Answer {
  readonly request: PageRequest;
  /** Equal for equal records ({@link digestsOf}). */
  readonly keys: readonly number[];
  /** Tell records apart whose keys are equal by chance. */
  readonly checks: readonly number[];
  /** The blocks of its records or, if none names its block, their times in milliseconds; NaN for those without. */
  readonly ranks: readonly number[];
  /** The ranks are blocks. */
  readonly inBlocks: boolean;
  readonly count: number | null;
  /** The most records to take. */
  readonly max: number;
}

/** Something to report to the caller. */
export type Report =
  | {
      readonly kind: "reorganisation";
      readonly shift: number | undefined;
      readonly position: number;
      readonly deep: boolean;
    }
  | { readonly kind: "shortfall"; readonly promised: number; readonly received: number };

// Types of their own: anything else that this file imports from zod would be loaded at first by all clients.
const is = <Value>(type: string) => z.custom<Value>((value) => typeof value === type);
const number = is<number>("number");
const flag = is<boolean>("boolean");
const numbers = z.array(number);
const states = ["reading", "searching", "closing", "probing", "ended"] as const;

export const rangeSchema = z.object({ from: z.optional(number), to: z.optional(number) });

export const progressSchema = z.object({
  /** What the next page is requested for. */
  state: among(states),
  /** The blocks that are read now. */
  range: rangeSchema,
  /** The first block that is left until `range` is read, so that what arrives moves nothing; null if there is none. */
  later: z.nullable(number),
  /** Blocks that were read to their end are not in `range`: the order of the list is relied on. */
  narrowed: flag,
  /** The position in `range` of the next record. */
  next: number,
  /** The keys of the records read last, at most 80; the last of them is at `next` - 1. */
  recent: numbers,
  /** The keys of records that were read and may come again: their block is read again, or `recent` was forgotten. */
  again: numbers,
  /** The block of the last record, or else its time; null if none is known. */
  block: z.nullable(number),
  /** How many records of that block were read; null if its beginning was not. */
  inBlock: z.nullable(number),
  /** Changes of block from one record to the next: positive if all rose, negative if all fell, null once it did both. Nine count as an order. */
  steps: z.nullable(number),
  /** The server returns the blocks that are requested; null if that is not known. False also if the first page names no block. */
  blocksWork: z.nullable(flag),
  /** True once `offset` was seen to be the position of a record; null if that is not known; false for good once the last record was gone. */
  offsetWorks: z.nullable(flag),
  /** How many records were yielded. */
  received: number,
  /** The first `count`; null if there was none. */
  promised: z.nullable(number),
  /** `count` is the total of the blocks requested, not the length of the page; false also while that is not known. */
  countIsTotal: flag,
});

export type Progress = z.infer<typeof progressSchema>;

/** Nothing is read. */
export const beginning = (
  { from, offset, to }: ReadingOptions,
  countIsTotal: boolean,
): Progress => ({
  ...{ state: "reading", range: { from, to }, later: null, narrowed: false },
  ...{ next: offset, recent: [], again: [], block: null, inBlock: null, steps: 0 },
  ...{ blocksWork: null, offsetWorks: null, received: 0, promised: null },
  countIsTotal,
});
