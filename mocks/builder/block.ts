// Makes a block of a story: its header from its parent, its records from its transactions.
import type { BlockInput, Execution } from "../chain/block-input.ts";
import { ZERO_HASH } from "../chain/constants.ts";
import type { Address, Block, Hash } from "../chain/records.ts";
import { named } from "./account.ts";
import { hashOf } from "./evm.ts";
import { refuse } from "./impossible.ts";
import { record, type TransactionDraft, tipOf } from "./transaction.ts";
import { gwei } from "./units.ts";

/** How a block is made. What is left out follows from its parent. */
export interface BlockOptions {
  readonly miner?: Address;
  /** A time, or seconds since 1970; later than the parent's. */
  readonly timestamp?: Date | number;
  /** Null: as before EIP-1559. */
  readonly baseFeePerGas?: bigint | null;
  readonly gasLimit?: number;
}

/** All that a block says of itself before anything is in it. */
type Header = Pick<
  Block,
  "number" | "parentHash" | "timestamp" | "miner" | "gasLimit" | "baseFeePerGas" | "miningReward"
>;

const genesisTime = Date.UTC(2024, 0, 1) / 1000;
const genesisGasLimit = 30_000_000;

export const seconds = (time: Date | number): number =>
  Math.floor(typeof time === "number" ? time : time.getTime() / 1000);

/** The first block of a chain. */
export function genesis(chainId: number, options: BlockOptions): BlockInput {
  const { baseFeePerGas = gwei(1), gasLimit = genesisGasLimit, timestamp = genesisTime } = options;
  const header = {
    number: 0,
    parentHash: ZERO_HASH,
    timestamp: seconds(timestamp),
    miner: options.miner ?? named("miner"),
    gasLimit,
    baseFeePerGas,
    miningReward: 0n,
  };
  return blockOf(header, [], chainId);
}

const refuseTooMuch = (header: Header, sent: TransactionDraft["sent"], used: number): void => {
  if (used + sent.gasLimit > header.gasLimit) {
    refuse(
      `${sent.hash} needs up to ${sent.gasLimit} gas and block ${header.number} has ${header.gasLimit - used} of ${header.gasLimit} left: ` +
        "mine fewer transactions at once, or a block with a higher gasLimit",
    );
  }
};

/** A block with these transactions. `branch` tells its hash apart from that of the block it replaces. */
export function blockOf(
  header: Header,
  drafts: readonly TransactionDraft[],
  branch: number,
): BlockInput {
  let gasUsed = 0;
  let fees = 0n;
  for (const { sent, offer } of drafts) {
    refuseTooMuch(header, sent, gasUsed);
    gasUsed += sent.gasUsed;
    fees += BigInt(sent.gasUsed) * tipOf(offer, header.baseFeePerGas);
  }
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
      ...drafts.map(({ sent }): Hash => sent.hash),
    ),
    gasUsed,
    transactionCount: drafts.length,
    fees,
  };
  let cumulativeGasUsed = 0;
  let logs = 0;
  const executions = drafts.map((draft, index): Execution => {
    cumulativeGasUsed += draft.sent.gasUsed;
    const execution = record(draft, block, index, cumulativeGasUsed, logs);
    logs += execution.logs.length;
    return execution;
  });
  return { block, executions };
}
