// How a block changes native balances: every move of coins in it, in order.
import type { BlockInput } from "./block-input.ts";
import { movesValue } from "./frame-type.ts";
import { hasFailed, type Outcome } from "./outcome.ts";
import type { Address, ChainTransaction, Frame } from "./records.ts";

/** Coins that move between accounts. From null they are new, to null they are gone. */
export interface CoinMove {
  readonly from: Address | null;
  readonly to: Address | null;
  readonly value: bigint;
  /** Null for rewards and other moves outside of transactions. */
  readonly transaction: ChainTransaction | null;
}

/** Who takes part in a transaction or frame: addresses, or accounts by number. */
export interface PartiesOf<Account> {
  readonly from: Account;
  readonly to: Account | null;
  readonly created: Account | null;
}

/** The fields of a transaction that say which coins it moves. */
export type CoinTransaction<Account = Address> = PartiesOf<Account> &
  Outcome &
  Pick<ChainTransaction, "value" | "gasUsed" | "gasPrice">;
/** The fields of a frame that say which coins it moves. */
export type CoinFrame<Account = Address> = PartiesOf<Account> &
  Pick<Frame, "type" | "value" | "undone">;

export interface CoinExecution<Account = Address, Transaction = CoinTransaction<Account>> {
  readonly transaction: Transaction;
  readonly frames: readonly CoinFrame<Account>[];
}

/** Called for each move of coins: nested generators made generating a chain a quarter slower. */
type Visit<Account, Transaction> = (
  from: Account | null,
  to: Account | null,
  value: bigint,
  transaction: Transaction | null,
) => void;

/** Visits every move of coins in a block. */
export function visitCoinMoves(
  { block, executions, credits = [] }: BlockInput,
  visit: Visit<Address, ChainTransaction>,
): void {
  let { fees } = block;
  for (const execution of executions) {
    visitExecutionMoves(execution, visit);
    const { transaction } = execution;
    const tip = BigInt(transaction.gasUsed) * (transaction.gasPrice - (block.baseFeePerGas ?? 0n));
    fees -= tip;
    change(block.miner, tip, transaction, visit);
  }
  change(block.miner, fees + block.miningReward, null, visit);
  for (const [account, amount] of credits) change(account, amount, null, visit);
}

/** The same moves added up for the miner, who gets all tips at once: for who needs the sums alone. */
export function visitSummedMoves(input: BlockInput, visit: Visit<Address, ChainTransaction>): void {
  for (const execution of input.executions) visitExecutionMoves(execution, visit);
  visitRewards(input, visit);
}

/** The moves of a block outside of its transactions, and all tips together. */
export function visitRewards(
  { block, credits = [] }: Pick<BlockInput, "block" | "credits">,
  visit: Visit<Address, never>,
): void {
  change(block.miner, block.fees + block.miningReward, null, visit);
  for (const [account, amount] of credits) change(account, amount, null, visit);
}

/** The moves of one transaction, without the miner's tip. */
export function visitExecutionMoves<Account, Transaction extends CoinTransaction<Account>>(
  { transaction, frames }: CoinExecution<Account, Transaction>,
  visit: Visit<Account, Transaction>,
): void {
  const fee = transaction.gasPrice * BigInt(transaction.gasUsed);
  if (fee > 0n) visit(transaction.from, null, fee, transaction);
  if (!hasFailed(transaction)) moved(transaction, transaction, visit);
  if (frames.length === 0) return;
  for (const frame of frames) {
    if (!frame.undone && movesValue(frame.type)) moved(frame, transaction, visit);
  }
  for (const [account, balance] of destroyedBalances(transaction.created, frames)) {
    change(account, -balance, transaction, visit);
  }
}

const NONE: ReadonlyMap<never, bigint> = new Map<never, bigint>();

/** The contracts that selfdestruct in the transaction that created them, with the coins destroyed along with them. */
export function destroyedBalances<Account>(
  created: Account | null,
  frames: readonly CoinFrame<Account>[],
): ReadonlyMap<Account, bigint> {
  if (!frames.some(({ undone, type }) => !undone && type === "selfdestruct")) return NONE;
  const destroyed = new Map<Account, bigint>();
  const effective = frames.filter(({ undone, type }) => !undone && movesValue(type));
  const createdHere = new Set([created, ...effective.map((frame) => frame.created)]);
  const add = (account: Account | null, amount: bigint) => {
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

function moved<Account, Transaction>(
  { from, to, created, value }: CoinTransaction<Account> | CoinFrame<Account>,
  transaction: Transaction,
  visit: Visit<Account, Transaction>,
): void {
  const receiver = to ?? created;
  if (value !== 0n && receiver !== null) visit(from, receiver, value, transaction);
}

function change<Account, Transaction>(
  account: Account | null,
  amount: bigint,
  transaction: Transaction | null,
  visit: Visit<Account, Transaction>,
): void {
  if (amount > 0n) visit(null, account, amount, transaction);
  if (amount < 0n) visit(account, null, -amount, transaction);
}
