// Formats the records of lists: transactions, internal transactions and transfers (specification
// 2.2 to 2.6).

import type { InternalTransactionWire } from "../../src/models/internal-transaction.ts";
import type { Decimal } from "../../src/models/primitives.ts";
import type { SimpleTransactionWire, TransactionWire } from "../../src/models/transaction.ts";
import type { Mrc20TransferWire, Mrc721TransferWire } from "../../src/models/transfer.ts";
import { feeOf } from "../chain/block-effects.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { Block, ChainTransaction, Frame, Transfer } from "../chain/records.ts";
import { confirmations, decimal, decimalOrNull, outcome, time } from "./format.ts";

/** A transaction in its full form (2.2); `withInput` adds the call data (S8). */
export const fullTransaction =
  (head: Block, withInput: boolean) =>
  (transaction: ChainTransaction): TransactionWire => ({
    timestamp: time(transaction.block.timestamp),
    sender: transaction.from,
    receiver: transaction.to,
    value: decimal(transaction.value),
    confirmations: confirmations(head, transaction.block),
    transaction_hash: transaction.hash,
    block_hash: transaction.block.hash,
    transaction_index: decimal(transaction.index),
    tx_status: outcome(transaction.succeeded),
    block_number: decimal(transaction.block.number),
    gas_price: decimalOrNull(transaction.gasPrice),
    cumulative_gas_used: decimalOrNull(transaction.cumulativeGasUsed),
    gas_used: decimalOrNull(transaction.gasUsed),
    max_fee_per_gas: decimalOrNull(transaction.maxFeePerGas),
    max_priority_fee_per_gas: decimalOrNull(transaction.maxPriorityFeePerGas),
    ...(withInput && { input: transaction.input }),
  });

/**
 * A transaction in its simple form (2.3). `tx_fee` is gas used x effective gas price (S10), plus an
 * L2's fee for data.
 */
export const simpleTransaction =
  (withInput: boolean) =>
  (transaction: ChainTransaction): SimpleTransactionWire => ({
    sender: transaction.from,
    receiver: transaction.to,
    value: decimal(transaction.value),
    transaction_hash: transaction.hash,
    tx_status: outcome(transaction.succeeded),
    tx_fee: decimalOrNull(feeOf(transaction)),
    block_number: decimal(transaction.block.number),
    gas_price: decimalOrNull(transaction.gasPrice),
    gas_used: decimalOrNull(transaction.gasUsed),
    ...(withInput && { input: transaction.input }),
  });

/** A call frame as an internal transaction (S12); `withInput` adds the call data (S8). */
export const internalTransaction =
  (chain: ChainReader, withInput: boolean) =>
  (frame: Frame): InternalTransactionWire => ({
    timestamp: time(frame.transaction.block.timestamp),
    sender: frame.from,
    receiver: frame.to,
    value: decimal(frame.value),
    status: outcome(!frame.undone),
    message: frame.error,
    transaction_hash: frame.transaction.hash,
    block_number: decimal(frame.transaction.block.number),
    contract_address: frame.created,
    trace_address: frame.traceAddress.map(decimal),
    trace_type: frame.type === "unknown" ? null : frame.type,
    sub_traces: decimal(frame.subTraces),
    transaction_index: decimal(frame.transaction.index),
    gas_used: decimalOrNull(frame.gasUsed),
    gas_limit: decimalOrNull(frame.gasLimit),
    external_receiver: frame.to !== null && chain.code(frame.to) === "0x",
    ...(withInput && { input: frame.input }),
  });

/** A Transfer event. JSON leaves out a value that is undefined. */
const transferRecord = (
  head: Block,
  { log: { transaction }, token, from, to }: Transfer,
  value: Decimal | undefined,
) => ({
  timestamp: time(transaction.block.timestamp),
  sender: from,
  receiver: to,
  value: value as Decimal,
  confirmations: confirmations(head, transaction.block),
  block_number: decimal(transaction.block.number),
  transaction_hash: transaction.hash,
  block_hash: transaction.block.hash,
  token_address: token.address,
  token_name: token.name,
  token_symbol: token.symbol,
  token_decimals: decimalOrNull(token.decimals),
  transaction_index: decimal(transaction.index),
});

/** A Transfer event without a value (2.6). */
export const mrc721Transfer =
  (head: Block) =>
  (transfer: Transfer): Mrc721TransferWire =>
    transferRecord(head, transfer, undefined);

/** A Transfer event with a value (2.5). */
export const mrc20Transfer =
  (head: Block) =>
  (transfer: Transfer): Mrc20TransferWire =>
    transferRecord(head, transfer, decimal(transfer.value));
