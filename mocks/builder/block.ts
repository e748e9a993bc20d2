// Makes blocks: the genesis block, and a block of pending transactions.
import { sharedCredits, tipOf } from "../chain/block-effects.ts";
import { blockFields, type OptionalOf, optionalIn } from "../chain/fields.ts";
import { ZERO_HASH } from "../chain/hex.ts";
import type { Address, Block, BlockInput, Execution, Hash } from "../chain/records.ts";
import { gwei } from "../chain/units.ts";
import { addressOfName, hashOf, refuse } from "./evm.ts";
import {
  type PendingTransaction,
  priceOf,
  toExecution,
  type UnplacedExecution,
} from "./transaction.ts";

/** The fields of a block. Fields that you leave out follow from its parent. */
export interface BlockOptions extends OptionalOf<typeof blockFields> {
  readonly miner?: Address | undefined;
  /** A date, or seconds since 1970. Must be later than the parent's timestamp. */
  readonly timestamp?: Date | number | undefined;
  /** Null for a block without a base fee, as before EIP-1559. */
  readonly baseFeePerGas?: bigint | null | undefined;
  readonly gasLimit?: number | undefined;
  /**
   * The receivers of the block's rewards, fees included, as Metadium's headers state them. The
   * miner then gets nothing else. An address may appear more than once. Default: the miner gets the
   * fees and the block reward.
   */
  readonly rewards?: readonly BlockRewardShare[] | undefined;
}

export interface BlockRewardShare {
  readonly addr: Address;
  readonly reward: bigint;
}

/** The fields of a block that do not follow from its transactions. */
export type BlockHeader = Omit<
  Block,
  "hash" | "gasUsed" | "gasLimit" | "transactionCount" | "fees"
> & { readonly gasLimit: number };

const genesisTime = Date.UTC(2024, 0, 1) / 1000;
export const GENESIS_GAS_LIMIT = 30_000_000;

export const secondsOf = (time: Date | number): number =>
  Math.floor(typeof time === "number" ? time : time.getTime() / 1000);

export function genesisBlock(chainId: number, options: BlockOptions): BlockInput {
  const {
    baseFeePerGas = gwei(1),
    gasLimit = GENESIS_GAS_LIMIT,
    timestamp = genesisTime,
  } = options;
  const header = {
    ...optionalIn(blockFields, options),
    number: 0,
    parentHash: ZERO_HASH,
    timestamp: secondsOf(timestamp),
    miner: options.miner ?? addressOfName("miner"),
    gasLimit,
    baseFeePerGas,
    miningReward: 0n,
  };
  return makeBlock(header, [], chainId);
}

const refuseGasLimit = (
  header: BlockHeader,
  sent: PendingTransaction["sent"],
  used: number,
): void => {
  if (used + sent.gasLimit > header.gasLimit) {
    refuse(
      `transaction ${sent.hash} needs up to ${sent.gasLimit} gas and block ${header.number} has ${header.gasLimit - used} of ${header.gasLimit} left: ` +
        "mine fewer transactions at once, or a block with a higher gasLimit",
    );
  }
};

/**
 * Makes a block with these transactions. `branch` is part of its hash, because a block that
 * replaces another one with the same transactions must have another hash. `rewards` are the shares
 * that the header states.
 */
export function makeBlock(
  header: BlockHeader,
  transactions: readonly PendingTransaction[],
  branch: number,
  rewards?: BlockOptions["rewards"],
): BlockInput {
  let gasUsed = 0;
  let fees = 0n;
  for (const { sent, pricing } of transactions) {
    refuseGasLimit(header, sent, gasUsed);
    gasUsed += sent.gasUsed;
    fees += tipOf({ ...sent, gasPrice: priceOf(pricing, header.baseFeePerGas) }, header);
  }
  const stated = rewards?.reduce((sum, { reward }) => sum + reward, 0n);
  if (stated !== undefined && stated < fees)
    refuse(
      `the rewards of block ${header.number} are ${stated}, less than its fees of ${fees}: rewards include the fees`,
    );
  const block: Block = {
    ...header,
    hash: hashOf(
      header.parentHash,
      header.number,
      header.timestamp,
      header.miner,
      header.gasLimit,
      header.baseFeePerGas,
      branch,
      ...(rewards ?? []).flatMap(({ addr, reward }) => [addr, reward]),
      ...transactions.map(({ sent }): Hash => sent.hash),
    ),
    gasUsed,
    transactionCount: transactions.length,
    fees,
    miningReward: stated === undefined ? header.miningReward : stated - fees,
  };
  const executions = placedIn(
    block,
    transactions.map((pending) => toExecution(pending, header.baseFeePerGas)),
  );
  if (rewards === undefined) return { block, executions };
  const shares = rewards.map(({ addr, reward }) => [addr, reward] as const);
  return { block, executions, credits: [...sharedCredits(block), ...shares] };
}

/**
 * Sets the fields of each transaction that depend on its block and on the transactions before it.
 */
export function placedIn(block: Block, executions: readonly UnplacedExecution[]): Execution[] {
  let cumulativeGasUsed = 0;
  let logCount = 0;
  return executions.map(({ transaction: unplaced, frames, logs }, index) => {
    cumulativeGasUsed += unplaced.gasUsed ?? 0;
    const transaction = { ...unplaced, block, index, cumulativeGasUsed };
    const firstLog = logCount;
    logCount += logs.length;
    return {
      transaction,
      frames: frames.map((frame) => ({ ...frame, transaction })),
      logs: logs.map((log, at) => ({ ...log, transaction, index: firstLog + at })),
    };
  });
}
