// What a block does to native balances: the coins that move in it, in the order in which they do.
import type { BlockInput, Execution } from "./block-input.ts";
import { hasFailed } from "./outcome.ts";
import type { Address, Frame, FrameType, Transaction } from "./records.ts";

/** The frames whose value moves; the others only show their caller's. */
const MOVES: ReadonlySet<FrameType> = new Set(["call", "create", "create2", "selfdestruct"]);

/** Coins that go from one account to another. Null is nobody: they are new, or gone. */
export interface CoinMove {
  readonly from: Address | null;
  readonly to: Address | null;
  readonly value: bigint;
  /** Null where it is no transaction that moves them. */
  readonly transaction: Transaction | null;
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

/** The moves of one transaction, without what the miner receives. */
export function* executionMoves({ transaction, frames }: Execution): Generator<CoinMove> {
  const fee = transaction.gasPrice * BigInt(transaction.gasUsed);
  yield* change(transaction.from, -fee, transaction);
  if (!hasFailed(transaction)) yield* moved(transaction, transaction);
  for (const frame of frames) {
    if (!frame.undone && MOVES.has(frame.type)) yield* moved(frame, transaction);
  }
  for (const [account, rest] of leftBehind(transaction.created, frames)) {
    yield* change(account, -rest, transaction);
  }
}

/** A frame as far as coins move in it. */
type Moving = Pick<Frame, "type" | "from" | "to" | "created" | "value" | "undone">;

/** The contracts that end in the transaction that created them, and what they still have when it is over: it is gone with them. */
export function leftBehind(
  created: Address | null,
  frames: readonly Moving[],
): ReadonlyMap<Address, bigint> {
  const left = new Map<Address, bigint>();
  if (!frames.some(({ undone, type }) => !undone && type === "selfdestruct")) return left;
  const lasting = frames.filter(({ undone, type }) => !undone && MOVES.has(type));
  const young = new Set([created, ...lasting.map((frame) => frame.created)]);
  const add = (account: Address | null, amount: bigint) => {
    const has = account === null ? undefined : left.get(account);
    if (account !== null && has !== undefined) left.set(account, has + amount);
  };
  for (const { type, from, to, created, value } of lasting) {
    if (type === "selfdestruct" && young.has(from)) left.set(from, left.get(from) ?? value);
    const receiver = to ?? created;
    if (receiver !== null) add(from, -value);
    add(receiver, value);
  }
  return left;
}

function* moved(
  { from, to, created, value }: Transaction | Frame,
  transaction: Transaction,
): Generator<CoinMove> {
  const receiver = to ?? created;
  if (value !== 0n && receiver !== null) yield { from, to: receiver, value, transaction };
}

function* change(
  account: Address | null,
  amount: bigint,
  transaction: Transaction | null,
): Generator<CoinMove> {
  if (amount > 0n) yield { from: null, to: account, value: amount, transaction };
  if (amount < 0n) yield { from: account, to: null, value: -amount, transaction };
}
