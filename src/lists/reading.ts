// Reads a list in steps, without I/O: which page to request next, and which records of the page that came are new.
import { ListError, type ListErrorReason } from "../errors/unfinished.ts";
import { BlockWindow, isWithin } from "./block-window.ts";
import {
  type Answer,
  isSame,
  type PageRequest,
  type Progress,
  type Range,
  type Report,
  type Wish,
} from "./progress.ts";
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
/** Some counts stop at a round number. */
const isRound = (count: number) => count >= 1000 && count % 1000 === 0;

export class Reading {
  readonly wish: Wish;
  readonly progress: Progress;
  readonly #blocks: BlockWindow;
  /** The keys of the records that were read, if keys are unique. */
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
  /** The most records that pages may have in common: half a page, or one if pages vary. */
  #mostOverlap = Number.POSITIVE_INFINITY;
  /** The key of the first record of the first page; undefined until there is one. */
  #firstKey: number | undefined;
  /** The newest count, and the range it is of. */
  #counted: { readonly range: Range; readonly count: number | null } | undefined;
  /** The offset at which a search looks. */
  #lookAt = 0;
  /** A search goes towards the end. */
  #isOnward = false;
  /** The page that a search began with was empty. */
  #wasEmpty = false;

  constructor(wish: Wish, progress: Progress, seen: SeenKeys | undefined) {
    this.wish = wish;
    this.progress = progress;
    this.#blocks = new BlockWindow(wish, progress);
    this.#seen = seen;
    this.#isResumed = progress.received > 0;
  }

  /** The page to request. */
  get request(): PageRequest {
    const { limit, to: end } = this.wish;
    const { next, range, state } = this.progress;
    if (state === "searching") return { ...range, offset: this.#lookAt, limit };
    if (state === "closing" || state === "ended") return { ...range, offset: next, limit: 1 };
    if (state === "reading") return { ...range, offset: Math.max(0, next - this.#overlap), limit };
    if (!this.#probesBlocks) return { ...range, offset: FAR, limit: 1 };
    const { from = 0, to = 0 } = range;
    // A server that ignores blocks answers with one outside of these: all but the newest that was read or, if there is no other, those after it.
    return to > from
      ? { from: range.from, to: to - 1, offset: 0, limit: 1 }
      : { from: to + 1, to: end, offset: 0, limit: 1 };
  }

  /** How many records a page has in common with the one before: one, or, among records that look the same and whose count shows no loss, all of them and the one before, at most `#mostOverlap`. */
  get #overlap(): number {
    const { countIsTotal, recent } = this.progress;
    const isCertain = !this.wish.repeats || countIsTotal;
    const isUnlike = (key: number) => isCertain || key !== recent.at(-1);
    const run = recent.length - 1 - recent.findLastIndex(isUnlike);
    return Math.min(recent.length, Math.max(1, run > 1 ? Math.min(run + 1, this.#mostOverlap) : 1));
  }

  /** The page to request after `request` if the list continues and nothing moves; undefined if that is not known. */
  after(request: PageRequest): PageRequest | undefined {
    const step = Math.min(this.#longestPage, request.limit) - 1;
    const offset = request.offset + step;
    if (this.progress.state !== "reading" || this.#idle || step < 1) return undefined;
    return this.#blocks.canNarrow && offset + request.limit > WINDOW
      ? undefined
      : { ...request, offset };
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
    if (progress.state === "ended") return taken;
    if (this.#idle >= IDLE.reading) throw this.#error("NO_PROGRESS");
    // A probe would interrupt what is requested again: at the end of the list, or in a search.
    const mayProbe =
      progress.state === "reading" ||
      (progress.state === "searching" && progress.offsetWorks === null);
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
    const { progress, wish } = this;
    const { count, keys, request } = answer;
    if (answer.inBlocks && !answer.ranks.every((rank) => isWithin(rank, request)))
      return this.#readWithoutBlocks(answer);
    if (progress.state === "probing") return this.#judgeProbe(answer);
    this.#learnCount(answer);
    // Only their positions distinguish records that look the same: they are lost where more come than requested, or where what arrives moves them.
    const isLong = keys.length > request.limit;
    if (isLong && (wish.repeats || new Set(keys).size < keys.length))
      throw this.#error("OFFSET_IGNORED");
    if (wish.repeats && progress.recent.length && !this.#blocks.isFixed(count))
      throw this.#error("RANGE_IGNORED");
    if (progress.state === "closing" || progress.state === "ended") return this.#close(answer);
    if (!progress.recent.length) return keys.length ? this.#take(answer, -1) : this.#finish(answer);
    const at = this.#find(answer);
    return at < 0 ? this.#miss(answer) : this.#found(answer, at);
  }

  #learnCount({ count, keys, request }: Answer): void {
    const { progress } = this;
    if (count === null) return;
    if (!progress.received) progress.promised ??= count;
    if (count > keys.length) progress.countIsTotal = true;
    else if (request.offset > 0 && keys.length) progress.countIsTotal = false;
  }

  // ---- The page that should begin with the last record

  /** The index of the last record on a page; -1 if it is not there, or, if it has its like, not in its place. */
  #find({ count, keys, request }: Answer): number {
    const { countIsTotal, later, next, range, recent } = this.progress;
    const last = recent.at(-1) as number;
    const expected = next - 1 - request.offset;
    if (!this.wish.repeats) return keys[expected] === last ? expected : keys.lastIndexOf(last);
    const before = this.#counted?.range === range ? this.#counted.count : count;
    if (countIsTotal && later !== null && before !== count) return -1;
    const tail = keys.slice(Math.max(0, expected + 1 - recent.length), expected + 1);
    const fits = expected in keys && tail.every((key, at) => key === recent.at(at - tail.length));
    if (fits) this.#counted = { range, count };
    if (!(expected in keys)) this.#mostOverlap = 1;
    return fits ? expected : -1;
  }

  #found(answer: Answer, at: number): number[] {
    const { progress, wish } = this;
    const shift = answer.request.offset + at + 1 - progress.next;
    if (progress.state === "searching" && shift === 0) {
      if (this.#idle >= IDLE.search)
        throw this.#error(this.#wasEmpty ? "RESULT_WINDOW" : "OFFSET_IGNORED");
      progress.state = "reading";
      if (at === answer.keys.length - 1) return [];
    } else if (shift === 0 && progress.next > 1 && at < answer.keys.length - 1) {
      if (!wish.repeats || !this.#isRun) progress.offsetWorks ??= true;
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
      const isFirst = end + request.offset === 0;
      if (end > at && !this.#blocks.follow(Number(ranks[end]), isNew, isFirst))
        throw this.#error("ORDER_CHANGED");
    }
    const before = taken.filter((index) => index < at).map((index) => keys[index] as number);
    progress.recent = [...before, ...progress.recent, ...keys.slice(at + 1, end)].slice(-RECENT);
    const room = RECENT - progress.recent.length;
    if (this.#seen) progress.again = room ? progress.again.slice(-room) : [];
    progress.next = request.offset + end;
    progress.received += taken.length;
    this.#isOnward = false;
    if (isStart) this.#firstKey = keys[0];
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
    const { progress, wish } = this;
    const { count, keys, request } = answer;
    const { countIsTotal, next } = progress;
    const longest = this.#longestPage;
    progress.state = "reading";
    this.#longestPage = Math.max(longest, keys.length);
    this.#mostOverlap = Math.min(this.#mostOverlap, this.#longestPage >> 1);
    if (end < keys.length) return;
    const isLast = keys.length < request.limit && (isStart || keys.length !== longest);
    if (countIsTotal && count === next && isLast && !isRound(next)) {
      this.#finish(answer);
      return;
    }
    if (isStart && wish.repeats) {
      this.#blocks.pin(answer.ranks);
      // If it is newest first, this is all.
      if (Number(progress.steps) < 0) this.#counted = { range: progress.range, count };
    }
    if (isNothingNew || (keys.length < request.limit && (!longest || keys.length < longest)))
      progress.state = "closing";
    else if (this.#mustProbe) progress.state = "probing";
    else if (next + wish.limit > WINDOW) this.#blocks.narrow();
  }

  // ---- The end

  /** The answer to whether anything follows the last record. */
  #close(answer: Answer): number[] {
    const { progress, wish } = this;
    if (!answer.keys.length) return this.#finish(answer);
    const mustProbe = wish.repeats && (this.#mustProbe || progress.offsetWorks === null);
    if (!mustProbe && this.#blocks.past(answer.ranks[0]) >= 0) return this.#take(answer, -1);
    progress.state = mustProbe ? "probing" : "reading";
    return [];
  }

  /** The page is empty, although the count says that there are records. */
  #isInVain({ count, keys, request }: Answer): boolean {
    return !keys.length && this.progress.countIsTotal && Number(count) > request.offset;
  }

  /** Nothing follows in this range. If the count promises more, another replica may have it. */
  #finish(answer: Answer): number[] {
    const { progress, wish } = this;
    const { countIsTotal, later, promised } = progress;
    if (progress.state === "ended") return [];
    const received = wish.offset + progress.received;
    const mayRetry = this.#times <= AGAIN;
    const isInVain = this.#isInVain(answer);
    if (isInVain && mayRetry) return [];
    // Some counts stop at a limit: only a list of one page is known to be whole by its count.
    const isWhole = countIsTotal && promised === received && received <= this.#longestPage;
    if (later !== null && isWithin(later, wish) && !isWhole && !this.#blocks.isNewestFirst) {
      Object.assign(progress, { state: "reading", later: null, next: 0, block: null });
      progress.range = { from: later, to: wish.to };
      this.#forget();
      return [];
    }
    const isShort = isInVain || (countIsTotal && Number(promised) > received);
    if (isShort && (mayRetry || this.#blocks.narrow())) return [];
    progress.state = "ended";
    if (isShort) {
      const most = Math.max(Number(promised), Number(answer.count));
      this.reports.push({ kind: "shortfall", promised: most, received });
    }
    return [];
  }

  /** The server returns other blocks than those requested: reads by `offset` alone, unless the caller chose the blocks. */
  #readWithoutBlocks({ count, ranks }: Answer): number[] {
    const isAsked = ranks.every((rank) => isWithin(rank, this.wish));
    this.#blocks.widen();
    if (!isAsked || (this.wish.repeats && !this.#blocks.isFixed(count)))
      throw this.#error("RANGE_IGNORED");
    return [];
  }

  // ---- Probes: requests that show what a server ignores

  /** The range begins with the like of the last record, so that a page cannot show that `offset` was heeded. */
  get #isRun(): boolean {
    return (this.#firstKey ?? this.progress.recent.at(-1)) === this.progress.recent.at(-1);
  }

  get #mustProbe(): boolean {
    const isRun = this.progress.next > 1 && this.progress.offsetWorks === null && this.#isRun;
    return this.wish.repeats && (this.#probesBlocks || isRun);
  }

  get #probesBlocks(): boolean {
    return this.progress.later !== null && this.progress.blocksWork === null;
  }

  #judgeProbe({ keys }: Answer): number[] {
    const { progress, wish } = this;
    progress.state = "reading";
    if (this.#probesBlocks) progress.blocksWork = true;
    else if (!keys.length) progress.offsetWorks ??= true;
    else if (wish.repeats || progress.offsetWorks === null) throw this.#error("OFFSET_IGNORED");
    else if (!this.#blocks.narrow()) throw this.#error("RESULT_WINDOW");
    if (this.#mustProbe) progress.state = "probing";
    return [];
  }

  // ---- The search for the last record

  /** The last record is not on the page: the page is requested again, then those near where the record should be. */
  #miss(answer: Answer): number[] {
    const { progress, wish } = this;
    const { keys } = answer;
    if (progress.state === "reading") {
      const isMoved = keys.length > 0 && this.#isSeen(answer, keys.length - 1);
      if (!isMoved && this.#times <= AGAIN) return [];
      if (progress.narrowed && progress.blocksWork === null) return this.#readWithoutBlocks(answer);
      if (!keys.length && this.#blocks.narrow()) return [];
      if (wish.repeats && progress.offsetWorks !== null) return this.#continueWithout(answer);
      progress.state = wish.repeats ? "probing" : "searching";
      this.#wasEmpty = !keys.length;
      this.#isOnward = false;
    }
    return wish.repeats ? [] : this.#search(answer);
  }

  /** Looks towards the beginning of the list, then onward from there; blocks or times show the direction if they order the list. */
  #search(answer: Answer): number[] {
    const { keys, ranks, request } = answer;
    const known = keys.findLastIndex((_, at) => this.#isSeen(answer, at));
    if (known >= 0 && known < keys.length - 1) {
      if (Math.abs(Number(this.progress.steps)) > 4) this.#report(undefined);
      return this.#take(answer, known);
    }
    if (this.#isInVain(answer) && this.#times <= AGAIN) return [];
    const [first, last] = [this.#blocks.past(ranks[0]), this.#blocks.past(ranks.at(-1))];
    const isAtBeginning = request.offset <= this.#lowest;
    const isAfter = !keys.length || (first >= 0 && last > 0);
    const isNowhere = isAfter && (isAtBeginning || (this.#isOnward && !keys.length));
    if (isNowhere || (first < 0 && last > 0)) return this.#continueWithout(answer);
    this.#isOnward = !isAfter && (this.#isOnward || known >= 0 || last < 0 || isAtBeginning);
    const page = Math.max(1, (this.#isOnward ? keys.length : this.#longestPage) - 1);
    const offset = request.offset + (this.#isOnward ? page : -page);
    this.#lookAt = Math.max(this.#lowest, offset);
    return [];
  }

  /** The position of the first record of the range that is wanted. */
  get #lowest(): number {
    return this.progress.narrowed ? 0 : this.wish.offset;
  }

  /** The last record is gone: what belongs after it is read, or, if records look the same, its block is read again. */
  #continueWithout(answer: Answer): number[] {
    const { progress, wish } = this;
    const { again, block, inBlock, range, recent, received, steps } = progress;
    const first = answer.ranks.findIndex((rank) => this.#blocks.past(rank) >= 0);
    if (!this.#isInVain(answer)) this.#report(undefined);
    progress.state = "reading";
    // What was missing before was there when it was read again.
    const wasThere = progress.offsetWorks === false && !again.length;
    if (wish.repeats && wasThere) throw this.#error("OFFSET_IGNORED");
    progress.offsetWorks = false;
    if (wish.repeats && this.#blocks.takesBlocks && block !== null && inBlock && steps !== null) {
      progress.range = steps > 0 ? { from: block, to: range.to } : { from: range.from, to: block };
      progress.narrowed ||= steps !== 0;
      progress.again = [...again, ...recent.slice(-inBlock)].slice(-RECENT);
      // What is not known of the block cannot be told from what is new.
      progress.next = Math.max(0, inBlock - recent.length);
    } else if (this.#blocks.isSorted && first >= 0 && !wish.repeats) {
      progress.block = null;
      progress.next = answer.request.offset + first;
      return this.#take(answer, first - 1);
    } else if (!wish.repeats && (!this.#isResumed || received <= recent.length)) {
      progress.next = this.#lowest;
    } else throw this.#error(answer.keys.length ? "ORDER_CHANGED" : "RESULT_WINDOW");
    this.#forget();
    return [];
  }

  /** The next page may begin with any record. */
  #forget(): void {
    const { progress } = this;
    if (this.#seen) progress.again = [...progress.again, ...progress.recent].slice(-RECENT);
    Object.assign(progress, { recent: [], block: null, inBlock: null });
    this.#isOnward = false;
  }

  #report(shift: number | undefined): void {
    const position = this.wish.offset + this.progress.received;
    this.reports.push({ kind: "reorganisation", shift, position, deep: shift === undefined });
  }

  #error(reason: ListErrorReason, cause?: unknown): ListError {
    return new ListError(reason, { ...this.wish.context, cause });
  }
}
