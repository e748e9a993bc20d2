// The identity of records that several lists share.
import type { RecordList } from "./operation.ts";

/** Tokens an account holds. */
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
 * Transfers have no log index, so several of one transaction may be indistinguishable. `log_index` and `token_id` help where a server adds
 * them.
 */
export const transfers = {
  identity: [...transfer, "log_index"],
  lastingIdentity: transfer,
} as const satisfies RecordList;
