// Where a list is read: its order, and the window of blocks that moves along with what was read.
import type { Progress, Range, Wish } from "./progress.ts";

/** Changes of block in one direction that show the order: of lists in no order, one in three million shows so many. */
const STEPS_OF_ORDER = 9;

const same = (one: Range, other: Range) => one.from === other.from && one.to === other.to;

export class Place {
  readonly wish: Wish;
  readonly progress: Progress;
  /** Records name their blocks. */
  isNamed = false;

  constructor(wish: Wish, progress: Progress) {
    this.wish = wish;
    this.progress = progress;
  }

  /** Blocks were left out, so that those that arrive move nothing. */
  get isAnchored(): boolean {
    return !same(this.progress.range, this.wish);
  }

  get isSorted(): boolean {
    return Math.abs(this.progress.steps ?? 0) >= STEPS_OF_ORDER;
  }

  /** By how much a block or time is past the one read last, in the order of the list. */
  past(rank = Number.NaN): number {
    const { block, steps } = this.progress;
    return this.isSorted ? (rank - Number(block)) * Math.sign(steps ?? 0) || 0 : 0;
  }

  /** The list is known to be newest first: what arrives comes before what is read. */
  get isNewestFirst(): boolean {
    return Number(this.progress.steps) <= -STEPS_OF_ORDER;
  }

  /** Nothing that arrives moves what is read: it comes after it, or nothing has arrived. */
  isStill(count: number | null): boolean {
    const { countIsTotal, promised, steps } = this.progress;
    return Number(steps) > 0 || (countIsTotal && count === promised);
  }

  /** Notes the block or time of the record that was read last. False if it breaks the order that was relied on. */
  follow(rank: number, isNew: boolean, isFirst: boolean): boolean {
    const { progress, wish } = this;
    const { block, inBlock, steps } = progress;
    if (Number.isNaN(rank)) return true;
    const step = block === null ? 0 : Math.sign(rank - block);
    progress.block = rank;
    progress.inBlock = step ? 1 : block === null ? (isFirst ? 1 : null) : inBlock && inBlock + 1;
    if (steps === null || !step || !isNew) return true;
    progress.steps = step * steps < 0 ? null : steps + step;
    const isOpen = this.isAnchored ? progress.laterLeft : !wish.repeats || steps < 0;
    return progress.steps !== null || isOpen;
  }

  get takesBlocks(): boolean {
    return this.wish.takesBlocks && this.isNamed;
  }

  /** Leaves out the blocks that were read to their end. False if nothing shows which. */
  narrow(): boolean {
    const { progress, wish } = this;
    const { block, blocksWork, inBlock, range, steps } = progress;
    const needed = wish.repeats && wish.offset ? 1 : STEPS_OF_ORDER;
    if (!this.takesBlocks || blocksWork === false || block === null || inBlock === null)
      return false;
    if (steps === null || Math.abs(steps) < needed) return false;
    const narrow = steps < 0 ? { from: range.from, to: block } : { from: block, to: range.to };
    if (same(narrow, range)) return false;
    Object.assign(progress, { range: narrow, next: inBlock, laterLeft: false });
    return true;
  }

  /** Until the order is known, blocks after those of the first page are left for later: those that arrive then move nothing. */
  pin(ranks: readonly number[]): boolean {
    const { progress, wish } = this;
    const { blocksWork, laterLeft, range, steps } = progress;
    const highest = ranks.reduce((most, rank) => Math.max(most, rank), 0);
    if (!this.takesBlocks || blocksWork === false || laterLeft || wish.offset) return false;
    if (Number(steps) > 0 || Number(range.to) <= highest) return false;
    progress.range = { from: range.from, to: highest };
    progress.laterLeft = true;
    return true;
  }
}
