// A list to read: its operation and records, with their keys, blocks and times; how it is requested and iterated; and what a page of it holds.
import {
  limits,
  type OperationId,
  type OperationInput,
  type OperationResults,
  type Operations,
  type RecordList,
} from "../contract/index.ts";
import type { Call, RequestOptions } from "../http/call.ts";
import { CheckedInput } from "../http/request.ts";
import type { Mrc20Holding, Mrc721Holding } from "../models/holdings.ts";

/** The operations whose results are a list. */
export type ListId = {
  [Id in OperationId]: Operations[Id]["list"] extends RecordList ? Id : never;
}[OperationId];
export type ListOperation = Operations[ListId];

/** A token of the combined list, with its standard. */
export type TokenHolding =
  | ({ readonly standard: "mrc20" } & Mrc20Holding)
  | ({ readonly standard: "mrc721" } & Mrc721Holding);

/** What iterating a list operation yields. */
export type ItemOf<Op extends ListOperation> = Op["id"] extends "A6"
  ? TokenHolding
  : OperationResults<Op> extends { data: readonly (infer Item extends ListRecord)[] }
    ? Item
    : never;

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

/** The largest `limit` of a page of a list. */
export const maxLimitOf = ({ list }: { readonly list: RecordList }): number =>
  list.maxLimit ?? limits.max;

/** A record of any list. */
export type ListRecord = Readonly<Record<string, unknown>>;

/** One list of the results. */
export interface ListResults {
  readonly count: number | null;
  readonly records: readonly ListRecord[];
}

/** The lists in the results of an operation: one, or the two of A6. */
export function listsIn(results: OperationResults<ListOperation>): readonly ListResults[] {
  if ("data" in results) return [{ count: results.count, records: results.data }];
  const tagged = (
    standard: string,
    list: { count: number | null; results: readonly ListRecord[] },
  ) => ({
    count: list.count,
    records: list.results.map((entry) => ({ standard, ...entry })),
  });
  return [tagged("mrc20", results.mrc_20), tagged("mrc721", results.mrc_721)];
}

/** A key that a record keeps when it moves to another block. Different records may share it. */
export const lastingKeyOf = (
  { identity, lastingIdentity }: RecordList,
  record: ListRecord,
): number => digestsOf([record], lastingIdentity ?? identity).keys[0] as number;

/** Numbers that stand for some fields of records, whatever the case of addresses and hashes. */
interface Digests {
  /** The same in every process: 53 bits (cyrb53). */
  readonly keys: number[];
  /** 32 bits that distinguish records with the same key. Nobody can search for records that share both, because `seed` is secret. */
  readonly checks: number[];
}

export function digestsOf(
  records: readonly ListRecord[],
  fields: readonly string[],
  seed = 0,
): Digests {
  const keys: number[] = [];
  const checks: number[] = [];
  // The seed is a factor: if it were only XORed, whether two texts have the same check would depend on its lowest byte alone.
  const factor = seed | 1;
  for (const record of records) {
    let text = "";
    for (const field of fields) text += text ? `,${record[field]}` : record[field];
    let [low, high, check] = [0xdeadbeef, 0x41c6ce57, seed];
    for (let index = 0; index < text.length; index++) {
      // In lower case.
      const code = text.charCodeAt(index) | 0x20;
      low = Math.imul(low ^ code, 2654435761);
      high = Math.imul(high ^ code, 1597334677);
      check = Math.imul(check ^ code, factor);
    }
    low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
    high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
    keys.push((high & 0x1fffff) * 2 ** 32 + (low >>> 0));
    checks.push(check >>> 0 || 1);
  }
  return { keys, checks };
}

/** The block of a record; undefined if the record does not name it. */
export const blockOf = ({ block_number }: ListRecord) =>
  typeof block_number === "bigint" ? block_number : undefined;

/** What orders a record in time: its block, else its timestamp; undefined if it has neither. */
export function rankOf({ block_number, timestamp }: ListRecord): number | undefined {
  if (typeof block_number === "bigint") return Number(block_number);
  return timestamp instanceof Date ? timestamp.getTime() : undefined;
}
