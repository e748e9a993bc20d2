// Internal transactions: the call frames below the root of a transaction (specification 2.4).
import { listKind, recordKind } from "./compose.ts";
import { type Decoded, type Encoded, model } from "./model.ts";
import {
  address,
  amount,
  flag,
  hash,
  hex,
  integer,
  nullable,
  optional,
  status,
  text,
  timestamp,
} from "./primitives.ts";

export const internalTransactionKind = /*#__PURE__*/ recordKind(
  {
    timestamp,
    sender: address,
    receiver: nullable(address),
    /** In the smallest unit. */
    value: amount,
    /** "1" success, "0" if the frame or one above it failed. */
    status: nullable(status),
    /** Why it failed, else null. */
    message: nullable(text),
    transaction_hash: hash,
    block_number: amount,
    /** The contract a creation made, else null. */
    contract_address: nullable(address),
    /** The path in the call tree: [0, 2] is the third call of the first call. */
    trace_address: listKind(integer),
    /** call, delegatecall, staticcall, callcode, create, create2 or selfdestruct. */
    trace_type: nullable(text),
    /** The number of direct children. */
    sub_traces: nullable(integer),
    transaction_index: integer,
    gas_used: nullable(amount),
    gas_limit: nullable(amount),
    /** True if the receiver has no code. */
    external_receiver: nullable(flag),
    /** The call data; only where it was asked for with `input: true`. */
    input: optional(nullable(hex)),
  },
  "InternalTransaction",
);
/** An internal transaction (specification 2.4). */
export const InternalTransaction = /*#__PURE__*/ model(internalTransactionKind);
export type InternalTransaction = Decoded<typeof InternalTransaction>;
export type InternalTransactionWire = Encoded<typeof InternalTransaction>;
