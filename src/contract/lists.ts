// Lists: the limits of their pages, and what identifies their records. Plain data, so that
// `recordKey` costs a browser no schemas.
/** The limits of the specification (section 8). */
export const limits = {
  /** The smallest, the largest and the default `limit` of a page. */
  min: 1,
  max: 1000,
  default: 50,
  /** The most addresses of one balance request. */
  addresses: 20,
} as const;

/** A transfer without its log index, which a reorganisation changes. */
export const transferIdentity = [
  "transaction_hash",
  "token_address",
  "sender",
  "receiver",
  "value",
  "token_id",
] as const;

/** The fields that identify a record of each kind. */
export const identities = {
  transactions: ["transaction_hash"],
  internalTransactions: ["transaction_hash", "trace_address"],
  /**
   * Transfers have no log index, so several of one transaction may be indistinguishable.
   * `log_index` and `token_id` help where a server adds them.
   */
  transfers: [...transferIdentity, "log_index"],
  /** Tokens an account holds. */
  heldTokens: ["token_address"],
  inventory: ["contract_address", "token_id"],
  minedBlocks: ["block_number"],
  eventLogs: ["transaction_hash", "log_index"],
} as const;
