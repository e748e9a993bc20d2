// One block as a node answers it (block, receipts, traces) read into what it brings to a chain.
import * as z from "zod/mini";
import { check } from "../../src/models/issues.ts";
import { orNull } from "../../src/models/primitives.ts";
import type { BlockInput, Execution } from "../chain/block-input.ts";
import type { Address, Block, Hash, Log, Transaction } from "../chain/records.ts";
import { fastRecord } from "./fast.ts";
import { IngestError, placed } from "./ingest-error.ts";
import { minerIssuance } from "./issuance.ts";
import { fieldAt, type Path, read } from "./read.ts";
import type { BlockTraces, Reward } from "./trace.ts";
import { readTraces } from "./traces.ts";
import { address, count, data, hash, list, quantity } from "./values.ts";

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

const transactionSchema = z.object({
  hash,
  from: address,
  to: orNull(address),
  value: quantity,
  input: data,
  nonce: count,
  gas: count,
  gasPrice: orNull(quantity),
  maxFeePerGas: orNull(quantity),
  maxPriorityFeePerGas: orNull(quantity),
});

const headerSchema = z.object({
  number: count,
  hash,
  parentHash: hash,
  timestamp: count,
  miner: address,
  gasUsed: count,
  gasLimit: count,
  baseFeePerGas: orNull(quantity),
  difficulty: orNull(quantity),
  uncles: z.optional(list(z.unknown())),
  withdrawals: orNull(list(z.object({ address, amount: quantity }))),
  transactions: list(transactionSchema),
});

const receiptSchema = z.object({
  transactionHash: hash,
  blockHash: orNull(hash),
  // Before Byzantium receipts have the state's root in its place.
  status: orNull(quantity),
  contractAddress: orNull(address),
  gasUsed: count,
  cumulativeGasUsed: count,
  effectiveGasPrice: orNull(quantity),
  // Blob gas has a price of its own, all of it burnt.
  blobGasUsed: orNull(quantity),
  blobGasPrice: orNull(quantity),
  logs: list(z.object({ logIndex: count, address, data, topics: list(hash) })),
});

const answersSchema = fastRecord(z.object({ block: headerSchema, receipts: list(receiptSchema) }));

type Header = z.output<typeof headerSchema>;
type Receipt = z.output<typeof receiptSchema>;

const numberOnly = z.object({ block: z.object({ number: count }) });

const GWEI = 10n ** 9n;

type Credit = readonly [Address, bigint];

/** Reads and checks one block; throws an IngestError that names the block and the fields. */
export function readBlock(answers: BlockAnswers, options: ReadingOptions): BlockInput {
  return placed(
    () => ({ block: check(numberOnly, answers).value?.block.number }),
    () => {
      const { block, receipts } = read(answersSchema, answers);
      return bodyOf(block, receipts, answers.traces, options);
    },
  );
}

function bodyOf(
  header: Header,
  receipts: readonly Receipt[],
  given: unknown,
  options: ReadingOptions,
): BlockInput {
  const { number, baseFeePerGas } = header;
  const hashes = distinct(header.transactions.map((transaction) => transaction.hash));
  refuseOthers(receipts, hashes, header.hash);
  const { traces, rewards } = tracesOf(given, hashes, options);
  const transactions = header.transactions.map((transaction, index) =>
    transactionOf(transaction, {
      receipt: receiptAt(receipts, index),
      error: traces[index]?.error ?? null,
      gasPrice:
        receipts[index]?.effectiveGasPrice ?? offeredPrice(transaction, index, baseFeePerGas),
    }),
  );
  const block: Block = {
    number,
    hash: header.hash,
    parentHash: header.parentHash,
    timestamp: header.timestamp,
    miner: header.miner,
    gasUsed: header.gasUsed,
    gasLimit: header.gasLimit,
    baseFeePerGas,
    transactionCount: hashes.length,
    fees: transactions.reduce(
      (sum, { gasPrice, gasUsed }) => sum + (gasPrice - (baseFeePerGas ?? 0n)) * BigInt(gasUsed),
      0n,
    ),
    miningReward: issuance(header, rewards, options.chainId),
  };
  const executions = transactions.map((fields, index): Execution => {
    const transaction: Transaction = { ...fields, block, index };
    const frames = traces[index]?.frames ?? [];
    return {
      transaction,
      frames: frames.map((frame) => ({ transaction, ...frame })),
      logs: receiptAt(receipts, index).logs.map(
        ({ logIndex, address, data, topics }): Log => ({
          transaction,
          index: logIndex,
          address,
          data,
          topics,
        }),
      ),
    };
  });
  const credits = [
    ...rewardCredits(rewards, block.miner),
    ...(header.withdrawals ?? []).map(({ address, amount }): Credit => [address, amount * GWEI]),
    ...transactions.flatMap(({ from }, index): Credit[] => {
      const burnt = blobFee(receiptAt(receipts, index), index);
      return burnt === 0n ? [] : [[from, -burnt]];
    }),
  ];
  return { block, executions, credits };
}

function distinct(hashes: readonly Hash[]): readonly Hash[] {
  const seen = new Set<Hash>();
  for (const of of hashes) {
    if (seen.has(of)) {
      throw new IngestError(`expected every transaction once, got ${of} twice`, {
        field: "block.transactions",
      });
    }
    seen.add(of);
  }
  return hashes;
}

/** Refuses receipts that are not those of the block's transactions, one by one. */
function refuseOthers(
  receipts: readonly Receipt[],
  transactions: readonly Hash[],
  block: Hash,
): void {
  for (const [index, { transactionHash: of, blockHash: within }] of receipts.entries()) {
    const place = { field: fieldAt(["receipts", index]) };
    if (index < transactions.length && of !== transactions[index]) {
      throw new IngestError(
        `expected the receipt of transaction ${transactions[index]}, got that of ${of}`,
        place,
      );
    }
    if (within !== null && within !== block) {
      throw new IngestError(`expected a receipt of block ${block}, got one of ${within}`, place);
    }
  }
  if (receipts.length !== transactions.length) {
    throw new IngestError(
      `expected a receipt for each of the block's ${transactions.length} transactions, got ${receipts.length}`,
      { field: "receipts" },
    );
  }
}

/** The receipt of a transaction: there is one for each. */
function receiptAt(receipts: readonly Receipt[], index: number): Receipt {
  const receipt = receipts[index];
  if (receipt === undefined) throw new IngestError("expected a receipt of it");
  return receipt;
}

/** What needs not stand in every record, but must in this one. */
function needed(value: bigint | null, path: Path): bigint {
  return value ?? read(quantity, undefined, path);
}

function blobFee({ blobGasUsed, blobGasPrice }: Receipt, index: number): bigint {
  if (blobGasUsed === null || blobGasUsed === 0n) return 0n;
  return blobGasUsed * needed(blobGasPrice, ["receipts", index, "blobGasPrice"]);
}

function tracesOf(
  traces: unknown,
  transactions: readonly Hash[],
  options: ReadingOptions,
): BlockTraces {
  if (traces !== null && traces !== undefined) {
    return readTraces({ traces }, "traces", transactions);
  }
  if (transactions.length > 0 && options.missingTraces !== "accept") {
    throw new IngestError(
      `expected the traces of the block's ${transactions.length} transactions (callTracer or trace_block), got none`,
      { field: "traces" },
    );
  }
  return { traces: [], rewards: [] };
}

function transactionOf(
  of: z.output<typeof transactionSchema>,
  {
    receipt,
    error,
    gasPrice,
  }: { readonly receipt: Receipt; readonly error: string | null; readonly gasPrice: bigint },
): Omit<Transaction, "block" | "index"> {
  return {
    hash: of.hash,
    from: of.from,
    to: of.to,
    // Some nodes repeat the address called: only a creation makes one.
    created: of.to === null ? receipt.contractAddress : null,
    value: of.value,
    input: of.input,
    nonce: of.nonce,
    succeeded: receipt.status === null ? null : receipt.status === 1n,
    error,
    gasLimit: of.gas,
    // Of the receipt: callTracer's root frame carries the block's cumulative gas on some nodes.
    gasUsed: receipt.gasUsed,
    cumulativeGasUsed: receipt.cumulativeGasUsed,
    gasPrice,
    maxFeePerGas: of.maxFeePerGas,
    maxPriorityFeePerGas: of.maxPriorityFeePerGas,
  };
}

/** What a unit of gas cost where the receipt does not say it: what was offered, up to the cap. */
function offeredPrice(
  { gasPrice, maxFeePerGas: cap, maxPriorityFeePerGas }: z.output<typeof transactionSchema>,
  index: number,
  baseFee: bigint | null,
): bigint {
  if (cap === null) return needed(gasPrice, ["block", "transactions", index, "gasPrice"]);
  const offered = (baseFee ?? 0n) + (maxPriorityFeePerGas ?? 0n);
  return offered < cap ? offered : cap;
}

/** S14: all that was issued, the uncles' miners included. */
function issuance(
  { number, difficulty, uncles = [] }: Header,
  rewards: readonly Reward[],
  chainId: number | undefined,
): bigint {
  if (rewards.length > 0) return rewards.reduce((sum, { value }) => sum + value, 0n);
  return minerIssuance({
    chainId,
    number,
    difficulty: difficulty ?? 0n,
    uncles: uncles.length,
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
