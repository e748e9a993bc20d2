// Formats a call frame as an internal transaction (S12), for A3 and X3.
import type { InternalTransactionWire } from "../../src/models/internal-transaction.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { Frame } from "../chain/records.ts";
import { decimal, decimalOrNull, outcome, time } from "./format.ts";

/** `withInput` adds the call data (S8). */
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
    trace_type: frame.type,
    sub_traces: decimal(frame.subTraces),
    transaction_index: decimal(frame.transaction.index),
    gas_used: decimalOrNull(frame.gasUsed),
    gas_limit: decimalOrNull(frame.gasLimit),
    external_receiver: frame.to !== null && chain.code(frame.to) === "0x",
    ...(withInput && { input: frame.input }),
  });
