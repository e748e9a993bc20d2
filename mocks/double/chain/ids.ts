// Lists of ids in ascending order: columns of 32-bit numbers, the union of lists, and the transfers in lists of logs.

/** How much to make room for when so much is needed: twice as much while it is little, then a quarter more. */
export const room = (needed: number): number => Math.ceil(needed * (needed < 1024 ? 2 : 1.25));

/** A copy of a column with room for more than `needed` numbers. */
export function grown(column: Uint32Array, needed: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(room(needed));
  longer.set(column);
  return longer;
}

export class Ids {
  #items = new Uint32Array(8);
  length = 0;

  push(id: number): void {
    if (this.length === this.#items.length) this.#items = grown(this.#items, this.length);
    this.#items[this.length++] = id;
  }

  at(index: number): number {
    return this.#items[index] as number;
  }

  lowerBound(id: number): number {
    return lowerBound(this.#items, id, this.length);
  }
}

/** The first position in `list[start..end)` whose id is not below `id`. */
export function lowerBound(list: ArrayLike<number>, id: number, end: number, start = 0): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as number) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Ids in a row. */
export type SomeIds = readonly number[] | Uint32Array;

/** Ids in ascending order, no two the same: all a list has to offer to be read in pages. */
export interface IdList {
  /** The number of ids below `id`. */
  countBelow(id: number): number;
  /** The ids at the positions from `start` up to, not including, `end`. */
  slice(start: number, end: number): SomeIds;
}

/** A list of ids that knows each by its position. */
export interface SortedIds extends IdList {
  readonly length: number;
  at(position: number): number;
}

/** The ids from 0 up to, not including, `count`. */
export const idsUpTo = (count: number): IdList => ({
  countBelow: (id) => Math.min(id, count),
  slice: (start, end) => Array.from({ length: Math.max(0, end - start) }, (_, at) => start + at),
});

/** The ids of an array. */
export const idsIn = (ids: SomeIds): SortedIds => ({
  length: ids.length,
  at: (position) => ids[position] as number,
  countBelow: (id) => lowerBound(ids, id, ids.length),
  slice: (start, end) => ids.slice(start, end),
});

/** A set of conditions: the ids that meet all of them, and whether they add to the count of the union or are subtracted. */
interface Term {
  readonly ids: SortedIds;
  readonly sign: 1 | -1;
}

/** The ids that meet any of the conditions; `withAll` gives those that meet all of some, in order. */
export function unionOf<Condition>(
  conditions: readonly Condition[],
  withAll: (conditions: readonly Condition[]) => SortedIds,
): IdList {
  const lists = conditions.map((condition) => withAll([condition]));
  // A record in several lists is counted once: inclusion and exclusion over all sets of conditions.
  const terms = setsOf(conditions).map(
    (set): Term => ({ ids: withAll(set), sign: set.length % 2 === 1 ? 1 : -1 }),
  );
  const countBelow = (id: number) =>
    terms.reduce((count, { ids, sign }) => count + sign * ids.countBelow(id), 0);
  return {
    countBelow,
    slice(start, end) {
      if (end <= start) return [];
      return mergedFrom(lists, idAt(countBelow, start, lists), end - start);
    },
  };
}

/** All sets of items but the empty one. */
function setsOf<Item>(items: readonly Item[]): Item[][] {
  const [first, ...rest] = items;
  if (first === undefined) return [];
  const others = setsOf(rest);
  return [[first], ...others, ...others.map((set) => [first, ...set])];
}

/** The id at a position of the union: the last with no more than `position` ids below it. */
function idAt(
  countBelow: (id: number) => number,
  position: number,
  lists: readonly SortedIds[],
): number {
  let low = 0;
  let high = Math.max(
    0,
    ...lists.map((list) => (list.length === 0 ? 0 : list.at(list.length - 1))),
  );
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countBelow(middle) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Up to `count` ids of the union, from the id `start` on. */
function mergedFrom(lists: readonly SortedIds[], start: number, count: number): readonly number[] {
  const heads = lists.map((list) => {
    const position = list.countBelow(start);
    return { ids: list.slice(position, position + count), at: 0 };
  });
  const merged: number[] = [];
  while (merged.length < count) {
    const next = Math.min(...heads.map(({ ids, at }) => ids[at] ?? Infinity));
    if (next === Infinity) break;
    merged.push(next);
    for (const head of heads) if (head.ids[head.at] === next) head.at++;
  }
  return merged;
}

/** What the transfers of one log are apart: enough of them fit between two logs. */
const STEP = 2 ** -14;

/** The log of a transfer, and its position among those that the log records. */
export function placeOf(transfer: number): { readonly log: number; readonly nth: number } {
  const log = Math.floor(transfer);
  return { log, nth: (transfer - log) / STEP };
}

/** The transfers in these logs; `consecutive` has the logs with several, and their number. */
export function transferIds(logs: SortedIds, consecutive: ReadonlyMap<number, number>): IdList {
  const several: { readonly at: number; readonly count: number; readonly first: number }[] = [];
  let more = 0;
  for (const [log, count] of consecutive) {
    const at = logs.countBelow(log);
    if (at === logs.length || logs.at(at) !== log) continue;
    several.push({ at, count, first: at + more });
    more += count - 1;
  }
  if (several.length === 0) return logs;

  const firsts = several.map(({ first }) => first);
  const idAt = (position: number): number => {
    const before = several[lowerBound(firsts, position + 1, firsts.length) - 1];
    if (before === undefined) return logs.at(position);
    const nth = position - before.first;
    return nth < before.count
      ? logs.at(before.at) + nth * STEP
      : logs.at(before.at + 1 + nth - before.count);
  };
  return {
    countBelow: (id) => {
      const at = logs.countBelow(id);
      return several.reduce((sum, one) => (one.at < at ? sum + one.count - 1 : sum), at);
    },
    slice: (start, end) => {
      const ids: number[] = [];
      for (let position = start; position < end; position++) ids.push(idAt(position));
      return ids;
    },
  };
}
