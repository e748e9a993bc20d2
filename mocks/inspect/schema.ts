// The answers of `/inspect`, as `results` of an envelope: what the page asks that the specification's operations cannot answer. Runs in browsers.
// The operations themselves answer below `/inspect/v1` too (a client's `baseUrl` is then `…/inspect`): without faults and journal, so that who looks on changes no test.
import * as z from "zod/mini";
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
import {
  AddressName,
  BalanceChange,
  Decoded as DecodedItem,
  Failure,
  HeadBlock,
  InspectedAccount,
  InspectedBlock,
  InspectedCall,
  InspectedContract,
  InspectedHolder,
  InspectedLog,
  InspectedToken,
  InspectedTransaction,
  InspectedTransfer,
  StateChange,
} from "./records.ts";

/** How to ask: `GET /inspect/access`, the one answer that needs no api-key. */
export const Access = model({
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
});
export interface Access extends Decoded<typeof Access> {}

/** Where the chain is from. */
const ChainSource = model({
  /** `built`: in a program, such as a test. */
  kind: z.enum(["demo", "folder", "generated", "node", "built"]),
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

/** The chain's head and state: `GET /inspect/head`, small enough to ask every second. It answers before a followed chain is ready. */
export const ChainHead = model({
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
});
export interface ChainHead extends Decoded<typeof ChainHead> {}

/** What every other response has besides its own fields. */
const common = {
  head: HeadBlock,
  /** The names of addresses in the answer. */
  names: list(AddressName),
};

/** Where a list continues: `before` of the next page; null at its end. */
const next = orNull(text);

/** Transactions per block of the last blocks, oldest first. */
const Activity = model({
  first_block: integer,
  transaction_counts: list(integer),
  /** Of the newest 2,000 transactions. */
  failed_counts: list(integer),
  gas_used: list(integer),
});

/** What the home page shows: `GET /inspect/overview`. */
export const Overview = model({
  ...common,
  latest_blocks: list(InspectedBlock),
  latest_transactions: list(InspectedTransaction),
  activity: Activity,
  busiest_accounts: list(InspectedAccount),
  token_count: integer,
  tokens: list(InspectedToken),
  contract_count: integer,
  contracts: list(InspectedContract),
});
export interface Overview extends Decoded<typeof Overview> {}

/** Blocks, newest first: `GET /inspect/blocks?before=&limit=`. */
export const BlockList = model({ ...common, blocks: list(InspectedBlock), next });
export interface BlockList extends Decoded<typeof BlockList> {}

/** Transactions, newest first: `GET /inspect/transactions?before=&limit=`. */
export const TransactionList = model({
  ...common,
  transactions: list(InspectedTransaction),
  next,
});
export interface TransactionList extends Decoded<typeof TransactionList> {}

/** The busiest accounts: `GET /inspect/accounts?limit=`. */
export const AccountList = model({ ...common, accounts: list(InspectedAccount) });
export interface AccountList extends Decoded<typeof AccountList> {}

/** Tokens by number of holders: `GET /inspect/tokens?offset=&limit=`. */
export const TokenList = model({
  ...common,
  count: integer,
  tokens: list(InspectedToken),
});
export interface TokenList extends Decoded<typeof TokenList> {}

/** Verified contracts, newest first: `GET /inspect/contracts?offset=&limit=`. */
export const ContractList = model({
  ...common,
  count: integer,
  contracts: list(InspectedContract),
});
export interface ContractList extends Decoded<typeof ContractList> {}

/** One block with a page of its transactions, in order: `GET /inspect/block/NUMBER?offset=&limit=`. */
export const BlockAnswer = model({
  ...common,
  block: InspectedBlock,
  /** Blocks on top of it. */
  confirmations: integer,
  transactions: list(InspectedTransaction),
});
export interface BlockAnswer extends Decoded<typeof BlockAnswer> {}

/** One transaction: `GET /inspect/transaction/HASH`. X3 has its internal transactions. */
export const TransactionAnswer = model({
  ...common,
  transaction: InspectedTransaction,
  block: InspectedBlock,
  confirmations: integer,
  nonce: integer,
  gas_limit: integer,
  gas_used: integer,
  cumulative_gas_used: integer,
  gas_price: amount,
  max_fee_per_gas: orNull(amount),
  max_priority_fee_per_gas: orNull(amount),
  /** The whole call data. */
  input: hex,
  /** Its function and arguments; null where no ABI has it. */
  call: orNull(DecodedItem),
  /** Null if it succeeded, or has no trace. */
  failure: orNull(Failure),
  internal_transaction_count: integer,
  log_count: integer,
  /** The first 500. */
  logs: list(InspectedLog),
  /** Those among these logs. */
  transfers: list(InspectedTransfer),
});
export interface TransactionAnswer extends Decoded<typeof TransactionAnswer> {}

/** The calls of a transaction, in the order they were made, itself first: `GET /inspect/transaction/HASH/calls`. */
export const CallList = model({
  ...common,
  /** All of them, itself apart. */
  count: integer,
  /** Itself and the first 1000. */
  calls: list(InspectedCall),
});
export interface CallList extends Decoded<typeof CallList> {}

/** What a transaction changed: `GET /inspect/transaction/HASH/changes`. */
export const ChangeList = model({
  ...common,
  /** Of the accounts and tokens it touched, its own parties first. */
  count: integer,
  /** The first 100. */
  balances: list(BalanceChange),
  state_count: integer,
  /** The first 500; null where nothing says them. */
  state: orNull(list(StateChange)),
  /** Why `state` is null. */
  state_message: orNull(text),
});
export interface ChangeList extends Decoded<typeof ChangeList> {}

/** Where a failure began in the source: `GET /inspect/transaction/HASH/source`. */
export const SourceAnswer = model({
  ...common,
  /** Null where no node is followed, it has no steps of the transaction, or the compiler's output of the contract is not at hand. */
  place: orNull(
    model({
      file: text,
      /** From 1 on. */
      line: integer,
      column: integer,
      contract_name: text,
      /** The file: up to 2500 lines before and after it, from `first_line` on. */
      lines: list(text),
      first_line: integer,
    }),
  ),
});
export interface SourceAnswer extends Decoded<typeof SourceAnswer> {}

/** One account: `GET /inspect/account/ADDRESS`. An address without a trace has zeros. */
export const AccountAnswer = model({
  ...common,
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
  mrc20_count: integer,
  mrc721_count: integer,
  mined_block_count: integer,
  log_count: integer,
  /** Null where the address is no token. */
  token: orNull(InspectedToken),
  /** Null where no source is verified. */
  contract: orNull(InspectedContract),
});
export interface AccountAnswer extends Decoded<typeof AccountAnswer> {}

/** A balance after a block. */
const BalancePoint = model({
  block_number: integer,
  timestamp,
  balance: amount,
});

/** An account's balance after each of the last blocks that changed it, oldest first: `GET /inspect/account/ADDRESS/balances?limit=`. */
export const BalanceList = model({
  ...common,
  address,
  points: list(BalancePoint),
  /** Whether the first point is of the first block that changed it. */
  complete: flag,
});
export interface BalanceList extends Decoded<typeof BalanceList> {}

/** One token and a page of its holders, the largest first: `GET /inspect/token/ADDRESS?offset=&limit=`. */
export const TokenAnswer = model({
  ...common,
  token: InspectedToken,
  transfer_count: integer,
  /** Up to the 1000 largest. */
  holders: list(InspectedHolder),
});
export interface TokenAnswer extends Decoded<typeof TokenAnswer> {}

/** A token's transfers, newest first: `GET /inspect/token/ADDRESS/transfers?before=&limit=`. */
export const TransferList = model({
  ...common,
  transfers: list(InspectedTransfer),
  next,
});
export interface TransferList extends Decoded<typeof TransferList> {}

/** The names of addresses: `GET /inspect/names?addresses=0x…,0x…`, up to 100. */
export const NameList = model(common);
export interface NameList extends Decoded<typeof NameList> {}

/** The functions that transactions call: `GET /inspect/methods?hashes=0x…,0x…`, up to 100. */
export const MethodList = model({
  ...common,
  methods: list(
    model({
      transaction_hash: hash,
      method: InspectedTransaction.shape.method,
      method_name: InspectedTransaction.shape.method_name,
    }),
  ),
});
export interface MethodList extends Decoded<typeof MethodList> {}

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
]);
export type Candidate = Decoded<typeof Candidate>;

/** What a text may mean: `GET /inspect/search?q=`. */
export const SearchAnswer = model({
  ...common,
  query: text,
  /** Up to 20, the best first. */
  candidates: list(Candidate),
  /** Every place that was searched, with what was found there: "transaction hashes: none", "token names: 3". */
  tried: list(text),
});
export interface SearchAnswer extends Decoded<typeof SearchAnswer> {}
