// The records of lists: their place in results, their keys, and their order in the chain.
import type { OperationId, OperationResults, Operations, RecordList } from "../contract/index.ts";
import type { Mrc20Holding, Mrc721Holding } from "../models/holdings.ts";

/** The operations whose results are a list. */
export type ListId = {
  [Id in OperationId]: Operations[Id]["list"] extends RecordList ? Id : never;
}[OperationId];
export type ListOperation = Operations[ListId];

/** A token of the combined list, with its standard. */
export type TokenHolding =
  | ({
      readonly standard: "mrc20";
    } & Mrc20Holding)
  | ({
      readonly standard: "mrc721";
      /** The collection's name, with `names: true` only; null if the contract has none. */
      readonly token_name?: string | null;
      /** The collection's symbol, with `names: true` only; null if the contract has none. */
      readonly token_symbol?: string | null;
    } & Mrc721Holding);

/** A record that iterating a list operation yields. */
export type ItemOf<Op extends ListOperation> = Op["list"] extends { readonly parts: object }
  ? TokenHolding
  : OperationResults<Op> extends { data: readonly (infer Item extends ListRecord)[] }
    ? Item
    : never;

export type ListRecord = Readonly<Record<string, unknown>>;

/** A block that no chain has reached. */
export const FAR_BLOCK = 10 ** 12;

/** One of the lists in an operation's results. */
export interface CountedRecords {
  readonly count: number | null;
  readonly records: readonly ListRecord[];
}

/**
 * Returns the lists in an operation's results. If there are several, each record gets the
 * `standard` of its list.
 */
export function listsIn({ parts }: RecordList, results: object): readonly CountedRecords[] {
  if (!parts) {
    const { count, data } = results as { count: number | null; data: readonly ListRecord[] };
    return [{ count, records: data }];
  }
  const lists = results as Readonly<
    Record<string, { count: number | null; results: readonly ListRecord[] }>
  >;
  return Object.entries(parts).map(([field, standard]) => ({
    count: lists[field]?.count ?? null,
    records: (lists[field]?.results ?? []).map((entry) => ({ standard, ...entry })),
  }));
}

/**
 * Returns a key that a record keeps when it moves to another block. Different records may have the
 * same key.
 */
export const lastingKeyOf = (
  { identity, lastingIdentity }: RecordList,
  record: ListRecord,
): number => digestsOf([record], lastingIdentity ?? identity).keys[0] as number;

/** Hashes of some fields of records, which ignore the case of addresses and hashes. */
interface Digests {
  /** 53 bits (cyrb53), the same in every process, so that cursors can hold them. */
  readonly keys: number[];
  /**
   * 32 bits that depend on a secret seed, so that nobody can craft two records with equal keys and
   * checks.
   */
  readonly checks: number[];
}

/** Digests records: https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js */
export function digestsOf(
  records: readonly ListRecord[],
  fields: readonly string[],
  seed = 0,
): Digests {
  const keys: number[] = [];
  const checks: number[] = [];
  // Multiplies by the seed, because if it were only XORed in, collisions would depend on its lowest
  // byte alone.
  const factor = seed | 1;
  for (const record of records) {
    let text = "";
    for (const field of fields) text += text ? `,${record[field]}` : record[field];
    let [low, high, check] = [0xdeadbeef, 0x41c6ce57, seed];
    for (let index = 0; index < text.length; index++) {
      // Sets the bit that makes ASCII letters lower-case, because servers write addresses and
      // hashes in either case.
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

/** Returns the block of a record; undefined if the record does not name it. */
export const blockOf = ({ block_number }: ListRecord) =>
  typeof block_number === "bigint" ? block_number : undefined;

/** Returns the time of a record in milliseconds since 1970; undefined if it has none. */
export const timeOf = ({ timestamp }: ListRecord) =>
  timestamp instanceof Date ? timestamp.getTime() : undefined;

/** Returns the block of a record or else its time, to order records by. */
export function rankOf(record: ListRecord): number | undefined {
  const block = blockOf(record);
  return block === undefined ? timeOf(record) : Number(block);
}
