// How a block changes native balances: every move of coins in it, in order.
import type { BlockInput, Execution } from "./block-input.ts";
import { movesValue } from "./frame-type.ts";
import { hasFailed } from "./outcome.ts";
import type { Address, ChainTransaction, Frame } from "./records.ts";

/** Coins that move between accounts. From null they are new, to null they are gone. */
export interface CoinMove {
  readonly from: Address | null;
  readonly to: Address | null;
  readonly value: bigint;
  /** Null for rewards and other moves outside of transactions. */
  readonly transaction: ChainTransaction | null;
}

/** Every move of coins in a block. */
export function* coinMoves({ block, executions, credits = [] }: BlockInput): Generator<CoinMove> {
  let fees = block.fees;
  for (const execution of executions) {
    yield* executionMoves(execution);
    const { transaction } = execution;
    const tip = BigInt(transaction.gasUsed) * (transaction.gasPrice - (block.baseFeePerGas ?? 0n));
    fees -= tip;
    yield* change(block.miner, tip, transaction);
  }
  yield* change(block.miner, fees + block.miningReward, null);
  for (const [account, amount] of credits) yield* change(account, amount, null);
}

/** The moves of one transaction, without the miner's tip. */
export function* executionMoves({ transaction, frames }: Execution): Generator<CoinMove> {
  const fee = transaction.gasPrice * BigInt(transaction.gasUsed);
  yield* change(transaction.from, -fee, transaction);
  if (!hasFailed(transaction)) yield* moved(transaction, transaction);
  for (const frame of frames) {
    if (!frame.undone && movesValue(frame.type)) yield* moved(frame, transaction);
  }
  for (const [account, balance] of destroyedBalances(transaction.created, frames)) {
    yield* change(account, -balance, transaction);
  }
}

/** The fields of a frame that say which coins it moves. */
type CoinFrame = Pick<Frame, "type" | "from" | "to" | "created" | "value" | "undone">;

/** The contracts that selfdestruct in the transaction that created them, with the coins destroyed along with them. */
export function destroyedBalances(
  created: Address | null,
  frames: readonly CoinFrame[],
): ReadonlyMap<Address, bigint> {
  const destroyed = new Map<Address, bigint>();
  if (!frames.some(({ undone, type }) => !undone && type === "selfdestruct")) return destroyed;
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

function* moved(
  { from, to, created, value }: ChainTransaction | Frame,
  transaction: ChainTransaction,
): Generator<CoinMove> {
  const receiver = to ?? created;
  if (value !== 0n && receiver !== null) yield { from, to: receiver, value, transaction };
}

function* change(
  account: Address | null,
  amount: bigint,
  transaction: ChainTransaction | null,
): Generator<CoinMove> {
  if (amount > 0n) yield { from: null, to: account, value: amount, transaction };
  if (amount < 0n) yield { from: account, to: null, value: -amount, transaction };
}
