// Infers the order of a list from its records, and chooses the blocks to request: without those that were read, or that arrive.
import type { PageRequest, Range } from "./page.ts";
import type { Progress, ReadingOptions } from "./progress.ts";

/** Changes of block in one direction that show the order: of lists in no order, one in two million shows so many. */
const STEPS_OF_ORDER = 9;
/** An offset beyond the end of any list. */
const FAR = 10 ** 9;

/** Whether a block is in a range; also if it is not known (NaN). */
export const isWithin = (block: number, { from = 0, to = Number.POSITIVE_INFINITY }: Range) =>
  !(block < from || block > to);

export class BlockWindow {
  readonly #options: ReadingOptions;
  readonly #progress: Progress;

  constructor(options: ReadingOptions, progress: Progress) {
    this.#options = options;
    this.#progress = progress;
  }

  /** Whether so many changes of block, all in one direction, show the order. */
  isSorted(steps = STEPS_OF_ORDER): boolean {
    return Math.abs(Number(this.#progress.steps)) >= steps;
  }

  /** What arrives comes before what is read. */
  get isNewestFirst(): boolean {
    return this.isSorted() && Number(this.#progress.steps) < 0;
  }

  /** By how much a block or time is past the one read last, in the order of the list; 0 if that is not known. */
  past(rank = Number.NaN): number {
    const { block, steps } = this.#progress;
    const isKnown = block !== null && this.isSorted();
    return isKnown ? (rank - block) * Math.sign(Number(steps)) || 0 : 0;
  }

  /** Nothing that arrives moves what is read: it is not in the range, comes after it, or nothing has arrived. */
  isFixed(count: number | null): boolean {
    const { countIsTotal, later, promised, steps } = this.#progress;
    return later !== null || Number(steps) > 0 || (countIsTotal && count === promised);
  }

  /** Notes the block or time of the record at a position. False if it breaks the order that is relied on. */
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

  /** Blocks that were read are left out. */
  get isNarrow(): boolean {
    const { later, range } = this.#progress;
    const { from, to } = this.#options;
    return range.from !== from || range.to !== (later === null ? to : later - 1);
  }

  get #takesBlocks(): boolean {
    return this.#options.hasBlocks && this.#progress.blocksWork !== false;
  }

  /** Blocks without the first record of the list, which a server that ignores them answers with: the newest that was read if the list is oldest first, else those before it. */
  get #otherBlocks(): Range {
    const { range, steps } = this.#progress;
    const { to = 0 } = range;
    if (Number(steps) > 0) return { from: to, to };
    return to > 0 ? { to: to - 1 } : { from: to + 1 };
  }

  /** Among records that look the same, a page cannot show that blocks and `offset` were heeded: requests for one record show it. The next of them, if there is one. */
  get probe(): PageRequest | undefined {
    const { offsetWorks, range, recent, state } = this.#progress;
    const isBegun = state === "reading" && recent.length > 0;
    if (!this.#options.hasEqualRecords || !isBegun) return undefined;
    if (this.#mustProbeBlocks) return { ...this.#otherBlocks, offset: 0, limit: 1 };
    return offsetWorks === null ? { ...range, offset: FAR, limit: 1 } : undefined;
  }

  get #mustProbeBlocks(): boolean {
    const { blocksWork, later } = this.#progress;
    return later !== null && blocksWork === null;
  }

  /** Notes what the answer to {@link probe} shows; its records are of the blocks requested. False if `offset` is ignored. */
  judgeProbe(keys: readonly number[]): boolean {
    const progress = this.#progress;
    if (this.#mustProbeBlocks) progress.blocksWork = true;
    else if (keys.length) return false;
    else progress.offsetWorks = true;
    return true;
  }

  get canNarrow(): boolean {
    return this.#takesBlocks && this.isSorted() && this.#progress.inBlock !== null;
  }

  /** Leaves out the blocks that were read to their end, and continues at the first record of the rest. False if nothing shows which, or if they are left out already. */
  narrow(): boolean {
    const progress = this.#progress;
    const { inBlock, range } = progress;
    const [edge, block] = [this.isNewestFirst ? "to" : "from", Number(progress.block)] as const;
    if (!this.canNarrow || range[edge] === block) return false;
    this.moveTo({ ...range, [edge]: block }, Number(inBlock));
    return true;
  }

  /** Continues in the last block, from its first record or from the first whose key is known. False if it is not known which belong to it. */
  returnToBlock(): boolean {
    const progress = this.#progress;
    const { block, inBlock, range, recent, steps } = progress;
    if (!this.#takesBlocks || block === null || !inBlock || steps === null) return false;
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

  /** Leaves blocks after those of the first page for later, unless the list is oldest first: those that arrive then move nothing. */
  pin(ranks: readonly number[]): void {
    const progress = this.#progress;
    const isOldestFirst = this.isSorted() && !this.isNewestFirst;
    if (!this.#takesBlocks || progress.later !== null || this.#options.offset || isOldestFirst)
      return;
    const to = Math.max(0, ...ranks.filter((rank) => rank > 0));
    progress.later = to + 1;
    this.moveTo({ ...progress.range, to }, progress.next);
  }

  /** Reads the whole list, by `offset` alone: the server ignores blocks. */
  widen(): void {
    const { from, offset, to } = this.#options;
    Object.assign(this.#progress, { blocksWork: false, later: null });
    this.moveTo({ from, to }, offset + this.#progress.received);
  }
}
