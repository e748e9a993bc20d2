// A list of a service that misbehaves: each quirk is an option, and by default there is none.
import * as fc from "fast-check";
import { GrowingList, type Habits, mining, type SimulatedRecord } from "./growing-list.ts";

export type ListId = "A2" | "A5" | "A10" | "L1";

export interface Quirks {
  /** How long pages are at most, answer by answer, over and over; the cap of the habits applies too. */
  readonly lengths?: readonly number[];
  /** The largest offset: a larger one brings that page again. 0 ignores `offset`. */
  readonly maxOffset?: number;
  /** Ignores `startBlock` and `endBlock`. */
  readonly ignoresBlocks?: boolean;
  /** Its total is that of all blocks, whichever are asked for. */
  readonly countsAll?: boolean;
  /** Its own maximum `limit`, and what it answers to a larger one. */
  readonly maximum?: { readonly limit: number; readonly beyond: "few" | "nothing" | "error" };
  /** Answers nothing at or behind this position, although it counts on. */
  readonly horizon?: number;
  /** By how many changes each answer is behind, over and over: another replica. The first answer is up to date. */
  readonly lags?: readonly number[];
}

/** What happens before an answer. */
export interface Change {
  /** Blocks that a reorganisation replaces. */
  readonly depth?: number;
  /** The sizes of the blocks that come. */
  readonly blocks: readonly number[];
}

export class QuirkyList extends GrowingList {
  readonly id: ListId;
  readonly quirks: Quirks;
  /** What the iteration sent wrongly. */
  readonly complaints: string[] = [];
  /** The most answers in a row without a record never sent before. */
  longestDrought = 0;
  /** The largest limit that may be asked. */
  limit = 1000;
  readonly #changes: readonly Change[];
  readonly #states: SimulatedRecord[][][] = [];
  readonly #sent = new Set<SimulatedRecord>();
  #turns = 0;
  #answers = 0;
  #drought = 0;
  #fork = 0;

  constructor(
    id: ListId,
    habits: Habits,
    quirks: Quirks,
    blocks: readonly number[],
    changes: readonly Change[],
  ) {
    super(habits);
    this.id = id;
    this.quirks = quirks;
    this.#changes = changes;
    this.#append(blocks);
    this.before = () => this.#change();
  }

  #append(sizes: readonly number[]): void {
    for (const size of sizes)
      this.blocks.push(
        mining[this.id]?.(this.blocks.length, this.id === "A10" ? 1 : size, this.#fork) ?? [],
      );
  }

  #change(): void {
    this.#states.push([...this.blocks] as SimulatedRecord[][]);
    const change = this.#changes[this.#turns++ - 1];
    if (change?.depth) {
      this.#fork++;
      this.blocks.splice(-change.depth);
    }
    this.#append(change?.blocks ?? []);
  }

  /** Blocks that no reorganisation replaces. */
  get lasting(): SimulatedRecord[] {
    let height = this.blocks.length;
    let lowest = height;
    for (const { depth = 0, blocks } of this.#changes) {
      height -= depth;
      lowest = Math.min(lowest, Math.max(height, 0));
      height = Math.max(height, 0) + blocks.length;
    }
    return this.blocks.slice(0, lowest).flat();
  }

  override answer(asked: {
    readonly limit?: number;
    readonly offset?: number;
    readonly startBlock?: bigint;
    readonly endBlock?: bigint;
  }) {
    const { limit = 50, offset = 0, startBlock = 0n, endBlock = 1n << 60n } = asked;
    const { habits } = this;
    const {
      ignoresBlocks,
      lags = [0],
      lengths = [1000],
      maximum,
      horizon = Infinity,
    } = this.quirks;
    if (!Number.isSafeInteger(offset) || offset < 0) this.complaints.push(`offset=${offset}`);
    if (limit < 1 || limit > this.limit) this.complaints.push(`limit=${limit}`);
    if (startBlock < 0n || startBlock > endBlock)
      this.complaints.push(`${startBlock} to ${endBlock}`);
    const answer = this.#answers++;
    if (maximum && limit > maximum.limit && maximum.beyond === "error")
      throw new Error("limit too large");
    const lag = answer === 0 ? 0 : (lags[answer % lags.length] ?? 0);
    const blocks = lag ? (this.#states.at(-lag) ?? this.blocks) : this.blocks;
    const all = (
      ignoresBlocks ? blocks : blocks.slice(Number(startBlock), Number(endBlock) + 1)
    ).flat();
    if (habits.order === "newest first") all.reverse();
    const length = Math.min(limit, habits.cap, lengths[answer % lengths.length] ?? 1000);
    const excess = maximum !== undefined && limit > maximum.limit;
    const allowed = excess
      ? maximum.beyond === "few"
        ? Math.min(length, maximum.limit >> 1 || 1)
        : 0
      : length;
    const begin = Math.min(offset, this.quirks.maxOffset ?? Infinity);
    const data = begin >= horizon ? [] : all.slice(begin, begin + allowed);
    this.#drought = data.some((record) => !this.#sent.has(record)) ? 0 : this.#drought + 1;
    for (const record of data) this.#sent.add(record);
    this.longestDrought = Math.max(this.longestDrought, this.#drought);
    const total = this.quirks.countsAll ? blocks.flat().length : all.length;
    const counts = { total, page: data.length, nonsense: 7, none: null };
    return { count: counts[habits.count], data };
  }

  read(query: object = {}) {
    return this.list(this.id, query);
  }
}

const sizes = (maxLength: number) => fc.array(fc.integer({ min: 0, max: 5 }), { maxLength });

export const anyHabits = fc.record({
  order: fc.constantFrom("newest first" as const, "oldest first" as const),
  count: fc.constantFrom("total" as const, "page" as const, "none" as const),
  cap: fc.oneof(fc.constant(1000), fc.integer({ min: 1, max: 9 })),
});

export const anyReading = fc.record({
  limit: fc.integer({ min: 1, max: 12 }),
  prefetch: fc.constantFrom(0, 0, 3),
});

/** Blocks, few or many of them in the first place. */
export const anyBlocks = sizes(25);

/** Blocks that arrive before the answers. */
export const anyGrowth = fc.array(fc.record({ blocks: sizes(3) }), { maxLength: 12 });

/** One reorganisation, between blocks that arrive. */
export const anyReorganisation = fc
  .tuple(anyGrowth, fc.integer({ min: 1, max: 8 }), sizes(10), anyGrowth)
  .map(([before, depth, blocks, after]): Change[] => [...before, { depth, blocks }, ...after]);

export const anyLengths = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 });

/** Some of the quirks, at once. */
export const anyQuirks = fc.record(
  {
    lengths: anyLengths,
    maxOffset: fc.nat(12),
    ignoresBlocks: fc.boolean(),
    horizon: fc.nat(20),
    lags: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
    maximum: fc.record({
      limit: fc.integer({ min: 1, max: 12 }),
      beyond: fc.constantFrom("few" as const, "nothing" as const, "error" as const),
    }),
  },
  { requiredKeys: [] },
);
