// Judges the counts of a server: whether they are totals, how many records are missing, and whether
// records came or went.
import type { Answer, ReadingOptions } from "./list.ts";
import type { Progress } from "./position.ts";

/** Whether a position is a multiple of 100. A list that ends at such a position may continue. */
export const isRound = (position: number): boolean => position % 100 === 0;

/** Whether servers may cut lists at a count: above 900, or at a multiple of 100. */
const isWindow = (count: number): boolean => count > 900 || (count >= 100 && isRound(count));

/** Whether servers often cut lists at a position: 100, 500, or near a multiple of 1,000. */
export const isUsualWindow = (position: number): boolean =>
  position === 100 || position === 500 || (position > 900 && (position + 1) % 1000 <= 2);

export class ListCount {
  readonly #options: ReadingOptions;
  readonly #progress: Progress;
  #isReported = false;

  constructor(options: ReadingOptions, progress: Progress) {
    this.#options = options;
    this.#progress = progress;
  }

  /** Learns from a page whether the server counts the whole list, or only the page. */
  learn({ count, keys, request, taken }: Answer): void {
    const progress = this.#progress;
    if (count === null) return;
    if (!progress.received) progress.promised ??= count;
    const length = keys.length + taken;
    if (count > length) progress.countIsTotal = true;
    else if (request.offset > taken && length) progress.countIsTotal = false;
  }

  /** Notes the count of the range. False if a pinned range has changed since the page before. */
  note(count: number | null): boolean {
    const { countIsTotal, countOfRange, later } = this.#progress;
    if (countIsTotal && later !== null && (countOfRange ?? count) !== count) return false;
    this.#progress.countOfRange = count;
    return true;
  }

  /** Whether a count may have stopped at the server's limit: no count of the server was larger. */
  mayBeCapped(count: number | null): boolean {
    return isWindow(Number(count)) && Number(count) >= this.#options.largestCount();
  }

  /** Returns whether the page is empty although the count says that there are records. */
  isWronglyEmpty({ count, keys, request }: Answer): boolean {
    return !keys.length && this.#progress.countIsTotal && Number(count) > request.offset;
  }

  /**
   * How many records the list lacks of its first count; below 0 if it has more, 0 if the count is
   * not a total.
   */
  get missing(): number {
    const { countIsTotal, promised } = this.#progress;
    return countIsTotal ? Number(promised) - this.position : 0;
  }

  /** Returns whether the range ends before its count, or the list before its first count. */
  isShort(answer: Answer, hasLater: boolean): boolean {
    const { countIsTotal, countOfRange } = this.#progress;
    const isLess = countIsTotal && Number(answer.count) < Number(countOfRange);
    return (hasLater ? isLess : this.missing > 0) || this.isWronglyEmpty(answer);
  }

  /** Reports once that the list is short, or may be. */
  report({ count }: Answer, suspected: boolean): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#options.onShortfall({
      operation: this.#options.context.operation,
      promised: Math.max(Number(this.#progress.promised), Number(count)),
      received: this.position,
      suspected,
    });
  }

  /** How many records were read, including the records that `offset` skips. */
  get position(): number {
    return this.#options.offset + this.#progress.received;
  }
}
