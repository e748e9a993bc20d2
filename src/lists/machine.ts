// Reads a list: a machine of plain data. Its next state, the next request and the new records follow from an answer.
import type { ListProfile } from "../contract/list-profile.ts";

/** Blocks, both ends included; undefined where there is no bound. */
export interface Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** What is in it arrived later if the list turns out to be newest first. */
  readonly late?: boolean | undefined;
}

/** A page to request. */
export interface PageRequest extends Range {
  readonly offset: number;
  readonly limit: number;
}

/** A page that arrived. */
export interface Answer {
  readonly request: PageRequest;
  /** The keys of its records: equal for equal records, and for no others unless the list `repeats` them. */
  readonly keys: readonly number[];
  /** What orders its records: their blocks, else their times; NaN for those that have neither. */
  readonly ranks: readonly number[];
  /** Which of its records were yielded before, as far as the reader remembers. */
  readonly known: readonly boolean[];
  /** The ranks are blocks. */
  readonly inBlocks: boolean;
  readonly count: number | null;
  /** The server answered with an error instead. */
  readonly refused?: boolean;
  /** The most records to take. */
  readonly max?: number;
}

/** What the caller wants to read. */
export interface Wish extends Range {
  /** The largest page to request. */
  readonly limit: number;
  /** The position of the first record. */
  readonly start: number;
  /** The operation takes `startBlock` and `endBlock`. */
  readonly blocks: boolean;
  /** Different records may have the same key. */
  readonly repeats: boolean;
  /** Pages are requested ahead. */
  readonly ahead: boolean;
}

/** What all states share. */
export interface Progress {
  readonly wish: Wish;
  profile: ListProfile;
  /** The part of the list to read, if it is not the whole. */
  readonly part?: Range | undefined;
  /** The blocks that are read, and those to read after them. */
  range: Range;
  rest: readonly Range[];
  /** Which end of the range excludes blocks that were read to their end: -1 the last block, 1 the first. */
  cut: -1 | 0 | 1;
  /** The largest page to request. */
  limit: number;
  /** The position in the range of the next record, as far as is known. */
  next: number;
  /** How many records were yielded. */
  read: number;
  /** The reader has forgotten records that were yielded: another process yielded them. */
  forgot: boolean;
  /** The keys of the last records read, oldest first; the last of them is at `next` - 1. */
  keys: readonly number[];
  /** Keys that repeat, of records that were read and are read again. */
  missing: readonly number[];
  /** Block or time of the last record read, and how many of its block were read; undefined if unknown. */
  rank: number | undefined;
  inRank: number | undefined;
  /** The lowest and the highest block read in the range. */
  lowest: number | undefined;
  highest: number | undefined;
  /** How often a new record was of a later block than the one ahead of it, less the opposite. */
  steps: number;
  /** A page showed both: blocks do not order the list. */
  mixed: boolean;
  /** Records name their blocks. */
  named: boolean;
  /** The server ignores `startBlock` and `endBlock`, or names no blocks. */
  unblocked: boolean;
  /** The length of the longest page. */
  longest: number;
  /** The first count, and the one expected for this range. */
  promised: number | null;
  total: number | null;
  /** Every count was the length of its page. */
  pageish: boolean;
  /** The list changes while it is read. */
  moves: boolean;
  /** The list ended before its count. */
  short: boolean;
  /** A bound was widened, and the next page has to show that it needed to be. */
  trial: boolean;
  /** The offset of the last page, and a digest of its keys. */
  page: readonly [offset: number, digest: number] | undefined;
  /** The length of the next page if the list continues. */
  expected: number;
  /** How often in a row: the same page was requested, the end was requested, nothing followed, two offsets returned one page. */
  again: number;
  checks: number;
  edges: number;
  same: number;
  /** How often in a row the last record was in its place after all, with nothing after it. */
  holes: number;
  /** How many requests in a row returned nothing new. */
  idle: number;
}

/** What the next page is to show. */
type Phase =
  /** No record of the range is read. */
  | { readonly at: "start" }
  /** It begins with known records. */
  | { readonly at: "overlap" }
  /** It begins after the last record. `sure`: the page before was the last if nothing follows. `key`: expected, and confirmed. */
  | { readonly at: "bare"; readonly sure?: boolean; readonly candidate?: Candidate }
  /** The last record is in its place, so that what a bare page began with follows it. */
  | { readonly at: "confirm"; readonly candidate: Candidate }
  /** Nothing known is where it was: it is looked for towards the start of the list; if nothing orders the list, then `onwards`. */
  | { readonly at: "search"; readonly offset: number; readonly onwards?: boolean }
  /** The same page again, from another offset: the server reaches no further. */
  | { readonly at: "probe"; readonly offset: number }
  /** Where keys repeat and few records showed the order: nothing is left in blocks that are to be left out. */
  | { readonly at: "proof" }
  /** Whether `offset` is the number of a page; where all records look the same, whether it is heeded `far` away. */
  | { readonly at: "pages"; readonly far?: number }
  | { readonly at: "end" };

/** What a page began with that had no room for known records. */
interface Candidate {
  readonly key: number | undefined;
}

/** The state of reading a list: plain data, which a cursor holds. */
export type State = Phase & { readonly progress: Readonly<Progress> };

/** What an answer leads to. */
export interface Step {
  readonly state: State;
  /** The page to request next; undefined at the end of the list. */
  readonly request: PageRequest | undefined;
  readonly done: boolean;
  /** The indexes of the new records. */
  readonly records: readonly number[];
  readonly reports: readonly Report[];
}

/** Something to report to the caller. */
export type Report =
  | { readonly kind: "reorganisation"; readonly shift: number | undefined; readonly deep: boolean }
  | { readonly kind: "shortfall"; readonly promised: number; readonly received: number }
  /** The list cannot be read on. */
  | { readonly kind: "failure"; readonly reason: Failure };

export type Failure = "OFFSET_IGNORED" | "RESULT_WINDOW" | "NO_PROGRESS";

/** How many keys a state remembers. */
const REMEMBERED = 32;
/** Steps in one direction that show the order of a list: another order shows them in one of two million lists. */
const MIN_STEPS = 9;
/** How often to request a page again that misses what is known: another replica may know it. */
const MAX_AGAIN = 2;
/** Short pages in a row that end with the last record, and mean the end although new records keep moving it. */
const MAX_EDGES = 10;
/** Equal pages that show that the server does not reach further. */
const MAX_SAME = 8;
/** How many requests in a row may return nothing new. */
const MAX_IDLE = 1000;
/** Where pages are requested ahead, blocks are left out once positions come near the usual limit of 10,000. */
const MAX_NEXT = 9000;
/** The upper half of all blocks begins here, if nothing shows where they end. */
const HALF_OF_ALL = 2 ** 22;

/** The state in which nothing is read. */
export function begin(wish: Wish, profile: ListProfile = {}): State {
  const { from, to, limit, start, blocks } = wish;
  const progress: Progress = {
    ...{ wish, profile, range: { from, to }, rest: [], cut: 0, limit, next: start, read: 0 },
    ...{
      forgot: false,
      keys: [],
      missing: [],
      steps: 0,
      mixed: false,
      named: false,
    },
    ...{ rank: undefined, inRank: undefined, lowest: undefined, highest: undefined, longest: 0 },
    ...{ unblocked: !blocks || profile.endBlock === "ignored", promised: null, total: null },
    ...{ pageish: true, moves: false, short: false, trial: false, page: undefined },
    ...{ expected: 0, again: 0, checks: 0, edges: 0, same: 0, holes: 0, idle: 0 },
  };
  return { at: "start", progress };
}

/** A step in progress: its input and its results. */
interface Move {
  readonly c: Progress;
  readonly page: Answer;
  readonly records: number[];
  readonly reports: Report[];
}

const OVERLAP: Phase = { at: "overlap" };

/** The next state, for an answer to the state's request. */
export function step(state: State, answer: Answer): Step {
  const c: Progress = { ...state.progress };
  const m: Move = { c, page: answer, records: [], reports: [] };
  let phase = answer.refused ? refused(m, state) : receive(m, state);
  const { records, reports } = m;
  c.idle++;
  if (phase.at !== "end" && c.idle >= MAX_IDLE) phase = fail(m, "NO_PROGRESS");
  const next: State = { ...phase, progress: c };
  const done = phase.at === "end";
  return { state: next, request: done ? undefined : requestOf(next), done, records, reports };
}

/** The page that a state requests. */
export function requestOf(state: State): PageRequest {
  const { progress: c } = state;
  const { keys, limit, next, range } = c;
  switch (state.at) {
    case "start":
      return { ...range, offset: next, limit };
    case "overlap":
      return fitting(c, next - overlapOf(c));
    case "search":
    case "probe":
      return fitting(c, state.offset);
    case "confirm":
      return { ...range, offset: next - 1, limit: c.profile.offset === "pages" ? 1 : limit };
    case "proof": {
      const { inRank = 0, rank = 0 } = c;
      const look =
        c.steps < 0 ? { from: rank + 1, to: range.to } : { from: range.from, to: rank - 1 };
      // Where there is room, with the last record that was read there.
      const known = limit > 1 && inRank < keys.length ? 1 : 0;
      return { ...look, offset: next - inRank - known, limit: 1 + known };
    }
    case "pages":
      return { ...range, offset: state.far ?? 1, limit };
    default:
      return fitting(c, next);
  }
}

/** A page that begins at a position; where `offset` is the number of a page, the one that reaches furthest of those that hold it. */
function fitting({ limit, profile, range }: Progress, position: number): PageRequest {
  const at = Math.max(0, position);
  if (profile.offset !== "pages") return { ...range, offset: at, limit };
  let best = { ...range, offset: at, limit: 1 };
  for (let size = 2; size <= limit; size++) {
    const offset = at - (at % size);
    if (offset + size > best.offset + best.limit) best = { ...range, offset, limit: size };
  }
  return best;
}

/** How many known records fit on a page with a new one. */
const roomOf = ({ limit, longest }: Progress) => Math.min(limit, longest) - 1;

/** How many known records the next page begins with. */
const overlapOf = (c: Progress) => (c.keys.length && c.next > lowOf(c) ? 1 : 0);

/** The direction in which blocks run: -1 newest first, 1 oldest first, 0 unknown or none. */
const orderOf = ({ mixed, steps }: Progress) => (mixed ? 0 : Math.sign(steps));
const isOrdered = ({ mixed, steps }: Progress) => !mixed && Math.abs(steps) >= MIN_STEPS;
/** The first position to read. */
const lowOf = ({ cut, wish }: Progress) => (cut ? 0 : wish.start);

function receive(m: Move, state: State): Phase {
  const { c, page } = m;
  learn(m);
  if (ignoresBlocks(c, page)) return unblock(c);
  if (isWider(c, page)) return state.at === "start" ? { at: "start" } : OVERLAP;
  switch (state.at) {
    case "start":
      return start(m);
    case "overlap":
    case "probe":
    case "search":
      return align(m, state);
    case "bare":
      return bare(m, state);
    case "confirm":
      return confirm(m, state);
    case "proof":
      return judgeProof(m);
    case "pages":
      return judgeOffset(m, state.far !== undefined);
    case "end":
      return page.keys.length ? bare(m, { at: "bare" }) : { at: "end" };
  }
}

/** Learns from any page how long pages are, how they are ordered, and whether two offsets return the same page. */
function learn({ c, page: { count, inBlocks, keys, request } }: Move): void {
  // The count of the blocks that were not left out, too: it is that of the list.
  if (c.cut && !c.page && !c.pageish && c.total !== null && count === c.total)
    c.profile = { ...c.profile, count: "list" };
  c.longest = Math.max(c.longest, keys.length);
  c.expected = keys.length >= request.limit ? request.limit : c.read ? keys.length : 0;
  if (keys.length > (c.profile.largestPage ?? 0))
    c.profile = { ...c.profile, largestPage: keys.length };
  if (keys.length) c.named = inBlocks;
  if (keys.length && count !== keys.length) c.pageish = false;
  const digest = keys.reduce((sum, key) => (sum * 31 + key) % Number.MAX_SAFE_INTEGER, keys.length);
  const [offset, last] = c.page ?? [];
  if (offset !== request.offset) c.same = tells(c, keys) && last === digest ? c.same + 1 : 0;
  c.page = [request.offset, digest];
}

/** Whether these keys distinguish positions. */
const tells = (c: Progress, keys: readonly number[]) =>
  keys.length > 0 && (!c.wish.repeats || new Set(keys).size > 1);

/** By records, all but one of the page at an offset of 1 are known; far away there are none. */
function judgeOffset({ c, page: { keys } }: Move, isFar: boolean): Phase {
  const otherwise = isFar ? "ignored" : "pages";
  const isByRecord = isFar ? !keys.length : keys.some((key) => c.keys.includes(key));
  c.profile = { ...c.profile, offset: isByRecord ? "records" : otherwise };
  return OVERLAP;
}

/** In a stable order what is left in the blocks comes after what was read there; if that is gone, there was a reorganisation. */
function judgeProof({ c, page: { keys, request } }: Move): Phase {
  const known = request.limit - 1;
  const isSame = known && keys[0] === c.keys.at(-1 - (c.inRank ?? 0));
  if (known ? !isSame || keys.length === 1 : !keys.length) return cut(c);
  c.mixed = true;
  return isFixed(c) ? readAgain(c) : OVERLAP;
}

/** The bounds of the blocks that the caller wants. */
const askedOf = ({ part, wish }: Progress): Range => part ?? wish;

/** Whether the server sends records far outside the blocks that were narrowed. */
function ignoresBlocks(c: Progress, { inBlocks, ranks, request: { from, to } }: Answer): boolean {
  const asked = askedOf(c);
  if (!inBlocks || (from === asked.from && to === asked.to)) return false;
  return ranks.some((rank) => rank < (from ?? rank) - 1 || rank > (to ?? rank) + 1);
}

/** Reads the whole list, like one whose records have no blocks. */
function unblock(c: Progress): Phase {
  const { from, to } = askedOf(c);
  c.profile = { ...c.profile, startBlock: "ignored", endBlock: "ignored" };
  c.unblocked = true;
  c.range = { from, to };
  c.rest = [];
  c.cut = 0;
  c.total = null;
  c.next = c.wish.start + c.read;
  return OVERLAP;
}

/** Learns whether bounds are inclusive. True if the page holds more than it should: a bound was widened in vain. */
function isWider(c: Progress, { inBlocks, ranks, request: { from, to } }: Answer): boolean {
  if (!inBlocks) return false;
  const asked = askedOf(c);
  const above = to !== asked.to && ranks.some((rank) => rank > Number(to));
  const below = from !== asked.from && ranks.some((rank) => rank < Number(from));
  const widths = widthsOf({ progress: c });
  if (above || (to !== asked.to && !widths.to && ranks.includes(Number(to))))
    c.profile = { ...c.profile, endBlock: "inclusive" };
  if (below || (from !== asked.from && !widths.from && ranks.includes(Number(from))))
    c.profile = { ...c.profile, startBlock: "inclusive" };
  return above || below;
}

/** By how many blocks to widen the bounds of a request: those that may leave out their own block. */
export function widthsOf({ progress: c }: Pick<State, "progress">): {
  readonly from: number;
  readonly to: number;
} {
  const { cut, profile, range } = c;
  const asked = askedOf(c);
  // If a page misses the last record, it shows that its block is left out.
  const isWide = (known: string | undefined, shows: boolean) =>
    known === "exclusive" || (known === undefined && !shows && !c.wish.repeats) ? 1 : 0;
  return {
    from: range.from === asked.from ? 0 : isWide(profile.startBlock, cut > 0),
    to: range.to === asked.to ? 0 : isWide(profile.endBlock, cut < 0),
  };
}

/** If the bound of a range turns out to leave out its block, it is widened by one. */
function widen(c: Progress): boolean {
  const bound = c.cut > 0 ? "startBlock" : "endBlock";
  const isNarrow = c.cut || (c.wish.repeats && c.range.to !== askedOf(c).to);
  if (!isNarrow || (c.again && !c.trial) || (c.profile[bound] && !c.trial)) return false;
  // If that does not help, it was a reorganisation, or another replica.
  c.profile = { ...c.profile, [bound]: c.trial ? undefined : "exclusive" };
  c.trial = !c.trial;
  c.again = 1;
  return true;
}

/** The first page of a range. */
function start(m: Move): Phase {
  const { c, page } = m;
  const { count, keys } = page;
  if (!c.read) c.promised ??= count;
  if (keys.length) return take(m, 0);
  // A limit above the server's own may return nothing.
  const promises = count !== null && count > c.next && c.profile.count !== "guess";
  if (!promises || c.limit <= (c.profile.largestPage ?? 1)) return endRange(m);
  c.limit = Math.max(1, c.limit >> 1);
  return { at: "start" };
}

/**
 * A page that should begin with the last record. Whatever else moved, what comes after a known record in a stable order
 * is all that was not read yet: so any page with a known record counts.
 */
function align(m: Move, state: Phase): Phase {
  const { c, page } = m;
  const { keys, request } = page;
  if (!c.keys.length) return keys.length ? take(m, 0) : endRange(m);
  const expected = c.next - 1 - request.offset;
  const found = lastKnown(c, page, expected);
  if (found < 0) return lost(m, state);
  const at = keys[expected] === c.keys.at(-1) ? expected : keys.lastIndexOf(Number(c.keys.at(-1)));
  const shift = at < 0 ? undefined : at - expected;
  // New records at the start of the list move the others back; another replica may not know them yet. A page that begins earlier than
  // requested holds known records up to the last one.
  const isEarlier = keys
    .slice(0, at)
    .every((key, index) => page.known[index] || c.keys.includes(key));
  const isOdd =
    isOrdered(c) &&
    !c.same &&
    shift !== undefined &&
    (shift < 0 || (shift > 0 && c.steps > 0 && !isEarlier));
  if (isOdd && ++c.again <= MAX_AGAIN) return OVERLAP;
  if (isOdd) report(m, shift, false);
  if (shift === undefined) {
    // Had it been there, it would have come before what belongs after it.
    const isGone = isOrdered(c) && pastOf(c, page.ranks.at(-1)) > 0;
    if (isGone && ++c.again <= MAX_AGAIN) return OVERLAP;
    if (isGone) report(m, undefined, true);
    return takeAround(m, c.forgot || c.wish.repeats ? found + 1 : 0);
  }
  const more = at + 1 < keys.length;
  if (more && shift === 0 && request.offset > 0 && c.profile.offset === undefined && tells(c, keys))
    c.profile = { ...c.profile, offset: "records" };
  if (state.at !== "search" || more || shift !== 0) return take(m, at + 1);
  // It is in its place, but was not where a page began: that position cannot be read.
  c.again = 0;
  const mayBePages = c.profile.offset === undefined && c.limit > 1 && request.offset === 0;
  if (++c.holes === 1 && mayBePages) return { at: "pages" };
  return c.holes > MAX_AGAIN ? unreadable(m) : OVERLAP;
}

/** Takes what is new on a page that shows known records, but not the last one: what arrived before it stays before it. */
function takeAround(m: Move, index: number): Phase {
  const { c, page } = m;
  const isBefore = page.ranks.map((rank) => pastOf(c, rank) < 0);
  const known = page.known.map((one, at) => one || (isOrdered(c) && isBefore[at] === true));
  return take({ ...m, page: { ...page, known } }, index, isBefore);
}

/** The index of the last known record of a page; -1 if it shows none. */
function lastKnown(c: Progress, { keys, known, ranks }: Answer, expected: number): number {
  if (c.wish.repeats) {
    if (keys[expected] === c.keys.at(-1)) return expected;
    // Blocks keep it in its place.
    return isFixed(c) ? -1 : keys.findLastIndex((key) => c.keys.includes(key));
  }
  const last = known.lastIndexOf(true);
  if (last >= 0 || !c.forgot || !isOrdered(c) || !(pastOf(c, ranks[0]) < 0)) return last;
  return ranks.findLastIndex((rank) => pastOf(c, rank) <= 0);
}

/** What was read where keys repeat can be read again: a block, or all of it. */
const isFixed = ({ cut, keys, read, wish }: Progress) =>
  cut !== 0 || (wish.start === 0 && read <= keys.length);

/** The block or time that was read last, in the order of the list. */
const frontierOf = (c: Progress) => Number(c.steps < 0 ? c.lowest : c.highest);
/** By how much a block or time is past it. */
const pastOf = (c: Progress, rank: number | undefined) =>
  orderOf(c) * (Number(rank) - frontierOf(c));

/** The page shows nothing known: the last record is before it, after it, or gone. */
function lost(m: Move, state: Phase): Phase {
  const { c, page } = m;
  const { keys, ranks, request } = page;
  const { offset } = request;
  if (widen(c)) return OVERLAP;
  const low = lowOf(c);
  const searches = state.at === "search";
  const onwards = searches && state.onwards === true;
  const isKnown = isOrdered(c) || (c.forgot && orderOf(c) !== 0);
  // All of it arrived, if blocks order the list.
  const isBefore = isKnown && pastOf(c, ranks.at(-1)) <= 0 && pastOf(c, ranks[0]) < 0;
  if (!isBefore && !searches && ++c.again <= MAX_AGAIN) return OVERLAP;
  if (c.wish.repeats && isFixed(c)) {
    if (c.range.to !== askedOf(c).to || c.cut) report(m, undefined, true);
    return readAgain(c);
  }
  // Records had arrived when it was judged.
  if (c.profile.offset === "pages") c.profile = { ...c.profile, offset: undefined };
  const first = isKnown ? ranks.findIndex((rank) => pastOf(c, rank) >= 0) : -1;
  const isGone = first >= 0 && pastOf(c, ranks.at(-1)) > 0;
  if (offset > low && !isBefore && !onwards && !(isGone && first > 0))
    return { at: "search", offset: Math.max(low, offset - Math.max(1, c.longest - 1)) };
  if (keys.length && !isGone)
    return { at: "search", offset: offset + Math.max(1, keys.length - 1), onwards: true };
  report(m, undefined, true);
  c.keys = [];
  c.rank = c.inRank = undefined;
  if (isGone) return take(m, first);
  c.next = c.forgot ? Math.min(c.next, offset) : low;
  return OVERLAP;
}

/** Reads the block of the last record again, without what was read of it. */
function readAgain(c: Progress): Phase {
  const leaves = canLeave(c);
  if (leaves) cut(c);
  c.missing = leaves ? c.keys.slice(-Number(c.inRank)) : c.keys;
  c.keys = [];
  c.rank = c.inRank = undefined;
  c.next = lowOf(c);
  c.again = 0;
  return OVERLAP;
}

/** Takes the new records of a page from an index on, and decides how to continue. */
function take(m: Move, index: number, isBefore: readonly boolean[] = []): Phase {
  const { c, page } = m;
  const { count, keys, known, max = Number.POSITIVE_INFINITY, ranks, request } = page;
  if (c.read && request.offset && c.profile.offset === undefined && keys.length && !tells(c, keys))
    return { at: "pages", far: (request.offset + request.limit) * 1000 };
  const missing = [...c.missing];
  const before = [...c.keys, ...c.missing];
  const records: number[] = [];
  let end = index;
  for (; end < keys.length && records.length < max; end++) {
    const again = missing.length ? missing.indexOf(Number(keys[end])) : -1;
    // Each of them stands for one record.
    if (again >= 0) missing.splice(again, 1);
    const isNew = again < 0 && (c.wish.repeats || !known[end]);
    if (isNew) records.push(end);
  }
  const isNext = request.offset + index === c.next;
  if (!isNext) c.rank = c.inRank = undefined;
  // If nothing moved, the page before shows it, too, if blocks do not order the list.
  const ahead = c.profile.count === "list" && count === c.total ? c.rank : undefined;
  for (let at = isNext ? index : 0; at < end; at++) {
    const isNew = at > 0 && (records.includes(at) || records.includes(at - 1));
    compare(c, Number(ranks[at]) - Number(ranks[at - 1] ?? ahead), isNew);
    follow(c, Number(ranks[at]), at > 0 || request.offset === 0);
  }
  c.trial = false;
  c.missing = missing;
  c.next = request.offset + end;
  c.read += records.length;
  c.total = count;
  const last = keys.slice(0, end).filter((_, at) => at >= index && !isBefore[at]);
  const others = c.wish.repeats ? c.keys : c.keys.filter((key) => !last.includes(key));
  c.keys = [...others, ...last].slice(-REMEMBERED);
  c.again = 0;
  if (records.length) c.edges = c.checks = c.holes = 0;
  // Records that all look like known ones may be the same page again.
  if (records.some((at) => !before.includes(Number(keys[at])))) c.idle = -1;
  if (c.mixed) c.profile = { ...c.profile, order: "unsorted" };
  else if (isOrdered(c))
    c.profile = { ...c.profile, order: c.steps < 0 ? "newest first" : "oldest first" };
  m.records.push(...records);
  return end < keys.length ? OVERLAP : after(m, records.length > 0);
}

/** Notes in which direction blocks run from a record to the next. */
function compare(c: Progress, distance: number, isNew: boolean): void {
  const step = Math.sign(distance) || 0;
  if (step * orderOf(c) < 0) c.mixed = true;
  else if (isNew) c.steps += step;
}

/** Notes the block or time of a record that was read. `begins`: another block than the one before begins with it. */
function follow(c: Progress, rank: number, begins: boolean): void {
  if (Number.isNaN(rank)) return;
  if (rank !== c.rank) c.inRank = begins || c.rank !== undefined ? 1 : undefined;
  else if (c.inRank !== undefined) c.inRank++;
  c.rank = rank;
  c.lowest = Math.min(rank, c.lowest ?? rank);
  c.highest = Math.max(rank, c.highest ?? rank);
}

/** What follows a page whose last record is known. */
function after(m: Move, isNew: boolean): Phase {
  const { c, page } = m;
  const { count, keys, request } = page;
  const isByPage = c.profile.offset === "pages";
  const short = keys.length < (isByPage ? request.limit : Math.min(request.limit, c.longest));
  // A count at an offset of 0 may be that of the page.
  const isLast =
    count === c.next &&
    short &&
    (request.offset > 0 || (c.cut !== 0 && c.profile.count === "list"));
  if (isLast && !c.cut) c.profile = { ...c.profile, count: c.profile.count ?? "list" };
  const isWhole = count === c.next && keys.length < request.limit && c.profile.count === "list";
  if (isLast || (isWhole && isTelling(count))) return endRange(m);
  if (!isNew && short && ++c.edges >= MAX_EDGES) return endRange(m);
  if (c.same >= MAX_SAME) return unreadable(m);
  // Back and forth: if the list only moved, one of the two returns another page.
  if (c.same > 1) return { at: "probe", offset: request.offset + (c.same % 2 ? -1 : 1) };
  if (c.profile.offset === "ignored") return keys.length < request.limit ? endRange(m) : narrow(m);
  // The count may say that this is all: the next page shows it.
  const mayBeAll = !c.cut && count === c.next && keys.length < request.limit;
  if (c.wish.repeats && mayBeAll) return { at: "bare", sure: short };
  if (wantsPin(c)) return pin(c);
  const left = mayBeAll ? undefined : leave(c);
  if (left) return left;
  if (proves(c)) return { at: "bare" };
  if (isByPage && !isNew) return { at: "bare" };
  return short || roomOf(c) < 1 ? { at: "bare", sure: short && roomOf(c) > 0 } : OVERLAP;
}

/** A count that a server does not stop at. */
const isTelling = (count: number) => count < 1000 || count % 1000 !== 0;

/** Whether the count shows by itself that nothing moved. */
function proves(c: Progress): boolean {
  const { limit, moves, next, profile, rank, total } = c;
  const isByRecord = profile.offset === "records" || (profile.offset === undefined && limit === 1);
  if (profile.count !== "list") return false;
  if (!isByRecord || total === null || rank === undefined) return false;
  return isTelling(total) && total >= next && !moves;
}

/** Blocks seem to order the list, and some were read to their end. */
const canLeave = (c: Progress) =>
  c.named && !c.unblocked && orderOf(c) !== 0 && c.inRank !== undefined && c.next > c.inRank;
const canCut = (c: Progress) => canLeave(c) && isOrdered(c);

/** Leaves out blocks that were read to their end, if many records or a look into those blocks show that nothing is left there. */
function leave(c: Progress): Phase | undefined {
  const { cut: side, limit, next, range, wish } = c;
  if (!canLeave(c)) return undefined;
  const isNear = side !== 0 && next + limit <= MAX_NEXT;
  if (wish.ahead && isNear && (!wish.repeats || proves(c))) return undefined;
  if (isOrdered(c)) return cut(c);
  // What arrives would be found there.
  const isStatic = c.steps > 0 || Number(range.to) <= Number(c.highest);
  return wish.repeats && !wish.start && isStatic ? { at: "proof" } : undefined;
}

function cut(c: Progress): Phase {
  const { inRank = 0, next, range, rank, total } = c;
  c.cut = c.steps < 0 ? -1 : 1;
  c.range = c.cut < 0 ? { from: range.from, to: rank } : { from: rank, to: range.to };
  c.total = total === null ? null : total - (next - inRank);
  c.next = inRank;
  c.page = undefined;
  return roomOf(c) < 1 || proves(c) ? { at: "bare" } : OVERLAP;
}

/** Where keys repeat, only blocks keep records apart: until the order is known, blocks that arrive are read last. */
const wantsPin = (c: Progress) =>
  c.wish.repeats &&
  c.wish.start === 0 &&
  c.named &&
  !c.unblocked &&
  !isOrdered(c) &&
  orderOf(c) <= 0 &&
  (c.range.to ?? Number.POSITIVE_INFINITY) > Number(c.highest);

function pin(c: Progress): Phase {
  const { highest = 0, range } = c;
  c.rest = [{ from: highest + 1, to: range.to, late: true }, ...c.rest];
  c.range = { from: range.from, to: highest };
  const left = leave(c);
  if (left) return left;
  c.total = null;
  return roomOf(c) < 1 ? { at: "bare" } : OVERLAP;
}

/** A page that should begin after the last record. */
function bare(m: Move, state: Phase & { at: "bare" }): Phase {
  const { candidate, sure } = state;
  const { c, page } = m;
  const { count, keys, request } = page;
  if (request.offset < c.next || !c.keys.length) return align(m, state);
  const isEnd = count === c.next && c.next > 0 && (c.total ?? count) === count;
  if (!keys.length && isEnd && !c.cut)
    c.profile = { ...c.profile, count: c.profile.count ?? "list" };
  if (!keys.length && (sure || isEnd)) return endRange(m);
  const isMoved = page.known.includes(true);
  if (keys.length && proves(c)) {
    if (count === c.total && !isMoved) return take(m, 0);
    c.moves = true;
  }
  if (isMoved) return align(m, state);
  if (wantsPin(c)) return pin(c);
  const left = c.wish.repeats && keys.length ? leave(c) : undefined;
  if (left) return left;
  const [key] = keys;
  if (!candidate || candidate.key !== key) return { at: "confirm", candidate: { key } };
  return keys.length ? take(m, 0) : endRange(m);
}

/** Looks at the last record again, between two looks at what follows it. */
function confirm(m: Move, state: Phase & { at: "confirm" }): Phase {
  const { c, page } = m;
  const { candidate } = state;
  const { keys } = page;
  const expected = c.next - 1 - page.request.offset;
  const isInPlace = keys.length === expected + 1 && keys[expected] === c.keys.at(-1);
  if (!isInPlace) return align(m, state);
  c.again = 0;
  // A page with room for more shows by itself that nothing follows.
  if (candidate.key === undefined && roomOf(c) > 0) return endRange(m);
  return { at: "bare", candidate };
}

function report({ reports }: Move, shift: number | undefined, deep: boolean): void {
  reports.push({ kind: "reorganisation", shift, deep });
}

/** The server refuses to answer here. */
function refused(m: Move, state: State): Phase {
  const { c } = m;
  if (state.at === "pages") {
    c.profile = { ...c.profile, offset: "records" };
    return OVERLAP;
  }
  // Some servers refuse to look after the end.
  return state.at === "bare" && state.sure ? endRange(m) : narrow(m);
}

/** The server does not reach further: the same page comes at any offset, or none. */
function unreadable(m: Move): Phase {
  const { c, page } = m;
  const { keys, request } = page;
  const promised = c.promised ?? Number.POSITIVE_INFINITY;
  if (!c.pageish && !c.rest.length && promised <= c.wish.start + c.read) return endRange(m);
  if (c.same >= MAX_SAME && c.profile.offset === undefined) {
    c.profile = { ...c.profile, offset: "ignored" };
    const isOpen = (c.promised ?? 0) > c.wish.start + c.read && c.profile.count !== "guess";
    if (keys.length < request.limit && !isOpen) return endRange(m);
  }
  c.same = c.holes = 0;
  return narrow(m);
}

/** Reads on in fewer blocks: without those that were read to their end, else in halves. */
function narrow(m: Move): Phase {
  const { c } = m;
  const { cut: side, highest, lowest, named, profile, range, unblocked, wish } = c;
  if (canCut(c)) return cut(c);
  const { from = 0, to } = range;
  if (profile.offset === "ignored" && side && c.longest && m.page.keys.length < c.longest) {
    const next =
      side < 0 ? { from: range.from, to: frontierOf(c) - 1 } : { from: frontierOf(c) + 1, to };
    return (next.from ?? 0) > (next.to ?? Number.POSITIVE_INFINITY)
      ? endRange(m)
      : startRange(c, next);
  }
  if (unblocked || wish.repeats || wish.start > 0 || from === to)
    return fail(m, profile.offset === "ignored" ? "OFFSET_IGNORED" : "RESULT_WINDOW");
  const isKnown = named && lowest !== undefined && highest !== undefined;
  const end = to ?? Math.max(HALF_OF_ALL, 2 * from) * 2;
  if (from > HALF_OF_ALL ** 2) return fail(m, "NO_PROGRESS");
  const middle = Math.floor(isKnown ? (lowest + highest) / 2 : (from + end) / 2);
  let parts: Range[] = [
    { from, to: middle },
    { from: middle + 1, to },
  ];
  // A block that is too large by itself comes last.
  if (isKnown && lowest === highest && lowest > from)
    parts.splice(0, 1, { from, to: middle - 1 }, { from: middle, to: middle });
  parts = parts.filter((part) => part.to === undefined || part.to >= (part.from ?? 0));
  if (profile.order === "newest first") parts.reverse();
  const [first = range, ...others] = parts;
  c.rest = [...others, ...c.rest];
  return startRange(c, first);
}

function startRange(c: Progress, { from, to }: Range): Phase {
  c.range = { from, to };
  c.cut = c.next = 0;
  c.keys = c.missing = [];
  c.rank = c.inRank = undefined;
  c.lowest = c.highest = c.page = undefined;
  c.total = null;
  c.again = c.edges = c.checks = c.same = c.holes = 0;
  return { at: "start" };
}

/** Nothing is left in the range: if the count promises more, it is requested again; then the rest is read. */
function endRange(m: Move): Phase {
  const { c, page } = m;
  const { profile, promised, read, wish } = c;
  const missing = promised !== null && promised > wish.start + read;
  const ignoresRange = wish.start + read > c.next && (page.count ?? 0) >= (promised ?? 0);
  const promises = missing && (page.count ?? 0) > c.next && !ignoresRange;
  c.short ||= promises;
  if (missing && !c.rest.length && profile.count !== "guess") {
    // Another replica may know more, or the last record is not where it should be.
    if (c.checks++ < MAX_AGAIN) {
      if (c.cut && !wish.repeats) {
        c.keys = [];
        c.next = 0;
      }
      return !c.keys.length
        ? { at: "start" }
        : roomOf(c) < 1
          ? { at: "confirm", candidate: { key: undefined } }
          : OVERLAP;
    }
  }
  for (const [index, range] of c.rest.entries()) {
    if (range.late && !missing && c.steps < 0 && (profile.count === "list" || isOrdered(c)))
      continue;
    c.rest = c.rest.slice(index + 1);
    return startRange(c, range);
  }
  c.rest = [];
  if (page.count === c.next && promised === read && !c.pageish)
    c.profile = { ...c.profile, offset: c.profile.offset ?? "records" };
  if (missing && c.short) {
    c.profile = { ...c.profile, count: c.profile.count ?? "guess" };
    m.reports.push({ kind: "shortfall", promised: promised ?? 0, received: wish.start + read });
  } else if (c.pageish && promised !== null && read > promised)
    c.profile = { ...c.profile, count: c.profile.count ?? "page" };
  return { at: "end" };
}

function fail({ reports }: Move, reason: Failure): Phase {
  reports.push({ kind: "failure", reason });
  return { at: "end" };
}

/** The page to request after `request` if the list continues and nothing moves; undefined if that cannot be known. */
export function predict(state: State, request: PageRequest): PageRequest | undefined {
  const { progress: c } = state;
  const isBare = state.at === "bare" && proves(c);
  if ((!isBare && state.at !== "overlap") || c.again) return undefined;
  const overlap = isBare ? 0 : 1;
  if (c.expected <= overlap || overlap > roomOf(c) || c.profile.offset === "pages")
    return undefined;
  const offset = request.offset + c.expected - overlap;
  return c.cut && offset > MAX_NEXT ? undefined : { ...request, offset };
}
