// Lists that return a page at any offset without creating the records before it.
import type { Listing } from "./reader.ts";

/** A slice of an array from `start` up to, but not including, `end`. */
export interface Part<Item> {
  readonly list: readonly Item[];
  readonly start: number;
  readonly end: number;
}

/** Concatenates parts. */
export function listParts<Item>(parts: readonly Part<Item>[]): Listing<Item> {
  const count = parts.reduce((sum, { start, end }) => sum + end - start, 0);
  return {
    count,
    at(index) {
      let remaining = index;
      for (const { list, start, end } of parts) {
        if (remaining >= 0 && remaining < end - start) return list[start + remaining] as Item;
        remaining -= end - start;
      }
      throw new RangeError(`Index ${index} is out of range: the list has ${count} records`);
    },
    slice(offset, limit) {
      const page: Item[] = [];
      let skip = offset;
      for (const { list, start, end } of parts) {
        const until = Math.min(end, start + skip + limit - page.length);
        for (let at = start + skip; at < until; at++) page.push(list[at] as Item);
        if (page.length === limit) break;
        skip = Math.max(0, skip - (end - start));
      }
      return page;
    },
  };
}

export const listOf = <Item>(list: readonly Item[]): Listing<Item> =>
  listParts([{ list, start: 0, end: list.length }]);

export const mapListing = <From, To>(
  list: Listing<From>,
  map: (from: From) => To,
): Listing<To> => ({
  count: list.count,
  at: (index) => map(list.at(index)),
  slice: (offset, limit) => list.slice(offset, limit).map((item) => map(item)),
});

export const reversed = <Item>(list: Listing<Item>): Listing<Item> => ({
  count: list.count,
  at: (index) => list.at(list.count - 1 - index),
  slice(offset, limit) {
    const end = Math.max(0, list.count - offset);
    const start = Math.max(0, end - limit);
    return list.slice(start, end - start).reverse();
  },
});

/** Returns the records from `start` up to, but not including, `end`. */
export function sublist<Item>(list: Listing<Item>, start: number, end: number): Listing<Item> {
  const count = Math.max(0, end - start);
  return {
    count,
    at: (index) => list.at(start + index),
    slice: (offset, limit) =>
      list.slice(start + offset, Math.max(0, Math.min(limit, count - offset))),
  };
}

export const items = <Item>(list: Listing<Item>): Item[] => list.slice(0, list.count);

/**
 * Returns the number of records at the start of the list for which `isBefore` is true. Uses binary
 * search, so `isBefore` must be false for all later records.
 */
export function countBefore<Item>(list: Listing<Item>, isBefore: (item: Item) => boolean): number {
  let low = 0;
  let high = list.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(list.at(middle))) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Filters a list, and reads all of it at once. */
export const filterListing = <Item>(
  list: Listing<Item>,
  keeps: (item: Item) => boolean,
): Listing<Item> => listOf(items(list).filter(keeps));
