// Every decision on what the specification leaves open, as data: R rows for the client, S rows for
// the mock server.

/** The source of a decision: the specification, responses of a public deployment of this API family, or our choice. */
export type Origin = "spec" | "observed" | "assumed";

/** A decision on something the specification leaves open. */
export interface Decision {
  /** R and a number for the client, S and a number for the mock server. */
  readonly id: string;
  readonly statement: string;
  /** All sources of the decision. */
  readonly origin: readonly Origin[];
  /** Which part comes from which source, where they differ. */
  readonly note?: string;
}

/**
 * Every decision. The client relies on none of the S rows and works with servers that decide them
 * differently.
 */
export const decisions: readonly Decision[] = [
  {
    id: "R1",
    statement:
      'A call succeeds if HTTP is 2xx and the envelope has `status` "200" and `message` "success" (trimmed, any case). Anything else is an API error, even with HTTP 200: deployments report business failures with HTTP 200, `status` "200", another `message` and `results: {}`.',
    origin: ["spec", "observed"],
  },
  {
    id: "R2",
    statement:
      "A6 has no envelope. If a server sends one anyway, the client reads `results`; if it is an error envelope, the client throws the error.",
    origin: ["spec", "assumed"],
  },
  {
    id: "R3",
    statement:
      "Unknown fields stay on the record, as received (observed: an `id` on log entries, `description` next to X1's `status`).",
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
      '"Fields may be `null`": a field is nullable unless it is needed to identify or interpret the record. Not nullable: identifying hashes and numbers (`transaction_hash`, `block_number`, `transaction_index`, `log_index`, `topics_count`, `trace_address`, `timestamp`), `sender`, `value`, `address`, `balance`, `holder_address`, `token_address`, `contract_address` of inventory entries, `token_id`, `miner`, `reward`, log `data`, ABI `type`. Everything else is `T | null` in the types (`receiver` of a creation, `topic_n` beyond `topics_count`, fee fields of old transactions, token names, `message`, `logo` …).',
    origin: ["spec"],
  },
  {
    id: "R6",
    statement:
      "Amounts, gas, block numbers and token ids decode to `bigint`; counts, indexes, decimals, confirmations and list positions to `number` (rejected above 2^53-1); timestamps to `Date`; addresses, hashes and hex stay `0x…` strings as received (case kept). Status-like fields stay strings, typed `'0' | '1' | (string & {})`.",
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
      "`count` may be the total or the size of the page. Iteration never relies on it: it ends at an empty page, or one shorter than requested. If fewer records arrive than `count` says, this is reported (`onShortfall`). It is no error once the end was seen.",
    origin: ["observed", "assumed"],
    note: "observed: the total",
  },
  {
    id: "R9",
    statement:
      "The order of lists is not specified. Iteration neither loses nor repeats a record if new records arrive at the start (newest first) or at the end (oldest first) while it runs.",
    origin: ["assumed"],
  },
  {
    id: "R10",
    statement:
      "Server text in errors is untrusted: the API key and every part of it of 8 characters are redacted (in any case, encoded for URLs or JSON up to twice, or spread by invisible characters), then the text is shortened (to 200 characters; the reason why C3 refuses a source to 8,192), and control characters are removed.",
    origin: ["assumed"],
  },
  {
    id: "R11",
    statement:
      'The client accepts values with exactly one possible meaning, and decodes them as if they had been sent as specified: R7, R13 to R17. A value with no such meaning, or with several, fails the call (with `validation: "lenient"` single fields stay as received): times without an offset, an empty string where null is not allowed, digits with a sign, a fraction or an exponent.',
    origin: ["assumed"],
  },
  {
    id: "R12",
    statement:
      "After the first page, iteration requests one record more than the caller's `limit`: the last known one. It never exceeds the explorer's largest `limit`. Each request makes progress, or the iteration ends with an error that describes what the server did and has the records read so far (`records`) and a `cursor`. A record with a unique key is never yielded twice. A list that is not sorted by block is read by offset; the client never guesses an order to narrow a list to a range of blocks.",
    origin: ["assumed"],
  },
  {
    id: "R13",
    statement:
      "An empty string in a field that may be null means null (`receiver`, `method`, `token_decimals`, `tx_status`, `input`). In a text it stays an empty string.",
    origin: ["assumed"],
  },
  {
    id: "R14",
    statement:
      "A time may have an offset (`+02:00`, `+0200`) and up to nine decimals of a second; it decodes to the same moment, to the millisecond.",
    origin: ["assumed"],
  },
  {
    id: "R15",
    statement:
      "`data: null` in a page or an inventory means no records; so does `results: null` in the lists of A6. An ABI of null is not an empty ABI.",
    origin: ["assumed"],
  },
  {
    id: "R16",
    statement:
      "An ABI may be the JSON text of its list (C1 `data`, C2 `contract_abi`). Other texts are not an ABI.",
    origin: ["assumed"],
  },
  {
    id: "R17",
    statement:
      "A body that is exactly JSON is read as JSON under `text/plain`, `text/json`, `text/html`, `application/octet-stream`, `application/…+json` or without a content type. Any other content type is an error.",
    origin: ["assumed"],
  },
  {
    id: "R18",
    statement:
      "`Retry-After` may be given several times: the longest counts. From 10^9 on, a number is a Unix time in seconds; a number that is a future time in milliseconds is read as that time.",
    origin: ["assumed"],
  },
  {
    id: "R19",
    statement:
      "A response above 1 MiB with more than one object, list or field per 16 characters is refused before it is parsed: parsing it would take over ten times its size in memory. Of invalid fields, the first 20 are kept and the others counted.",
    origin: ["assumed"],
  },
  {
    id: "R20",
    statement:
      "C3 is sent again if the service answers 429 or 503 with `Retry-After`, because it has then recorded nothing. After any other response it is sent once.",
    origin: ["assumed"],
  },
  {
    id: "R21",
    statement:
      "`verify_level`, `verify_uncovered` (C2, C3) and `verify_message` (C3) are fields of mrc-explorer's own server (S35). They are optional: the client works with servers that do not send them.",
    origin: ["assumed"],
  },
  {
    id: "R22",
    statement:
      "Dates and times in headers (`Retry-After`, resets of rate limits) count by the response's `Date`, if it has one, and otherwise by the client's clock.",
    origin: ["assumed"],
  },
  {
    id: "R23",
    statement:
      "An address that the caller gives in upper and lower case must have a valid checksum (EIP-55), unless the client's `checksum` is off. Addresses in responses are kept as they are.",
    origin: ["assumed"],
  },
  {
    id: "S1",
    statement:
      'Error envelope: `{"status": "<http status>", "message": "<the problem, naming the parameter>", "results": null}` with the same HTTP status. 400 bad parameter, 401 missing or unknown key, 404 unknown path, token, transaction, block or contract, 405 (+ `Allow`), 413 body over 1.5 MiB, 415 wrong content type on POST, 429 (+ `Retry-After`), 500.',
    origin: ["assumed"],
  },
  {
    id: "S2",
    statement:
      'C1 of an unverified contract, or of an unknown address: HTTP 200, `status` "200", `message` "contract is not yet verified", `results` `{}` (observed). C2 of any address: a record with its code, "0x" without any (observed: a public client asks for it of each sender and receiver), and null where nothing is verified. The client rejects with a `NotVerifiedError` for that message, and for a record with neither source nor ABI.',
    origin: ["observed", "assumed"],
  },
  {
    id: "S3",
    statement: "`count` is the number of all matching records, not the size of the page.",
    origin: ["observed"],
  },
  {
    id: "S4",
    statement:
      "Account and log lists are newest first: the exact reverse of chain order (block, transaction index, log index or trace order). X3 is in execution order. Inventories are sorted by token id, token lists by token address, both ascending.",
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
      'Unknown address in a list: empty list, `count` "0". Balance of an unknown address: "0".',
    origin: ["assumed"],
  },
  {
    id: "S7",
    statement:
      "A1: one entry per requested address, in request order, duplicates included, lower case; 0 or more than 20 addresses, or a malformed one: 400; the list is never truncated.",
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
      "`simple=true`: `tx_fee` = gas used x effective gas price, with the fee for data that an L2 states, and null where no node states it or a token pays for the gas; `to_block` = last block covered (`endBlock` capped at the head, else the head). `gas_price` is the effective price in both forms.",
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
      'Internal transactions are all call frames below the root frame (zero-value and static calls too). `status` "0" if the frame or any ancestor failed; `message` its error; `contract_address` the created contract, else null; `sub_traces` the number of direct children; `trace_type` the call type in lower case (call, delegatecall, staticcall, callcode, create, create2, selfdestruct), null for any other; `external_receiver` true if the receiver has no code (S26). A3 lists the frames in which the address is sender, receiver or created contract.',
    origin: ["spec", "assumed"],
  },
  { id: "S13", statement: "`confirmations` = head number - block number.", origin: ["assumed"] },
  {
    id: "S14",
    statement:
      'B1, A10: `fees` = what the miner receives in fees (base fee burnt excluded), `mining_reward` = issuance including uncle rewards ("0" on chains without issuance), `reward` = their sum. If a header states fees and rewards (Metadium), the stated amounts are used.',
    origin: ["assumed"],
  },
  {
    id: "S15",
    statement:
      "L1: `method` = first four bytes of `topic_0` (null without topics). `type=single`: only the lowest-numbered given topic is used. `type=conbine` (`combine` is accepted too): all given topics, each at its own position, combined by `operand`. Omitted: `conbine`, `and`.",
    origin: ["observed", "assumed"],
    note: "observed: `method` and both spellings; assumed: the rest",
  },
  {
    id: "S16",
    statement:
      'MRC20 and MRC721 transfers are distinguished by the number of topics of the Transfer event (3 = MRC20, 4 = MRC721), emitted by a contract that behaves like such a token. Token name, symbol and decimals are those at the head. ERC-2309 `ConsecutiveTransfer` counts as one MRC721 transfer for each id, up to 10,000 ids; with more it is only in L1, because one event may name 2^256 (the libraries that emit it mint up to 5000). A Transfer that indexes nothing (one topic and 96 bytes of data, as CryptoKitties and early tokens emit it) counts under the standard of its contract. WETH\'s Deposit and Withdrawal are no Transfer events and are only in L1. `holder_type`: "0" account, "1" contract.',
    origin: ["assumed"],
  },
  {
    id: "S17",
    statement:
      "A6: `limit`/`offset` apply to both lists. T3 is not paginated. A9 lists the tokens of the collection `contract_address`; `token_address`, if given, returns only entries of that collection.",
    origin: ["assumed"],
  },
  {
    id: "S18",
    statement:
      'C3: `data` "1" on success. Failure: HTTP 200, `status` "200", `results.data` "0", `message` the reason (what differs, the first compiler error, an unsupported compiler). `contract_name` and the names in `libraries`, a list of `{name, address}`, may be prefixed with their file (`PointMath.sol:PointMath`). Overload and timeouts are not verdicts (S36).',
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
      "A query parameter of the operation that is given twice is a 400, because it is ambiguous.",
    origin: ["assumed"],
  },
  {
    id: "S21",
    statement:
      "Paths match exactly, after percent-decoding: a trailing slash is a 404 that suggests the closest operation. HEAD is answered as GET, without a body. Integers may have leading zeros; an empty value is a 400.",
    origin: ["assumed"],
  },
  {
    id: "S22",
    statement:
      "L1: a log of a verified contract carries `log_name`, the name of its event, and `log_abi`, the event's entry as C1 shows it, as JSON text. The event is the one in the emitting contract's own ABI whose signature hash is the first topic and whose number of indexed parameters matches the other topics. Both fields are null for anonymous events and for events emitted by another contract's code (delegatecall). `address_type` and `address_extra` are always null.",
    origin: ["assumed"],
  },
  {
    id: "S23",
    statement:
      'C2: `verify_status` is always "1", because an unverified source has no record (S2). `verify_date` is the time of verification; for sources loaded with the chain, the time of its head at that point. `verify_message` states what was compared; it is null for sources loaded with the chain. `logo` is always null.',
    origin: ["assumed"],
  },
  {
    id: "S24",
    statement:
      'C2: `libraries` is a JSON array of `{name, address}` as text, with the libraries linked into the code ("[]" if none). `runs_optimizer` is the submitted number as decimal text, even if the optimizer is off. `contract_code` is the runtime code at the head. The EVM version is not in the record; C3 takes an `evm_version` of "", "default" or null for the compiler\'s own.',
    origin: ["assumed"],
  },
  {
    id: "S25",
    statement:
      "C2: `swam_source` is the content address that the compiler appended to the runtime code: `ipfs://Qm…`, `bzzr1://…` or `bzzr0://…`; an empty string if there is none.",
    origin: ["assumed"],
  },
  {
    id: "S26",
    statement:
      "`external_receiver` and `holder_type` depend on the code at the head, not in the block of the call; an account that delegates to a contract (EIP-7702) has code. A frame without a receiver (a creation) has `external_receiver` false. `gas_used` and `gas_limit` are null if the trace does not contain them.",
    origin: ["assumed"],
  },
  {
    id: "S27",
    statement:
      'Before the Byzantium fork, `tx_status` and X2 `status` are null. X1 is "0" with the error if the trace contains one, else null.',
    origin: ["assumed"],
  },
  {
    id: "S28",
    statement:
      "A request is checked in this order: path (404) and method (405), key (401), duplicate parameters (400), content type (415) and body size (413), parameters (400), and finally the requested record (404). An unknown path is therefore a 404 even without a key.",
    origin: ["assumed"],
  },
  {
    id: "S29",
    statement:
      "Enumerations and booleans are case-sensitive: `condition=ALL` and `simple=True` are 400. Hexadecimal digits may be in either case, but not the `0x` prefix.",
    origin: ["assumed"],
  },
  {
    id: "S30",
    statement:
      "T1, T2 and T4 also accept an MRC721 token and count its tokens. T3 and A9 of an MRC20 token are empty lists. Supply, balances and holders are derived from the token's events and from node responses, so T1 and T4 are never null.",
    origin: ["assumed"],
  },
  {
    id: "S31",
    statement:
      "In a JSON body, null for an optional parameter means the same as leaving it out; for a required one it is a 400. Integers may also be strings of digits.",
    origin: ["assumed"],
  },
  {
    id: "S32",
    statement:
      "ABI entries start with the fields of the specification that mean something for their kind, in its order, followed by the compiler's other fields (`anonymous`; in parameters `indexed`, `components`, `internalType`): all seven for functions; no `name`, `outputs` and `constant` for constructors; `type`, `payable` and `stateMutability` for `fallback` and `receive`; `name`, `type` and `inputs` for events and errors. abitype refuses nulls in place of the others. If the compiler left them out, `payable` and `constant` are derived from `stateMutability`, or it from them.",
    origin: ["assumed"],
  },
  {
    id: "S33",
    statement:
      "Further statuses: 400 for a JSON body of more than 2000 values or 64 levels, 501 for C3 without a compiler, 503 above the limit of tenants; on a port only: 400 without a Host, 403 for a Host whose name could be rebound, 408 for a request that arrives too slowly, 417 for an unknown Expect, 431 for headers that are too large.",
    origin: ["assumed"],
  },
  {
    id: "S34",
    statement:
      "On a port, `/health` and, if enabled, `/admin` exist besides `/v1`. They are not part of the specification. `/admin` asks for a token of its own, and is not open to pages of other origins.",
    origin: ["assumed"],
  },
  {
    id: "S35",
    statement:
      'C2 and the success of C3 have two fields that are not in the specification: `verify_level` is "exact" if the code proves the source to the last comment (the hash of its own metadata is equal, and nothing was cut off), else "partial"; `verify_uncovered` lists what is not proven: "metadata hash", "ABI" (names, and which functions only read), "creation code", "immutables", "code that can be reached in the metadata". C3 also has `verify_message`. A source loaded as verified has none of them. A match replaces only one that is strictly weaker: exact, then loaded as verified, then partial; of one level, the one that leaves less open. `verify_message` of C3 says which. A record belongs to the code it was proven for: C1 and C2 do not return it once the account has other code.',
    origin: ["assumed"],
  },
  {
    id: "S36",
    statement:
      "C3 without a verdict: 503 (too many submissions wait, or the compiler took too long), or 429 (too many of this API key wait), with `Retry-After` in seconds. Nothing is recorded, so the submission may be repeated. Submitters take turns by API key.",
    origin: ["assumed"],
  },
  {
    id: "S37",
    statement:
      'Where a node is followed without traces, A3 and X3 are empty and have the response header `internal-transactions: not traced`; `/health` has `traces: "none"`.',
    origin: ["assumed"],
  },
  {
    id: "S38",
    statement:
      "A chain that follows a node: balances (A1), and what tokens say of themselves, their holders and ids (T1 to T4, A4 to A9), are asked of the node at the chain's head when they are read, because contracts change without an event, and balances without a transaction. An answer belongs to one head: if that is replaced meanwhile, it is asked again. If the node does not respond within 10 s, the response is a 503 with `Retry-After`, never an older value. Whether the receivers in A3 and X3 have code is asked in the same way, for at most 2 s. If the calls exceed the budget, or the node no longer has the state of the head, the response has the header `head-state: incomplete`, and the rest is what blocks and earlier answers imply.",
    origin: ["assumed"],
  },
  {
    id: "S39",
    statement:
      "Holders of a token are the accounts in its transfers; if their balances do not add up to its supply, those in the last 10,000 transactions in which it ran (their arguments included); and those that a node was asked about. The zero address is not a holder. An id exists if an event names it, unless `ownerOf` shows that the id has no owner.",
    origin: ["assumed"],
  },
  {
    id: "S40",
    statement:
      "ERC-1155 has no place in the MRC20 and MRC721 lists: an id of it has many owners and an amount, so neither a balance by account nor an owner by id describes it. Its contracts are no tokens (T1 to T4: 404), and its events are in L1.",
    origin: ["assumed"],
  },
  {
    id: "S41",
    statement:
      'Besides the specification, a port answers as Etherscan does at `/etherscan/api` and `/etherscan/v2/api` (those parts of the modules `contract`, `logs` and `account` that verifying tools request), with HTTP status 200 for failures, too, and as Sourcify does at `/sourcify/v2`. Both take a standard JSON input of several files, for which C3 has no form; C2 then has that input as `contract_source`. A contract whose recorded match is exact, or was loaded as verified, is "already verified". A submission is pending after 5 s without a verdict. These requests are part of the service: journal, faults and tenants apply to them.',
    origin: ["assumed"],
  },
];
