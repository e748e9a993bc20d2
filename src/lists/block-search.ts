// Finds blocks: the newest block of a list or of the chain, and the last block before a time.
import { operations } from "../contract/index.ts";
import { isExplorerError, NotFoundError } from "../errors/index.ts";
import type { Call, RequestOptions } from "../http/call.ts";
import type { BlockReward } from "../models/block.ts";
import type { Range } from "./position.ts";
import { blockOf, type ListRecord } from "./records.ts";

/** Returns some records at or after a block. */
type ReadFrom = (startBlock: bigint) => Promise<readonly ListRecord[]>;

/**
 * Returns the newest block at or after `from` with records; undefined if there is none. The search
 * starts at `start`, a block that is known to have records.
 */
export async function findNewestBlock(
  read: ReadFrom,
  from: bigint,
  start?: bigint,
): Promise<bigint | undefined> {
  const newestFrom = async (startBlock: bigint) => {
    const records = await read(startBlock);
    return records.reduce<bigint | undefined>((newest, record) => {
      const block = blockOf(record) ?? startBlock;
      return newest === undefined || block > newest ? block : newest;
    }, undefined);
  };
  let low = start ?? (await newestFrom(from));
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

/** Splits a range of blocks into up to `parts` ranges of about the same length. */
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
    // The last part has no upper bound of its own, so that new blocks belong to it.
    to: part < count - 1 ? edge(part + 1) - 1 : end,
  }));
}

/** A block without its response, which no other request may use in Cloudflare Workers. */
interface CachedBlock {
  readonly data: BlockReward;
  readonly number: number;
  readonly time: number;
}

interface FoundBlock extends CachedBlock {
  /** The response; undefined for a cached block. */
  readonly response?: Response;
}

/** Limits the cache, so that a program that runs for months does not fill its memory. */
const MAX_CACHED = 10_000;
/** Each search drops so many newest blocks from the cache, because a reorg may replace them. */
const REPLACEABLE = 100;
/** How far beyond the end of a chain to look for more blocks, because some may be missing. */
const GAPS = [2, 17, 129, 1025];
/** Distances from a missing block at which to look first. */
const NEIGHBOURS = [0, -1, 1];

/** Finds blocks of a chain, and caches the blocks it has read. */
export class BlockSearch {
  readonly #call: Call;
  readonly #cached = new Map<number, CachedBlock>();
  /** The number of the newest block that {@link latest} found last. */
  newestNumber: number | undefined;

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Returns the newest block. Rejects with a {@link NotFoundError} if neither block 0 nor block 1
   * exists.
   */
  async latest(options?: RequestOptions): Promise<FoundBlock> {
    this.#forgetReplaceable();
    const number = this.newestNumber;
    let newest: FoundBlock | undefined;
    if (number !== undefined) {
      newest = await this.#newestAfter(number, [], options);
      // If no block follows, one block may be missing, or the chain may have become shorter.
      if (!newest && (await this.#get(number + 2, options)))
        newest = await this.#newestAfter(number + 1, [], options);
      newest ??= await this.#get(number, options);
    }
    if (!newest) {
      this.#cached.clear();
      const first = await this.first(options);
      newest = (await this.#newestAfter(first.number, GAPS, options)) ?? first;
    }
    this.newestNumber = newest.number;
    return newest;
  }

  /**
   * Returns the newest block after an existing block; undefined if no block follows. Because blocks
   * may be missing, the search goes on if a block exists at one of `distances` beyond its end.
   */
  async #newestAfter(
    start: number,
    distances: readonly number[],
    options: RequestOptions | undefined,
  ): Promise<FoundBlock | undefined> {
    let newest: FoundBlock | undefined;
    const missing = new Set<number>();
    const readBlock = async (number: number): Promise<FoundBlock | undefined> => {
      const block = missing.has(number) ? undefined : await this.#get(number, options);
      if (!block) missing.add(number);
      else if (block.number > (newest?.number ?? start)) newest = block;
      return block;
    };
    for (let isOver = false; !isOver; ) {
      const from = newest?.number ?? start;
      await findNewestBlock(
        async (number) => ((block) => (block ? [block.data] : []))(await readBlock(Number(number))),
        0n,
        BigInt(from),
      );
      const end = newest?.number ?? start;
      isOver = true;
      for (const distance of distances) if (await readBlock(end + distance)) isOver = false;
    }
    return newest;
  }

  #forgetReplaceable(): void {
    for (const number of this.#cached.keys())
      if (number > Number(this.newestNumber) - REPLACEABLE) this.#cached.delete(number);
  }

  /** Returns the last block at or before a time; undefined if the chain began later. */
  async at(time: number, options?: RequestOptions): Promise<FoundBlock | undefined> {
    this.#forgetReplaceable();
    let high = [...this.#cached.values()].find((block) => block.time > time);
    if (!high) {
      high = await this.latest(options);
      if (time >= high.time) return high;
    }
    let low = await this.first(options);
    if (time < low.time) return undefined;
    for (const block of this.#cached.values())
      if (block.time <= time) low = block.number > low.number ? block : low;
      else high = block.number < high.number ? block : high;
    // Interpolates, and bisects after each step that did not halve the distance.
    for (let isUneven = false; high.number - low.number > 1; ) {
      const distance = high.number - low.number;
      const share = isUneven ? 0.5 : (time - low.time) / (high.time - low.time);
      const step = Math.min(distance - 1, Math.max(1, Math.floor(share * distance)));
      const middle = low.number + step;
      const block = await this.#near(middle, low.number, high.number, options);
      if (block) {
        if (block.time <= time) low = block;
        else high = block;
      } else {
        const after = await this.#edge(middle, high, options);
        const before = await this.#edge(middle, low, options);
        if (before.number === low.number && after.number === high.number) break;
        low = after.time <= time ? after : before.time <= time ? before : low;
        high = before.time > time ? before : after.time > time ? after : high;
      }
      isUneven = !isUneven && (high.number - low.number) * 2 > distance;
    }
    return low;
  }

  /** Returns the number of the last block before a time; -1 if the chain began later. */
  async lastBefore(time: number, options?: RequestOptions): Promise<number> {
    return (await this.at(time - 1, options))?.number ?? -1;
  }

  /** Returns block 0, or block 1 if the explorer lacks block 0. */
  async first(options?: RequestOptions): Promise<FoundBlock> {
    const first = (await this.#get(0, options)) ?? (await this.#get(1, options));
    if (first) return first;
    throw new NotFoundError(
      "The explorer has neither block 0 nor block 1, so blocks cannot be found by time: pass their numbers",
      { operation: operations.B1.id, httpStatus: 404, status: "404" },
    );
  }

  /** Returns a block between two numbers, or one of its neighbours; undefined if none exists. */
  async #near(
    number: number,
    low: number,
    high: number,
    options: RequestOptions | undefined,
  ): Promise<FoundBlock | undefined> {
    for (const distance of NEIGHBOURS)
      if (number + distance > low && number + distance < high) {
        const block = await this.#get(number + distance, options);
        if (block) return block;
      }
    return undefined;
  }

  /** Returns the block at the end of a gap, searching towards a block that exists. */
  async #edge(
    missing: number,
    existing: FoundBlock,
    options: RequestOptions | undefined,
  ): Promise<FoundBlock> {
    let [gap, edge] = [missing, existing];
    while (Math.abs(edge.number - gap) > 1) {
      const middle = Math.trunc((gap + edge.number) / 2);
      const block = await this.#get(middle, options);
      if (block) edge = block;
      else gap = middle;
    }
    return edge;
  }

  /** Returns a block; undefined if the explorer does not have it. */
  async #get(number: number, options?: RequestOptions): Promise<FoundBlock | undefined> {
    try {
      return await this.#request(number, options);
    } catch (error) {
      if (isExplorerError(error, "NOT_FOUND")) return undefined;
      throw error;
    }
  }

  async #request(number: number, options?: RequestOptions): Promise<FoundBlock> {
    const cached = this.#cached.get(number);
    if (cached) return cached;
    const { data, response } = await this.#call(operations.B1, { block_number: number }, options);
    const block = { data: data.data, number, time: data.data.timestamp.getTime() };
    if (this.#cached.size >= MAX_CACHED) this.#cached.clear();
    this.#cached.set(number, block);
    return { ...block, response };
  }
}

const searches = new WeakMap<Call, BlockSearch>();

/** Returns the search of a client, which all its methods share so that they share its cache. */
export function searchOf(call: Call): BlockSearch {
  const search = searches.get(call) ?? new BlockSearch(call);
  searches.set(call, search);
  return search;
}
