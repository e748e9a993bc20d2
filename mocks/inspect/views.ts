// The views of `/inspect` as operations, which the page reads. Runs in browsers.
// The operations of the specification answer under `/inspect/v1`, without faults and journal, so
// that
// viewing the page never alters a running test.
import * as z from "zod/mini";
import type { OperationArguments, OperationResultsWire } from "../../src/contract/index.ts";
import { isAddress } from "../../src/models/hex.ts";
import { type Decoded, list, model } from "../../src/models/model.ts";
import {
  address,
  amount,
  flag,
  hash,
  hex,
  integer,
  orNull,
  text,
  timestamp,
} from "../../src/models/primitives.ts";
import { chainOrigins } from "../chain/reader.ts";
import {
  anyBlock,
  inspectView,
  listViews,
  lowerAddress,
  lowerHash,
  MAX_PAGE,
  viewAnswer,
} from "./list-views.ts";
import {
  Activity,
  BalanceChange,
  CallFailure,
  DecodedData,
  HeadBlock,
  InspectedAccount,
  InspectedBlock,
  InspectedCall,
  InspectedContract,
  InspectedLog,
  InspectedToken,
  InspectedTransaction,
  InspectedTransfer,
  ShownSource,
  StateChange,
  TransferActivity,
} from "./records.ts";

const MAX_QUERY = 200;
const QUERY = `a text of 1 to ${MAX_QUERY} characters`;
const ADDRESSES = `1 to ${MAX_PAGE} addresses with commas in between`;

const ChainSource = model({
  /** `built` is a chain of a program, such as a test. */
  kind: z.enum(chainOrigins),
  /** Name of the folder, or host and port of the node; null for other kinds. */
  name: orNull(text),
});

const NodeProgress = model({
  state: z.enum(["restoring", "connecting", "catching-up", "following", "failing", "stuck"]),
  /** Number of the node's last block; null before it responds. */
  node_head: orNull(integer),
  /** Blocks behind the node; null before it responds. */
  lag: orNull(integer),
  /** While catching up; null at the head. */
  blocks_per_second: orNull(z.number()),
  transactions_per_second: orNull(z.number()),
  seconds_left: orNull(z.number()),
  /** Parts that the node did not return and will be asked for again, at most 20. */
  missing: list(text),
  /** Stays after the node has recovered. */
  last_error: orNull(model({ message: text, at: timestamp })),
});

export const Candidate = z.discriminatedUnion("kind", [
  model({ kind: z.literal("block"), block_number: integer, block_hash: hash }),
  model({ kind: z.literal("transaction"), transaction_hash: hash, block_number: integer }),
  model({
    kind: z.literal("account"),
    address,
    is_contract: flag,
    transaction_count: integer,
    balance: amount,
  }),
  model({ kind: z.literal("token"), ...InspectedToken.shape }),
  model({ kind: z.literal("contract"), ...InspectedContract.shape }),
  model({
    kind: z.enum(["function", "event", "error"]),
    /** "transfer(address,uint256)", or the selector if no source declares it. */
    signature: text,
    selector: hex,
    /** Transactions that call the function, or logs of the event; null for an error. */
    count: orNull(integer),
  }),
]);
export type Candidate = Decoded<typeof Candidate>;

export const views = {
  /** The only view that needs no api-key. */
  access: inspectView(
    "access",
    "/inspect/access",
    model({
      /** Whether only listed api-keys are accepted. Otherwise any text is. */
      keys_listed: flag,
      /** Whether each api-key has a chain, faults and a journal of its own. */
      tenants: flag,
      admin: flag,
      /** Whether the service can verify sources. */
      verifier: flag,
      /** Versions of the installed compilers: "v0.8.20+commit.a1b79de6". */
      compilers: list(text),
      /** The symbol or name of the coin; null if the service was given none. */
      coin: orNull(text),
    }),
  ),
  /** The head, small enough to poll. It answers before a followed chain is ready. */
  head: inspectView(
    "head",
    "/inspect/head",
    model({
      chain_id: integer,
      source: ChainSource,
      /** Null while a followed chain is empty. */
      head: orNull(HeadBlock),
      /** Number of the first block; null while the chain is empty. */
      first_block: orNull(integer),
      blocks: integer,
      transactions: integer,
      /** Number of reorganisations and rewinds. A change means that known blocks may be gone. */
      rewinds: integer,
      /** Changes whenever another answer may change, for example after a verification. */
      revision: integer,
      /** Why the API responds with 503; null if it does not. */
      unavailable: orNull(text),
      /** Null if no node is followed. */
      node: orNull(NodeProgress),
    }),
  ),
  overview: inspectView(
    "overview",
    "/inspect/overview",
    viewAnswer({
      latest_blocks: list(InspectedBlock),
      latest_transactions: list(InspectedTransaction),
      activity: Activity,
      busiest_accounts: list(InspectedAccount),
      token_count: integer,
      tokens: list(InspectedToken),
      contract_count: integer,
      contracts: list(InspectedContract),
    }),
  ),
  search: inspectView(
    "search",
    "/inspect/search",
    viewAnswer({
      query: text,
      /** At most 20, the best first. */
      candidates: list(Candidate),
      /** The places that were searched, with the number of results: "transaction hashes: none". */
      tried: list(text),
    }),
    {
      query: {
        q: z
          .string(QUERY)
          .check(z.refine((text) => text.trim() !== "" && text.length <= MAX_QUERY, QUERY)),
      },
    },
  ),
  names: inspectView("names", "/inspect/names", viewAnswer({}), {
    query: {
      addresses: z
        .string(ADDRESSES)
        .check(
          z.refine(
            (text) => text.length <= MAX_PAGE * 43 && text.split(",").every(isAddress),
            ADDRESSES,
          ),
        ),
    },
  }),
  ...listViews,
  block: inspectView(
    "block",
    "/inspect/block/{number}",
    viewAnswer({
      block: InspectedBlock,
      confirmations: integer,
    }),
    { parameters: { number: anyBlock } },
  ),
  transaction: inspectView(
    "transaction",
    "/inspect/transaction/{hash}",
    viewAnswer({
      transaction: InspectedTransaction,
      block: InspectedBlock,
      confirmations: integer,
      nonce: orNull(integer),
      gas_limit: orNull(integer),
      gas_used: orNull(integer),
      cumulative_gas_used: orNull(integer),
      gas_price: orNull(amount),
      /** Payer of the gas, if it is not the sender. */
      fee_payer: orNull(address),
      /** Fee of an L2 for its data, part of `tx_fee`. */
      l1_fee: orNull(amount),
      max_fee_per_gas: orNull(amount),
      max_priority_fee_per_gas: orNull(amount),
      input: hex,
      /** Null if no ABI has the function. */
      call: orNull(DecodedData),
      /** Null if the transaction succeeded, or has no trace. */
      failure: orNull(CallFailure),
      internal_transaction_count: integer,
      log_count: integer,
      /** At most 500. */
      logs: list(InspectedLog),
      /** Transfers among these logs. */
      transfers: list(InspectedTransfer),
    }),
    { parameters: { hash: lowerHash } },
  ),
  /** The calls of a transaction in order. The transaction itself comes first. */
  calls: inspectView(
    "calls",
    "/inspect/transaction/{hash}/calls",
    viewAnswer({
      /** Number of all calls, without the transaction itself. */
      count: integer,
      /** The transaction and at most 1000 calls. */
      calls: list(InspectedCall),
    }),
    { parameters: { hash: lowerHash } },
  ),
  changes: inspectView(
    "changes",
    "/inspect/transaction/{hash}/changes",
    viewAnswer({
      /** Number of balances that the transaction touched. */
      count: integer,
      /** At most 100, coins before tokens. */
      balances: list(BalanceChange),
      state_count: integer,
      /** At most 500; null if they are not known. */
      state: orNull(list(StateChange)),
      /** Why `state` is null. */
      state_message: orNull(text),
    }),
    { parameters: { hash: lowerHash } },
  ),
  source: inspectView(
    "source",
    "/inspect/transaction/{hash}/source",
    viewAnswer({
      /** Null without the steps of a followed node and the compiler's output of the contract. */
      place: orNull(
        model({
          file: text,
          /** Counted from 1. */
          line: integer,
          column: integer,
          /** False if the line is near, because the optimizer joins equal code. */
          is_certain: flag,
          contract_name: text,
          /** At most 2500 lines before and after it. The first one has the number `first_line`. */
          lines: list(text),
          first_line: integer,
        }),
      ),
    }),
    { parameters: { hash: lowerHash } },
  ),
  /** One account. An unused address has zeros. */
  account: inspectView(
    "account",
    "/inspect/account/{address}",
    viewAnswer({
      address,
      balance: amount,
      is_contract: flag,
      /** Runtime code; `0x` without any. */
      code: hex,
      /** The contract that a proxy forwards calls to; null for others. */
      target: orNull(address),
      /** The transaction that created the contract; null if it is not known. */
      creation: orNull(model({ transaction_hash: hash, creator: address, block_number: integer })),
      transaction_count: integer,
      internal_transaction_count: integer,
      mrc20_transfer_count: integer,
      mrc721_transfer_count: integer,
      /** Transfers of the token; null if the address is none. */
      transfer_count: orNull(integer),
      /** At most 60 counts from the first transfer to the last; null without a range of blocks. */
      transfer_activity: orNull(TransferActivity),
      mrc20_count: integer,
      mrc721_count: integer,
      mined_block_count: integer,
      log_count: integer,
      /** Time of its newest transaction, call or transfer; of a token, of its newest transfer. */
      last_activity: orNull(timestamp),
      /** Null if the address is no token. */
      token: orNull(InspectedToken),
      /** Null if no source is verified. */
      contract: orNull(InspectedContract),
    }),
    { parameters: { address: lowerAddress } },
  ),
  /** The verified source of a contract. */
  contract: inspectView(
    "contract",
    "/inspect/contract/{address}",
    viewAnswer({
      /** JSON, with the entries of the contract that a proxy forwards its calls to. */
      abi: text,
      /** Null if no source is verified. */
      source: orNull(ShownSource),
    }),
    { parameters: { address: lowerAddress } },
  ),
} as const;

export type Views = typeof views;
export type ViewName = keyof Views;
/** The parameters of a view, checked and with defaults filled in. */
export type ParametersOf<Name extends ViewName> = OperationArguments<Views[Name]>;
export type AnswerOf<Name extends ViewName> = Decoded<Views[Name]["results"]>;
/** The answer as JSON. */
export type AnswerWireOf<Name extends ViewName> = OperationResultsWire<Views[Name]>;
