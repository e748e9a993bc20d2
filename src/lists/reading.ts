// Reads a list in steps, without I/O: which page to request next, and which records of the page that came are new.
import { ListError, type ListErrorReason } from "../errors/unfinished.ts";
import { BlockWindow, isWithin } from "./block-window.ts";
import { ListCount } from "./list-count.ts";
import { isSame, type PageRequest } from "./page.ts";
import type { Answer, Progress, ReadingOptions } from "./progress.ts";
import type { SeenKeys } from "./seen-keys.ts";

/** How many keys are kept of what was read last. */
const RECENT = 80;
/** How often a page that does not fit is requested again: another replica may know more. */
const RETRIES = 2;
/** Answers in a row with nothing new after which the list is given up. */
const MAX_IDLE = 500;
/** Repetitions of a page with nothing new after which blocks that were read are left out, and the list is given up. */
const REPETITIONS = { narrow: 5, most: 20 };
/** Servers often return nothing after 10,000 records: before, blocks that were read are left out. */
const WINDOW = 10_000;
/** So many changes of block make an order likely: where a record is missing, the list was reorganised. */
const LIKELY_STEPS = 5;

export class Reading {
  readonly progress: Progress;
  readonly #options: ReadingOptions;
  readonly #blocks: BlockWindow;
  readonly #counts: ListCount;
  /** The keys of the records that were read; undefined if records may look the same. */
  readonly #seen: SeenKeys | undefined;
  /** Another process has read the beginning: of that, only `recent` is known. */
  readonly #isResumed: boolean;
  /** How many answers in a row had nothing new. */
  #idleAnswers = 0;
  #request: PageRequest = { offset: -1, limit: 0 };
  /** How many answers in a row were to `#request`. */
  #sameRequestAnswers = 0;
  #longestPageLength = 0;
  /** The length of the page before. */
  #lastPageLength = 0;
  /** The keys of the last page, if it had nothing new, and how often it was repeated. */
  #repeated = { page: "", times: 0 };
  /** At the end of a short list, its last record was looked for. */
  #hasLookedBack = false;
  /** Where to look for a known record, where it was found before, how many searches found it there again and nothing new, and where the last record was expected. */
  #search = { offset: 0, before: 0, times: 0, next: 0 };

  constructor(options: ReadingOptions, progress: Progress, seen: SeenKeys | undefined) {
    this.progress = progress;
    this.#options = options;
    this.#blocks = new BlockWindow(options, progress);
    this.#counts = new ListCount(options, progress);
    this.#seen = seen;
    this.#isResumed = progress.received > 0;
    this.#leaveOutRead();
  }

  /** The page to request. */
  get request(): PageRequest {
    const { limit } = this.#options;
    const { next, range, recent, state } = this.progress;
    if (state === "closing" || state === "ended") return { ...range, offset: next, limit: 1 };
    const { probe } = this.#blocks;
    if (probe) return probe;
    const position = recent.length ? next - 1 : next;
    const offset = state === "searching" ? this.#search.offset : position;
    // There is room for the last record and a new one.
    return { ...range, offset, limit: recent.length ? Math.max(limit, 2) : limit };
  }

  /** The page to request after `request` if the list continues and nothing moves; undefined if that is not known. */
  after(request: PageRequest): PageRequest | undefined {
    const step = Math.min(this.#longestPageLength, request.limit) - 1;
    const offset = request.offset + step;
    const isKnown =
      this.progress.state === "reading" && !this.#blocks.probe && !this.#idleAnswers && step > 0;
    const isNarrower = this.#blocks.canNarrow && offset + request.limit > WINDOW;
    return isKnown && !isNarrower ? { ...request, offset } : undefined;
  }

  /** The indexes of the new records of a page. Throws a {@link ListError} if the server contradicts itself. */
  receive(answer: Answer): number[] {
    const isSameRequest = isSame(answer.request, this.#request);
    this.#sameRequestAnswers = isSameRequest ? this.#sameRequestAnswers + 1 : 1;
    this.#request = answer.request;
    const taken = this.#judge(answer);
    if (this.progress.state !== "ended") this.#countIdle(taken.length ? undefined : answer.keys);
    return taken;
  }

  /** Gives up a list whose server returns page after page with nothing new. `keys`: those of such a page; undefined if something was new. */
  #countIdle(keys: readonly number[] | undefined): void {
    const page = keys?.join() ?? "";
    const isRepeated = page !== "" && page === this.#repeated.page;
    this.#repeated = { page, times: isRepeated ? this.#repeated.times + 1 : 0 };
    this.#idleAnswers = keys ? this.#idleAnswers + 1 : 0;
    if (!keys) {
      this.#search.times = 0;
      this.#hasLookedBack = false;
    }
    const { times } = this.#repeated;
    if (times === REPETITIONS.narrow) this.#blocks.narrow();
    if (times === REPETITIONS.most) throw this.#error("OFFSET_IGNORED");
    if (this.#idleAnswers === MAX_IDLE) throw this.#error("NO_PROGRESS");
  }

  /** The server refuses the page: continues in fewer blocks. Throws a {@link ListError} if that is not possible. */
  refuse(cause: unknown): void {
    if (this.#blocks.probe) this.#blocks.judgeProbe([]);
    else if (!this.#blocks.narrow()) throw this.#error("RESULT_WINDOW", cause);
  }

  #judge(answer: Answer): number[] {
    const { hasBlocks, hasEqualRecords } = this.#options;
    const { progress } = this;
    const { count, keys, ranks, request } = answer;
    if (hasBlocks && !ranks.every((rank) => isWithin(rank, request)))
      return this.#readWithoutBlocks(answer);
    if (this.#blocks.probe) {
      if (this.#blocks.judgeProbe(keys)) return [];
      throw this.#error("OFFSET_IGNORED");
    }
    this.#counts.learn(answer);
    // Only their positions distinguish records that look the same: they are lost where more come than requested, or where what arrives moves them.
    const isLong = keys.length > request.limit;
    if (isLong && (hasEqualRecords || new Set(keys).size < keys.length))
      throw this.#error("OFFSET_IGNORED");
    // A list that is read again from its beginning, as blocks are ignored, relies on positions at once.
    const isBegun = progress.recent.length > 0 || progress.blocksWork === false;
    if (hasEqualRecords && isBegun && !this.#blocks.isFixed(count)) {
      // What arrived after the end of the list is not of it.
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
    const expected = Math.max(progress.next, this.#search.next);
    const shift = request.offset + at + 1 - expected;
    if (!isGone) this.#search.next = 0;
    if (!isGone && shift < 0 && progress.block !== null) this.#report(shift);
    if (isGone && at + 1 < keys.length && this.#blocks.isSorted(LIKELY_STEPS)) this.#report();
    return this.#take(answer, at);
  }

  /** The index of the last known record on a page; -1 if there is none. One that may have its like must be in its place, and the count as before. */
  #find({ checks, count, keys, request }: Answer): number {
    const { next, recent } = this.progress;
    const expected = next - 1 - request.offset;
    const isInPlace = keys[expected] === recent.at(-1);
    if (this.#options.hasEqualRecords) return isInPlace && this.#counts.note(count) ? expected : -1;
    if (isInPlace) return expected;
    return keys.findLastIndex((key, at) => this.#seen?.has(key, checks[at] as number));
  }

  /** Takes what is new on a page after an index (-1 if all may be new), and decides how to continue. */
  #take(answer: Answer, at: number): number[] {
    const { progress } = this;
    const { keys, max, ranks, request } = answer;
    const isStart = !progress.recent.length;
    // Where the list is read again from its beginning, nothing before the last block is new.
    const isBefore = (rank: number | undefined) => isStart && this.#blocks.past(rank) < 0;
    const taken: number[] = [];
    let begin = at + 1;
    while (begin < keys.length && isBefore(ranks[begin])) begin++;
    let end = begin;
    for (; end < keys.length && taken.length < max; end++) {
      const isNew = this.#isNew(answer, end);
      if (isNew) taken.push(end);
      if (!this.#blocks.follow(Number(ranks[end]), isNew, request.offset + end))
        throw this.#error("ORDER_CHANGED");
    }
    progress.recent = [...progress.recent, ...keys.slice(begin, end)].slice(-RECENT);
    const room = RECENT - progress.recent.length;
    progress.again = room ? progress.again.slice(-room) : [];
    progress.next = request.offset + end;
    progress.received += taken.length;
    progress.state = "reading";
    if (end === keys.length) this.#proceed(answer, isStart, at === 0 && keys.length === 1);
    this.#longestPageLength = Math.max(this.#longestPageLength, keys.length);
    this.#lastPageLength = keys.length;
    return taken;
  }

  /** Notes that a record is read; false if it was read before. */
  #isNew({ checks, keys }: Answer, index: number): boolean {
    const key = keys[index] as number;
    if (this.#seen) return this.#seen.add(key, checks[index] as number);
    const again = this.progress.again.indexOf(key);
    // Each of them stands for one record.
    if (again >= 0) this.progress.again.splice(again, 1);
    return again < 0;
  }

  /** Decides what follows a page that was read to its end. */
  #proceed(answer: Answer, isStart: boolean, isNothingNew: boolean): void {
    const { hasEqualRecords } = this.#options;
    const { progress } = this;
    const { count, keys, ranks, request } = answer;
    const longest = this.#longestPageLength;
    const isShortPage = keys.length < request.limit && (!longest || keys.length < longest);
    const { countIsTotal, next } = progress;
    // Some counts stop at a round number, or where pages do.
    const isRound = next % (isStart ? 100 : 1000) === 0;
    if (isShortPage && countIsTotal && count === next && !isRound && this.#counts.missing <= 0) {
      this.#finish(answer);
      return;
    }
    if (isStart && hasEqualRecords) {
      this.#blocks.pin(ranks);
      // If it is newest first, the range has all that was counted.
      if (Number(progress.steps) < 0) this.#counts.note(count);
    }
    if (this.#leaveOutRead()) return;
    if (isShortPage || isNothingNew) progress.state = "closing";
  }

  /** Before a page reaches beyond a window, blocks that were read are left out. False if it does not, or if they cannot be. */
  #leaveOutRead(): boolean {
    const { next, state } = this.progress;
    const isFar = state !== "ended" && next + this.#options.limit > WINDOW;
    return isFar && !this.#blocks.probe && this.#blocks.narrow();
  }

  /** A record follows the last one, although the page before was short. It may be another than the next one if the list moved: only where that page had no room for both, it is taken. */
  #reopen(answer: Answer): number[] {
    const { checks, keys, ranks } = answer;
    this.progress.state = "reading";
    const isTaken = this.#lastPageLength === 1 && this.#blocks.past(ranks[0]) >= 0;
    const isKnown = this.#seen?.has(keys[0] as number, checks[0] as number);
    if (isTaken && !this.#blocks.probe) return this.#take(answer, isKnown ? 0 : -1);
    // What arrives between all answers would move the last record for ever.
    this.#blocks.narrow();
    return [];
  }

  /** Nothing follows in this range. If the count promises more, another replica may have it. */
  #finish(answer: Answer): number[] {
    const { progress } = this;
    const { later, next, state } = progress;
    // Asked again after its end: it was said then what is missing.
    if (state === "ended") return [];
    const { isNewestFirst } = this.#blocks;
    const hasLater = later !== null && isWithin(later, this.#options) && !isNewestFirst;
    const isShort = this.#counts.isShort(answer, hasLater);
    if (isShort && this.#lookAgain()) return [];
    if (isShort && next >= WINDOW) throw this.#error("RESULT_WINDOW");
    if (isShort) this.#counts.report(answer);
    progress.state = "ended";
    if (hasLater) {
      Object.assign(progress, { later: null, recent: [], block: null, inBlock: null });
      this.#blocks.moveTo({ from: later, to: this.#options.to }, 0);
    }
    return [];
  }

  /** Before a list is said to be short: another replica may have the rest, fewer blocks may show it, and what vanished before the last record would have moved it. */
  #lookAgain(): boolean {
    if (this.#hasLookedBack) return false;
    if (this.#sameRequestAnswers <= RETRIES || this.#blocks.narrow()) return true;
    if (!this.progress.recent.length) return false;
    this.#hasLookedBack = true;
    this.progress.state = "reading";
    return true;
  }

  /** The server returns other blocks than those requested: reads by `offset` alone, unless the caller chose the blocks. */
  #readWithoutBlocks({ count, ranks }: Answer): number[] {
    const isAsked = ranks.every((rank) => isWithin(rank, this.#options));
    this.#blocks.widen();
    if (!isAsked || (this.#options.hasEqualRecords && !this.#blocks.isFixed(count)))
      throw this.#error("RANGE_IGNORED");
    return [];
  }

  /** The page is requested again, then in fewer blocks; then the list is searched from its beginning for a known record. */
  #miss(answer: Answer): number[] {
    const { progress } = this;
    const { keys, ranks, request } = answer;
    if (progress.state === "reading") {
      if (this.#sameRequestAnswers <= RETRIES || this.#blocks.narrow()) return [];
      if (this.#options.hasEqualRecords) return this.#rereadBlock(answer);
      const { before, offset, times } = this.#search;
      // Records that arrive move what is known away from the beginning.
      const hasMoved = offset > before;
      if (!hasMoved && times >= RETRIES)
        throw this.#error(keys.length ? "OFFSET_IGNORED" : "RESULT_WINDOW");
      progress.state = "searching";
      this.#sameRequestAnswers = 0;
      this.#search = {
        offset: this.#blocks.lowest,
        before: offset,
        times: hasMoved ? 0 : times + 1,
        next: progress.next,
      };
      return [];
    }
    if (!keys.length || this.#blocks.past(ranks.at(-1)) > 0) return this.#restart(answer);
    this.#search.offset = request.offset + Math.max(1, keys.length - 1);
    return [];
  }

  /** Among records that look the same, the last one is not in its place: its block is read again. */
  #rereadBlock(answer: Answer): number[] {
    const { progress } = this;
    const { again, inBlock, offsetWorks, recent } = progress;
    if (!this.#counts.isWronglyEmpty(answer)) this.#report();
    // Its block was read again before, and nothing was missing.
    if (offsetWorks === false && !again.length) throw this.#error("OFFSET_IGNORED");
    if (!this.#blocks.returnToBlock())
      throw this.#error(answer.keys.length ? "ORDER_CHANGED" : "RESULT_WINDOW");
    progress.offsetWorks = false;
    progress.again = [...again, ...recent.slice(-Number(inBlock))].slice(-RECENT);
    Object.assign(progress, { recent: [], block: null, inBlock: null });
    return [];
  }

  /** All that is known is gone: the list is read from its beginning, without what belongs before the last record. */
  #restart(answer: Answer): number[] {
    const { progress } = this;
    const { again, block, inBlock, recent, received } = progress;
    const isSorted = this.#blocks.isSorted();
    this.#search.next = 0;
    if (!this.#counts.isWronglyEmpty(answer)) this.#report();
    // The older records cannot all be gone, and of what another process has read, too little may be known.
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
