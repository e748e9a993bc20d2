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

/** The block an answer is about: all of it was read at this head. */
export const HeadBlock = model({
  block_number: integer,
  block_hash: hash,
  timestamp,
});
export interface HeadBlock extends Decoded<typeof HeadBlock> {}

/** A block. */
export const InspectedBlock = model({
  block_number: integer,
  block_hash: hash,
  parent_hash: hash,
  timestamp,
  miner: address,
  gas_used: integer,
  gas_limit: integer,
  /** Per unit of gas; null before the London fork. */
  base_fee_per_gas: orNull(amount),
  transaction_count: integer,
  /** What the miner receives of the fees. */
  fees: amount,
  mining_reward: amount,
});
export interface InspectedBlock extends Decoded<typeof InspectedBlock> {}
export type InspectedBlockWire = Encoded<typeof InspectedBlock>;

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
  /** Gas used times the effective gas price. */
  tx_fee: amount,
  /** The first four bytes of the call data; null where there are fewer, and for a creation. */
  method: orNull(hex),
});
export interface InspectedTransaction extends Decoded<typeof InspectedTransaction> {}
export type InspectedTransactionWire = Encoded<typeof InspectedTransaction>;

/** One of the busiest accounts. */
export const InspectedAccount = model({
  address,
  /** Transactions it sent, received or was created by. */
  transaction_count: integer,
  balance: amount,
  is_contract: flag,
});
export interface InspectedAccount extends Decoded<typeof InspectedAccount> {}
export type InspectedAccountWire = Encoded<typeof InspectedAccount>;

/** A token. */
export const InspectedToken = model({
  token_address: address,
  standard: z.enum(["mrc20", "mrc721"]),
  token_name: orNull(text),
  token_symbol: orNull(text),
  token_decimals: orNull(integer),
  total_supply: amount,
  holder_count: integer,
});
export interface InspectedToken extends Decoded<typeof InspectedToken> {}
export type InspectedTokenWire = Encoded<typeof InspectedToken>;

/** A verified contract; C2 has its source. */
export const InspectedContract = model({
  address,
  contract_name: text,
  compiler: text,
  verify_date: timestamp,
  /** "exact" or "partial"; null for a source that was loaded as verified. */
  verify_level: orNull(text),
});
export interface InspectedContract extends Decoded<typeof InspectedContract> {}
export type InspectedContractWire = Encoded<typeof InspectedContract>;

/** What an address is called: by its verified source, or as a token. */
export const AddressName = model({
  address,
  name: text,
  kind: z.enum(["contract", "token"]),
});
export interface AddressName extends Decoded<typeof AddressName> {}
export type AddressNameWire = Encoded<typeof AddressName>;

/** A log of a transaction. */
export const InspectedLog = model({
  log_index: integer,
  address,
  topics: list(hash),
  data: hex,
  /** The event's name and ABI entry as JSON, where the contract is verified. */
  log_name: orNull(text),
  log_abi: orNull(text),
});
export interface InspectedLog extends Decoded<typeof InspectedLog> {}
export type InspectedLogWire = Encoded<typeof InspectedLog>;

/** A transfer of a token. */
export const InspectedTransfer = model({
  transaction_hash: hash,
  block_number: integer,
  timestamp,
  log_index: integer,
  token_address: address,
  standard: z.enum(["mrc20", "mrc721"]),
  token_name: orNull(text),
  token_symbol: orNull(text),
  token_decimals: orNull(integer),
  sender: address,
  receiver: address,
  /** The amount of an MRC20 transfer; null for an MRC721 one. */
  value: orNull(amount),
  /** The token's id in an MRC721 transfer; null for an MRC20 one. */
  token_id: orNull(amount),
});
export interface InspectedTransfer extends Decoded<typeof InspectedTransfer> {}
export type InspectedTransferWire = Encoded<typeof InspectedTransfer>;

/** A holder of a token. */
export const InspectedHolder = model({
  address,
  /** The amount, or the number of ids. */
  balance: amount,
});
export interface InspectedHolder extends Decoded<typeof InspectedHolder> {}
