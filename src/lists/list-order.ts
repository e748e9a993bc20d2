// Learns how a list is ordered, and how many records of the last block were read.
import type { IterationState, ListProgress } from "./iteration-state.ts";
import { type ListRecord, rankOf } from "./list-records.ts";

/** Notes what new records show. `before`: the rank of the record before them, if that shows the order. */
export function noteOrder(
  state: IterationState,
  list: ListProgress,
  taken: readonly ListRecord[],
  { before, fromStart }: { readonly before: number | undefined; readonly fromStart: boolean },
): void {
  let last = before;
  for (const record of taken) {
    const rank = rankOf(record);
    if (rank === undefined) continue;
    if (!state.order && last !== undefined) state.order = signOf(rank - last);
    last = rank;
    const sameBlock = rank === list.rank;
    const begins = list.rank !== undefined || fromStart;
    if (!sameBlock) list.inBlock = begins ? 1 : undefined;
    else if (list.inBlock !== undefined) list.inBlock++;
    list.rank = rank;
  }
}

const signOf = (difference: number) => (difference > 0 ? 1 : difference < 0 ? -1 : 0);
