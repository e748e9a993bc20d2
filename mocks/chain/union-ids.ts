// The union of sorted lists of ids, of which only what is read is merged.
import type { IdList, SortedIds } from "./ids.ts";

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
  // What is in several lists is counted once: inclusion and exclusion over all sets of conditions.
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
