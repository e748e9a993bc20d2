// The list of a server in memory: blocks arrive and are replaced, and each answer goes through
// the habits of the server.
import { operations } from "../../../src/contract/index.ts";
import { NotFoundError } from "../../../src/errors/index.ts";
import type { Call } from "../../../src/http/call.ts";
import { type ListOperation, type PagedRequest, paged } from "../../../src/lists/paged-request.ts";

export type SimulatedRecord = { readonly block_number: bigint } & Record<string, unknown>;

/**
 * Lists of every kind: with blocks, with records that look the same, without a range of blocks,
 * and with times for blocks.
 */
export type ListId = "A2" | "A5" | "A10" | "L1";
export const listIds: readonly ListId[] = ["A2", "A5", "A10", "L1"];

const numbered = <Value>(length: number, record: (index: number) => Value) =>
  Array.from({ length }, (_, index) => record(index));

/** The records of a block, by their number and by how often blocks were replaced before. */
const mining: Record<ListId, (block: number, size: number, fork: number) => SimulatedRecord[]> = {
  A2: (block, size, fork) =>
    numbered(size, (index) => ({
      block_number: BigInt(block),
      transaction_hash: `${block}:${index}:${fork}`,
    })),
  // A batch: every record of the block looks the same.
  A5: (block, size, fork) =>
    numbered(size, () => ({
      block_number: BigInt(block),
      transaction_hash: `${block}:${fork}`,
      token_address: "0x1",
      sender: "0x0",
      receiver: "0x2",
    })),
  // No block number; several logs in a transaction.
  L1: (block, size, fork) =>
    numbered(size, (index) => ({
      block_number: undefined as unknown as bigint,
      timestamp: new Date(block * 1000),
      transaction_hash: `${block}:${index >> 1}:${fork}`,
      log_index: index,
    })),
  A10: (block) => [{ block_number: BigInt(block), timestamp: new Date(block * 1000) }],
};

/** What a client asks. */
export interface Asked {
  readonly limit: number;
  readonly offset: number;
  readonly startBlock: number | undefined;
  readonly endBlock: number | undefined;
}

export interface Answered {
  readonly count: number | null;
  readonly data: readonly SimulatedRecord[];
}

/** How a server departs from the specification. */
export interface Habit {
  /** The order of its lists; by default oldest first. */
  readonly order?: (records: readonly SimulatedRecord[]) => readonly SimulatedRecord[];
  /** What it makes of the request. */
  readonly asked?: (asked: Asked) => Asked;
  /**
   * What it answers instead of the honest answer, from all records in range; `turn` counts its
   * answers.
   */
  readonly answer?: (
    honest: Answered,
    asked: Asked,
    all: readonly SimulatedRecord[],
    turn: number,
  ) => Answered;
  /**
   * How many changes an answer is late, over and over: another replica. The first answer is up to
   * date.
   */
  readonly lags?: readonly number[];
}

/** What happens before an answer. */
export interface Change {
  /** How many blocks a reorganisation replaces. */
  readonly depth?: number;
  /** The sizes of the blocks that arrive. */
  readonly blocks: readonly number[];
}

export class ListServer {
  readonly id: ListId;
  readonly habits: readonly Habit[];
  readonly blocks: (readonly SimulatedRecord[])[] = [];
  requests = 0;
  /** The furthest position that was answered. */
  furthest = 0;
  /**
   * A reorganisation left no more records than had been read: docs/iteration.md does not promise
   * the rest.
   */
  isCut = false;
  mostInFlight = 0;
  /** What was asked wrongly. */
  readonly complaints: string[] = [];
  /** The largest `limit` that may be asked. */
  limit = Number.POSITIVE_INFINITY;
  /** Called before each answer. */
  before: () => void | Promise<void> = () => {};
  readonly #changes: readonly Change[];
  readonly #past: (typeof this.blocks)[] = [];
  #fork = 0;
  #inFlight = 0;

  /** `changes`: what happens before the second answer, the third, and so on. */
  constructor(
    id: ListId,
    habits: readonly Habit[],
    blocks: readonly number[],
    changes: readonly Change[] = [],
  ) {
    this.id = id;
    this.habits = habits;
    this.#changes = changes;
    this.mine(blocks);
  }

  /** Adds blocks of these sizes, instead of the last `depth`. */
  mine(sizes: readonly number[], depth = 0): void {
    if (depth) this.#fork++;
    this.blocks.length = Math.max(0, this.blocks.length - depth);
    for (const size of sizes)
      this.blocks.push(mining[this.id](this.blocks.length, size, this.#fork));
    if (depth && this.records.length <= this.furthest) this.isCut = true;
  }

  /** The records, oldest first. */
  get records(): SimulatedRecord[] {
    return this.blocks.flat();
  }

  /** The records of blocks that no reorganisation will replace. */
  get lasting(): SimulatedRecord[] {
    let height = this.blocks.length;
    let lowest = height;
    for (const { depth = 0, blocks } of this.#changes) {
      lowest = Math.min(lowest, Math.max(0, height - depth));
      height = Math.max(0, height - depth) + blocks.length;
    }
    return this.blocks.slice(0, lowest).flat();
  }

  answer(given: Asked): Answered {
    const { endBlock = Number.POSITIVE_INFINITY, limit, offset, startBlock = 0 } = given;
    const isWhole = [limit, offset, startBlock].every(Number.isSafeInteger);
    const isInOrder = startBlock >= 0 && startBlock <= endBlock && offset >= 0;
    if (!isWhole || !isInOrder || limit < 1 || limit > this.limit)
      this.complaints.push(JSON.stringify(given));
    const turn = this.requests++;
    const change = turn ? this.#changes[turn - 1] : undefined;
    this.#past.push([...this.blocks]);
    if (change) this.mine(change.blocks, change.depth);
    const lags = this.habits.find((habit) => habit.lags)?.lags ?? [0];
    const lag = turn ? Number(lags[turn % lags.length]) : 0;
    const blocks = (lag && this.#past.at(-lag)) || this.blocks;
    const asked = this.habits.reduce((one, habit) => habit.asked?.(one) ?? one, given);
    const { startBlock: from = 0, endBlock: to = Number.POSITIVE_INFINITY } = asked;
    const inRange = blocks.filter((_, block) => block >= from && block <= to).flat();
    const all = this.habits.reduce<readonly SimulatedRecord[]>(
      (one, habit) => habit.order?.(one) ?? one,
      inRange,
    );
    const timed = (record: SimulatedRecord) =>
      "timestamp" in record
        ? { ...record, timestamp: new Date(this.timeOf(Number(record.timestamp) / 1000) * 1000) }
        : record;
    const data = all.slice(asked.offset, asked.offset + asked.limit).map(timed);
    this.furthest = Math.max(this.furthest, asked.offset + data.length);
    const honest = { count: all.length, data };
    return this.habits.reduce<Answered>(
      (one, habit) => habit.answer?.(one, asked, all, turn) ?? one,
      honest,
    );
  }

  /** How often a block was requested. */
  blockRequests = 0;
  /** The time of a block in seconds. */
  timeOf = (block: number) => block;

  /** The time of a block (B1), as L1 records it. */
  #blockOf(number: number): object {
    this.blockRequests++;
    if (number >= this.blocks.length)
      throw new NotFoundError("Not found", { httpStatus: 404, status: "404" } as never);
    return { block_number: BigInt(number), timestamp: new Date(this.timeOf(number) * 1000) };
  }

  readonly call: Call = async (operation, input, options) => {
    options?.signal?.throwIfAborted();
    if (operation.id === "B1") {
      const { block_number }: { readonly block_number?: unknown } = input;
      return {
        data: { data: this.#blockOf(Number(block_number)) } as never,
        response: new Response(),
      };
    }
    // An iteration that goes in circles would never end.
    if (this.requests > 20_000) throw new Error("The list was requested 20,000 times");
    this.mostInFlight = Math.max(this.mostInFlight, ++this.#inFlight);
    try {
      await this.before();
      await null;
      options?.signal?.throwIfAborted();
      const wire: { readonly [name: string]: unknown } = input;
      const { endBlock, limit = 50, offset = 0, startBlock } = wire;
      const block = (given: unknown) => (given === undefined ? undefined : Number(given));
      const bounds = { startBlock: block(startBlock), endBlock: block(endBlock) };
      const data = this.answer({ limit: Number(limit), offset: Number(offset), ...bounds });
      return { data: data as never, response: new Response() };
    } finally {
      this.#inFlight--;
    }
  };

  read(query: object = {}): PagedRequest<SimulatedRecord> {
    const operation: ListOperation = operations[this.id];
    return paged(this.call, operation, { ...anyAccount(this.id), ...query } as never) as never;
  }
}

const address = `0x${"a".repeat(40)}`;

/** Whose list it is; a server in memory has only one. */
export const anyAccount = (id: ListId): object =>
  id === "L1" ? { address } : { address_hash: address };

const textOf = (record: object): string =>
  JSON.stringify(record, (_, value) => (typeof value === "bigint" ? `${value}` : value));

/** How often each record stands in a list. */
export function tally(records: Iterable<object>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const record of records) counts.set(textOf(record), (counts.get(textOf(record)) ?? 0) + 1);
  return counts;
}

const scrambledRanks = new WeakMap<SimulatedRecord, number>();

function scrambledRank(record: SimulatedRecord): number {
  const known = scrambledRanks.get(record);
  if (known !== undefined) return known;
  const mix = (sum: number, char: string) => Math.imul(sum ^ char.charCodeAt(0), 2654435761) >>> 0;
  const rank = [...textOf(record)].reduce(mix, 7);
  scrambledRanks.set(record, rank);
  return rank;
}

/** A fixed order that blocks do not show. */
export const scrambled = (records: readonly SimulatedRecord[]): SimulatedRecord[] =>
  records.toSorted((one, other) => scrambledRank(one) - scrambledRank(other));
