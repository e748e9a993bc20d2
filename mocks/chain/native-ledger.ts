// What a block does to native balances.
import type { BlockBody, Execution } from "./body.ts";
import type { Address, Frame, FrameType, Transaction } from "./records.ts";

/** The frames whose value moves; the others only show their caller's. */
const MOVES: ReadonlySet<FrameType> = new Set(["call", "create", "create2", "selfdestruct"]);

type Change = readonly [Address, bigint];

/** Every change of a balance, in no order that matters. */
export function* nativeChanges({ block, executions, credits }: BlockBody): Generator<Change> {
  for (const execution of executions) yield* executionChanges(execution);
  yield [block.miner, block.fees + block.miningReward];
  if (credits !== undefined) yield* credits;
}

/** The changes one transaction makes, the miner's fee aside. */
export function* executionChanges({ transaction, frames }: Execution): Generator<Change> {
  yield [transaction.from, -transaction.gasPrice * BigInt(transaction.gasUsed)];
  if (!hasFailed(transaction)) yield* moved(transaction);
  for (const frame of frames) {
    if (!frame.undone && MOVES.has(frame.type)) yield* moved(frame);
  }
  yield* burnt({ transaction, frames });
}

/** A contract that ends in the transaction that created it takes with it what it has when the transaction is over. */
function* burnt({
  transaction,
  frames,
}: Pick<Execution, "transaction" | "frames">): Generator<Change> {
  if (!frames.some(({ undone, type }) => !undone && type === "selfdestruct")) return;
  const lasting = frames.filter(({ undone, type }) => !undone && MOVES.has(type));
  const created = new Set([transaction, ...lasting].map((one) => one.created));
  const left = new Map<Address, bigint>();
  for (const frame of lasting) {
    const { type, from, value } = frame;
    if (type === "selfdestruct" && created.has(from)) left.set(from, left.get(from) ?? value);
    for (const [address, change] of moved(frame)) {
      const has = left.get(address);
      if (has !== undefined) left.set(address, has + change);
    }
  }
  for (const [address, rest] of left) yield [address, -rest];
}

/** Before Byzantium receipts do not say; then the trace's error does. */
export const hasFailed = ({ succeeded, error }: Transaction): boolean =>
  succeeded === false || (succeeded === null && error !== null);

function* moved({ from, to, created, value }: Transaction | Frame): Generator<Change> {
  const receiver = to ?? created;
  if (value === 0n || receiver === null) return;
  yield [from, -value];
  yield [receiver, value];
}
