// The logs of a segment that match a filter, by its indexes: of an address, with all given topics or with any.
import { type IdList, idsIn, lowerBound } from "./ids.ts";
import type { LogFilter } from "./reader.ts";
import type { Segment } from "./segment.ts";
import { pairKey, topicKey } from "./segment-index.ts";
import { unionOf } from "./union-ids.ts";

export type LogQuery = Pick<LogFilter, "address" | "topics">;

/** A topic, by its number in the segment; -1 for one that the segment does not have. */
interface Condition {
  readonly topic: number;
  readonly position: number;
}

const NONE: readonly number[] = [];

/** Fewer candidates than this are faster to check again than to find in the cache. */
const CACHED_FROM = 64;

/** The ids in any block. */
export function logIds(
  segment: Segment,
  { address, topics, operand }: LogQuery & Pick<LogFilter, "operand">,
): IdList {
  const id = segment.addresses.find(address);
  const conditions = topics.flatMap((topic, position) =>
    topic === undefined ? [] : [{ topic: segment.topics.find(topic), position }],
  );
  const withAll = (of: readonly Condition[]) => logsWithAll(segment, id, of);
  return operand === "or" && conditions.length > 1
    ? unionOf(conditions, withAll)
    : idsIn(withAll(conditions));
}

/**
 * The logs of an address that meet all conditions. The index has those of an address, and of an address with a first topic. Those with a later
 * topic are of any address: of these lists the shortest gives the candidates, and the others are searched for each.
 */
function logsWithAll(
  segment: Segment,
  address: number,
  conditions: readonly Condition[],
): readonly number[] {
  const { index } = segment;
  if (address === -1 || conditions.some(({ topic }) => topic === -1)) return NONE;
  const first = conditions.find(({ position }) => position === 0);
  const own =
    first === undefined
      ? index.logsOf.of(address)
      : index.logsWithFirstTopic.of(pairKey(address, first.topic));
  const later = conditions.filter((condition) => condition !== first);
  if (later.length === 0) return own;
  const others = later.map(({ topic, position }) =>
    index.logsWithTopic.of(topicKey(topic, position)),
  );
  const lists = [own, ...others].sort((left, right) => left.length - right.length);
  const [shortest = NONE] = lists;
  const matchesFrom = (start: number) => {
    let ids: readonly number[] = shortest.slice(lowerBound(shortest, start, shortest.length));
    for (const list of lists.slice(1))
      ids =
        list === own
          ? ids.filter((id) => index.isLogOf(id, address, first?.topic))
          : common(ids, list);
    return ids;
  };
  if (shortest.length < CACHED_FROM) return matchesFrom(0);
  const key = [address, ...conditions.map(({ topic, position }) => topicKey(topic, position))];
  return segment.logMatches.of(key.join(), index.logCount, matchesFrom);
}

/** The ids of a short list that a long one has too. */
function common(short: readonly number[], long: readonly number[]): readonly number[] {
  let at = 0;
  return short.filter((id) => {
    at = advance(long, id, at);
    return long[at] === id;
  });
}

/** The first position from `start` on whose id is not below `id`, by galloping search. */
function advance(list: readonly number[], id: number, start: number): number {
  let low = start;
  let leap = 1;
  while (low + leap < list.length && (list[low + leap] as number) < id) {
    low += leap;
    leap *= 2;
  }
  return lowerBound(list, id, Math.min(list.length, low + leap + 1), low);
}
