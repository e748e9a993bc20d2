// Requests the pages of a list in order, some of them ahead, and returns their new records.
import type { OperationResults } from "../contract/index.ts";
import { ApiError, ExplorerError } from "../errors/index.ts";
import { AbortScope } from "../http/abort.ts";
import type { Call, ResponseWithData } from "../http/call.ts";
import { jsonCopy } from "../models/json.ts";
import {
  blockOf,
  digestsOf,
  fetchPage,
  isSame,
  type ListOperation,
  type ListRecord,
  type ListResults,
  type ListSource,
  listsIn,
  type PageContents,
  type PageRequest,
  type PreparedList,
  type Range,
  type Reorganisation,
  rankOf,
  type Shortfall,
} from "./page.ts";
import { beginning, cursorOf, type Progress, type ReadingOptions, readCursor } from "./progress.ts";
import { Reading } from "./reading.ts";
import { SeenKeys } from "./seen-keys.ts";

/** The operations whose `count` is known to be the total, by client: a list of one page then takes one request. */
const totals = new WeakMap<Call, Set<string>>();

/** A page that was read, and the list from there on. */
export interface PageRead<Item, Results>
  extends ResponseWithData<Results & PageContents<Item, Results>> {
  readonly next: ListSource;
}

/** A page that was requested. */
interface PendingPage {
  readonly request: PageRequest;
  readonly response: ReturnType<typeof fetchPage>;
}

/** Whether the server refuses what it would answer at another position. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  !["AUTHENTICATION", "NOT_FOUND", "RATE_LIMIT", "SERVER"].includes(error.code);

export const takesBlocks = ({ operation }: PreparedList) =>
  operation.places.query.includes("endBlock");

/** Event logs name only their time. */
export const hasTimes = ({ id }: ListOperation) => id === "L1";

/** Reads one list: requests pages, and hands out their new records. */
export class ListReader<Item, Results> {
  readonly #list: PreparedList;
  readonly #options: ReadingOptions;
  /** The part of the list to read, if it is not the whole. */
  readonly #part: Range | undefined;
  readonly #totals: Set<string>;
  /** One, or those of the two lists of A6. */
  readonly #readings: Reading[];
  #pending: PendingPage[] = [];
  /** What is requested ahead, so that it can be aborted. */
  #ahead: AbortScope | undefined;
  /** Nothing is requested ahead from this position on. */
  #prefetchEnd = Number.POSITIVE_INFINITY;
  #recordsLeft: number;
  /** Distinguishes records with the same key; nobody outside the process knows it. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32);
  cursor: string;

  constructor(list: PreparedList, defaultLimit: number) {
    const { call, iteration, operation } = list;
    const given = readCursor(list);
    const warn = (text: string) =>
      call.log?.("warn", `${operation.name} (${operation.id}) ${text}`);
    const warnOfShortfall = ({ promised, received }: Shortfall) =>
      warn(
        `ended after ${received} of the ${promised} records that the server counted: its count is wrong, or it withholds some`,
      );
    const warnOfReorganisation = ({ deep, position }: Reorganisation) => {
      if (deep)
        warn(
          `met a reorganisation of the chain around record ${position}: some records may be missing`,
        );
    };
    this.#list = list;
    this.#recordsLeft = iteration.maxItems ?? Number.POSITIVE_INFINITY;
    this.#part = given?.part;
    this.#options = {
      ...(this.#part ?? list.range),
      // The first page after a cursor begins with a record that is known.
      limit: Math.min(list.limit ?? defaultLimit, this.#recordsLeft + (given ? 1 : 0) || 1),
      offset: given ? (given.offset ?? 0) : list.offset,
      hasBlocks: takesBlocks(list) && !hasTimes(operation),
      hasEqualRecords: operation.list.identity.includes("value"),
      context: { operation: operation.id, operationName: operation.name },
      onReorganisation: iteration.onReorganisation ?? warnOfReorganisation,
      onShortfall: iteration.onShortfall ?? warnOfShortfall,
    };
    this.#totals = totals.get(call) ?? new Set();
    totals.set(call, this.#totals);
    const begun = beginning(this.#options, this.#totals.has(operation.id));
    this.#readings = (given?.lists ?? [begun]).map((progress) => this.#open(progress));
    this.cursor = this.cursorOf();
  }

  #open(progress: Progress): Reading {
    const seen = this.#options.hasEqualRecords
      ? undefined
      : new SeenKeys(progress.again.concat(progress.recent));
    return new Reading(this.#options, progress, seen);
  }

  /** The cursor at this point of the list, or at the beginning of a part of it. */
  cursorOf(begun?: Range): string {
    const lists = this.#readings.map(({ progress }) =>
      begun ? { ...progress, range: begun } : progress,
    );
    const offset = this.#options.offset || undefined;
    return cursorOf(this.#list, { part: begun ?? this.#part, offset, lists });
  }

  get isWanted(): boolean {
    return this.#recordsLeft > 0 && this.#current.progress.state !== "ended";
  }

  /** The list whose next page is requested: one that has ended if all have. */
  get #current(): Reading {
    const open = this.#readings.find(({ progress }) => progress.state !== "ended");
    return open ?? (this.#readings[0] as Reading);
  }

  /** The next page that is requested. An error has a cursor to continue after the page before. */
  async next(prefetch = 0): Promise<PageRead<Item, Results>> {
    try {
      for (;;) {
        this.#list.options?.signal?.throwIfAborted();
        const current = this.#current;
        this.#fill(current, prefetch);
        // `#fill` has requested at least one.
        const { request, response } = this.#pending.shift() as PendingPage;
        const received = await response.catch((error: unknown) => {
          if (!isRefusal(error) || !current.progress.received) throw error;
          current.refuse(error);
        });
        if (!received) continue;
        const data = this.#take(current, request, received.data as Results);
        if (prefetch > 0 && this.isWanted) this.#fill(this.#current, prefetch);
        const { cursor: resume, limit } = data;
        const iteration = { ...this.#list.iteration, maxItems: this.#recordsLeft, resume };
        return { data, next: { ...this.#list, limit, iteration }, response: received.response };
      }
    } catch (error) {
      throw this.withProgress(error);
    }
  }

  /** Adds to an error how far the list was read. */
  withProgress(error: unknown): unknown {
    const isOurs = error instanceof ExplorerError;
    return isOurs ? Object.assign(error, { records: [], cursor: this.cursor }) : error;
  }

  /** Requests the next page, unless it is in flight, and those after it. */
  #fill(current: Reading, prefetch: number): void {
    const { request } = current;
    if (this.#pending[0] && !isSame(this.#pending[0].request, request)) this.close();
    const { signal } = this.#list.options ?? {};
    if (prefetch) this.#ahead ??= new AbortScope().follow(signal);
    const last = this.#pending.at(-1);
    let next = last ? current.after(last.request) : request;
    while (next && this.#pending.length < Math.max(prefetch, 1)) {
      if (next !== request && next.offset >= this.#prefetchEnd) return;
      const response = fetchPage(this.#list, next, this.#ahead?.signal ?? signal);
      // The reader of the page handles its error; that of a dropped page needs no handling.
      response.catch(() => {});
      this.#pending.push({ request: next, response });
      next = current.after(next);
    }
  }

  #take(
    current: Reading,
    request: PageRequest,
    results: Results,
  ): Results & PageContents<Item, Results> {
    // `Results` are those of the source's own operation, and what is listed in them are its items.
    const lists = listsIn(results as OperationResults<ListOperation>);
    while (lists.length > this.#readings.length)
      this.#readings.push(this.#open(jsonCopy(current.progress)));
    const offset = this.#options.offset + current.progress.received;
    const ended = current.progress.state === "ended";
    this.#prefetchEnd = 0;
    let data: readonly ListRecord[] = [];
    let count: number | null = 0;
    for (const [index, list] of lists.entries()) {
      const reading = this.#readings[index] as Reading;
      // The page may be requested for one of the lists of A6 alone.
      const isFor = ended || reading.progress.state !== "ended";
      if (isFor && isSame(reading.request, request))
        data = data.concat(this.#read(reading, request, list));
      count = count === null || list.count === null ? null : count + list.count;
    }
    this.cursor = this.cursorOf();
    const { cursor, isWanted } = this;
    const { limit } = this.#options;
    const page = { count, limit, offset, results, cursor, hasNextPage: () => isWanted };
    return { ...results, ...page, data: data as Item[] };
  }

  /** The new records of one list of a page. */
  #read(
    reading: Reading,
    request: PageRequest,
    { count, records }: ListResults,
  ): readonly ListRecord[] {
    const { operation } = this.#list;
    const rank = hasTimes(operation) ? rankOf : blockOf;
    const taken = reading.receive({
      ...{ request, count, max: this.#recordsLeft },
      ...digestsOf(records, operation.list.identity, this.#seed),
      ranks: records.map((record) => Number(rank(record))),
    });
    this.#recordsLeft -= taken.length;
    const { countIsTotal, next } = reading.progress;
    this.#totals[countIsTotal ? "add" : "delete"](operation.id);
    const total = (countIsTotal && count) || Number.POSITIVE_INFINITY;
    this.#prefetchEnd = Math.max(this.#prefetchEnd, Math.min(next + this.#recordsLeft, total));
    return taken.map((at) => records[at] as ListRecord);
  }

  /** Aborts the requests in flight. */
  close(): void {
    this.#ahead?.abort(undefined);
    this.#ahead?.close();
    this.#ahead = undefined;
    this.#pending = [];
  }
}
