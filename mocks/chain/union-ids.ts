// The union of sorted lists of ids, of which only what is read is merged.
import { type IdList, lowerBound } from "./ids.ts";

type Ids = readonly number[];

/** A set of conditions: the ids that meet all of them, and whether they add to the count of the union or are subtracted. */
interface Term {
  readonly ids: Ids;
  readonly sign: 1 | -1;
}

/** The ids that meet any of the conditions; `withAll` gives those that meet all of some, in order. */
export function unionOf<Condition>(
  conditions: readonly Condition[],
  withAll: (conditions: readonly Condition[]) => Ids,
): IdList {
  const lists = conditions.map((condition) => withAll([condition]));
  // What is in several lists is counted once: inclusion and exclusion over all sets of conditions.
  const terms = setsOf(conditions).map(
    (set): Term => ({ ids: withAll(set), sign: set.length % 2 === 1 ? 1 : -1 }),
  );
  const countBelow = (id: number) =>
    terms.reduce((count, { ids, sign }) => count + sign * lowerBound(ids, id, ids.length), 0);
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
function idAt(countBelow: (id: number) => number, position: number, lists: readonly Ids[]): number {
  let low = 0;
  let high = Math.max(...lists.map((list) => list.at(-1) ?? 0));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countBelow(middle) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Up to `count` ids of the union, from the id `start` on. */
function mergedFrom(lists: readonly Ids[], start: number, count: number): Ids {
  const positions = lists.map((list) => lowerBound(list, start, list.length));
  const head = (index: number) => lists[index]?.[positions[index] as number] ?? Infinity;
  const merged: number[] = [];
  while (merged.length < count) {
    const next = Math.min(...lists.map((_, index) => head(index)));
    if (next === Infinity) break;
    merged.push(next);
    for (const index of lists.keys())
      if (head(index) === next) positions[index] = (positions[index] as number) + 1;
  }
  return merged;
}
