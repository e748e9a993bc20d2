// How far an iteration has come: plain data, so that a cursor can hold it.

/** A page of a list, as it is requested. */
export interface PageRange {
  readonly offset: number;
  readonly limit: number;
  readonly startBlock?: bigint | undefined;
  readonly endBlock?: bigint | undefined;
}

/** Blocks that an iteration narrows the caller's range to. */
export interface BlockWindow {
  readonly startBlock?: number | undefined;
  readonly endBlock?: number | undefined;
}

/** How far one list is read. */
export interface ListProgress {
  /** The position of the next record within the window, as far as is known. */
  next: number;
  /** How many records were read. */
  read: number;
  /** The keys of the last records read, oldest first. */
  lastKeys: string[];
  /** The keys of records that were read and not found again: should they come back, they are not new. */
  missingKeys?: string[];
  /** Block or time of the last record read. */
  rank?: number | undefined;
  /** How many records of that block were read; undefined if the block began before the first record. */
  inBlock?: number | undefined;
  /** The first count: how many records there were. */
  promised: number | null;
  /** Nothing was behind the last record so often in a row. */
  edges: number;
  /** How often the end was requested again. */
  checks: number;
  /** It ended before its count. */
  isShort: boolean;
  /** The next page starts behind the last record read, not with it. */
  bare: boolean;
  ended: boolean;
  /** Set while the last record read is not where it was expected. */
  search?: MovedRecordSearch | undefined;
  /** A search was in vain: a reorganisation in between may have hidden the record from it. */
  searched?: boolean | undefined;
  alone?: LoneRecord | undefined;
}

/** What came on a page without a known record. It counts once the last record read is found in its place. */
export interface LoneRecord {
  /** The key of the first record, or "" for nothing. */
  readonly key: string;
  /** The total of the list then, if there is one: an answer with another shows another state. */
  readonly total: number | null;
  readonly confirmed: boolean;
  /** How often answers showed different states. */
  readonly doubts: number;
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
  /** The last page showed nothing behind the positions seen. */
  stuck?: boolean;
  /** The newest of `lastKeys` that is still in the list: its index there, and its position in the list. */
  lastFound?: readonly [index: number, position: number];
  /** The first position of a record that belongs behind the last one read. */
  firstBehind?: number;
}

/** The state of an iteration; docs/architecture.md shows the stages as a diagram. */
export interface IterationState {
  /** One, or the two of A6. */
  lists: ListProgress[];
  /**
   * - `start`: no record is read.
   * - `glance`: the first page was short and all of one block; looks whether that is all.
   * - `beyond`: the first block is read, the order is unknown; looks for later blocks.
   * - `reading`: everything else.
   */
  stage: "start" | "glance" | "beyond" | "reading";
  /** -1 newest first, 1 oldest first, 0 unknown. */
  order: -1 | 0 | 1;
  /** What the caller's range is narrowed to, so that nothing in it moves. */
  window: BlockWindow;
  /** The newest block read while the order is unknown; undefined if the list cannot be read by its blocks. */
  top?: number | undefined;
  /** The length of the longest page so far. */
  longestPage: number;
  /** The length of the next page if the list goes on. */
  expectedLength: number;
  /** How many answers in a row brought nothing new. */
  fruitless: number;
  /** How often the last record read was gone. */
  deep: number;
  /** How often in a row the same page was requested again, because it missed what is known. */
  repeats: number;
  /** A page whose answer is compared with that of the page one position before it. */
  probe?: OffsetProbe | undefined;
  /** The last record read was not in its place; by how many positions it moved, if known. */
  moved?: { readonly shift: number | undefined } | undefined;
}

/** A test whether the server heeds `offset`: pages at `offset` and one position before it, by turns. */
export interface OffsetProbe {
  readonly offset: number;
  /** What all of them brought so far. */
  readonly answer: string;
  /** How many there were after the first. */
  readonly answers: number;
}

/** How many keys an iteration remembers. */
export const REMEMBERED_KEYS = 32;

/** How often to request a page again that misses what is known: another replica may know it. */
export const MAX_REPEATS = 2;

/** The state of an iteration that has not begun. */
export const initialState = (): IterationState => ({
  lists: [],
  stage: "start",
  order: 0,
  window: {},
  longestPage: 0,
  expectedLength: 0,
  fruitless: 0,
  deep: 0,
  repeats: 0,
});
