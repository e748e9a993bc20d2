// What the list operations answer with: where the records stand, what tells one from another, and what orders them.
import type { OperationResults, Operations } from "./contract/index.ts";
import type { Mrc20Holding, Mrc721Holding } from "./models/token-list.ts";

/** The operations that answer with a list. */
export type ListId = "A2" | "A3" | "A4" | "A5" | "A6" | "A7" | "A8" | "A9" | "A10" | "X3" | "L1";
export type ListOperation = Operations[ListId];

/** A token of the combined list, with the standard of the list it stood in. */
export type TokenHolding =
  | ({ readonly standard: "mrc20" } & Mrc20Holding)
  | ({ readonly standard: "mrc721" } & Mrc721Holding);

/** What iterating a list operation yields. */
export type ItemOf<Op extends ListOperation> = Op["id"] extends "A6"
  ? TokenHolding
  : OperationResults<Op> extends { data: readonly (infer Item extends Listed)[] }
    ? Item
    : never;

/** A record, as far as paging looks at it. */
export type Listed = Readonly<Record<string, unknown>>;

/** One list in an answer. */
export interface List {
  readonly count: number | null;
  readonly records: readonly Listed[];
}

/** The lists in the results of an operation: one, or the two of A6. */
export function listsIn(results: OperationResults<ListOperation>): readonly List[] {
  if ("data" in results) return [{ count: results.count, records: results.data }];
  const tagged = (
    standard: string,
    list: { count: number | null; results: readonly Listed[] },
  ) => ({
    count: list.count,
    records: list.results.map((entry) => ({ standard, ...entry })),
  });
  return [tagged("mrc20", results.mrc_20), tagged("mrc721", results.mrc_721)];
}

const token = ["token_address"];
const frame = ["transaction_hash", "trace_address"];
// Transfers have no log index: in one transaction several may look the same. `log_index` and `token_id` are read where
// a server adds them.
const transfer = [
  "transaction_hash",
  "token_address",
  "sender",
  "receiver",
  "value",
  "token_id",
  "log_index",
];

/** The fields that tell the records of a list from each other. */
export const identity: Readonly<Record<ListId, readonly string[]>> = {
  A2: ["transaction_hash"],
  A3: frame,
  A4: transfer,
  A5: transfer,
  A6: token,
  A7: token,
  A8: token,
  A9: ["contract_address", "token_id"],
  A10: ["block_number"],
  X3: frame,
  L1: ["transaction_hash", "log_index"],
};

/** The same across reorganisations, which give logs other indexes. */
const lasting: Readonly<Partial<Record<ListId, readonly string[]>>> = {
  L1: ["transaction_hash", "topic_0", "topic_1", "topic_2", "topic_3", "data"],
  A4: transfer.slice(0, -1),
  A5: transfer.slice(0, -1),
};

/** What a record keeps when it comes into another block. Records that are not the same may have it in common. */
export const lastingKeyOf = (id: ListId, record: Listed): string =>
  digest(record, lasting[id] ?? identity[id]);

/** A short text that is the same for the same record, in this process and the next. */
export const keyOf = (id: ListId, record: Listed): string => digest(record, identity[id]);

function digest(record: Listed, fields: readonly string[]): string {
  // Addresses and hashes may come in either case.
  const text = fields
    .map((field) => String(record[field]))
    .join()
    .toLowerCase();
  // cyrb53: 53 bits are plenty to tell neighbours apart, and keep cursors short.
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return ((high & 0x1fffff) * 2 ** 32 + (low >>> 0)).toString(36);
}

/** Where a record stands in time: its block, else its timestamp; nothing for what has neither. */
export function rankOf({ block_number, timestamp }: Listed): number | undefined {
  if (typeof block_number === "bigint") return Number(block_number);
  return timestamp instanceof Date ? timestamp.getTime() : undefined;
}
