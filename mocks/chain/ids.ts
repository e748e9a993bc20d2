// Lists of ids in ascending order.

/** The first position in `list[start..end)` whose id is not below `id`. */
function lowerBound(list: ArrayLike<number>, id: number, end: number, start = 0): number {
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
