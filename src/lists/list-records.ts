// The records of list results: where they are, what identifies them, and what orders them.
import {
  limits,
  type OperationId,
  type OperationResults,
  type Operations,
  type RecordList,
} from "../contract/index.ts";
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
