// What all iterations of a list share: which page to request next, and how its new records are taken.
import type { OperationResults } from "../contract/index.ts";
import {
  type BlockWindow,
  type IterationState,
  initialState,
  type ListProgress,
  MAX_REPEATS,
  type PageRange,
  REMEMBERED_KEYS,
} from "./iteration-state.ts";
import { checkEnds, noteEnd, shortfallOf } from "./list-end.ts";
import { noteOrder } from "./list-order.ts";
import {
  keyOf,
  type ListOperation,
  type ListRecord,
  type ListResults,
  listsIn,
  rankOf,
} from "./list-records.ts";
import { searchOffset } from "./moved-record-search.ts";
import { judgeProbe, probeOffset, startProbe } from "./offset-probe.ts";
import type { IterationOptions, ListSource } from "./page.ts";
import { noteProgress } from "./progress.ts";
import type { ListPage, NewRecords, ReceivedPage } from "./received-page.ts";

export abstract class ListIterator {
  readonly limit: number;
  readonly state: IterationState;
  readonly operation: ListOperation;
  /** The position of the first record to read. */
  readonly start: number;
  /** The blocks the caller asks for. */
  protected readonly blocks: BlockWindow;
  /** Different records of the list may have the same key. */
  protected readonly keysRepeat: boolean;
  readonly #onReorganisation: IterationOptions["onReorganisation"];

  /** `limit`: the largest page to request. `state`: that of a cursor. */
  constructor(
    { operation, range, blocks, iteration }: ListSource<unknown>,
    limit: number,
    state: IterationState = initialState(),
  ) {
    this.operation = operation;
    this.limit = limit;
    this.start = range.offset ?? 0;
    this.blocks = blocks;
    this.state = state;
    // Token transfers have no log index.
    this.keysRepeat = operation.list.identity.includes("value");
    this.#onReorganisation = iteration.onReorganisation;
  }

  /** The new records of a page of one list. */
  protected abstract read(list: ListProgress, page: ListPage): readonly ListRecord[];

  /** Runs after each page. `full`: it is as long as requested. */
  protected abstract afterPage(full: boolean): void;

  /** Whether a list that has ended goes on elsewhere. */
  abstract goesOn(list: ListProgress): boolean;

  get ended(): boolean {
    const { lists } = this.state;
    return lists.length > 0 && lists.every((list) => list.ended);
  }

  /** The position of the next record, within the blocks that are read. */
  get position(): number {
    return Math.min(...this.#open.map(({ next }) => next));
  }

  /** `nextPage()` of the last page requests what is behind the end. */
  get #open(): readonly ListProgress[] {
    const { lists } = this.state;
    return this.ended ? lists : lists.filter((list) => !list.ended);
  }

  /** The page to request now. */
  nextRange(): PageRange {
    const { longestPage, probe, stage, window } = this.state;
    const { limit } = this;
    if (stage === "start") return { offset: this.start, limit: this.#firstLimit };
    const open = this.#open;
    const search = open.find((list) => list.search)?.search;
    const offset = probe
      ? probeOffset(probe)
      : search
        ? searchOffset(search, longestPage)
        : Math.min(...open.map((list) => list.next - this.overlapOf(list)));
    return {
      offset: Math.min(Math.max(offset, 0), Number.MAX_SAFE_INTEGER),
      limit,
      startBlock: toBlock(window.startBlock),
      endBlock: toBlock(window.endBlock),
    };
  }

  /**
   * The server counts records in the caller's blocks, but sends none: either its count ignores the blocks, or it sends
   * nothing for a `limit` above its own. Then a smaller one brings a record.
   */
  get #firstLimit(): number {
    const { lists } = this.state;
    return this.isNarrowed && lists.some(({ checks }) => checks === MAX_REPEATS) ? 1 : this.limit;
  }

  /** The caller asks for a part of the blocks, and the count may be that of all. */
  get isNarrowed(): boolean {
    const { startBlock = 0, endBlock } = this.blocks;
    return startBlock > 0 || endBlock !== undefined;
  }

  /** The page to request after `range` if the list goes on and nothing moves; undefined if that cannot be known. */
  predictAfter(range: PageRange): PageRange | undefined {
    const { expectedLength, lists, probe, repeats, stage } = this.state;
    const overlap = this.keysRepeat ? 2 : 1;
    const steady = stage === "reading" && !probe && !repeats && overlap <= this.room;
    if (!steady || expectedLength <= overlap || lists.some(({ bare, search }) => bare || search))
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
    const count = totalOf(pages);
    if (!state.lists.length) state.lists = pages.map((page) => startOf(range.offset, page.count));
    let offset = this.start + (state.lists[0]?.read ?? 0);
    if (state.probe) {
      judgeProbe(state, this.#answerOf(pages), this.operation);
      noteProgress(state, false, this.operation);
      return { records: [], count, offset };
    }
    const [first] = state.lists;
    if (first && state.stage === "start" && range.limit < this.limit && pages[0]?.records.length) {
      first.ended = true;
      return { records: [], count, offset, shortfall: shortfallOf(this, first, true) };
    }
    const full = this.#noteLength(Math.max(...pages.map(({ records }) => records.length)), range);
    let left = max;
    let isNew = false;
    const records = pages.flatMap((page, index) => {
      const list = state.lists[index];
      if (!list || list.ended) return [];
      const before = list.read;
      const known = [...list.lastKeys, ...(list.missingKeys ?? [])];
      const taken = this.read(list, { ...page, range, prefetched, max: left });
      left -= taken.length;
      if (taken.length) offset = this.start + before;
      // A page of records that all look like known ones may be the same page again.
      isNew ||= list.read > before && list.lastKeys.some((key) => !known.includes(key));
      return taken;
    });
    noteProgress(state, isNew, this.operation);
    if (state.repeats === MAX_REPEATS)
      startProbe(state, range, this.#answerOf(pages), this.keysRepeat);
    const shortfall = checkEnds(this, pages);
    this.afterPage(full);
    return { records, count, offset, shortfall };
  }

  /** Learns how long pages are, and returns whether this one is full. */
  #noteLength(longest: number, range: PageRange): boolean {
    const { state } = this;
    const full = longest >= range.limit;
    state.expectedLength = full ? range.limit : state.stage === "start" ? 0 : longest;
    state.longestPage = Math.max(state.longestPage, longest);
    return full;
  }

  #answerOf(pages: readonly ListResults[]): string[] {
    return pages.flatMap(({ records }) => this.keysOf(records.slice(0, REMEMBERED_KEYS)));
  }

  /** How many known records fit on a page with a new one. */
  protected get room(): number {
    return Math.min(this.limit, this.state.longestPage) - 1;
  }

  /** How many known records the next page should start with, not to be mistaken for others. */
  protected neededOverlap({ lastKeys }: ListProgress): number {
    const last = lastKeys.at(-1);
    return this.keysRepeat ? lastKeys.length - lastKeys.findLastIndex((key) => key !== last) : 1;
  }

  /** How many known records the next page starts with. */
  protected overlapOf(list: ListProgress): number {
    if (list.bare) return 0;
    const { lastKeys, next } = list;
    return Math.min(this.neededOverlap(list), Math.max(this.room, 1), lastKeys.length, next);
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
    const before = start ? rankOf(records[start - 1] ?? {}) : this.rankBefore(list);
    noteOrder(state, list, taken, { before, fromStart: this.start === 0 });
    list.next = range.offset + end;
    list.read += taken.length;
    const newest = this.keysOf(taken.slice(-REMEMBERED_KEYS));
    list.lastKeys = [...list.lastKeys, ...newest].slice(-REMEMBERED_KEYS);
    list.search = list.searched = undefined;
    if (taken.length) {
      list.alone = undefined;
      state.repeats = 0;
      list.edges = list.checks = 0;
    }
    list.bare = this.room < 1;
    if (end === records.length) noteEnd(list, page, { start, longestPage: state.longestPage });
    const { missingKeys } = list;
    if (!missingKeys) return taken;
    const keys = this.keysOf(taken);
    // Each of them stands for one record.
    return taken.filter((_, index) => {
      const missing = missingKeys.indexOf(keys[index] ?? "");
      if (missing >= 0) missingKeys.splice(missing, 1);
      return missing < 0;
    });
  }

  /** The rank of the record before the page, if that shows the order. */
  protected abstract rankBefore(list: ListProgress): number | undefined;

  protected reportReorganisation(list: ListProgress, shift: number | undefined, deep = false) {
    if (deep) this.state.deep++;
    this.#onReorganisation?.({
      operation: this.operation.id,
      shift,
      position: this.start + list.read,
      deep,
    });
  }
}

const startOf = (next: number, promised: number | null): ListProgress => ({
  next,
  read: 0,
  lastKeys: [],
  promised,
  edges: 0,
  checks: 0,
  isShort: false,
  bare: false,
  ended: false,
});

const toBlock = (block: number | undefined) => (block === undefined ? undefined : BigInt(block));

/** The counts of the lists together; null if one of them has none. */
const totalOf = (pages: readonly ListResults[]) =>
  pages.reduce<number | null>(
    (sum, { count }) => (sum === null || count === null ? null : sum + count),
    0,
  );
