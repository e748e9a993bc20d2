// Reads a list: a machine of plain data. Its next state, the next request and the new records follow from an answer.
import type { ListProfile } from "./profile.ts";

/** Blocks, both ends included; undefined where there is no bound. */
export interface Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** What is in it arrived later if the list turns out to be newest first. */
  readonly late?: boolean;
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
  /** The ranks are blocks. */
  readonly inBlocks: boolean;
  readonly count: number | null;
  /** It was requested before the page ahead of it arrived, and may be out of date. */
  readonly early?: boolean;
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
  /** The blocks that are read. */
  range: Range;
  /** Which end of the range is ours, not the caller's: -1 the last block, 1 the first. */
  cut: -1 | 0 | 1;
  /** What to read after this range. */
  rest: readonly Range[];
  /** The largest page to request. */
  limit: number;
  /** The position in the range of the next record, as far as is known. */
  next: number;
  /** How many records were read. */
  read: number;
  /** The keys of the last records read, oldest first. */
  keys: readonly number[];
  /** Keys of records that were read and not found again: should they come back, they are not new. */
  missing: readonly number[];
  /** Block or time of the last record read. */
  rank?: number | undefined;
  /** How many records of that block were read; undefined if it began before the first record. */
  inRank?: number | undefined;
  /** The lowest and the highest block read. */
  lowest?: number | undefined;
  highest?: number | undefined;
  /** How often a page showed a later block after an earlier one, less the opposite. */
  steps: number;
  /** Pages showed both: blocks do not order the list. */
  mixed: boolean;
  /** The order was confirmed: nothing was left in blocks that were read to their end. */
  proven: boolean;
  /** What to return to unless the `count` shows that nothing was left. */
  before?: Pick<Progress, "range" | "cut" | "next" | "total"> | undefined;
  /** The server ignores `startBlock` and `endBlock`, or names no blocks. */
  unblocked: boolean;
  /** The length of the longest page. */
  longest: number;
  /** The first count. */
  promised: number | null;
  /** The last count, for this range. */
  total: number | null;
  /** The count has followed the range: it is that of the list. */
  counts: boolean;
  /** The range was narrowed because records were not in their place. */
  halved: boolean;
  /** An attempt to leave blocks out failed. */
  uncut: boolean;
  /** The list changes while it is read. */
  moves: boolean;
  /** The list ended before its count. */
  short: boolean;
  /** The offset of the last page, and a digest of its keys. */
  page?: readonly [offset: number, digest: number] | undefined;
  /** How often in a row the last record was in its place after all, with nothing after it. */
  holes: number;
  /** Every count was the length of its page. */
  pageish: boolean;
  /** Records name their blocks. */
  named: boolean;
  /** How many records were read before this range. */
  base: number;
  /** The length of the next page if the list goes on. */
  expected: number;
  /** Asked already: whether `offset` is the number of a page; whether narrower blocks hold what the count promises. */
  asked: boolean;
  squeezed: boolean;
  /** A page was found in its place by its number. */
  paged: boolean;
  /** How often in a row: the same page was requested, the end was requested, nothing followed, nothing new came, records vanished. */
  again: number;
  checks: number;
  edges: number;
  fruitless: number;
  lost: number;
  /** A search was in vain: a reorganisation in between may have hidden the record from it. */
  searched: boolean;
  /** A known record where the next one should be, which counts if the last one turns out to be in its place. */
  lone?: Alone | undefined;
  /** By how many positions records moved, reported once the last record is found in its place. */
  moved?: { readonly shift: number | undefined } | undefined;
}
type Phase =
  /** No record of the range is read. `failed`: a limit that brought nothing. */
  | { readonly at: "start"; readonly failed?: number; readonly tiny?: boolean }
  /** The next page begins with known records. */
  | { readonly at: "overlap" }
  /** The same in blocks that were narrowed to those not yet read. `whole`: from their beginning. */
  | { readonly at: "window"; readonly whole?: boolean }
  /** The next page begins after the last record read. `sure`: the page before was the last if nothing follows. */
  | { readonly at: "bare"; readonly sure?: boolean; readonly doubts?: number }
  /** A page of one record, or none, counts once the record before it is found in its place. */
  | Alone
  /** Looks whether blocks that were read to their end hold other records. */
  | { readonly at: "proof"; readonly look: Range; readonly seen: number; readonly forced: boolean }
  /** Looks whether the server excludes the bound of a range. */
  | { readonly at: "bound" }
  /** Looks whether `offset` is the number of a page. */
  | { readonly at: "pages"; readonly far?: number }
  /** Looks whether the server heeds `offset`. */
  | {
      readonly at: "probe";
      readonly offset: number;
      readonly page: number;
      readonly answers: number;
    }
  /** The last record read is not in its place. */
  | ({ readonly at: "search" } & Search)
  | { readonly at: "end" };

interface Alone {
  readonly at: "alone";
  readonly key: number | undefined;
  readonly total: number | null;
  readonly confirmed: boolean;
  readonly doubts: number;
}

interface Search {
  /** The positions seen: from `low` up to, not including, `high`. */
  readonly low: number;
  readonly high: number;
  /** The record cannot be before `low`. */
  readonly reachedStart: boolean;
  /** The record cannot be at `high` or after it. */
  readonly reachedEnd: boolean;
  /** The last page showed nothing after the positions seen. */
  readonly stuck: boolean;
  /** The newest known record that is still there: its index in `keys`, and its position. */
  readonly found?: readonly [index: number, position: number] | undefined;
  /** The first position of a record that belongs after the last one read. */
  readonly after?: number | undefined;
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
/** How often to request a page again that misses what is known: another replica may know it. */
const MAX_AGAIN = 2;
/** Empty pages in a row that count as the end, although new records keep moving it. */
const MAX_EDGES = 10;
/** How often a lone record may be requested again because the total changed. */
const MAX_DOUBTS = 5;
/** Equal answers that show that two offsets return the same page. */
const MAX_PROBES = 8;
/** How many requests in a row may bring nothing new, and how often the last record read may disappear. */
const MAX_FRUITLESS = 1000;
const MAX_LOST = 100;
/** Steps in one direction that show the order of a list. */
const MIN_STEPS = 8;
/** Where pages are requested ahead, blocks are left out once positions come near the usual limit of 10,000. */
const MAX_NEXT = 9000;
/** The upper half of all blocks begins here, if nothing shows where they end. */
const HALF_OF_ALL = 2 ** 22;

/** The state in which nothing is read. */
export function begin(wish: Wish, profile: ListProfile = {}): State {
  const { from, to, limit, start, blocks } = wish;
  const progress: Progress = {
    ...{ wish, profile, range: { from, to }, cut: 0, rest: [], limit, next: start, read: 0 },
    ...{ keys: [], missing: [], steps: 0, mixed: false, proven: false, squeezed: false },
    ...{ unblocked: !blocks || profile.endBlock === "ignored", longest: 0, promised: null },
    ...{
      total: null,
      counts: false,
      uncut: false,
      halved: false,
      moves: false,
      short: false,
      again: 0,
      checks: 0,
      edges: 0,
    },
    ...{
      fruitless: 0,
      lost: 0,
      searched: false,
      holes: 0,
      asked: false,
      pageish: true,
      named: false,
    },
    ...{ base: 0, expected: 0, paged: profile.offset === "pages" },
  };
  return { at: "start", progress };
}

/** A step in progress: what it works with, and what it brings. */
interface Move {
  readonly c: Progress;
  readonly page: Answer;
  records: readonly number[];
  readonly reports: Report[];
}

/** The next state, for an answer to the state's request. */
export function step(state: State, answer: Answer): Step {
  const c: Progress = { ...state.progress };
  const m: Move = { c, page: answer, records: [], reports: [] };
  let phase: Phase = answer.refused ? refuse(m, state) : receive(m, state);
  c.fruitless++;
  if (phase.at !== "end" && (c.fruitless >= MAX_FRUITLESS || c.lost >= MAX_LOST))
    phase = fail(m, "NO_PROGRESS");
  c.page = [answer.request.offset, digestOf(answer.keys)];
  const { records, reports } = m;
  const next: State = { ...phase, progress: c };
  const done = phase.at === "end";
  return { state: next, request: done ? undefined : requestOf(next), done, records, reports };
}

/** The page that a state requests. */
export function requestOf(state: State): PageRequest {
  const { progress: c } = state;
  const { limit, range, next } = c;
  switch (state.at) {
    case "start":
      return { ...range, offset: next, limit: state.tiny ? 1 : limit };
    case "proof":
      return c.profile.offset === "ignored"
        ? { ...state.look, offset: 0, limit }
        : { ...state.look, offset: state.seen, limit: 1 };
    case "bound": {
      const { from, to } = range;
      const wider = c.cut < 0 ? { from, to: add(to, 1) } : { from: add(from, -1), to };
      return { ...wider, offset: 0, limit };
    }
    case "pages":
      return { ...range, offset: state.far ?? 1, limit };
    case "probe":
      // Two by two, so that replicas that take turns answer for both.
      return { ...range, offset: state.answers % 4 < 2 ? state.offset - 1 : state.offset, limit };
    case "search": {
      const back = c.longest > 1 && !state.stuck ? 1 : 0;
      const { high, low, reachedStart } = state;
      return fitting(c, reachedStart ? high - back : low - Math.max(1, c.longest - 1));
    }
    case "alone":
      if (!state.confirmed && c.profile.offset === "pages")
        return { ...range, offset: next - 1, limit: 1 };
      return fitting(c, state.confirmed ? next : next - 1);
    case "bare":
    case "end":
      return fitting(c, next);
    default:
      return fitting(c, state.at === "window" && state.whole ? 0 : next - overlapOf(c));
  }
}

/** A page that begins at a position, or before it where `offset` is the number of a page. */
function fitting(c: Progress, position: number): PageRequest {
  const offset = Math.min(Math.max(0, position), Number.MAX_SAFE_INTEGER);
  let best = { ...c.range, offset, limit: c.limit };
  if (c.profile.offset !== "pages") return best;
  // The page with the most new records after known ones; if there is none, one that begins with the next.
  let gain = 0;
  for (let { limit } = c; limit > 0; limit--) {
    const begins = offset - (offset % limit);
    const more = begins + limit - Math.max(offset, position < c.next ? c.next : offset);
    if (more <= gain) continue;
    gain = more;
    best = { ...c.range, offset: begins, limit };
  }
  if (gain) return best;
  let { limit } = c;
  while (c.next % limit) limit--;
  return { ...c.range, offset: c.next, limit };
}

const add = (block: number | undefined, by: number) =>
  block === undefined ? undefined : block + by;

/** How many known records fit on a page with a new one. */
const roomOf = ({ limit, longest }: Progress) => Math.min(limit, longest) - 1;

/** Reading begins with the block of the last record, of which everything read is in the range. */
const isAnchored = ({ cut, next, inRank }: Progress) => cut !== 0 && next === inRank;

/** How many known records the next page should begin with, not to be mistaken for others. */
function neededOverlap(c: Progress): number {
  const { keys, wish } = c;
  if (isAnchored(c) || !wish.repeats) return 1;
  return keys.length - keys.findLastIndex((key) => key !== keys.at(-1));
}

/** How many known records the next page begins with. */
function overlapOf(c: Progress): number {
  const { next, profile } = c;
  const room = Math.max(roomOf(c), 1);
  // Where `offset` counts something else, or few records are known, the range is read from its beginning.
  const few = isAnchored(c) && (profile.offset === "ignored" || next <= room >> 3);
  // Requested again, the page begins earlier: where `offset` is clamped, it is the same page nevertheless.
  return few ? next : Math.min(neededOverlap(c) + c.again, room, c.keys.length, next);
}

/** The direction in which blocks run: -1 newest first, 1 oldest first, 0 unknown or none. */
const orderOf = ({ cut, lowest, mixed, rank, steps }: Progress) =>
  mixed ? 0 : Math.sign(steps) || (cut < 0 && rank === lowest ? -1 : 0);
const isOrdered = ({ mixed, steps }: Progress) => !mixed && Math.abs(steps) >= MIN_STEPS;

function receive(m: Move, state: State): Phase {
  const { c, page } = m;
  note(c, page);
  if (ignoresBlocks(c, page)) return unblock(c);
  switch (state.at) {
    case "start":
      return start(m, state);
    case "overlap":
      return read(m);
    case "window":
      return state.whole ? inPlace(m, read(m)) : read(m);
    case "end":
      return page.keys.length ? bare(m, {}) : { at: "end" };
    case "bare":
      return bare(m, state);
    case "alone":
      return state.confirmed ? lone(m, state) : read(m, state);
    case "proof":
      return judgeProof(m, state);
    case "bound":
      return judgeBound(m);
    case "pages":
      return judgePages(m, state.far !== undefined);
    case "probe":
      return judgeProbe(m, state);
    case "search":
      return search(m, state);
  }
}

/** Learns from any page how long pages are and how they are ordered. */
function note(c: Progress, { count, keys, ranks, request }: Answer): void {
  c.longest = Math.max(c.longest, keys.length);
  const { largestPage = 0 } = c.profile;
  if (keys.length > largestPage) c.profile = { ...c.profile, largestPage: keys.length };
  let sign = orderOf(c);
  for (let index = 1; index < ranks.length; index++) {
    const step = Math.sign(Number(ranks[index]) - Number(ranks[index - 1]));
    if (step * sign < 0) c.mixed = true;
    sign ||= step;
  }
  if (c.mixed) c.profile = { ...c.profile, order: "unsorted" };
  else if (isOrdered(c) && c.profile.order !== "unsorted")
    c.profile = { ...c.profile, order: c.steps < 0 ? "newest first" : "oldest first" };
  c.expected = keys.length >= request.limit ? request.limit : c.read ? keys.length : 0;
  if (keys.length && count !== keys.length) c.pageish = false;
}

/** Whether the server sends records outside the blocks that we narrowed the range to. */
function ignoresBlocks(c: Progress, { inBlocks, ranks, request: { from, to } }: Answer): boolean {
  const asked = c.part ?? c.wish;
  if (!inBlocks || (from === asked.from && to === asked.to)) return false;
  return ranks.some((rank) => rank < (from ?? rank) || rank > (to ?? rank));
}

/** Reads the whole list, like one whose range has no blocks. */
function unblock(c: Progress): Phase {
  const { wish } = c;
  c.profile = { ...c.profile, startBlock: "ignored", endBlock: "ignored" };
  c.unblocked = true;
  const { from, to } = c.part ?? wish;
  c.range = { from, to };
  c.rest = [];
  c.cut = 0;
  c.before = undefined;
  c.next = wish.start + c.read;
  return reading(c);
}

const reading = (c: Progress): Phase => ({ at: c.cut ? "window" : "overlap" });

function start(m: Move, { failed, tiny }: State & { at: "start" }): Phase {
  const { c, page } = m;
  const { count, keys } = page;
  if (!c.read) c.promised ??= count;
  if (tiny && keys.length) {
    // A limit above the server's own brought nothing.
    c.limit = Math.max(1, c.limit >> 1);
    return { at: "start", failed: c.limit };
  }
  if (!keys.length) {
    if (!tiny && failed !== undefined && c.limit > 1) {
      c.limit = c.limit >> 1;
      return { at: "start", failed: c.limit };
    }
    const promises = count !== null && count > c.next && c.profile.count !== "guess";
    return tiny || !promises || c.limit === 1 ? endRange(m) : { at: "start", tiny: true };
  }
  return accept(m, 0);
}

/** Takes the records of a page from an index on, and decides how to go on. */
function accept(m: Move, index: number): Phase {
  const { c, page } = m;
  const { count, keys, max = Number.POSITIVE_INFINITY, ranks, request } = page;
  const end = Math.min(keys.length, index + max);
  const isNew = end > index;
  for (let at = index; at < end; at++) {
    const rank = Number(ranks[at]);
    if (Number.isNaN(rank)) continue;
    const before = at > 0 ? Number(ranks[at - 1]) : Number.NaN;
    if (before !== rank && !Number.isNaN(before)) c.steps += Math.sign(rank - before);
    const begins = c.rank !== undefined || at > 0 || c.wish.start === 0;
    if (rank !== c.rank) c.inRank = begins ? 1 : undefined;
    else if (c.inRank !== undefined) c.inRank++;
    c.rank = rank;
    c.lowest = Math.min(rank, c.lowest ?? rank);
    c.highest = Math.max(rank, c.highest ?? rank);
  }
  c.next = request.offset + end;
  c.read += end - index;
  const known = c.keys;
  c.keys = [...c.keys, ...keys.slice(Math.max(index, end - REMEMBERED), end)].slice(-REMEMBERED);
  c.total = count;
  c.named = page.inBlocks;
  c.searched = false;
  const missing = [...c.missing];
  m.records = Array.from({ length: end - index }, (_, at) => index + at).filter((at) => {
    const again = missing.length ? missing.indexOf(Number(keys[at])) : -1;
    // Each of them stands for one record.
    if (again >= 0) missing.splice(again, 1);
    return again < 0;
  });
  c.missing = missing;
  // A page of records that all look like known ones may be the same page again.
  if (m.records.some((at) => !known.includes(Number(keys[at])))) c.fruitless = -1;
  if (isNew) c.again = c.edges = c.checks = 0;
  c.lone = undefined;
  return end < keys.length ? reading(c) : after(m, isNew);
}

/** What follows a page whose last record is known. */
function after(m: Move, isNew: boolean): Phase {
  const { c, page } = m;
  const { count, keys, request } = page;
  const short = keys.length < Math.min(request.limit, c.longest);
  // A count at an offset of 0 may be that of the page.
  const isOfList = request.offset > 0 || (c.cut !== 0 && c.counts);
  const isLast = count === c.next && short && isOfList;
  if (isLast && !c.cut) c.profile = { ...c.profile, count: c.profile.count ?? "list" };
  const isWhole = count === c.next && keys.length < request.limit && c.profile.count === "list";
  if (isLast || (isWhole && isTelling(count))) return endRange(m);
  const isByPage = c.profile.offset === "pages" && request.offset + request.limit > c.next;
  if (!isNew && (short || isByPage)) c.edges++;
  if (c.edges >= (isByPage ? 2 : MAX_EDGES)) return endRange(m);
  if (c.profile.offset === "ignored" && !isNew && isAnchored(c)) return skipBlock(m);
  // The count may say that this is all: the next page shows it.
  if (canPin(c)) return count === c.next ? { at: "bare" } : pin(c);
  if (wantsCut(c)) return c.proven ? cut(c) : tryCut(c);
  if (c.profile.offset === "ignored") return reading(c);
  if (proves(c)) return { at: "bare" };
  return short || roomOf(c) < 1 ? { at: "bare", sure: short && roomOf(c) > 0 } : reading(c);
}

/** A count that a server does not stop at. */
const isTelling = (count: number) => count < 1000 || count % 1000 !== 0;

/** Whether the count shows by itself that nothing moved. */
function proves(c: Progress): boolean {
  const { counts, limit, mixed, moves, next, profile, rank, total } = c;
  const isByRecord = profile.offset === "records" || (profile.offset === undefined && limit === 1);
  if (!counts && profile.count !== "list") return false;
  if (!isByRecord || total === null || rank === undefined) return false;
  return isTelling(total) && total >= next && !mixed && !moves;
}

/** The last record read is in its place: takes what is after it. */
function goOn(m: Move, index: number, alone?: Alone): Phase {
  const { c, page } = m;
  const { offset } = page.request;
  // Records that look the same do not tell positions apart; a position far away does.
  if (offset > 0 && c.profile.offset === undefined && !tells(c, page.keys))
    return { at: "pages", far: (offset + page.request.limit) * 1000 };
  if (offset > 0 && index > 0) c.profile = { ...c.profile, offset: c.profile.offset ?? "records" };
  if (c.profile.offset === "pages" && offset > 0 && index > 0) c.paged = true;
  if (c.before) {
    if (page.count !== c.total) return misfit(c);
    c.before = undefined;
    c.proven = isOrdered(c);
    c.counts = true;
  }
  if (c.cut) {
    const bound = c.cut < 0 ? "endBlock" : "startBlock";
    c.profile = { ...c.profile, [bound]: c.profile[bound] ?? "inclusive" };
  }
  if (c.moved) report(m, c.moved.shift, false);
  c.moved = undefined;
  c.again = 0;
  if (!alone || page.keys.length > index) return accept(m, index);
  // A page with room for more shows by itself that nothing follows.
  if (alone.key === undefined && roomOf(c) > 0) return endRange(m);
  return doubted(c, page, alone) ?? { ...alone, confirmed: true };
}

/** The blocks that were read to their end can be left out. */
function canCut(c: Progress): boolean {
  const { inRank, named, next, unblocked } = c;
  return !unblocked && named && orderOf(c) !== 0 && inRank !== undefined && next > inRank;
}

function wantsCut(c: Progress): boolean {
  const { cut, limit, next, wish } = c;
  if (!canCut(c)) return false;
  if (c.profile.offset === "ignored") return true;
  // Where keys repeat, only blocks keep records apart.
  if (wish.repeats) return !wish.ahead || !cut || !proves(c);
  if (!isOrdered(c) && (c.uncut || !isUsable(c))) return false;
  return !wish.ahead || !cut || next + limit > MAX_NEXT;
}

/** Whether the count may be that of the list: the next one shows it. */
const isUsable = ({ pageish, profile, total }: Progress) =>
  total !== null && !pageish && isTelling(total) && (profile.count ?? "list") === "list";

/** Leaves out the blocks that were read to their end. */
function cut(c: Progress): Phase {
  const { inRank = 0, next, range, rank, total } = c;
  c.cut = orderOf(c) < 0 ? -1 : 1;
  c.range = c.cut < 0 ? { from: range.from, to: rank } : { from: rank, to: range.to };
  if (total !== null) c.total = total - (next - inRank);
  c.next = inRank;
  return proves(c) ? { at: "bare" } : reading(c);
}

/** Leaves out blocks; the count of the next page has to show that nothing was left in them, or another look. */
function tryCut(c: Progress): Phase {
  if (!isUsable(c)) return prove(c);
  const { cut: before, next, range, total } = c;
  c.before = { cut: before, next, range, total };
  return cut(c);
}

/** The count does not show that nothing was left. */
function misfit(c: Progress): Phase {
  if (isOrdered(c) || c.wish.repeats) return prove(c);
  Object.assign(c, c.before);
  c.before = undefined;
  c.uncut = true;
  return reading(c);
}

/** Looks whether anything is left in the blocks that were read to their end. */
function prove(c: Progress, forced = false): Phase {
  Object.assign(c, c.before);
  c.before = undefined;
  const { highest = 0, inRank = 0, next, range, rank, wish } = c;
  const isDown = orderOf(c) < 0;
  // Where keys repeat, what arrives must not move the others: later blocks are read last.
  if (isDown && wish.repeats && (range.to ?? highest + 1) > highest) {
    c.rest = [...c.rest, { from: highest + 1, to: range.to, late: true }];
    c.range = { from: range.from, to: highest };
  }
  const look = isDown
    ? { from: add(rank, 1), to: c.range.to }
    : { from: range.from, to: add(rank, -1) };
  if (Number(look.from ?? 0) > Number(look.to ?? Number.POSITIVE_INFINITY) || Number(look.to) < 0)
    return cut(c);
  return { at: "proof", look, seen: next - inRank, forced };
}

function judgeProof(m: Move, { forced, seen }: State & { at: "proof" }): Phase {
  const { c, page } = m;
  const { keys, ranks } = page;
  // What arrived since is in later blocks; where keys repeat, only blocks keep records apart.
  const arrived = (rank: number) => c.wish.repeats && orderOf(c) < 0 && rank > (c.highest ?? rank);
  const isIgnored = c.profile.offset === "ignored" && keys.length <= seen;
  const nothing = keys.every((key, at) => c.keys.includes(key) || arrived(Number(ranks[at])));
  if (isIgnored || nothing) {
    c.proven = isOrdered(c);
    return cut(c);
  }
  c.uncut = true;
  return forced && (canHalve(c) || !c.halved) ? halve(m) : reading(c);
}

/** While all records are of one block, the order is unknown: the block and those before it are read first. */
function canPin(c: Progress): boolean {
  const { cut, highest, inRank, lowest, mixed, named, next, unblocked, wish } = c;
  if (!wish.repeats || cut || mixed || unblocked || !named) return false;
  return lowest === highest && next === inRank;
}

function pin(c: Progress): Phase {
  const { from, to } = c.range;
  const { rank } = c;
  c.cut = -1;
  c.range = { from, to: rank };
  if (to === undefined || to > Number(rank))
    c.rest = [...c.rest, { from: add(rank, 1), to, late: true }];
  c.total = null;
  return reading(c);
}

/** The next page after the last record read. */
function bare(m: Move, { doubts, sure }: { doubts?: number; sure?: boolean }): Phase {
  const { c, page } = m;
  const { count, keys, ranks, request } = page;
  if (request.offset < c.next) return read(m);
  const next = c.next + 1;
  const known = !c.wish.repeats && keys.some((key) => c.keys.includes(key));
  if (!keys.length && sure) return endRange(m);
  if (!keys.length && count === c.next && c.next > 0 && (c.total ?? count) === count) {
    if (!c.cut) c.profile = { ...c.profile, count: c.profile.count ?? "list" };
    return endRange(m);
  }
  if (proves(c) && keys.length) {
    if (count === c.total && !known) return goOn(m, 0);
    c.moves = true;
    if (c.before) return misfit(c);
  }
  // The block of the last record goes on.
  const goesOn = isAnchored(c) && ranks[0] === c.rank && (c.pageish || (count ?? next) >= next);
  if (keys.length && !known && goesOn) return accept(m, 0);
  if (canPin(c)) return pin(c);
  if (c.wish.repeats && canCut(c) && !c.uncut) return c.proven ? cut(c) : prove(c);
  return lone(m, { doubts: doubts ?? 0 });
}

/** A page without room for a known record. */
function lone(m: Move, alone: Partial<Alone>): Phase {
  const { c, page } = m;
  const { count, keys } = page;
  const [key] = keys;
  const known = c.wish.repeats ? [] : keys.filter((one) => c.keys.includes(one));
  if (alone.confirmed && alone.key === key) {
    const doubt = doubted(c, page, alone);
    if (doubt) return doubt;
    // A reorganisation brought them after the last record read.
    c.missing = [...c.missing, ...known].slice(-REMEMBERED);
    return key === undefined ? endRange(m) : accept(m, 0);
  }
  const total = count === keys.length ? null : count;
  const now = { at: "alone" as const, key, total, confirmed: false, doubts: alone.doubts ?? 0 };
  c.lone = known.length ? now : undefined;
  return known.length ? recover(m, -1) : now;
}

/** The page may show another state of the list than the lone record; then both are requested again. */
function doubted(
  c: Progress,
  { count, keys }: Answer,
  { doubts = 0, total }: Partial<Alone>,
): Phase | undefined {
  const now = count === keys.length ? null : count;
  if (orderOf(c) > 0 || now === total || doubts === MAX_DOUBTS) return undefined;
  return { at: "bare", doubts: doubts + 1 };
}

/** A page that should begin with known records. */
function read(m: Move, alone?: Alone): Phase {
  const { c, page } = m;
  if (!c.keys.length) return accept(m, 0);
  const expected = c.next - 1 - page.request.offset;
  if (expected < 0 && c.profile.offset === "pages") return bare(m, alone ?? {});
  if (matchesUpTo(page.keys, c.keys, expected)) return goOn(m, expected + 1, alone);
  return recover(m, expected);
}

/** The last record read is not where it was expected. */
function recover(m: Move, expected: number): Phase {
  const { c, page } = m;
  const { keys, request } = page;
  const same: Phase = expected < 0 ? { at: "bare" } : reading(c);
  // A page requested ahead may be out of date.
  if (page.early) return same;
  if (c.before) return misfit(c);
  if (isAnchored(c) && request.offset > 0) return { at: "window", whole: true };
  const bound = c.cut < 0 ? "endBlock" : "startBlock";
  const isKnown = keys.some((key) => c.keys.includes(key));
  if (c.cut && c.profile[bound] === undefined && !isKnown) return { at: "bound" };
  if (c.profile.offset === "pages" && !c.paged) {
    c.profile = { ...c.profile, offset: undefined };
    return reading(c);
  }
  const [offset, last] = c.page ?? [];
  if (
    offset !== undefined &&
    offset !== request.offset &&
    last === digestOf(keys) &&
    tells(c, keys)
  )
    return {
      ...{ at: "probe", offset: Math.max(offset, request.offset) },
      ...{ page: last, answers: 0 },
    };
  c.again++;
  const found = lastIn(c, page, expected);
  const shift = found - expected;
  // New records at the start of the list move the others back. Another replica may not know them yet.
  const isGrowth = found < 0 ? isKnown : shift > 0;
  const isUsual = c.rank === undefined || (isGrowth && orderOf(c) <= 0);
  if (!isUsual && c.again <= MAX_AGAIN) return same;
  if (isAnchored(c)) return vanish(m);
  if (canCut(c) && (c.proven || (c.wish.repeats && !c.uncut))) {
    c.again = 0;
    c.moved = { shift: found < 0 ? undefined : shift };
    return c.proven ? cut(c) : prove(c);
  }
  return found < 0 ? searchOn(m, undefined) : acceptMoved(m, found, shift);
}

const digestOf = (keys: readonly number[]) =>
  keys.reduce((digest, key) => (digest * 31 + key) % Number.MAX_SAFE_INTEGER, keys.length);

/** Whether these keys tell positions apart. */
const tells = (c: Progress, keys: readonly number[]) =>
  keys.length > 0 && (!c.wish.repeats || new Set(keys).size > 1);

/** The block of the last record was replaced: it is read again. */
function vanish(m: Move): Phase {
  const { c } = m;
  report(m, undefined, true);
  c.moved = undefined;
  c.missing = [...c.missing, ...c.keys].slice(-REMEMBERED);
  // What comes again was counted already.
  c.read -= c.inRank ?? 0;
  c.keys = [];
  c.next = c.inRank = c.again = 0;
  return reading(c);
}

function acceptMoved(m: Move, found: number, shift: number): Phase {
  const { c, page } = m;
  // A page that begins earlier than requested holds known records only up to the last one: nothing moved.
  const isEarlier = shift > 0 && page.keys.slice(0, found).every((key) => c.keys.includes(key));
  if (isOrdered(c) && !isEarlier && (c.steps > 0 ? shift !== 0 : shift < 0))
    report(m, shift, false);
  return shift ? accept(m, found + 1) : goOn(m, found + 1);
}

function report({ c, reports }: Move, shift: number | undefined, deep: boolean): void {
  if (deep) c.lost++;
  reports.push({ kind: "reorganisation", shift, deep });
}

function search(m: Move, state: State & { at: "search" }): Phase {
  const { c, page } = m;
  const expected = c.next - 1 - page.request.offset;
  const found = lastIn(c, page, expected);
  if (found < 0) {
    c.again++;
    return searchOn(m, state);
  }
  if (found !== expected) return acceptMoved(m, found, found - expected);
  // It is in its place, but was not where a page began: `offset` may be the number of a page.
  if (asksPages(m)) return { at: "pages" };
  return inPlace(m, goOn(m, found + 1, c.lone));
}

/** Whether to look, once, whether `offset` is the number of a page. */
function asksPages({ c, page }: Move): boolean {
  const isOpen = !c.asked && c.profile.offset === undefined && tells(c, page.keys);
  const asks = isOpen && page.request.offset === 0 && c.limit > 1;
  c.asked ||= asks;
  return asks;
}

/** The last record is in its place, but was not where the last page began: this position cannot be read. */
function inPlace(m: Move, phase: Phase): Phase {
  const { c, page } = m;
  if (m.records.length || phase.at === "end") c.holes = 0;
  else if (page.keys.includes(Number(c.keys.at(-1))) && ++c.holes > MAX_AGAIN) {
    c.holes = 0;
    if (page.count === c.next) return endRange(m);
    if (asksPages(m)) return { at: "pages" };
    if (!canCut(c) && !canHalve(c)) return phase;
    c.halved = true;
    return refuse(m);
  }
  return phase;
}

/** Notes what a page without the last record shows, and goes on towards the start of the list, then towards its end. */
function searchOn(m: Move, prior: Search | undefined): Phase {
  const { c, page } = m;
  const { keys, ranks, request } = page;
  const { offset } = request;
  const end = offset + keys.length;
  const order = isOrdered(c) ? orderOf(c) : 0;
  // How far after the last record read a record belongs; 0 if unknown.
  const distance = (rank: number | undefined) =>
    rank === undefined || Number.isNaN(rank) ? 0 : order * (rank - (c.rank ?? rank));
  const before = prior ?? { low: offset, high: end, reachedStart: false, reachedEnd: false };
  const { found: last, after: behind } = prior ?? {};
  const begins = !before.reachedStart && (offset === 0 || distance(ranks[0]) < 0);
  const index = Math.max(...keys.map((key) => c.keys.lastIndexOf(key)));
  const isLater = index >= (last?.[0] ?? 0);
  const first = order ? ranks.findIndex((rank) => distance(rank) >= 0) : -1;
  const now: Search = {
    low: Math.min(before.low, offset),
    // What was searched on the way here may have moved since: it is searched again.
    high: begins ? end : Math.max(before.high, end),
    reachedStart: before.reachedStart || begins,
    reachedEnd: (before.reachedEnd && !begins) || !keys.length || distance(ranks.at(-1)) > 0,
    stuck: keys.length > 0 && end <= before.high,
    found: isLater ? [index, offset + keys.lastIndexOf(Number(c.keys[index]))] : last,
    after: first < 0 ? behind : Math.min(behind ?? Number.POSITIVE_INFINITY, offset + first),
  };
  if (!now.reachedStart || !now.reachedEnd) return { at: "search", ...now };
  if (!c.searched) {
    c.searched = true;
    return reading(c);
  }
  // Nothing where there was something: the list is shorter now, or cannot be read that far.
  if (!keys.length && offset < c.next && !c.halved && (canCut(c) || canHalve(c))) {
    c.halved = true;
    return refuse(m);
  }
  return lose(m, now, order);
}

/**
 * The last record is gone: reading goes on after the newest record that is still there, else at the first that belongs after
 * the one that is gone, else where nothing can be lost.
 */
function lose(m: Move, { after, found, high }: Search, order: number): Phase {
  const { c } = m;
  const { keys, next, wish } = c;
  const kept = found ? found[0] + 1 : 0;
  c.searched = false;
  c.again = 0;
  c.keys = keys.slice(0, kept);
  c.missing = [...c.missing, ...keys.slice(kept)].slice(-REMEMBERED);
  const unordered = keys.length < REMEMBERED ? wish.start : Math.min(next, high);
  c.next = found ? found[1] + 1 : (after ?? (order ? high : unordered));
  // What comes again was counted already.
  c.read = Math.max(0, c.read - Math.max(0, next - c.next));
  // A list that time does not order may just have lost the record.
  if (isOrdered(c) || !(found || wish.repeats)) report(m, undefined, true);
  return roomOf(c) < 1 ? { at: "bare" } : reading(c);
}

function judgeBound(m: Move): Phase {
  const { c, page } = m;
  const bound = c.cut < 0 ? "endBlock" : "startBlock";
  const at = page.keys.lastIndexOf(Number(c.keys.at(-1)));
  const isExclusive = at >= 0 && page.ranks[at] === c.rank;
  c.profile = { ...c.profile, [bound]: isExclusive ? "exclusive" : "inclusive" };
  return isExclusive ? read(m) : reading(c);
}

/** By records, the pages of offsets 0 and 1 have most records in common. */
function judgePages({ c, page }: Move, isFar: boolean): Phase {
  if (isFar) {
    c.profile = { ...c.profile, offset: page.keys.length ? "ignored" : "records" };
    return reading(c);
  }
  const common = page.keys.filter((key) => c.keys.includes(key));
  const isPage = common.length * 2 < Math.min(c.keys.length, c.longest);
  c.profile = { ...c.profile, offset: isPage ? "pages" : "records" };
  return reading(c);
}

function judgeProbe(m: Move, { answers, offset, page: seen }: State & { at: "probe" }): Phase {
  const { c, page } = m;
  const { count, keys, request } = page;
  if (digestOf(keys) !== seen) return reading(c);
  if (answers + 1 < MAX_PROBES) return { at: "probe", offset, page: seen, answers: answers + 1 };
  if (count !== keys.length && count === c.next) return endRange(m);
  const position = keys.lastIndexOf(Number(c.keys.at(-1))) + 1;
  // A page with all that was read is the first.
  if (position >= c.read - c.base) {
    c.profile = { ...c.profile, offset: "ignored" };
    c.next = position;
    const { promised } = c;
    const missing = promised !== null && promised > c.wish.start + c.read;
    const isWhole = keys.length < request.limit && (!missing || c.profile.count === "guess");
    if (isWhole && (count !== keys.length || !canCut(c))) return endRange(m);
  }
  return refuse(m);
}

/** The position cannot be read in this range: it is narrowed, or read in halves. */
function refuse(m: Move, state?: State): Phase {
  const { c } = m;
  const { profile, promised, wish } = c;
  if (state?.at === "pages") {
    c.profile = { ...profile, offset: "records" };
    return reading(c);
  }
  // Some servers refuse to look after the end.
  const isComplete = promised === null || promised <= wish.start + c.read;
  if (state?.at === "bare" && state.sure && isComplete) return endRange(m);
  if (c.before) return misfit(c);
  return canCut(c) ? prove(c, true) : halve(m);
}

const canHalve = ({ range: { from = 0, to }, unblocked, wish }: Progress) =>
  !unblocked && !wish.repeats && wish.start === 0 && from !== to;

/** Reads the halves of the range one after the other. */
function halve(m: Move): Phase {
  const { c } = m;
  const { highest, lowest, named, profile, range } = c;
  const { from = 0, to } = range;
  if (!canHalve(c))
    return fail(m, profile.offset === "ignored" ? "OFFSET_IGNORED" : "RESULT_WINDOW");
  const middle =
    named && lowest !== undefined && highest !== undefined
      ? Math.floor((lowest + highest) / 2)
      : to === undefined
        ? Math.max(HALF_OF_ALL, 2 * from)
        : Math.floor((from + to) / 2);
  let parts: Range[] = [
    { from, to: middle },
    { from: middle + 1, to },
  ];
  // A block that is too large by itself comes last.
  if (lowest === highest && named && lowest !== undefined && lowest > from)
    parts.splice(0, 1, { from, to: middle - 1 }, { from: middle, to: middle });
  parts = parts.filter((part) => part.to === undefined || part.to >= (part.from ?? 0));
  if (profile.order === "newest first") parts.reverse();
  c.read = c.base;
  const [first = range, ...others] = parts;
  c.rest = [...others, ...c.rest];
  return startRange(c, first);
}

function startRange(c: Progress, range: Range): Phase {
  c.range = range;
  c.cut = 0;
  c.next = 0;
  c.base = c.read;
  c.keys = [];
  c.rank = c.inRank = c.lowest = c.highest = c.before = c.moved = c.page = undefined;
  c.total = null;
  c.again = c.edges = c.checks = 0;
  c.searched = c.uncut = c.halved = false;
  return { at: "start" };
}

/** Where `offset` is ignored: the block of the last record is read, unless it is longer than a page. */
function skipBlock(m: Move): Phase {
  const { c, page } = m;
  const { range, rank = 0 } = c;
  if (page.keys.length >= Math.min(page.request.limit, c.longest)) return fail(m, "OFFSET_IGNORED");
  const next = c.cut < 0 ? { from: range.from, to: rank - 1 } : { from: rank + 1, to: range.to };
  if ((next.to ?? 0) < (next.from ?? 0) && next.to !== undefined) return endRange(m);
  return { ...startRange(c, next) };
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
    // Another replica may know more.
    if (c.checks++ < MAX_AGAIN)
      return !c.keys.length ? { at: "start" } : roomOf(c) < 1 ? { at: "bare" } : reading(c);
    if (promises && canCut(c) && !c.squeezed) {
      c.squeezed = true;
      return prove(c, true);
    }
  }
  for (const [index, range] of c.rest.entries()) {
    if (range.late && !missing && (c.counts || (isOrdered(c) && c.steps < 0))) continue;
    c.rest = c.rest.slice(index + 1);
    return startRange(c, range);
  }
  c.rest = [];
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

/** The page to request after `request` if the list goes on and nothing moves; undefined if that cannot be known. */
export function predict(state: State, request: PageRequest): PageRequest | undefined {
  const { progress: c } = state;
  const isBare = state.at === "bare" && proves(c);
  if ((!isBare && state.at !== "overlap" && state.at !== "window") || c.again || c.before)
    return undefined;
  const overlap = isBare ? 0 : c.wish.repeats ? 2 : 1;
  if (c.expected <= overlap || overlap > roomOf(c) || c.profile.offset === "pages")
    return undefined;
  const offset = request.offset + c.expected - overlap;
  return c.cut && offset > MAX_NEXT ? undefined : { ...request, offset };
}

/** How many of the last keys, ending with the last one, end at an index of the page. */
function matchLength(keys: readonly number[], last: readonly number[], index: number): number {
  let length = 0;
  while (length <= index && length < last.length && keys[index - length] === last.at(-1 - length))
    length++;
  return length;
}

/** Whether everything in the page up to an index is what was read last. */
const matchesUpTo = (keys: readonly number[], last: readonly number[], index: number) =>
  index >= 0 && matchLength(keys, last, index) === Math.min(index + 1, last.length);

/** The index of the last record read; -1 if the page does not hold it, or cannot tell it from others before the page. */
function lastIn(c: Progress, { keys, request }: Answer, expected: number): number {
  if (matchesUpTo(keys, c.keys, expected)) return expected;
  if (!c.wish.repeats) return keys.lastIndexOf(Number(c.keys.at(-1)));
  // Transfers of one transaction may have the same key: the longest match tells them apart.
  let best = -1;
  for (let index = 0; index < keys.length; index++)
    if (matchLength(keys, c.keys, index) > matchLength(keys, c.keys, best)) best = index;
  const unproven =
    request.offset > 0 && best + 1 < c.keys.length && matchesUpTo(keys, c.keys, best);
  return unproven ? -1 : best;
}
