// What the specification leaves open and how we read it: R is how the client reads answers, S how the reference service answers, as data.

/** Where a decision comes from: the specification's text, answers of a public deployment of this API family, or our choice. */
export type Origin = "spec" | "observed" | "assumed";

/** A reading of something the specification leaves open. */
export interface Decision {
  /** R and a number for the client, S and a number for the service. */
  readonly id: string;
  readonly statement: string;
  /** All it rests on. */
  readonly origin: readonly Origin[];
  /** Which part rests on what, where that differs. */
  readonly note?: string;
}

/**
 * Every decision. The client relies on none of the S rows: it copes with a server that decides them otherwise.
 */
export const decisions: readonly Decision[] = [
  {
    id: "R1",
    statement:
      'A call succeeded if HTTP is 2xx and the envelope has `status` "200" and `message` "success" (trimmed, any case). Anything else is an API error, even with HTTP 200: deployments answer business failures with HTTP 200, `status` "200", another `message` and `results: {}`.',
    origin: ["spec", "observed"],
  },
  {
    id: "R2",
    statement:
      "A6 has no envelope. If a server wraps it after all, read `results`; if it answers an error envelope, raise it.",
    origin: ["spec", "assumed"],
  },
  {
    id: "R3",
    statement:
      "Fields the spec does not know are kept on the record, as received (observed: an `id` on log entries, `description` beside X1's `status`).",
    origin: ["observed"],
  },
  {
    id: "R4",
    statement:
      "A documented field may be missing only where it is conditional (`to_block`, the input field). Otherwise missing = null.",
    origin: ["assumed"],
  },
  {
    id: "R5",
    statement:
      '"Fields may be `null`": a field is nullable unless the record cannot be identified or interpreted without it. Not nullable: hashes and numbers that identify (`transaction_hash`, `block_number`, `transaction_index`, `log_index`, `topics_count`, `trace_address`, `timestamp`), `sender`, `value`, `address`, `balance`, `holder_address`, `token_address`, `contract_address` of inventory entries, `token_id`, `miner`, `reward`, log `data`, ABI `type`. Everything else is `T | null` in the types (`receiver` of a creation, `topic_n` beyond `topics_count`, fee fields of old transactions, token names, `message`, `logo` …).',
    origin: ["spec"],
  },
  {
    id: "R6",
    statement:
      "Amounts, gas, block numbers and token ids decode to `bigint`; counts, indexes, decimals, confirmations and list positions to `number` (refused beyond 2^53-1); timestamps to `Date`; addresses, hashes and hex stay `0x…` strings as received (case kept). Status-like fields stay strings, typed `'0' | '1' | (string & {})`.",
    origin: ["spec", "assumed"],
    note: "the types follow the convention of the EVM TypeScript libraries",
  },
  {
    id: "R7",
    statement:
      'A JSON number where the spec says decimal string, and a string where it says boolean ("true"), are accepted if exact (a JSON number must be a safe integer).',
    origin: ["observed"],
    note: "documents of a sister deployment type X1's `status` as Integer",
  },
  {
    id: "R8",
    statement:
      "`count` may be the total or the page's size: iteration never relies on it; it ends at a page shorter than asked, or empty. Progress totals may use it as an estimate.",
    origin: ["observed", "assumed"],
    note: "observed: the total",
  },
  {
    id: "R9",
    statement:
      "No order is promised: iteration must neither lose nor repeat a record when new records arrive at the front (newest first) or at the end (oldest first) while it runs.",
    origin: ["assumed"],
  },
  {
    id: "R10",
    statement:
      "Server text in errors is data: length-limited, control characters stripped, never the api-key.",
    origin: ["assumed"],
  },
  {
    id: "S1",
    statement:
      'Error envelope: `{"status": "<http status>", "message": "<what is wrong, naming the parameter>", "results": null}` with the same HTTP status. 400 bad parameter, 401 missing or unknown key, 404 unknown path, token, transaction, block or contract, 405 (+ `Allow`), 413 body over 1 MiB, 415 wrong content type on POST, 429 (+ `Retry-After`), 500.',
    origin: ["assumed"],
  },
  {
    id: "S2",
    statement:
      'C1/C2 of a contract that is not verified: HTTP 200, `status` "200", `message` "contract is not yet verified", `results` `{}`. Unknown address: the same.',
    origin: ["observed"],
  },
  {
    id: "S3",
    statement: "`count` is the number of all matching records, not of the page.",
    origin: ["observed"],
  },
  {
    id: "S4",
    statement:
      "Account and log lists are newest first: the exact reverse of chain order (block, transaction index, log index or trace order). X3 is in execution order. Inventories ascend by token id; token lists ascend by token address.",
    origin: ["observed", "assumed"],
    note: "observed: L1; assumed: the rest",
  },
  {
    id: "S5",
    statement:
      "`startBlock`, `endBlock` are inclusive decimal strings. `startBlock` > `endBlock` is a 400. `limit` 1..1000, `offset` >= 0, otherwise 400. Unknown query parameters are ignored.",
    origin: ["assumed"],
  },
  {
    id: "S6",
    statement:
      'Unknown address in a list: empty list, `count` "0". Balance of an address never seen: "0".',
    origin: ["assumed"],
  },
  {
    id: "S7",
    statement:
      "A1: one entry per requested address, in request order, duplicates included, lower case; 0 or more than 20 addresses, or one malformed address: 400, nothing truncated.",
    origin: ["spec", "observed"],
    note: "observed: order and case",
  },
  {
    id: "S8",
    statement:
      "`input=true` adds the field `input` (hex) to A2, A3 and X3 entries; absent otherwise.",
    origin: ["assumed"],
  },
  {
    id: "S9",
    statement:
      "A2 `condition`: `from` = sender, `to` = receiver, `contract` = the transaction created the address, `all` = any of them.",
    origin: ["assumed"],
  },
  {
    id: "S10",
    statement:
      "`simple=true`: `tx_fee` = gas used x effective gas price; `to_block` = last block covered (`endBlock` capped at the head, else the head). `gas_price` is the effective price in both forms.",
    origin: ["assumed"],
  },
  {
    id: "S11",
    statement:
      '`tx_status`, X1 and X2 `status`, internal `status`: "1" success, "0" error. X1 of a failed transaction carries `description` (the error). X2 of a transaction before the Byzantium fork: `status` null.',
    origin: ["observed", "assumed"],
    note: "observed: X1; assumed: the rest",
  },
  {
    id: "S12",
    statement:
      'Internal transactions are all call frames below the root frame (zero-value and static calls too). `status` "0" if the frame or any ancestor failed; `message` its error; `contract_address` the created contract, else null; `sub_traces` the number of direct children; `trace_type` the call type in lower case (call, delegatecall, staticcall, callcode, create, create2, selfdestruct); `external_receiver` true if the receiver has no code. A3 lists the frames in which the address is sender, receiver or created contract.',
    origin: ["spec", "assumed"],
  },
  { id: "S13", statement: "`confirmations` = head number - block number.", origin: ["assumed"] },
  {
    id: "S14",
    statement:
      'B1, A10: `fees` = what the miner receives in fees (base fee burnt excluded), `mining_reward` = issuance incl. uncle rewards ("0" on chains without), `reward` = their sum.',
    origin: ["assumed"],
  },
  {
    id: "S15",
    statement:
      "L1: `method` = first four bytes of `topic_0` (null without topics). `type=single`: only the lowest-numbered given topic filters. `type=conbine` (`combine` is accepted too): the given topics, each at its own position, joined by `operand`. Omitted: `conbine`, `and`.",
    origin: ["observed", "assumed"],
    note: "observed: `method` and both spellings; assumed: the rest",
  },
  {
    id: "S16",
    statement:
      'MRC20 and MRC721 transfers are told apart by the Transfer event\'s topics (3 = MRC20, 4 = MRC721) of a contract that behaves like such a token. Token name, symbol, decimals are those at the head. `holder_type`: "0" account, "1" contract.',
    origin: ["assumed"],
  },
  {
    id: "S17",
    statement:
      "A6: `limit`/`offset` apply to both lists. T3 is not paginated. A9 lists the tokens of the collection `contract_address`; `token_address`, if given, keeps only entries of that collection.",
    origin: ["assumed"],
  },
  {
    id: "S18",
    statement:
      'C3: `data` "1" on success. Failure: HTTP 200, `status` "200", `results.data` "0", `message` the reason (what differs, the compiler\'s first error, unsupported compiler). `libraries`: list of `{name, address}`.',
    origin: ["assumed"],
  },
  {
    id: "S19",
    statement:
      "Keys: any non-empty `api-key` is accepted unless keys are configured. CORS is open on the standalone server.",
    origin: ["assumed"],
  },
  {
    id: "S20",
    statement:
      "A query parameter of the operation that is given twice is a 400: no reading of it is right.",
    origin: ["assumed"],
  },
  {
    id: "S21",
    statement:
      "Paths match exactly, percent-encoding decoded: a trailing slash is a 404 that names the operation nearby. HEAD is a 405. Integers may have leading zeros; an empty value is a 400.",
    origin: ["assumed"],
  },
];
