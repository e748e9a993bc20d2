// A list of a server in memory: blocks arrive and are replaced, and each answer goes through the habits of the server.

import { operations } from "../../../src/contract/index.ts";
import type { Call } from "../../../src/http/call.ts";
import { type PagedRequest, paged } from "../../../src/lists/paged-request.ts";
import {
  anyAccount,
  type ListId,
  mining,
  type SimulatedRecord,
  wireOf,
} from "../lists/growing-list.ts";

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

/** How a server departs from the specification: it sees what is asked, the records in its order, and the honest answer. */
export interface Habit {
  /** What the server makes of the request. */
  readonly asked?: (asked: Asked) => Asked;
  /** The order of its lists. */
  readonly order?: (records: SimulatedRecord[]) => SimulatedRecord[];
  /** What it answers instead. */
  readonly answer?: (
    honest: Answered,
    asked: Asked,
    all: readonly SimulatedRecord[],
    turn: number,
  ) => Answered;
}

/** What happens before an answer. */
export interface Change {
  /** Blocks that a reorganisation replaces. */
  readonly depth?: number;
  /** The sizes of the blocks that arrive. */
  readonly blocks: readonly number[];
}

const keyed = (record: SimulatedRecord) =>
  `${record.transaction_hash ?? ""}/${record.log_index ?? ""}/${record.block_number ?? ""}`;

export class ListServer {
  readonly id: ListId;
  readonly habits: readonly Habit[];
  readonly #changes: readonly Change[];
  #blocks: SimulatedRecord[][] = [];
  #fork = 0;
  requests = 0;
  /** What was asked wrongly. */
  readonly complaints: string[] = [];

  constructor(
    id: ListId,
    habits: readonly Habit[],
    blocks: readonly number[],
    changes: readonly Change[] = [],
  ) {
    this.id = id;
    this.habits = habits;
    this.#changes = changes;
    this.#append(blocks);
  }

  #append(sizes: readonly number[]): void {
    for (const size of sizes)
      this.#blocks.push(
        mining[this.id]?.(this.#blocks.length, this.id === "A10" ? 1 : size, this.#fork) ?? [],
      );
  }

  get records(): SimulatedRecord[] {
    return this.#blocks.flat();
  }

  /** The records of blocks that no reorganisation replaces. */
  get lasting(): SimulatedRecord[] {
    let height = this.#blocks.length;
    let lowest = height;
    for (const { depth = 0, blocks } of this.#changes) {
      height = Math.max(0, height - depth);
      lowest = Math.min(lowest, height);
      height += blocks.length;
    }
    return this.#blocks.slice(0, lowest).flat();
  }

  answer(given: Asked): Answered {
    const { limit, offset, startBlock = 0, endBlock = Number.POSITIVE_INFINITY } = given;
    if (
      limit < 1 ||
      offset < 0 ||
      !Number.isInteger(offset) ||
      startBlock > endBlock ||
      startBlock < 0
    )
      this.complaints.push(JSON.stringify(given));
    const turn = this.requests++;
    const change = turn ? this.#changes[turn - 1] : undefined;
    if (change?.depth) {
      this.#fork++;
      this.#blocks = this.#blocks.slice(0, -change.depth);
    }
    this.#append(change?.blocks ?? []);
    const asked = this.habits.reduce((one, habit) => habit.asked?.(one) ?? one, given);
    const from = asked.startBlock ?? 0;
    const to = asked.endBlock ?? Number.POSITIVE_INFINITY;
    const inRange = this.#blocks.filter((_, block) => block >= from && block <= to).flat();
    const all = this.habits.reduce((one, habit) => habit.order?.(one) ?? one, inRange);
    const data = all.slice(asked.offset, asked.offset + asked.limit);
    return this.habits.reduce<Answered>(
      (one, habit) => habit.answer?.(one, asked, all, turn) ?? one,
      { count: all.length, data },
    );
  }

  readonly call: Call = async (_, input, options) => {
    options?.signal?.throwIfAborted();
    // An iteration that goes in circles would never end.
    if (this.requests > 20_000) throw new Error("The list was requested 20,000 times");
    await null;
    const {
      limit = 50,
      offset = 0,
      startBlock,
      endBlock,
    }: Partial<Record<string, number>> = wireOf(input);
    const block = (given: unknown) => (given === undefined ? undefined : Number(given));
    const asked = { limit, offset, startBlock: block(startBlock), endBlock: block(endBlock) };
    return { data: this.answer(asked) as never, response: new Response() };
  };

  read(query: object = {}): PagedRequest<SimulatedRecord> {
    const input = { ...anyAccount(this.id), ...query };
    return paged(this.call, operations[this.id], input as never) as never;
  }
}

/** A fixed order that blocks do not show. */
export const scrambled = (records: SimulatedRecord[]): SimulatedRecord[] => {
  const rank = (record: SimulatedRecord) =>
    [...keyed(record)].reduce(
      (sum, char) => Math.imul(sum ^ char.charCodeAt(0), 2654435761) >>> 0,
      7,
    );
  return [...records].sort((one, other) => rank(one) - rank(other));
};
