// What the counts of a server say of its list: whether they are totals, what is missing, and whether something came or went.
import type { Answer, Progress, ReadingOptions } from "./progress.ts";

export class ListCount {
  readonly #options: ReadingOptions;
  readonly #progress: Progress;
  #isReported = false;

  constructor(options: ReadingOptions, progress: Progress) {
    this.#options = options;
    this.#progress = progress;
  }

  /** Learns from a page whether its count is the total. */
  learn({ count, keys, request }: Answer): void {
    const progress = this.#progress;
    if (count === null) return;
    if (!progress.received) progress.promised ??= count;
    if (count > keys.length) progress.countIsTotal = true;
    else if (request.offset > 0 && keys.length) progress.countIsTotal = false;
  }

  /** Notes the count of the range; false if something came or went since the page before, where that can be known: blocks that arrive are left for later. */
  note(count: number | null): boolean {
    const { countIsTotal, countOfRange, later } = this.#progress;
    if (countIsTotal && later !== null && (countOfRange ?? count) !== count) return false;
    this.#progress.countOfRange = count;
    return true;
  }

  /** The page is empty, although the count says that there are records. */
  isWronglyEmpty({ count, keys, request }: Answer): boolean {
    return !keys.length && this.#progress.countIsTotal && Number(count) > request.offset;
  }

  /** How many records the first count promised and the list lacks; below 0 if it has more, 0 if that is not known. */
  get missing(): number {
    const { countIsTotal, promised } = this.#progress;
    return countIsTotal ? Number(promised) - this.position : 0;
  }

  /** The range ends before its count, or the list before its first one, which includes what is left for later. */
  isShort(answer: Answer, hasLater: boolean): boolean {
    const { countIsTotal, countOfRange } = this.#progress;
    const isLess = countIsTotal && Number(answer.count) < Number(countOfRange);
    return (hasLater ? isLess : this.missing > 0) || this.isWronglyEmpty(answer);
  }

  /** Says once that the list is short. */
  report({ count }: Answer): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#options.onShortfall({
      operation: this.#options.context.operation,
      promised: Math.max(Number(this.#progress.promised), Number(count)),
      received: this.position,
    });
  }

  /** How many records were read, with those that `offset` skips. */
  get position(): number {
    return this.#options.offset + this.#progress.received;
  }
}
