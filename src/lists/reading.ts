// Reads a list in steps, without I/O: which page to request next, and which records of the page that came are new.
import { ListError, type ListErrorReason } from "../errors/unfinished.ts";
import { BlockWindow, isWithin } from "./block-window.ts";
import { ListCount } from "./list-count.ts";
import {
  type Answer,
  isSame,
  type PageRequest,
  type Progress,
  type ReadingOptions,
  type Report,
} from "./progress.ts";
import { RecordSearch } from "./search.ts";
import type { SeenKeys } from "./seen-keys.ts";

/** How many keys are kept of what was read last. */
const RECENT = 80;
/** How often a page that does not fit is requested again: another replica may know more. */
const AGAIN = 2;
/** Answers in a row with nothing new: after each five the server is probed, after nine a search is given up, after 500 the list. */
const IDLE = { probe: 5, search: 9, reading: 500 };
/** An offset beyond the end of any list. */
const FAR = 10 ** 9;
/** Servers often return nothing after 10,000 records: before, blocks that were read are left out. */
const WINDOW = 10_000;

export class Reading {
  readonly options: ReadingOptions;
  readonly progress: Progress;
  readonly #blocks: BlockWindow;
  readonly #count: ListCount;
  readonly #search: RecordSearch;
  /** The keys of the records that were read; undefined if records may look the same. */
  readonly #seen: SeenKeys | undefined;
  /** Another process has read the beginning: of that, only `recent` is known. */
  readonly #isResumed: boolean;
  reports: Report[] = [];
  /** How many answers in a row had nothing new. */
  #idle = 0;
  /** How many answers in a row were to the same request. */
  #times = 0;
  #request: PageRequest | undefined;
  #longestPage = 0;

  constructor(options: ReadingOptions, progress: Progress, seen: SeenKeys | undefined) {
    this.options = options;
    this.progress = progress;
    this.#blocks = new BlockWindow(options, progress);
    this.#count = new ListCount(options, progress);
    this.#search = new RecordSearch(this.#blocks);
    this.#seen = seen;
    this.#isResumed = progress.received > 0;
  }

  /** The page to request. */
  get request(): PageRequest {
    const { limit } = this.options;
    const { next, range, recent, state } = this.progress;
    if (state === "searching") return { ...range, offset: this.#search.offset, limit };
    if (state === "closing" || state === "ended") return { ...range, offset: next, limit: 1 };
    if (state === "reading")
      return { ...range, offset: Math.max(0, next - Math.sign(recent.length)), limit };
    return this.#blocks.isTested
      ? { ...range, offset: FAR, limit: 1 }
      : { ...this.#blocks.otherBlocks, offset: 0, limit: 1 };
  }

  /** The page to request after `request` if the list continues and nothing moves; undefined if that is not known. */
  after(request: PageRequest): PageRequest | undefined {
    const step = Math.min(this.#longestPage, request.limit) - 1;
    const offset = request.offset + step;
    const isKnown = this.progress.state === "reading" && !this.#idle && step > 0;
    const isNarrower = this.#blocks.canNarrow && offset + request.limit > WINDOW;
    return isKnown && !isNarrower ? { ...request, offset } : undefined;
  }

  /** The indexes of the new records of a page. Throws a {@link ListError} if the server contradicts itself. */
  receive(given: Answer): number[] {
    const { progress } = this;
    this.reports = [];
    if (!progress.received && given.keys.length && !given.inBlocks) progress.blocksWork = false;
    // Times say nothing of a list that is read by blocks.
    const isRanked = given.inBlocks || progress.blocksWork === false;
    const answer = isRanked ? given : { ...given, ranks: given.ranks.map(() => Number.NaN) };
    this.#times = isSame(answer.request, this.#request) ? this.#times + 1 : 1;
    this.#request = answer.request;
    const taken = this.#judge(answer);
    this.#idle = taken.length ? 0 : this.#idle + 1;
    const { offsetWorks, state } = progress;
    if (state === "ended") return taken;
    if (this.#idle >= IDLE.reading) throw this.#error("NO_PROGRESS");
    // A probe would interrupt what is requested again: at the end of the list, or in a search.
    const mayProbe = state === "reading" || (state === "searching" && offsetWorks === null);
    if (this.#idle && this.#idle % IDLE.probe === 0 && mayProbe) progress.state = "probing";
    return taken;
  }

  /** The server refuses the page: continues in fewer blocks. Throws a {@link ListError} if that is not possible. */
  refuse(cause: unknown): void {
    const { progress } = this;
    if (progress.state === "probing") progress.offsetWorks ??= true;
    else if (!this.#blocks.narrow()) throw this.#error("RESULT_WINDOW", cause);
    progress.state = "reading";
  }

  #judge(answer: Answer): number[] {
    const { options, progress } = this;
    const { count, keys, request } = answer;
    if (answer.inBlocks && !answer.ranks.every((rank) => isWithin(rank, request)))
      return this.#readWithoutBlocks(answer);
    if (progress.state === "probing") return this.#judgeProbe(answer);
    this.#count.learn(answer);
    // Only their positions distinguish records that look the same: they are lost where more come than requested, or where what arrives moves them.
    const isLong = keys.length > request.limit;
    if (isLong && (options.hasEqualRecords || new Set(keys).size < keys.length))
      throw this.#error("OFFSET_IGNORED");
    if (options.hasEqualRecords && progress.recent.length && !this.#blocks.isFixed(count))
      throw this.#error("RANGE_IGNORED");
    if (this.#count.isWronglyEmpty(answer) && this.#times <= AGAIN) return [];
    const isClosing = progress.state === "closing" || progress.state === "ended";
    if (!keys.length && (isClosing || !progress.recent.length)) {
      this.#finish(answer);
      return [];
    }
    if (isClosing) return this.#reopen(answer);
    if (!progress.recent.length) return this.#take(answer, -1);
    const at = this.#find(answer);
    return at < 0 ? this.#miss(answer) : this.#continue(answer, at);
  }

  // ---- The page that should begin with the last record

  /** The index of the last record on a page; -1 if it is not there. One that may have its like must be in its place, and the count as before. */
  #find({ count, keys, request }: Answer): number {
    const { next, recent } = this.progress;
    const last = recent.at(-1) as number;
    const expected = next - 1 - request.offset;
    const isInPlace = keys[expected] === last;
    if (!this.options.hasEqualRecords) return isInPlace ? expected : keys.lastIndexOf(last);
    return isInPlace && this.#count.stays(count) ? expected : -1;
  }

  /** Continues after the last record, which is at an index of the page. */
  #continue(answer: Answer, at: number): number[] {
    const { options, progress } = this;
    const shift = answer.request.offset + at + 1 - progress.next;
    if (progress.state === "searching" && shift === 0) {
      if (this.#idle >= IDLE.search)
        throw this.#error(this.#search.beganEmpty ? "RESULT_WINDOW" : "OFFSET_IGNORED");
      progress.state = "reading";
      if (at === answer.keys.length - 1) return [];
    } else if (shift === 0 && progress.next > 1 && at < answer.keys.length - 1) {
      if (!options.hasEqualRecords) progress.offsetWorks ??= true;
      if (progress.narrowed) progress.blocksWork = true;
    }
    if (shift < 0 && progress.block !== null) this.#report(shift);
    return this.#take(answer, at);
  }

  /** Takes what is new on a page, after the last record read (at index `at`, -1 if all may be new), and decides how to continue. */
  #take(answer: Answer, at: number): number[] {
    const { progress } = this;
    const { keys, max, ranks, request } = answer;
    const isStart = !progress.recent.length;
    const isInPlace = request.offset + at + 1 === progress.next;
    // A record between two known ones was moved there: it is new if it is unknown.
    const known = keys.findIndex((_, index) => this.#isSeen(answer, index));
    const taken: number[] = [];
    let end = (known < 0 ? at : Math.min(known, at)) + 1;
    for (; end < keys.length && (end <= at || taken.length < max); end++) {
      const isNew = taken.length < max && this.#isNew(answer, end);
      if (isNew) taken.push(end);
      if (end > at && !this.#blocks.follow(Number(ranks[end]), isNew, request.offset + end))
        throw this.#error("ORDER_CHANGED");
    }
    const before = taken.filter((index) => index < at).map((index) => keys[index] as number);
    progress.recent = [...before, ...progress.recent, ...keys.slice(at + 1, end)].slice(-RECENT);
    const room = RECENT - progress.recent.length;
    if (this.#seen) progress.again = room ? progress.again.slice(-room) : [];
    progress.next = request.offset + end;
    progress.received += taken.length;
    this.#proceed(answer, end, isStart, isInPlace && at === keys.length - 1);
    return taken;
  }

  #isSeen({ checks, keys }: Answer, index: number): boolean {
    return this.#seen?.has(keys[index] as number, checks[index] as number) ?? false;
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

  /** Decides what follows a page that was read up to `end`. */
  #proceed(answer: Answer, end: number, isStart: boolean, isNothingNew: boolean): void {
    const { options, progress } = this;
    const { count, keys, request } = answer;
    const longest = this.#longestPage;
    progress.state = "reading";
    this.#longestPage = Math.max(longest, keys.length);
    if (end < keys.length) return;
    const isLast = keys.length < request.limit && (isStart || keys.length !== longest);
    if (isLast && this.#count.isReachedBy(count)) {
      this.#finish(answer);
      return;
    }
    if (isStart && options.hasEqualRecords) {
      this.#blocks.pin(answer.ranks);
      // If it is newest first, the range has all that was counted.
      if (Number(progress.steps) < 0) this.#count.stays(count);
    }
    if (isNothingNew || (keys.length < request.limit && (!longest || keys.length < longest)))
      progress.state = "closing";
    else if (this.#mustProbe) progress.state = "probing";
    else if (progress.next + options.limit > WINDOW) this.#blocks.narrow();
  }

  // ---- The end

  /** A record follows the last one, although the page before was short. */
  #reopen(answer: Answer): number[] {
    if (!this.#mustProbe && this.#blocks.past(answer.ranks[0]) >= 0) return this.#take(answer, -1);
    this.progress.state = this.#mustProbe ? "probing" : "reading";
    return [];
  }

  /** Nothing follows in this range. If the count promises more, another replica may have it. */
  #finish(answer: Answer): void {
    const { options, progress } = this;
    const { later, state } = progress;
    if (state === "ended") return;
    // Some counts stop at a limit: only a list of one page is known to be whole by its count.
    const isWhole = this.#count.missing === 0 && this.#count.received <= this.#longestPage;
    if (later !== null && isWithin(later, options) && !isWhole && !this.#blocks.isNewestFirst) {
      progress.range = { from: later, to: options.to };
      Object.assign(progress, { state: "reading", later: null, next: 0 });
      this.#forget();
      return;
    }
    const isShort = this.#count.isWronglyEmpty(answer) || this.#count.missing > 0;
    if (isShort && (this.#times <= AGAIN || this.#blocks.narrow())) return;
    progress.state = "ended";
    if (isShort) this.reports.push(this.#count.shortfall(answer));
  }

  /** The server returns other blocks than those requested: reads by `offset` alone, unless the caller chose the blocks. */
  #readWithoutBlocks({ count, ranks }: Answer): number[] {
    const isAsked = ranks.every((rank) => isWithin(rank, this.options));
    this.#blocks.widen();
    if (!isAsked || (this.options.hasEqualRecords && !this.#blocks.isFixed(count)))
      throw this.#error("RANGE_IGNORED");
    return [];
  }

  // ---- Probes: requests that show what a server ignores

  /** Among records that look the same, a page cannot show that blocks and `offset` were heeded. */
  get #mustProbe(): boolean {
    const { options, progress } = this;
    return options.hasEqualRecords && !(this.#blocks.isTested && progress.offsetWorks !== null);
  }

  #judgeProbe({ keys }: Answer): number[] {
    const { options, progress } = this;
    progress.state = "reading";
    if (!this.#blocks.isTested) progress.blocksWork = true;
    else if (!keys.length) progress.offsetWorks ??= true;
    else if (options.hasEqualRecords || progress.offsetWorks === null)
      throw this.#error("OFFSET_IGNORED");
    else if (!this.#blocks.narrow()) throw this.#error("RESULT_WINDOW");
    if (this.#mustProbe) progress.state = "probing";
    return [];
  }

  // ---- The search for the last record

  /** The last record is not on the page: the page is requested again, then those near where the record should be. */
  #miss(answer: Answer): number[] {
    const { options, progress } = this;
    const { length } = answer.keys;
    if (progress.state === "reading") {
      const isMoved = length > 0 && this.#isSeen(answer, length - 1);
      if (!isMoved && this.#times <= AGAIN) return [];
      if (progress.narrowed && progress.blocksWork === null) return this.#readWithoutBlocks(answer);
      if (!length && this.#blocks.narrow()) return [];
      if (options.hasEqualRecords) return this.#continueWithout(answer);
      progress.state = "searching";
      this.#search.begin(answer);
    }
    return this.#searchOn(answer);
  }

  /** Continues after the record that was read last of those on the page, or looks elsewhere. */
  #searchOn(answer: Answer): number[] {
    const known = answer.keys.findLastIndex((_, at) => this.#isSeen(answer, at));
    if (known >= 0 && known < answer.keys.length - 1) {
      if (this.#blocks.isProbablySorted) this.#report(undefined);
      return this.#take(answer, known);
    }
    const mayBeElsewhere = this.#search.next(answer, known >= 0, this.#longestPage);
    return mayBeElsewhere ? [] : this.#continueWithout(answer);
  }

  /** The last record is gone: what belongs after it is read, or, if records look the same, its block is read again. */
  #continueWithout(answer: Answer): number[] {
    const { options, progress } = this;
    const { again, recent, received } = progress;
    const first = answer.ranks.findIndex((rank) => this.#blocks.past(rank) >= 0);
    if (!this.#count.isWronglyEmpty(answer)) this.#report(undefined);
    progress.state = "reading";
    // A record was missing before, and was there when its block was read again.
    const wasReadAgain = progress.offsetWorks === false && !again.length;
    if (options.hasEqualRecords && wasReadAgain) throw this.#error("OFFSET_IGNORED");
    progress.offsetWorks = false;
    if (options.hasEqualRecords && this.#blocks.returnToBlock()) {
      const { inBlock } = progress;
      progress.again = [...again, ...recent.slice(-Number(inBlock))].slice(-RECENT);
    } else if (this.#blocks.isSorted && first >= 0 && !options.hasEqualRecords) {
      progress.block = null;
      progress.next = answer.request.offset + first;
      return this.#take(answer, first - 1);
    } else if (!options.hasEqualRecords && (!this.#isResumed || received <= recent.length)) {
      progress.next = this.#blocks.lowest;
    } else throw this.#error(answer.keys.length ? "ORDER_CHANGED" : "RESULT_WINDOW");
    this.#forget();
    return [];
  }

  /** The next page may begin with any record. */
  #forget(): void {
    const { progress } = this;
    if (this.#seen) progress.again = [...progress.again, ...progress.recent].slice(-RECENT);
    Object.assign(progress, { recent: [], block: null, inBlock: null });
  }

  #report(shift: number | undefined): void {
    const deep = shift === undefined;
    this.reports.push({ kind: "reorganisation", shift, position: this.#count.received, deep });
  }

  #error(reason: ListErrorReason, cause?: unknown): ListError {
    return new ListError(reason, { ...this.options.context, cause });
  }
}
