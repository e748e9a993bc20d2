// Decides where a list ends: behind a page that shows it, unless its count promises more.
import { type IterationState, type ListProgress, MAX_REPEATS } from "./iteration-state.ts";
import type { ListOperation, ListResults } from "./list-records.ts";
import { isMissing, isPromised } from "./promised-count.ts";
import type { ListPage } from "./received-page.ts";
import type { FoundShortfall } from "./shortfall.ts";

/** So often in a row nothing is behind the last record: this is the end, although new records keep moving it. */
const MAX_EDGES = 10;

/** Notes whether this is the end: the known records and the count say so, or nothing is behind them. */
export function noteEnd(
  list: ListProgress,
  { count, range, records }: ListPage,
  { start, longestPage }: { readonly start: number; readonly longestPage: number },
): void {
  const { length } = records;
  const short = length < Math.min(range.limit, longestPage);
  // A count at an offset of 0 may be that of the page.
  const isLast = range.offset > 0 && start > 0 && count === range.offset + length;
  if (start >= length && short) list.edges++;
  list.ended = !length || (short && isLast) || list.edges >= MAX_EDGES;
  list.bare ||= short;
}

/** An iteration whose lists may end. */
interface EndingIteration {
  readonly operation: ListOperation;
  readonly state: IterationState;
  /** The position of the first record to read. */
  readonly start: number;
  /** The count may be that of more blocks than the caller asks for. */
  readonly isNarrowed: boolean;
  /** Whether a list that has ended goes on elsewhere. */
  goesOn(list: ListProgress): boolean;
}

/** Requests the end again where a count promises more; if it stays the end, that is a shortfall. */
export function checkEnds(
  iteration: EndingIteration,
  pages: readonly ListResults[],
): FoundShortfall | undefined {
  const { isNarrowed, start, state } = iteration;
  for (const [index, list] of state.lists.entries()) {
    if (!list.ended) continue;
    const missing = isMissing(list, start);
    // What is beyond the first block may have arrived since.
    const looksBack = state.stage !== "beyond";
    const promised = missing && looksBack && isPromised(list, pages[index]?.count ?? null, start);
    if (promised && list.checks++ < MAX_REPEATS) list.ended = false;
    else {
      list.isShort ||= promised;
      if (iteration.goesOn(list)) continue;
      // Another replica may know more.
      if (missing && !promised && list.checks++ < MAX_REPEATS) list.ended = false;
      else if (list.isShort && missing) return shortfallOf(iteration, list, !isNarrowed);
    }
  }
  return undefined;
}

export const shortfallOf = (
  { operation, start }: Pick<EndingIteration, "operation" | "start">,
  { promised, read }: ListProgress,
  isCertain: boolean,
): FoundShortfall => ({
  operation: operation.id,
  promised: promised ?? 0,
  received: start + read,
  isCertain,
});
