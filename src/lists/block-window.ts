// Infers the order of a list from its records, and chooses the blocks to request: it leaves out
// blocks that were read, and new blocks that would move records.
import type { ReadingOptions } from "./list.ts";
import type { PageRequest, Progress, Range } from "./position.ts";

/**
 * Changes of block in one direction that prove an order. Only 1 in 2,000,000 unordered lists has so
 * many by chance.
 */
const STEPS_OF_ORDER = 9;
/** An offset beyond the end of any list. */
const FAR_OFFSET = 10 ** 9;

/** The first and the last block with a timestamp, which several blocks may share. */
export interface BlocksOfTime {
  readonly first: number;
  readonly last: number;
}

export class BlockWindow {
  readonly #options: ReadingOptions;
  readonly #progress: Progress;
  /** The block or time at which the range was last narrowed. */
  #narrowedAt: number | null = null;
  /** A time whose blocks must be found before the next request, if records do not name blocks. */
  timeToFind: number | undefined;

  constructor(options: ReadingOptions, progress: Progress) {
    this.#options = options;
    this.#progress = progress;
  }

  /** Returns whether the block has changed at least `steps` times, always in one direction. */
  isSorted(steps = STEPS_OF_ORDER): boolean {
    return Math.abs(Number(this.#progress.steps)) >= steps;
  }

  /** Whether new records come before the records that were read. */
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

  /** Whether records keep their positions, because new records are out of range or come last. */
  isFixed(count: number | null): boolean {
    const { countIsTotal, later, promised, steps } = this.#progress;
    return later !== null || Number(steps) > 0 || (countIsTotal && count === promised);
  }

  /** Notes the block or time of a record. False if it breaks an order that reading relies on. */
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

  /** Whether the block of the last record is known, or can be found without a long search. */
  get isFoundAtOnce(): boolean {
    return this.#namesBlocks || this.isNarrow;
  }

  /** Blocks that lack the list's first record. A server that ignores blocks sends it even so. */
  get #otherBlocks(): Range {
    const { range, steps } = this.#progress;
    const { to = 0 } = range;
    if (Number(steps) > 0) return { from: to, to };
    return to > 0 ? { to: to - 1 } : { from: to + 1 };
  }

  /**
   * A request for one record that shows whether the server heeds blocks, or `offset`; undefined if
   * both are known. Only needed for records that may look alike, where pages do not show it.
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

  /** Judges the answer to {@link probe}, whose records are in range. False: `offset` is ignored. */
  judgeProbe(keys: readonly number[]): boolean {
    const progress = this.#progress;
    if (this.#mustProbeBlocks) progress.blocksWork = true;
    else if (keys.length) return false;
    else progress.offsetWorks = true;
    return true;
  }

  /** Whether blocks can be left out: the order and the position in the last block are known. */
  canNarrow(steps = STEPS_OF_ORDER): boolean {
    return this.#takesBlocks && this.isSorted(steps) && this.#progress.inBlock !== null;
  }

  /**
   * Leaves out the blocks that were read completely, and continues at the first record of the
   * rest. False if they are unknown, or left out already.
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

  /** Narrows the range to the blocks of the last record and the unread blocks. */
  narrowTo({ first, last }: BlocksOfTime): void {
    const { inBlock, range, steps } = this.#progress;
    const edge = Number(steps) > 0 ? { from: first } : { to: last };
    this.timeToFind = undefined;
    this.moveTo({ ...range, ...edge }, Number(inBlock));
  }

  /**
   * Continues in the last block, from its first record or from the oldest of the recent keys.
   * False if it is unknown which records belong to the block.
   */
  returnToBlock(): boolean {
    const { block, inBlock, range, recent, steps } = this.#progress;
    if (!this.#namesBlocks || block === null || !inBlock || steps === null) return false;
    const edge = steps > 0 ? "from" : "to";
    this.moveTo({ ...range, [edge]: block }, Math.max(0, inBlock - recent.length));
    return true;
  }

  /** Continues in a range of blocks, at a position in it. */
  moveTo(range: Range, next: number): void {
    Object.assign(this.#progress, { state: "reading", range, next, countOfRange: null });
  }

  /** The position in the range of the first record that the caller wants. */
  get lowest(): number {
    return this.isNarrow ? 0 : this.#options.offset;
  }

  /** Ends the range at the newest block of the first page, so that new blocks move no records. */
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
