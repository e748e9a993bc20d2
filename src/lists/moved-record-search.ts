// Searches a list for the last record read when a page does not hold it where it was expected.
import {
  type IterationState,
  type ListProgress,
  type MovedRecordSearch,
  REMEMBERED_KEYS,
} from "./iteration-state.ts";
import { type ListRecord, rankOf } from "./list-records.ts";

/** The position to search next: towards the start of the list, then towards its end. */
export function searchOffset(
  { low, high, reachedStart, stuck }: MovedRecordSearch,
  longestPage: number,
): number {
  const overlap = longestPage > 1 && !stuck ? 1 : 0;
  return Math.max(0, reachedStart ? high - overlap : low - Math.max(1, longestPage - 1));
}

/** A page that does not hold the record. */
export interface SearchedPage {
  readonly offset: number;
  readonly records: readonly ListRecord[];
  readonly keys: readonly string[];
}

/** Notes what a page without the record shows. */
export function searchPage(
  list: ListProgress,
  { offset, records, keys }: SearchedPage,
  { order }: IterationState,
): MovedRecordSearch {
  const end = offset + records.length;
  list.search ??= { low: offset, high: end, reachedStart: false, reachedEnd: false };
  const { search, lastKeys } = list;
  search.stuck = records.length > 0 && end <= search.high;
  search.low = Math.min(search.low, offset);
  search.high = Math.max(search.high, end);
  // How far behind the last record read a record belongs; 0 if unknown.
  const distance = (record: ListRecord | undefined) =>
    order * ((record && rankOf(record)) ?? 0) - order * (list.rank ?? 0);
  if (!search.reachedStart && (offset === 0 || distance(records[0]) < 0)) {
    search.reachedStart = true;
    // What was searched on the way here may have moved since: search it again.
    search.high = end;
    search.reachedEnd = false;
  }
  search.reachedEnd ||= !records.length || distance(records.at(-1)) > 0;
  const index = Math.max(...keys.map((key) => lastKeys.lastIndexOf(key)));
  if (index >= (search.lastFound?.[0] ?? 0))
    search.lastFound = [index, offset + keys.lastIndexOf(lastKeys[index] ?? "")];
  const behind = records.findIndex((record) => distance(record) >= 0);
  if (order && behind >= 0)
    search.firstBehind = Math.min(search.firstBehind ?? Number.POSITIVE_INFINITY, offset + behind);
  return search;
}

/** Whether the record cannot be anywhere else. */
export const isExhausted = ({ reachedStart, reachedEnd }: MovedRecordSearch) =>
  reachedStart && reachedEnd;

/**
 * Ends an exhausted search: reading goes on behind the newest record that is still there, else at the first
 * record that belongs behind the one that is gone, else where nothing can be lost.
 */
export function endSearch(
  list: ListProgress,
  { firstBehind, high, lastFound }: MovedRecordSearch,
  {
    order,
    start,
  }: {
    readonly order: IterationState["order"];
    /** The position at which the iteration began. */
    readonly start: number;
  },
): void {
  const { lastKeys } = list;
  const kept = lastFound ? lastFound[0] + 1 : 0;
  list.lastKeys = lastKeys.slice(0, kept);
  list.missingKeys = [...(list.missingKeys ?? []), ...lastKeys.slice(kept)].slice(-REMEMBERED_KEYS);
  const unordered = lastKeys.length < REMEMBERED_KEYS ? start : Math.min(list.next, high);
  const before = list.next;
  list.next = lastFound ? lastFound[1] + 1 : (firstBehind ?? (order ? high : unordered));
  // What comes again was counted already.
  list.read = Math.max(0, list.read - Math.max(0, before - list.next));
  list.search = undefined;
}
