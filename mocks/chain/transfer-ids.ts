// The transfers of an account by number: one for a log, and as many as it has token ids for a ConsecutiveTransfer.
import { type IdList, lowerBound, type SortedIds } from "./ids.ts";
import type { Log } from "./records.ts";

/** What the transfers of one log are apart: enough of them fit between two logs. */
const STEP = 2 ** -14;

/** One of the transfers that a log records. */
export interface LoggedTransfer {
  readonly log: Log;
  /** Its position among them. */
  readonly nth: number;
}

/** The transfer of that number; `logOf` gives the log of a number. */
export function transferAt(id: number, logOf: (id: number) => Log): LoggedTransfer {
  const log = Math.floor(id);
  return { log: logOf(log), nth: (id - log) / STEP };
}

/** The transfers in these logs; `consecutive` has the logs with several, and their number. */
export function transferIds(logs: SortedIds, consecutive: ReadonlyMap<number, number>): IdList {
  const several: { readonly at: number; readonly count: number; readonly first: number }[] = [];
  let more = 0;
  for (const [log, count] of consecutive) {
    const at = logs.countBelow(log);
    if (at === logs.length || logs.at(at) !== log) continue;
    several.push({ at, count, first: at + more });
    more += count - 1;
  }
  if (several.length === 0) return logs;

  const firsts = several.map(({ first }) => first);
  const idAt = (position: number): number => {
    const before = several[lowerBound(firsts, position + 1, firsts.length) - 1];
    if (before === undefined) return logs.at(position);
    const nth = position - before.first;
    return nth < before.count
      ? logs.at(before.at) + nth * STEP
      : logs.at(before.at + 1 + nth - before.count);
  };
  return {
    countBelow: (id) => {
      const at = logs.countBelow(id);
      return several.reduce((sum, one) => (one.at < at ? sum + one.count - 1 : sum), at);
    },
    slice: (start, end) => {
      const ids: number[] = [];
      for (let position = start; position < end; position++) ids.push(idAt(position));
      return ids;
    },
  };
}
