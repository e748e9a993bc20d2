// What a list's `count` promises; it may also be the size of the page, or ignore the range (R8).
import type { ListProgress } from "./iteration-state.ts";
import type { ListResults } from "./list-records.ts";

/** What tells states of a list apart: its count, unless that may be the size of the page. */
export const totalIn = ({ count, records }: ListResults): number | null =>
  count === records.length ? null : count;

/** Whether fewer records were read than the first count said. */
export const isMissing = ({ promised, read }: ListProgress, start: number): boolean =>
  promised !== null && promised > start + read;

/** Whether the count of the last page still promises records behind it. */
export function isPromised(
  { next, promised, read }: ListProgress,
  count: number | null,
  start: number,
): boolean {
  // A count that stays as it was, although fewer blocks were requested, ignores them.
  const ignoresBlocks = start + read > next && count !== null && count >= (promised ?? 0);
  return count !== null && count > next && !ignoresBlocks;
}
