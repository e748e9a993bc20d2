// The course of an iteration: which part of a list to ask for next, and which records of an answer are new.
import type { OperationResults } from "../contract/index.ts";
import {
  keyOf,
  type ListOperation,
  type ListRecord,
  type ListResults,
  listsIn,
  maxLimitOf,
  rankOf,
} from "./list-records.ts";

/** A part of a list, as it is asked for. */
export interface PageRange {
  readonly offset: number;
  readonly limit: number;
  readonly endBlock?: bigint | undefined;
}

/**
 * A list changed where it should not have: what was read is no longer there, or moved although nothing can have
 * arrived before it. Reading goes on behind what is known; what was yielded cannot be taken back.
 */
export interface Reorganisation {
  /** The number of the operation in the specification: "A2". */
  readonly operation: string;
  /** By how many positions the records moved; undefined where the last record read is gone. */
  readonly shift: number | undefined;
  /** The position at which reading goes on. */
  readonly position: number;
  /** True if it goes deeper than what was read: the record read last is gone, and records may be missing. */
  readonly deep: boolean;
}

/** A search for the record read last, which is not where it was expected. */
interface Search {
  /** The positions seen so far. */
  low: number;
  high: number;
  /** It is not below `low`, or not above `high`. */
  lowest: boolean;
  highest: boolean;
  /** The newest record of the tail that is still there: its index in the tail, and its position. */
  survivor?: readonly [index: number, position: number];
  /** The first position of a record that belongs behind the one read last. */
  beyond?: number;
  asked: number;
}

interface ListProgress {
  /** The position of the next record, as far as is known. */
  next: number;
  /** Keys of the records read last, the last at the end. */
  tail: string[];
  /** Keys of records that were read, but not found again: should they come back, they are not new. */
  passed?: string[];
  /** Block or time of the record read last. */
  rank?: number | undefined;
  ended: boolean;
  search?: Search | undefined;
}

/**
 * Where an iteration stands; plain data, so that a cursor can hold it.
 *
 * `phase`: `start` nothing read; `sealed` held to the block of the first record while the order is not known; `probing`
 * and `closing` asking what comes after that block, before or after it was read to its end; `steady` the rest.
 */
export interface IterationState {
  tracks: ListProgress[];
  phase: "start" | "probing" | "sealed" | "closing" | "steady";
  /** -1 newest first, 1 oldest first, 0 not known. */
  order: -1 | 0 | 1;
  /** The last block of the range, once it is known which one it must be. */
  pin?: number | undefined;
  /** Block or time of the first record. */
  first?: number | undefined;
  /** The longest page so far. */
  granted: number;
  /** How long the next page will be if there is enough. */
  reach: number;
  /** Whether known records are asked for again, to see whether the list moved. */
  overlap: boolean;
  /** The key of a record, alone on its page, that may have come from the front: looked for behind the one read last. */
  suspect?: string;
  /** Pages are too short to hold more than one known record. */
  narrow?: boolean;
}

/** How many keys are remembered. */
const TAIL = 32;
/** How many pages a search may ask for. */
const PATIENCE = 1000;

/** A standing from which to begin. */
const begin = (): IterationState => ({
  tracks: [],
  phase: "start",
  order: 0,
  granted: 0,
  reach: 0,
  overlap: true,
});

/** How much of the tail ends at an index. */
function matched(keys: readonly string[], tail: readonly string[], end: number): number {
  let length = 0;
  while (length <= end && length < tail.length && keys[end - length] === tail.at(-1 - length))
    length++;
  return length;
}

/** Whether the tail ends at an index, and so does all that is before it in the page. */
const fits = (keys: readonly string[], tail: readonly string[], end: number) =>
  end >= 0 && matched(keys, tail, end) === Math.min(end + 1, tail.length);

/**
 * The index of the record read last: where the longest piece of the tail ends; -1 if it is not there. With `more` before
 * the page that may look the same, a piece that begins with the page proves nothing.
 */
function align(
  keys: readonly string[],
  tail: readonly string[],
  expected: number,
  more: boolean,
): number {
  if (fits(keys, tail, expected)) return expected;
  // The transfers of one transaction may look the same: the longest match tells them apart.
  let best = -1;
  for (let index = 0; index < keys.length; index++)
    if (matched(keys, tail, index) > matched(keys, tail, best)) best = index;
  return more && best + 1 < tail.length && fits(keys, tail, best) ? -1 : best;
}

export class ListIterator {
  readonly #operation: ListOperation;
  readonly #maxLimit: number;
  readonly limit: number;
  readonly standing: IterationState;
  readonly #offset: number;
  readonly #pinnable: boolean;
  /** Records of the list may look the same. */
  readonly #alike: boolean;
  readonly #report: (event: Reorganisation) => void;

  constructor(
    operation: ListOperation,
    { limit, offset = 0 }: { readonly limit: number; readonly offset?: number | undefined },
    report: (event: Reorganisation) => void,
    standing: IterationState = begin(),
  ) {
    this.#operation = operation;
    this.#maxLimit = maxLimitOf(operation);
    this.limit = limit;
    this.standing = standing;
    this.#offset = offset;
    this.#report = report;
    this.#alike = this.#operation.list.identity.includes("value");
    // Without the records before it, a position within a narrower range is not known.
    this.#pinnable = offset === 0 && operation.places.query.includes("endBlock");
  }

  get ended(): boolean {
    const { tracks } = this.standing;
    return tracks.length > 0 && tracks.every((track) => track.ended);
  }

  /** Nothing can arrive before what was read: the range ends there, or what is new comes behind it. */
  get #held(): boolean {
    return this.standing.pin !== undefined || this.standing.order > 0;
  }

  /** What to ask for now. */
  ask(): PageRange {
    const { tracks, pin, phase } = this.standing;
    const endBlock = pin === undefined ? undefined : BigInt(pin);
    if (phase === "start") return { offset: this.#offset, limit: this.limit };
    // Behind the end there is nothing new, but asking must still make sense.
    const open = this.ended ? tracks : tracks.filter((track) => !track.ended);
    const search = open.find((track) => track.search)?.search;
    if (search) {
      const back = Math.max(1, this.standing.granted - 1);
      const seen = this.standing.granted > 1 ? 1 : 0;
      const offset = Math.max(0, search.lowest ? search.high - seen : search.low - back);
      return { offset, limit: this.#maxLimit, endBlock };
    }
    const overlaps = open.map((track) => this.#overlap(track));
    const offset = Math.min(...open.map(({ next }, index) => next - (overlaps[index] ?? 0)));
    return {
      offset,
      limit: Math.min(this.limit + Math.max(...overlaps), this.#maxLimit),
      endBlock,
    };
  }

  /** How many known records to ask for again: so many that they cannot be mistaken for others. */
  #overlap({ tail }: ListProgress): number {
    const { overlap, narrow } = this.standing;
    if (!overlap || narrow || !this.#alike) return overlap && tail.length ? 1 : 0;
    const last = tail.at(-1);
    const run = tail.length - 1 - tail.findLastIndex((key) => key !== last);
    return Math.min(run + 1, tail.length);
  }

  /** The least overlap of pages that follow each other. */
  get #usual(): number {
    const { overlap, narrow } = this.standing;
    return overlap ? (this.#alike && !narrow ? 2 : 1) : 0;
  }

  /** What will be asked for after `part`, if all goes well and there is more; undefined if that cannot be known. */
  ahead(part: PageRange): PageRange | undefined {
    const { phase, reach, tracks } = this.standing;
    const overlap = this.#usual;
    const settled = phase === "steady" || phase === "sealed";
    // Answers that do not hold a known record show nothing of what moved between them.
    if (!this.standing.overlap && !this.#held) return undefined;
    if (!settled || reach <= overlap || tracks.some((track) => track.search)) return undefined;
    return { ...part, offset: part.offset + reach - overlap };
  }

  /**
   * The new records of an answer, at most `most`. `early`: it was asked for before the one before it had come, and may
   * show an older state of the list.
   */
  take(
    part: PageRange,
    results: OperationResults<ListOperation>,
    early: boolean,
    most = Number.POSITIVE_INFINITY,
  ): {
    readonly records: readonly ListRecord[];
    readonly count: number | null;
    readonly offset: number;
  } {
    const state = this.standing;
    const lists = listsIn(results);
    const longest = Math.max(...lists.map(({ records }) => records.length));
    const first = state.phase === "start";
    if (first) state.tracks = lists.map(() => ({ next: part.offset, tail: [], ended: false }));
    // A capped page is as long as pages get; a full one may become longer by what overlaps.
    const full = longest >= part.limit;
    const longer = Math.min(this.limit + this.#usual, this.#maxLimit);
    state.reach = full ? longer : first ? 0 : longest;
    state.granted = Math.max(state.granted, longest);
    const counts = lists.map(({ count }) => count);
    const count = counts.includes(null)
      ? null
      : counts.reduce<number>((sum, one) => sum + (one ?? 0), 0);
    const searching = state.tracks.some((track) => track.search);
    const suspect = first || searching ? undefined : this.#suspect(lists);
    if (suspect !== undefined) {
      // Look again, with the record before it in view.
      state.overlap = true;
      state.narrow = true;
      if (state.phase === "probing") this.#seal();
      else state.suspect = suspect;
      return { records: [], count, offset: part.offset };
    }
    const overlap = searching ? 0 : Math.max(...state.tracks.map((track) => this.#overlap(track)));
    let offset = part.offset;
    let room = most;
    const records = lists.flatMap((list, index) => {
      const track = state.tracks[index];
      if (!track || track.ended) return [];
      const fresh = this.#read(track, part, list.records, early, room);
      room -= fresh.length;
      if (fresh.length) offset = track.next - fresh.length;
      return fresh;
    });
    state.overlap = longest > 1 || state.granted > 1 || part.limit === 1;
    // Nothing but what is known fits into a page.
    if (!records.length && longest >= state.granted && longest <= overlap) state.narrow = true;
    const held = this.#pinnable && typeof records[0]?.block_number === "bigint";
    if (first) this.#set(held, full);
    else this.#settle();
    return { records, count, offset };
  }

  /** The key of a record that comes without known ones, where nothing tells yet that it belongs behind the one read last. */
  #suspect(lists: readonly ListResults[]): string | undefined {
    const { tracks, overlap, order, suspect } = this.standing;
    if (overlap || this.#held) return undefined;
    for (const [index, { records }] of lists.entries()) {
      const [record] = records;
      const track = tracks[index];
      if (!record || !track || track.ended) continue;
      const rank = rankOf(record) ?? 0;
      if (order < 0 && rank <= (track.rank ?? rank)) continue;
      const keys = records.map((one) => keyOf(this.#operation.list, one));
      if (keys[0] !== suspect && !keys.some((key) => track.tail.includes(key))) return keys[0];
    }
    return undefined;
  }

  #read(
    track: ListProgress,
    part: PageRange,
    records: readonly ListRecord[],
    early: boolean,
    most: number,
  ) {
    const { phase, overlap } = this.standing;
    const { tail } = track;
    if (!tail.length) return this.#accept(track, part, records, 0, most);
    const expected = track.next - 1 - part.offset;
    const settled = (phase === "steady" || phase === "sealed") && !track.search;
    const known = settled && overlap ? this.#overlap(track) : 0;
    // Almost always: the list is where it was.
    const head = records.slice(0, known).map((record) => keyOf(this.#operation.list, record));
    if (known && expected === known - 1 && fits(head, tail, expected))
      return this.#accept(track, part, records, known, most);
    const keys = records.map((record) => keyOf(this.#operation.list, record));
    if ((phase === "probing" || phase === "closing") && !this.#continues(track, keys, records))
      return [];
    if (overlap) delete this.standing.suspect;
    else if (!track.search) {
      // Where nothing can have moved, records that look the same are not.
      const start = this.#held ? 0 : keys.findLastIndex((key) => tail.includes(key)) + 1;
      return this.#accept(track, part, records, start, most);
    }

    // Asked for the sake of another list.
    const other = expected < 0 || (expected >= this.#overlap(track) && expected >= keys.length);
    if (!track.search && other) return [];
    const found = align(keys, tail, expected, this.#alike && part.offset > 0);
    if (found < 0) {
      if (!early) this.#search(track, part, keys, records);
      return [];
    }
    const shift = found - expected;
    if (this.#held ? shift !== 0 : this.standing.order < 0 && shift < 0)
      this.#tell(shift, part.offset + found + 1);
    track.search = undefined;
    // In a list that time orders, what moved did so because something newer came before it.
    if (shift > 0 && track.rank !== undefined) this.standing.order ||= -1;
    return this.#accept(track, part, records, found + 1, most);
  }

  /** Takes the records from `start` on. */
  #accept(
    track: ListProgress,
    part: PageRange,
    records: readonly ListRecord[],
    start: number,
    most: number,
  ) {
    const state = this.standing;
    const taken = records.slice(start, start + most);
    const end = start + taken.length;
    track.next = part.offset + end;
    track.tail = [
      ...track.tail,
      ...taken.slice(-TAIL).map((record) => keyOf(this.#operation.list, record)),
    ].slice(-TAIL);
    // A page shorter than the server can make them is the last one; a first short page may be as long as they get.
    track.ended =
      end === records.length && (end === 0 || end < Math.min(state.granted, part.limit));
    for (const record of state.order && state.phase === "steady" ? taken.slice(-1) : taken) {
      const rank = rankOf(record);
      if (rank === undefined) continue;
      state.first ??= rank;
      if (!state.order) state.order = sign(rank - (track.rank ?? rank));
      track.rank = rank;
    }
    const { passed } = track;
    return passed
      ? taken.filter((record) => !passed.includes(keyOf(this.#operation.list, record)))
      : taken;
  }

  /** Whether the answer to what comes after the first block goes on with it, oldest first. Decides, otherwise. */
  #continues(
    track: ListProgress,
    keys: readonly string[],
    records: readonly ListRecord[],
  ): boolean {
    const state = this.standing;
    const known = this.#overlap(track);
    const next = records[known];
    const rank = next && rankOf(next);
    const same = known
      ? fits(keys, track.tail, known - 1)
      : !keys.some((key) => track.tail.includes(key));
    if (same && !next) {
      if (records.length < state.granted || !state.overlap) track.ended = true;
      else if (known > 1) state.narrow = true;
      else {
        if (state.suspect !== undefined) state.order = 1;
        state.phase = "steady";
      }
      return false;
    }
    if (
      same &&
      rank !== undefined &&
      rank > (track.rank ?? rank) &&
      (known || state.phase === "closing")
    ) {
      state.order = 1;
      state.phase = "steady";
      return true;
    }
    if (state.phase === "closing") track.ended = true;
    else this.#seal();
    return false;
  }

  /** Holds the range to the block of the first record: whatever the order, what was read is the beginning of that. */
  #seal(): void {
    this.standing.phase = "sealed";
    this.standing.pin = this.standing.first;
  }

  /** After the first page: holds the range to what is there now, as soon as the order tells which block that is. */
  #set(held: boolean, full: boolean): void {
    const state = this.standing;
    state.phase = "steady";
    if (!held || state.order > 0) return;
    if (state.order < 0) state.pin = state.first;
    else if (full) this.#seal();
    else state.phase = "probing";
  }

  /** Leaves the first block, if it has been read to its end. */
  #settle(): void {
    const state = this.standing;
    const [track] = state.tracks;
    if (state.phase !== "sealed" || !track) return;
    if (state.order) state.phase = "steady";
    else if (track.ended) {
      track.ended = false;
      state.phase = "closing";
      state.pin = undefined;
      state.overlap = state.granted > 1;
    }
  }

  /** Looks through a page that does not hold the record read last, and gives up once it cannot be anywhere. */
  #search(
    track: ListProgress,
    part: PageRange,
    keys: readonly string[],
    records: readonly ListRecord[],
  ): void {
    const { order, granted } = this.standing;
    const end = part.offset + records.length;
    track.search ??= { low: part.offset, high: end, lowest: false, highest: false, asked: 0 };
    const { search, tail } = track;
    search.low = Math.min(search.low, part.offset);
    search.high = Math.max(search.high, end);
    // How far behind the record read last a record belongs; 0 where nothing tells.
    const behind = (record: ListRecord | undefined) =>
      order * ((record && rankOf(record)) ?? 0) - order * (track.rank ?? 0);
    if (!search.lowest && (part.offset === 0 || behind(records[0]) < 0)) {
      search.lowest = true;
      // Where time does not order it, what was seen on the way down may have moved since: all of it again, upwards.
      if (!order) {
        search.high = end;
        search.highest = false;
      }
    }
    search.highest ||= records.length < Math.min(granted, part.limit) || behind(records.at(-1)) > 0;
    const survivor = Math.max(...keys.map((key) => tail.lastIndexOf(key)));
    if (survivor >= (search.survivor?.[0] ?? 0))
      search.survivor = [survivor, part.offset + keys.lastIndexOf(tail[survivor] ?? "")];
    const beyond = records.findIndex((record) => behind(record) >= 0);
    if (order && beyond >= 0)
      search.beyond = Math.min(search.beyond ?? Number.POSITIVE_INFINITY, part.offset + beyond);
    if (++search.asked < PATIENCE && !(search.lowest && search.highest)) return;

    const survivors = search.survivor ? search.survivor[0] + 1 : 0;
    track.tail = tail.slice(0, survivors);
    // Records that look the same cannot be told from those that were read.
    if (!this.#alike)
      track.passed = [...(track.passed ?? []), ...tail.slice(survivors)].slice(-TAIL);
    track.next = search.survivor
      ? search.survivor[1] + 1
      : (search.beyond ??
        (order
          ? search.high
          : tail.length < TAIL
            ? this.#offset
            : Math.min(track.next, search.high)));
    track.search = undefined;
    if (order || !search.survivor) this.#tell(undefined, track.next);
  }

  #tell(shift: number | undefined, position: number): void {
    this.#report({ operation: this.#operation.id, shift, position, deep: shift === undefined });
  }
}

function sign(difference: number): -1 | 0 | 1 {
  return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}
