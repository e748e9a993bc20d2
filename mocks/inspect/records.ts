// The records of `/inspect`, which is no part of the specification: blocks, transactions, accounts, tokens and contracts in the form of the page's lists.

import * as z from "zod/mini";
import { type Decoded, type Encoded, list, model } from "../../src/models/model.ts";
import {
  address,
  amount,
  flag,
  hash,
  hex,
  integer,
  orNull,
  status,
  text,
  timestamp,
} from "../../src/models/primitives.ts";
import { standards } from "../chain/records.ts";

/** The block an answer is about: all of it was read at this head. */
export const HeadBlock = model({
  block_number: integer,
  block_hash: hash,
  timestamp,
});

/** A block. */
export const InspectedBlock = model({
  block_number: integer,
  block_hash: hash,
  parent_hash: hash,
  timestamp,
  miner: address,
  gas_used: orNull(integer),
  gas_limit: orNull(integer),
  /** Per unit of gas; null before the London fork. */
  base_fee_per_gas: orNull(amount),
  transaction_count: integer,
  /** What the miner receives of the fees. */
  fees: amount,
  mining_reward: amount,
});
export interface InspectedBlock extends Decoded<typeof InspectedBlock> {}

/** A transaction in a list. */
export const InspectedTransaction = model({
  transaction_hash: hash,
  block_number: integer,
  timestamp,
  transaction_index: integer,
  sender: address,
  /** Null for a contract creation. */
  receiver: orNull(address),
  /** The contract it creates, even if that fails; null for a call. */
  contract_address: orNull(address),
  value: amount,
  /** "1" success, "0" error; null before the Byzantium fork. */
  tx_status: orNull(status),
  /** Gas used times the effective gas price, and an L2's fee for data; null if nobody states it, or a token paid. */
  tx_fee: orNull(amount),
  /** The first four bytes of the call data; null where there are fewer, and for a creation. */
  method: orNull(hex),
  /** The name of the function; null where no ABI has it. */
  method_name: orNull(text),
});
export interface InspectedTransaction extends Decoded<typeof InspectedTransaction> {}

/** One of the busiest accounts. */
export const InspectedAccount = model({
  address,
  /** Transactions it sent, received or was created by. */
  transaction_count: integer,
  balance: amount,
  is_contract: flag,
});
export interface InspectedAccount extends Decoded<typeof InspectedAccount> {}

export { hasIds, standards } from "../chain/records.ts";

/** What a token is called. */
const tokenFields = {
  token_address: address,
  standard: z.enum(standards),
  token_name: orNull(text),
  token_symbol: orNull(text),
  token_decimals: orNull(integer),
};

/** A token. */
export const InspectedToken = model({
  ...tokenFields,
  total_supply: amount,
  holder_count: integer,
});
export interface InspectedToken extends Decoded<typeof InspectedToken> {}

/** A decoded argument. */
const DecodedValue = model({
  /** Its position if it has no name. */
  name: text,
  type: text,
  /** Lists and structs as JSON; cut after 2000 characters. */
  value: text,
  /** Decimals of the token that the value is an amount of; null for everything else. */
  decimals: orNull(integer),
});

/** A verified contract in a list. */
export const InspectedContract = model({
  address,
  contract_name: text,
  compiler: text,
  verify_date: timestamp,
  /** "exact" or "partial"; null for a source that was loaded as verified. */
  verify_level: orNull(text),
  /** Null where it is no token, or has none. */
  token_symbol: orNull(text),
});
export interface InspectedContract extends Decoded<typeof InspectedContract> {}

/** A verified source. */
export const ShownSource = model({
  contract_name: text,
  compiler: text,
  /** Runs of the optimizer; null if it was off. */
  runs: orNull(integer),
  verify_date: timestamp,
  /** "exact" or "partial"; null for a source that was loaded as verified. */
  verify_level: orNull(text),
  verify_message: orNull(text),
  /** Parts that the proof leaves open. */
  verify_uncovered: list(text),
  /** Libraries that the code is linked to. */
  libraries: list(model({ name: text, address })),
  /** Address of the metadata; empty if the code has none. */
  metadata: text,
  /** Hexadecimal. */
  constructor_arguments: text,
  constructor_values: list(DecodedValue),
  /** The file that declares the contract comes first, those of libraries last. */
  files: list(model({ name: text, text })),
});
export interface ShownSource extends Decoded<typeof ShownSource> {}

/** What an address is called: by its verified source, or as a token. */
export const AddressName = model({
  address,
  name: text,
  kind: z.enum(["contract", "token"]),
});

/** A call, a creation, an error or a log, by an ABI. */
export const DecodedData = model({
  /** Of the function, the error or the event; of the contract, for a creation. */
  name: text,
  /** "transfer(address,uint256)" */
  signature: text,
  arguments: list(DecodedValue),
  /** Whether it is known by its selector alone, of a standard or another contract: its own source is not verified, or does not have it. */
  is_standard: flag,
});
export interface DecodedData extends Decoded<typeof DecodedData> {}
export type DecodedWire = Encoded<typeof DecodedData>;

/** A call of a transaction, or the transaction itself. */
export const InspectedCall = model({
  /** Empty for the transaction itself. */
  trace_address: list(z.int()),
  /** "call", "delegatecall", "create" … */
  type: text,
  sender: address,
  receiver: orNull(address),
  /** The contract it created. */
  created: orNull(address),
  value: amount,
  gas_used: orNull(integer),
  /** Whether it, or a call around it, failed. */
  undone: flag,
  /** Why it failed, in words; null if it has no error of its own. */
  reason: orNull(text),
  /** The custom error of its own; null where it has none. */
  error: orNull(DecodedData),
  call: orNull(DecodedData),
  /** What it returned; null where no ABI says it, or no node that has a call tracer is followed. */
  returned: orNull(DecodedData.shape.arguments),
});
export interface InspectedCall extends Decoded<typeof InspectedCall> {}

/** A failed call on the way to where a failure began. */
const FailedCall = model({
  trace_address: list(z.int()),
  /** The contract whose code ran. */
  address: orNull(address),
  call: orNull(DecodedData),
  /** In words. */
  reason: text,
  /** The custom error; null for another kind. */
  error: orNull(DecodedData),
  /** Whether it returned what the call within it, the next of the list, failed with. */
  passed_on: flag,
});

/** Why a transaction failed. */
export const CallFailure = model({
  /** In words: the message of a `require`, "division or modulo by zero", "NotEnough(has: 100)", "out of gas". */
  reason: text,
  /** `message` of a `require` or `revert`, `panic` of Solidity, a custom `error`, undecoded `bytes`; `none` was returned, only the node's word is known. */
  kind: z.enum(["message", "panic", "error", "bytes", "none"]),
  /** The custom error; null for the other kinds. */
  error: orNull(DecodedData),
  /** The returned data. */
  output: hex,
  /** What the transaction's trace says. */
  trace_error: text,
  /** From the transaction to the call in which the failure began. */
  path: list(FailedCall),
});
export interface CallFailure extends Decoded<typeof CallFailure> {}
export type FailureWire = Encoded<typeof CallFailure>;

/** A log of a transaction. */
export const InspectedLog = model({
  log_index: integer,
  address,
  topics: list(hash),
  data: hex,
  /** Null where no ABI has it. */
  event: orNull(DecodedData),
});
export interface InspectedLog extends Decoded<typeof InspectedLog> {}

/** Of which transaction something in a list is part. */
const partOf = { transaction_hash: hash, block_number: integer, timestamp };

/** A log in a list. */
export const ListedLog = model({ ...partOf, ...InspectedLog.shape });
export interface ListedLog extends Decoded<typeof ListedLog> {}

const { method, method_name } = InspectedTransaction.shape;

/** A call within a transaction, in a list. */
export const InspectedInternal = model({
  ...partOf,
  trace_address: list(z.int()),
  /** "call", "delegatecall", "create" … */
  type: text,
  sender: address,
  receiver: orNull(address),
  /** What it creates. */
  contract_address: orNull(address),
  value: amount,
  gas_used: orNull(integer),
  /** Whether it, or a call around it, failed. */
  undone: flag,
  method,
  method_name,
});
export interface InspectedInternal extends Decoded<typeof InspectedInternal> {}

/** A transfer of a token. */
export const InspectedTransfer = model({
  ...partOf,
  log_index: integer,
  /** Of the transaction. */
  method,
  method_name,
  ...tokenFields,
  sender: address,
  receiver: address,
  /** The amount of an MRC20 transfer; null for an MRC721 one. */
  value: orNull(amount),
  /** The token's id in an MRC721 transfer; null for an MRC20 one. */
  token_id: orNull(amount),
});
export interface InspectedTransfer extends Decoded<typeof InspectedTransfer> {}

/** An account's balance before and after a transaction: of coins, or of a token. */
export const BalanceChange = model({
  address,
  /** Null for coins. */
  token: orNull(model(tokenFields)),
  /** Both null where nothing says them: the node no longer has the state, or too much happened since. */
  before: orNull(amount),
  after: orNull(amount),
  /** The difference, "-5"; where the balances are not known, by transfers and calls alone. */
  change: text,
});
export interface BalanceChange extends Decoded<typeof BalanceChange> {}

/** A change of the state by a transaction. */
export const StateChange = model({
  address,
  what: z.enum(["storage", "nonce", "code"]),
  /** Null for a nonce and for code. */
  slot: orNull(hash),
  /** A word of storage, a nonce, or code; cut after 2000 characters. */
  before: text,
  after: text,
  /** The variables in the slot that changed; empty where no layout of the storage says them. */
  variables: list(
    model({
      /** "owner", "balanceOf[0x5fbd…]", "names.length" */
      name: text,
      /** "uint256" */
      type: text,
      before: text,
      after: text,
    }),
  ),
});
export interface StateChange extends Decoded<typeof StateChange> {}
export type StateChangeWire = Encoded<typeof StateChange>;

/** A holder of a token. */
export const InspectedHolder = model({
  address,
  /** The amount, or the number of ids. */
  balance: amount,
});

/** What an account holds of a token: the amount, or the number of ids. */
export const InspectedHolding = model({ ...tokenFields, balance: amount });
export interface InspectedHolding extends Decoded<typeof InspectedHolding> {}

/** A token of a collection. */
export const InspectedNft = model({
  token_id: amount,
  owner: address,
  /** Empty if the contract has none. */
  token_uri: text,
});
export interface InspectedNft extends Decoded<typeof InspectedNft> {}

/** Transactions per block of the last blocks, oldest first. */
export const Activity = model({
  first_block: integer,
  transaction_counts: list(integer),
  failed_counts: list(integer),
  gas_used: list(integer),
});

/** The transfers of a token over time. */
export const TransferActivity = model({
  first_block: integer,
  /** Blocks of each count. */
  step: integer,
  counts: list(integer),
});

/** A balance after a block. */
export const BalancePoint = model({
  block_number: integer,
  timestamp,
  balance: amount,
});
