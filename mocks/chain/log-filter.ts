// The logs of a segment that match a filter: of an address, with all given topics or with any.
import { idsIn, type SortedIds } from "./ids.ts";
import type { LogFilter } from "./reader.ts";
import type { Log } from "./records.ts";
import type { Segment } from "./segment.ts";
import { type TransferEvent, transferIn } from "./transfer-event.ts";

export type LogQuery = Pick<LogFilter, "address" | "topics">;
export type Accepts = (event: TransferEvent) => boolean;

const allOf = (ids: SortedIds) => ids.slice(0, ids.length);

export function logIds(
  segment: Segment,
  { address, topics, operand }: LogQuery & Pick<LogFilter, "operand">,
): SortedIds {
  const wanted = topics.flatMap((topic, position) =>
    topic === undefined
      ? []
      : [{ topic, ids: segment.logsWith(address, topic, position), position }],
  );
  const [shortest] = wanted.toSorted((one, other) => one.ids.length - other.ids.length);
  if (shortest === undefined) return segment.logsOf.of(address);
  if (wanted.length === 1) return shortest.ids;
  if (operand === "or") {
    const all = new Set(wanted.flatMap(({ ids }) => [...allOf(ids)]));
    return idsIn([...all].sort((one, other) => one - other));
  }
  const matches = (id: number) =>
    wanted.every(({ topic, position }) => (segment.logs[id] as Log).topics[position] === topic);
  return idsIn(allOf(shortest.ids).filter(matches));
}

/** The last accepted transfer below log `end` that one of the queries finds. */
export function lastTransferIn(
  segment: Segment,
  end: number,
  queries: readonly LogQuery[],
  accepts: Accepts,
): TransferEvent | undefined {
  let last: { readonly id: number; readonly event: TransferEvent } | undefined;
  for (const query of queries) {
    const ids = logIds(segment, { ...query, operand: "and" });
    for (let at = ids.countBelow(end) - 1; at >= 0; at--) {
      const id = ids.at(at);
      if (last !== undefined && id < last.id) break;
      const event = transferIn(segment.logs[id] as Log);
      if (event === undefined || !accepts(event)) continue;
      last = { id, event };
      break;
    }
  }
  return last?.event;
}
