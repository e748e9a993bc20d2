// Internal transactions: the call frames below the root of a transaction (specification 2.4).
import * as z from "zod/mini";
import { type Decoded, type Encoded, list, model } from "./model.ts";
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
} from "./primitives.ts";
import { nullable } from "./reading.ts";

/** An internal transaction. */
export const InternalTransaction = model({
  /** The time of the block, in UTC. */
  timestamp,
  /** The calling contract. */
  sender: address,
  /** The called account or contract; null for a contract creation. */
  receiver: orNull(address),
  /** The coins sent, in the native coin's smallest unit. */
  value: amount,
  /** "1" for success, "0" if this call or a call above it failed. */
  status: orNull(status),
  /** The reason of a failure; null without a failure. */
  message: orNull(text),
  /** The hash of the transaction. */
  transaction_hash: hash,
  /** The number of the block. */
  block_number: amount,
  /** The created contract; null unless the call creates one. */
  contract_address: orNull(address),
  /** The path in the call tree: [0, 2] is the third call of the first call. */
  trace_address: list(integer),
  /**
   * call, delegatecall, staticcall, callcode, create, create2 or selfdestruct; null for types that
   * exist on one chain only.
   */
  trace_type: orNull(text),
  /** The number of calls directly below this call. */
  sub_traces: orNull(integer),
  /** The position of the transaction in its block, from 0. */
  transaction_index: integer,
  /** The gas that the call used, including the calls below it. */
  gas_used: orNull(amount),
  /** The gas that the call was given. */
  gas_limit: orNull(amount),
  /** True if the receiver has no code. */
  external_receiver: orNull(flag),
  /** The call data, with `input: true` only. */
  input: z.optional(nullable(hex)),
});
export interface InternalTransaction extends Decoded<typeof InternalTransaction> {}
export type InternalTransactionWire = Encoded<typeof InternalTransaction>;
