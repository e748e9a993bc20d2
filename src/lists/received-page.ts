// What an iteration receives, and what it makes of it.
import type { PageRange } from "./iteration-state.ts";
import type { ListRecord, ListResults } from "./list-records.ts";
import type { FoundShortfall } from "./shortfall.ts";

/** A page that arrived. */
export interface ReceivedPage {
  readonly range: PageRange;
  /** It was requested before the page ahead of it arrived, and may show an older state of the list. */
  readonly prefetched: boolean;
  /** The most records to take of it. */
  readonly max?: number | undefined;
}

/** A page of one list. */
export interface ListPage extends ReceivedPage, ListResults {
  readonly max: number;
}

/** The new records of a page. */
export interface NewRecords {
  readonly records: readonly ListRecord[];
  readonly count: number | null;
  /** How many records of the list come before the first. */
  readonly offset: number;
  /** Set if the list ended before its count. */
  readonly shortfall?: FoundShortfall | undefined;
}
