// A list to read: how it is requested and iterated, and what a page of it holds.
import type { OperationInput } from "../contract/index.ts";
import type { Call, RequestOptions } from "../http/call.ts";
import { CheckedInput } from "../http/request.ts";
import type { ListOperation } from "./list-records.ts";

/** Blocks, both ends included; undefined where there is no bound. */
export interface Range {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A page to request. */
export interface PageRequest extends Range {
  readonly offset: number;
  readonly limit: number;
}

export const isSame = (one: PageRequest, other: PageRequest): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * A list changed in what was read already: records are gone, or moved although nothing can have arrived before them.
 * The iteration continues after what is known; what was yielded cannot be taken back.
 */
export interface Reorganisation {
  /** The number of the operation in the specification: "A2". */
  readonly operation: string;
  /** By how many positions the records moved, below 0 since they move towards the beginning; undefined if that cannot be seen. */
  readonly shift: number | undefined;
  /** How many records had been read, with those that `offset` skipped. */
  readonly position: number;
  /** True if records may be missing: the last record read is gone, or there are others where those before it were. */
  readonly deep: boolean;
}

/** The server sent fewer records than its `count` promises, even when its end was requested twice more. */
export interface Shortfall {
  /** The number of the operation in the specification: "A2". */
  readonly operation: string;
  /** The larger of the server's first and last `count`. */
  readonly promised: number;
  /** How many there were, including those that `offset` skipped. */
  readonly received: number;
}

/** How a list is read. */
export interface IterationOptions {
  /**
   * How many pages to have in flight while iterating. They are read in order; leaving the loop aborts them. With 0, a
   * page is requested once you have read the one before it. @default 0
   */
  readonly prefetch?: number | undefined;
  /** The maximum number of records to read, across all pages. @default Infinity */
  readonly maxItems?: number | undefined;
  /** The `cursor` of a page: continues after it, in this process or another. Null, an empty database cell, starts at the beginning. */
  readonly resume?: string | null | undefined;
  /** Called when records you have already read turn out to be gone or moved. Without it, the logger warns where records may be missing. */
  readonly onReorganisation?: ((event: Reorganisation) => void) | undefined;
  /**
   * Called when the list ends before its `count`, even when its end is requested twice more: the count is wrong, or the server withholds
   * records. @default the logger warns once
   */
  readonly onShortfall?: ((event: Shortfall) => void) | undefined;
}

/** The parameters of a list operation, and how to read the list. */
export type ListInput<Op extends ListOperation> = OperationInput<Op> & IterationOptions;

/** What all pages of a list have in common. */
export interface ListSource {
  readonly call: Call;
  readonly operation: ListOperation;
  /** Loads what most programs do not need: the operation with the schema of other records, or parameters that stand in words. */
  readonly load?: (() => Promise<Partial<ListSource>>) | undefined;
  /** Checked and converted ({@link CheckedInput}), or the error that says what is wrong with them. */
  readonly parameters: unknown;
  readonly options: RequestOptions | undefined;
  readonly iteration: IterationOptions & { readonly resume?: string | undefined };
  /** The page size, if it is not that of the parameters. */
  readonly limit?: number | undefined;
}

/** A list whose parameters are checked, as it is read. */
export interface PreparedList extends ListSource {
  readonly parameters: CheckedInput;
  /** The position of the first record. */
  readonly offset: number;
  /** The blocks the caller asks for. */
  readonly range: Range;
  /** Identifies the list in cursors. */
  readonly name: string;
}

/** Requests a page. Where the range has no bound, the caller's own stays. */
export function fetchPage(
  { call, operation, options, parameters }: PreparedList,
  { from, limit, offset, to }: PageRequest,
  signal = options?.signal,
) {
  // Another range needs no check.
  const input = new CheckedInput({
    ...{ ...parameters.wire, limit, offset },
    ...(from !== undefined && { startBlock: BigInt(from) }),
    ...(to !== undefined && { endBlock: BigInt(to) }),
  });
  return call(operation, input, { ...options, signal, isPatient: true });
}

/** What a page holds. */
export interface PageContents<Item, Results> {
  /** The records, in the server's order, without those of earlier pages. */
  readonly data: Item[];
  /** How many records there are according to the service: in the list, or on the page (R8). */
  readonly count: number | null;
  /** The requested page size. */
  readonly limit: number;
  /** How many records of the list come before the first one: those that `offset` skipped, and those of earlier pages. */
  readonly offset: number;
  /** The results as received; they may hold records of earlier pages. */
  readonly results: Results;
  /** Pass it as `resume` to continue after this page, in this process or another. */
  readonly cursor: string;
  /** False if this is the last page. If true, the next page may still be empty. */
  hasNextPage(): boolean;
}
