// What tells the records of a list from each other, where several lists have it in common.
import type { RecordList } from "./operation.ts";

/** Tokens that an account holds. */
export const heldTokens = { identity: ["token_address"] } as const satisfies RecordList;

/** Internal transactions. */
export const frames = {
  identity: ["transaction_hash", "trace_address"],
} as const satisfies RecordList;

const transfer = [
  "transaction_hash",
  "token_address",
  "sender",
  "receiver",
  "value",
  "token_id",
] as const;

/**
 * Transfers have no log index, so several in one transaction may look the same. `log_index` and `token_id` are read
 * where a server adds them.
 */
export const transfers = {
  identity: [...transfer, "log_index"],
  lastingIdentity: transfer,
} as const satisfies RecordList;
