// A transaction of a chain builder. It is executed when it is sent, and its changes are applied
// again when it is mined.

import { destroyedBalances, feeOf, tipOf } from "../chain/block-effects.ts";
import { type OptionalOf, optionalIn, transactionFields } from "../chain/fields.ts";
import type { Address, ChainTransaction, Frame, Hash, Hex } from "../chain/records.ts";
import { inCoins } from "../chain/units.ts";
import { address, bytes, createAddress, creationCode, hashOf, refuse } from "./evm.ts";
import {
  applyChange,
  type ExecutionContext,
  executeReverting,
  type LedgerChange,
  type PendingFrame,
  type PendingLog,
  refuseMissingCode,
} from "./execution.ts";
import { CallFrame, type CallMessage, type DeployMessage } from "./frame.ts";
import { deploymentGas, transactionGas } from "./gas.ts";
import { type BuilderLedger, coinsMissing } from "./ledger.ts";

/** The gas prices of a transaction, how much gas it uses, and the optional fields of its record. */
export interface GasOptions extends OptionalOf<typeof transactionFields> {
  /** A single price, as before EIP-1559; the other two prices are then ignored. */
  readonly gasPrice?: bigint | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
  readonly gasLimit?: number | undefined;
  /**
   * The gas that the transaction uses. Default: the cost of its call data, events and internal
   * calls.
   */
  readonly gasUsed?: number | undefined;
}

/** A transaction that was sent, and its effects. It is on the chain once it is mined. */
export interface SentTransaction extends OptionalOf<typeof transactionFields> {
  readonly hash: Hash;
  readonly from: Address;
  /** Null for a creation. */
  readonly to: Address | null;
  /**
   * The address of the contract that the transaction creates, even if the creation fails; null for
   * a call.
   */
  readonly created: Address | null;
  readonly nonce: number;
  readonly value: bigint;
  readonly input: Hex;
  readonly gasLimit: number;
  readonly gasUsed: number;
  readonly succeeded: boolean;
  readonly error: string | null;
  /** The internal transactions, in execution order. */
  readonly frames: readonly Readonly<PendingFrame>[];
  readonly logs: readonly PendingLog[];
}

/**
 * The highest price of a unit of gas, and the tip that it includes. A null tip means a single
 * price, as before EIP-1559.
 */
interface GasPricing {
  readonly max: bigint;
  readonly tip: bigint | null;
}

export interface PendingTransaction {
  readonly sent: SentTransaction;
  readonly pricing: GasPricing;
  readonly changes: readonly LedgerChange[];
}

/** The block that a transaction executes in. */
export interface BlockContext {
  readonly baseFeePerGas: bigint | null;
  /** Null while the transaction is pending. */
  readonly miner: Address | null;
}

export function priceOf({ max, tip }: GasPricing, baseFeePerGas: bigint | null): bigint {
  const offered = tip === null ? max : (baseFeePerGas ?? 0n) + tip;
  return offered < max ? offered : max;
}

function gasPricingOf(options: GasOptions, base: bigint | null, defaultTip: bigint): GasPricing {
  if (options.gasPrice !== undefined || base === null)
    return { max: options.gasPrice ?? options.maxFeePerGas ?? defaultTip, tip: null };
  const tip = options.maxPriorityFeePerGas ?? defaultTip;
  const max = options.maxFeePerGas ?? 2n * base + tip;
  if (tip > max) refuse(`maxPriorityFeePerGas ${tip} is more than maxFeePerGas ${max}`);
  return { max, tip };
}

/** The message of a transaction: a call, or a creation. */
export type Message =
  | ({ readonly kind: "call" } & CallMessage)
  | ({ readonly kind: "creation" } & DeployMessage);

export interface ExecutionEnvironment {
  readonly chainId: number;
  readonly ledger: BuilderLedger;
  readonly baseFeePerGas: bigint | null;
  /** The priority fee of transactions that do not set one. */
  readonly tip: bigint;
}

/** The prefix of an account's code if the account delegates to a contract (EIP-7702). */
const DELEGATION = "0xef0100";

/** Executes a transaction on the ledger, and restores the ledger. */
export function executeTransaction(
  { chainId, ledger, baseFeePerGas, tip }: ExecutionEnvironment,
  sender: Address,
  message: Message,
  options: GasOptions,
): PendingTransaction {
  const from = address(sender);
  const execution: ExecutionContext = { ledger, frames: [], logs: [], changes: [] };
  const before = ledger.checkpoint();
  const code = ledger.code(from);
  if (code !== "0x" && !code.startsWith(DELEGATION)) {
    refuse(`${ledger.label(from)} is a contract, and contracts send no transactions (EIP-3607)`);
  }
  try {
    const nonce = ledger.useNonce(from);
    const { value = 0n } = message;
    const isCall = message.kind === "call";
    const { input, runtime } = isCall
      ? { input: bytes(message.input ?? "0x"), runtime: null }
      : creationCode(message);
    const self = isCall ? address(message.to) : (message.address ?? createAddress(from, nonce));
    const [to, created] = isCall ? [self, null] : [null, self];
    const root = new CallFrame(execution, { self, caller: from, value, input, traceAddress: [] });
    if (to !== null) refuseMissingCode(ledger, to, message);
    const { mint = 0n } = options;
    if (mint !== 0n) applyChange(execution, (state) => state.credit(from, mint));
    const feePayer = options.feePayer && address(options.feePayer);
    const { error, output } = executeReverting(execution, () => {
      applyChange(execution, (state) => state.move(from, self, value));
      root.execute(message);
      if (runtime !== null) {
        applyChange(execution, (state) => state.deploy(self, runtime));
        root.useGas(deploymentGas(runtime));
      }
      for (const [account, balance] of destroyedBalances(created, execution.frames)) {
        applyChange(execution, (state) => state.destroy(account, balance));
      }
    });
    const used = options.gasUsed ?? transactionGas(input, !isCall, root.gasUsed);
    // Adds a margin if code runs, as wallets do. The gas of a plain transfer is known.
    const gasLimit = options.gasLimit ?? (root.gasUsed === 0 ? used : Math.ceil(used * 1.25));
    if (used > gasLimit) {
      refuse(`the transaction uses ${used} gas, more than its limit of ${gasLimit}`);
    }
    const gasUsed =
      options.gasUsed === undefined && error !== null && /out of gas/i.test(error)
        ? gasLimit
        : used;
    const pricing = gasPricingOf(options, baseFeePerGas, tip);
    const prices = pricing.tip === null ? [pricing.max] : [pricing.tip, pricing.max];
    const payer = feePayer === undefined ? [] : [feePayer];
    const hash = hashOf(chainId, from, nonce, ...prices, gasLimit, to, value, input, ...payer);
    return {
      sent: {
        ...optionalIn(transactionFields, { ...options, output, feePayer }),
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
        frames: execution.frames,
        logs: execution.logs,
      },
      pricing,
      changes: execution.changes,
    };
  } finally {
    ledger.revertTo(before);
  }
}

/**
 * Applies a transaction: nonce, changes, fee. After a refusal, the ledger may be partly changed.
 */
export function applyTransaction(
  ledger: BuilderLedger,
  { sent, pricing, changes }: PendingTransaction,
  { baseFeePerGas, miner }: BlockContext,
): void {
  const nonce = ledger.nonce(sent.from);
  if (nonce !== sent.nonce) {
    refuse(
      `${ledger.label(sent.from)} sends its transactions in order: expected nonce ${nonce}, transaction ${sent.hash} has ${sent.nonce}`,
    );
  }
  const price = priceOf(pricing, baseFeePerGas);
  if (price < (baseFeePerGas ?? 0n)) {
    refuse(
      `transaction ${sent.hash} of ${ledger.label(sent.from)} offers ${price} per gas, less than the block's base fee of ${baseFeePerGas}`,
    );
  }
  const { mint = 0n, feePayer = sent.from } = sent;
  const maxFee = feeOf({ ...sent, gasUsed: sent.gasLimit, gasPrice: pricing.max }) ?? 0n;
  const gas = () => `up to ${inCoins(maxFee)} for gas`;
  const coins = () =>
    `${inCoins(sent.value)} to send to ${sent.to === null ? "a new contract" : ledger.label(sent.to)}`;
  const refuseUnpaid = (account: Address, cost: bigint, purpose: () => string) => {
    const balance = ledger.balance(account);
    if (balance < cost)
      refuse(coinsMissing(ledger.label(account), balance, cost, `: ${purpose()}`));
  };
  if (feePayer !== sent.from) {
    refuseUnpaid(feePayer, maxFee, gas);
    refuseUnpaid(sent.from, sent.value - mint, coins);
  } else refuseUnpaid(sent.from, sent.value - mint + maxFee, () => `${coins()} and ${gas()}`);
  ledger.useNonce(sent.from);
  for (const change of changes) {
    change(ledger);
  }
  const costs = { ...sent, gasPrice: price };
  ledger.debit(feePayer, feeOf(costs) ?? 0n, "for gas");
  if (miner !== null) ledger.credit(miner, tipOf(costs, { baseFeePerGas }));
}

/** Adds gas limits. The limit of a frame is 63/64 of its parent's limit (EIP-150). */
function withLimits(frames: readonly Readonly<PendingFrame>[], gasLimit: number) {
  const limits = new Map<string, number>([["", gasLimit]]);
  return frames.map((frame) => {
    const parent = limits.get(frame.traceAddress.slice(0, -1).join()) ?? gasLimit;
    const limit = Math.max(frame.gasUsed, parent - Math.floor(parent / 64));
    limits.set(frame.traceAddress.join(), limit);
    // A selfdestruct frame has no gas of its own.
    return frame.type === "selfdestruct"
      ? { ...frame, gasLimit: null, gasUsed: null }
      : { ...frame, gasLimit: limit };
  });
}

/** The records of a transaction, without the fields that depend on its block. */
export interface UnplacedExecution {
  readonly transaction: Omit<ChainTransaction, "block" | "index" | "cumulativeGasUsed">;
  readonly frames: readonly Omit<Frame, "transaction">[];
  readonly logs: readonly PendingLog[];
}

export function toExecution(
  { sent, pricing }: PendingTransaction,
  baseFeePerGas: bigint | null,
): UnplacedExecution {
  const { frames, logs, ...rest } = sent;
  const transaction = {
    ...rest,
    gasPrice: priceOf(pricing, baseFeePerGas),
    maxFeePerGas: pricing.tip === null ? null : pricing.max,
    maxPriorityFeePerGas: pricing.tip,
  };
  return { transaction, frames: withLimits(frames, sent.gasLimit), logs };
}
