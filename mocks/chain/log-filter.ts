// Which logs of a segment a filter means: the shortest index decides, the others are checked.
import type { LogFilter } from "./reader.ts";
import type { Hash } from "./records.ts";
import { pairKey, type Segment, topicKey } from "./segment.ts";

export type LogQuery = Pick<LogFilter, "address" | "topics">;

const NONE: readonly number[] = [];

interface Condition {
  readonly position: number;
  /** Its id in the segment; -1 if it does not occur there. */
  readonly topic: number;
}

/** The ids in order, the block range aside. */
export function logIds(
  segment: Segment,
  { address, topics, operand }: Omit<LogFilter, "startBlock" | "endBlock">,
): readonly number[] {
  const id = segment.addresses.find(address);
  if (id === -1) return NONE;
  const conditions = conditionsIn(segment, topics);
  if (conditions.length === 0) return segment.logsOf.of(id);
  return operand === "and" || conditions.length === 1
    ? all(segment, id, conditions)
    : any(segment, id, conditions);
}

function conditionsIn(segment: Segment, topics: readonly (Hash | undefined)[]): Condition[] {
  return topics.flatMap((topic, position) =>
    topic === undefined ? [] : [{ position, topic: segment.topics.find(topic) }],
  );
}

/** The logs that meet every condition. */
function all(segment: Segment, address: number, conditions: readonly Condition[]) {
  const [shortest, ...others] = conditions
    .map((condition) => ({ condition, ids: candidates(segment, address, condition) }))
    .sort((left, right) => left.ids.length - right.ids.length);
  if (shortest === undefined) return NONE;
  if (shortest.condition.position === 0 && others.length === 0) return shortest.ids;
  return shortest.ids.filter((id) => {
    const log = segment.logKeys(id);
    return (
      log.address === address &&
      others.every(({ condition }) => log.topics[condition.position] === condition.topic)
    );
  });
}

/** The logs that meet at least one condition. */
function any(segment: Segment, address: number, conditions: readonly Condition[]) {
  const met = new Set<number>();
  for (const condition of conditions) {
    for (const id of all(segment, address, [condition])) met.add(id);
  }
  return [...met].sort((left, right) => left - right);
}

/** Every log that meets a condition is among them. */
function candidates(segment: Segment, address: number, { topic, position }: Condition) {
  if (topic === -1) return NONE;
  return position === 0
    ? segment.logsWithFirstTopic.of(pairKey(address, topic))
    : segment.logsWithTopic.of(topicKey(topic, position));
}
