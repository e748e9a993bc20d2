// Reads the pages of a list in order, some of them ahead; loaded when a list is first read.
import * as z from "zod/mini";
import { limits, type OperationResults } from "../contract/index.ts";
import {
  ApiError,
  AuthenticationError,
  ListError,
  NotFoundError,
  RateLimitError,
  ServerError,
} from "../errors/index.ts";
import type { ListErrorReason } from "../errors/unfinished.ts";
import { AbortScope } from "../http/abort.ts";
import type { ResponseWithData } from "../http/call.ts";
import type { CheckedInput } from "../http/request.ts";
import { number, parseOptions } from "../http/request-options.ts";
import { cursorOf, resumedStates } from "./cursor.ts";
import {
  blockOf,
  digestsOf,
  type ListOperation,
  type ListRecord,
  listsIn,
  maxLimitOf,
  rankOf,
} from "./list-records.ts";
import { predict, requestOf, step, widthOf } from "./machine.ts";
import { findNewestBlock } from "./newest-block.ts";
import { type ListSource, type OpenList, type PageContents, seenBefore } from "./page.ts";
import { profilesOf } from "./profile.ts";
import { SeenKeys } from "./seen-keys.ts";
import { type Answer, begin, type PageRequest, type Range, type State } from "./state.ts";

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

/** A page that was requested. */
interface PendingPage {
  readonly request: PageRequest;
  readonly response: ReturnType<typeof fetchPage>;
}

const isSame = (one: PageRequest, other: PageRequest) =>
  one.offset === other.offset &&
  one.limit === other.limit &&
  one.from === other.from &&
  one.to === other.to;

/** A page, as it is requested. */
interface FetchRange {
  readonly offset: number;
  readonly limit: number;
  readonly startBlock?: bigint | undefined;
  readonly endBlock?: bigint | undefined;
}

/** The wire form of a request, by what the server is known to make of it. */
function toWire({ from, limit, offset, to }: PageRequest, { progress }: State): FetchRange {
  const block = (bound: number | undefined, by: number) =>
    bound === undefined ? undefined : BigInt(Math.max(0, bound + by));
  return {
    limit,
    offset: progress.profile.offset === "pages" ? offset / limit : offset,
    startBlock: block(from, -widthOf(progress, "from")),
    endBlock: block(to, widthOf(progress, "to")),
  };
}

/** Requests a page. Where the range has no bound, the caller's own stays. */
function fetchPage(
  { call, operation, options, parameters }: OpenList,
  { startBlock, endBlock, ...range }: FetchRange,
  signal = options.signal,
) {
  const bounds = {
    ...(startBlock !== undefined && { startBlock }),
    ...(endBlock !== undefined && { endBlock }),
  };
  const input = parameters.within({ ...range, ...bounds });
  return call(operation, input, { ...options, signal, isPatient: true });
}

const failures: Readonly<Record<ListErrorReason, string>> = {
  OFFSET_IGNORED: "The server ignores `offset`: two offsets return the same page",
  RESULT_WINDOW: "The server returns no records after this position",
  NO_PROGRESS:
    "Request after request returned nothing new: the list changes faster than it can be read, or the server repeats its pages",
};

/** A state whose records were yielded elsewhere: all but the last are forgotten. */
function forgetting(state: State): State {
  const { forgot, keys, read } = state.progress;
  return { ...state, progress: { ...state.progress, forgot: forgot || read > keys.length } };
}

/** More refusals in a row do not depend on the position: halving a range to one block takes fewer. */
const MAX_REFUSALS = 64;

/** Reads one list: requests pages, and hands out their new records. */
class ListReader<Item, Results> {
  readonly #list: OpenList;
  readonly #limit: number;
  /** One, or the two of A6; none before the first page. */
  #states: readonly State[];
  /** What was yielded, where keys are unique. */
  readonly #seen: SeenKeys | undefined;
  #pending: PendingPage[] = [];
  #scope: AbortScope;
  /** Nothing is requested ahead from this position on. */
  #end = Number.POSITIVE_INFINITY;
  #left: number;
  /** How many requests in a row were refused. */
  #refusals = 0;
  /** Another process yielded records, and their keys are not known here. */
  #forgot: boolean;

  constructor(list: OpenList, defaultLimit: number) {
    const { iteration, operation, seen } = list;
    this.#list = list;
    this.#left = iteration.maxItems ?? Number.POSITIVE_INFINITY;
    this.#limit = Math.min(list.limit ?? defaultLimit, Math.max(this.#left, 1));
    const wish = {
      ...{ limit: this.#limit, start: list.offset, ahead: (iteration.prefetch ?? 0) > 0 },
      ...{ from: list.startBlock, to: list.endBlock },
      blocks: operation.places.query.includes("endBlock"),
      // Token transfers have no log index.
      repeats: operation.list.identity.includes("value"),
    };
    const profile = profilesOf(list.call).get(operation.id);
    this.#states = resumedStates(list, wish) ?? [begin(wish, profile)];
    const isWhole = seen !== undefined && seen.keys.size === seen.size;
    if (!wish.repeats)
      this.#seen = isWhole
        ? seen.keys
        : new SeenKeys(this.#states.flatMap(({ progress }) => progress.keys));
    this.#forgot = !isWhole && !wish.repeats;
    if (this.#forgot) this.#states = this.#states.map(forgetting);
    this.#scope = this.#createScope();
  }

  #createScope(): AbortScope {
    return new AbortScope().follow(this.#list.options.signal);
  }

  get ended(): boolean {
    return this.#states.every(({ at }) => at === "end");
  }

  get isWanted(): boolean {
    return this.#left > 0 && !this.ended;
  }

  get cursor(): string {
    return cursorOf(this.#list, this.#states);
  }

  /** The cursor at the beginning of a part of the list. */
  cursorOf(range: Range): string {
    const states = this.#states.map((state) => ({
      ...state,
      progress: { ...state.progress, range, part: range },
    }));
    return cursorOf(this.#list, states);
  }

  /** The list whose next page is requested. */
  get #open(): State {
    const [first] = this.#states;
    return this.#states.find(({ at }) => at !== "end") ?? (first as State);
  }

  /** The next page that has been requested. */
  async next(depth: number): Promise<ResponseWithData<Results & PageContents<Item, Results>>> {
    this.#list.options.signal?.throwIfAborted();
    if (this.#forgot && this.#open.progress.yielded.length) await this.#recall();
    this.#fill(Math.max(depth, 1));
    // `#fill` has requested at least one.
    const { request, response } = this.#pending.shift() as PendingPage;
    const received = await response.catch((error: unknown) => {
      if (!this.#isRefusal(error) || ++this.#refusals > MAX_REFUSALS) throw error;
      const none = { keys: [], ranks: [], known: [], inBlocks: false, count: null };
      const answer = { ...none, request, refused: true };
      this.#step(this.#open, answer, error);
      return undefined;
    });
    if (!received) return this.next(depth);
    this.#refusals = 0;
    const { data: results, response: http } = received;
    const page = this.#take(request, results as Results);
    this.#left -= page.data.length;
    this.#setEnd(page.count);
    if (depth > 0 && this.isWanted) this.#fill(depth);
    return { data: page, response: http };
  }

  /** Reads the keys of records that another process has yielded, and that come again. */
  async #recall(): Promise<void> {
    this.#forgot = false;
    this.#states = this.#states.map((state) => ({
      ...state,
      progress: { ...state.progress, forgot: false },
    }));
    const { yielded, keys, limit, next, range } = this.#open.progress;
    const now = { ...range, read: next, last: keys.at(-1) };
    for (const { last, read, ...blocks } of [...yielded.map((one) => ({ ...one, last: -1 })), now])
      for (let offset = 0; offset < read; ) {
        const request = { ...blocks, offset, limit: Math.min(limit, read) };
        const length = await this.#remember(request, last);
        if (!length || offset + length >= read) break;
        // Pages begin where they did before: none begins beyond a result window.
        offset = Math.min(offset + Math.max(1, length - 1), Math.max(offset + 1, read - limit));
      }
  }

  /** Reads the keys of a page, up to the `last`, if it is there. Returns how many records it holds. */
  async #remember(request: PageRequest, last: number | undefined): Promise<number> {
    const { identity } = this.#list.operation.list;
    const wire = toWire(request, this.#open);
    const { data } = await fetchPage(this.#list, wire, this.#scope.signal);
    const [{ records } = { records: [] }] = listsIn(data as OperationResults<ListOperation>);
    const { keys, checks } = digestsOf(records, identity, this.#seen?.seed);
    const end = keys.indexOf(Number(last)) + 1 || keys.length;
    keys.slice(0, end).forEach((key, at) => {
      this.#seen?.add(key, Number(checks[at]));
    });
    return keys.length;
  }

  /** Whether the server refuses what it would answer at another position. */
  #isRefusal(error: unknown): boolean {
    const isOther = [AuthenticationError, NotFoundError, RateLimitError, ServerError].some(
      (type) => error instanceof type,
    );
    return error instanceof ApiError && !isOther && this.#open.progress.read > 0;
  }

  /** Requests the next page, unless it is in flight, and those after it. */
  #fill(depth: number): void {
    const state = this.#open;
    const request = requestOf(state);
    const [head] = this.#pending;
    // A search needs a current page.
    if (head && (state.at === "search" || !isSame(head.request, request))) {
      this.close();
      this.#scope = this.#createScope();
    }
    if (!this.#pending.length) this.#request(request);
    while (this.#pending.length < depth) {
      const predicted = predict(state, this.#pending.at(-1)?.request ?? request);
      if (!predicted || predicted.offset >= this.#end) return;
      this.#request(predicted);
    }
  }

  #request(request: PageRequest): void {
    const response = fetchPage(this.#list, toWire(request, this.#open), this.#scope.signal);
    // The reader of the page handles its error; that of a dropped page needs no handling.
    response.catch(() => {});
    this.#pending.push({ request, response });
  }

  /** Requests nothing ahead beyond what is wanted, or beyond the end of the list if `count` shows it. */
  #setEnd(count: number | null): void {
    const { next } = this.#open.progress;
    // A count beyond the page can only be that of the list.
    const total = count !== null && count > next ? count : Number.POSITIVE_INFINITY;
    this.#end = Math.min(next + this.#left, total);
  }

  #take(request: PageRequest, results: Results): Results & PageContents<Item, Results> {
    // `Results` are those of the source's own operation, and what is listed in them are its items.
    const lists = listsIn(results as OperationResults<ListOperation>);
    const { list } = this.#list.operation;
    if (lists.length > this.#states.length) this.#states = lists.map(() => ({ ...this.#open }));
    const before = this.#states;
    const { read, wish } = this.#open.progress;
    let left = this.#left;
    const data = lists.flatMap(({ count, records }, index) => {
      const state = before[index];
      // The page may be requested for the other list of A6.
      if (!state || !this.#isOpen(state) || !isSame(requestOf(state), request)) return [];
      const seen = this.#seen;
      const { keys, checks } = digestsOf(records, list.identity, seen?.seed);
      const answer: Answer = {
        ...{ request, count, keys, max: left },
        known: keys.map((key, at) => seen?.has(key, Number(checks[at])) ?? false),
        ranks: records.map((record) => rankOf(record) ?? Number.NaN),
        inBlocks: records.length > 0 && blockOf(records[0] as ListRecord) !== undefined,
      };
      const taken = this.#step(state, answer);
      const fresh = taken.filter((at) => seen?.add(Number(keys[at]), Number(checks[at])) ?? true);
      left -= fresh.length;
      return fresh.map((at) => records[at] as ListRecord);
    });
    const count = lists.reduce<number | null>(
      (sum, one) => (sum === null || one.count === null ? null : sum + one.count),
      0,
    );
    const { ended, cursor } = this;
    const offset = wish.start + read;
    const page = { count, limit: this.#limit, offset, results, cursor, hasNextPage: () => !ended };
    const seen = this.#seen && { keys: this.#seen, size: this.#seen.size };
    return {
      ...results,
      ...page,
      [seenBefore]: seen,
      data: data as readonly ListRecord[] as Item[],
    };
  }

  /** `nextPage()` of the last page requests what comes after the end. */
  #isOpen({ at }: State): boolean {
    return at !== "end" || this.ended;
  }

  /** The indexes of the new records. `error`: thrown if the list cannot be read on. */
  #step(state: State, answer: Answer, error?: unknown): readonly number[] {
    const { call, iteration, operation } = this.#list;
    const { id, name } = operation;
    const { reports, records, state: next } = step(state, answer);
    const { read, wish } = next.progress;
    for (const report of reports) {
      if (report.kind === "shortfall") {
        const { promised, received } = report;
        iteration.onShortfall?.({ operation: id, promised, received });
      } else if (report.kind === "reorganisation") {
        const { deep, shift } = report;
        const position = wish.start + read - records.length;
        iteration.onReorganisation?.({ operation: id, shift, position, deep });
      } else {
        if (error !== undefined) throw error;
        const lines = ["What was read so far is in `records`; `cursor` continues after it."];
        const details = { operation: id, operationName: name, lines };
        throw new ListError(report.reason, failures[report.reason], details);
      }
    }
    this.#states = this.#states.map((one) => (one === state ? next : one));
    const profiles = profilesOf(call);
    profiles.set(id, { ...profiles.get(id), ...next.progress.profile });
    return records;
  }

  /** Aborts the requests in flight. */
  close(): void {
    this.#scope.abort(undefined);
    this.#scope.close();
    this.#pending = [];
  }
}

/** Checks how a list is to be read, and returns the ways to read it. */
export function openList<Item, Results>(source: ListSource, parameters: CheckedInput) {
  const { iteration, operation } = source;
  parseOptions("Invalid iteration options", iterationOptions, iteration, {
    operation: operation.id,
  });
  const { limit, offset = 0, ...query } = parameters.wire as Partial<FetchRange>;
  const list: OpenList = {
    ...source,
    parameters,
    limit: source.limit ?? limit,
    offset,
    startBlock: query.startBlock === undefined ? undefined : Number(query.startBlock),
    endBlock: query.endBlock === undefined ? undefined : Number(query.endBlock),
    name: nameOf(operation, query),
  };
  return {
    readPage: () => readPage<Item, Results>(list),
    readPages: () => readPages<Item, Results>(list),
    split: (parts: number) => splitList(list, parts),
  };
}

/** The operation and its parameters, in a fixed order. */
function nameOf(operation: ListOperation, query: object): string {
  const given = Object.entries(query).map(([key, value]) => `${key}=${value}`);
  return [operation.id, ...given.sort()].join(" ").toLowerCase();
}

/** Reads one page: the first, or the one after a cursor. */
async function readPage<Item, Results>(
  list: OpenList,
): Promise<ResponseWithData<Results & PageContents<Item, Results>>> {
  const reader = new ListReader<Item, Results>(list, limits.default);
  try {
    for (;;) {
      const page = await reader.next(0);
      if (page.data.data.length || reader.ended) return page;
    }
  } finally {
    reader.close();
  }
}

/** Reads all pages, some of them ahead. */
async function* readPages<Item, Results>(
  list: OpenList,
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

/** Cursors of up to `parts` ranges of blocks that together are the list. */
async function splitList(list: OpenList, parts: number): Promise<string[]> {
  const { call, endBlock, operation, startBlock: from = 0 } = list;
  if (!operation.places.query.includes("endBlock") || list.offset)
    return [new ListReader(list, maxLimitOf(operation)).cursor];
  const profiles = profilesOf(call);
  const known = profiles.get(operation.id);
  let isNamed = false;
  const read = async (range: Pick<FetchRange, "startBlock" | "endBlock">) => {
    const { data } = await fetchPage(list, { ...range, limit: 2, offset: 0 });
    const found = listsIn(data).flatMap(({ records }) => records);
    isNamed ||= found.some((record) => blockOf(record) !== undefined);
    return found;
  };
  const newest = await findNewestBlock((startBlock) => read({ startBlock }), BigInt(from));
  if (newest !== undefined && isNamed && !(known?.startBlock && known.endBlock)) {
    // Whether a bound leaves out its own block shows at the newest one.
    const bound = async (range: Parameters<typeof read>[0]) =>
      (await read(range)).some((record) => blockOf(record) === newest) ? "inclusive" : "exclusive";
    const startBlock = await bound({ startBlock: newest });
    const before = startBlock === "inclusive" || newest === 0n ? newest : newest - 1n;
    const endBlock = await bound({ startBlock: before, endBlock: newest });
    profiles.set(operation.id, { ...known, startBlock, endBlock });
  }
  const whole = new ListReader(list, maxLimitOf(operation));
  const to = Math.min(Number(newest ?? from), endBlock ?? Number.MAX_SAFE_INTEGER);
  const count = Math.max(1, Math.min(parts, to - from + 1));
  const size = (to - from + 1) / count;
  const edge = (part: number) => from + Math.round(size * part);
  return Array.from({ length: count }, (_, part) =>
    // The last part has the caller's end: blocks that arrive belong to it.
    whole.cursorOf({
      from: part ? edge(part) : list.startBlock,
      to: part < count - 1 ? edge(part + 1) - 1 : endBlock,
    }),
  );
}
