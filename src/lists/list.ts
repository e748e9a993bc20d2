// The types of a list to read, its options, and the request for one of its pages.
import { limits, type OperationInput, type RecordList } from "../contract/index.ts";
import type { ErrorContext } from "../errors/base.ts";
import type { Call, RequestOptions, ResponseWithData } from "../http/call.ts";
import type { PageRequest, Position, Range } from "./position.ts";
import type { ListOperation } from "./records.ts";

/**
 * A list changed in the part that was already read: records are gone, or moved although no new
 * record can precede them. The iteration continues after the last record that it still finds.
 */
export interface Reorganisation {
  /** The number of the operation in the API's documentation: "A2". */
  readonly operation: string;
  /** How far the records moved: below 0 towards the beginning; undefined if unknown. */
  readonly shift: number | undefined;
  /** How many records had been read, including the records that `offset` skipped. */
  readonly position: number;
  /** True if records may be missing: the last record read is gone, or its neighbours changed. */
  readonly deep: boolean;
}

/**
 * The list ended before the server's `count`, even when its end was requested twice more. Or the
 * server may hold more records than it lets a client read (`suspected`).
 */
export interface Shortfall {
  /** The number of the operation in the API's documentation: "A2". */
  readonly operation: string;
  /** The larger of the server's first and last `count`. */
  readonly promised: number;
  /** How many records were received, including the records that `offset` skipped. */
  readonly received: number;
  /**
   * True if the list has as many records as servers often return at most, such as 10,000, and
   * neither its `count` nor its blocks show whether more follow.
   */
  readonly suspected: boolean;
}

/** How a list is read. */
export interface IterationOptions {
  /**
   * How many pages to have in flight while iterating. Pages are read in order; leaving the loop
   * aborts them. With 0, a page is requested once you have read the page before it.
   *
   * @default 0
   */
  readonly prefetch?: number | undefined;
  /** The maximum number of records to read, across all pages. @default Infinity */
  readonly maxItems?: number | undefined;
  /**
   * The `cursor` of a page, to continue after that page, in this process or another. Null, as from
   * an empty database cell, starts at the beginning.
   */
  readonly resume?: string | null | undefined;
  /**
   * Called when records that you have already read turn out to be gone or moved.
   *
   * @default the logger warns if records may be missing
   */
  readonly onReorganisation?: ((event: Reorganisation) => void) | undefined;
  /**
   * Called when the list ends before its `count`: the count is wrong, or the server withholds
   * records. Also called when the list ends where servers often cut lists (`suspected`).
   *
   * @default the logger warns once
   */
  readonly onShortfall?: ((event: Shortfall) => void) | undefined;
}

/** A point of the chain: a `Date`, an ISO text such as "2026-10-01", or a block number. */
export type Moment = Date | string | bigint | number;

/** The time or the blocks that a list is limited to. */
export interface Period {
  /**
   * The beginning, included: a `Date`, an ISO text with or without a time (UTC unless it says
   * otherwise), or a block number.
   *
   * @default the first block of the chain
   * @example
   * const { data } = await explorer.accounts.transactions(address, { since: "2026-10-01", until:
   * "2026-11-01" });
   */
  readonly since?: Moment | null | undefined;
  /**
   * The end, excluded, in the same forms: `until: 100n` ends with block 99.
   *
   * @default the newest block
   */
  readonly until?: Moment | null | undefined;
}

/** The parameters of a list operation, and how to read the list. */
export type ListInput<Op extends ListOperation> = OperationInput<Op> &
  IterationOptions &
  (Op["list"] extends { readonly place: string } ? Period : unknown);

/** A list as a method of the client requests it, before its parameters are checked. */
export interface ListSource {
  readonly call: Call;
  readonly operation: ListOperation;
  readonly parameters: unknown;
  readonly period: Period;
  readonly options: RequestOptions | undefined;
  /** Throws an error of a request after adding the caller's functions to its stack. */
  readonly rethrow?: (error: unknown) => never;
  readonly iteration: Omit<IterationOptions, "resume">;
  readonly resume: string | undefined;
}

/** A list whose parameters are checked. */
export interface PreparedList
  extends Pick<ListSource, "call" | "iteration" | "operation" | "options" | "rethrow"> {
  /** How the explorer's dialect lists the records of the operation. */
  readonly records: RecordList;
  /** The parameters as they are sent. */
  readonly wire: Readonly<Record<string, unknown>>;
  /** The page size, if the caller chose it. */
  readonly limit: number | undefined;
  /** The position of the first record. */
  readonly offset: number;
  /** The blocks that the caller asks for. */
  readonly range: Range;
  /** Whether the ends of the range were found by time, so that cursors must contain them. */
  readonly isRangeFound: boolean;
  /** Limits that the server cannot apply, by block and by time in milliseconds. */
  readonly bounds: readonly Bound[];
  /** Identifies the list in cursors. */
  readonly name: string;
  /** The position to continue from; undefined at the beginning. */
  readonly position?: Position | undefined;
}

/** A limit on the block or the time of records. */
export interface Bound {
  readonly by: "block" | "time";
  /** The smallest value that is wanted. */
  readonly from: number;
  /** The first value that is not wanted. */
  readonly until: number;
}

/** Whether an operation takes `startBlock` and `endBlock`. */
export const takesBlocks = ({ operation }: Pick<PreparedList, "operation">): boolean =>
  operation.places.query.includes("endBlock");

/** The largest `limit` of a page. */
export const maxLimitOf = ({ records }: PreparedList): number => records.maxLimit ?? limits.max;

/** Returns whether a block is in a range. An unknown block (NaN) is in every range. */
export const isWithin = (block: number, { from = 0, to = Number.POSITIVE_INFINITY }: Range) =>
  !(block < from || block > to);

/** Requests a page. Where its range has no bound, the caller's bound applies. */
export function fetchPage(
  { call, operation, options, rethrow, wire }: PreparedList,
  { from, limit, offset, to }: PageRequest,
  signal = options?.signal,
): Promise<ResponseWithData<object>> {
  const input = {
    ...{ ...wire, limit, offset },
    ...(from !== undefined && { startBlock: `${from}` }),
    ...(to !== undefined && { endBlock: `${to}` }),
  };
  const page = call(operation, input as OperationInput<ListOperation>, {
    ...{ ...options, signal, isPatient: true, isChecked: true },
  });
  return rethrow ? page.catch(rethrow) : page;
}

/** The properties of a list that the steps of reading depend on. */
export interface ReadingOptions extends Range {
  /** The page size. */
  readonly limit: number;
  /** The largest page that the server accepts. */
  readonly maxLimit: number;
  /** The position of the first record. */
  readonly offset: number;
  /** Whether the operation takes `startBlock` and `endBlock`. */
  readonly takesBlocks: boolean;
  /** Whether records name their block, or only its time. */
  readonly place: RecordList["place"];
  /** Whether different records may look the same, as token transfers do without a log index. */
  readonly hasEqualRecords: boolean;
  /** The largest total that the server has counted for the operation, in any list. */
  readonly largestCount: () => number;
  /** The operation, for errors and reports. */
  readonly context: ErrorContext & { readonly operation: string };
  readonly onReorganisation: (event: Reorganisation) => void;
  readonly onShortfall: (event: Shortfall) => void;
}

/** A page that arrived, or its part that was not yet taken. */
export interface Answer {
  readonly request: PageRequest;
  /** One number for each record, equal for equal records. */
  readonly keys: readonly number[];
  /** One more number for each record, which tells records apart whose keys are equal by chance. */
  readonly checks: readonly number[];
  /** The block of each record or, if records do not name it, their time; NaN without either. */
  readonly ranks: readonly number[];
  readonly count: number | null;
  /** The most records to take. */
  readonly max: number;
  /** How many records at the beginning of the page were taken before. */
  readonly taken: number;
}
