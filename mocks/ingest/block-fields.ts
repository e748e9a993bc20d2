// Reads the fields of a block as a node returns it. Optional fields that cannot be read become
// null.
import * as z from "zod/mini";
import { check, type Issue } from "../../src/models/issues.ts";
import { blockFields, logFields, transactionFields } from "../chain/fields.ts";
import { ZERO_ADDRESS } from "../chain/hex.ts";
import type { Hash } from "../chain/records.ts";
import {
  address,
  count,
  data,
  describeIssue,
  fieldAt,
  hash,
  ingestError,
  isNothing,
  list,
  maybe,
  nodeShape,
  type Path,
  quantity,
  read,
  setNull,
} from "./read.ts";
import type { Note } from "./traces.ts";

export interface RpcBlock {
  /** `eth_getBlockByNumber(n, true)`. */
  readonly block: unknown;
  /** `eth_getBlockReceipts(n)`, or each transaction's `eth_getTransactionReceipt`. */
  readonly receipts: unknown;
  /** `debug_traceBlockByNumber` with callTracer, or `trace_block`; null if there are none. */
  readonly traces?: unknown;
}

const transactionSchema = z.object({
  ...nodeShape("transaction", transactionFields),
  hash,
  type: maybe(count),
  // The new coins of a retryable ticket of Arbitrum.
  depositValue: maybe(quantity),
  // The offered price, for receipts without the effective price.
  gasPrice: maybe(quantity),
  blobVersionedHashes: maybe(list(hash)),
});

const headerSchema = z.object({
  ...nodeShape("block", blockFields),
  difficulty: maybe(quantity),
  uncles: maybe(list(z.unknown())),
  withdrawals: maybe(list(z.object({ address, amount: quantity }))),
  // go-metadium states all fees of the block, and the shares of its rewards.
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

/** Stands in for a receipt that the node does not have. */
const noReceipt = (transactionHash: unknown) => ({ transactionHash, logs: [] });

export type RpcHeader = z.output<typeof headerSchema>;
export type RpcTransaction = z.output<typeof transactionSchema>;
export type RpcReceipt = z.output<typeof receiptSchema>;

// Fields that identify a block, a transaction or an event, or decide what it does. All others may
// be null.
const NEEDED: ReadonlySet<unknown> = new Set([
  ...["block", "receipts", "number", "hash", "parentHash", "timestamp", "miner", "transactions"],
  ...["from", "to", "value", "input", "transactionHash"],
  ...["address", "topics", "data"],
]);

/** Values for required fields that the node left empty. */
const READ_AS: ReadonlyMap<unknown, unknown> = new Map<unknown, unknown>([
  ...(["value", "input", "data"] as const).map((field) => [field, "0x"] as const),
  ["topics", []],
  ["miner", ZERO_ADDRESS],
]);

// Returns the block with each transaction once, and the positions that the node gives them:
// https://github.com/hiero-ledger/hiero-json-rpc-relay/issues/4869
export function withoutRepeated(
  block: unknown,
  isTaken: ((hash: Hash) => boolean) | undefined,
  note: Note,
): { readonly block: unknown; readonly positions: readonly number[] } {
  const { transactions } = Object(block);
  if (!Array.isArray(transactions)) return { block, positions: [] };
  const hashes = new Set<unknown>();
  const positions = [...transactions.keys()].filter((position) => {
    const hash = lowerCase(Object(transactions[position]).hash);
    const isRepeated = hashes.has(hash) || isTaken?.(hash as Hash) === true;
    hashes.add(hash);
    if (isRepeated)
      note(
        fieldAt(["block", "transactions", position]),
        `expected every transaction once, received ${hash} again`,
      );
    return !isRepeated;
  });
  if (positions.length === transactions.length) return { block, positions };
  const transactionsOnce = positions.map((position) => transactions[position]);
  return { block: { ...Object(block), transactions: transactionsOnce }, positions };
}

const lowerCase = (value: unknown): unknown =>
  typeof value === "string" ? value.toLowerCase() : value;

function inOrder(block: unknown, receipts: unknown, note: Note): unknown {
  const { transactions, hash: blockHash } = Object(block);
  if (!Array.isArray(receipts) || !Array.isArray(transactions)) return receipts;
  const isOfBlock = (receipt: unknown) => {
    const receiptBlockHash = Object(receipt).blockHash;
    return isNothing(receiptBlockHash) || lowerCase(receiptBlockHash) === lowerCase(blockHash);
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

// Returns the path of the withdrawal or event that an issue makes unreadable, so that it is left
// out.
function entryOf(issue: Issue): Path | undefined {
  const { path } = issue;
  if (path[1] === "withdrawals" && path.length > 2) return path.slice(0, 3);
  if (path[2] !== "logs" || path.length < 4) return undefined;
  return path.length === 4 || isNeeded(issue) ? path.slice(0, 4) : undefined;
}

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce((holder, step) => Object(holder)[step], root);

// Reads the fields of a block. Unreadable optional fields are null, or left out.
// @throws IngestError about needed ones
export function readFields(
  { block, receipts }: Omit<RpcBlock, "traces">,
  note: Note,
): z.output<typeof blockSchema> {
  const ordered = { block, receipts: inOrder(block, receipts, note) };
  const { value, issues } = check(blockSchema, ordered);
  if (value !== undefined) return value;
  const [needed, ...others] = issues.filter((issue) => isNeeded(issue) && !entryOf(issue));
  if (needed !== undefined) throw ingestError([needed, ...others]);
  const copy = structuredClone(ordered);
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

/** Notes gas and nonces that the node left out, because every other node states them. */
export function noteNull(
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
