// Reads one block as a node returns it (block, receipts, traces) into the input of a chain.

import * as ContractAddress from "ox/ContractAddress";
import { toString as textIn } from "ox/Hex";
import * as z from "zod/mini";
import { check, describe, type Issue } from "../../src/models/issues.ts";
import { sharedCredits, tipOf } from "../chain/block-effects.ts";
import { blockFields, logFields, transactionFields } from "../chain/fields.ts";
import { ZERO_ADDRESS, ZERO_HASH } from "../chain/hex.ts";
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
  address,
  count,
  data,
  describeIssue,
  fieldAt,
  hash,
  IngestError,
  ingestError,
  isNothing,
  list,
  maybe,
  nodeFields,
  nodeShape,
  type Path,
  quantity,
  read,
  setNull,
  withLocation,
} from "./read.ts";
import { type BlockTraces, type Note, readTraces, type TraceReward } from "./traces.ts";

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
  /** Called with what the block lacks, or has in a form that cannot be read: block, field and reason. It is then null, or left out. */
  readonly onMissing?: ((what: string) => void) | undefined;
  /** Whether a block below has a transaction: it is then left out of this one. */
  readonly isTaken?: ((hash: Hash) => boolean) | undefined;
}

const transactionSchema = z.object({
  ...nodeShape("transaction", transactionFields),
  hash,
  type: maybe(count),
  // The new coins of a retryable ticket of Arbitrum.
  depositValue: maybe(quantity),
  // The offered price, for receipts without the effective one.
  gasPrice: maybe(quantity),
  blobVersionedHashes: maybe(list(hash)),
});

const headerSchema = z.object({
  ...nodeShape("block", blockFields),
  difficulty: maybe(quantity),
  uncles: maybe(list(z.unknown())),
  withdrawals: maybe(list(z.object({ address, amount: quantity }))),
  // Of go-metadium: all fees of the block, and who gets them and the issuance.
  fees: maybe(quantity),
  rewards: maybe(data),
  transactions: list(transactionSchema),
});

const receiptSchema = z.object({
  ...nodeShape("receipt", transactionFields),
  transactionHash: hash,
  blockHash: maybe(hash),
  // Receipts from before Byzantium have a state root instead.
  status: maybe(quantity),
  contractAddress: maybe(address),
  effectiveGasPrice: maybe(quantity),
  // Blob gas has its own price and is burnt.
  blobGasUsed: maybe(quantity),
  blobGasPrice: maybe(quantity),
  logs: maybe(list(z.object({ ...nodeShape("log", logFields), logIndex: maybe(count) }))),
});

const blockSchema = z.object({ block: headerSchema, receipts: list(receiptSchema) });

/** What stands in for a receipt that the node does not have. */
const noReceipt = (transactionHash: unknown) => ({ transactionHash, logs: [] });

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
      const { number } = read(numberOnly, given).block;
      const noted = new Set<string>();
      const note: Note = (field, reason) => {
        options.onMissing?.(`block ${number}, ${field}: ${reason}`);
        noted.add(field);
      };
      const { positions, ...once } = withoutRepeated(given.block, options, note);
      const { block, receipts } = readFields({ ...given, ...once }, note);
      noteNull(block, receipts, note, noted);
      return toBlockInput(block, receipts, given.traces, { ...options, note, positions });
    },
  );
}

/** The fields without which a block, a transaction or an event is not what it is. All others may be null. */
const NEEDED: ReadonlySet<unknown> = new Set([
  ...["block", "receipts", "number", "hash", "parentHash", "timestamp", "miner", "transactions"],
  ...["from", "to", "value", "input", "transactionHash"],
  ...["address", "topics", "data"],
]);

/** The readings of nothing in fields that a record always has. They are noted, because the node may have meant something else. */
const READ_AS: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  ...(["value", "input", "data"] as const).map((field) => [field, "0x"] as const),
  ["topics", []],
  ["miner", ZERO_ADDRESS],
]);

/**
 * The block with each transaction once, and the positions that the node gives them:
 * https://github.com/hiero-ledger/hiero-json-rpc-relay/issues/4869
 */
function withoutRepeated(
  block: unknown,
  { isTaken }: ReadBlockOptions,
  note: Note,
): { readonly block: unknown; readonly positions: readonly number[] } {
  const { transactions } = Object(block);
  if (!Array.isArray(transactions)) return { block, positions: [] };
  const seen = new Set<unknown>();
  const positions = [...transactions.keys()].filter((position) => {
    const hash = lowerCase(Object(transactions[position]).hash);
    const isRepeated = seen.has(hash) || isTaken?.(hash as Hash) === true;
    seen.add(hash);
    if (isRepeated)
      note(
        fieldAt(["block", "transactions", position]),
        `expected every transaction once, received ${hash} again`,
      );
    return !isRepeated;
  });
  if (positions.length === transactions.length) return { block, positions };
  const kept = positions.map((position) => transactions[position]);
  return { block: { ...Object(block), transactions: kept }, positions };
}

const lowerCase = (value: unknown): unknown =>
  typeof value === "string" ? value.toLowerCase() : value;

/** The receipts in the order of the transactions, with an empty one for each that the node does not have for this block. */
function inOrder(block: unknown, receipts: unknown, note: Note): unknown {
  const { transactions, hash: blockHash } = Object(block);
  if (!Array.isArray(receipts) || !Array.isArray(transactions)) return receipts;
  const isOfBlock = (receipt: unknown) => {
    const own = Object(receipt).blockHash;
    return isNothing(own) || lowerCase(own) === lowerCase(blockHash);
  };
  const byHash = new Map(
    receipts
      .filter(isOfBlock)
      .map((receipt) => [lowerCase(Object(receipt).transactionHash), receipt]),
  );
  return transactions.map((transaction, index) => {
    const { hash } = Object(transaction);
    const receipt = byHash.get(lowerCase(hash));
    if (receipt !== undefined) return receipt;
    note(fieldAt(["receipts", index]), "expected a receipt, received none");
    return noReceipt(hash);
  });
}

const isNeeded = ({ path, received }: Issue) => {
  const field = path.findLast((step) => typeof step === "string");
  return NEEDED.has(field) && !(READ_AS.has(field) && isNothing(received));
};

/** The steps to the withdrawal or the event that cannot be read without this field: it is left out, and all others are as they are. */
function entryOf(issue: Issue): Path | undefined {
  const { path } = issue;
  if (path[1] === "withdrawals" && path.length > 2) return path.slice(0, 3);
  if (path[2] !== "logs" || path.length < 4) return undefined;
  return path.length === 4 || isNeeded(issue) ? path.slice(0, 4) : undefined;
}

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce((holder, step) => Object(holder)[step], root);

/** The fields of a block; what cannot be read and need not be is null, or left out. @throws IngestError about the others */
function readFields(
  { block, receipts }: Omit<RpcBlock, "traces">,
  note: Note,
): z.output<typeof blockSchema> {
  const given = { block, receipts: inOrder(block, receipts, note) };
  const { value, issues } = check(blockSchema, given);
  if (value !== undefined) return value;
  const [needed, ...others] = issues.filter((issue) => isNeeded(issue) && !entryOf(issue));
  if (needed !== undefined) throw ingestError([needed, ...others]);
  const copy = structuredClone(given);
  const leftOut = new Map<unknown, unknown>();
  for (const issue of issues) {
    const { path, received } = issue;
    const entry = entryOf(issue);
    const field = path.at(-1);
    if (READ_AS.has(field) && isNothing(received)) {
      Object(valueAt(copy, path.slice(0, -1)))[String(field)] = READ_AS.get(field);
      // A list without items is null in Go.
      if (field !== "topics") note(fieldAt(path), describeIssue(issue));
      continue;
    }
    note(fieldAt(path), describeIssue(issue));
    if (entry) leftOut.set(valueAt(copy, entry), valueAt(copy, entry.slice(0, -1)));
    else setNull(copy, path);
  }
  for (const [entry, list] of leftOut) if (Array.isArray(list)) list.splice(list.indexOf(entry), 1);
  return read(blockSchema, copy);
}

/** Notes what every node states, and this one does not. */
function noteNull(
  block: RpcHeader,
  receipts: readonly RpcReceipt[],
  note: Note,
  noted: ReadonlySet<string>,
): void {
  const noteIn = (place: Path, holder: object, fields: readonly string[]) => {
    if (noted.has(fieldAt(place))) return;
    for (const field of fields)
      if (Object(holder)[field] === null && !noted.has(fieldAt([...place, field])))
        note(fieldAt([...place, field]), "expected an integer, received nothing");
  };
  noteIn(["block"], block, ["gasUsed", "gasLimit"]);
  for (const [index, transaction] of block.transactions.entries())
    noteIn(["block", "transactions", index], transaction, ["gas", "nonce"]);
  for (const [index, receipt] of receipts.entries())
    noteIn(["receipts", index], receipt, ["gasUsed", "cumulativeGasUsed"]);
}

function toBlockInput(
  header: RpcHeader,
  receipts: readonly RpcReceipt[],
  given: unknown,
  options: ReadBlockOptions & { readonly note: Note; readonly positions: readonly number[] },
): BlockInput {
  const ofNode = readBlockFields({ block: header });
  const { number, miner, baseFeePerGas } = ofNode;
  const hashes = header.transactions.map((transaction) => transaction.hash);
  const { traces, rewards } = tracesOf(given, hashes, options);
  const transactions = header.transactions.map((transaction, index) =>
    transactionOf(transaction, receiptAt(receipts, index), {
      error: traces[index]?.error ?? null,
      output: traces[index]?.output,
      baseFeePerGas,
    }),
  );
  const tips = transactions.reduce((sum, one) => sum + tipOf(one, ofNode), 0n);
  const fees = header.fees ?? tips;
  const shares = statedRewards(header.rewards, options.note);
  const stated = shares && shares.reduce((sum, { value }) => sum + value, 0n) - fees;
  const block: Block = {
    ...ofNode,
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

/** The receipt of a transaction. `inOrder` made sure that there is one. */
function receiptAt(receipts: readonly RpcReceipt[], index: number): RpcReceipt {
  const receipt = receipts[index];
  if (receipt === undefined) throw new IngestError("expected a receipt for each transaction");
  return receipt;
}

/** The gas of one blob. Hardhat's receipts leave out gas and price, which is then the least, 1 wei. */
const GAS_PER_BLOB = 131_072n;

/** What a transaction burns for its blobs; null if it is not known. OP Stack writes the size of data as `blobGasUsed`, which has no price. */
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
  const ofNode = readTransactionFields({ transaction, receipt });
  const mint = mintOf(transaction, ofNode.value) ?? ofNode.mint;
  return {
    ...ofNode,
    mint,
    hash: transaction.hash,
    created: ofNode.to === null ? createdBy(ofNode, receipt) : null,
    succeeded: receipt.status === null ? null : receipt.status === 1n,
    error,
    output,
    gasPrice:
      receipt.effectiveGasPrice ??
      offeredPrice({ ...ofNode, gasPrice: transaction.gasPrice }, baseFeePerGas),
  };
}

/** The types of Arbitrum's transactions that have new coins from the L1: a deposit its value, a retryable ticket a deposit. */
const [ARBITRUM_DEPOSIT, ARBITRUM_TICKET] = [0x64, 0x69];

/** The new coins of a transaction of Arbitrum, from the L1. */
function mintOf({ type, depositValue }: RpcTransaction, value: bigint): bigint | undefined {
  if (type === ARBITRUM_DEPOSIT) return value;
  return type === ARBITRUM_TICKET ? (depositValue ?? undefined) : undefined;
}

/** The contract that a creation makes, or would have made: some nodes leave it out where that failed. */
const createdBy = (
  { from, nonce }: Pick<ChainTransaction, "from" | "nonce">,
  { contractAddress }: RpcReceipt,
): Address | null => {
  if (contractAddress !== null || nonce === null) return contractAddress;
  return ContractAddress.fromCreate({ from, nonce: BigInt(nonce) }).toLowerCase() as Address;
};

/** The effective gas price, for receipts without one: the offered price, up to the cap. */
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

/** All issuance of the block, including the rewards of uncles' miners (S14). */
function issuance(
  { difficulty, uncles }: RpcHeader,
  number: number,
  rewards: readonly TraceReward[],
  chainId: number | undefined,
): bigint {
  if (rewards.length > 0) return rewards.reduce((sum, { value }) => sum + value, 0n);
  return minerIssuance({
    chainId,
    number,
    difficulty: difficulty ?? 0n,
    uncles: uncles?.length ?? 0,
  });
}

/** A share of what a header of Metadium states: the amounts are JSON numbers, most above 2^53. */
const SHARE = /\{\s*"addr"\s*:\s*"(0x[0-9a-f]{40})"\s*,\s*"reward"\s*:\s*(\d+)\s*\}/gi;

/** Who gets the rewards of a block, fees included, as its header states them; undefined if it does not. */
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

/** The chain credits the whole reward to the block's miner; these credits move the others' share to them. */
function rewardCredits(rewards: readonly TraceReward[], miner: Address): Credit[] {
  return rewards
    .filter(({ author }) => author !== miner)
    .flatMap(({ author, value }): Credit[] => [
      [miner, -value],
      [author, value],
    ]);
}

/**
 * Links a block that its node only reserved to the block below it. Hardhat 3 gives the blocks of a long `hardhat_mine` no parent, and no miner.
 */
export function linkReserved(
  { block }: BlockInput,
  below: Pick<Block, "number" | "hash"> | undefined,
): void {
  const isReserved = block.parentHash === ZERO_HASH && block.number > 0;
  if (isReserved && below?.number === block.number - 1)
    Object.assign(block, { parentHash: below.hash });
}
