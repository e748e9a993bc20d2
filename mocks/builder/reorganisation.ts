// Replaces the last blocks of a chain, as a node does when it switches to a better branch.

import { createdIn, tipOf } from "../chain/block-effects.ts";
import type {
  Address,
  Block,
  BlockInput,
  ChainTransaction,
  Execution,
  Hash,
} from "../chain/records.ts";
import type { ChainWriter, Overdraft } from "../chain/writer.ts";
import { placedIn } from "./block.ts";
import { hashOf, refuse } from "./evm.ts";
import { amountMissing, coinsMissing, idMissing, type Label } from "./ledger.ts";

export interface ReorgResult {
  readonly undone: readonly Block[];
  readonly blocks: readonly Block[];
  /** The transactions that are no longer in any block. */
  readonly dropped: readonly ChainTransaction[];
}

/**
 * Rebuilds a block for the new branch: without the dropped transactions, with new hashes and
 * totals.
 */
function rebuildBlock(
  { block, executions, credits = [] }: BlockInput,
  parentHash: Hash,
  branch: number,
  isDropped: (hash: Hash) => boolean,
): BlockInput {
  const remaining = executions.filter(({ transaction }) => !isDropped(transaction.hash));
  const dropped = executions.flatMap(({ transaction }) =>
    isDropped(transaction.hash) ? [transaction] : [],
  );
  // The hash includes the dropped transactions, so that two builders of this chain that drop
  // different transactions get different blocks.
  const hash = hashOf(
    parentHash,
    block.hash,
    branch,
    ...dropped.map((transaction) => transaction.hash),
  );
  const rebuilt = { ...block, parentHash, hash };
  // The rewards stated in the header stay the same, so the tip of a dropped transaction becomes
  // part of the mining reward.
  const isShared = credits.some(
    ([to, amount]) => to === block.miner && amount === -(block.fees + block.miningReward),
  );
  for (const transaction of dropped) {
    const tip = tipOf(transaction, block);
    rebuilt.transactionCount -= 1;
    rebuilt.gasUsed = (rebuilt.gasUsed ?? 0) - (transaction.gasUsed ?? 0);
    rebuilt.fees -= tip;
    if (isShared) rebuilt.miningReward += tip;
  }
  return { block: rebuilt, executions: placedIn(rebuilt, remaining), credits };
}

/**
 * Number of blocks and transactions in a slice, which takes about 5 ms. Other work runs between
 * slices.
 */
export const SLICE = 500;

/**
 * Returns a function that counts blocks and their transactions, and returns true at the end of each
 * slice.
 */
function slicing(): (block: Block) => boolean {
  let count = 0;
  return ({ transactionCount }) => {
    count += 1 + transactionCount;
    if (count < SLICE) return false;
    count = 0;
    return true;
  };
}

/**
 * Removes the last `count` blocks, and yields after each slice. Run the generator to its end: only
 * then does the chain change, all at once.
 *
 * @throws Error if something else changed the chain meanwhile
 */
export function* rewindInSlices(chain: ChainWriter, count: number): Generator<void, void> {
  const { revision, length } = chain;
  if (count > length)
    throw new RangeError(`Cannot rewind ${count} blocks: the chain has ${length}`);
  const fork = chain.fork();
  yield* rewindFork(fork, count);
  replace(chain, fork, revision);
}

function* rewindFork(fork: ChainWriter, count: number): Generator<void, void> {
  const isSliceDone = slicing();
  for (let left = count; left > 0; left--) {
    const { head } = fork;
    fork.rewind(1);
    if (isSliceDone(head)) yield;
  }
}

function replace(chain: ChainWriter, fork: ChainWriter, revision: number): void {
  if (chain.revision !== revision)
    throw new Error("The chain was changed while its blocks were replaced; try again");
  chain.restore(fork.snapshot());
}

function* appendTo(
  fork: ChainWriter,
  inputs: readonly BlockInput[],
  make: (input: BlockInput) => BlockInput,
  onOverdraft?: (overdraft: Overdraft) => void,
): Generator<void, Block[]> {
  const isSliceDone = slicing();
  const blocks: Block[] = [];
  for (const input of inputs) {
    const rebuilt = make(input);
    fork.append(rebuilt, onOverdraft);
    blocks.push(rebuilt.block);
    if (isSliceDone(rebuilt.block)) yield;
  }
  return blocks;
}

/** Reads the last `count` blocks. Refuses a remaining transaction that depends on a dropped one. */
function* survey(
  chain: ChainWriter,
  count: number,
  label: Label,
  isDropped: (hash: Hash) => boolean,
) {
  const refuseGap = gapCheck(isDropped, label);
  const isSliceDone = slicing();
  const inputs: BlockInput[] = [];
  const dropped: ChainTransaction[] = [];
  const created = { before: [] as Address[], after: [] as Address[] };
  for (let number = chain.head.number - count + 1; number <= chain.head.number; number++) {
    const input = chain.blockInput(number);
    if (input === undefined) continue;
    inputs.push(input);
    for (const execution of input.executions) {
      refuseGap(execution);
      created.before.push(...createdIn(execution));
      if (isDropped(execution.transaction.hash)) dropped.push(execution.transaction);
      else created.after.push(...createdIn(execution));
    }
    if (isSliceDone(input.block)) yield;
  }
  return { inputs, dropped, created };
}

/** Identifies an overdraft by transaction, sender, token and id. */
const overdraftKey = ({ transaction, from, token, balance, value }: Overdraft): string =>
  [transaction?.hash, from, token, balance === null && value].join();

/**
 * Replaces the last `count` blocks, and yields after each slice. Run the generator to its end: only
 * then does the chain change, all at once. Refuses to drop a transaction that a remaining one
 * needs, and then leaves the chain unchanged.
 *
 * @throws Error if something else changed the chain meanwhile
 */
export function* reorganiseInSlices(
  chain: ChainWriter,
  count: number,
  branch: number,
  label: Label,
  isDropped: (hash: Hash) => boolean,
): Generator<void, ReorgResult> {
  const { revision } = chain;
  const { inputs, dropped, created } = yield* survey(chain, count, label, isDropped);
  const fork = chain.fork();
  yield* rewindFork(fork, count);
  const past = fork.fork();
  past.applyHeadState(chain.headStateOf(created.before));
  fork.applyHeadState(chain.headStateOf(created.after));
  // Ignores overdrafts that the chain had before, because the records of a loaded chain need not
  // add up.
  const knownOverdrafts = new Set<string>();
  const unchanged = (input: BlockInput) => input;
  if (dropped.length > 0)
    yield* appendTo(past, inputs, unchanged, (overdraft) =>
      knownOverdrafts.add(overdraftKey(overdraft)),
    );
  const onOverdraft = (overdraft: Overdraft): void => {
    if (!knownOverdrafts.has(overdraftKey(overdraft))) refuseOverdraft(overdraft, label);
  };
  const blocks = yield* appendTo(
    fork,
    inputs,
    (input) => rebuildBlock(input, fork.head.hash, branch, isDropped),
    dropped.length > 0 ? onOverdraft : undefined,
  );
  replace(chain, fork, revision);
  return { undone: inputs.map(({ block }) => block), blocks, dropped };
}

/** Runs a generator to its end at once. */
export function atOnce<Result>(slices: Generator<void, Result>): Result {
  let step = slices.next();
  while (step.done !== true) step = slices.next();
  return step.value;
}

/**
 * Returns a function that refuses a remaining transaction if an earlier transaction of its sender
 * is dropped, or the creation of a contract that it runs. Call the function with each transaction
 * in chain order.
 */
function gapCheck(isDropped: (hash: Hash) => boolean, label: Label) {
  /** The nonce of the first dropped transaction of each sender. */
  const nonces = new Map<Address, number>();
  const notCreated = new Set<Address>();
  return (execution: Execution): void => {
    const { hash, from, nonce } = execution.transaction;
    if (isDropped(hash)) {
      if (!nonces.has(from) && nonce !== null) nonces.set(from, nonce);
      for (const created of createdIn(execution)) notCreated.add(created);
      return;
    }
    const firstDropped = nonces.get(from);
    if (firstDropped !== undefined) {
      refuse(
        `${hash} of ${label(from)} has nonce ${nonce}, but the transaction with nonce ${firstDropped} is dropped: drop the account's later transactions too`,
      );
    }
    if (notCreated.size === 0) return;
    for (const created of createdIn(execution)) notCreated.delete(created);
    const runs = [
      ...execution.frames.map((frame) => frame.from),
      ...execution.logs.map((log) => log.address),
    ];
    const missing = runs.find((contract) => notCreated.has(contract));
    if (missing !== undefined) {
      refuse(
        `${hash} runs ${label(missing)}, and the transaction that created this contract is dropped: drop both`,
      );
    }
  };
}

/** Refuses a transfer that its sender cannot cover. */
function refuseOverdraft(overdraft: Overdraft, label: Label): never {
  const { token, from, to, value, transaction, balance, owner } = overdraft;
  if (token !== null)
    return refuse(
      balance === null
        ? idMissing({ token, from }, value, owner, label)
        : amountMissing({ token, from, to }, balance, value, label),
    );
  const where = transaction ? ` in ${transaction.hash}` : " for a debit of the block itself";
  const why = to === null ? where : ` to send to ${label(to)}`;
  return refuse(coinsMissing(label(from), balance ?? 0n, value, why));
}
