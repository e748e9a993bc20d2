// Replaces the last blocks of a chain by others, as happens when a node follows a better branch.
import type { BlockInput, Execution } from "../chain/block-input.ts";
import type { Chain } from "../chain/chain.ts";
import { createdIn } from "../chain/outcome.ts";
import type { Block, Hash, Transaction } from "../chain/records.ts";
import type { Shortfall } from "../chain/shortfall.ts";
import { refuseGaps, refuseShortfall } from "./dropped.ts";
import { hashOf } from "./evm.ts";
import type { Label } from "./ledger.ts";

/** What a reorganisation did. */
export interface Reorganisation {
  /** The blocks that are no longer in the chain. */
  readonly undone: readonly Block[];
  /** The blocks in their place. */
  readonly blocks: readonly Block[];
  /** The transactions that are in no block any more. */
  readonly dropped: readonly Transaction[];
}

/** The block in another's place: the transactions kept, everything counted again. */
function remade(
  { block, executions, credits = [] }: BlockInput,
  parentHash: Hash,
  branch: number,
  isDropped: (hash: Hash) => boolean,
): BlockInput {
  const kept = executions.filter(({ transaction }) => !isDropped(transaction.hash));
  const made = { ...block, parentHash, hash: hashOf(parentHash, block.hash, branch) };
  for (const { transaction } of executions) {
    if (!isDropped(transaction.hash)) continue;
    const { gasUsed, gasPrice } = transaction;
    made.transactionCount -= 1;
    made.gasUsed -= gasUsed;
    made.fees -= BigInt(gasUsed) * (gasPrice - (block.baseFeePerGas ?? 0n));
  }
  let cumulativeGasUsed = 0;
  let logCount = 0;
  const moved = kept.map(({ transaction: before, frames, logs }, index): Execution => {
    cumulativeGasUsed += before.gasUsed;
    const transaction = { ...before, block: made, index, cumulativeGasUsed };
    const first = logCount;
    logCount += logs.length;
    return {
      transaction,
      frames: frames.map((frame) => ({ ...frame, transaction })),
      logs: logs.map((log, at) => ({ ...log, transaction, index: first + at })),
    };
  });
  return { block: made, executions: moved, credits };
}

/** Who gives what in which transaction. */
const named = ({ transaction, from, ...what }: Shortfall): string =>
  [
    transaction?.hash,
    from,
    ...(what.of === "coins" ? [] : [what.token]),
    ...(what.of === "id" ? [what.value] : []),
  ].join();

/** Refuses who gives what they do not have, unless they did so in the past, too: then what is recorded never added up. */
function watch(past: Chain, bodies: readonly BlockInput[], label: Label) {
  const known = new Set<string>();
  for (const body of bodies) past.appendWatched(body, (shortfall) => known.add(named(shortfall)));
  return (shortfall: Shortfall): void => {
    if (!known.has(named(shortfall))) refuseShortfall(shortfall, label);
  };
}

/** Replaces the last `count` blocks; if a transaction that stays needs one that goes, it is refused and nothing changes. */
export function reorganise(
  chain: Chain,
  count: number,
  branch: number,
  label: Label,
  isDropped: (hash: Hash) => boolean,
): Reorganisation {
  const { number } = chain.head;
  const bodies = Array.from({ length: count }, (_, at) =>
    chain.body(number - count + 1 + at),
  ).filter((body) => body !== undefined);
  const executions = bodies.flatMap((body) => body.executions);
  const goes = ({ transaction }: Execution) => isDropped(transaction.hash);
  const dropped = executions.filter(goes).map(({ transaction }) => transaction);
  refuseGaps(executions, goes, label);
  const told = (of: readonly Execution[]) =>
    chain.headStateOf(of.flatMap((execution) => [...createdIn(execution)]));
  const [pastFacts, facts] = [told(executions), told(executions.filter((of) => !goes(of)))];
  const before = chain.snapshot();
  chain.rewind(count);
  try {
    const past = chain.fork();
    past.applyHeadState(pastFacts);
    chain.applyHeadState(facts);
    const onShortfall = dropped.length === 0 ? undefined : watch(past, bodies, label);
    const blocks = bodies.map((body) => {
      const made = remade(body, chain.head.hash, branch, isDropped);
      chain.appendWatched(made, onShortfall);
      return made.block;
    });
    return { undone: bodies.map(({ block }) => block), blocks, dropped };
  } catch (impossible) {
    chain.restore(before);
    throw impossible;
  }
}
