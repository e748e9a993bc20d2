// A planned transaction: what it does, before its block, fees and nonce are known.

import { WORD_DIGITS } from "../chain/hex.ts";
import type { Address, Frame, Hash, Hex } from "../chain/records.ts";
import { TRANSFER_TOPIC, type TransferEvent, type TransferLog } from "../chain/transfer-event.ts";

export interface PlannedTransaction {
  readonly from: Address;
  readonly to: Address | null;
  readonly created: Address | null;
  readonly value: bigint;
  readonly input: Hex;
  readonly gasUsed: number;
  readonly error: string | null;
  readonly frames: readonly PlannedFrame[];
  readonly logs: readonly PlannedLog[];
}

export type PlannedFrame = Omit<Frame, "transaction" | "gasLimit" | "gasUsed">;
/** The log of a transfer, and what it says. */
export interface PlannedLog extends TransferLog {
  readonly transfer: TransferEvent;
}

export const TRANSFER_GAS = 21_000;

/** An empty call with `changes`. */
export function planTransaction(
  changes: Partial<PlannedTransaction> & Pick<PlannedTransaction, "from">,
): PlannedTransaction {
  return {
    to: null,
    created: null,
    value: 0n,
    input: "0x",
    gasUsed: TRANSFER_GAS,
    error: null,
    frames: [],
    logs: [],
    ...changes,
  };
}

/** The transaction, failed: only its cost remains. */
export function failed(transaction: PlannedTransaction, error: string): PlannedTransaction {
  return {
    ...transaction,
    error,
    frames: transaction.frames.map((frame) => ({ ...frame, undone: true })),
    logs: [],
  };
}

export function frame(
  changes: Partial<PlannedFrame> & Pick<PlannedFrame, "from" | "traceAddress">,
): PlannedFrame {
  return {
    type: "call",
    to: null,
    created: null,
    value: 0n,
    input: "0x",
    error: null,
    undone: false,
    subTraces: 0,
    ...changes,
  };
}

/** A number as a 32-byte word, without `0x`. */
export const word = (value: bigint): string => value.toString(16).padStart(WORD_DIGITS, "0");

export const addressWord = (address: Address): string =>
  address.slice(2).padStart(WORD_DIGITS, "0");

const topic = (digits: string): Hash => `0x${digits}`;

export function mrc20Transfer(
  token: Address,
  from: Address,
  to: Address,
  amount: bigint,
): PlannedLog {
  const topics = [TRANSFER_TOPIC, topic(addressWord(from)), topic(addressWord(to))] as const;
  const transfer = { standard: "mrc20", from, to, value: amount, count: 1 } as const;
  return { address: token, topics, data: `0x${word(amount)}`, transfer };
}

export function mrc721Transfer(token: Address, from: Address, to: Address, id: bigint): PlannedLog {
  const parties = [topic(addressWord(from)), topic(addressWord(to))] as const;
  const topics = [TRANSFER_TOPIC, ...parties, topic(word(id))] as const;
  const transfer = { standard: "mrc721", from, to, value: id, count: 1 } as const;
  return { address: token, topics, data: "0x", transfer };
}
