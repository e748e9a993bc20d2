// The effects of a block: failed transactions, created contracts, every move of coins, and the
// accounts that took part.

import { movesValue } from "./fields.ts";
import { WORD_DIGITS } from "./hex.ts";
import { reversed } from "./listing.ts";
import type { ChainReader } from "./reader.ts";
import type {
  Address,
  Block,
  BlockInput,
  ChainTransaction,
  Execution,
  Frame,
  Hex,
  Log,
} from "./records.ts";

/**
 * Whether a transaction failed. Uses the trace's error before the Byzantium fork, because earlier
 * receipts have no status.
 */
const hasFailed = ({ succeeded, error }: Pick<ChainTransaction, "succeeded" | "error">): boolean =>
  succeeded === false || (succeeded === null && error !== null);

export function* createdIn({ transaction, frames }: Execution): Generator<Address> {
  if (transaction.created !== null && !hasFailed(transaction)) yield transaction.created;
  for (const { created, undone } of frames) if (created !== null && !undone) yield created;
}

/** Coins that move between accounts. Coins from null are new, and coins to null are destroyed. */
export interface CoinMove {
  readonly from: Address | null;
  readonly to: Address | null;
  readonly value: bigint;
  /** Null for rewards and other moves outside of transactions. */
  readonly transaction: ChainTransaction | null;
}

/** The fields of a transaction that say what it costs. */
type Costs = Pick<ChainTransaction, "gasUsed" | "gasPrice" | "feeCurrency" | "l1Fee">;

/**
 * Returns the cost of a transaction in coins, including an L2's fee for its data. Null if the node
 * does not state the cost, or if a token pays for the gas.
 */
export function feeOf({ gasUsed, gasPrice, feeCurrency, l1Fee = 0n }: Costs): bigint | null {
  if (gasUsed === null || gasPrice === null || feeCurrency !== undefined) return null;
  return BigInt(gasUsed) * gasPrice + l1Fee;
}

/**
 * Returns the part of the fee that the miner receives. The base fee is burnt (EIP-1559). A deposit
 * or system transaction has no gas price, so the miner receives nothing.
 */
export function tipOf(
  { gasUsed, gasPrice, feeCurrency }: Costs,
  { baseFeePerGas }: Pick<Block, "baseFeePerGas">,
): bigint {
  if (gasUsed === null || gasPrice === null || feeCurrency !== undefined) return 0n;
  const tip = gasPrice - (baseFeePerGas ?? 0n);
  return tip > 0n ? BigInt(gasUsed) * tip : 0n;
}

/** Reverses the miner's credit, because the header names other recipients of the rewards. */
export const sharedCredits = ({ miner, fees, miningReward }: Block) =>
  [[miner, -(fees + miningReward)]] as const;

/** The fields of a frame that say which coins it moves. */
type CoinFrame = Pick<Frame, "from" | "to" | "created" | "type" | "value" | "undone">;

/** A callback, because nested generators made generating a chain a quarter slower. */
type Visit = (
  from: Address | null,
  to: Address | null,
  value: bigint,
  transaction: ChainTransaction | null,
) => void;

export function visitCoinMoves(
  { block, executions, credits = [] }: BlockInput,
  visit: Visit,
): void {
  let { fees } = block;
  for (const execution of executions) {
    visitExecutionMoves(execution, visit);
    const { transaction } = execution;
    const tip = tipOf(transaction, block);
    fees -= tip;
    visitChange(block.miner, tip, transaction, visit);
  }
  visitChange(block.miner, fees + block.miningReward, null, visit);
  for (const [account, amount] of credits) visitChange(account, amount, null, visit);
}

/** Visits the moves of one transaction, except the miner's tip. */
function visitExecutionMoves(
  { transaction, frames }: Pick<Execution, "transaction" | "frames">,
  visit: Visit,
): void {
  const { from, mint = 0n, feePayer = from } = transaction;
  if (mint > 0n) visit(null, from, mint, transaction);
  const fee = feeOf(transaction) ?? 0n;
  if (fee > 0n) visit(feePayer, null, fee, transaction);
  if (!hasFailed(transaction)) visitTransfer(transaction, transaction, visit);
  if (frames.length === 0) return;
  for (const frame of frames) {
    if (!frame.undone && movesValue(frame.type)) visitTransfer(frame, transaction, visit);
  }
  for (const [account, balance] of destroyedBalances(transaction.created, frames)) {
    visitChange(account, -balance, transaction, visit);
  }
}

const NONE: ReadonlyMap<never, bigint> = new Map<never, bigint>();

/**
 * Returns the coins lost in contracts that selfdestruct in the transaction that creates them
 * (EIP-6780).
 */
export function destroyedBalances(
  created: Address | null,
  frames: readonly CoinFrame[],
): ReadonlyMap<Address, bigint> {
  if (!frames.some(({ undone, type }) => !undone && type === "selfdestruct")) return NONE;
  const destroyed = new Map<Address, bigint>();
  const effective = frames.filter(({ undone, type }) => !undone && movesValue(type));
  const createdHere = new Set([created, ...effective.map((frame) => frame.created)]);
  const add = (account: Address | null, amount: bigint) => {
    const balance = account === null ? undefined : destroyed.get(account);
    if (account !== null && balance !== undefined) destroyed.set(account, balance + amount);
  };
  for (const { type, from, to, created, value } of effective) {
    if (type === "selfdestruct" && createdHere.has(from))
      destroyed.set(from, destroyed.get(from) ?? value);
    const receiver = to ?? created;
    if (receiver !== null) add(from, -value);
    add(receiver, value);
  }
  return destroyed;
}

function visitTransfer(
  { from, to, created, value }: Pick<Frame, "from" | "to" | "created" | "value">,
  transaction: ChainTransaction,
  visit: Visit,
): void {
  const receiver = to ?? created;
  if (value !== 0n && receiver !== null) visit(from, receiver, value, transaction);
}

function visitChange(
  account: Address | null,
  amount: bigint,
  transaction: ChainTransaction | null,
  visit: Visit,
): void {
  if (amount > 0n) visit(null, account, amount, transaction);
  if (amount < 0n) visit(account, null, -amount, transaction);
}

/** Index of the first digit of a call's arguments, after `0x` and the selector. */
const ARGUMENTS = 10;
/** How many words at the end of creation code are read as possible constructor arguments. */
const CONSTRUCTOR_WORDS = 8;

/** The accounts in a transaction, its calls, and the indexed arguments of its events. */
export function accountsIn({ transaction, frames, logs }: Execution): Set<Address> {
  const accounts = new Set<Address>();
  for (const { from, to, created } of [transaction, ...frames]) {
    accounts.add(from);
    if (to !== null) accounts.add(to);
    if (created !== null) accounts.add(created);
  }
  for (const { address, topics } of logs) {
    accounts.add(address);
    for (let index = 1; index < topics.length; index += 1)
      addLikelyAddresses(accounts, topics[index] as Hex, 2);
  }
  return accounts;
}

/**
 * Like {@link accountsIn}, but also includes the addresses in arguments of calls and in data of
 * events, because some tokens change balances without an event.
 */
export function participantsIn(execution: Execution): Set<Address> {
  const accounts = accountsIn(execution);
  const { transaction, frames, logs } = execution;
  for (const { data } of logs) addLikelyAddresses(accounts, data, 2);
  for (const { input, created } of [transaction, ...frames])
    addLikelyAddresses(accounts, input, created === null ? ARGUMENTS : constructorWords(input));
  return accounts;
}

/** Maximum number of transactions of a contract that are read, newest first. */
const MAX_TRANSACTIONS = 10_000;

/** The accounts that took part in the last 10,000 transactions in which a contract ran. */
export function participantsOf(chain: ChainReader, contract: Address): ReadonlySet<Address> {
  const executed = new Map<
    string,
    { readonly transaction: ChainTransaction; readonly logs: Log[] }
  >();
  const note = (transaction: ChainTransaction) => {
    const entry = executed.get(transaction.hash) ?? { transaction, logs: [] };
    executed.set(transaction.hash, entry);
    return entry;
  };
  const logs = chain.logs({ address: contract, topics: [], operand: "and" });
  for (const log of reversed(logs).slice(0, MAX_TRANSACTIONS)) note(log.transaction).logs.push(log);
  const sent = chain.transactions(contract, "all", {});
  for (const transaction of reversed(sent).slice(0, MAX_TRANSACTIONS)) note(transaction);
  const frames = chain.frames(contract, {});
  for (const { transaction } of reversed(frames).slice(0, MAX_TRANSACTIONS)) note(transaction);

  const participants = new Set<Address>();
  for (const { transaction, logs } of [...executed.values()].slice(0, MAX_TRANSACTIONS)) {
    const frames = chain.framesOf(transaction);
    const execution = { transaction, frames: frames.slice(0, frames.count), logs };
    for (const account of participantsIn(execution)) participants.add(account);
  }
  return participants;
}

const constructorWords = (input: Hex): number =>
  Math.max(2, input.length - CONSTRUCTOR_WORDS * WORD_DIGITS);

const PADDING = "0".repeat(24);
/**
 * A word whose address part begins with these zeros is probably a number, because amounts and ids
 * are usually below 2^96.
 */
const SMALL = "0".repeat(16);

/** Adds the likely addresses in the 32-byte words of `hex`, from the digit `start` on. */
function addLikelyAddresses(accounts: Set<Address>, hex: Hex, start: number): void {
  for (let at = start; at + WORD_DIGITS <= hex.length; at += WORD_DIGITS) {
    const address = at + PADDING.length;
    if (hex.startsWith(PADDING, at) && !hex.startsWith(SMALL, address))
      accounts.add(`0x${hex.slice(address, at + WORD_DIGITS)}`);
  }
}
