// Requests the pages of a list in order, prefetches some, and returns their new records.
import { ApiError, ExplorerError } from "../errors/index.ts";
import { ListError } from "../errors/unfinished.ts";
import { AbortScope } from "../http/abort.ts";
import type { Call, ResponseWithData } from "../http/call.ts";
import { jsonCopy } from "../models/json.ts";
import { searchOf } from "./block-search.ts";
import {
  fetchPage,
  maxLimitOf,
  type PreparedList,
  type ReadingOptions,
  takesBlocks,
} from "./list.ts";
import { beginning, cursorOf, type PageRequest, type Position, type Range } from "./position.ts";
import { isSamePlace, Reading } from "./reading.ts";
import {
  blockOf,
  type CountedRecords,
  digestsOf,
  type ListRecord,
  listsIn,
  timeOf,
} from "./records.ts";
import { SeenKeys } from "./seen-keys.ts";

/**
 * The largest `count` of each operation whose `count` is known to be the total, by client. For
 * these operations, one request shows that a list with a smaller count has ended.
 */
const totals = new WeakMap<Call, Map<string, number>>();

/** Records that were read, in the order of the list, and the last response that had any. */
export interface ReadRecords {
  readonly records: readonly ListRecord[];
  readonly count: number | null;
  /** How many records of the list come before these. */
  readonly offset: number;
  /** The results of the last response. */
  readonly results: object;
  readonly response: Response;
}

/** A page that was requested. */
interface PendingPage {
  readonly request: PageRequest;
  readonly response: Promise<ResponseWithData<object>>;
}

/** A page that arrived. */
export interface ReceivedPage extends ResponseWithData<object> {
  readonly request: PageRequest;
}

/** Returns whether the server may accept a request for another position. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  !["AUTHENTICATION", "NOT_FOUND", "RATE_LIMIT", "SERVER"].includes(error.code);

/** Returns the properties of a list that the steps of reading depend on, for a page size. */
function readingOptions(
  list: PreparedList,
  limit: number,
  largestCount: () => number,
): ReadingOptions {
  const { call, iteration, operation, position, range, records } = list;
  const warn = (text: string) => call.log?.("warn", `${operation.name} (${operation.id}) ${text}`);
  return {
    ...(position?.part ?? range),
    ...{ limit, maxLimit: maxLimitOf(list), place: records.place },
    offset: position ? (position.offset ?? 0) : list.offset,
    takesBlocks: takesBlocks(list),
    hasEqualRecords: records.identity.includes("value"),
    largestCount,
    context: { operation: operation.id, operationName: operation.name },
    onReorganisation:
      iteration.onReorganisation ??
      (({ deep, position: at }) => {
        if (deep)
          warn(
            `detected a reorganisation of the chain around record ${at}: some records may be missing`,
          );
      }),
    onShortfall:
      iteration.onShortfall ??
      (({ promised, received, suspected }) =>
        warn(
          suspected
            ? `ended after ${received} records: servers often return no more, so some may be missing`
            : `ended after ${received} of the ${promised} records that the server counted: its count is wrong, or it withholds some`,
        )),
  };
}

/** Reads one list: requests pages, and returns their new records. */
export class ListReader {
  readonly #list: PreparedList;
  readonly #options: ReadingOptions;
  readonly #totals: Map<string, number>;
  /** One reading for each list in the results. */
  readonly #readings: Reading[];
  #pending: PendingPage[] = [];
  /** The last page, which may have records that the caller had no room for. */
  #unfinished: ReceivedPage | undefined;
  /** The lists with such records on the last page. */
  readonly #cut = new Set<Reading>();
  /** Aborts the pages that are prefetched. */
  #ahead: AbortScope | undefined;
  /** No page is prefetched from this position on. */
  #prefetchEnd = Number.POSITIVE_INFINITY;
  #recordsLeft: number;
  /** An error to throw on the next read, because records that arrived before it go first. */
  #error: unknown;
  /** A secret of this process, so that nobody can craft two records with the same check. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32);

  constructor(list: PreparedList, limit: number) {
    const { call, iteration, operation, position } = list;
    this.#list = list;
    this.#recordsLeft = iteration.maxItems ?? Number.POSITIVE_INFINITY;
    // Where the server cannot select records, most of a page may be unwanted.
    const size = list.bounds.length ? maxLimitOf(list) : Math.min(limit, this.#recordsLeft || 1);
    this.#totals = totals.get(call) ?? new Map();
    totals.set(call, this.#totals);
    this.#options = readingOptions(list, size, () => this.#totals.get(operation.id) ?? 0);
    const { offset } = this.#options;
    const begun = beginning(this.#options, offset, this.#totals.has(operation.id));
    this.#readings = (position?.lists ?? [begun]).map((progress) => this.#open(progress));
  }

  #open(progress: Reading["progress"]): Reading {
    const seenKeys = this.#options.hasEqualRecords
      ? undefined
      : new SeenKeys(progress.again.concat(progress.recent));
    return new Reading(this.#options, { ...progress }, seenKeys);
  }

  /** Returns the position that reading has reached, or the beginning of a part of the list. */
  position(newPart?: Range): Position {
    const { position, isRangeFound, range } = this.#list;
    const lists = this.#readings.map(({ progress }) =>
      newPart ? { ...progress, range: newPart } : { ...progress },
    );
    const part = newPart ?? position?.part ?? (isRangeFound ? range : undefined);
    return { part, offset: this.#options.offset || undefined, lists };
  }

  /** Whether the list may have more records that the caller wants. */
  get isWanted(): boolean {
    const isOpen = this.#current.progress.state !== "ended" || this.#error !== undefined;
    return this.#recordsLeft > 0 && isOpen;
  }

  /** The most records that are still wanted. */
  get recordsLeft(): number {
    return this.#recordsLeft;
  }

  /** The first list that has not ended, or the first list if all have. */
  get #current(): Reading {
    const open = this.#readings.find(({ progress }) => progress.state !== "ended");
    return open ?? (this.#readings[0] as Reading);
  }

  /**
   * Reads until it has `size` records or the list ends; without a size, until it has one. With
   * `isExact`, requests no more records than `size`. An error has a cursor to continue from.
   */
  async read(size?: number, prefetch = 0, isExact = false): Promise<ReadRecords> {
    const records: ListRecord[] = [];
    let last: Omit<ReadRecords, "records" | "offset"> | undefined;
    const offset = this.#options.offset + this.#received;
    try {
      if (this.#error !== undefined) throw this.#error;
      do {
        const room = (size ?? Number.POSITIVE_INFINITY) - records.length;
        const next = await this.#readPage(room, prefetch, isExact);
        for (const record of next.records) records.push(record);
        // A response without new records, such as a count of fewer blocks, says nothing of these.
        if (!last || next.records.length) last = next;
      } while (records.length < (size ?? 1) && this.isWanted);
      return { ...last, offset, records: records };
    } catch (error) {
      this.#error = this.withProgress(error);
      if (!records.length || !last) throw this.#error;
      return { ...last, offset, records: records };
    }
  }

  /** Takes up to `room` records of a page that was requested without this reader. */
  accept(page: ReceivedPage, room: number): void {
    this.#take(page, room);
  }

  get #received(): number {
    return this.#readings.reduce((sum, { progress }) => sum + progress.received, 0);
  }

  /** Reads the next page that the server accepts, and takes up to `room` of its records. */
  async #readPage(room: number, prefetch: number, isExact: boolean) {
    for (;;) {
      this.#list.options?.signal?.throwIfAborted();
      const current = this.#current;
      current.room = isExact ? room : Number.POSITIVE_INFINITY;
      const page = this.#unfinishedFor(current) ?? (await this.#fetchNext(current, prefetch));
      if (!page) continue;
      const newRecords = this.#take(page, room);
      const isAhead = prefetch > 0 && this.isWanted && !this.#unfinishedFor(this.#current);
      if (isAhead && this.#current.timeToFind === undefined) this.#fill(this.#current, prefetch);
      return { ...newRecords, results: page.data, response: page.response };
    }
  }

  /** Returns the last page if the next record of a list is on it. */
  #unfinishedFor(reading: Reading): ReceivedPage | undefined {
    const { request } = this.#unfinished ?? {};
    const isSameRange =
      request && isSamePlace({ ...reading.request, offset: request.offset }, request);
    return isSameRange && this.#cut.has(reading) ? this.#unfinished : undefined;
  }

  /** Fetches the next page; undefined if the server refused it and another page comes next. */
  async #fetchNext(current: Reading, prefetch: number): Promise<ReceivedPage | undefined> {
    if (current.timeToFind !== undefined) await this.#findBlocks(current, current.timeToFind);
    this.#fill(current, prefetch);
    // `#fill` has requested at least one page.
    const { request, response } = this.#pending.shift() as PendingPage;
    try {
      return { request, ...(await response) };
    } catch (error) {
      if (!isRefusal(error) || !current.progress.received) throw error;
      current.refuse(error);
      return undefined;
    }
  }

  /** Finds the blocks of a time, from which a list continues whose records do not name blocks. */
  async #findBlocks(reading: Reading, time: number): Promise<void> {
    const { call, options } = this.#list;
    const search = searchOf(call);
    this.close();
    try {
      const first = (await search.lastBefore(time, options)) + 1;
      const last = (await search.at(time, options))?.number ?? first;
      reading.continueAt({ first, last });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "NOT_FOUND") throw error;
      throw new ListError("RESULT_WINDOW", { ...this.#options.context, cause: error });
    }
  }

  /** Adds to an error how far the list was read. */
  withProgress(error: unknown): unknown {
    const isAbort = error instanceof DOMException && error.name.endsWith("Error");
    if (!isAbort && !(error instanceof ExplorerError)) return error;
    const cursor = cursorOf(this.#list, this.position());
    // Another list with the same signal may have left its cursor.
    const failure =
      isAbort && "cursor" in error ? new DOMException(error.message, error.name) : error;
    return Object.assign(failure, { records: [], cursor });
  }

  /** Requests the next page, unless it is in flight, and those after it. */
  #fill(current: Reading, prefetch: number): void {
    const { request } = current;
    if (this.#pending[0] && !isSamePlace(this.#pending[0].request, request)) this.close();
    const { signal } = this.#list.options ?? {};
    if (prefetch) this.#ahead ??= new AbortScope().follow(signal);
    const last = this.#pending.at(-1);
    let next = last ? current.after(last.request) : request;
    while (next && this.#pending.length < Math.max(prefetch, 1)) {
      if (next !== request && next.offset >= this.#prefetchEnd) return;
      const response = fetchPage(this.#list, next, this.#ahead?.signal ?? signal);
      // The code that awaits a page handles its error. The error of a dropped page does not matter.
      response.catch(() => {});
      this.#pending.push({ request: next, response });
      next = current.after(next);
    }
  }

  /** Takes up to `room` new records of a page. */
  #take(page: ReceivedPage, room: number) {
    const { bounds, records: listed } = this.#list;
    const current = this.#current;
    const { request } = current;
    const lists = listsIn(listed, page.data);
    while (lists.length > this.#readings.length)
      this.#readings.push(this.#open(jsonCopy(current.progress)));
    const isEnded = current.progress.state === "ended";
    this.#prefetchEnd = 0;
    this.#cut.clear();
    this.#unfinished = page;
    const records: ListRecord[] = [];
    let count: number | null = 0;
    for (const [index, list] of lists.entries()) {
      const reading = this.#readings[index] as Reading;
      // The page may have been requested for only one of several lists.
      const isOpen = isEnded || reading.progress.state !== "ended";
      if (isOpen && isSamePlace(reading.request, request))
        records.push(...this.#read(reading, page, list, room - records.length));
      count = count === null || list.count === null ? null : count + list.count;
    }
    return { records, count: bounds.length ? null : count };
  }

  /** Returns the new records of one list of a page that the caller wants, at most `room`. */
  #read(
    reading: Reading,
    page: ReceivedPage,
    { count, records: all }: CountedRecords,
    room: number,
  ): readonly ListRecord[] {
    const { operation, records: listed } = this.#list;
    const { offset } = reading.request;
    const takenCount = offset - page.request.offset;
    const records = takenCount ? all.slice(takenCount) : all;
    const rank = listed.place === "time" ? timeOf : blockOf;
    const indexes = reading.receive({
      ...{ request: { ...page.request, offset }, count, taken: takenCount },
      max: Math.min(this.#recordsLeft, room),
      ...digestsOf(records, listed.identity, this.#seed),
      ranks: records.map((record) => Number(rank(record))),
    });
    if (reading.isCut) this.#cut.add(reading);
    const { countIsTotal, next } = reading.progress;
    const largest = Math.max(this.#options.largestCount(), Number(count));
    if (countIsTotal) this.#totals.set(operation.id, largest);
    else this.#totals.delete(operation.id);
    const wanted = this.#within(
      reading,
      indexes.map((at) => records[at] as ListRecord),
    );
    this.#recordsLeft -= wanted.length;
    const total = (countIsTotal && count) || Number.POSITIVE_INFINITY;
    this.#prefetchEnd = Math.max(this.#prefetchEnd, Math.min(next + this.#recordsLeft, total));
    return wanted;
  }

  /** Returns the records within the caller's bounds, and ends a sorted list that is past them. */
  #within(reading: Reading, records: readonly ListRecord[]): readonly ListRecord[] {
    const { bounds } = this.#list;
    const placeOf = (by: "block" | "time", record: ListRecord) =>
      Number(by === "time" ? timeOf(record) : blockOf(record));
    const last = records.at(-1);
    const hasLeft = bounds.some(({ by, from, until }) => {
      const value = last ? placeOf(by, last) : Number.NaN;
      return reading.direction < 0 ? value < from : reading.direction > 0 && value >= until;
    });
    if (hasLeft) reading.progress.state = "ended";
    return records.filter((record) =>
      bounds.every(({ by, from, until }) => {
        const value = placeOf(by, record);
        return value >= from && value < until;
      }),
    );
  }

  /** Aborts the requests in flight. */
  close(): void {
    this.#ahead?.abort(undefined);
    this.#ahead?.close();
    this.#ahead = undefined;
    this.#pending = [];
    this.#cut.clear();
  }
}
