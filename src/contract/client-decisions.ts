// What we decided for the client where the specification is silent: the R rows.

import type { Decision } from "./decision.ts";

export const clientDecisions: readonly Decision[] = [
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
      "Unknown fields stay on the record, as received (observed: an `id` on log entries, `description` beside X1's `status`).",
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
      "`count` may be the total or the size of the page. Iteration never relies on it: it ends at an empty page, or one shorter than requested. A `count` that promises more than came is reported (`onShortfall`), never an error once the end was seen.",
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
      'The client accepts what has exactly one possible meaning, and decodes it as if it had been sent as specified: R7, R13 to R17. What has none or several fails the call (with `validation: "lenient"` single fields stay as received): times without an offset, an empty string where null is not allowed, digits with a sign, a fraction or an exponent.',
    origin: ["assumed"],
  },
  {
    id: "R12",
    statement:
      "Iteration never sends a `limit` above the caller's: known records that it requests again fit within. It makes progress or ends with an error that says what the server did and has what was read so far (`records`) and a `cursor`. A key that is unique is never yielded twice. A list that is not sorted by block is read by offset; no list is narrowed to blocks by a guessed order.",
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
      "`Retry-After` may be given several times: the longest counts. From 10^9 on, a number is a Unix time in seconds; one that is a future time in milliseconds is that time.",
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
      "C3 is sent again if the service answers 429 or 503 with `Retry-After`: it did nothing then and says when to ask again. After any other response it is sent once.",
    origin: ["assumed"],
  },
  {
    id: "R21",
    statement:
      "`verify_level`, `verify_uncovered` (C2, C3) and `verify_message` (C3) are fields of mrc-explorer's own server (S35). They are optional: the client works with servers that do not send them.",
    origin: ["assumed"],
  },
];
