// Finds blocks: the newest of a list or of the chain, and the last one before a time.
import { operations } from "../contract/index.ts";
import { isExplorerError } from "../errors/index.ts";
import type { Call, RequestOptions, ResponseWithData } from "../http/call.ts";
import type { BlockReward } from "../models/block.ts";
import type { Range } from "./position.ts";
import { blockOf, type ListRecord } from "./records.ts";

/** Returns some records from a block on. */
type ReadFrom = (startBlock: bigint) => Promise<readonly ListRecord[]>;

/**
 * Returns the newest block that `read` has records of, from a block on; undefined if there is
 * none.
 */
export async function findNewestBlock(
  read: ReadFrom,
  from: bigint,
  known?: bigint,
): Promise<bigint | undefined> {
  /** The newest block among some records from a block on. */
  const newestFrom = async (startBlock: bigint) => {
    const records = await read(startBlock);
    return records.reduce<bigint | undefined>((newest, record) => {
      const block = blockOf(record) ?? startBlock;
      return newest === undefined || block > newest ? block : newest;
    }, undefined);
  };
  let low = known ?? (await newestFrom(from));
  if (low === undefined) return undefined;
  let high: bigint | undefined;
  // Doubles the step until there are no records, then bisects.
  for (let step = 1n; high === undefined || high - low > 1n; step *= 2n) {
    const middle: bigint = high === undefined ? low + step : (low + high) / 2n;
    const newest = await newestFrom(middle);
    if (newest === undefined) high = middle;
    else low = newest;
  }
  return low;
}

/** Returns up to `parts` ranges of blocks that together are `whole`. */
export async function splitBlocks(
  read: (startBlock: number) => Promise<readonly ListRecord[]>,
  { from: start, to: end }: Range,
  parts: number,
): Promise<Range[]> {
  const [from, last] = [start ?? 0, end ?? Number.MAX_SAFE_INTEGER];
  const newest = await findNewestBlock(
    async (block) => (block > last ? [] : read(Number(block))),
    BigInt(from),
  );
  const to = Math.min(Number(newest ?? from), last);
  const count = Math.max(1, Math.min(parts, to - from + 1));
  const edge = (part: number) => from + Math.round(((to - from + 1) / count) * part);
  return Array.from({ length: count }, (_, part) => ({
    from: part ? edge(part) : start,
    // Blocks that arrive belong to the last part.
    to: part < count - 1 ? edge(part + 1) - 1 : end,
  }));
}

/** A block that was requested before. */
interface KnownBlock extends ResponseWithData<BlockReward> {
  readonly number: number;
  readonly time: number;
}

/**
 * How many blocks a client remembers, so that a program that runs for months does not fill its
 * memory.
 */
const MAX_KNOWN = 10_000;
/**
 * How many of the newest blocks are requested again by each search, because a reorganisation may
 * have replaced them.
 */
const REPLACEABLE = 100;
/** How far to look around a block that is missing although later ones exist. */
const MAX_GAP = 16;

/** Finds blocks of a chain, and remembers those it has seen. */
export class BlockSearch {
  readonly #call: Call;
  readonly #known = new Map<number, KnownBlock>();
  #newest: KnownBlock | undefined;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Returns the newest block. Rejects with a {@link NotFoundError} if neither block 0 nor block 1
   * exists.
   */
  async latest(options?: RequestOptions): Promise<KnownBlock> {
    this.#forgetReplaceable();
    const read: { newest: KnownBlock | undefined } = { newest: undefined };
    const readFrom: ReadFrom = async (number) => {
      const block = await this.#get(Number(number), options);
      if (block) read.newest = block;
      return block ? [block.data] : [];
    };
    if (this.#newest) {
      const { number } = this.#newest;
      await findNewestBlock(readFrom, 0n, BigInt(number));
      // If no block follows, the chain may have become shorter.
      read.newest ??= await this.#get(number, options);
    }
    if (!read.newest) {
      this.#known.clear();
      read.newest = await this.first(options);
      await findNewestBlock(readFrom, 0n, BigInt(read.newest.number));
    }
    this.#newest = read.newest;
    return read.newest;
  }

  #forgetReplaceable(): void {
    for (const number of this.#known.keys())
      if (number > Number(this.#newest?.number) - REPLACEABLE) this.#known.delete(number);
  }

  /** Returns the last block at or before a time; undefined if the chain began later. */
  async at(time: number, options?: RequestOptions): Promise<KnownBlock | undefined> {
    this.#forgetReplaceable();
    let high = [...this.#known.values()].find((block) => block.time > time);
    if (!high) {
      high = await this.latest(options);
      if (time >= high.time) return high;
    }
    let low = await this.first(options);
    if (time < low.time) return undefined;
    for (const block of this.#known.values())
      if (block.time <= time) low = block.number > low.number ? block : low;
      else high = block.number < high.number ? block : high;
    // Interpolates, and bisects after each step that did not halve the distance.
    for (let isUneven = false; high.number - low.number > 1; ) {
      const distance = high.number - low.number;
      const share = isUneven ? 0.5 : (time - low.time) / (high.time - low.time);
      const step = Math.min(distance - 1, Math.max(1, Math.floor(share * distance)));
      const block = await this.#near(low.number + step, low.number, high.number, options);
      if (!block) break;
      if (block.time <= time) low = block;
      else high = block;
      isUneven = !isUneven && (high.number - low.number) * 2 > distance;
    }
    return low;
  }

  /** Returns the number of the last block before a time; -1 if the chain began later. */
  async lastBefore(time: number, options?: RequestOptions): Promise<number> {
    return (await this.at(time - 1, options))?.number ?? -1;
  }

  /** The number of the newest block that was seen. */
  get newestNumber(): number | undefined {
    return this.#newest?.number;
  }

  /** Returns block 0, or block 1 of an explorer that does not have the other. */
  async first(options?: RequestOptions): Promise<KnownBlock> {
    return (await this.#get(0, options)) ?? (await this.#request(1, options));
  }

  /**
   * Returns the block closest to a number, between two others; undefined if none of its
   * neighbours exists.
   */
  async #near(
    number: number,
    low: number,
    high: number,
    options: RequestOptions | undefined,
  ): Promise<KnownBlock | undefined> {
    for (let gap = 0; gap <= MAX_GAP; gap++)
      for (const neighbour of gap ? [number - gap, number + gap] : [number])
        if (neighbour > low && neighbour < high) {
          const block = await this.#get(neighbour, options);
          if (block) return block;
        }
    return undefined;
  }

  /** Returns a block; undefined if the explorer does not have it. */
  async #get(number: number, options?: RequestOptions): Promise<KnownBlock | undefined> {
    try {
      return await this.#request(number, options);
    } catch (error) {
      if (isExplorerError(error, "NOT_FOUND")) return undefined;
      throw error;
    }
  }

  async #request(number: number, options?: RequestOptions): Promise<KnownBlock> {
    const cached = this.#known.get(number);
    if (cached) return cached;
    const { data, response } = await this.#call(operations.B1, { block_number: number }, options);
    const block = { data: data.data, response, number, time: data.data.timestamp.getTime() };
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(number, block);
    return block;
  }
}

const searches = new WeakMap<Call, BlockSearch>();

/** Returns the search of a client: what one method has found, the others need not request. */
export function searchOf(call: Call): BlockSearch {
  const search = searches.get(call) ?? new BlockSearch(call);
  searches.set(call, search);
  return search;
}
