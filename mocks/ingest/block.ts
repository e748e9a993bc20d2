// Reads one block as a node returns it (block, receipts, traces) into the input of a chain.

import * as ContractAddress from "ox/ContractAddress";
import { toString as textIn } from "ox/Hex";
import * as z from "zod/mini";
import { check, describe } from "../../src/models/issues.ts";
import { sharedCredits, tipOf } from "../chain/block-effects.ts";
import { blockFields, logFields, transactionFields } from "../chain/fields.ts";
import { ZERO_HASH } from "../chain/hex.ts";
import type {
  Address,
  Block,
  BlockInput,
  ChainTransaction,
  Execution,
  Hash,
  Hex,
} from "../chain/records.ts";
import { coins, gwei } from "../chain/units.ts";
import {
  noteNull,
  type RpcBlock,
  type RpcHeader,
  type RpcReceipt,
  type RpcTransaction,
  readFields,
  withoutRepeated,
} from "./block-fields.ts";
import { count, fieldAt, IngestError, nodeFields, read, withLocation } from "./read.ts";
import { type BlockTraces, type Note, readTraces, type TraceReward } from "./traces.ts";

const MAINNET = 1;

/** Mainnet's static block rewards under proof of work, by first block (EIP-1234, EIP-649). */
const STATIC_REWARDS = [
  [7_280_000, coins(2)],
  [4_370_000, coins(3)],
  [0, coins(5)],
] as const;

// Returns the coins that a block issues: the rewards in its traces, or the miner's static reward and
// 1/32 of it for each included uncle. The rewards of uncles' miners depend on heights that only
// trace_block reports. Outside mainnet a difficulty does not imply a reward: proof of authority has
// one, too.
function issuance(
  { difficulty, uncles }: RpcHeader,
  number: number,
  rewards: readonly TraceReward[],
  chainId: number | undefined,
): bigint {
  if (rewards.length > 0) return rewards.reduce((sum, { value }) => sum + value, 0n);
  if (!difficulty) return 0n;
  if (chainId === undefined) {
    throw new IngestError(
      "cannot compute the reward of a mined block: the chain's id is unknown; set chainId in the options",
    );
  }
  if (chainId !== MAINNET) return 0n;
  const reward = STATIC_REWARDS.find(([from]) => number >= from)?.[1] ?? 0n;
  return reward + (reward / 32n) * BigInt(uncles?.length ?? 0);
}

export interface ReadBlockOptions {
  /** Decides whether mined blocks have a reward. */
  readonly chainId: number | undefined;
  // Whether to `refuse` a block that has transactions but no traces, or to `accept` it without
  // internal transactions.
  readonly missingTraces?: "refuse" | "accept" | undefined;
  /** Called with block, field and reason for data that the block lacks, or that cannot be read. */
  readonly onMissing?: ((what: string) => void) | undefined;
  /** Whether an earlier block has a transaction, which is then left out of this block. */
  readonly isTaken?: ((hash: Hash) => boolean) | undefined;
}

const readBlockFields = nodeFields(blockFields);
const readTransactionFields = nodeFields(transactionFields);
const readLogFields = nodeFields(logFields);

const numberSchema = z.object({ block: z.object({ number: count }) });

const GWEI = gwei(1);

type Credit = readonly [Address, bigint];

/** Reads and checks one block. @throws IngestError that names the block and the fields */
export function readBlock(rpcBlock: RpcBlock, options: ReadBlockOptions): BlockInput {
  return withLocation(
    () => ({ block: check(numberSchema, rpcBlock).value?.block.number }),
    () => {
      const { number } = read(numberSchema, rpcBlock).block;
      const noted = new Set<string>();
      const note: Note = (field, reason) => {
        options.onMissing?.(`block ${number}, ${field}: ${reason}`);
        noted.add(field);
      };
      const { positions, ...deduplicated } = withoutRepeated(rpcBlock.block, options.isTaken, note);
      const { block, receipts } = readFields({ ...rpcBlock, ...deduplicated }, note);
      noteNull(block, receipts, note, noted);
      return toBlockInput(block, receipts, rpcBlock.traces, { ...options, note, positions });
    },
  );
}

function toBlockInput(
  header: RpcHeader,
  receipts: readonly RpcReceipt[],
  rpcTraces: unknown,
  options: ReadBlockOptions & { readonly note: Note; readonly positions: readonly number[] },
): BlockInput {
  const rpcFields = readBlockFields({ block: header });
  const { number, miner, baseFeePerGas } = rpcFields;
  const hashes = header.transactions.map((transaction) => transaction.hash);
  const { traces, rewards } = tracesOf(rpcTraces, hashes, options);
  const transactions = header.transactions.map((transaction, index) =>
    transactionOf(transaction, receiptAt(receipts, index), {
      error: traces[index]?.error ?? null,
      output: traces[index]?.output,
      baseFeePerGas,
    }),
  );
  const tips = transactions.reduce((sum, transaction) => sum + tipOf(transaction, rpcFields), 0n);
  const fees = header.fees ?? tips;
  const shares = statedRewards(header.rewards, options.note);
  const stated = shares && shares.reduce((sum, { value }) => sum + value, 0n) - fees;
  const block: Block = {
    ...rpcFields,
    transactionCount: hashes.length,
    fees,
    miningReward:
      stated !== undefined && stated >= 0n
        ? stated
        : issuance(header, number, rewards, options.chainId),
  };
  const executions = transactions.map((fields, index): Execution => {
    const transaction: ChainTransaction = {
      ...fields,
      block,
      index: options.positions[index] ?? index,
    };
    return {
      transaction,
      frames: traces[index]?.frames.map((frame) => Object.assign(frame, { transaction })) ?? [],
      logs: (receiptAt(receipts, index).logs ?? []).map((log) =>
        Object.assign(readLogFields({ log: { ...log, logIndex: log.logIndex ?? 0 } }), {
          transaction,
        }),
      ),
    };
  });
  const credits = [
    ...rewardCredits(rewards, miner),
    ...(shares === undefined
      ? []
      : [...sharedCredits(block), ...shares.map(({ author, value }): Credit => [author, value])]),
    ...(header.withdrawals ?? []).map(({ address, amount }): Credit => [address, amount * GWEI]),
    ...transactions.flatMap(({ from }, index): Credit[] => {
      const { blobVersionedHashes } = header.transactions[index] ?? {};
      const blobs = blobVersionedHashes?.length ?? 0;
      const burnt = blobFee(blobs, receiptAt(receipts, index));
      if (burnt === null)
        options.note(
          fieldAt(["receipts", index, "blobGasPrice"]),
          "expected the price of its blobs, received none",
        );
      return burnt ? [[from, -burnt]] : [];
    }),
  ];
  return { block, executions, credits };
}

/** Returns the receipt of a transaction. `inOrder` has checked that each transaction has one. */
function receiptAt(receipts: readonly RpcReceipt[], index: number): RpcReceipt {
  const receipt = receipts[index];
  if (receipt === undefined) throw new IngestError("expected a receipt for each transaction");
  return receipt;
}

// Gas of one blob (EIP-4844). Hardhat's receipts omit the blob gas and its price, so the price is
// assumed to be the minimum, 1 wei.
const GAS_PER_BLOB = 131_072n;

// Returns the fee burnt for blobs; null if unknown. OP Stack nodes report the size of data as
// `blobGasUsed`, without a price.
function blobFee(blobs: number, { blobGasUsed, blobGasPrice }: RpcReceipt): bigint | null {
  if (blobGasUsed === null) return GAS_PER_BLOB * BigInt(blobs);
  if (blobGasPrice !== null) return blobGasUsed * blobGasPrice;
  return blobs === 0 ? 0n : null;
}

function tracesOf(
  traces: unknown,
  transactions: readonly Hash[],
  options: ReadBlockOptions & { readonly note: Note },
): BlockTraces {
  if (traces !== null && traces !== undefined) {
    return readTraces(traces, transactions, options.note);
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
    error,
    output,
    baseFeePerGas,
  }: Pick<ChainTransaction, "error" | "output"> & Pick<Block, "baseFeePerGas">,
): Omit<ChainTransaction, "block" | "index"> {
  const rpcFields = readTransactionFields({ transaction, receipt });
  const mint = mintOf(transaction, rpcFields.value) ?? rpcFields.mint;
  return {
    ...rpcFields,
    mint,
    hash: transaction.hash,
    created: rpcFields.to === null ? createdBy(rpcFields, receipt) : null,
    succeeded: receipt.status === null ? null : receipt.status === 1n,
    error,
    output,
    gasPrice:
      receipt.effectiveGasPrice ??
      offeredPrice({ ...rpcFields, gasPrice: transaction.gasPrice }, baseFeePerGas),
  };
}

/**
 * Arbitrum's ArbitrumDepositTx and ArbitrumSubmitRetryableTx, which mint coins deposited on the L1.
 */
const [ARBITRUM_DEPOSIT, ARBITRUM_TICKET] = [0x64, 0x69];

/** Returns the coins that an Arbitrum transaction mints. */
function mintOf({ type, depositValue }: RpcTransaction, value: bigint): bigint | undefined {
  if (type === ARBITRUM_DEPOSIT) return value;
  return type === ARBITRUM_TICKET ? (depositValue ?? undefined) : undefined;
}

// Returns the address of the created contract. Computes the address if the receipt has none,
// because some nodes omit it for a failed creation.
const createdBy = (
  { from, nonce }: Pick<ChainTransaction, "from" | "nonce">,
  { contractAddress }: RpcReceipt,
): Address | null => {
  if (contractAddress !== null || nonce === null) return contractAddress;
  return ContractAddress.fromCreate({ from, nonce: BigInt(nonce) }).toLowerCase() as Address;
};

/**
 * Computes the effective gas price for receipts that omit it (EIP-1559): base fee and tip, up to
 * the cap.
 */
function offeredPrice(
  {
    gasPrice,
    maxFeePerGas: cap,
    maxPriorityFeePerGas,
  }: Pick<ChainTransaction, "maxFeePerGas" | "maxPriorityFeePerGas"> &
    Pick<RpcTransaction, "gasPrice">,
  baseFee: bigint | null,
): bigint | null {
  if (cap === null) return gasPrice;
  const offered = (baseFee ?? 0n) + (maxPriorityFeePerGas ?? 0n);
  return offered < cap ? offered : cap;
}

/**
 * A share of the rewards in a Metadium header. Not read with JSON.parse, because most amounts are
 * numbers above 2^53.
 */
const SHARE = /\{\s*"addr"\s*:\s*"(0x[0-9a-f]{40})"\s*,\s*"reward"\s*:\s*(\d+)\s*\}/gi;

// Reads the shares of a block's rewards, fees included, from its header; undefined if it has none.
function statedRewards(rewards: Hex | null, note: Note): readonly TraceReward[] | undefined {
  if (rewards === null || rewards === "0x") return undefined;
  const text = textIn(rewards);
  const shares = Array.from(text.matchAll(SHARE), ([, author = "", value = ""]) => ({
    author: author.toLowerCase() as Address,
    value: BigInt(value),
  }));
  if (text.replaceAll(SHARE, "").replaceAll(/[\s,]/g, "") === "[]") return shares;
  note("block.rewards", `expected a list of { addr, reward }, received ${describe(text)}`);
  return undefined;
}

// Moves the shares of other accounts from the miner to these accounts, because the chain credits
// the whole reward to the miner.
function rewardCredits(rewards: readonly TraceReward[], miner: Address): Credit[] {
  return rewards
    .filter(({ author }) => author !== miner)
    .flatMap(({ author, value }): Credit[] => [
      [miner, -value],
      [author, value],
    ]);
}

// Sets the parent of a block that Hardhat 3 only reserved: the blocks of a long `hardhat_mine` have
// no parent and no miner.
export function linkReserved(
  { block }: BlockInput,
  below: Pick<Block, "number" | "hash"> | undefined,
): void {
  const isReserved = block.parentHash === ZERO_HASH && block.number > 0;
  if (isReserved && below?.number === block.number - 1)
    Object.assign(block, { parentHash: below.hash });
}
