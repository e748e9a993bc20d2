// Infers the order of a list from its records, and chooses the blocks to request: without those
// read or arriving.
import type { ReadingOptions } from "./list.ts";
import type { PageRequest, Progress, Range } from "./position.ts";

/**
 * Changes of block in one direction that show the order. Of lists in no order, 1 in 2,000,000 has
 * so many.
 */
const STEPS_OF_ORDER = 9;
/** An offset beyond the end of any list. */
const FAR_OFFSET = 10 ** 9;

/** The first and the last block of a time: several blocks may share it. */
export interface BlocksOfTime {
  readonly first: number;
  readonly last: number;
}

export class BlockWindow {
  readonly #options: ReadingOptions;
  readonly #progress: Progress;
  /** The block or time where blocks were last left out. */
  #narrowedAt: number | null = null;
  /**
   * A time whose blocks must be found before the next request, because records name only their
   * time.
   */
  timeToFind: number | undefined;

  constructor(options: ReadingOptions, progress: Progress) {
    this.#options = options;
    this.#progress = progress;
  }

  /** Returns whether so many changes of block, all in one direction, show the order. */
  isSorted(steps = STEPS_OF_ORDER): boolean {
    return Math.abs(Number(this.#progress.steps)) >= steps;
  }

  /** Whether arriving records come before those that were read. */
  get isNewestFirst(): boolean {
    return this.isSorted() && Number(this.#progress.steps) < 0;
  }

  /**
   * Returns how far a block or time is past the last one in the order of the list; 0 if unknown.
   */
  past(rank = Number.NaN): number {
    const { block, steps } = this.#progress;
    const isKnown = block !== null && this.isSorted();
    return isKnown ? (rank - block) * Math.sign(Number(steps)) || 0 : 0;
  }

  /**
   * Returns whether arriving records move nothing: they are out of range, come later, or there
   * are none.
   */
  isFixed(count: number | null): boolean {
    const { countIsTotal, later, promised, steps } = this.#progress;
    return later !== null || Number(steps) > 0 || (countIsTotal && count === promised);
  }

  /**
   * Notes the block or time of the record at a position. False if it breaks the order that is
   * relied on.
   */
  follow(rank: number, isNew: boolean, position: number): boolean {
    const progress = this.#progress;
    const { block, inBlock, later, recent, steps } = progress;
    if (Number.isNaN(rank)) return true;
    const step = block === null ? 0 : Math.sign(rank - block);
    progress.block = rank;
    if (step) progress.inBlock = 1;
    else if (block === null) progress.inBlock = position ? null : 1;
    else progress.inBlock = inBlock && inBlock + 1;
    if (steps === null || !step || !isNew) return true;
    progress.steps = step * steps < 0 ? null : steps + step;
    const isUnpinned = this.#options.hasEqualRecords && later === null && recent.length > 0;
    return progress.steps !== null || !(this.isNarrow || isUnpinned);
  }

  /** Whether blocks that were read are left out. */
  get isNarrow(): boolean {
    const { later, range } = this.#progress;
    const { from, to } = this.#options;
    return range.from !== from || range.to !== (later === null ? to : later - 1);
  }

  get #takesBlocks(): boolean {
    return this.#options.takesBlocks && this.#progress.blocksWork !== false;
  }

  /** Whether blocks can be read off the records, without finding them by time. */
  get #namesBlocks(): boolean {
    return this.#takesBlocks && this.#options.place === "block";
  }

  /**
   * Blocks without the first record of the list, with which a server that ignores blocks answers.
   */
  get #otherBlocks(): Range {
    const { range, steps } = this.#progress;
    const { to = 0 } = range;
    if (Number(steps) > 0) return { from: to, to };
    return to > 0 ? { to: to - 1 } : { from: to + 1 };
  }

  /**
   * The next request for one record that shows whether the server heeds blocks and `offset`;
   * undefined if there is none. Among records that look the same, pages do not show it.
   */
  get probe(): PageRequest | undefined {
    const { offsetWorks, range, recent, state } = this.#progress;
    const isBegun = state === "reading" && recent.length > 0;
    if (!this.#options.hasEqualRecords || !isBegun) return undefined;
    if (this.#mustProbeBlocks) return { ...this.#otherBlocks, offset: 0, limit: 1 };
    return offsetWorks === null ? { ...range, offset: FAR_OFFSET, limit: 1 } : undefined;
  }

  get #mustProbeBlocks(): boolean {
    const { blocksWork, later } = this.#progress;
    return later !== null && blocksWork === null;
  }

  /**
   * Notes what the answer to {@link probe} shows; its records are in range. False if `offset` is
   * ignored.
   */
  judgeProbe(keys: readonly number[]): boolean {
    const progress = this.#progress;
    if (this.#mustProbeBlocks) progress.blocksWork = true;
    else if (keys.length) return false;
    else progress.offsetWorks = true;
    return true;
  }

  /**
   * Whether so many changes of block, and a known place in the last one, allow to leave out
   * blocks.
   */
  canNarrow(steps = STEPS_OF_ORDER): boolean {
    return this.#takesBlocks && this.isSorted(steps) && this.#progress.inBlock !== null;
  }

  /**
   * Leaves out the blocks that were read to their end, and continues at the first record of the
   * rest. False if nothing shows which they are, or if they are left out already.
   */
  narrow(steps?: number): boolean {
    const { block, range } = this.#progress;
    const edge = Number(this.#progress.steps) > 0 ? "from" : "to";
    if (!this.canNarrow(steps) || this.#narrowedAt === block || range[edge] === block) return false;
    this.#narrowedAt = block;
    if (this.#namesBlocks) this.narrowTo({ first: Number(block), last: Number(block) });
    else this.timeToFind = Number(block);
    return true;
  }

  /** Leaves out the blocks before or after those of the last record. */
  narrowTo({ first, last }: BlocksOfTime): void {
    const { inBlock, range, steps } = this.#progress;
    const edge = Number(steps) > 0 ? { from: first } : { to: last };
    this.timeToFind = undefined;
    this.moveTo({ ...range, ...edge }, Number(inBlock));
  }

  /**
   * Continues in the last block, from its first record or from the first whose key is known.
   * False if it is unknown which records belong to it.
   */
  returnToBlock(): boolean {
    const { block, inBlock, range, recent, steps } = this.#progress;
    if (!this.#namesBlocks || block === null || !inBlock || steps === null) return false;
    const edge = steps > 0 ? "from" : "to";
    this.moveTo({ ...range, [edge]: block }, Math.max(0, inBlock - recent.length));
    return true;
  }

  /** Continues in these blocks, at a position. */
  moveTo(range: Range, next: number): void {
    Object.assign(this.#progress, { state: "reading", range, next, countOfRange: null });
  }

  /** The position of the first record of the range that is wanted. */
  get lowest(): number {
    return this.isNarrow ? 0 : this.#options.offset;
  }

  /** Leaves blocks after those of the first page for later, so that arriving ones move nothing. */
  pin(ranks: readonly number[]): void {
    const progress = this.#progress;
    const isOldestFirst = this.isSorted() && !this.isNewestFirst;
    if (!this.#namesBlocks || progress.later !== null || this.#options.offset || isOldestFirst)
      return;
    const to = Math.max(0, ...ranks.filter((rank) => rank > 0));
    progress.later = to + 1;
    this.moveTo({ ...progress.range, to }, progress.next);
  }

  /** Reads the whole list by `offset` alone, because the server ignores blocks. */
  widen(): void {
    const { from, offset, to } = this.#options;
    Object.assign(this.#progress, { blocksWork: false, later: null });
    this.moveTo({ from, to }, offset + this.#progress.received);
  }
}
