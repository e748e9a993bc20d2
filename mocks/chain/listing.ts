// Lists that make a record only when it is read.
import type { IdList } from "./ids.ts";
import type { Listing } from "./reader.ts";

/** Part of a list: the records with the ids at the positions from `start` up to, not including, `end`. */
export interface ListPart<Item> {
  readonly ids: IdList;
  readonly start: number;
  readonly end: number;
  readonly make: (id: number) => Item;
}

/** A list made of parts, one after another. */
export function listParts<Item>(parts: readonly ListPart<Item>[]): Listing<Item> {
  const count = parts.reduce((sum, { start, end }) => sum + end - start, 0);
  return {
    count,
    at(index) {
      let rest = checked(index, count);
      for (const { ids, start, end, make } of parts) {
        if (rest < end - start) {
          const [id] = ids.slice(start + rest, start + rest + 1);
          return make(id as number);
        }
        rest -= end - start;
      }
      throw outOfRange(index, count);
    },
    slice(offset, limit) {
      const page: Item[] = [];
      let skip = offset;
      for (const { ids, start, end, make } of parts) {
        const until = Math.min(end, start + skip + limit - page.length);
        for (const id of ids.slice(start + skip, until)) page.push(make(id));
        if (page.length === limit) break;
        skip = Math.max(0, skip - (end - start));
      }
      return page;
    },
  };
}

export function listOf<Item>(list: readonly Item[]): Listing<Item> {
  return {
    count: list.length,
    at: (index) => list[checked(index, list.length)] as Item,
    slice: (offset, limit) => list.slice(offset, offset + limit),
  };
}

export const mapListing = <From, To>(
  list: Listing<From>,
  map: (from: From) => To,
): Listing<To> => ({
  count: list.count,
  at: (index) => map(list.at(index)),
  slice: (offset, limit) => list.slice(offset, limit).map((item) => map(item)),
});

/** The list from its end to its start. */
export const reversed = <Item>(list: Listing<Item>): Listing<Item> => ({
  count: list.count,
  at: (index) => list.at(list.count - 1 - index),
  slice(offset, limit) {
    const end = Math.max(0, list.count - offset);
    const start = Math.max(0, end - limit);
    return list.slice(start, end - start).reverse();
  },
});

/** The first `count` records of a list that has at least that many. */
export const firstOf = <Item>(list: Listing<Item>, count: number): Listing<Item> => ({
  count,
  at: (index) => list.at(checked(index, count)),
  slice: (offset, limit) => list.slice(offset, Math.max(0, Math.min(limit, count - offset))),
});

/** Every record of a list. */
export const items = <Item>(list: Listing<Item>): Item[] => list.slice(0, list.count);

/** The number of records before the first for which `isBefore` is false; it must be false for all that follow. */
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

/** The records that `keeps` accepts; reads the whole list. */
export const filterListing = <Item>(
  list: Listing<Item>,
  keeps: (item: Item) => boolean,
): Listing<Item> => listOf(items(list).filter(keeps));

function checked(index: number, count: number): number {
  if (!Number.isInteger(index) || index < 0 || index >= count) throw outOfRange(index, count);
  return index;
}

const outOfRange = (index: number, count: number): RangeError =>
  new RangeError(`Index ${index} is out of range: the list has ${count} records`);
