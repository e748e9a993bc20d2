// A transaction of a story: played when it is told, to see whether it can be, and again when it is mined.
import type { Execution } from "../chain/block-input.ts";
import { leftBehind } from "../chain/coin-moves.ts";
import type { Address, Block, Hash, Hex } from "../chain/records.ts";
import { address, bytes, createAddress, hashOf } from "./evm.ts";
import {
  attempt,
  CallFrame,
  type CallMessage,
  type CreationMessage,
  codeOf,
  type FrameDraft,
  type LogDraft,
  type Run,
  refuseIdle,
  type Step,
  take,
} from "./frame.ts";
import { deploymentGas, transactionGas } from "./gas.ts";
import { refuse } from "./impossible.ts";
import type { BuilderLedger } from "./ledger.ts";
import { inCoins } from "./units.ts";

/** How a transaction pays for its gas, and how much it is said to use. */
export interface GasOptions {
  /** Per gas, as before EIP-1559; the other two prices do not apply then. */
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  readonly gasLimit?: number;
  /** What it uses, if not what its call data, events and internal calls cost. */
  readonly gasUsed?: number;
}

/** What a transaction of a story did. It is in the chain once it is mined. */
export interface Sent {
  readonly hash: Hash;
  readonly from: Address;
  /** Null for a creation. */
  readonly to: Address | null;
  /** The address a creation made, also a failed one; else null. */
  readonly created: Address | null;
  readonly nonce: number;
  readonly value: bigint;
  readonly input: Hex;
  readonly gasLimit: number;
  readonly gasUsed: number;
  readonly succeeded: boolean;
  readonly error: string | null;
  /** The internal transactions, in execution order. */
  readonly frames: readonly Readonly<FrameDraft>[];
  readonly logs: readonly LogDraft[];
}

/** The prices a transaction offers. */
type Offer =
  | { readonly gasPrice: bigint }
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };

export interface TransactionDraft {
  readonly sent: Sent;
  readonly offer: Offer;
  readonly steps: readonly Step[];
}

/** The part of the block being made that a transaction feels. */
export interface TransactionContext {
  readonly baseFeePerGas: bigint | null;
  /** Null while nobody knows who will mine it. */
  readonly miner: Address | null;
}

const ceiling = (offer: Offer): bigint =>
  "gasPrice" in offer ? offer.gasPrice : offer.maxFeePerGas;

/** The effective gas price. */
function priceOf(offer: Offer, baseFeePerGas: bigint | null): bigint {
  const wanted =
    "gasPrice" in offer ? offer.gasPrice : (baseFeePerGas ?? 0n) + offer.maxPriorityFeePerGas;
  return wanted < ceiling(offer) ? wanted : ceiling(offer);
}

/** What the miner receives of the price. */
export const tipOf = (offer: Offer, baseFeePerGas: bigint | null): bigint =>
  priceOf(offer, baseFeePerGas) - (baseFeePerGas ?? 0n);

function offerOf(options: GasOptions, base: bigint | null, tip: bigint): Offer {
  if (options.gasPrice !== undefined || base === null) {
    return { gasPrice: options.gasPrice ?? options.maxFeePerGas ?? tip };
  }
  const maxPriorityFeePerGas = options.maxPriorityFeePerGas ?? tip;
  const maxFeePerGas = options.maxFeePerGas ?? 2n * base + maxPriorityFeePerGas;
  if (maxPriorityFeePerGas > maxFeePerGas) {
    refuse(
      `maxPriorityFeePerGas ${maxPriorityFeePerGas} is more than maxFeePerGas ${maxFeePerGas}`,
    );
  }
  return { maxFeePerGas, maxPriorityFeePerGas };
}

/** What is sent: a call, or a creation. */
export type Message =
  | ({ readonly kind: "call" } & CallMessage)
  | ({ readonly kind: "creation" } & CreationMessage);

interface ExecutedTransaction {
  readonly chainId: number;
  readonly ledger: BuilderLedger;
  readonly baseFeePerGas: bigint | null;
  /** Per gas, if the transaction does not say. */
  readonly tip: bigint;
}

/** The code of an account that lets a contract act for it (EIP-7702). */
const delegation = "0xef0100";

/** Plays a transaction against the ledger and leaves the ledger as it was. */
export function executeTransaction(
  { chainId, ledger, baseFeePerGas, tip }: ExecutedTransaction,
  sender: Address,
  message: Message,
  options: GasOptions,
): TransactionDraft {
  const from = address(sender);
  const run: Run = { ledger, frames: [], logs: [], steps: [] };
  const before = ledger.mark();
  const code = ledger.code(from);
  if (code !== "0x" && !code.startsWith(delegation)) {
    refuse(`${ledger.label(from)} is a contract, and contracts send no transactions (EIP-3607)`);
  }
  try {
    const nonce = ledger.useNonce(from);
    const value = message.value ?? 0n;
    const creation = message.kind === "creation" ? codeOf(message) : null;
    const to = message.kind === "call" ? address(message.to) : null;
    const created = creation === null ? null : createAddress(from, nonce);
    const self = to ?? created ?? from;
    const input = creation?.input ?? bytes((message.kind === "call" && message.input) || "0x");
    const root = new CallFrame(run, { self, caller: from, value, input, path: [] });
    if (to !== null) {
      refuseIdle(ledger, to, message);
    }
    const error = attempt(run, () => {
      take(run, (state) => state.move(from, self, value));
      root.play(message);
      if (creation !== null) {
        take(run, (state) => state.deploy(self, creation.runtime));
        root.useGas(deploymentGas(creation.runtime));
      }
      for (const [account, rest] of leftBehind(created, run.frames)) {
        take(run, (state) => state.bury(account, rest));
      }
    });
    const used = options.gasUsed ?? transactionGas(input, creation !== null, root.gasUsed);
    // A wallet leaves a margin where code runs, none where it knows.
    const gasLimit = options.gasLimit ?? (root.gasUsed === 0 ? used : Math.ceil(used * 1.25));
    if (used > gasLimit) {
      refuse(`the transaction uses ${used} gas, more than its limit of ${gasLimit}`);
    }
    const gasUsed =
      options.gasUsed === undefined && error !== null && /out of gas/i.test(error)
        ? gasLimit
        : used;
    const offer = offerOf(options, baseFeePerGas, tip);
    const prices =
      "gasPrice" in offer ? [offer.gasPrice] : [offer.maxPriorityFeePerGas, offer.maxFeePerGas];
    const hash = hashOf(chainId, from, nonce, ...prices, gasLimit, to, value, input);
    return {
      sent: {
        hash,
        from,
        to,
        created,
        nonce,
        value,
        input,
        gasLimit,
        gasUsed,
        succeeded: error === null,
        error,
        frames: run.frames,
        logs: run.logs,
      },
      offer,
      steps: run.steps,
    };
  } finally {
    ledger.rewind(before);
  }
}

/** Lets a transaction happen: nonce, value, what it does, fee. The ledger may be half changed when it is refused. */
export function apply(
  ledger: BuilderLedger,
  { sent, offer, steps }: TransactionDraft,
  around: TransactionContext,
): void {
  const who = ledger.label(sent.from);
  const nonce = ledger.nonce(sent.from);
  if (nonce !== sent.nonce) {
    refuse(
      `${who} sends its transactions in order: the next has nonce ${nonce}, ${sent.hash} has ${sent.nonce}`,
    );
  }
  const price = priceOf(offer, around.baseFeePerGas);
  if (price < (around.baseFeePerGas ?? 0n)) {
    refuse(
      `${sent.hash} of ${who} offers ${price} per gas and the block's base fee is ${around.baseFeePerGas}`,
    );
  }
  const most = BigInt(sent.gasLimit) * ceiling(offer);
  const has = ledger.balance(sent.from);
  if (has < sent.value + most) {
    refuse(
      `${who} has ${inCoins(has)} coins (${has}) and needs ${inCoins(sent.value + most)} (${sent.value + most}): ` +
        `${inCoins(sent.value)} to send to ${sent.to === null ? "a new contract" : ledger.label(sent.to)} and up to ${inCoins(most)} for gas`,
    );
  }
  ledger.useNonce(sent.from);
  for (const step of steps) {
    step(ledger);
  }
  ledger.debit(sent.from, BigInt(sent.gasUsed) * price, "for gas");
  if (around.miner !== null) {
    ledger.credit(around.miner, BigInt(sent.gasUsed) * tipOf(offer, around.baseFeePerGas));
  }
}

/** What a frame may use: all but a 64th of what its parent may (EIP-150). */
function withLimits(frames: readonly Readonly<FrameDraft>[], gasLimit: number) {
  const limits = new Map<string, number>([["", gasLimit]]);
  return frames.map((frame) => {
    const parent = limits.get(frame.traceAddress.slice(0, -1).join()) ?? gasLimit;
    const limit = Math.max(frame.gasUsed, parent - Math.floor(parent / 64));
    limits.set(frame.traceAddress.join(), limit);
    // The end of a contract takes no gas of its own.
    return frame.type === "selfdestruct"
      ? { ...frame, gasLimit: null, gasUsed: null }
      : { ...frame, gasLimit: limit };
  });
}

/** The records of a transaction at its place in a block. */
export function record(
  { sent, offer }: TransactionDraft,
  block: Block,
  index: number,
  cumulativeGasUsed: number,
  firstLog: number,
): Execution {
  const { frames, logs, ...rest } = sent;
  const transaction = {
    ...rest,
    block,
    index,
    cumulativeGasUsed,
    gasPrice: priceOf(offer, block.baseFeePerGas),
    maxFeePerGas: "gasPrice" in offer ? null : offer.maxFeePerGas,
    maxPriorityFeePerGas: "gasPrice" in offer ? null : offer.maxPriorityFeePerGas,
  };
  return {
    transaction,
    frames: withLimits(frames, sent.gasLimit).map((frame) => ({ ...frame, transaction })),
    logs: logs.map((log, at) => ({ ...log, transaction, index: firstLog + at })),
  };
}
