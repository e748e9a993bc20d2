// Normal transactions in their full form (specification 2.2) and their simple form (2.3).
import { recordKind } from "./compose.ts";
import { type Decoded, type Encoded, model } from "./model.ts";
import {
  address,
  amount,
  hash,
  hex,
  integer,
  nullable,
  optional,
  status,
  timestamp,
} from "./primitives.ts";

export const transactionKind = /*#__PURE__*/ recordKind(
  {
    timestamp,
    sender: address,
    /** Null for a creation. */
    receiver: nullable(address),
    /** In the smallest unit. */
    value: amount,
    /** Blocks on top of its own at the time of the answer. */
    confirmations: nullable(integer),
    transaction_hash: hash,
    block_hash: nullable(hash),
    transaction_index: integer,
    /** "1" success, "0" error; null before the Byzantium fork. */
    tx_status: nullable(status),
    block_number: amount,
    /** The effective price per unit of gas, in the smallest unit. */
    gas_price: nullable(amount),
    cumulative_gas_used: nullable(amount),
    gas_used: nullable(amount),
    max_fee_per_gas: nullable(amount),
    max_priority_fee_per_gas: nullable(amount),
    /** The call data; only where it was asked for with `input: true`. */
    input: optional(nullable(hex)),
  },
  "Transaction",
);
/** A normal transaction, full form (specification 2.2). */
export const Transaction = /*#__PURE__*/ model(transactionKind);
export type Transaction = Decoded<typeof Transaction>;
export type TransactionWire = Encoded<typeof Transaction>;

export const simpleTransactionKind = /*#__PURE__*/ recordKind(
  {
    sender: address,
    /** Null for a creation. */
    receiver: nullable(address),
    /** In the smallest unit. */
    value: amount,
    transaction_hash: hash,
    /** "1" success, "0" error; null before the Byzantium fork. */
    tx_status: nullable(status),
    /** Gas used times the effective gas price, in the smallest unit. */
    tx_fee: nullable(amount),
    block_number: amount,
    gas_price: nullable(amount),
    gas_used: nullable(amount),
    /** The call data; only where it was asked for with `input: true`. */
    input: optional(nullable(hex)),
  },
  "SimpleTransaction",
);
/** A normal transaction, simple form (specification 2.3). */
export const SimpleTransaction = /*#__PURE__*/ model(simpleTransactionKind);
export type SimpleTransaction = Decoded<typeof SimpleTransaction>;
export type SimpleTransactionWire = Encoded<typeof SimpleTransaction>;
