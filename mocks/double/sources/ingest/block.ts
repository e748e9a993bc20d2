// Reads one block as a node returns it (block, receipts, traces) into the input of a chain.

import * as ContractAddress from "ox/ContractAddress";
import * as z from "zod/mini";
import { check } from "../../../../src/models/issues.ts";
import { orNull } from "../../../../src/models/primitives.ts";
import { blockFields, logFields, transactionFields } from "../../chain/fields.ts";
import type {
  Address,
  Block,
  BlockInput,
  ChainTransaction,
  Execution,
  Hash,
} from "../../chain/records.ts";
import { coins, gwei } from "../../chain/units.ts";
import {
  address,
  count,
  fastRecord,
  hash,
  list,
  nodeFields,
  nodeShape,
  quantity,
} from "./node-schemas.ts";
import { fieldAt, IngestError, type Path, read, withLocation } from "./read.ts";
import { addressOfNumber } from "./steps.ts";
import { type BlockTraces, readTraces, type TraceReward } from "./traces.ts";

const MAINNET = 1;

/** Mainnet's static block rewards under proof of work: first block, reward. */
const STATIC_REWARDS = [
  [7_280_000, coins(2)],
  [4_370_000, coins(3)],
  [0, coins(5)],
] as const;

export interface IssuanceInput {
  /** Undefined if it is not known. */
  readonly chainId: number | undefined;
  readonly number: number;
  /** 0 without proof of work. */
  readonly difficulty: bigint;
  readonly uncles: number;
}

/**
 * The miner's own issuance: the static reward, and a 32nd of it per uncle it includes. The rewards of uncles' miners depend on the uncles'
 * heights, which only trace_block has. On other chains than mainnet a difficulty does not imply a reward (proof of authority has one too), so
 * it is 0 there.
 */
function minerIssuance({ chainId, number, difficulty, uncles }: IssuanceInput): bigint {
  if (difficulty === 0n) return 0n;
  if (chainId === undefined) {
    throw new IngestError(
      "cannot compute the reward of a mined block: the chain's id is unknown; set chainId in the options",
    );
  }
  if (chainId !== MAINNET) return 0n;
  const reward = STATIC_REWARDS.find(([from]) => number >= from)?.[1] ?? 0n;
  return reward + (reward / 32n) * BigInt(uncles);
}

/** One block as a node returns it. */
export interface RpcBlock {
  /** `eth_getBlockByNumber(n, true)`. */
  readonly block: unknown;
  /** `eth_getBlockReceipts(n)`, or each transaction's `eth_getTransactionReceipt`. */
  readonly receipts: unknown;
  /** `debug_traceBlockByNumber` with callTracer, or `trace_block`; null if there are none. */
  readonly traces?: unknown;
}

export interface ReadBlockOptions {
  /** Decides whether mined blocks have a reward. */
  readonly chainId: number | undefined;
  /** What to do with a block that has transactions but no traces; `accept` loads it without internal transactions. */
  readonly missingTraces?: "refuse" | "accept" | undefined;
}

const transactionSchema = z.object({
  ...nodeShape("transaction", transactionFields),
  hash,
  // The offered price, for receipts without the effective one.
  gasPrice: orNull(quantity),
  blobVersionedHashes: orNull(list(hash)),
});

const headerSchema = z.object({
  ...nodeShape("block", blockFields),
  difficulty: orNull(quantity),
  uncles: z.optional(list(z.unknown())),
  withdrawals: orNull(list(z.object({ address, amount: quantity }))),
  transactions: list(transactionSchema),
});

const receiptSchema = z.object({
  ...nodeShape("receipt", transactionFields),
  transactionHash: hash,
  blockHash: orNull(hash),
  // Receipts from before Byzantium have a state root instead.
  status: orNull(quantity),
  contractAddress: orNull(address),
  effectiveGasPrice: orNull(quantity),
  // Blob gas has its own price and is burnt.
  blobGasUsed: orNull(quantity),
  blobGasPrice: orNull(quantity),
  logs: list(z.object(nodeShape("log", logFields))),
});

const blockSchema = fastRecord(z.object({ block: headerSchema, receipts: list(receiptSchema) }));

type RpcHeader = z.output<typeof headerSchema>;
type RpcTransaction = z.output<typeof transactionSchema>;
type RpcReceipt = z.output<typeof receiptSchema>;

const readBlockFields = nodeFields(blockFields);
const readTransactionFields = nodeFields(transactionFields);
const readLogFields = nodeFields(logFields);

const numberOnly = z.object({ block: z.object({ number: count }) });

const GWEI = gwei(1);

type Credit = readonly [Address, bigint];

/** Reads and checks one block. @throws IngestError that names the block and the fields */
export function readBlock(given: RpcBlock, options: ReadBlockOptions): BlockInput {
  return withLocation(
    () => ({ block: check(numberOnly, given).value?.block.number }),
    () => {
      const { block, receipts } = read(blockSchema, given);
      return toBlockInput(block, receipts, given.traces, options);
    },
  );
}

function toBlockInput(
  header: RpcHeader,
  receipts: readonly RpcReceipt[],
  given: unknown,
  options: ReadBlockOptions,
): BlockInput {
  const ofNode = readBlockFields({ block: header });
  const { number, hash, miner, baseFeePerGas } = ofNode;
  const hashes = distinct(header.transactions.map((transaction) => transaction.hash));
  checkReceipts(receipts, hashes, hash);
  const { traces, rewards } = tracesOf(given, hashes, options);
  const transactions = header.transactions.map((transaction, index) =>
    transactionOf(transaction, receiptAt(receipts, index), {
      index,
      error: traces[index]?.error ?? null,
      output: traces[index]?.output,
      baseFeePerGas,
    }),
  );
  const block: Block = {
    ...ofNode,
    transactionCount: hashes.length,
    fees: transactions.reduce(
      (sum, { gasPrice, gasUsed }) => sum + (gasPrice - (baseFeePerGas ?? 0n)) * BigInt(gasUsed),
      0n,
    ),
    miningReward: issuance(header, number, rewards, options.chainId),
  };
  const executions = transactions.map((fields, index): Execution => {
    const transaction: ChainTransaction = { ...fields, block, index };
    return {
      transaction,
      frames: traces[index]?.frames.map((frame) => Object.assign(frame, { transaction })) ?? [],
      logs: receiptAt(receipts, index).logs.map((log) =>
        Object.assign(readLogFields({ log }), { transaction }),
      ),
    };
  });
  const credits = [
    ...rewardCredits(rewards, miner),
    ...(header.withdrawals ?? []).map(({ address, amount }): Credit => [address, amount * GWEI]),
    ...transactions.flatMap(({ from }, index): Credit[] => {
      const burnt = blobFee(header.transactions[index], receiptAt(receipts, index), index);
      return burnt === 0n ? [] : [[from, -burnt]];
    }),
  ];
  return { block, executions, credits };
}

function distinct(hashes: readonly Hash[]): readonly Hash[] {
  const seen = new Set<Hash>();
  for (const hash of hashes) {
    if (seen.has(hash)) {
      throw new IngestError(`expected every transaction once, received ${hash} twice`, {
        field: "block.transactions",
      });
    }
    seen.add(hash);
  }
  return hashes;
}

/** Checks that there is one receipt for each transaction of the block, in order. */
function checkReceipts(
  receipts: readonly RpcReceipt[],
  transactions: readonly Hash[],
  block: Hash,
): void {
  for (const [index, { transactionHash, blockHash }] of receipts.entries()) {
    const place = { field: fieldAt(["receipts", index]) };
    if (index < transactions.length && transactionHash !== transactions[index]) {
      throw new IngestError(
        `expected the receipt of transaction ${transactions[index]}, received the receipt of ${transactionHash}`,
        place,
      );
    }
    if (blockHash !== null && blockHash !== block) {
      throw new IngestError(
        `expected a receipt of block ${block}, received one of ${blockHash}`,
        place,
      );
    }
  }
  if (receipts.length !== transactions.length) {
    throw new IngestError(
      `expected a receipt for each of the block's ${transactions.length} transactions, received ${receipts.length}`,
      { field: "receipts" },
    );
  }
}

/** The receipt of a transaction; `checkReceipts` made sure there is one. */
function receiptAt(receipts: readonly RpcReceipt[], index: number): RpcReceipt {
  const receipt = receipts[index];
  if (receipt === undefined) throw new IngestError("expected a receipt for each transaction");
  return receipt;
}

/** A field that is optional in general, but needed here. */
function required(value: bigint | null, path: Path): bigint {
  return value ?? read(quantity, undefined, path);
}

/** The gas of one blob. Hardhat's receipts leave out gas and price, which is then the least, 1 wei. */
const GAS_PER_BLOB = 131_072n;

function blobFee(
  transaction: RpcTransaction | undefined,
  { blobGasUsed, blobGasPrice }: RpcReceipt,
  index: number,
): bigint {
  if (blobGasUsed === null)
    return GAS_PER_BLOB * BigInt(transaction?.blobVersionedHashes?.length ?? 0);
  if (blobGasUsed === 0n) return 0n;
  return blobGasUsed * required(blobGasPrice, ["receipts", index, "blobGasPrice"]);
}

function tracesOf(
  traces: unknown,
  transactions: readonly Hash[],
  options: ReadBlockOptions,
): BlockTraces {
  if (traces !== null && traces !== undefined) {
    return readTraces({ traces }, "traces", transactions);
  }
  if (transactions.length > 0 && options.missingTraces !== "accept") {
    throw new IngestError(
      `expected the traces of the block's ${transactions.length} transactions (callTracer or trace_block), received none`,
      { field: "traces" },
    );
  }
  return { traces: [], rewards: [] };
}

function transactionOf(
  transaction: RpcTransaction,
  receipt: RpcReceipt,
  {
    index,
    error,
    output,
    baseFeePerGas,
  }: Pick<ChainTransaction, "index" | "error" | "output"> & Pick<Block, "baseFeePerGas">,
): Omit<ChainTransaction, "block" | "index"> {
  const ofNode = readTransactionFields({ transaction, receipt });
  return {
    ...ofNode,
    hash: transaction.hash,
    created: ofNode.to === null ? createdBy(ofNode, receipt) : null,
    succeeded: receipt.status === null ? null : receipt.status === 1n,
    error,
    output,
    gasPrice:
      receipt.effectiveGasPrice ??
      offeredPrice({ ...ofNode, gasPrice: transaction.gasPrice }, index, baseFeePerGas),
  };
}

/** The contract that a creation makes, or would have made: some nodes leave it out where that failed. */
const createdBy = (
  { from, nonce }: Pick<ChainTransaction, "from" | "nonce">,
  { contractAddress }: RpcReceipt,
): Address =>
  contractAddress ??
  addressOfNumber(BigInt(ContractAddress.fromCreate({ from, nonce: BigInt(nonce) })));

/** The effective gas price, for receipts without one: the offered price, up to the cap. */
function offeredPrice(
  {
    gasPrice,
    maxFeePerGas: cap,
    maxPriorityFeePerGas,
  }: Pick<ChainTransaction, "maxFeePerGas" | "maxPriorityFeePerGas"> &
    Pick<RpcTransaction, "gasPrice">,
  index: number,
  baseFee: bigint | null,
): bigint {
  if (cap === null) return required(gasPrice, ["block", "transactions", index, "gasPrice"]);
  const offered = (baseFee ?? 0n) + (maxPriorityFeePerGas ?? 0n);
  return offered < cap ? offered : cap;
}

/** All issuance of the block, including the rewards of uncles' miners (S14). */
function issuance(
  { difficulty, uncles = [] }: RpcHeader,
  number: number,
  rewards: readonly TraceReward[],
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

/** The chain credits the whole reward to the block's miner; these credits move the others' share to them. */
function rewardCredits(rewards: readonly TraceReward[], miner: Address): Credit[] {
  return rewards
    .filter(({ author }) => author !== miner)
    .flatMap(({ author, value }): Credit[] => [
      [miner, -value],
      [author, value],
    ]);
}
