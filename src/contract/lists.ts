// The limits of pages, and the fields that identify records. Plain data, so that `recordKey` loads
// no schemas in a browser.
/** The limits of the specification (section 8). */
export const limits = {
  /** The smallest `limit` of a page. */
  min: 1,
  max: 1000,
  default: 50,
  /** How many addresses one balance request may contain. */
  addresses: 20,
} as const;

/** The fields that identify a transfer, without the log index, which a reorganisation changes. */
export const transferIdentity = [
  "transaction_hash",
  "token_address",
  "sender",
  "receiver",
  "value",
  "token_id",
] as const;

/** The fields that identify a record, by its kind. */
export const identities = {
  transactions: ["transaction_hash"],
  internalTransactions: ["transaction_hash", "trace_address"],
  /** Transfers of a transaction may look alike, unless a server adds `log_index` or `token_id`. */
  transfers: [...transferIdentity, "log_index"],
  heldTokens: ["token_address"],
  inventory: ["contract_address", "token_id"],
  minedBlocks: ["block_number"],
  eventLogs: ["transaction_hash", "log_index"],
} as const;
