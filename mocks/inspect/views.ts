// The views of `/inspect` as operations: what the page asks that the specification's operations cannot answer. Runs in browsers.
// The operations themselves answer below `/inspect/v1` too (a client's `baseUrl` is then `…/inspect`): without faults and journal, so that who looks on changes no test
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
  pageLimit,
  viewAnswer,
} from "./list-views.ts";
import {
  Activity,
  BalanceChange,
  BalancePoint,
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

/** Names are longer only where someone wants to do harm. */
const MAX_QUERY = 200;
const QUERY = `a text of 1 to ${MAX_QUERY} characters`;
const ADDRESSES = `1 to ${MAX_PAGE} addresses with commas in between`;

/** Where the chain is from. */
const ChainSource = model({
  /** `built`: in a program, such as a test. */
  kind: z.enum(chainOrigins),
  /** The folder's name, or the node's host and port; null for the others. */
  name: orNull(text),
});

/** How far the service follows its node. */
const NodeProgress = model({
  state: z.enum(["restoring", "connecting", "catching-up", "following", "failing", "stuck"]),
  /** The number of the node's last block; null before it responds. */
  node_head: orNull(integer),
  /** Blocks behind the node; null before it responds. */
  lag: orNull(integer),
  /** While catching up; null at the head. */
  blocks_per_second: orNull(z.number()),
  transactions_per_second: orNull(z.number()),
  seconds_left: orNull(z.number()),
  /** What the node did not return and will be asked for again; the first 20. */
  missing: list(text),
  /** Also after it has passed. */
  last_error: orNull(model({ message: text, at: timestamp })),
});

/** Something a search found. */
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
  /** A function, an event or an error: of verified sources, and of the standards. */
  model({
    kind: z.enum(["function", "event", "error"]),
    /** "transfer(address,uint256)"; the selector itself where no source has it. */
    signature: text,
    selector: hex,
    /** Transactions that call the function or failed with the error, or logs of the event; null for an error. */
    count: orNull(integer),
  }),
]);
export type Candidate = Decoded<typeof Candidate>;

/** Every view by its name, with an api-key except for `access`. */
export const views = {
  /** How to ask: the one view that needs no api-key. */
  access: inspectView(
    "access",
    "/inspect/access",
    model({
      /** Whether only listed api-keys are accepted; else any text is. */
      keys_listed: flag,
      /** Whether each api-key has a chain, faults and a journal of its own. */
      tenants: flag,
      /** Whether `/admin` is on; it needs its token. */
      admin: flag,
      /** Whether C3 compiles sources here. */
      verifier: flag,
      /** The compilers that it has: "v0.8.20+commit.a1b79de6". */
      compilers: list(text),
      /** The symbol or name of the coin; null if the service was given none. */
      coin: orNull(text),
    }),
  ),
  /** The chain's head and state, small enough to ask every second. It answers before a followed chain is ready. */
  head: inspectView(
    "head",
    "/inspect/head",
    model({
      chain_id: integer,
      source: ChainSource,
      /** Null while a followed chain is empty. */
      head: orNull(HeadBlock),
      /** The number of the chain's first block; null while it is empty. */
      first_block: orNull(integer),
      blocks: integer,
      transactions: integer,
      /** How often the chain went back: another number means that blocks seen before may be gone. */
      rewinds: integer,
      /** Another number after every change, also of the state at the head, such as a source that was verified. */
      revision: integer,
      /** Why the API responds 503 now; null if it does not. */
      unavailable: orNull(text),
      /** Null where no node is followed. */
      node: orNull(NodeProgress),
    }),
  ),
  /** What the home page shows. */
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
  /** What a text may mean. */
  search: inspectView(
    "search",
    "/inspect/search",
    viewAnswer({
      query: text,
      /** Up to 20, the best first. */
      candidates: list(Candidate),
      /** Every place that was searched, with what was found there: "transaction hashes: none", "token names: 3". */
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
  /** The names of addresses. */
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
  /** One block. */
  block: inspectView(
    "block",
    "/inspect/block/{number}",
    viewAnswer({
      block: InspectedBlock,
      /** Blocks on top of it. */
      confirmations: integer,
    }),
    { parameters: { number: anyBlock } },
  ),
  /** One transaction. X3 has its internal transactions. */
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
      /** Who paid for the gas, if not the sender. */
      fee_payer: orNull(address),
      /** An L2's fee for its data, part of `tx_fee`. */
      l1_fee: orNull(amount),
      max_fee_per_gas: orNull(amount),
      max_priority_fee_per_gas: orNull(amount),
      /** The whole call data. */
      input: hex,
      /** Its function and arguments; null where no ABI has it. */
      call: orNull(DecodedData),
      /** Null if it succeeded, or has no trace. */
      failure: orNull(CallFailure),
      internal_transaction_count: integer,
      log_count: integer,
      /** The first 500. */
      logs: list(InspectedLog),
      /** Those among these logs. */
      transfers: list(InspectedTransfer),
    }),
    { parameters: { hash: lowerHash } },
  ),
  /** The calls of a transaction, in the order they were made, itself first. */
  calls: inspectView(
    "calls",
    "/inspect/transaction/{hash}/calls",
    viewAnswer({
      /** All of them, itself apart. */
      count: integer,
      /** Itself and the first 1000. */
      calls: list(InspectedCall),
    }),
    { parameters: { hash: lowerHash } },
  ),
  /** What a transaction changed. */
  changes: inspectView(
    "changes",
    "/inspect/transaction/{hash}/changes",
    viewAnswer({
      /** Of the accounts and tokens it touched, its own parties first. */
      count: integer,
      /** The first 100. */
      balances: list(BalanceChange),
      state_count: integer,
      /** The first 500; null where nothing says them. */
      state: orNull(list(StateChange)),
      /** Why `state` is null. */
      state_message: orNull(text),
    }),
    { parameters: { hash: lowerHash } },
  ),
  /** Where a failure began in the source. */
  source: inspectView(
    "source",
    "/inspect/transaction/{hash}/source",
    viewAnswer({
      /** Null where no node is followed, it has no steps of the transaction, or the compiler's output of the contract is not at hand. */
      place: orNull(
        model({
          file: text,
          /** From 1 on. */
          line: integer,
          column: integer,
          /** Whether it is this line; otherwise it is about here, because the optimizer joins equal code. */
          is_certain: flag,
          contract_name: text,
          /** The file: up to 2500 lines before and after it, from `first_line` on. */
          lines: list(text),
          first_line: integer,
        }),
      ),
    }),
    { parameters: { hash: lowerHash } },
  ),
  /** One account. An address without a trace has zeros. */
  account: inspectView(
    "account",
    "/inspect/account/{address}",
    viewAnswer({
      address,
      balance: amount,
      is_contract: flag,
      /** Runtime code; `0x` for an account without. */
      code: hex,
      /** The contract that a proxy forwards its calls to; null where the address is no proxy. */
      target: orNull(address),
      /** The transaction that created the contract; null where none did, or where the chain does not know. */
      creation: orNull(model({ transaction_hash: hash, creator: address, block_number: integer })),
      /** Entries of the lists A2, A3, A4, A5, A7, A8, A10 and L1. */
      transaction_count: integer,
      internal_transaction_count: integer,
      mrc20_transfer_count: integer,
      mrc721_transfer_count: integer,
      /** Of the token that it is; null where it is none. */
      transfer_count: orNull(integer),
      /** Up to 60 counts from its first transfer to its last; null where those are all in one, or it is no token. */
      transfer_activity: orNull(TransferActivity),
      mrc20_count: integer,
      mrc721_count: integer,
      mined_block_count: integer,
      log_count: integer,
      /** Time of its newest transaction, call or transfer; of a token, of its newest transfer. */
      last_activity: orNull(timestamp),
      /** Null where the address is no token. */
      token: orNull(InspectedToken),
      /** Null where no source is verified. */
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
  /** An account's balance after each of the last blocks that changed it, oldest first. */
  balances: inspectView(
    "balances",
    "/inspect/account/{address}/balances",
    viewAnswer({
      address,
      points: list(BalancePoint),
      /** Whether the first point is of the first block that changed it. */
      complete: flag,
    }),
    { parameters: { address: lowerAddress }, query: { limit: pageLimit } },
  ),
} as const;

export type Views = typeof views;
export type ViewName = keyof Views;
/** The parameters of a view, checked and with defaults filled in. */
export type ParametersOf<Name extends ViewName> = OperationArguments<Views[Name]>;
/** What a view answers, in `results` of an envelope. */
export type AnswerOf<Name extends ViewName> = Decoded<Views[Name]["results"]>;
/** The same as JSON. */
export type AnswerWireOf<Name extends ViewName> = OperationResultsWire<Views[Name]>;
