// Replaces the last blocks of a chain, as a node does when it switches to a better branch.
import type { BlockInput, Execution } from "../chain/block-input.ts";
import { createdIn } from "../chain/outcome.ts";
import type { Block, ChainTransaction, Hash } from "../chain/records.ts";
import type { Shortfall } from "../chain/shortfall.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { refuseGaps, refuseShortfall } from "./dropped.ts";
import { hashOf } from "./evm.ts";
import type { Label } from "./ledger.ts";

/** The result of `reorg`. */
export interface ReorgResult {
  /** The blocks that were replaced. */
  readonly undone: readonly Block[];
  /** The blocks that replace them. */
  readonly blocks: readonly Block[];
  /** The transactions that are no longer in a block. */
  readonly dropped: readonly ChainTransaction[];
}

/** A block that replaces another: without the dropped transactions, with new hashes and totals. */
function rebuildBlock(
  { block, executions, credits = [] }: BlockInput,
  parentHash: Hash,
  branch: number,
  isDropped: (hash: Hash) => boolean,
): BlockInput {
  const kept = executions.filter(({ transaction }) => !isDropped(transaction.hash));
  const rebuilt = { ...block, parentHash, hash: hashOf(parentHash, block.hash, branch) };
  for (const { transaction } of executions) {
    if (!isDropped(transaction.hash)) continue;
    const { gasUsed, gasPrice } = transaction;
    rebuilt.transactionCount -= 1;
    rebuilt.gasUsed -= gasUsed;
    rebuilt.fees -= BigInt(gasUsed) * (gasPrice - (block.baseFeePerGas ?? 0n));
  }
  let cumulativeGasUsed = 0;
  let logCount = 0;
  const moved = kept.map(({ transaction: before, frames, logs }, index): Execution => {
    cumulativeGasUsed += before.gasUsed;
    const transaction = { ...before, block: rebuilt, index, cumulativeGasUsed };
    const first = logCount;
    logCount += logs.length;
    return {
      transaction,
      frames: frames.map((frame) => ({ ...frame, transaction })),
      logs: logs.map((log, at) => ({ ...log, transaction, index: first + at })),
    };
  });
  return { block: rebuilt, executions: moved, credits };
}

/** Identifies a shortfall by transaction, sender and token. */
const shortfallKey = ({ transaction, from, ...rest }: Shortfall): string =>
  [
    transaction?.hash,
    from,
    ...(rest.kind === "coins" ? [] : [rest.token]),
    ...(rest.kind === "id" ? [rest.value] : []),
  ].join();

/** Refuses new shortfalls. Those the chain had before are fine: its records never added up. */
function shortfallCheck(past: ChainWriter, inputs: readonly BlockInput[], label: Label) {
  const known = new Set<string>();
  for (const input of inputs) past.append(input, (shortfall) => known.add(shortfallKey(shortfall)));
  return (shortfall: Shortfall): void => {
    if (!known.has(shortfallKey(shortfall))) refuseShortfall(shortfall, label);
  };
}

/** Replaces the last `count` blocks. Refused, with no change, if a transaction that stays needs a dropped one. */
export function reorganise(
  chain: ChainWriter,
  count: number,
  branch: number,
  label: Label,
  isDropped: (hash: Hash) => boolean,
): ReorgResult {
  const { number } = chain.head;
  const inputs = Array.from({ length: count }, (_, at) =>
    chain.blockInput(number - count + 1 + at),
  ).filter((input) => input !== undefined);
  const executions = inputs.flatMap((input) => input.executions);
  const isGone = ({ transaction }: Execution) => isDropped(transaction.hash);
  const dropped = executions.filter(isGone).map(({ transaction }) => transaction);
  refuseGaps(executions, isGone, label);
  const stateOf = (some: readonly Execution[]) =>
    chain.headStateOf(some.flatMap((execution) => [...createdIn(execution)]));
  const [pastState, keptState] = [
    stateOf(executions),
    stateOf(executions.filter((execution) => !isGone(execution))),
  ];
  const before = chain.snapshot();
  chain.rewind(count);
  try {
    const past = chain.fork();
    past.applyHeadState(pastState);
    chain.applyHeadState(keptState);
    const onShortfall = dropped.length === 0 ? undefined : shortfallCheck(past, inputs, label);
    const blocks = inputs.map((input) => {
      const rebuilt = rebuildBlock(input, chain.head.hash, branch, isDropped);
      chain.append(rebuilt, onShortfall);
      return rebuilt.block;
    });
    return { undone: inputs.map(({ block }) => block), blocks, dropped };
  } catch (error) {
    chain.restore(before);
    throw error;
  }
}
