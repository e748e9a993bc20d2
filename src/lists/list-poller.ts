// Polls one list: reads its last blocks again, and finds records that are new, gone, back or moved.
import { findNewestBlock } from "./block-search.ts";
import { blockOf, type ListOperation, type ListRecord, lastingKeyOf, rankOf } from "./records.ts";

/** Records that a reorganisation changed after they were yielded. They are not yielded again. */
export interface ReorganisedRecords<Event> {
  /** The number of the operation in the API's documentation: "A2". */
  readonly operation: string;
  /** Records that are no longer on the chain. */
  readonly removed: readonly Event[];
  /** Records that were removed earlier, and are on the chain again. */
  readonly returned: readonly Event[];
  /** Records that are in another block than before. */
  readonly moved: readonly Event[];
}

/** The result of a poll. */
interface Poll<Event> {
  /** The records that are new since the last poll, in chain order. */
  readonly added: readonly ListRecord[];
  readonly reorganised: ReorganisedRecords<Event> | undefined;
}

/** The part of a list to read. */
export interface PollOptions {
  readonly startBlock: bigint;
  readonly limit?: number | undefined;
  readonly onReorganisation?: (() => void) | undefined;
}

/** A list to watch. */
export interface WatchedList<Event> {
  readonly operation: ListOperation;
  /** Returns the list from a block on. */
  list(
    options: PollOptions,
    signal: AbortSignal,
  ): { collect(options?: { max?: number }): Promise<readonly ListRecord[]> };
  /** Makes the event that the watch yields for a record. */
  event(record: ListRecord): Event;
}

interface PollerOptions {
  readonly from: bigint | undefined;
  readonly depth: number;
}

/** The records that share a key. */
interface RecordGroup {
  /** The records of the last poll. */
  readonly records: readonly ListRecord[];
  /** How many were yielded: the most that the list ever had at once. */
  readonly yielded: number;
}

/** With more records than this, a list without block numbers gets a later start block. */
const MAX_WITHOUT_BLOCK = 1000;
/** How many keys of older blocks to remember, in case the chain becomes shorter. */
const MAX_FORGOTTEN = 10_000;
const hasRecords = ({ records }: RecordGroup): boolean => records.length > 0;
/** How often to read a list that keeps being reorganised while it is read. */
const MAX_READS = 5;

export class ListPoller<Event> {
  readonly #watched: WatchedList<Event>;
  readonly #depth: bigint;
  /**
   * The first block to read; undefined before the first successful poll if only new records are
   * wanted.
   */
  #startBlock: bigint | undefined;
  readonly #known = new Map<number, RecordGroup>();
  /** How many records of each key were yielded, for blocks that are no longer read. */
  readonly #forgotten = new Map<number, number>();
  /** Whether the start block was just raised, so that missing records may only be before it. */
  #leftBehind = false;
  #newestFirst = true;

  constructor(watched: WatchedList<Event>, { from, depth }: PollerOptions) {
    this.#watched = watched;
    this.#depth = BigInt(depth);
    this.#startBlock = from;
  }

  /** Returns the records since the last poll, and the records that a reorganisation changed. */
  async poll(signal: AbortSignal): Promise<Poll<Event>> {
    await this.#raiseStartBlock(signal);
    const startBlock = this.#startBlock;
    if (startBlock === undefined) return this.#update(await this.#begin(signal));
    const records = await this.#read(startBlock, signal);
    const isGone = records.length === 0 && [...this.#known.values()].some(hasRecords);
    return this.#update(isGone ? await this.#beginAgain(startBlock, signal) : records);
  }

  /** Reads from an earlier block if the chain has become shorter than the start block. */
  async #beginAgain(startBlock: bigint, signal: AbortSignal): Promise<readonly ListRecord[]> {
    const newest = await this.#newestBlock(0n, signal);
    if (newest !== undefined && newest >= startBlock) return [];
    this.#startBlock = this.#startBlockFor(newest ?? 0n, this.#depth || 1n);
    return newest === undefined ? [] : this.#read(this.#startBlock, signal);
  }

  event(record: ListRecord): Event {
    return this.#watched.event(record);
  }

  /** Reads the first poll, and remembers the records up to the newest block, which are not new. */
  async #begin(signal: AbortSignal): Promise<readonly ListRecord[]> {
    const head = await this.#newestBlock(0n, signal);
    const startBlock = this.#startBlockFor(head ?? 0n, this.#depth || 1n);
    const records = await this.#read(startBlock, signal);
    if (head !== undefined) this.#update(records.filter((item) => (blockOf(item) ?? head) <= head));
    this.#startBlock = startBlock;
    return records;
  }

  #startBlockFor(newest: bigint, depth: bigint): bigint {
    const block = newest - depth + 1n;
    return block > 0n ? block : 0n;
  }

  #newestBlock(from: bigint, signal: AbortSignal): Promise<bigint | undefined> {
    const readFrom = (startBlock: bigint) =>
      this.#watched.list({ startBlock, limit: 2 }, signal).collect({ max: 2 });
    return findNewestBlock(readFrom, from);
  }

  /** Reads all records from a block on, in chain order. */
  async #read(startBlock: bigint, signal: AbortSignal): Promise<readonly ListRecord[]> {
    for (let reads = 1; ; reads++) {
      let reorganised = false;
      const onReorganisation = () => {
        reorganised = true;
      };
      const records = await this.#watched.list({ startBlock, onReorganisation }, signal).collect();
      if (reorganised && reads < MAX_READS) continue;
      const [first] = records;
      const last = records.at(-1);
      const order = first && last ? compareRecords(first, last) : 0;
      if (order) this.#newestFirst = order > 0;
      return this.#newestFirst ? [...records].reverse() : records;
    }
  }

  /** Compares the records with those of the last poll. */
  #update(records: readonly ListRecord[]): Poll<Event> {
    const { id, list } = this.#watched.operation;
    const groups = new Map<number, ListRecord[]>();
    for (const record of records) {
      const key = lastingKeyOf(list, record);
      groups.set(key, [...(groups.get(key) ?? []), record]);
    }
    const added: ListRecord[] = [];
    const removed: Event[] = [];
    const returned: Event[] = [];
    const moved: Event[] = [];
    const events = (changed: readonly ListRecord[]) => changed.map((record) => this.event(record));
    for (const key of new Set([...this.#known.keys(), ...groups.keys()])) {
      const now = groups.get(key) ?? [];
      const yieldedBefore = this.#forgotten.get(key) ?? 0;
      const unseen = { records: now.slice(0, yieldedBefore), yielded: yieldedBefore };
      const { records: before, yielded } = this.#known.get(key) ?? unseen;
      const isLeftBehind = this.#leftBehind && !now.length;
      added.push(...now.slice(yielded));
      returned.push(...events(now.slice(before.length, yielded)));
      if (!isLeftBehind) removed.push(...events(before.slice(now.length)));
      if (now[0] && before[0] && blockIdOf(now[0]) !== blockIdOf(before[0]))
        moved.push(...events(now.slice(0, before.length)));
      if (isLeftBehind) this.#known.delete(key);
      else this.#known.set(key, { records: now, yielded: Math.max(now.length, yielded) });
    }
    this.#leftBehind = false;
    const isReorganised = removed.length + returned.length + moved.length > 0;
    const reorganised = isReorganised ? { operation: id, removed, returned, moved } : undefined;
    return { added: added.sort(compareRecords), reorganised };
  }

  /** Stops reading blocks that are too deep to be reorganised. */
  async #raiseStartBlock(signal: AbortSignal): Promise<void> {
    let newest: bigint | undefined;
    for (const { records } of this.#known.values())
      for (const record of records) {
        const block = blockOf(record);
        if (block !== undefined && block > (newest ?? -1n)) newest = block;
      }
    if (newest === undefined && this.#known.size > MAX_WITHOUT_BLOCK) {
      newest = await this.#newestBlock(this.#startBlock ?? 0n, signal);
      this.#leftBehind = true;
    }
    const startBlock = newest === undefined ? 0n : this.#startBlockFor(newest, this.#depth);
    if (startBlock <= (this.#startBlock ?? 0n)) return;
    this.#startBlock = startBlock;
    for (const [key, { records, yielded }] of this.#known) {
      const block = records[0] && blockOf(records[0]);
      if (block === undefined || block >= startBlock) continue;
      this.#known.delete(key);
      this.#forgotten.set(key, yielded);
    }
    for (const key of this.#forgotten.keys())
      if (this.#forgotten.size > MAX_FORGOTTEN) this.#forgotten.delete(key);
  }
}

/** Compares two records by their positions in the chain, as far as the records name them. */
function compareRecords(left: ListRecord, right: ListRecord): number {
  for (const position of [rankOf, numberIn("transaction_index"), numberIn("log_index")]) {
    const difference = (position(left) ?? 0) - (position(right) ?? 0);
    if (difference) return difference;
  }
  return 0;
}

const numberIn = (field: string) => (record: ListRecord) => {
  const value = record[field];
  return typeof value === "number" ? value : undefined;
};

/** Identifies the block of a record as precisely as the record allows. */
const blockIdOf = (record: ListRecord | undefined) =>
  record && String(record.block_hash ?? record.block_number ?? rankOf(record)).toLowerCase();
