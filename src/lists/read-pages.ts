// Reads the pages of a list in order, some of them ahead; loaded when a list is first read.
import * as z from "zod/mini";
import { limits, type OperationResults } from "../contract/index.ts";
import {
  ApiError,
  AuthenticationError,
  ListError,
  NotFoundError,
  ParameterError,
  RateLimitError,
  ServerError,
} from "../errors/index.ts";
import type { ListErrorReason } from "../errors/unfinished.ts";
import { AbortScope } from "../http/abort.ts";
import type { ResponseWithData } from "../http/call.ts";
import { number, parseOptions } from "../http/request-options.ts";
import { cursorOf, resumedStates } from "./cursor.ts";
import {
  blockOf,
  checkOf,
  identityOf,
  keyOf,
  type ListOperation,
  type ListRecord,
  listsIn,
  maxLimitOf,
  rankOf,
} from "./list-records.ts";
import { predict, requestOf, step, widthOf } from "./machine.ts";
import { findNewestBlock } from "./newest-block.ts";
import { type ListSource, type PageContents, seenBefore } from "./page.ts";
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

/** Throws a {@link ParameterError} that lists every invalid iteration option. */
export function checkIteration({ operation, iteration }: ListSource<unknown>): void {
  const details = { operation: operation.id };
  parseOptions("Invalid iteration options", iterationOptions, iteration, details);
}

/** A page that was requested. */
interface PendingPage<Results> {
  readonly request: PageRequest;
  readonly response: Promise<ResponseWithData<Results>>;
}

const isSame = (one: PageRequest, other: PageRequest) =>
  one.offset === other.offset &&
  one.limit === other.limit &&
  one.from === other.from &&
  one.to === other.to;

/** The wire form of a request, by what the server is known to make of it. */
function toWire({ from, limit, offset, to }: PageRequest, { progress }: State) {
  const block = (bound: number | undefined, by: number) =>
    bound === undefined ? undefined : BigInt(Math.max(0, bound + by));
  return {
    limit,
    offset: progress.profile.offset === "pages" ? offset / limit : offset,
    startBlock: block(from, -widthOf(progress, "from")),
    endBlock: block(to, widthOf(progress, "to")),
  };
}

const failures: Readonly<Record<ListErrorReason, string>> = {
  OFFSET_IGNORED: "The server ignores `offset`: two offsets return the same page",
  RESULT_WINDOW: "The server returns no records after this position",
  NO_PROGRESS:
    "Request after request returned nothing new: the list changes faster than it can be read, or the server repeats its pages",
};

/** A state whose records were yielded elsewhere: all but the last are forgotten. */
function forgetting(state: State): State {
  const { forgot, keys, read, wish } = state.progress;
  if (wish.repeats) return state;
  return { ...state, progress: { ...state.progress, forgot: forgot || read > keys.length } };
}

/** More refusals in a row do not depend on the position: halving a range to one block takes fewer. */
const MAX_REFUSALS = 64;

/** Reads one list: requests pages, and hands out their new records. */
class ListReader<Item, Results> {
  readonly #source: ListSource<Results>;
  readonly #limit: number;
  /** One, or the two of A6; none before the first page. */
  #states: readonly State[];
  /** What was yielded, where keys are unique. */
  readonly #seen: SeenKeys | undefined;
  #pending: PendingPage<Results>[] = [];
  #scope: AbortScope;
  /** Nothing is requested ahead from this position on. */
  #end = Number.POSITIVE_INFINITY;
  #left: number;
  /** How many requests in a row were refused. */
  #refusals = 0;

  constructor(source: ListSource<Results>, defaultLimit: number) {
    const { iteration, operation, range } = source;
    this.#source = source;
    this.#left = iteration.maxItems ?? Number.POSITIVE_INFINITY;
    this.#limit = Math.min(range.limit ?? defaultLimit, Math.max(this.#left, 1));
    const wish = {
      ...{ limit: this.#limit, start: range.offset ?? 0, ahead: (iteration.prefetch ?? 0) > 0 },
      ...{ from: source.blocks.startBlock, to: source.blocks.endBlock },
      blocks: operation.places.query.includes("endBlock"),
      // Token transfers have no log index.
      repeats: operation.list.identity.includes("value"),
    };
    this.#states = resumedStates(source, wish) ?? [begin(wish, source.profiles.get(operation.id))];
    const { seen } = source;
    const isWhole = seen !== undefined && seen.keys.size === seen.size;
    if (!wish.repeats)
      this.#seen = isWhole
        ? seen.keys
        : new SeenKeys(this.#states.flatMap(({ progress }) => progress.keys));
    if (!isWhole) this.#states = this.#states.map(forgetting);
    this.#scope = this.#createScope();
  }

  #createScope(): AbortScope {
    return new AbortScope().follow(this.#source.options.signal);
  }

  get ended(): boolean {
    return this.#states.every(({ at }) => at === "end");
  }

  get isWanted(): boolean {
    return this.#left > 0 && !this.ended;
  }

  get cursor(): string {
    return cursorOf(this.#source, this.#states);
  }

  /** The cursor at the beginning of a part of the list. */
  cursorOf(range: Range): string {
    const states = this.#states.map((state) => ({
      ...state,
      progress: { ...state.progress, range, part: range },
    }));
    return cursorOf(this.#source, states);
  }

  /** The list whose next page is requested. */
  get #open(): State {
    const [first] = this.#states;
    return this.#states.find(({ at }) => at !== "end") ?? (first as State);
  }

  /** The next page that has been requested. */
  async next(depth: number): Promise<ResponseWithData<Results & PageContents<Item, Results>>> {
    this.#source.options.signal?.throwIfAborted();
    this.#fill(Math.max(depth, 1));
    // `#fill` has requested at least one.
    const { request, response } = this.#pending.shift() as PendingPage<Results>;
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
    const page = this.#take(request, results);
    this.#left -= page.data.length;
    this.#setEnd(page.count);
    if (depth > 0 && this.isWanted) this.#fill(depth);
    return { data: page, response: http };
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
    // A search wants a page of now.
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
    const response = this.#source.fetch(toWire(request, this.#open), this.#scope.signal);
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
    const { list } = this.#source.operation;
    if (lists.length > this.#states.length) this.#states = lists.map(() => ({ ...this.#open }));
    const before = this.#states;
    const { read, wish } = this.#open.progress;
    let left = this.#left;
    const data = lists.flatMap(({ count, records }, index) => {
      const state = before[index];
      // The page may be requested for the other list of A6.
      if (!state || !this.#isOpen(state) || !isSame(requestOf(state), request)) return [];
      const identities = records.map((record) => identityOf(list, record));
      const keys = identities.map(keyOf);
      const seen = this.#seen;
      const checks = seen ? identities.map((identity) => checkOf(identity, seen.seed)) : [];
      const answer: Answer = {
        ...{ request, count, max: left, keys },
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

  /** `nextPage()` of the last page requests what is after the end. */
  #isOpen({ at }: State): boolean {
    return at !== "end" || this.ended;
  }

  /** The indexes of the new records. `error`: thrown if the list cannot be read on. */
  #step(state: State, answer: Answer, error?: unknown): readonly number[] {
    const { iteration, operation, profiles } = this.#source;
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

/** Reads one page: the first, or the one after a cursor. */
export async function readPage<Item, Results>(
  source: ListSource<Results>,
): Promise<ResponseWithData<Results & PageContents<Item, Results>>> {
  const reader = new ListReader<Item, Results>(source, limits.default);
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
export async function* readPages<Item, Results>(
  source: ListSource<Results>,
): AsyncGenerator<Results & PageContents<Item, Results>, void, undefined> {
  const reader = new ListReader<Item, Results>(source, maxLimitOf(source.operation));
  try {
    while (reader.isWanted) {
      const { data: page } = await reader.next(source.iteration.prefetch ?? 0);
      if (page.data.length) yield page;
    }
  } finally {
    reader.close();
  }
}

/** Cursors of up to `parts` ranges of blocks that together are the list. */
export async function splitList<Results>(
  source: ListSource<Results>,
  parts: number,
): Promise<string[]> {
  const { blocks, operation, range } = source;
  const whole = new ListReader<unknown, Results>(source, maxLimitOf(operation));
  if (!operation.places.query.includes("endBlock") || range.offset) return [whole.cursor];
  const read = async (startBlock: bigint) => {
    const { data } = await source.fetch({ startBlock, limit: 2, offset: 0 });
    return listsIn(data as OperationResults<ListOperation>).flatMap(({ records }) => records);
  };
  const from = blocks.startBlock ?? 0;
  const newest = await findNewestBlock(read, BigInt(from));
  const to = Math.min(Number(newest ?? from), blocks.endBlock ?? Number.MAX_SAFE_INTEGER);
  const count = Math.max(1, Math.min(parts, to - from + 1));
  const size = (to - from + 1) / count;
  const edge = (part: number) => from + Math.round(size * part);
  return Array.from({ length: count }, (_, part) =>
    // The last part has the caller's end: blocks that arrive belong to it.
    whole.cursorOf({
      from: part ? edge(part) : blocks.startBlock,
      to: part < count - 1 ? edge(part + 1) - 1 : blocks.endBlock,
    }),
  );
}
