// Normal transactions, full (specification 2.2) and simple (2.3).
import * as z from "zod/mini";
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, amount, hash, hex, integer, orNull, status, timestamp } from "./primitives.ts";
import { nullable } from "./reading.ts";

/** A normal transaction with all fields. */
export const Transaction = model({
  /** The time of the block, in UTC. */
  timestamp,
  /** The account that signed the transaction. */
  sender: address,
  /** The called account or contract; null for a contract creation. */
  receiver: orNull(address),
  /** The coins sent, in the native coin's smallest unit. */
  value: amount,
  /** The number of blocks on top of this block when the service responded. */
  confirmations: orNull(integer),
  /** The hash of the transaction. */
  transaction_hash: hash,
  /** The hash of the block; null if the service does not state it. */
  block_hash: orNull(hash),
  /** The position of the transaction in its block, from 0. */
  transaction_index: integer,
  /** "1" for success, "0" for an error; null before the Byzantium fork. */
  tx_status: orNull(status),
  /** The number of the block. */
  block_number: amount,
  /** The effective price per unit of gas, in the smallest unit. */
  gas_price: orNull(amount),
  /** The gas used in the block up to and including this transaction. */
  cumulative_gas_used: orNull(amount),
  /** The gas that the transaction used. */
  gas_used: orNull(amount),
  /** The highest price per unit of gas, in the smallest unit; null for legacy transactions. */
  max_fee_per_gas: orNull(amount),
  /** The highest tip per unit of gas, in the smallest unit; null for legacy transactions. */
  max_priority_fee_per_gas: orNull(amount),
  /** The call data, with `input: true` only. */
  input: z.optional(nullable(hex)),
});
export interface Transaction extends Decoded<typeof Transaction> {}
export type TransactionWire = Encoded<typeof Transaction>;

/** A normal transaction with few fields, and its fee. */
export const SimpleTransaction = model({
  /** The account that signed the transaction. */
  sender: address,
  /** The called account or contract; null for a contract creation. */
  receiver: orNull(address),
  /** The coins sent, in the native coin's smallest unit. */
  value: amount,
  /** The hash of the transaction. */
  transaction_hash: hash,
  /** "1" for success, "0" for an error; null before the Byzantium fork. */
  tx_status: orNull(status),
  /**
   * Gas used times the effective gas price, in the smallest unit. Includes the data fee of an L2,
   * but not the fee for blobs (EIP-4844). Null if no node states it, or a token pays for the gas.
   */
  tx_fee: orNull(amount),
  /** The number of the block. */
  block_number: amount,
  /** The effective price per unit of gas, in the smallest unit. */
  gas_price: orNull(amount),
  /** The gas that the transaction used. */
  gas_used: orNull(amount),
  /** The call data, with `input: true` only. */
  input: z.optional(nullable(hex)),
});
export interface SimpleTransaction extends Decoded<typeof SimpleTransaction> {}
export type SimpleTransactionWire = Encoded<typeof SimpleTransaction>;
