// How far an iteration has come: plain data, so that a cursor can hold it.

/** A page of a list, as it is requested. */
export interface PageRange {
  readonly offset: number;
  readonly limit: number;
  readonly endBlock?: bigint | undefined;
}

/** How far one list is read. */
export interface ListProgress {
  /** The position of the next record, as far as is known. */
  next: number;
  /** The keys of the last records read, oldest first. */
  lastKeys: string[];
  /** The keys of records that were read and not found again: should they come back, they are not new. */
  missingKeys?: string[];
  /** Block or time of the last record read. */
  rank?: number | undefined;
  ended: boolean;
  /** Set while the last record read is not where it was expected. */
  search?: MovedRecordSearch | undefined;
}

/** What a search for the last record read has seen so far. */
export interface MovedRecordSearch {
  /** The positions seen: from `low` up to, not including, `high`. */
  low: number;
  high: number;
  /** The record cannot be before `low`. */
  reachedStart: boolean;
  /** The record cannot be at `high` or behind it. */
  reachedEnd: boolean;
  /** The newest of `lastKeys` that is still in the list: its index there, and its position in the list. */
  lastFound?: readonly [index: number, position: number];
  /** The first position of a record that belongs behind the last one read. */
  firstBehind?: number;
  /** How many pages were searched. */
  pages: number;
}

/** The state of an iteration; docs/architecture.md shows the stages as a diagram. */
export interface IterationState {
  /** One, or the two of A6. */
  lists: ListProgress[];
  /**
   * - `start`: nothing is read.
   * - `short-first-page`: the first page was short and all of one block; requests what follows it.
   * - `first-block`: the order is unknown, and the range ends at the block of the first record.
   * - `after-first-block`: that block is read to its end; requests what follows it.
   * - `reading`: everything else.
   */
  stage: "start" | "short-first-page" | "first-block" | "after-first-block" | "reading";
  /** -1 newest first, 1 oldest first, 0 unknown. */
  order: -1 | 0 | 1;
  /** The last block of the range, once it is known which one that must be. */
  endBlock?: number | undefined;
  /** Block or time of the first record. */
  firstRank?: number | undefined;
  /** The length of the longest page so far. */
  longestPage: number;
  /** The length of the next page if the list goes on. */
  expectedLength: number;
  /** Whether the next page starts with known records, to see whether the list moved. */
  overlapping: boolean;
  /** Pages are too short to hold more than one known record. */
  shortPages?: boolean;
  /** The key of a record that came alone on its page: taken once the record before it is found in its place. */
  unconfirmed?: string;
}

/** How many keys an iteration remembers. */
export const REMEMBERED_KEYS = 32;

/** The state of an iteration that has not begun. */
export const initialState = (): IterationState => ({
  lists: [],
  stage: "start",
  order: 0,
  longestPage: 0,
  expectedLength: 0,
  overlapping: true,
});
