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
    id: "R11",
    statement:
      'Where there is one exact reading, it is taken: JSON under `text/plain`, `text/json`, `application/…+json` or no content type is read as JSON. Not taken yet are an empty string where null is meant, an ISO time with an offset or with more than milliseconds, `data: null` for no records, an ABI as JSON text, and JSON under any other content type: they fail the call (with `validation: "lenient"` single fields stay as received).',
    origin: ["assumed"],
  },
  {
    id: "R12",
    statement:
      "Iteration asks again for records it knows, to see whether the list moved. A `limit` may so exceed the caller's by the records that overlap, and is the operation's largest while a record that moved is looked for, which gives up after 1000 requests and reports it. Not done yet: staying within the caller's `limit`, and ending with an error where a server makes no progress (one that ignores `offset` is asked without end).",
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
      'Internal transactions are all call frames below the root frame (zero-value and static calls too). `status` "0" if the frame or any ancestor failed; `message` its error; `contract_address` the created contract, else null; `sub_traces` the number of direct children; `trace_type` the call type in lower case (call, delegatecall, staticcall, callcode, create, create2, selfdestruct); `external_receiver` true if the receiver has no code (S26). A3 lists the frames in which the address is sender, receiver or created contract.',
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
      'MRC20 and MRC721 transfers are told apart by the Transfer event\'s topics (3 = MRC20, 4 = MRC721) of a contract that behaves like such a token. Token name, symbol, decimals are those at the head. ERC-2309 `ConsecutiveTransfer` and the events of ERC-1155 have no place in the MRC20 and MRC721 lists; they are in L1. `holder_type`: "0" account, "1" contract.',
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
      'C3: `data` "1" on success. Failure: HTTP 200, `status` "200", `results.data` "0", `message` the reason (what differs, the compiler\'s first error, unsupported compiler); too many submissions and a compiler that takes too long are answered so too. What is proven takes the place of what was proven before. `libraries`: list of `{name, address}`; a name may have its file before it (`PointMath.sol:PointMath`).',
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
  {
    id: "S22",
    statement:
      "L1: a log of a verified contract carries `log_name`, the name of its event, and `log_abi`, the event's entry as C1 shows it, as JSON text. The event is the one of the emitting contract's own ABI with the hash of its signature as first topic and as many indexed parameters as the log has further topics; anonymous events, and those that a contract emits for another's code, are null. `address_type` and `address_extra` are always null.",
    origin: ["assumed"],
  },
  {
    id: "S23",
    statement:
      'C2: `verify_status` is always "1", for a source that is not proven has no record (S2). `verify_date` is the time of the proof; of sources that came with the chain, the time of its head then. `verify_message` says what was compared; it is null for sources that came with the chain. `logo` is always null.',
    origin: ["assumed"],
  },
  {
    id: "S24",
    statement:
      'C2: `libraries` is a JSON array of `{name, address}` as text, with the libraries the code is linked with ("[]" without). `runs_optimizer` is the number as submitted, as decimal text, also where the optimizer is off. `contract_code` is the runtime code at the head. The EVM version is not in the record; C3 takes an `evm_version` of "", "default" or null for the compiler\'s own.',
    origin: ["assumed"],
  },
  {
    id: "S25",
    statement:
      "C2: `swam_source` is the content address that the compiler wrote behind the runtime code: `ipfs://Qm…`, `bzzr1://…` or `bzzr0://…`; an empty string where there is none.",
    origin: ["assumed"],
  },
  {
    id: "S26",
    statement:
      "`external_receiver`, like `holder_type`, goes by the code at the head, not in the block of the call; an account that delegates to a contract (EIP-7702) has code. A frame without a receiver (a creation) has `external_receiver` false. `gas_used` and `gas_limit` are null where the trace has no figure.",
    origin: ["assumed"],
  },
  {
    id: "S27",
    statement:
      'Before the Byzantium fork `tx_status` is null, as X2 is. X1 is "0" with the error if the trace tells of one, else null.',
    origin: ["assumed"],
  },
  {
    id: "S28",
    statement:
      "A request is checked in this order: path (404) and method (405), key (401), parameters given twice (400), content type (415) and size of the body (413), parameters (400), and only then what is asked for (404). So an unknown path is a 404 also without a key.",
    origin: ["assumed"],
  },
  {
    id: "S29",
    statement:
      "Words are understood only as they are spelled: `condition=ALL` and `simple=True` are 400. Hexadecimal digits may be of either case, the `0x` may not.",
    origin: ["assumed"],
  },
  {
    id: "S30",
    statement:
      "T1, T2 and T4 also answer for an MRC721 token: they count its tokens. T3 and A9 of an MRC20 token are empty lists. Supply, balances and holders follow from the token's events, and from what a node told of them: T1 and T4 are never null.",
    origin: ["assumed"],
  },
  {
    id: "S31",
    statement:
      "Null for an optional parameter of a JSON body is as if it was not given; for a required one it is a 400. An integer of a body may also come as its digits in a string.",
    origin: ["assumed"],
  },
  {
    id: "S32",
    statement:
      "ABI entries have the seven fields of the specification first, in its order, then what else the compiler wrote (`anonymous`; in parameters `indexed`, `components`, `internalType`). Where the compiler left them out, `payable` of functions, constructors, `fallback` and `receive` and `constant` of functions follow from `stateMutability`; what an entry does not have is null.",
    origin: ["assumed"],
  },
  {
    id: "S33",
    statement:
      "Further statuses: 408 and 431 for a request that arrives too slowly or with too large headers (on a port only), 501 for C3 without a compiler, 503 for more tenants than there is room for.",
    origin: ["assumed"],
  },
  {
    id: "S34",
    statement:
      "What a port offers beside `/v1` (`/health`, and `/admin` where it is switched on) is not part of the specification.",
    origin: ["assumed"],
  },
];
