// What all iterations of a list share: which page to request next, and how its new records are taken.
import type { OperationResults } from "../contract/index.ts";
import { ListError } from "../errors/index.ts";
import {
  type BlockWindow,
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
  rankOf,
} from "./list-records.ts";
import { searchOffset } from "./moved-record-search.ts";
import { judgeProbe, probeOffset, startProbe } from "./offset-probe.ts";
import type { IterationOptions, ListSource, Shortfall } from "./page.ts";
import { isMissing, isPromised } from "./promised-count.ts";

/** A page that arrived. */
export interface ReceivedPage {
  readonly range: PageRange;
  /** It was requested before the page ahead of it arrived, and may show an older state of the list. */
  readonly prefetched: boolean;
  /** The most records to take of it. */
  readonly max?: number | undefined;
}

/** A page of one list. */
export interface ListPage extends ReceivedPage, ListResults {
  readonly max: number;
}

/** The new records of a page. */
export interface NewRecords {
  readonly records: readonly ListRecord[];
  readonly count: number | null;
  /** How many records of the list come before the first. */
  readonly offset: number;
  /** Set if the list ended before its count. */
  readonly shortfall?: Shortfall | undefined;
}

/** How many requests in a row may bring nothing new. */
const MAX_FRUITLESS = 1000;
/** How often the last record read may be gone. */
const MAX_DEEP = 100;
/** So often in a row nothing is behind the last record: this is the end, although new records keep moving it. */
const MAX_EDGES = 10;
/** How often to request a page again that misses what is known: another replica may know it. */
export const MAX_REPEATS = 2;

export abstract class ListIterator {
  readonly limit: number;
  readonly state: IterationState;
  protected readonly operation: ListOperation;
  /** The position of the first record to read. */
  protected readonly start: number;
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
  protected abstract goesOn(list: ListProgress): boolean;

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
    if (stage === "start") return { offset: this.start, limit };
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
      this.#noteProgress(false);
      return { records: [], count, offset };
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
    this.#noteProgress(isNew);
    if (state.repeats === MAX_REPEATS)
      startProbe(state, range, this.#answerOf(pages), this.keysRepeat);
    const shortfall = this.#checkEnds(pages);
    this.afterPage(full);
    return { records, count, offset, shortfall };
  }

  #noteProgress(isNew: boolean): void {
    const { state, operation } = this;
    state.fruitless = isNew ? 0 : state.fruitless + 1;
    if (state.fruitless >= MAX_FRUITLESS || state.deep >= MAX_DEEP)
      throw new ListError(
        "NO_PROGRESS",
        `${state.fruitless} requests in a row brought nothing new, and the last record read was lost ${state.deep} times`,
        {
          operation: operation.id,
          operationName: operation.name,
          lines: ["The list changes faster than it can be read, or the server repeats its pages."],
        },
      );
  }

  /** Learns how long pages are, and returns whether this one is full. */
  #noteLength(longest: number, range: PageRange): boolean {
    const { state } = this;
    const full = longest >= range.limit;
    state.expectedLength = full ? range.limit : state.stage === "start" ? 0 : longest;
    state.longestPage = Math.max(state.longestPage, longest);
    return full;
  }

  /** Requests the end again where a count promises more; if it stays the end, that is a shortfall. */
  #checkEnds(pages: readonly ListResults[]): Shortfall | undefined {
    for (const [index, list] of this.state.lists.entries()) {
      if (!list.ended) continue;
      const missing = isMissing(list, this.start);
      // What is beyond the first block may have arrived since.
      const looksBack = this.state.stage !== "beyond";
      const promised =
        missing && looksBack && isPromised(list, pages[index]?.count ?? null, this.start);
      if (promised && list.checks++ < MAX_REPEATS) list.ended = false;
      else {
        list.isShort ||= promised;
        if (this.goesOn(list)) continue;
        // Another replica may know more.
        if (missing && !promised && list.checks++ < MAX_REPEATS) list.ended = false;
        else if (list.isShort && missing)
          return {
            operation: this.operation.id,
            promised: list.promised ?? 0,
            received: this.start + list.read,
          };
      }
    }
    return undefined;
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
    this.#noteOrder(list, page, start, taken);
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
    if (end === records.length) this.#noteEnd(list, page, start, taken.length);
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

  /** Notes whether this is the end: the known records and the count say so, or nothing is behind them. */
  #noteEnd(list: ListProgress, { count, range, records }: ListPage, start: number, taken: number) {
    const { length } = records;
    const short = length < Math.min(range.limit, this.state.longestPage);
    // A count at an offset of 0 may be that of the page.
    const isLast = range.offset > 0 && start > 0 && count === range.offset + length;
    if (!taken && short) list.edges++;
    list.ended = !length || (short && isLast) || list.edges >= MAX_EDGES;
    list.bare ||= short;
  }

  #noteOrder(
    list: ListProgress,
    { records }: ListPage,
    start: number,
    taken: readonly ListRecord[],
  ): void {
    const { state } = this;
    let before = start ? rankOf(records[start - 1] ?? {}) : this.rankBefore(list);
    for (const record of taken) {
      const rank = rankOf(record);
      if (rank === undefined) continue;
      if (!state.order && before !== undefined) state.order = signOf(rank - before);
      before = rank;
      const sameBlock = rank === list.rank;
      const begins = list.rank !== undefined || this.start === 0;
      if (!sameBlock) list.inBlock = begins ? 1 : undefined;
      else if (list.inBlock !== undefined) list.inBlock++;
      list.rank = rank;
    }
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

const signOf = (difference: number) => (difference > 0 ? 1 : difference < 0 ? -1 : 0);

/** The counts of the lists together; null if one of them has none. */
const totalOf = (pages: readonly ListResults[]) =>
  pages.reduce<number | null>(
    (sum, { count }) => (sum === null || count === null ? null : sum + count),
    0,
  );
