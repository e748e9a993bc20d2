// Reads a list: the next state and the new records follow from an answer, and the next request from a state.
import type { ListErrorReason } from "../errors/unfinished.ts";
import {
  type Answer,
  type PageRequest,
  type Phase,
  type Progress,
  type Range,
  type Report,
  type State,
  type Step,
  UNREAD,
} from "./state.ts";

/** How many keys a state remembers. */
const REMEMBERED = 32;
/** Steps in one direction that show the order of a list: another order shows them in one of two million lists. */
const MIN_STEPS = 9;
/** How often to request a page again that lacks known records: another replica may have them. */
const MAX_AGAIN = 2;
/** Short pages in a row that end with the last record and count as the end, although new records keep moving it. */
const MAX_EDGES = 10;
/** Equal pages that show that the server reaches no further. */
const MAX_SAME = 8;
/** How many requests in a row may return nothing new. */
const MAX_IDLE = 1000;
/** Where pages are requested ahead, blocks are left out once positions come near the usual limit of 10,000. */
const MAX_NEXT = 9000;
/** The upper half of all blocks begins here, if nothing shows where they end. */
const HALF_OF_ALL = 2 ** 22;

const OVERLAP = { at: "overlap" } as const;
const BARE = { at: "bare" } as const;

/** A step in progress: an answer and its results. */
interface Move extends Answer {
  readonly c: Progress;
  readonly records: number[];
  readonly reports: Report[];
}

/** The next state, for an answer to the state's request. */
export function step(state: State, answer: Answer): Step {
  const c: Progress = { ...state.progress, profile: { ...state.progress.profile } };
  const m: Move = { ...answer, c, records: [], reports: [] };
  let phase = receive(m, state);
  if (++c.idle >= MAX_IDLE && phase.at !== "end") phase = fail(m, "NO_PROGRESS");
  return { state: { ...phase, progress: c }, records: m.records, reports: m.reports };
}

/** The page that a state requests. */
export function requestOf(state: State): PageRequest {
  const { progress: c } = state;
  const { keys, limit, next, range } = c;
  switch (state.at) {
    case "overlap":
    case "search":
      return fitting(c, state.offset ?? (keys.length ? next - 1 : next));
    case "proof": {
      const { inRank = 0, rank = 0, steps } = c;
      const look = steps < 0 ? { ...range, from: rank + 1 } : { ...range, to: rank - 1 };
      // If there is room, with the last record that was read there.
      const known = limit > 1 && inRank < keys.length ? 1 : 0;
      return { ...look, offset: next - inRank - known, limit: 1 + known };
    }
    case "pages":
      return { ...range, offset: state.far ?? 1, limit };
    default:
      return fitting(c, next);
  }
}

/** A page that begins at a position; if `offset` is a page number, the page that reaches furthest of those that hold the position. */
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

/** The page to request after `request` if the list continues and nothing moves; undefined if that cannot be known. */
export function predict(state: State, request: PageRequest): PageRequest | undefined {
  const { progress: c } = state;
  const isPlain = state.at === "overlap" && (state.offset ?? state.follows) === undefined;
  const isBare = state.at === "bare" && proves(c);
  const overlap = isBare ? 0 : 1;
  if ((!isBare && !isPlain) || c.again || c.profile.offset === "pages") return undefined;
  if (c.expected <= overlap || overlap > roomOf(c)) return undefined;
  const offset = request.offset + c.expected - overlap;
  return c.cut && offset > MAX_NEXT ? undefined : { ...request, offset };
}

/** How many known records fit on a page with a new one. */
const roomOf = ({ limit, longest }: Progress) => Math.min(limit, longest) - 1;
/** The next page begins with the last record, if there is room. */
const onwards = (c: Progress) => (roomOf(c) < 1 ? BARE : OVERLAP);

/** The direction in which blocks run: -1 newest first, 1 oldest first, 0 unknown or none. */
const orderOf = ({ mixed, steps }: Progress) => (mixed ? 0 : Math.sign(steps));
const isOrdered = ({ mixed, steps }: Progress) => !mixed && Math.abs(steps) >= MIN_STEPS;
/** The block or time that was read last, in the order of the list. */
const frontierOf = (c: Progress) => Number(c.steps < 0 ? c.lowest : c.highest);
/** By how much a block or time is past it. */
const pastOf = (c: Progress, rank = Number.NaN) => orderOf(c) * (rank - frontierOf(c));

function receive(m: Move, state: State): Phase {
  if (m.refused && state.at !== "pages")
    // Some servers refuse requests beyond the end.
    return state.at === "bare" && state.sure ? endRange(m) : narrow(m);
  learn(m);
  if (isOutside(m)) return (state.at === "bare" && m.c.wish.repeats && leave(m.c)) || OVERLAP;
  switch (state.at) {
    case "bare":
      return bare(m, state);
    case "proof":
      return judgeProof(m);
    case "pages":
      return judgeOffset(m, state.far !== undefined);
    case "end":
      return m.keys.length ? bare(m, BARE) : state;
    default:
      return align(m, state);
  }
}

/** Learns from any page how long pages are, what they count, and whether two offsets return the same page. */
function learn({ c, count, inBlocks, keys, request }: Move): void {
  const { profile } = c;
  // The count of the blocks that were not left out, too: it is that of the list.
  if (c.cut && !c.page && c.counted && count !== null && count === c.total) profile.count = "list";
  c.longest = Math.max(c.longest, keys.length);
  c.expected = keys.length >= request.limit ? request.limit : c.read ? keys.length : 0;
  if (keys.length > (profile.largestPage ?? 0)) profile.largestPage = keys.length;
  if (keys.length) c.named = inBlocks;
  if (keys.length && count !== keys.length) c.counted = true;
  const digest = keys.reduce((sum, key) => (Math.imul(sum, 31) + key) | 0, keys.length);
  const [offset, last] = c.page ?? [];
  if (offset !== request.offset) c.same = tells(c, keys) && last === digest ? c.same + 1 : 0;
  c.page = [request.offset, digest];
}

/** Whether these keys distinguish positions. */
const tells = (c: Progress, keys: readonly number[]) =>
  keys.length > 0 && (!c.wish.repeats || new Set(keys).size > 1);

/** If `offset` counts records, all but one of the page at an offset of 1 are known; far away there are none. */
function judgeOffset({ c, keys, refused }: Move, isFar: boolean): Phase {
  const isByRecord = isFar || refused ? !keys.length : keys.some((key) => c.keys.includes(key));
  c.profile.offset = isByRecord ? "records" : isFar ? "ignored" : "pages";
  return OVERLAP;
}

/** In a stable order, the rest of the blocks comes after what was read of them; if other records do, there was a reorganisation. */
function judgeProof(m: Move): Phase {
  const { c, keys, request } = m;
  const known = request.limit - 1;
  const isOther = known > 0 && keys.length > 0 && keys[0] !== c.keys.at(-1 - (c.inRank ?? 0));
  if (isOther && isOdd(m, undefined)) return { at: "proof" };
  if (isOther ? c.moves || !isFixed(c) : keys.length <= known) return cut(c);
  Object.assign(c, { inRank: undefined, mixed: !isOther, moves: c.moves || isOther });
  return isFixed(c) ? readAgain(c) : OVERLAP;
}

const ENDS = [
  ["from", "startBlock", -1],
  ["to", "endBlock", 1],
] as const;

/** The bounds of the blocks that the caller wants. */
const askedOf = ({ part, wish }: Progress): Range => part ?? wish;
/** The server can leave out blocks. */
const heedsBlocks = ({ profile, wish }: Progress) => wish.blocks && profile.endBlock !== "ignored";

/** By how many blocks to widen a bound of a request: those that may leave out their own block. */
export function widthOf(c: Progress, end: "from" | "to"): number {
  const known = end === "from" ? c.profile.startBlock : c.profile.endBlock;
  // A page without the last record shows that its block is left out.
  const shows = end === "from" ? c.cut > 0 : c.cut < 0 || c.wish.repeats;
  const isWide = known === "exclusive" || (known === undefined && !shows);
  const { [end]: given } = known ? c.wish : askedOf(c);
  return isWide && c.range[end] !== given ? 1 : 0;
}

/** Learns what narrowed bounds do. True if the page holds what it should not: they are ignored, or were widened in vain. */
function isOutside({ c, inBlocks, ranks, request }: Move): boolean {
  let isOutside = false;
  for (const [end, bound, side] of ENDS) {
    const edge = request[end];
    if (!inBlocks || edge === undefined || edge === c.wish[end]) continue;
    const past = ranks.reduce((most, rank) => Math.max(most, side * (rank - edge)), -1);
    if (past === 1 || (past === 0 && !widthOf(c, end))) c.profile[bound] = "inclusive";
    if (past > 1) readAll(c);
    isOutside ||= past > 0;
  }
  return isOutside;
}

/** Reads the whole list, like one whose records have no blocks. */
function readAll(c: Progress): void {
  const { from, to } = askedOf(c);
  c.profile.startBlock = c.profile.endBlock = "ignored";
  Object.assign(c, { range: { from, to }, rest: [], cut: 0, total: null });
  c.next = c.wish.start + c.read;
}

/** The bound that was narrowed last, and may leave out its block; undefined if none was. */
function narrowedOf(c: Progress) {
  if (c.cut > 0) return "startBlock";
  return c.cut || (c.wish.repeats && c.range.to !== askedOf(c).to) ? "endBlock" : undefined;
}

/** If the bound of a range turns out to leave out its block, it is widened by one. */
function widen(c: Progress): boolean {
  const bound = narrowedOf(c);
  if (!bound || (!c.trial && (c.again || c.profile[bound]))) return false;
  // If that does not help, it was a reorganisation, or another replica.
  c.profile[bound] = c.trial ? undefined : "exclusive";
  c.trial = !c.trial;
  c.again = 1;
  return true;
}

/** A page of which no record is known. */
function start(m: Move): Phase {
  const { c, count, keys } = m;
  if (!c.read) c.promised ??= count;
  if (keys.length) return take(m, 0);
  // A limit above the server's own may return nothing.
  const promises = count !== null && count > c.next && c.profile.count !== "guess";
  if (!promises || c.limit <= (c.profile.largestPage ?? 1)) return endRange(m);
  c.limit = Math.max(1, c.limit >> 1);
  return { at: "start" };
}

/**
 * A page that should begin with the last record. Whatever else moved, in a stable order the unknown records after a known
 * one are those that were not read yet: so any page with a known record counts.
 */
function align(m: Move, state: Phase): Phase {
  const { c, keys, known, ranks, request } = m;
  const last = c.keys.at(-1);
  if (last === undefined) return start(m);
  const expected = c.next - 1 - request.offset;
  const found = lastKnown(m, expected);
  if (found < 0) return lost(m, state);
  const at = keys[expected] === last ? expected : keys.lastIndexOf(last);
  if (at < 0) {
    // Had it been there, it would have come before what belongs after it.
    if (isOrdered(c) && pastOf(c, ranks.at(-1)) > 0 && isOdd(m, undefined)) return OVERLAP;
    // What is new on the page is taken; what arrived before it stays before it.
    const isBefore = ranks.map((rank) => pastOf(c, rank) < 0);
    const isKnown = known.map((one, at) => one || (isOrdered(c) && isBefore[at] === true));
    return take({ ...m, known: isKnown }, c.forgot || c.wish.repeats ? found + 1 : 0, isBefore);
  }
  const shift = at - expected;
  // New records at the start of the list move the others back; another replica may not know them yet. A page that begins earlier than
  // requested holds known records up to the last one.
  if (isOrdered(c) && !c.same && shift < 0 && isOdd(m, shift)) return OVERLAP;
  if (at + 1 < keys.length || shift !== 0) {
    if (shift === 0 && request.offset > 0 && tells(c, keys)) c.profile.offset ??= "records";
    return take(m, at + 1);
  }
  // It is in its place, and nothing follows it.
  if (state.at === "search") {
    // It was not where a page began: that position cannot be read.
    c.again = 0;
    const mayBePages = c.profile.offset === undefined && c.longest > 1 && request.offset === 0;
    if (++c.holes === 1 && mayBePages) return { at: "pages" };
    return c.holes > MAX_AGAIN ? unreadable(m) : OVERLAP;
  }
  if (state.at !== "overlap" || state.follows === undefined) return take(m, at + 1);
  c.again = 0;
  // A page with room for more shows by itself that nothing follows.
  if (state.follows === null && roomOf(c) > 0) return endRange(m);
  return { at: "bare", follows: state.follows };
}

/** A page that is not as it was: it is requested again, as another replica may know more, then reported. True if it is requested. */
function isOdd(m: Move, shift: number | undefined): boolean {
  if (++m.c.again <= MAX_AGAIN) return true;
  report(m, shift);
  return false;
}

/** The index of the last known record of a page; -1 if it shows none. */
function lastKnown({ c, keys, known, ranks }: Move, expected: number): number {
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
const isFixed = ({ cut, keys, next, wish }: Progress) =>
  cut !== 0 || (wish.start === 0 && next <= keys.length);

/** The page shows no known record: the last one is before it, after it, or gone. */
function lost(m: Move, state: Phase): Phase {
  const { c, count, keys, ranks } = m;
  if (widen(c)) return OVERLAP;
  const low = c.cut ? 0 : c.wish.start;
  const searches = state.at === "search";
  const isKnown = isOrdered(c) || (c.forgot && orderOf(c) !== 0);
  // All of it arrived, if blocks order the list.
  const isBefore = isKnown && pastOf(c, ranks.at(-1)) <= 0 && pastOf(c, ranks[0]) < 0;
  const rereads = c.wish.repeats && isFixed(c);
  // New records move the last one back by as many.
  const arrived = c.cut || c.mixed || c.steps > 0 ? 0 : Number(count) - Number(c.total ?? count);
  if (arrived > 0 && c.counted && !rereads) {
    c.total = count;
    return { at: "search", offset: m.request.offset + arrived };
  }
  if (!isBefore && !searches && ++c.again <= MAX_AGAIN) return OVERLAP;
  if (rereads) {
    if (c.range.to !== askedOf(c).to || c.cut) report(m, undefined);
    return readAgain(c);
  }
  // Records had arrived by the time it was judged.
  if (c.profile.offset === "pages") c.profile.offset = undefined;
  const first = isKnown ? ranks.findIndex((rank) => pastOf(c, rank) >= 0) : -1;
  const isGone = first >= 0 && pastOf(c, ranks.at(-1)) > 0;
  const { offset } = m.request;
  if (offset > low && !isBefore && !(searches && state.onwards) && !(isGone && first > 0))
    return { at: "search", offset: Math.max(low, offset - Math.max(1, c.longest - 1)) };
  if (keys.length && !isGone)
    return { at: "search", offset: offset + Math.max(1, keys.length - 1), onwards: true };
  report(m, undefined);
  forget(c);
  if (isGone) return take(m, first);
  c.next = c.forgot ? Math.min(c.next, offset) : low;
  return OVERLAP;
}

/** Forgets where reading continues. */
function forget(c: Progress): void {
  // Where keys are unique, another process still has to know that these were yielded.
  if (!c.wish.repeats) c.missing = [...c.missing, ...c.keys].slice(-REMEMBERED);
  c.keys = [];
  c.rank = c.inRank = undefined;
}

/** Reads the block of the last record again, without what was read of it. */
function readAgain(c: Progress): Phase {
  c.missing = c.missing.concat(canLeave(c) ? c.keys.slice(-Number(c.inRank)) : c.keys);
  if (canLeave(c)) cut(c);
  forget(c);
  c.next = c.cut ? 0 : c.wish.start;
  c.again = 0;
  return OVERLAP;
}

/** Takes the new records of a page from an index on, and decides how to continue. */
function take(m: Move, index: number, isBefore: readonly boolean[] = []): Phase {
  const { c, count, keys, known, max = Number.POSITIVE_INFINITY, ranks, records, request } = m;
  if (c.read && request.offset && c.profile.offset === undefined && keys.length && !tells(c, keys))
    return { at: "pages", far: (request.offset + request.limit) * 1000 };
  const familiar = [...c.keys, ...c.missing];
  c.missing = [...c.missing];
  const isNew: boolean[] = [];
  let end = index;
  for (; end < keys.length && records.length < max; end++) {
    const again = c.missing.indexOf(Number(keys[end]));
    isNew[end] = again < 0 && (c.wish.repeats || !known[end]);
    // Each of them stands for one record.
    if (again >= 0) c.missing.splice(again, 1);
    else if (isNew[end]) records.push(end);
  }
  const isNext = request.offset + index === c.next;
  if (!isNext) c.rank = c.inRank = undefined;
  // If nothing moved, the page before shows it, too, if blocks do not order the list.
  const ahead = c.profile.count === "list" && count === c.total ? c.rank : undefined;
  for (let at = isNext ? index : 0; at < end; at++) {
    const step = Math.sign(Number(ranks[at]) - Number(ranks[at - 1] ?? ahead)) || 0;
    if (step * orderOf(c) < 0) c.mixed = true;
    else if (at > 0 && (isNew[at] || isNew[at - 1])) c.steps += step;
    follow(c, Number(ranks[at]), at > 0 || request.offset === 0);
  }
  Object.assign(c, { again: 0, next: request.offset + end, total: count, trial: false });
  c.read += records.length;
  const last = keys
    .slice(0, end)
    .filter((_, at) => at >= index && !isBefore[at])
    .slice(-REMEMBERED);
  const others = c.wish.repeats ? c.keys : c.keys.filter((key) => !last.includes(key));
  // If keys repeat, or another process continues without an order, nothing else remembers the records that were taken and come before the last one.
  const isKept = c.wish.repeats || c.mixed;
  const late = isKept ? records.filter((at) => isBefore[at]).map((at) => Number(keys[at])) : [];
  c.keys = [...late, ...others, ...last].slice(-REMEMBERED);
  if (records.length) Object.assign(c, { edges: 0, checks: 0, holes: 0, fresh: true });
  // Records that all look like known ones may be the same page again.
  if (records.some((at) => !familiar.includes(Number(keys[at])))) c.idle = -1;
  if (c.mixed) c.profile.order = "unsorted";
  else if (isOrdered(c)) c.profile.order = c.steps < 0 ? "newest first" : "oldest first";
  return end < keys.length ? (leave(c) ?? OVERLAP) : after(m);
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
function after(m: Move): Phase {
  const { c, count, keys, records, request } = m;
  const isByPage = c.profile.offset === "pages";
  const short = keys.length < (isByPage ? request.limit : Math.min(request.limit, c.longest));
  // The count may say that this is all. At an offset of 0, it may be that of the page.
  const isAll = count === c.next && keys.length < request.limit;
  const isShown = isAll && short && request.offset > 0;
  if (isShown && !c.cut) c.profile.count ??= "list";
  if (isShown || (isAll && c.profile.count === "list" && isTelling(c.next))) return endRange(m);
  if (!records.length && short && ++c.edges >= MAX_EDGES) return endRange(m);
  if (c.same >= MAX_SAME) return unreadable(m);
  // Back and forth: if the list only moved, one of the two returns another page.
  if (c.same > 1) return { at: "overlap", offset: request.offset + (c.same % 2 ? -1 : 1) };
  if (c.profile.offset === "ignored") return keys.length < request.limit ? endRange(m) : narrow(m);
  // The next page shows whether it is all.
  const mayBeAll = isAll && !c.cut;
  if (c.wish.repeats && mayBeAll) return { at: "bare", sure: short };
  const left = mayBeAll ? undefined : leave(c);
  if (left) return left;
  if (proves(c) || (isByPage && !records.length)) return BARE;
  return short || roomOf(c) < 1 ? { at: "bare", sure: short && roomOf(c) > 0 } : OVERLAP;
}

/** A count that a server does not stop at. */
const isTelling = (count: number) => count < 1000 || count % 1000 !== 0;

/** Whether the count shows by itself that nothing moved. */
function proves({ limit, moves, next, profile, rank, total }: Progress): boolean {
  const isByRecord = profile.offset === "records" || (profile.offset === undefined && limit === 1);
  if (profile.count !== "list" || !isByRecord || total === null || rank === undefined) return false;
  return isTelling(total) && total >= next && !moves;
}

/** Blocks seem to order the list, and some were read to their end. */
const canLeave = (c: Progress) =>
  c.named && heedsBlocks(c) && orderOf(c) !== 0 && c.inRank !== undefined && c.next > c.inRank;

/** Leaves out blocks that were read to their end, if many records, or a look into those blocks, show that nothing is left in them. */
function leave(c: Progress): Phase | undefined {
  const isPinned = pin(c);
  const { cut: side, highest, limit, next, range, steps, wish } = c;
  const stays = wish.ahead && side && next + limit <= MAX_NEXT && (!wish.repeats || proves(c));
  if (canLeave(c) && !stays) {
    if (isOrdered(c)) return cut(c);
    // New records would be found there.
    const isStatic = steps > 0 || Number(range.to) <= Number(highest);
    const isLast = c.rank === frontierOf(c);
    if (wish.repeats && !wish.start && isStatic && isLast) return { at: "proof" };
  }
  if (!isPinned) return undefined;
  c.total = null;
  return onwards(c);
}

function cut(c: Progress): Phase {
  const { inRank = 0, next, range, rank, total } = c;
  c.cut = c.steps < 0 ? -1 : 1;
  c.range = c.cut < 0 ? { from: range.from, to: rank } : { from: rank, to: range.to };
  c.total = total === null ? null : total - (next - inRank);
  Object.assign(c, { next: inRank, page: undefined, again: 0 });
  // A page with the last record shows whether its block is left out.
  const isShown = c.cut < 0 ? c.profile.endBlock : c.profile.startBlock;
  return proves(c) && (isShown || !c.wish.repeats) ? BARE : onwards(c);
}

/** Where keys repeat, only blocks keep records apart: until the order is known, blocks that arrive are read last. True if it changes the range. */
function pin(c: Progress): boolean {
  const { highest = 0, named, range, wish } = c;
  if (!wish.repeats || wish.start || !named || !heedsBlocks(c) || isOrdered(c)) return false;
  if (orderOf(c) > 0 || (range.to ?? Number.POSITIVE_INFINITY) <= highest) return false;
  c.rest = [{ from: highest + 1, to: range.to, late: true }, ...c.rest];
  c.range = { from: range.from, to: highest };
  return true;
}

/** A page that should begin after the last record. */
function bare(m: Move, state: Phase & { at: "bare" }): Phase {
  const { c, count, keys, known } = m;
  const isMoved = known.includes(true);
  const isSame = count === (c.total ?? count) && !isMoved;
  const hasProof = proves(c);
  if (hasProof && isSame && keys.length) return take(m, 0);
  if (hasProof && !isSame) c.moves = true;
  // A bound that leaves out its block counts less.
  const bound = narrowedOf(c);
  const isCounted = !bound || c.profile[bound] !== undefined;
  const isEnd = count === c.next && c.next > 0 && isSame && isCounted;
  if (!keys.length && isEnd && !c.cut) c.profile.count ??= "list";
  // A transfer that looks the same may stand where the last one was.
  const isSure = state.sure && (isSame || !hasProof || !c.wish.repeats);
  if (!keys.length && (isSure || isEnd)) return endRange(m);
  if (isMoved) return align(m, state);
  const left = c.wish.repeats ? leave(c) : undefined;
  if (left) return left;
  const [follows = null] = keys;
  // The last record is looked at between two looks at what follows it, which may be itself as another replica has it.
  const isItself = follows === c.keys.at(-1) && c.counted && !isSame && c.idle < MAX_EDGES * 2;
  if (state.follows !== follows || isItself) return { at: "overlap", follows };
  return keys.length ? take(m, 0) : endRange(m);
}

/** The server reaches no further: it returns the same page at any offset, or none. */
function unreadable(m: Move): Phase {
  const { c, keys, request } = m;
  const { counted, profile, promised, read, rest, same, wish } = c;
  const isOpen = (promised ?? Number.POSITIVE_INFINITY) > wish.start + read;
  if (counted && !rest.length && !isOpen) return endRange(m);
  if (same >= MAX_SAME && profile.offset === undefined) {
    profile.offset = "ignored";
    const mayFollow = promised !== null && isOpen && profile.count !== "guess";
    if (keys.length < request.limit && !mayFollow) return endRange(m);
  }
  c.same = c.holes = 0;
  return narrow(m);
}

/** Continues in fewer blocks: without those that were read to their end, or else in halves. */
function narrow(m: Move): Phase {
  const { c } = m;
  const { highest, lowest, named, profile, range, wish } = c;
  if (canLeave(c) && isOrdered(c)) return cut(c);
  const { from = 0, to } = range;
  if (!heedsBlocks(c) || wish.repeats || wish.start > 0 || from === to)
    return fail(m, profile.offset === "ignored" ? "OFFSET_IGNORED" : "RESULT_WINDOW");
  if (from > HALF_OF_ALL ** 2) return fail(m, "NO_PROGRESS");
  const isKnown = named && lowest !== undefined && highest !== undefined;
  const end = to ?? Math.max(HALF_OF_ALL, 2 * from) * 2;
  const middle = Math.floor(isKnown ? (lowest + highest) / 2 : (from + end) / 2);
  // A block that is too large by itself comes last.
  const isAlone = isKnown && lowest === highest && lowest > from;
  const parts: Range[] = [
    { from, to: isAlone ? middle - 1 : middle },
    ...(isAlone ? [{ from: middle, to: middle }] : []),
    { from: middle + 1, to },
  ];
  return readParts(m, profile.order === "newest first" ? parts.reverse() : parts);
}

/** Reads some ranges instead of the present one. */
function readParts(m: Move, parts: readonly Range[]): Phase {
  const { c } = m;
  const [first, ...rest] = parts.filter(({ from = 0, to = from }) => to >= from);
  if (!first) return endRange(m);
  c.rest = [...rest, ...c.rest];
  return startRange(c, first, true);
}

/** Notes that the records of the range will come again, once for each range: another process reads them again for their keys. */
function noteYielded(c: Progress): void {
  const { from, to } = c.range;
  const others = c.yielded.filter((one) => one.from !== from || one.to !== to);
  c.yielded = [...others, { from, to, read: c.next }];
}

function startRange(c: Progress, { from, to }: Range, recalls = c.yielded.length > 0): Phase {
  if (recalls && c.fresh) noteYielded(c);
  Object.assign(c, UNREAD, { range: { from, to } });
  // A bound may be widened by one.
  const meets = (one: Range, { from = 0, to = Number.POSITIVE_INFINITY }: Range) =>
    from - 1 <= (one.to ?? Number.POSITIVE_INFINITY) && to + 1 >= (one.from ?? 0);
  c.yielded = c.yielded.filter((one) => [c.range, ...c.rest].some((left) => meets(one, left)));
  return { at: "start" };
}

/** Nothing is left in the range: if the count promises more, it is requested again; then the rest is read. */
function endRange(m: Move): Phase {
  const { c, count } = m;
  const { profile, promised, wish } = c;
  const received = wish.start + c.read;
  const missing = promised !== null && promised > received;
  c.short ||= missing && (count ?? 0) > c.next;
  // Another replica may know more, or the last record is not where it should be.
  if (missing && !c.rest.length && profile.count !== "guess" && c.checks++ < MAX_AGAIN) {
    if (c.cut && !wish.repeats) {
      noteYielded(c);
      forget(c);
      c.next = 0;
    }
    return { at: "overlap", follows: null };
  }
  const isKnown = c.steps < 0 && (profile.count === "list" || isOrdered(c));
  const next = c.rest.findIndex(({ late }) => !late || missing || !isKnown);
  const range = c.rest[next];
  c.rest = range ? c.rest.slice(next + 1) : [];
  if (range) return startRange(c, range);
  if (count === c.next && promised === c.read && c.counted) profile.offset ??= "records";
  if (missing && c.short) {
    profile.count ??= "guess";
    m.reports.push({ kind: "shortfall", promised, received });
  } else if (!c.counted && promised !== null && c.read > promised) profile.count ??= "page";
  return { at: "end" };
}

function report({ reports }: Move, shift: number | undefined): void {
  reports.push({ kind: "reorganisation", shift, deep: shift === undefined });
}

function fail({ reports }: Move, reason: ListErrorReason): Phase {
  reports.push({ kind: "failure", reason });
  return { at: "end" };
}
