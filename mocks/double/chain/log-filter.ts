// The logs of a segment that match a filter, by its indexes: of an address, with all given topics or with any.
import { namedIn, type PackedTransfer } from "./block-effects.ts";
import { type IdList, idsIn, lowerBound, type SomeIds, type SortedIds, unionOf } from "./ids.ts";
import type { LogFilter } from "./reader.ts";
import type { Segment } from "./segment.ts";
import { topicKey } from "./segment-index.ts";
import type { TransferEvent } from "./transfer-event.ts";

export type LogQuery = Pick<LogFilter, "address" | "topics">;

/** A topic, by its number in the segment; -1 for one that the segment does not have. */
interface Condition {
  readonly topic: number;
  readonly position: number;
}

const NONE = idsIn([]);

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
  const withAll = (wanted: readonly Condition[]) => logsWithAll(segment, id, wanted);
  return operand === "or" && conditions.length > 1
    ? unionOf(conditions, withAll)
    : withAll(conditions);
}

/** Whether a transfer is the one that is looked for. */
export type Accepts = (event: PackedTransfer["event"]) => boolean;

/** The last transfer below log `end` in a contract's logs with all topics of a query that is accepted; of several queries, the last of all. */
export function lastTransferIn(
  segment: Segment,
  end: number,
  queries: readonly LogQuery[],
  accepts: Accepts,
): TransferEvent | undefined {
  let last: { readonly id: number; readonly event: PackedTransfer["event"] } | undefined;
  for (const query of queries) {
    const ids = logIds(segment, { ...query, operand: "and" });
    for (let at = ids.countBelow(end) - 1; at >= 0; at--) {
      const id = ids.slice(at, at + 1)[0] as number;
      if (last !== undefined && id < last.id) break;
      const event = segment.transfer(id)?.event;
      if (event === undefined || !accepts(event)) continue;
      last = { id, event };
      break;
    }
  }
  return last && namedIn(segment.addressBook, last.event);
}

/** The logs of an address that meet all conditions. Each has its index: the shortest gives the candidates, and the others are searched for them. */
function logsWithAll(
  segment: Segment,
  address: number,
  conditions: readonly Condition[],
): SortedIds {
  const { index } = segment;
  if (address === -1 || conditions.some(({ topic }) => topic === -1)) return NONE;
  const [shortest, ...others] = conditions
    .map((condition) => ({
      ...condition,
      logs: index.logsWith(address, condition.topic, condition.position),
    }))
    .sort((left, right) => left.logs.length - right.logs.length);
  if (shortest === undefined) return index.logsOf.of(address);
  const { logs } = shortest;
  if (others.length === 0) return logs;
  const matchesFrom = (start: number) => {
    let ids: SomeIds = logs.slice(logs.countBelow(start), logs.length);
    for (const { topic, position, logs: other } of others)
      ids =
        position === 0 ? ids.filter((id) => index.hasFirstTopic(id, topic)) : common(ids, other);
    return ids;
  };
  if (logs.length < CACHED_FROM) return idsIn(matchesFrom(0));
  const key = [address, ...conditions.map(({ topic, position }) => topicKey(topic, position))];
  return idsIn(segment.logMatches.of(key.join(), index.logCount, matchesFrom));
}

/** Those of a few ids that a list has too. */
function common(few: SomeIds, list: SortedIds): readonly number[] {
  const last = few[few.length - 1];
  if (last === undefined) return [];
  const start = list.countBelow(few[0] as number);
  const ids = list.slice(start, list.countBelow(last + 1));
  let at = 0;
  const found: number[] = [];
  for (const id of few) {
    at = advance(ids, id, at);
    if (ids[at] === id) found.push(id);
  }
  return found;
}

/** The first position from `start` on whose id is not below `id`, by galloping search. */
function advance(list: ArrayLike<number>, id: number, start: number): number {
  let low = start;
  let leap = 1;
  while (low + leap < list.length && (list[low + leap] as number) < id) {
    low += leap;
    leap *= 2;
  }
  return lowerBound(list, id, Math.min(list.length, low + leap + 1), low);
}
