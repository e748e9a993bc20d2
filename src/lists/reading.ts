// Reads a list in steps, without I/O: which page to request next, and which records of the page that came are new.
import { ListError, type ListErrorReason } from "../errors/unfinished.ts";
import { Place } from "./place.ts";
import type { Answer, PageRequest, Progress, Range, Report, Wish } from "./progress.ts";
import type { SeenKeys } from "./seen-keys.ts";

/** How many keys are kept of what was read last. */
const RECENT = 80;
/** How often a page that does not fit is requested again: another replica may know more. */
const AGAIN = 2;
/** How often in a row the last record may be found in its place, although the page that should begin with it does not. */
const IN_VAIN = 3;
/** How many requests in a row may return nothing new. */
const IDLE = 500;
/** An offset beyond the end of any list. */
const FAR = 10 ** 9;
/** Pages requested ahead share a window of blocks until it reaches this position: servers often return nothing after 10,000. */
const LARGEST_OFFSET = 9000;

/** Some counts stop at a round number. */
const isRound = (count: number) => count >= 1000 && count % 1000 === 0;
const isWithin = (rank: number, { from = 0, to = Number.POSITIVE_INFINITY }: Range) =>
  rank >= from && rank <= to;

export class Reading {
  readonly wish: Wish;
  readonly progress: Progress;
  readonly #place: Place;
  /** The keys of the records that were read, if keys are unique. */
  readonly #seen: SeenKeys | undefined;
  /** Another process has read the beginning: of that, only `recent` is known. */
  readonly #isResumed: boolean;
  reports: Report[] = [];
  /** How often in a row: the same page was requested, a search was in vain, two offsets returned one page, nothing was new. */
  #again = 0;
  #ends = 0;
  #inVain = 0;
  #alike = 0;
  #idle = 0;
  /** Where a search looks, and whether it is past the beginning of the list or of a page known to come too early. */
  #lookAt = 0;
  #isOnward = false;
  /** The page that should begin with the last record had others. */
  #hasMissed = false;
  #lastPage: Answer | undefined;
  /** The last count in the range, if it is known. */
  #rangeCount: number | null = null;

  constructor(wish: Wish, progress: Progress, seen: SeenKeys | undefined) {
    this.wish = wish;
    this.progress = progress;
    this.#place = new Place(wish, progress);
    this.#seen = seen;
    this.#isResumed = progress.received > 0;
    const isFirstRange = progress.laterLeft && progress.range.from === wish.from;
    if (isFirstRange && Number(progress.steps) < 0) this.#rangeCount = progress.promised;
  }

  /** The page to request. */
  get request(): PageRequest {
    const { limit } = this.wish;
    const { next, range, recent, state } = this.progress;
    if (state === "searching") return { ...range, offset: this.#lookAt, limit };
    if (state === "probing") return this.#probe;
    if (state !== "reading") return { ...range, offset: next, limit: 1 };
    return { ...range, offset: Math.max(0, next - (recent.length && 1)), limit };
  }

  /** The page to request after `request` if the list continues and nothing moves; undefined if that is not known. */
  after(request: PageRequest): PageRequest | undefined {
    const { longestPage, state } = this.progress;
    const step = Math.min(longestPage, request.limit) - 1;
    if (state !== "reading" || this.#again || step < 1) return undefined;
    const offset = request.offset + step;
    return this.#place.isSorted && offset > LARGEST_OFFSET ? undefined : { ...request, offset };
  }

  /** The indexes of the new records of a page. Throws a {@link ListError} if the server contradicts itself. */
  receive(answer: Answer): number[] {
    const { progress } = this;
    this.reports = [];
    const taken = this.#judge(answer);
    this.#lastPage = answer;
    if (taken.length) this.#ends = this.#inVain = this.#alike = 0;
    this.#idle = taken.length ? 0 : this.#idle + 1;
    if (this.#idle >= IDLE && progress.state !== "ended") throw this.#error("NO_PROGRESS");
    return taken;
  }

  /** The server refuses the page: continues in fewer blocks. Throws a {@link ListError} if that is not possible. */
  refuse(cause: unknown): void {
    const { progress } = this;
    if (progress.state === "probing") progress.offsetWorks = true;
    else if (!this.#narrow()) throw this.#error("RESULT_WINDOW", cause);
    progress.state = "reading";
  }

  #judge(answer: Answer): number[] {
    const { progress, wish } = this;
    const { keys, request } = answer;
    if (keys.length) this.#place.isNamed = answer.inBlocks;
    if (answer.inBlocks && !answer.ranks.every((rank) => isWithin(rank, request)))
      return this.#readWithoutBlocks(answer);
    if (progress.state === "probing") return this.#judgeProbe(answer);
    this.#learnCount(answer);
    // Nothing but their positions distinguishes records that look the same.
    if (wish.repeats && keys.length > request.limit) throw this.#error("OFFSET_IGNORED");
    if (
      wish.repeats &&
      !this.#place.isAnchored &&
      progress.received &&
      !this.#place.isStill(answer.count)
    )
      throw this.#error("RANGE_IGNORED");
    if (this.#isAlike(answer)) return this.#startProbe();
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

  /** The count says that there are records at the position requested, or after it. */
  #promisesMore({ count, request }: Answer): boolean {
    return this.progress.countIsTotal && Number(count) > request.offset;
  }

  // ---- The page that should begin with the last record

  /** The index of the last record on a page; -1 if it is not there, or, if it has its like, not in its place. */
  #find({ count, keys, request }: Answer): number {
    const { countIsTotal, next, recent, steps } = this.progress;
    const last = recent.at(-1) as number;
    const expected = next - 1 - request.offset;
    if (!this.wish.repeats) return keys[expected] === last ? expected : keys.lastIndexOf(last);
    const counted = this.#rangeCount;
    if (countIsTotal && Number(steps) <= 0 && counted !== null && counted !== count) return -1;
    this.#rangeCount = count;
    const tail = keys.slice(Math.max(0, expected + 1 - recent.length), expected + 1);
    const fits = expected in keys && tail.every((key, at) => key === recent.at(at - tail.length));
    return fits ? expected : -1;
  }

  #found(answer: Answer, at: number): number[] {
    const { progress, wish } = this;
    const shift = answer.request.offset + at + 1 - progress.next;
    const isInVain = progress.state === "searching" && shift === 0;
    if (isInVain && ++this.#inVain >= IN_VAIN)
      throw this.#error(this.#hasMissed ? "OFFSET_IGNORED" : "RESULT_WINDOW");
    if (isInVain && at === answer.keys.length - 1) {
      progress.state = "reading";
      return [];
    }
    if (shift < 0 && progress.block !== null) this.#report(shift);
    // The first page of a range, too, would begin with the last record if all of it looked the same.
    const begins = progress.recent.at(-Math.min(progress.next, RECENT + 1));
    if (!shift && progress.next > 1 && (!wish.repeats || begins !== progress.recent.at(-1)))
      progress.offsetWorks ||= at < answer.keys.length - 1 && progress.state === "reading";
    if (!shift && this.#place.isAnchored && !(wish.repeats && progress.laterLeft))
      progress.blocksWork ??= true;
    return this.#take(answer, at);
  }

  /** Takes what is new on a page of which `at` is the last record, and decides how to continue. */
  #take(answer: Answer, at: number): number[] {
    const { progress, wish } = this;
    const { keys, max, ranks, request } = answer;
    const isStart = progress.recent.length === 0;
    const isInPlace = request.offset + at + 1 === progress.next;
    // A record between two known ones was moved there: it is new if it is unknown.
    const known = wish.repeats ? -1 : keys.findIndex((_, index) => this.#isSeen(answer, index));
    const taken: number[] = [];
    let end = known < 0 ? at + 1 : Math.min(known, at) + 1;
    for (; end < keys.length && (end <= at || taken.length < max); end++)
      if (taken.length < max && this.#isNew(answer, end)) taken.push(end);
    for (let index = at + 1, nth = 0; index < end; index++) {
      while (Number(taken[nth]) < index) nth++;
      const isFirst = index === 0 && request.offset === 0;
      if (!this.#place.follow(Number(ranks[index]), taken[nth] === index, isFirst))
        throw this.#error("ORDER_CHANGED");
    }
    const before = taken.filter((index) => index < at).map((index) => keys[index] as number);
    const others =
      at < 0 ? progress.recent : progress.recent.filter((key) => wish.repeats || key !== keys[at]);
    const read = keys.slice(wish.repeats ? at + 1 : Math.max(0, at), end);
    progress.recent = [...others, ...before, ...read].slice(-RECENT);
    progress.next = request.offset + end;
    progress.received += taken.length;
    this.#again = 0;
    this.#isOnward = false;
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
    const { countIsTotal, longestPage, next } = progress;
    const isShort = keys.length < request.limit && (!longestPage || keys.length < longestPage);
    progress.state = "reading";
    progress.longestPage = Math.max(longestPage, keys.length);
    if (end < keys.length) return;
    const isLast = keys.length < wish.limit && (isStart || keys.length !== longestPage);
    if (countIsTotal && count === next && isLast && !isRound(next)) {
      this.#finish(answer);
      return;
    }
    const mayBeAll = isShort || isNothingNew;
    const isAhead = wish.ahead && progress.blocksWork !== null;
    if (mayBeAll || (isAhead && next + wish.limit <= LARGEST_OFFSET) || !this.#narrow())
      if (isStart && this.#place.pin(answer.ranks))
        // If it is newest first, this is all.
        this.#rangeCount = Number(progress.steps) < 0 ? count : null;
    if (mayBeAll) progress.state = "closing";
    else if (this.#mustProbe) progress.state = "probing";
  }

  // ---- The end

  /** The page after the last record: that nothing follows, or what does. */
  #close(answer: Answer): number[] {
    const { progress, wish } = this;
    if (!answer.keys.length) return this.#finish(answer);
    const isUnproven = this.#place.isAnchored && progress.blocksWork === null;
    if (wish.repeats && (isUnproven || !progress.offsetWorks)) return this.#startProbe();
    const isMoved =
      (this.#place.isAnchored && this.#isSeen(answer, 0)) || this.#place.past(answer.ranks[0]) < 0;
    if (!isMoved && !isUnproven) return this.#take(answer, -1);
    progress.state = "reading";
    return [];
  }

  /** Nothing follows in this range. If the count promises more, another replica may have it. */
  #finish(answer: Answer): number[] {
    const { progress, wish } = this;
    if (progress.state === "ended") return [];
    const { countIsTotal, promised, range } = progress;
    const received = wish.offset + progress.received;
    const isCounted = countIsTotal && promised !== null;
    const isShort =
      (isCounted && promised > received) || (!answer.keys.length && this.#promisesMore(answer));
    // The count of a longer list may have stopped there.
    const isWhole = isCounted && promised === received && received <= progress.longestPage;
    // Another replica, or the next answer, may have it.
    const isEmptyInVain = !answer.keys.length && this.#promisesMore(answer);
    if (isEmptyInVain && ++this.#ends <= AGAIN) return [];
    if (progress.laterLeft && !isWhole && !this.#place.isNewestFirst) {
      Object.assign(progress, { state: "reading", laterLeft: false, next: 0, block: null });
      progress.range = { from: Number(range.to) + 1, to: wish.to };
      this.#forget();
      return [];
    }
    if (isShort && ++this.#ends <= AGAIN) return [];
    if ((isShort || (wish.ahead && !isWhole)) && this.#narrow()) {
      progress.state = "reading";
      return [];
    }
    progress.state = "ended";
    if (isShort)
      this.reports.push({
        kind: "shortfall",
        promised: Math.max(Number(promised), Number(answer.count)),
        received,
      });
    return [];
  }

  // ---- Windows of blocks

  #narrow(): boolean {
    if (!this.#place.narrow()) return false;
    this.#rangeCount = null;
    this.#again = 0;
    return true;
  }

  /** The server returns other blocks than those requested: reads by `offset` alone, unless the caller chose the blocks. */
  #readWithoutBlocks({ count, ranks }: Answer): number[] {
    const { progress, wish } = this;
    const isAsked = ranks.every((rank) => isWithin(rank, wish));
    if (!isAsked || (wish.repeats && !this.#place.isStill(count)))
      throw this.#error("RANGE_IGNORED");
    Object.assign(progress, { state: "reading", blocksWork: false, laterLeft: false });
    progress.range = { from: wish.from, to: wish.to };
    progress.next = wish.offset + progress.received;
    this.#again = 0;
    return [];
  }

  // ---- Probes: requests that show what a server ignores

  /** Records look the same, so that the next page cannot show by itself that blocks and `offset` were heeded. */
  get #mustProbe(): boolean {
    const { inBlock, next, offsetWorks, recent } = this.progress;
    const begins =
      next > RECENT ? (inBlock === next ? recent.at(-1) : undefined) : recent.at(-next);
    const isRun = next > 1 && !offsetWorks && begins === recent.at(-1);
    return this.wish.repeats && (this.#probesBlocks || isRun);
  }

  get #probesBlocks(): boolean {
    return this.progress.laterLeft && this.progress.blocksWork === null;
  }

  get #probe(): PageRequest {
    const { from, to = 0 } = this.progress.range;
    if (!this.#probesBlocks) return { from, to: this.progress.range.to, offset: FAR, limit: 1 };
    // Without the newest block that was read, or, if there is no other, with nothing else.
    const others = to > (from ?? 0) ? { from, to: to - 1 } : { from: to + 1, to: this.wish.to };
    return { ...others, offset: 0, limit: 1 };
  }

  #startProbe(): number[] {
    this.progress.state = "probing";
    return [];
  }

  #judgeProbe({ keys }: Answer): number[] {
    const { progress, wish } = this;
    if (this.#probesBlocks) progress.blocksWork = true;
    else if (!keys.length) progress.offsetWorks = true;
    else if (wish.repeats || !progress.offsetWorks) throw this.#error("OFFSET_IGNORED");
    else if (!this.#narrow()) throw this.#error("RESULT_WINDOW");
    progress.state = this.#mustProbe ? "probing" : "reading";
    return [];
  }

  /** Two offsets returned the same page, and then a third one did, although all of its records are known. */
  #isAlike(answer: Answer): boolean {
    const before = this.#lastPage;
    if (!this.#seen || !before || before.request.offset === answer.request.offset) return false;
    const isAlike = answer.keys.length > 0 && `${answer.keys}` === `${before.keys}`;
    this.#alike = isAlike && this.#isSeen(answer, answer.keys.length - 1) ? this.#alike + 1 : 0;
    if (this.#alike < 2) return false;
    this.#alike = 0;
    return true;
  }

  // ---- The search for the last record

  /** The last record is not on the page: the page is requested again, then those near where the record should be. */
  #miss(answer: Answer): number[] {
    const { progress } = this;
    if (progress.state === "reading") {
      const moved = this.#positionBy(answer);
      if (moved === undefined && ++this.#again <= AGAIN) return [];
      if (this.#place.isAnchored && progress.blocksWork === null)
        return this.#readWithoutBlocks(answer);
      if (!answer.keys.length && this.#narrow()) return [];
      progress.state = "searching";
      this.#hasMissed = answer.keys.length > 0;
      this.#isOnward = false;
      this.#again = 0;
      if (moved !== undefined) {
        this.#lookAt = moved;
        return [];
      }
    }
    return this.#search(answer);
  }

  /** Where the last record should be, if the count shows that others have arrived before it. */
  #positionBy({ count, keys }: Answer): number | undefined {
    const { countIsTotal, next, steps } = this.progress;
    const before = this.#lastPage?.count ?? null;
    if (!countIsTotal || !keys.length || count === null || before === null) return undefined;
    if (this.#place.isAnchored || Number(steps) > 0 || count <= before) return undefined;
    return next - 1 + count - before;
  }

  /** Looks towards the beginning of the list, then onward from there; blocks or times show the direction if they order the list. */
  #search(answer: Answer): number[] {
    const { keys, ranks, request } = answer;
    const lowest = this.#place.isAnchored ? 0 : this.wish.offset;
    const known = this.wish.repeats ? -1 : keys.findLastIndex((_, at) => this.#isSeen(answer, at));
    const onward = request.offset + Math.max(1, keys.length - 1);
    if (known >= 0 && known < keys.length - 1) {
      if (Math.abs(this.progress.steps ?? 0) > 4) this.#report(undefined);
      return this.#take(answer, known);
    }
    if (this.#promisesMore(answer) && !keys.length && ++this.#again <= AGAIN) return [];
    this.#again = 0;
    const first = this.#place.past(ranks[0]);
    const last = this.#place.past(ranks.at(-1));
    const isBefore = known >= 0 || last < 0;
    const isAfter = !keys.length || first > 0;
    if ((first < 0 && last > 0) || (isAfter && (this.#isOnward || request.offset <= lowest)))
      return this.#continueWithout(answer);
    this.#isOnward ||= isBefore || (!isAfter && request.offset <= lowest);
    const back = request.offset - Math.max(1, this.progress.longestPage - 1);
    this.#lookAt = this.#isOnward ? onward : Math.max(lowest, back);
    return [];
  }

  /** The last record is gone: its block is read again, or else what belongs after it is read. */
  #continueWithout(answer: Answer): number[] {
    const { progress, wish } = this;
    const { again, block, blocksWork, inBlock, laterLeft, range, recent, received, steps } =
      progress;
    const first = answer.ranks.findIndex((rank) => this.#place.past(rank) >= 0);
    const isKnown = this.#seen !== undefined && !this.#isResumed;
    this.#report(undefined);
    progress.state = "reading";
    progress.inBlock = progress.block = null;
    if (
      this.#place.takesBlocks &&
      blocksWork !== false &&
      block !== null &&
      inBlock !== null &&
      steps !== null
    ) {
      progress.range = steps > 0 ? { from: block, to: range.to } : { from: range.from, to: block };
      progress.laterLeft = laterLeft && steps === 0;
      if (wish.repeats) progress.again = [...again, ...recent.slice(-inBlock)].slice(-RECENT);
      // What is not known of the block cannot be told from what is new.
      progress.next = isKnown ? 0 : Math.max(0, inBlock - recent.length);
    } else if (this.#place.isSorted && first >= 0) {
      progress.next = answer.request.offset + first;
      return this.#take(answer, first - 1);
    } else if (!wish.repeats && (isKnown || received <= recent.length)) {
      progress.next = this.#place.isAnchored ? 0 : wish.offset;
    } else throw this.#error(answer.keys.length ? "ORDER_CHANGED" : "RESULT_WINDOW");
    this.#forget();
    return [];
  }

  /** The next page may begin with any record. */
  #forget(): void {
    const { again, recent } = this.progress;
    if (this.#seen) this.progress.again = [...again, ...recent].slice(-RECENT);
    this.progress.recent = [];
    this.#isOnward = false;
    this.#lastPage = undefined;
    this.#rangeCount = null;
  }

  #report(shift: number | undefined): void {
    const position = this.wish.offset + this.progress.received;
    this.reports.push({ kind: "reorganisation", shift, position, deep: shift === undefined });
  }

  #error(reason: ListErrorReason, cause?: unknown): ListError {
    return new ListError(reason, { ...this.wish.context, cause });
  }
}
