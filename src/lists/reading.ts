// Reads a list in steps, without I/O: chooses the next page to request, and finds the new records
// of each page.
import { ListError, type ListErrorReason } from "../errors/unfinished.ts";
import { type BlocksOfTime, BlockWindow } from "./block-window.ts";
import { type Answer, isWithin, type ReadingOptions } from "./list.ts";
import { isRound, isUsualWindow, ListCount } from "./list-count.ts";
import type { PageRequest, Progress } from "./position.ts";
import type { SeenKeys } from "./seen-keys.ts";

/** How many keys of the last records to keep. With two lists, a cursor then stays below 4 kB. */
const RECENT = 60;
/** How often to request an unexpected page again, because another replica may know more. */
const RETRIES = 2;
/** How many answers without a new record may follow each other before reading fails. */
const MAX_IDLE = 500;
/** Repetitions of a page after which the range is narrowed, and after which reading fails. */
const REPETITIONS = { narrow: 5, most: 20 };
/** Servers often return nothing after 10,000 records, so the range is narrowed before that. */
const WINDOW = 10_000;
/** So many changes of block make an order likely. A record missing from it was reorganised. */
const LIKELY_STEPS = 5;

/** Returns whether two pages begin at the same position of the same blocks. */
export const isSamePlace = (left: PageRequest, right: PageRequest): boolean =>
  left.offset === right.offset && left.from === right.from && left.to === right.to;

const isSame = (left: PageRequest, right: PageRequest): boolean =>
  isSamePlace(left, right) && left.limit === right.limit;

export class Reading {
  readonly progress: Progress;
  readonly #options: ReadingOptions;
  readonly #blocks: BlockWindow;
  readonly #counts: ListCount;
  /** The records that were read; undefined if different records may look the same. */
  readonly #seen: SeenKeys | undefined;
  /** Whether reading continues from a cursor, so that only `recent` is known of the beginning. */
  readonly #isResumed: boolean;
  /** How many answers in a row had no new record. */
  #idleAnswers = 0;
  #request: PageRequest = { offset: -1, limit: 0 };
  /** How many answers in a row were to `#request`. */
  #sameRequestAnswers = 0;
  #longestPageLength = 0;
  #lastPageLength = 0;
  /** The keys of the last page if it had no new record, and how often that page was repeated. */
  #repeated = { page: "", times: 0 };
  /** Whether the last record of a short list was looked for again at its end. */
  #hasLookedBack = false;
  /** The search for a known record from the beginning of the list. */
  #search = {
    /** The position of the next page to search. */
    offset: 0,
    /** Where the search before this one ended. */
    previous: 0,
    /** How many searches in a row ended at the same position without a new record. */
    fruitless: 0,
    /** Where the record after the last known one was expected; 0 if there was no search. */
    expected: 0,
  };
  /** The most records that the next page needs to bring. */
  room = Number.POSITIVE_INFINITY;
  /** Whether the last page has records that the caller had no room for. */
  isCut = false;

  constructor(options: ReadingOptions, progress: Progress, seen: SeenKeys | undefined) {
    this.progress = progress;
    this.#options = options;
    this.#blocks = new BlockWindow(options, progress);
    this.#counts = new ListCount(options, progress);
    this.#seen = seen;
    this.#isResumed = progress.received > 0;
    this.#leaveOutRead();
  }

  /** The order of blocks: below 0 if they fall, above 0 if they rise, 0 if unknown. */
  get direction(): number {
    return this.#blocks.isSorted() ? Number(this.progress.steps) : 0;
  }

  /** A time whose blocks must be found before the next request. */
  get timeToFind(): number | undefined {
    return this.#blocks.timeToFind;
  }

  /** Continues at the blocks of {@link timeToFind}, after these were found. */
  continueAt(blocks: BlocksOfTime): void {
    const { state } = this.progress;
    this.#blocks.narrowTo(blocks);
    this.progress.state = state;
  }

  /** The page to request. */
  get request(): PageRequest {
    const { limit, maxLimit } = this.#options;
    const { next, range, recent, state } = this.progress;
    if (state === "closing" || state === "ended") return { ...range, offset: next, limit: 1 };
    const { probe } = this.#blocks;
    if (probe) return probe;
    const position = recent.length ? next - 1 : next;
    const offset = state === "searching" ? this.#search.offset : position;
    // The page begins with a known record, to show that no record was lost between two pages.
    const size = Math.min(limit, this.room) + (recent.length ? 1 : 0);
    return { ...range, offset, limit: Math.max(recent.length ? 2 : 1, Math.min(size, maxLimit)) };
  }

  /** The likely page after `request`, if no record moves; undefined if it is unknown. */
  after(request: PageRequest): PageRequest | undefined {
    const { limit, maxLimit } = this.#options;
    const longest = this.#longestPageLength;
    const step = (longest < limit ? Math.min(longest, request.limit) : request.limit) - 1;
    const offset = request.offset + step;
    const isKnown =
      this.progress.state === "reading" && !this.#blocks.probe && !this.#idleAnswers && step > 0;
    const isNarrower = this.#blocks.canNarrow() && offset + limit > WINDOW;
    const size = Math.max(2, Math.min(limit + 1, maxLimit));
    return isKnown && !isNarrower ? { ...request, offset, limit: size } : undefined;
  }

  /**
   * Returns the indexes of the new records of a page.
   *
   * @throws {@link ListError} if the server contradicts itself
   */
  receive(answer: Answer): number[] {
    const isSameRequest = isSame(answer.request, this.#request);
    this.#sameRequestAnswers = isSameRequest ? this.#sameRequestAnswers + 1 : 1;
    this.#request = answer.request;
    this.isCut = false;
    const takenRecords = this.#judge(answer);
    if (this.progress.state !== "ended")
      this.#countIdle(takenRecords.length ? undefined : answer.keys);
    return takenRecords;
  }

  /** Throws if too many pages bring no new record. `keys` are the keys of such a page. */
  #countIdle(keys: readonly number[] | undefined): void {
    const page = keys?.join() ?? "";
    const isRepeated = page !== "" && page === this.#repeated.page;
    this.#repeated = { page, times: isRepeated ? this.#repeated.times + 1 : 0 };
    this.#idleAnswers = keys ? this.#idleAnswers + 1 : 0;
    if (!keys) {
      this.#search.fruitless = 0;
      this.#hasLookedBack = false;
    }
    const { times } = this.#repeated;
    if (times === REPETITIONS.narrow) this.#blocks.narrow();
    if (times === REPETITIONS.most) throw this.#error("OFFSET_IGNORED");
    if (this.#idleAnswers === MAX_IDLE) throw this.#error("NO_PROGRESS");
  }

  /**
   * Continues in fewer blocks after the server refused a page.
   *
   * @throws {@link ListError} if the range cannot be narrowed
   */
  refuse(cause: unknown): void {
    if (this.#blocks.probe) this.#blocks.judgeProbe([]);
    else if (!this.#blocks.narrow()) throw this.#error("RESULT_WINDOW", cause);
  }

  #judge(answer: Answer): number[] {
    const { hasEqualRecords, place, takesBlocks } = this.#options;
    const { progress } = this;
    const { count, keys, ranks, request } = answer;
    const hasBlocks = takesBlocks && place === "block";
    if (hasBlocks && !ranks.every((rank) => isWithin(rank, request)))
      return this.#readWithoutBlocks(answer);
    if (this.#blocks.probe) {
      if (this.#blocks.judgeProbe(keys)) return [];
      throw this.#error("OFFSET_IGNORED");
    }
    this.#counts.learn(answer);
    // Only their positions distinguish records that look alike. A page that is longer than
    // requested has no reliable positions, and new records change them.
    const isLong = keys.length > request.limit;
    if (isLong && (hasEqualRecords || new Set(keys).size < keys.length))
      throw this.#error("OFFSET_IGNORED");
    // A list that is read again from its beginning relies on positions from the first page on.
    const isBegun = progress.recent.length > 0 || progress.blocksWork === false;
    if (hasEqualRecords && isBegun && !this.#blocks.isFixed(count)) {
      // The list has ended; ignore records added since.
      if (progress.state === "ended") return [];
      throw this.#error("RANGE_IGNORED");
    }
    if (this.#counts.isWronglyEmpty(answer) && this.#sameRequestAnswers <= RETRIES) return [];
    const isClosing = progress.state === "closing" || progress.state === "ended";
    if (!keys.length && (isClosing || !progress.recent.length)) return this.#finish(answer);
    if (isClosing) return this.#reopen(answer);
    if (!progress.recent.length) return this.#take(answer, -1);
    const at = this.#find(answer);
    if (at < 0) return this.#miss(answer);
    const isGone = keys[at] !== progress.recent.at(-1);
    const expected = Math.max(progress.next, this.#search.expected);
    const shift = request.offset + at + 1 - expected;
    if (!isGone) this.#search.expected = 0;
    if (!isGone && shift < 0 && progress.block !== null) this.#report(shift);
    if (isGone && at + 1 < keys.length && this.#blocks.isSorted(LIKELY_STEPS)) this.#report();
    return this.#take(answer, at);
  }

  /**
   * Returns the index of the last known record on a page; -1 if there is none. If records may look
   * alike, the record must be at its position, and the count must not have changed.
   */
  #find({ checks, count, keys, request }: Answer): number {
    const { next, recent } = this.progress;
    const expected = next - 1 - request.offset;
    const isInPlace = keys[expected] === recent.at(-1);
    if (this.#options.hasEqualRecords) return isInPlace && this.#counts.note(count) ? expected : -1;
    if (isInPlace) return expected;
    return keys.findLastIndex((key, at) => this.#seen?.has(key, checks[at] as number));
  }

  /** Takes the new records after the index `at` (-1: the whole page), and decides how to go on. */
  #take(answer: Answer, at: number): number[] {
    const { progress } = this;
    const { keys, max, ranks, request } = answer;
    const isStart = !progress.recent.length;
    // In a list that is read again from its beginning, nothing before the last block is new.
    const isBefore = (rank: number | undefined) => isStart && this.#blocks.past(rank) < 0;
    const takenIndexes: number[] = [];
    let begin = at + 1;
    while (begin < keys.length && isBefore(ranks[begin])) begin++;
    let end = begin;
    for (; end < keys.length && takenIndexes.length < max; end++) {
      const isNew = this.#isNew(answer, end);
      if (isNew) takenIndexes.push(end);
      if (!this.#blocks.follow(Number(ranks[end]), isNew, request.offset + end))
        throw this.#error("ORDER_CHANGED");
    }
    progress.recent = [...progress.recent, ...keys.slice(begin, end)].slice(-RECENT);
    const room = RECENT - progress.recent.length;
    progress.again = room ? progress.again.slice(-room) : [];
    progress.next = request.offset + end;
    progress.received += takenIndexes.length;
    progress.state = "reading";
    this.isCut = end < keys.length;
    if (this.isCut) this.#pin(answer, isStart);
    else this.#proceed(answer, isStart, at === 0 && keys.length === 1);
    this.#longestPageLength = Math.max(this.#longestPageLength, keys.length + answer.taken);
    this.#lastPageLength = keys.length;
    return takenIndexes;
  }

  /** Notes that a record is read; false if it was read before. */
  #isNew({ checks, keys }: Answer, index: number): boolean {
    const key = keys[index] as number;
    if (this.#seen) return this.#seen.add(key, checks[index] as number);
    const at = this.progress.again.indexOf(key);
    // Each key stands for one record. Copies the array, because earlier positions share it.
    if (at >= 0) this.progress.again = this.progress.again.toSpliced(at, 1);
    return at < 0;
  }

  /** Decides what follows a page that was read to its end. */
  #proceed(answer: Answer, isStart: boolean, isNothingNew: boolean): void {
    const { progress } = this;
    const { count, keys, request } = answer;
    const longest = this.#longestPageLength;
    const length = keys.length + answer.taken;
    const isShortPage = length < request.limit && (!longest || length < longest);
    const { countIsTotal, next } = progress;
    const isWhole = countIsTotal && count === next;
    const isCertain = isWhole && !this.#counts.mayBeCapped(count) && this.#counts.missing <= 0;
    if (isShortPage && isCertain) {
      this.#finish(answer);
      return;
    }
    this.#pin(answer, isStart);
    if (this.#leaveOutRead() || !(isShortPage || isNothingNew)) return;
    // The server may have cut the list here. A narrower range shows whether it continues.
    if (isRound(next) || isNothingNew || this.#blocks.isFoundAtOnce) this.#blocks.narrow();
    progress.state = "closing";
  }

  /** Pins the range to the newest block of the first page, so that alike records keep positions. */
  #pin({ count, ranks }: Answer, isStart: boolean): void {
    if (!isStart || !this.#options.hasEqualRecords) return;
    this.#blocks.pin(ranks);
    // If the list is newest first, the pinned range contains all records of the count.
    if (Number(this.progress.steps) < 0) this.#counts.note(count);
  }

  /** Narrows the range before a page reaches beyond {@link WINDOW}. False if it did not. */
  #leaveOutRead(): boolean {
    const { next, state } = this.progress;
    const isFar = state !== "ended" && next + this.#options.limit > WINDOW;
    return isFar && !this.#blocks.probe && this.#blocks.narrow();
  }

  /**
   * Continues because a record follows the last one, although the page before was short. If the
   * list moved, records may lie between the two, so the record is taken only if that page had no
   * room for both.
   */
  #reopen(answer: Answer): number[] {
    const { checks, keys, ranks } = answer;
    this.progress.state = "reading";
    const isTaken = this.#lastPageLength === 1 && this.#blocks.past(ranks[0]) >= 0;
    const isKnown = this.#seen?.has(keys[0] as number, checks[0] as number);
    if (isTaken && !this.#blocks.probe) return this.#take(answer, isKnown ? 0 : -1);
    // Narrows, because records that keep arriving would otherwise move the last one for ever.
    this.#blocks.narrow();
    return [];
  }

  /**
   * Ends the range, because no record follows. If the count promises more, first looks again,
   * because another replica may have more records.
   */
  #finish(answer: Answer): number[] {
    const { progress } = this;
    const { later, next, state } = progress;
    // The shortfall was already reported when the list ended.
    if (state === "ended") return [];
    const { isNewestFirst } = this.#blocks;
    const hasLater = later !== null && isWithin(later, this.#options) && !isNewestFirst;
    const isShort = this.#counts.isShort(answer, hasLater);
    if (isShort && this.#lookAgain()) return [];
    if (isShort && next >= WINDOW) throw this.#error("RESULT_WINDOW");
    if (isShort || this.#mayBeCut(answer)) this.#counts.report(answer, !isShort);
    progress.state = "ended";
    if (hasLater) {
      Object.assign(progress, { later: null, recent: [], block: null, inBlock: null });
      this.#blocks.moveTo({ from: later, to: this.#options.to }, 0);
    }
    return [];
  }

  /** Returns whether the server may have cut the list here, which no narrower range can show. */
  #mayBeCut({ count }: Answer): boolean {
    const { countIsTotal, next } = this.progress;
    if (countIsTotal && count === next)
      return this.#counts.mayBeCapped(count) && isUsualWindow(next);
    return next > 0 && (isRound(next) || isUsualWindow(next));
  }

  /**
   * Looks for the rest of a list that seems short: requests the page again from another replica,
   * then fewer blocks, then the last record once more, because removed records move the rest.
   */
  #lookAgain(): boolean {
    if (this.#hasLookedBack) return false;
    if (this.#sameRequestAnswers <= RETRIES || this.#blocks.narrow()) return true;
    if (!this.progress.recent.length) return false;
    this.#hasLookedBack = true;
    this.progress.state = "reading";
    return true;
  }

  /** Reads by `offset` alone, because the server ignores blocks. Fails if the caller chose them. */
  #readWithoutBlocks({ count, ranks }: Answer): number[] {
    const isWanted = ranks.every((rank) => isWithin(rank, this.#options));
    this.#blocks.widen();
    if (!isWanted || (this.#options.hasEqualRecords && !this.#blocks.isFixed(count)))
      throw this.#error("RANGE_IGNORED");
    return [];
  }

  /**
   * Handles a page without a known record: requests it again, then in fewer blocks, then searches
   * the list from its beginning for a known record.
   */
  #miss(answer: Answer): number[] {
    const { progress } = this;
    const { keys, ranks, request } = answer;
    if (progress.state === "reading") {
      if (this.#sameRequestAnswers <= RETRIES || this.#blocks.narrow()) return [];
      if (this.#options.hasEqualRecords) return this.#rereadBlock(answer);
      const { fruitless, offset, previous } = this.#search;
      // New records move known records away from the beginning.
      const hasMoved = offset > previous;
      if (!hasMoved && fruitless >= RETRIES)
        throw this.#error(keys.length ? "OFFSET_IGNORED" : "RESULT_WINDOW");
      progress.state = "searching";
      this.#sameRequestAnswers = 0;
      this.#search = {
        offset: this.#blocks.lowest,
        previous: offset,
        fruitless: hasMoved ? 0 : fruitless + 1,
        expected: progress.next,
      };
      return [];
    }
    if (!keys.length || this.#blocks.past(ranks.at(-1)) > 0) return this.#restart(answer);
    this.#search.offset = request.offset + Math.max(1, keys.length - 1);
    return [];
  }

  /** Reads the last block again, because the last record is no longer at its position. */
  #rereadBlock(answer: Answer): number[] {
    const { progress } = this;
    const { again, inBlock, offsetWorks, recent } = progress;
    if (!this.#counts.isWronglyEmpty(answer)) this.#report();
    // The block was already read again, and no record was missing.
    if (offsetWorks === false && !again.length) throw this.#error("OFFSET_IGNORED");
    if (!this.#blocks.returnToBlock())
      throw this.#error(answer.keys.length ? "ORDER_CHANGED" : "RESULT_WINDOW");
    progress.offsetWorks = false;
    progress.again = [...again, ...recent.slice(-Number(inBlock))].slice(-RECENT);
    Object.assign(progress, { recent: [], block: null, inBlock: null });
    return [];
  }

  /** Reads the list from its beginning, because no known record is left. Skips what was read. */
  #restart(answer: Answer): number[] {
    const { progress } = this;
    const { again, block, inBlock, recent, received } = progress;
    const isSorted = this.#blocks.isSorted();
    this.#search.expected = 0;
    if (!this.#counts.isWronglyEmpty(answer)) this.#report();
    // The oldest records cannot all be gone, so the server withholds them. And a cursor may know
    // too few keys to skip all records that were read.
    if (this.#blocks.isNewestFirst && !answer.keys.length) throw this.#error("RESULT_WINDOW");
    if (this.#isResumed && (isSorted ? Number(inBlock) : received) > recent.length)
      throw this.#error("ORDER_CHANGED");
    progress.again = [...again, ...recent].slice(-RECENT);
    Object.assign(progress, { recent: [], block: isSorted ? block : null, inBlock: null });
    this.#blocks.moveTo(progress.range, this.#blocks.lowest);
    return [];
  }

  #report(shift?: number): void {
    const { context, onReorganisation } = this.#options;
    const details = { shift, position: this.#counts.position, deep: shift === undefined };
    onReorganisation({ operation: context.operation, ...details });
  }

  #error(reason: ListErrorReason, cause?: unknown): ListError {
    return new ListError(reason, { ...this.#options.context, cause });
  }
}
