// A planned transaction: what it does, before its block, fees and nonce are known.

import { WORD_DIGITS } from "../../chain/hex.ts";
import type { Address, Frame, Hex } from "../../chain/records.ts";
import { TRANSFER_TOPIC, type TransferLog } from "../../chain/transfer-event.ts";
import type { Actor, Party } from "./actors.ts";

export interface PlannedTransaction {
  readonly from: Actor;
  readonly to: Address | null;
  readonly created: Address | null;
  readonly value: bigint;
  /** The account that has the value in the end; null if none has it. */
  readonly payee: Actor | null;
  readonly input: Hex;
  readonly gasUsed: number;
  readonly error: string | null;
  readonly frames: readonly PlannedFrame[];
  readonly log: PlannedLog | null;
}

export type PlannedFrame = Omit<Frame, "transaction" | "gasLimit" | "gasUsed">;

/** The log of a transfer, and what it does to the token. */
export interface PlannedLog extends TransferLog {
  readonly apply: () => void;
}

export const TRANSFER_GAS = 21_000;

const NO_FRAMES: readonly PlannedFrame[] = [];

/** An empty call but for what is given. Its fields are listed, because spreading the given ones is much slower. */
export const planTransaction = ({
  from,
  to = null,
  created = null,
  value = 0n,
  payee = null,
  input = "0x",
  gasUsed = TRANSFER_GAS,
  error = null,
  frames = NO_FRAMES,
  log = null,
}: Partial<PlannedTransaction> & Pick<PlannedTransaction, "from">): PlannedTransaction => ({
  from,
  to,
  created,
  value,
  payee,
  input,
  gasUsed,
  error,
  frames,
  log,
});

/** The transaction, failed: only its cost remains. */
export const failed = (transaction: PlannedTransaction, error: string): PlannedTransaction => ({
  ...transaction,
  error,
  frames: transaction.frames.map((frame) => ({ ...frame, undone: true })),
  log: null,
});

export const frame = ({
  type = "call",
  traceAddress,
  from,
  to = null,
  created = null,
  value = 0n,
  input = "0x",
  error = null,
  undone = false,
  subTraces = 0,
}: Partial<PlannedFrame> & Pick<PlannedFrame, "from" | "traceAddress">): PlannedFrame => ({
  type,
  traceAddress,
  from,
  to,
  created,
  value,
  input,
  error,
  undone,
  subTraces,
});

/** A number as a 32-byte word, without `0x`. */
export const wordDigits = (value: bigint): string => value.toString(16).padStart(WORD_DIGITS, "0");

export const mrc20TransferLog = (
  token: Address,
  { from, to, amount }: { readonly from: Party; readonly to: Party; readonly amount: string },
  apply: () => void,
): PlannedLog => ({
  address: token,
  topics: [TRANSFER_TOPIC, from.topic, to.topic],
  data: `0x${amount}`,
  apply,
});

export const mrc721TransferLog = (
  token: Address,
  { from, to, id }: { readonly from: Party; readonly to: Party; readonly id: string },
  apply: () => void,
): PlannedLog => ({
  address: token,
  topics: [TRANSFER_TOPIC, from.topic, to.topic, `0x${id}`],
  data: "0x",
  apply,
});
