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

const UNTRACED: Trace = { error: null, frames: [] };
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
  const baseFeePerGas = optional(header, "baseFeePerGas", quantity);
  const hashes = readHashes(header);
  const receipts = readReceipts(holder, hashes, hash(header, "hash"));
  const { traces, rewards } = tracesOf(holder, hashes, options);
  const transactions = each(header, "transactions", (transaction, index) =>
    readTransaction(transaction, receipts[index], baseFeePerGas, traces[index]),
  );
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
    fees: transactions.reduce(
      (sum, { gasPrice, gasUsed }) => sum + (gasPrice - (baseFeePerGas ?? 0n)) * BigInt(gasUsed),
      0n,
    ),
    miningReward: issuance(header, number, rewards, options.chainId),
  };
  const executions = transactions.map((fields, index): Execution => {
    const transaction: Transaction = { ...fields, block, index };
    const frames = traces[index]?.frames ?? [];
    const logs = receipts[index]?.logs ?? [];
    return {
      transaction,
      frames: frames.map((frame) => ({ transaction, ...frame })),
      logs: logs.map((log) => ({ transaction, ...log })),
    };
  });
  const credits = [
    ...rewardCredits(rewards, block.miner),
    ...withdrawals(header),
    ...transactions.flatMap(({ from }, index): Credit[] => {
      const burnt = receipts[index]?.blobFee ?? 0n;
      return burnt === 0n ? [] : [[from, -burnt]];
    }),
  ];
  return { block, executions, credits };
}

function readHashes(header: Raw): Hash[] {
  const hashes = each(header, "transactions", (transaction) => hash(transaction, "hash"));
  const seen = new Set<Hash>();
  for (const of of hashes) {
    if (seen.has(of)) {
      throw new IngestError(`expected every transaction once, got ${of} twice`, {
        field: "transactions",
      });
    }
    seen.add(of);
  }
  return hashes;
}

interface Receipt {
  readonly status: bigint | null;
  readonly contractAddress: Address | null;
  readonly gasUsed: number;
  readonly cumulativeGasUsed: number;
  readonly effectiveGasPrice: bigint | null;
  /** Blob gas has a price of its own, all of it burnt. */
  readonly blobFee: bigint;
  readonly logs: readonly Omit<Log, "transaction">[];
}

function readReceipts(holder: Raw, transactions: readonly Hash[], block: Hash): Receipt[] {
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
    return readReceipt(receipt);
  });
  if (receipts.length !== transactions.length) {
    throw new IngestError(
      `expected a receipt for each of the block's ${transactions.length} transactions, got ${receipts.length}`,
      { field: "receipts" },
    );
  }
  return receipts;
}

function readReceipt(receipt: Raw): Receipt {
  const blobGas = optional(receipt, "blobGasUsed", quantity) ?? 0n;
  return {
    // Before Byzantium receipts have the state's root in its place.
    status: optional(receipt, "status", quantity),
    contractAddress: optional(receipt, "contractAddress", address),
    gasUsed: count(receipt, "gasUsed"),
    cumulativeGasUsed: count(receipt, "cumulativeGasUsed"),
    effectiveGasPrice: optional(receipt, "effectiveGasPrice", quantity),
    blobFee: blobGas === 0n ? 0n : blobGas * quantity(receipt, "blobGasPrice"),
    logs: each(receipt, "logs", (log) => ({
      index: count(log, "logIndex"),
      address: address(log, "address"),
      data: data(log, "data"),
      topics: every(log, "topics", hash),
    })),
  };
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

function readTransaction(
  of: Raw,
  receipt: Receipt | undefined,
  baseFeePerGas: bigint | null,
  trace: Trace = UNTRACED,
): Omit<Transaction, "block" | "index"> {
  // Checked before: there is a receipt for every transaction.
  if (receipt === undefined) throw new IngestError("expected a receipt of it");
  const to = optional(of, "to", address);
  return {
    hash: hash(of, "hash"),
    from: address(of, "from"),
    to,
    // Some nodes repeat the address called: only a creation makes one.
    created: to === null ? receipt.contractAddress : null,
    value: quantity(of, "value"),
    input: data(of, "input"),
    nonce: count(of, "nonce"),
    succeeded: receipt.status === null ? null : receipt.status === 1n,
    error: trace.error,
    gasLimit: count(of, "gas"),
    // Of the receipt: callTracer's root frame carries the block's cumulative gas on some nodes.
    gasUsed: receipt.gasUsed,
    cumulativeGasUsed: receipt.cumulativeGasUsed,
    gasPrice: receipt.effectiveGasPrice ?? offeredPrice(of, baseFeePerGas),
    maxFeePerGas: optional(of, "maxFeePerGas", quantity),
    maxPriorityFeePerGas: optional(of, "maxPriorityFeePerGas", quantity),
  };
}

/** What a unit of gas cost where the receipt does not say it: what was offered, up to the cap. */
function offeredPrice(of: Raw, baseFee: bigint | null): bigint {
  const cap = optional(of, "maxFeePerGas", quantity);
  if (cap === null) return quantity(of, "gasPrice");
  const offered = (baseFee ?? 0n) + (optional(of, "maxPriorityFeePerGas", quantity) ?? 0n);
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
