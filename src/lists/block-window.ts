// Infers the order of a list from its records, and chooses the blocks to request: without those that were read, or that arrive.
import type { Progress, Range, ReadingOptions } from "./progress.ts";

/** Changes of block in one direction that show the order: of lists in no order, one in two million shows so many. */
const STEPS_OF_ORDER = 9;
/** So many make an order likely: where a record is missing, the list was reorganised, rather than in no order. */
const LIKELY_STEPS = 5;

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

  get isSorted(): boolean {
    return Math.abs(Number(this.#progress.steps)) >= STEPS_OF_ORDER;
  }

  get isProbablySorted(): boolean {
    return Math.abs(Number(this.#progress.steps)) >= LIKELY_STEPS;
  }

  /** What arrives comes before what is read. */
  get isNewestFirst(): boolean {
    return this.isSorted && Number(this.#progress.steps) < 0;
  }

  /** By how much a block or time is past the one read last, in the order of the list; 0 if that is not known. */
  past(rank = Number.NaN): number {
    const { block, steps } = this.#progress;
    return this.isSorted ? (rank - Number(block)) * Math.sign(Number(steps)) || 0 : 0;
  }

  /** Nothing that arrives moves what is read: it is not in the range, comes after it, or nothing has arrived. */
  isFixed(count: number | null): boolean {
    const { countIsTotal, later, promised, steps } = this.#progress;
    return later !== null || Number(steps) > 0 || (countIsTotal && count === promised);
  }

  /** Notes the block or time of the record at a position. False if it breaks the order that was relied on. */
  follow(rank: number, isNew: boolean, position: number): boolean {
    const progress = this.#progress;
    const { block, inBlock, later, narrowed, recent, steps } = progress;
    if (Number.isNaN(rank)) return true;
    const step = block === null ? 0 : Math.sign(rank - block);
    progress.block = rank;
    progress.inBlock = step ? 1 : block === null ? (position ? null : 1) : inBlock && inBlock + 1;
    if (steps === null || !step || !isNew) return true;
    progress.steps = step * steps < 0 ? null : steps + step;
    const isReliedOn =
      narrowed || (this.#options.hasEqualRecords && later === null && recent.length > 0);
    return progress.steps !== null || !isReliedOn;
  }

  get takesBlocks(): boolean {
    return this.#options.takesBlocks && this.#progress.blocksWork !== false;
  }

  /** It is known whether the server heeds blocks, or none are left for later. */
  get isTested(): boolean {
    return this.#progress.later === null || this.#progress.blocksWork !== null;
  }

  /** Blocks that a server which ignores them does not answer with: all but the newest that was read or, if there is no other, those after it. */
  get otherBlocks(): Range {
    const { from, to = 0 } = this.#progress.range;
    return to > Number(from ?? 0) ? { from, to: to - 1 } : { from: to + 1, to: this.#options.to };
  }

  get canNarrow(): boolean {
    return this.takesBlocks && this.isSorted && this.#progress.inBlock !== null;
  }

  /** Leaves out the blocks that were read to their end, and continues at the first record of the rest. False if nothing shows which, or if they are left out already. */
  narrow(): boolean {
    const progress = this.#progress;
    const { inBlock, range } = progress;
    const [edge, block] = [this.isNewestFirst ? "to" : "from", Number(progress.block)] as const;
    if (!this.canNarrow || range[edge] === block) return false;
    progress.range = { ...range, [edge]: block };
    Object.assign(progress, { state: "reading", next: inBlock, narrowed: true });
    return true;
  }

  /** Continues in the last block, from its first record or from the first whose key is known. False if it is not known which belong to it. */
  returnToBlock(): boolean {
    const progress = this.#progress;
    const { block, inBlock, range, recent, steps } = progress;
    if (!this.takesBlocks || block === null || !inBlock || steps === null) return false;
    progress.range = steps > 0 ? { from: block, to: range.to } : { from: range.from, to: block };
    progress.narrowed ||= steps !== 0;
    progress.next = Math.max(0, inBlock - recent.length);
    return true;
  }

  /** The position of the first record of the range that is wanted. */
  get lowest(): number {
    return this.#progress.narrowed ? 0 : this.#options.offset;
  }

  /** Leaves blocks after those of the first page for later, unless the list is oldest first: those that arrive then move nothing. */
  pin(ranks: readonly number[]): void {
    const progress = this.#progress;
    const isOldestFirst = this.isSorted && !this.isNewestFirst;
    if (!this.takesBlocks || progress.later !== null || this.#options.offset || isOldestFirst)
      return;
    const to = Math.max(0, ...ranks.filter((rank) => rank > 0));
    Object.assign(progress, { range: { ...progress.range, to }, later: to + 1 });
  }

  /** Reads the whole list, by `offset` alone: the server ignores blocks. */
  widen(): void {
    const { from, offset, to } = this.#options;
    const next = offset + this.#progress.received;
    Object.assign(this.#progress, { blocksWork: false, later: null, narrowed: false });
    Object.assign(this.#progress, { state: "reading", range: { from, to }, next });
  }
}
