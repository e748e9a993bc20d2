// Lists that make a record only when it is asked for.
import type { Listing } from "./reader.ts";

/** Part of a list: the records with the ids `ids[start..end)`. */
export interface ListPart<Record> {
  readonly ids: ArrayLike<number>;
  readonly start: number;
  readonly end: number;
  readonly make: (id: number) => Record;
}

export function listParts<Record>(parts: readonly ListPart<Record>[]): Listing<Record> {
  const count = parts.reduce((sum, { start, end }) => sum + end - start, 0);
  return {
    count,
    at(index) {
      let rest = checked(index, count);
      for (const { ids, start, end, make } of parts) {
        if (rest < end - start) return make(ids[start + rest] as number);
        rest -= end - start;
      }
      throw outOfList(index, count);
    },
  };
}

export function listOf<Record>(records: readonly Record[]): Listing<Record> {
  return {
    count: records.length,
    at: (index) => records[checked(index, records.length)] as Record,
  };
}

export function mapListing<From, To>(list: Listing<From>, map: (from: From) => To): Listing<To> {
  return { count: list.count, at: (index) => map(list.at(index)) };
}

/** Every record of a list. */
export const items = <Record>(list: Listing<Record>): Record[] =>
  Array.from({ length: list.count }, (_, index) => list.at(index));

/** How many records come before the first that `isBefore` is not true of; it is true of none behind that one. */
export function countBefore<Record>(
  list: Listing<Record>,
  isBefore: (record: Record) => boolean,
): number {
  let low = 0;
  let high = list.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(list.at(middle))) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Looks at every record of the list. */
export function filterListing<Record>(
  list: Listing<Record>,
  keeps: (record: Record) => boolean,
): Listing<Record> {
  return listOf(items(list).filter(keeps));
}

function checked(index: number, count: number): number {
  if (!Number.isInteger(index) || index < 0 || index >= count) throw outOfList(index, count);
  return index;
}

const outOfList = (index: number, count: number): RangeError =>
  new RangeError(`A list of ${count} records has none at ${index}.`);
