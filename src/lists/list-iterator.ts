// What all iterations of a list share: which page to request next, and how its new records are taken.
import type { OperationResults } from "../contract/index.ts";
import {
  type IterationState,
  initialState,
  type ListProgress,
  type PageRange,
  REMEMBERED_KEYS,
} from "./iteration-state.ts";
import {
  keyOf,
  type ListOperation,
  type ListRecord,
  type ListResults,
  listsIn,
  maxLimitOf,
  rankOf,
} from "./list-records.ts";
import { searchOffset } from "./moved-record-search.ts";
import type { IterationOptions, ListSource } from "./page.ts";

/** A page that arrived. */
export interface ReceivedPage {
  readonly range: PageRange;
  /** It was requested before the page ahead of it arrived, and may show an older state of the list. */
  readonly prefetched: boolean;
  /** The most records to take of it. */
  readonly max?: number | undefined;
}

/** A page of one list. */
export interface ListPage extends ReceivedPage {
  readonly records: readonly ListRecord[];
  readonly max: number;
}

/** The new records of a page. */
export interface NewRecords {
  readonly records: readonly ListRecord[];
  readonly count: number | null;
  /** The position of the first record. */
  readonly offset: number;
}

export abstract class ListIterator {
  readonly limit: number;
  readonly state: IterationState;
  protected readonly operation: ListOperation;
  /** The position of the first record to read. */
  protected readonly start: number;
  /** Different records of the list may have the same key. */
  protected readonly keysRepeat: boolean;
  readonly #maxLimit: number;
  readonly #onReorganisation: IterationOptions["onReorganisation"];

  /** `limit`: how many new records a page is to hold. `state`: that of a cursor. */
  constructor(
    { operation, range, iteration }: ListSource<unknown>,
    limit: number,
    state: IterationState = initialState(),
  ) {
    this.operation = operation;
    this.limit = limit;
    this.start = range.offset ?? 0;
    this.state = state;
    // Token transfers have no log index.
    this.keysRepeat = operation.list.identity.includes("value");
    this.#maxLimit = maxLimitOf(operation);
    this.#onReorganisation = iteration.onReorganisation;
  }

  /** The new records of a page of one list. */
  protected abstract read(list: ListProgress, page: ListPage): readonly ListRecord[];

  /** Defers pages that must be requested again, with known records before them; returns whether it did. */
  protected abstract defer(pages: readonly ListResults[]): boolean;

  /** Runs after the first page was taken. `full`: it is as long as requested. */
  protected abstract afterFirstPage(first: ListRecord | undefined, full: boolean): void;

  /** Runs after each other page was taken. */
  protected abstract afterPage(): void;

  get ended(): boolean {
    const { lists } = this.state;
    return lists.length > 0 && lists.every((list) => list.ended);
  }

  /** Known records keep their positions: the range ends at a block, or new records come at the end. */
  protected get positionsFixed(): boolean {
    return this.state.endBlock !== undefined || this.state.order > 0;
  }

  /** Each page goes on where the one before it ended. */
  protected get sequential(): boolean {
    const { stage } = this.state;
    return stage === "reading" || stage === "first-block";
  }

  /** The page to request now. */
  nextRange(): PageRange {
    const { lists, longestPage, stage } = this.state;
    if (stage === "start") return { offset: this.start, limit: this.limit };
    const endBlock = this.state.endBlock === undefined ? undefined : BigInt(this.state.endBlock);
    // `nextPage()` of the last page requests what is behind the end.
    const open = this.ended ? lists : lists.filter((list) => !list.ended);
    const search = open.find((list) => list.search)?.search;
    if (search)
      return { offset: searchOffset(search, longestPage), limit: this.#maxLimit, endBlock };
    const overlaps = open.map((list) => this.overlapOf(list));
    const offset = Math.min(...open.map(({ next }, index) => next - (overlaps[index] ?? 0)));
    return {
      offset,
      limit: Math.min(this.limit + Math.max(...overlaps), this.#maxLimit),
      endBlock,
    };
  }

  /** The page to request after `range` if the list goes on and nothing moves; undefined if that cannot be known. */
  predictAfter(range: PageRange): PageRange | undefined {
    const { expectedLength, lists, overlapping } = this.state;
    const overlap = this.#minOverlap;
    // Pages without a known record show nothing of what moved between them.
    if (!overlapping && !this.positionsFixed) return undefined;
    if (!this.sequential || expectedLength <= overlap || lists.some((list) => list.search))
      return undefined;
    return { ...range, offset: range.offset + expectedLength - overlap };
  }

  /** Takes the new records of a page. */
  take(
    { range, prefetched, max = Number.POSITIVE_INFINITY }: ReceivedPage,
    results: OperationResults<ListOperation>,
  ): NewRecords {
    const { state } = this;
    const pages = listsIn(results);
    const longest = Math.max(...pages.map(({ records }) => records.length));
    const isFirst = state.stage === "start";
    if (isFirst)
      state.lists = pages.map(() => ({ next: range.offset, lastKeys: [], ended: false }));
    const full = this.#noteLength(longest, range, isFirst);
    const count = totalOf(pages);
    const searching = state.lists.some((list) => list.search);
    if (!isFirst && !searching && this.defer(pages))
      return { records: [], count, offset: range.offset };
    const overlap = searching ? 0 : Math.max(...state.lists.map((list) => this.overlapOf(list)));
    let { offset } = range;
    let left = max;
    const records = pages.flatMap((page, index) => {
      const list = state.lists[index];
      if (!list || list.ended) return [];
      const taken = this.read(list, { range, prefetched, max: left, records: page.records });
      left -= taken.length;
      if (taken.length) offset = list.next - taken.length;
      return taken;
    });
    state.overlapping = longest > 1 || state.longestPage > 1 || range.limit === 1;
    // The page has no room for more than the known records.
    if (!records.length && longest >= state.longestPage && longest <= overlap)
      state.shortPages = true;
    if (isFirst) this.afterFirstPage(records[0], full);
    else this.afterPage();
    return { records, count, offset };
  }

  /** Learns how long pages are, and returns whether this one is full. */
  #noteLength(longest: number, range: PageRange, isFirst: boolean): boolean {
    const { state } = this;
    const full = longest >= range.limit;
    // A full page may become longer by its overlap; a shorter one is as long as the server makes them.
    const fullLength = Math.min(this.limit + this.#minOverlap, this.#maxLimit);
    state.expectedLength = full ? fullLength : isFirst ? 0 : longest;
    state.longestPage = Math.max(state.longestPage, longest);
    return full;
  }

  /** How many known records the next page starts with: enough not to be mistaken for others. */
  protected overlapOf({ lastKeys }: ListProgress): number {
    const { overlapping, shortPages } = this.state;
    if (!overlapping || shortPages || !this.keysRepeat)
      return overlapping && lastKeys.length ? 1 : 0;
    const last = lastKeys.at(-1);
    const repeats = lastKeys.length - 1 - lastKeys.findLastIndex((key) => key !== last);
    return Math.min(repeats + 1, lastKeys.length);
  }

  /** The smallest overlap of two pages that follow each other. */
  get #minOverlap(): number {
    const { overlapping, shortPages } = this.state;
    return overlapping ? (this.keysRepeat && !shortPages ? 2 : 1) : 0;
  }

  protected keysOf(records: readonly ListRecord[]): string[] {
    return records.map((record) => keyOf(this.operation.list, record));
  }

  /** Takes the records of a page from an index on. */
  protected accept(list: ListProgress, page: ListPage, start: number): readonly ListRecord[] {
    const { state } = this;
    const { range, records, max } = page;
    const taken = records.slice(start, start + max);
    const end = start + taken.length;
    list.next = range.offset + end;
    const newest = this.keysOf(taken.slice(-REMEMBERED_KEYS));
    list.lastKeys = [...list.lastKeys, ...newest].slice(-REMEMBERED_KEYS);
    // A page shorter than others were is the last; a short first page may be as long as the server makes them.
    list.ended =
      end === records.length && (end === 0 || end < Math.min(state.longestPage, range.limit));
    this.#noteOrder(list, taken);
    const { missingKeys } = list;
    if (!missingKeys) return taken;
    const keys = this.keysOf(taken);
    return taken.filter((_, index) => !missingKeys.includes(keys[index] ?? ""));
  }

  #noteOrder(list: ListProgress, taken: readonly ListRecord[]): void {
    const { state } = this;
    // Once the order is known, only the last record matters.
    const known = state.order && state.stage === "reading";
    for (const record of known ? taken.slice(-1) : taken) {
      const rank = rankOf(record);
      if (rank === undefined) continue;
      state.firstRank ??= rank;
      if (!state.order) state.order = signOf(rank - (list.rank ?? rank));
      list.rank = rank;
    }
  }

  protected reportReorganisation(shift: number | undefined, position: number): void {
    this.#onReorganisation?.({
      operation: this.operation.id,
      shift,
      position,
      deep: shift === undefined,
    });
  }
}

const signOf = (difference: number) => (difference > 0 ? 1 : difference < 0 ? -1 : 0);

/** The counts of the lists together; null if one of them has none. */
const totalOf = (pages: readonly ListResults[]) =>
  pages.reduce<number | null>(
    (sum, { count }) => (sum === null || count === null ? null : sum + count),
    0,
  );
