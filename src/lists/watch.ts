// Watching lists: the records that are new, each once, as they come.
import * as z from "zod/mini";
import { blockNumber } from "../contract/parameters.ts";
import {
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  ParameterError,
  RedirectError,
} from "../errors/index.ts";
import { AbortScope, sleep } from "../http/abort.ts";
import type { Call, RequestOptions } from "../http/call.ts";
import { number, parseOptions, zeroOrMore } from "../http/request-options.ts";
import {
  type ItemOf,
  type ListOperation,
  type ListRecord,
  lastingKeyOf,
  rankOf,
} from "./list-records.ts";
import { type ListInput, paged } from "./paged-request.ts";

/** What a reorganisation did to records that were yielded before. None of them is yielded again. */
export interface ReorganisedRecords<Event> {
  /** The number of the operation in the specification: "A2". */
  readonly operation: string;
  /** No longer on the chain. */
  readonly removed: readonly Event[];
  /** Removed earlier, and on the chain again. */
  readonly returned: readonly Event[];
  /** In another block than before. */
  readonly moved: readonly Event[];
}

/** How to watch. */
export interface WatchOptions<Event> {
  /** Milliseconds between looking twice. @default 10_000 */
  readonly pollInterval?: number | undefined;
  /** The first block to give records of. By default only what comes from now on is given. */
  readonly from?: bigint | number | undefined;
  /**
   * How many blocks behind the newest record are looked at again each time: reorganisations up to this depth lose and
   * repeat nothing. @default 32
   */
  readonly depth?: number | undefined;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
  /** Called when records that were yielded are no longer where they were. */
  readonly onReorganisation?: ((rewritten: ReorganisedRecords<Event>) => void) | undefined;
  /** Called with each error that did not end the iteration; it is tried again after `pollInterval`. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** What is read of a list. */
export interface PollOptions {
  readonly startBlock: bigint;
  readonly limit?: number | undefined;
  readonly onReorganisation?: (() => void) | undefined;
}

/** A list to watch. */
export interface WatchedList<Event> {
  readonly operation: ListOperation;
  /** The list from a block on. */
  list(
    reading: PollOptions,
    signal: AbortSignal,
  ): {
    collect(options?: { max?: number }): Promise<readonly ListRecord[]>;
  };
  /** What a record of it is yielded as. */
  event(record: ListRecord): Event;
}

/** A list operation, to be watched. */
export function watchable<Op extends ListOperation, Event>(
  call: Call,
  operation: Op,
  input: ListInput<Op>,
  options: RequestOptions | undefined,
  event: (record: ItemOf<Op>) => Event,
): WatchedList<Event> {
  return {
    operation,
    list: (reading, signal) =>
      paged(call, operation, { ...input, ...reading }, { ...options, signal }),
    // What the list holds are the operation's items; `Listed` is how paging sees them.
    event: (record) => event(record as ItemOf<Op>),
  };
}

const bounds = /*#__PURE__*/ z.object({
  pollInterval: /*#__PURE__*/ z.optional(zeroOrMore),
  from: /*#__PURE__*/ z.optional(blockNumber),
  depth: /*#__PURE__*/ z.optional(
    /*#__PURE__*/ number(
      "an integer of at least 0",
      (value) => Number.isSafeInteger(value) && value >= 0,
    ),
  ),
});

/** What is known of records that look the same. */
interface KnownRecords {
  records: readonly ListRecord[];
  /** How many there were at most: so many were yielded. */
  most: number;
  gone: boolean;
}

/** More records than this without block numbers, and it is worth finding out which blocks can be left behind. */
const MANY = 1000;
/** How often a list is read again that was reorganised while it was read. */
const READINGS = 5;

const blockOf = ({ block_number }: ListRecord) =>
  typeof block_number === "bigint" ? block_number : undefined;

/** Compares two records by their place on the chain, as far as they tell it. */
function compare(one: ListRecord, other: ListRecord): number {
  for (const place of [rankOf, at("transaction_index"), at("log_index")]) {
    const difference = (place(one) ?? 0) - (place(other) ?? 0);
    if (difference) return difference;
  }
  return 0;
}

const at = (field: string) => (record: ListRecord) => {
  const value = record[field];
  return typeof value === "number" ? value : undefined;
};

/** One list under watch. */
class ListPoller<Event> {
  readonly #watched: WatchedList<Event>;
  readonly #depth: bigint;
  readonly #report: ((rewritten: ReorganisedRecords<Event>) => void) | undefined;
  /** The first block that is looked at; nothing is known before the first look. */
  #floor: bigint | undefined;
  #known = new Map<string, KnownRecords>();
  /** Records may be missing because they are below the floor. */
  #raised = false;
  #descending = true;

  constructor(
    watched: WatchedList<Event>,
    { from, depth = 32, onReorganisation }: WatchOptions<Event>,
  ) {
    this.#watched = watched;
    this.#depth = BigInt(depth);
    this.#report = onReorganisation;
    this.#floor = from === undefined ? undefined : BigInt(from);
  }

  /** What is new since the last look, in chain order. */
  async poll(signal: AbortSignal): Promise<ListRecord[]> {
    if (this.#floor === undefined) {
      const newest = await this.#newest(0n, signal);
      const floor = this.#below(newest ?? 0n);
      this.#note(await this.#read(floor, signal));
      this.#floor = floor;
      return [];
    }
    const fresh = this.#note(await this.#read(this.#floor, signal));
    await this.#raise(signal);
    return fresh;
  }

  event(record: ListRecord): Event {
    return this.#watched.event(record);
  }

  #below(newest: bigint): bigint {
    const floor = newest - this.#depth + 1n;
    return floor > 0n ? floor : 0n;
  }

  /** Everything from a block on, in chain order. */
  async #read(startBlock: bigint, signal: AbortSignal): Promise<readonly ListRecord[]> {
    for (let reading = 1; ; reading++) {
      let disturbed = false;
      const onReorganisation = () => {
        disturbed = true;
      };
      const records = await this.#watched.list({ startBlock, onReorganisation }, signal).collect();
      if (disturbed && reading < READINGS) continue;
      const [first] = records;
      const last = records.at(-1);
      const order = first && last ? compare(first, last) : 0;
      if (order) this.#descending = order > 0;
      return this.#descending ? [...records].reverse() : records;
    }
  }

  /** Compares what is there with what is known, and returns what is new. */
  #note(records: readonly ListRecord[]): ListRecord[] {
    const groups = new Map<string, ListRecord[]>();
    for (const record of records) {
      const key = lastingKeyOf(this.#watched.operation.list, record);
      groups.set(key, [...(groups.get(key) ?? []), record]);
    }
    const known = this.#known;
    const rewritten = {
      removed: [] as ListRecord[],
      returned: [] as ListRecord[],
      moved: [] as ListRecord[],
    };
    for (const [key, before] of known) {
      const now = groups.get(key) ?? [];
      const was = before.gone ? 0 : before.records.length;
      if (this.#raised && !now.length) known.delete(key);
      else if (now.length < was) rewritten.removed.push(...before.records.slice(now.length));
      else if (now.length > was) rewritten.returned.push(...now.slice(was, before.most));
      if (now[0] && was && place(now[0]) !== place(before.records[0]))
        rewritten.moved.push(...now.slice(0, was));
    }
    this.#raised = false;
    const fresh: ListRecord[] = [];
    for (const [key, now] of groups) fresh.push(...now.slice(known.get(key)?.most ?? 0));
    for (const [key, before] of known) before.gone = !groups.has(key);
    for (const [key, now] of groups) {
      const most = Math.max(now.length, known.get(key)?.most ?? 0);
      known.set(key, { records: now, most, gone: false });
    }
    const events = (list: ListRecord[]) => list.map((record) => this.#watched.event(record));
    if (Object.values(rewritten).some((list) => list.length))
      this.#report?.({
        operation: this.#watched.operation.id,
        removed: events(rewritten.removed),
        returned: events(rewritten.returned),
        moved: events(rewritten.moved),
      });
    return fresh.sort(compare);
  }

  /** Leaves blocks behind that are too old to be reorganised. */
  async #raise(signal: AbortSignal): Promise<void> {
    let newest: bigint | undefined;
    for (const { records } of this.#known.values())
      for (const record of records) {
        const block = blockOf(record);
        if (block !== undefined && block > (newest ?? -1n)) newest = block;
      }
    if (newest === undefined && this.#known.size > MANY) {
      newest = await this.#newest(this.#floor ?? 0n, signal);
      this.#raised = true;
    }
    const floor = newest === undefined ? 0n : this.#below(newest);
    if (floor <= (this.#floor ?? 0n)) return;
    this.#floor = floor;
    for (const [key, { records }] of this.#known) {
      const block = records[0] && blockOf(records[0]);
      if (block !== undefined && block < floor) this.#known.delete(key);
    }
  }

  /** The newest block with records, whatever the order of the list and whether or not records tell their block. */
  async #newest(from: bigint, signal: AbortSignal): Promise<bigint | undefined> {
    /** The newest block seen in what there is from a block on. */
    const seen = async (startBlock: bigint) => {
      const records = await this.#watched
        .list({ startBlock, limit: 2 }, signal)
        .collect({ max: 2 });
      return records.reduce<bigint | undefined>((most, record) => {
        const block = blockOf(record) ?? startBlock;
        return most === undefined || block > most ? block : most;
      }, undefined);
    };
    let low = await seen(from);
    if (low === undefined) return undefined;
    let step = 1n;
    let high: bigint | undefined;
    while (high === undefined || high - low > 1n) {
      const probe: bigint = high === undefined ? low + step : (low + high) / 2n;
      const block = await seen(probe);
      if (block === undefined) high = probe;
      else low = block;
      step *= 2n;
    }
    return low;
  }
}

/** The block a record stands in, as well as it tells. */
const place = (record: ListRecord | undefined) =>
  record && String(record.block_hash ?? record.block_number ?? rankOf(record)).toLowerCase();

/** Errors that trying again will not mend. */
const isFinal = (error: unknown) =>
  [ParameterError, AuthenticationError, InvalidRequestError, NotFoundError, RedirectError].some(
    (type) => error instanceof type,
  );

/** The new records of some lists, in chain order; ends when the signal does. */
export async function* watch<Event>(
  lists: readonly WatchedList<Event>[],
  options: WatchOptions<Event>,
): AsyncGenerator<Event, void, undefined> {
  const { pollInterval = 10_000 } = parseOptions("Watching", bounds, options);
  const { signal, onError } = options;
  const sights = lists.map((list) => new ListPoller(list, options));
  const scope = new AbortScope().follow(signal);
  try {
    for (;;) {
      const looks = await Promise.allSettled(sights.map((sight) => sight.poll(scope.signal)));
      if (signal?.aborted) return;
      for (const look of looks)
        if (look.status === "rejected") {
          if (isFinal(look.reason)) throw look.reason;
          onError?.(look.reason);
        }
      const fresh = looks.flatMap((look, index) =>
        look.status === "fulfilled" ? look.value.map((record) => ({ record, index })) : [],
      );
      fresh.sort((one, other) => (rankOf(one.record) ?? 0) - (rankOf(other.record) ?? 0));
      for (const { record, index } of fresh) {
        if (signal?.aborted) return;
        const sight = sights[index];
        if (sight) yield sight.event(record);
      }
      await sleep(pollInterval, scope.signal).catch(() => {});
      if (signal?.aborted) return;
    }
  } finally {
    scope.abort(undefined);
    scope.close();
  }
}
