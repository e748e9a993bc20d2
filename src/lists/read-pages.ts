// Reads the pages of a list in order, some of them ahead; loaded when a list is first read.
import * as z from "zod/mini";
import { limits, type OperationResults } from "../contract/index.ts";
import { ApiError, ExplorerError, ListError, ParameterError } from "../errors/index.ts";
import { AbortScope } from "../http/abort.ts";
import type { Call, ResponseWithData } from "../http/call.ts";
import { type CheckedInput, number, parseOptions } from "../http/request.ts";
import { jsonCopy } from "../models/json.ts";
import { cursorOf, readCursor } from "./cursor.ts";
import {
  blockOf,
  digestsOf,
  type ListOperation,
  type ListRecord,
  type ListResults,
  listsIn,
  maxLimitOf,
  rankOf,
} from "./list-records.ts";
import { splitBlocks } from "./newest-block.ts";
import {
  fetchPage,
  isSame,
  type ListSource,
  type PageContents,
  type PageRequest,
  type PreparedList,
  type Range,
  type Shortfall,
} from "./page.ts";
import { beginning, type Progress, type ReadingOptions } from "./progress.ts";
import { Reading } from "./reading.ts";
import { SeenKeys } from "./seen-keys.ts";

/** More pages in flight would exhaust the memory, if not the server. */
const MAX_PREFETCH = 1000;

const iterationOptions = z.object({
  prefetch: z.optional(
    number(
      `an integer from 0 to ${MAX_PREFETCH}`,
      (value) => Number.isInteger(value) && value >= 0 && value <= MAX_PREFETCH,
    ),
  ),
  maxItems: z.optional(
    number(
      "an integer from 0 to Infinity",
      (value) => (Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY) && value >= 0,
    ),
  ),
});

/** The operations whose `count` is known to be the total, by client: a list of one page then takes one request. */
const totals = new WeakMap<Call, Set<string>>();

/** A page that was requested. */
interface PendingPage {
  readonly request: PageRequest;
  readonly response: ReturnType<typeof fetchPage>;
}

/** Whether the server refuses what it would answer at another position. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  !["AUTHENTICATION", "NOT_FOUND", "RATE_LIMIT", "SERVER"].includes(error.code);

const takesBlocks = ({ operation }: PreparedList) => operation.places.query.includes("endBlock");

/** Event logs name only their time. */
const hasTimes = ({ id }: ListOperation) => id === "L1";

/** Reads one list: requests pages, and hands out their new records. */
class ListReader<Item, Results> {
  readonly #list: PreparedList;
  readonly #options: ReadingOptions;
  /** The part of the list to read, if it is not the whole. */
  readonly #part: Range | undefined;
  readonly #totals: Set<string>;
  /** One, or those of the two lists of A6. */
  readonly #readings: Reading[];
  #pending: PendingPage[] = [];
  #scope: AbortScope;
  /** Nothing is requested ahead from this position on. */
  #end = Number.POSITIVE_INFINITY;
  #recordsLeft: number;
  /** Distinguishes records with the same key; nobody outside the process knows it. */
  readonly #seed = Math.floor(Math.random() * 2 ** 32);
  cursor: string;

  constructor(list: PreparedList, defaultLimit: number) {
    const { call, iteration, operation } = list;
    const given = readCursor(list);
    const warn = ({ promised, received }: Shortfall) =>
      call.log?.(
        "warn",
        `${operation.name} (${operation.id}) ended after ${received} of the ${promised} records that the server counted: its count is wrong, or it withholds some`,
      );
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
      onReorganisation: iteration.onReorganisation,
      onShortfall: iteration.onShortfall ?? warn,
    };
    this.#totals = totals.get(call) ?? new Set();
    totals.set(call, this.#totals);
    const begun = beginning(this.#options, this.#totals.has(operation.id));
    this.#readings = (given?.lists ?? [begun]).map((progress) => this.#open(progress));
    this.#scope = new AbortScope().follow(list.options.signal);
    this.cursor = this.cursorOf();
  }

  #open(progress: Progress): Reading {
    const seen = this.#options.hasEqualRecords
      ? undefined
      : new SeenKeys(progress.again.concat(progress.recent));
    return new Reading(this.#options, jsonCopy(progress), seen);
  }

  /** The cursor at this point of the list, or at the beginning of a part of it. */
  cursorOf(begun?: Range): string {
    const lists = this.#readings.map(({ progress }) =>
      begun ? { ...progress, range: begun } : progress,
    );
    const offset = this.#options.offset || undefined;
    return cursorOf(this.#list, { part: begun ?? this.#part, offset, lists });
  }

  get ended(): boolean {
    return this.#readings.every(({ progress }) => progress.state === "ended");
  }

  get isWanted(): boolean {
    return this.#recordsLeft > 0 && !this.ended;
  }

  /** The list whose next page is requested. */
  get #current(): Reading {
    const open = this.#readings.find(({ progress }) => progress.state !== "ended");
    return open ?? (this.#readings[0] as Reading);
  }

  /** The next page that is requested. An error has a cursor to continue after the page before. */
  async next(prefetch: number): Promise<ResponseWithData<Results & PageContents<Item, Results>>> {
    try {
      for (;;) {
        this.#list.options.signal?.throwIfAborted();
        this.#fill(Math.max(prefetch, 1));
        // `#fill` has requested at least one.
        const { request, response } = this.#pending.shift() as PendingPage;
        const received = await response.catch((error: unknown) => {
          if (!isRefusal(error) || !this.#current.progress.received) throw error;
          this.#current.refuse(error);
        });
        if (!received) continue;
        const data = this.#take(request, received.data as Results);
        if (prefetch > 0 && this.isWanted) this.#fill(prefetch);
        return { data, response: received.response };
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
  #fill(inFlight: number): void {
    const { request } = this.#current;
    if (this.#pending[0] && !isSame(this.#pending[0].request, request)) {
      this.close();
      this.#scope = new AbortScope().follow(this.#list.options.signal);
    }
    const last = this.#pending.at(-1);
    let next = last ? this.#current.after(last.request) : request;
    while (next && this.#pending.length < inFlight) {
      if (next !== request && next.offset >= this.#end) return;
      const response = fetchPage(this.#list, next, this.#scope.signal);
      // The reader of the page handles its error; that of a dropped page needs no handling.
      response.catch(() => {});
      this.#pending.push({ request: next, response });
      next = this.#current.after(next);
    }
  }

  #take(request: PageRequest, results: Results): Results & PageContents<Item, Results> {
    // `Results` are those of the source's own operation, and what is listed in them are its items.
    const lists = listsIn(results as OperationResults<ListOperation>);
    while (lists.length > this.#readings.length)
      this.#readings.push(this.#open(this.#current.progress));
    const offset = this.#options.offset + this.#current.progress.received;
    // The page may be requested for one of the lists of A6 alone.
    const isFor = this.#readings.map(
      (one) => (this.ended || one.progress.state !== "ended") && isSame(one.request, request),
    );
    this.#end = 0;
    const data = lists.flatMap((list, index) =>
      isFor[index] ? this.#read(this.#readings[index] as Reading, request, list) : [],
    );
    const counts = lists.map(({ count }) => count);
    const count = counts.includes(null)
      ? null
      : counts.reduce((sum, one) => Number(sum) + Number(one), 0);
    this.cursor = this.cursorOf();
    const { cursor, isWanted } = this;
    const { limit } = this.#options;
    const page = { count, limit, offset, results, cursor, hasNextPage: () => isWanted };
    return { ...results, ...page, data: data as readonly ListRecord[] as Item[] };
  }

  /** The new records of one list of a page. */
  #read(
    reading: Reading,
    request: PageRequest,
    { count, records }: ListResults,
  ): readonly ListRecord[] {
    const { operation } = this.#list;
    const taken = reading.receive({
      ...{ request, count, max: this.#recordsLeft },
      ...digestsOf(records, operation.list.identity, this.#seed),
      ranks: records.map((record) =>
        Number(hasTimes(operation) ? rankOf(record) : blockOf(record)),
      ),
    });
    this.#recordsLeft -= taken.length;
    const { countIsTotal, next } = reading.progress;
    this.#totals[countIsTotal ? "add" : "delete"](operation.id);
    const total = (countIsTotal && count) || Number.POSITIVE_INFINITY;
    this.#end = Math.max(this.#end, Math.min(next + this.#recordsLeft, total));
    return taken.map((at) => records[at] as ListRecord);
  }

  /** Aborts the requests in flight. */
  close(): void {
    this.#scope.abort(undefined);
    this.#scope.close();
    this.#pending = [];
  }
}

/** The parameters of a list that decide which page is requested. */
interface WireQuery {
  readonly limit?: number;
  readonly offset?: number;
  readonly startBlock?: string;
  readonly endBlock?: string;
}

/** Checks how a list is to be read, and returns the ways to read it. */
export function prepareList<Item, Results>(source: ListSource, parameters: CheckedInput) {
  const { iteration, operation } = source;
  const details = { operation: operation.id };
  parseOptions("Invalid iteration options", iterationOptions, iteration, details);
  // The parameters that decide which page is requested are no part of the list's name.
  const { limit, offset = 0, ...query } = parameters.wire as WireQuery;
  const block = (given?: string) => (given === undefined ? undefined : Number(given));
  const named = Object.entries(query).map(([key, value]) => `${key}=${value}`);
  const list: PreparedList = {
    ...{ ...source, parameters, limit: source.limit ?? limit, offset },
    range: { from: block(query.startBlock), to: block(query.endBlock) },
    name: [operation.id, ...named.sort()].join(" ").toLowerCase(),
  };
  return {
    readPage: () => readPage<Item, Results>(list),
    readPages: () => readPages<Item, Results>(list),
    split: (parts: number) => splitList(list, parts),
  };
}

/** Reads one page: the first, or the one after a cursor. */
async function readPage<Item, Results>(
  list: PreparedList,
): Promise<ResponseWithData<Results & PageContents<Item, Results>>> {
  const reader = new ListReader<Item, Results>(list, limits.default);
  try {
    for (;;) {
      const page = await reader.next(0);
      if (page.data.data.length || !reader.isWanted) return page;
    }
  } finally {
    reader.close();
  }
}

/** Reads all pages, some of them ahead. */
async function* readPages<Item, Results>(
  list: PreparedList,
): AsyncGenerator<Results & PageContents<Item, Results>, void, undefined> {
  const reader = new ListReader<Item, Results>(list, maxLimitOf(list.operation));
  try {
    while (reader.isWanted) {
      const { data: page } = await reader.next(list.iteration.prefetch ?? 0);
      if (page.data.length) yield page;
    }
  } finally {
    reader.close();
  }
}

/** A block that no chain has reached. */
const FAR_BLOCK = 10 ** 12;

/** Cursors of up to `parts` ranges of blocks that together are the list. */
async function splitList(list: PreparedList, parts: number): Promise<string[]> {
  const { iteration, operation } = list;
  const details = { operation: operation.id, operationName: operation.name };
  if (iteration.resume !== undefined) {
    const expected = "none: only a list that is not begun can be split";
    const issue = { path: ["resume"], expected, received: iteration.resume };
    throw new ParameterError("Invalid list to split", [issue], details);
  }
  const whole = new ListReader(list, maxLimitOf(operation));
  if (!takesBlocks(list) || list.offset) return [whole.cursor];
  const read = async (from: number, to?: number) => {
    const { data } = await fetchPage(list, { from, to, limit: 2, offset: 0 });
    const records = listsIn(data).flatMap((one) => one.records);
    if (records.some((record) => from === FAR_BLOCK || Number(blockOf(record) ?? from) < from))
      throw whole.withProgress(new ListError("RANGE_IGNORED", details));
    return records;
  };
  // Records that do not name their block do not show whether blocks are heeded.
  if (hasTimes(operation)) await read(FAR_BLOCK, FAR_BLOCK);
  const ranges = await splitBlocks(read, list.range, parts);
  return ranges.map((range) => whole.cursorOf(range));
}
