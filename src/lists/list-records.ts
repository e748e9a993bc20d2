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
): number => keyOf(textOf(record, lastingIdentity ?? identity));

/** What identifies a record. */
export const identityOf = ({ identity }: RecordList, record: ListRecord): string =>
  textOf(record, identity);

/** A number for what identifies a record, in this process and others: 53 bits. */
export const keyOf = (identity: string): number => digest(identity);

/** 32 bits that distinguish records with the same key. Nobody can search for records that share both: `seed` is not known outside. */
export const checkOf = (identity: string, seed: number): number =>
  digest(identity, seed) >>> 0 || 1;

function textOf(record: ListRecord, fields: readonly string[]): string {
  let text = "";
  // Addresses and hashes may be in either case.
  for (const field of fields) text += `,${record[field]}`;
  return text.toLowerCase();
}

/** cyrb53 */
function digest(text: string, seed = 0): number {
  let low = 0xdeadbeef ^ seed;
  let high = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}

/** The block of a record; undefined if the record does not name it. */
export const blockOf = ({ block_number }: ListRecord) =>
  typeof block_number === "bigint" ? block_number : undefined;

/** What orders a record in time: its block, else its timestamp; undefined if it has neither. */
export function rankOf({ block_number, timestamp }: ListRecord): number | undefined {
  if (typeof block_number === "bigint") return Number(block_number);
  return timestamp instanceof Date ? timestamp.getTime() : undefined;
}
