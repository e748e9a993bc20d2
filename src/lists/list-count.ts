// What the server's `count` says of a list: whether it is the total, and whether records are missing.
import type { Answer, Progress, Range, ReadingOptions, Report } from "./progress.ts";

/** Some counts stop at a round number. */
const isRound = (count: number) => count >= 1000 && count % 1000 === 0;

export class ListCount {
  readonly #options: ReadingOptions;
  readonly #progress: Progress;
  /** The newest count, and the range it is of. */
  #newest: { readonly range: Range; readonly count: number | null } | undefined;

  constructor(options: ReadingOptions, progress: Progress) {
    this.#options = options;
    this.#progress = progress;
  }

  learn({ count, keys, request }: Answer): void {
    const progress = this.#progress;
    if (count === null) return;
    if (!progress.received) progress.promised ??= count;
    if (count > keys.length) progress.countIsTotal = true;
    else if (request.offset > 0 && keys.length) progress.countIsTotal = false;
  }

  /** Whether nothing came or went since the page before, where that can be known: blocks that arrive are left for later. */
  stays(count: number | null): boolean {
    const { countIsTotal, later, range } = this.#progress;
    const before = this.#newest?.range === range ? this.#newest.count : count;
    if (countIsTotal && later !== null && before !== count) return false;
    this.#newest = { range, count };
    return true;
  }

  /** All records of the range are read. */
  isReachedBy(count: number | null): boolean {
    const { countIsTotal, next } = this.#progress;
    return countIsTotal && count === next && !isRound(next);
  }

  /** The page is empty, although the count says that there are records. */
  isWronglyEmpty({ count, keys, request }: Answer): boolean {
    return !keys.length && this.#progress.countIsTotal && Number(count) > request.offset;
  }

  /** How many records were read, with those that `offset` skips. */
  get received(): number {
    return this.#options.offset + this.#progress.received;
  }

  /** How many records the first count promised and the list lacks; below 0 if it has more, NaN if that is not known. */
  get missing(): number {
    const { countIsTotal, promised } = this.#progress;
    return countIsTotal && promised !== null ? promised - this.received : Number.NaN;
  }

  shortfall({ count }: Answer): Report {
    const promised = Math.max(Number(this.#progress.promised), Number(count));
    return { kind: "shortfall", promised, received: this.received };
  }
}
