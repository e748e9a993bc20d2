// Polls one list: reads its last blocks again, and finds what is new, gone, back or moved.
import {
  blockOf,
  type ListOperation,
  type ListRecord,
  lastingKeyOf,
  rankOf,
} from "./list-records.ts";
import { findNewestBlock } from "./newest-block.ts";

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

type Changes = Omit<ReorganisedRecords<ListRecord>, "operation">;

/** What a poll found. */
interface Poll<Event> {
  /** The records that are new since the last poll, in chain order. */
  readonly added: readonly ListRecord[];
  readonly reorganised: ReorganisedRecords<Event> | undefined;
}

/** What to read of a list. */
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
    options: PollOptions,
    signal: AbortSignal,
  ): { collect(options?: { max?: number }): Promise<readonly ListRecord[]> };
  /** Turns a record into what the watcher yields. */
  event(record: ListRecord): Event;
}

interface PollerOptions {
  readonly from: bigint | undefined;
  readonly depth: number;
}

/** The records with one key. */
interface KnownRecords {
  records: readonly ListRecord[];
  /** How many of them were yielded: as many as the list ever had at once. */
  yielded: number;
  gone: boolean;
}

/** Up to this many records without block numbers are all read again. */
const MAX_WITHOUT_BLOCK = 1000;
/** Maximum attempts to read a list that is reorganised while it is read. */
const MAX_READS = 5;

export class ListPoller<Event> {
  readonly #watched: WatchedList<Event>;
  readonly #depth: bigint;
  /** The first block to read; undefined before the first successful poll if only new records are wanted. */
  #startBlock: bigint | undefined;
  #known = new Map<number, KnownRecords>();
  /** Records may be missing because they are before a start block that has just been raised. */
  #leftBehind = false;
  #newestFirst = true;

  constructor(watched: WatchedList<Event>, { from, depth }: PollerOptions) {
    this.#watched = watched;
    this.#depth = BigInt(depth);
    this.#startBlock = from;
  }

  /** What is new since the last poll, and what a reorganisation did. */
  async poll(signal: AbortSignal): Promise<Poll<Event>> {
    await this.#raiseStartBlock(signal);
    const startBlock = this.#startBlock;
    return this.#update(
      startBlock === undefined ? await this.#begin(signal) : await this.#read(startBlock, signal),
    );
  }

  event(record: ListRecord): Event {
    return this.#watched.event(record);
  }

  /** The records of the first successful poll; remembers those up to the newest block, which are not new, and sets the start block. */
  async #begin(signal: AbortSignal): Promise<readonly ListRecord[]> {
    const head = await this.#newestBlock(0n, signal);
    const startBlock = this.#startBlockFor(head ?? 0n, this.#depth || 1n);
    const records = await this.#read(startBlock, signal);
    if (head !== undefined) this.#update(records.filter((one) => (blockOf(one) ?? head) <= head));
    this.#startBlock = startBlock;
    return records;
  }

  #startBlockFor(newest: bigint, depth: bigint): bigint {
    const block = newest - depth + 1n;
    return block > 0n ? block : 0n;
  }

  #newestBlock(from: bigint, signal: AbortSignal): Promise<bigint | undefined> {
    const read = (startBlock: bigint) =>
      this.#watched.list({ startBlock, limit: 2 }, signal).collect({ max: 2 });
    return findNewestBlock(read, from);
  }

  /** Everything from a block on, in chain order. */
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

  /** Compares the records with the known ones. */
  #update(records: readonly ListRecord[]): Poll<Event> {
    const groups = new Map<number, ListRecord[]>();
    for (const record of records) {
      const key = lastingKeyOf(this.#watched.operation.list, record);
      groups.set(key, [...(groups.get(key) ?? []), record]);
    }
    const changes = this.#compare(groups);
    const known = this.#known;
    const added: ListRecord[] = [];
    for (const [key, before] of known) before.gone = !groups.has(key);
    for (const [key, now] of groups) {
      const yielded = known.get(key)?.yielded ?? 0;
      added.push(...now.slice(yielded));
      known.set(key, { records: now, yielded: Math.max(now.length, yielded), gone: false });
    }
    return { added: added.sort(compareRecords), reorganised: this.#report(changes) };
  }

  /** Known records that are gone, back or moved. */
  #compare(groups: ReadonlyMap<number, readonly ListRecord[]>): Changes {
    const removed: ListRecord[] = [];
    const returned: ListRecord[] = [];
    const moved: ListRecord[] = [];
    for (const [key, before] of this.#known) {
      const now = groups.get(key) ?? [];
      const count = before.gone ? 0 : before.records.length;
      if (this.#leftBehind && !now.length) this.#known.delete(key);
      else if (now.length < count) removed.push(...before.records.slice(now.length));
      else if (now.length > count) returned.push(...now.slice(count, before.yielded));
      if (now[0] && count && blockIdOf(now[0]) !== blockIdOf(before.records[0]))
        moved.push(...now.slice(0, count));
    }
    this.#leftBehind = false;
    return { removed, returned, moved };
  }

  #report({ removed, returned, moved }: Changes): ReorganisedRecords<Event> | undefined {
    if (!removed.length && !returned.length && !moved.length) return undefined;
    const events = (records: readonly ListRecord[]) => records.map((record) => this.event(record));
    return {
      operation: this.#watched.operation.id,
      removed: events(removed),
      returned: events(returned),
      moved: events(moved),
    };
  }

  /** Forgets blocks that are too deep to be reorganised. */
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
    for (const [key, { records }] of this.#known) {
      const block = records[0] && blockOf(records[0]);
      if (block !== undefined && block < startBlock) this.#known.delete(key);
    }
  }
}

/** Compares two records by the positions in the chain that they name. */
function compareRecords(one: ListRecord, other: ListRecord): number {
  for (const position of [rankOf, numberIn("transaction_index"), numberIn("log_index")]) {
    const difference = (position(one) ?? 0) - (position(other) ?? 0);
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
