// Formats a transaction: the full form (specification 2.2) and the simple one (2.3).
import type { SimpleTransactionWire, TransactionWire } from "../../src/models/transaction.ts";
import type { ChainTransaction } from "../chain/records.ts";
import { type Decimal, decimal, decimalOrNull, outcome, time } from "./format.ts";

/** `withInput` adds the call data (S8). */
export const fullTransaction =
  (withInput: boolean) =>
  (transaction: ChainTransaction, confirmations: Decimal): TransactionWire => ({
    timestamp: time(transaction.block.timestamp),
    sender: transaction.from,
    receiver: transaction.to,
    value: decimal(transaction.value),
    confirmations,
    transaction_hash: transaction.hash,
    block_hash: transaction.block.hash,
    transaction_index: decimal(transaction.index),
    tx_status: outcome(transaction.succeeded),
    block_number: decimal(transaction.block.number),
    gas_price: decimal(transaction.gasPrice),
    cumulative_gas_used: decimal(transaction.cumulativeGasUsed),
    gas_used: decimal(transaction.gasUsed),
    max_fee_per_gas: decimalOrNull(transaction.maxFeePerGas),
    max_priority_fee_per_gas: decimalOrNull(transaction.maxPriorityFeePerGas),
    ...(withInput && { input: transaction.input }),
  });

/** `tx_fee` = gas used x effective gas price (S10). */
export const simpleTransaction =
  (withInput: boolean) =>
  (transaction: ChainTransaction): SimpleTransactionWire => ({
    sender: transaction.from,
    receiver: transaction.to,
    value: decimal(transaction.value),
    transaction_hash: transaction.hash,
    tx_status: outcome(transaction.succeeded),
    tx_fee: decimal(BigInt(transaction.gasUsed) * transaction.gasPrice),
    block_number: decimal(transaction.block.number),
    gas_price: decimal(transaction.gasPrice),
    gas_used: decimal(transaction.gasUsed),
    ...(withInput && { input: transaction.input }),
  });
