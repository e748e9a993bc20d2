// The logs of a segment that match a filter: the intersection of the address index and the topic indexes.
import { lowerBound } from "./ids.ts";
import type { LogFilter } from "./reader.ts";
import type { Hash } from "./records.ts";
import type { Segment } from "./segment.ts";
import { pairKey, topicKey } from "./segment-index.ts";

export type LogQuery = Pick<LogFilter, "address" | "topics">;

const NONE: readonly number[] = [];

/** The ids in order, in any block. */
export function logIds(
  segment: Segment,
  { address, topics, operand }: LogQuery & Pick<LogFilter, "operand">,
): readonly number[] {
  const id = segment.addresses.find(address);
  if (id === -1) return NONE;
  const given = topics.flatMap((topic, position) =>
    topic === undefined ? [] : [{ topic, position }],
  );
  if (operand === "and" || given.length === 0) return logsWithAll(segment, id, given);
  return union(given.map((condition) => logsWithAll(segment, id, [condition])));
}

interface Condition {
  readonly topic: Hash;
  readonly position: number;
}

function logsWithAll(segment: Segment, address: number, conditions: readonly Condition[]) {
  const lists = conditions.map((condition) => logsWith(segment, address, condition));
  const ofAddress = conditions.some(({ position }) => position === 0);
  return intersection(ofAddress ? lists : [segment.index.logsOf.of(address), ...lists]);
}

/** The logs with a topic at a position: those of the address for the first topic, of any address for a later one. */
function logsWith(segment: Segment, address: number, { topic, position }: Condition) {
  const id = segment.topics.find(topic);
  if (id === -1) return NONE;
  return position === 0
    ? segment.index.logsWithFirstTopic.of(pairKey(address, id))
    : segment.index.logsWithTopic.of(topicKey(id, position));
}

/** The ids in every list. Starts from the shortest, so it costs little if that one is short. */
function intersection(lists: readonly (readonly number[])[]): readonly number[] {
  const [shortest = NONE, ...others] = lists.toSorted((left, right) => left.length - right.length);
  return others.reduce(common, shortest);
}

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

const union = (lists: readonly (readonly number[])[]): readonly number[] =>
  [...new Set(lists.flat())].sort((left, right) => left - right);
