// One block as a node answers it (block, receipts, traces) read into what it brings to a chain.
import type { BlockBody, Execution } from "../chain/body.ts";
import type { Address, Block, Hash, Log, Transaction } from "../chain/records.ts";
import { IngestError, placed } from "./fault.ts";
import {
  address,
  count,
  data,
  each,
  every,
  hash,
  isRaw,
  list,
  optional,
  quantity,
  type Raw,
  raw,
} from "./fields.ts";
import { minerIssuance } from "./issuance.ts";
import { type BlockTraces, type Reward, readTraces, type Trace } from "./traces.ts";

/** The answers of a node about one block. */
export interface BlockAnswers {
  /** `eth_getBlockByNumber(n, true)`. */
  readonly block: unknown;
  /** `eth_getBlockReceipts(n)`, or each transaction's `eth_getTransactionReceipt`. */
  readonly receipts: unknown;
  /** `debug_traceBlockByNumber` with callTracer, or `trace_block`; null where the node gives none. */
  readonly traces?: unknown;
}

export interface ReadingOptions {
  /** Tells whether mined blocks have a reward. */
  readonly chainId: number | undefined;
  /** What to do with a block that has transactions and no traces; `accept` leaves it without internal transactions. */
  readonly missingTraces?: "refuse" | "accept" | undefined;
}

const UNTRACED: Trace = { error: null, frames: () => [] };
const GWEI = 10n ** 9n;

type Credit = readonly [Address, bigint];

/** Reads and checks one block; throws an IngestError that names the block and the field. */
export function readBlock(answers: BlockAnswers, options: ReadingOptions): BlockBody {
  const holder: Raw = { ...answers };
  const header = raw(holder, "block");
  const number = placed(
    () => ({ field: "number" }),
    () => count(header, "number"),
  );
  return placed(
    () => ({ block: number }),
    () => readNumbered(holder, header, number, options),
  );
}

function readNumbered(
  holder: Raw,
  header: Raw,
  number: number,
  options: ReadingOptions,
): BlockBody {
  const hashes = each(header, "transactions", (transaction) => hash(transaction, "hash"));
  const twice =
    hashes.length === new Set(hashes).size
      ? undefined
      : hashes.find((of, index) => hashes.indexOf(of) !== index);
  if (twice !== undefined) {
    throw new IngestError(`expected every transaction once, got ${twice} twice`, {
      field: "transactions",
    });
  }
  const receipts = readReceipts(holder, hashes, hash(header, "hash"));
  const { traces, rewards } = tracesOf(holder, hashes, options);
  const baseFeePerGas = optional(header, "baseFeePerGas", quantity);
  const fees = list(header, "transactions").reduce<bigint>((sum, transaction, index) => {
    const receipt = receipts[index];
    if (!isRaw(transaction) || receipt === undefined) return sum;
    const price = effectivePrice(transaction, receipt, baseFeePerGas);
    return sum + (price - (baseFeePerGas ?? 0n)) * quantity(receipt, "gasUsed");
  }, 0n);
  const block: Block = {
    number,
    hash: hash(header, "hash"),
    parentHash: hash(header, "parentHash"),
    timestamp: count(header, "timestamp"),
    miner: address(header, "miner"),
    gasUsed: count(header, "gasUsed"),
    gasLimit: count(header, "gasLimit"),
    baseFeePerGas,
    transactionCount: hashes.length,
    fees,
    miningReward: issuance(header, number, rewards, options.chainId),
  };
  const executions = each(header, "transactions", (transaction, index) =>
    readExecution(transaction, receipts[index] ?? {}, traces[index] ?? UNTRACED, block, index),
  );
  const credits = [
    ...rewardCredits(rewards, block.miner),
    ...withdrawals(header),
    ...blobFees(receipts),
  ];
  return { block, executions, credits };
}

function readReceipts(holder: Raw, transactions: readonly Hash[], block: Hash): Raw[] {
  const receipts = each(holder, "receipts", (receipt, index) => {
    const of = hash(receipt, "transactionHash");
    if (index < transactions.length && of !== transactions[index]) {
      throw new IngestError(
        `expected the receipt of transaction ${transactions[index]}, got that of ${of}`,
      );
    }
    const within = optional(receipt, "blockHash", hash);
    if (within !== null && within !== block) {
      throw new IngestError(`expected a receipt of block ${block}, got one of ${within}`);
    }
    return receipt;
  });
  if (receipts.length !== transactions.length) {
    throw new IngestError(
      `expected a receipt for each of the block's ${transactions.length} transactions, got ${receipts.length}`,
      { field: "receipts" },
    );
  }
  return receipts;
}

function tracesOf(
  holder: Raw,
  transactions: readonly Hash[],
  options: ReadingOptions,
): BlockTraces {
  if (holder.traces !== null && holder.traces !== undefined) {
    return readTraces(holder, "traces", transactions);
  }
  if (transactions.length > 0 && options.missingTraces !== "accept") {
    throw new IngestError(
      `expected the traces of the block's ${transactions.length} transactions (callTracer or trace_block), got none`,
      { field: "traces" },
    );
  }
  return { traces: [], rewards: [] };
}

/** What a unit of gas cost: nodes before London do not say it in the receipt, and there it is the price offered. */
function effectivePrice(transaction: Raw, receipt: Raw, baseFee: bigint | null): bigint {
  const told = optional(receipt, "effectiveGasPrice", quantity);
  if (told !== null) return told;
  const cap = optional(transaction, "maxFeePerGas", quantity);
  if (cap === null) return quantity(transaction, "gasPrice");
  const offered = (baseFee ?? 0n) + (optional(transaction, "maxPriorityFeePerGas", quantity) ?? 0n);
  return offered < cap ? offered : cap;
}

/** S14: all that was issued, the uncles' miners included. */
function issuance(
  header: Raw,
  number: number,
  rewards: readonly Reward[],
  chainId: number | undefined,
): bigint {
  if (rewards.length > 0) return rewards.reduce((sum, { value }) => sum + value, 0n);
  return minerIssuance({
    chainId,
    number,
    difficulty: optional(header, "difficulty", quantity) ?? 0n,
    uncles: header.uncles === undefined ? 0 : list(header, "uncles").length,
  });
}

/** A chain gives the whole reward to the block's miner; what others received of it moves to them here. */
function rewardCredits(rewards: readonly Reward[], miner: Address): Credit[] {
  return rewards
    .filter(({ author }) => author !== miner)
    .flatMap(({ author, value }): Credit[] => [
      [miner, -value],
      [author, value],
    ]);
}

function withdrawals(header: Raw): Credit[] {
  if (header.withdrawals === undefined || header.withdrawals === null) return [];
  return each(header, "withdrawals", (withdrawal) => [
    address(withdrawal, "address"),
    quantity(withdrawal, "amount") * GWEI,
  ]);
}

/** Blob gas has a price of its own, all of it burnt. */
function blobFees(receipts: readonly Raw[]): Credit[] {
  return receipts.flatMap((receipt): Credit[] => {
    const used = optional(receipt, "blobGasUsed", quantity) ?? 0n;
    return used === 0n
      ? []
      : [[address(receipt, "from"), -used * quantity(receipt, "blobGasPrice")]];
  });
}

function readExecution(
  of: Raw,
  receipt: Raw,
  trace: Trace,
  block: Block,
  index: number,
): Execution {
  const to = optional(of, "to", address);
  const status = optional(receipt, "status", quantity);
  const transaction: Transaction = {
    hash: hash(of, "hash"),
    block,
    index,
    from: address(of, "from"),
    to,
    // Some nodes repeat the address called: only a creation makes one.
    created: to === null ? optional(receipt, "contractAddress", address) : null,
    value: quantity(of, "value"),
    input: data(of, "input"),
    nonce: count(of, "nonce"),
    succeeded: status === null ? null : status === 1n,
    error: trace.error,
    gasLimit: count(of, "gas"),
    // Of the receipt: callTracer's root frame carries the block's cumulative gas on some nodes.
    gasUsed: count(receipt, "gasUsed"),
    cumulativeGasUsed: count(receipt, "cumulativeGasUsed"),
    gasPrice: effectivePrice(of, receipt, block.baseFeePerGas),
    maxFeePerGas: optional(of, "maxFeePerGas", quantity),
    maxPriorityFeePerGas: optional(of, "maxPriorityFeePerGas", quantity),
  };
  const logs = each(
    receipt,
    "logs",
    (log): Log => ({
      transaction,
      index: count(log, "logIndex"),
      address: address(log, "address"),
      data: data(log, "data"),
      topics: every(log, "topics", hash),
    }),
  );
  return { transaction, frames: trace.frames(transaction), logs };
}
