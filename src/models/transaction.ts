// Normal transactions, full (specification 2.2) and simple (2.3).
import * as z from "zod/mini";
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, amount, hash, hex, integer, orNull, status, timestamp } from "./primitives.ts";
import { nullable } from "./reading.ts";

/** A normal transaction, full form (specification 2.2). */
export const Transaction = model({
  timestamp,
  sender: address,
  /** Null for a contract creation. */
  receiver: orNull(address),
  /** In the smallest unit. */
  value: amount,
  /** Blocks on top of its own when the service responded. */
  confirmations: orNull(integer),
  transaction_hash: hash,
  block_hash: orNull(hash),
  transaction_index: integer,
  /** "1" success, "0" error; null before the Byzantium fork. */
  tx_status: orNull(status),
  block_number: amount,
  /** The effective price per unit of gas, in the smallest unit. */
  gas_price: orNull(amount),
  cumulative_gas_used: orNull(amount),
  gas_used: orNull(amount),
  max_fee_per_gas: orNull(amount),
  max_priority_fee_per_gas: orNull(amount),
  /** The call data, with `input: true` only. */
  input: z.optional(nullable(hex)),
});
export interface Transaction extends Decoded<typeof Transaction> {}
export type TransactionWire = Encoded<typeof Transaction>;

/** A normal transaction, simple form (specification 2.3). */
export const SimpleTransaction = model({
  sender: address,
  /** Null for a contract creation. */
  receiver: orNull(address),
  /** In the smallest unit. */
  value: amount,
  transaction_hash: hash,
  /** "1" success, "0" error; null before the Byzantium fork. */
  tx_status: orNull(status),
  /** Gas used times the effective gas price, in the smallest unit. */
  tx_fee: orNull(amount),
  block_number: amount,
  gas_price: orNull(amount),
  gas_used: orNull(amount),
  /** The call data, with `input: true` only. */
  input: z.optional(nullable(hex)),
});
export interface SimpleTransaction extends Decoded<typeof SimpleTransaction> {}
export type SimpleTransactionWire = Encoded<typeof SimpleTransaction>;
