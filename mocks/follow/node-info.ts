// Facts about a node: its head, its network, its kind, and the block it was forked from.
import * as z from "zod/mini";
import { check } from "../../src/models/issues.ts";
import { quantityOf } from "../chain/hex.ts";
import { count, hash, IngestError, read } from "../ingest/read.ts";
import { kindOf, RpcError } from "./rpc/errors.ts";
import { type RpcNode, resultOf } from "./rpc/node.ts";

/** The last block of a node. */
export interface NodeHead {
  readonly chainId: number;
  readonly number: number;
  readonly hash: string;
}

const headSchema = z.object({ number: count, hash });
const hashSchema = z.nullable(z.object({ hash }));

const BLOCK = "eth_getBlockByNumber";

// Returns the node's last block. If `networkOf` knows the network of its hash, requests nothing
// else, because some nodes log each method.
// @throws IngestError if it has none
export async function nodeHead(
  node: RpcNode,
  networkOf: (hash: string) => number | undefined,
): Promise<NodeHead> {
  const block = await node.call(BLOCK, ["latest", false]);
  if (block === null || block === undefined) {
    const isForTests = (await nodeKind(node)) !== "other";
    const advice = isForTests
      ? "wait if it is starting; after an evm_revert that failed, mine a block (evm_mine) or restart the node"
      : "wait if it is starting, or use another address of the network";
    throw new IngestError(`the node has no latest block. What to do: ${advice}`, {
      field: `${BLOCK}("latest")`,
    });
  }
  const head = read(headSchema, block, ["block"]);
  const network = networkOf(head.hash);
  if (network !== undefined) return { ...head, chainId: network };
  const chainId = await node.call("eth_chainId", []);
  return { ...head, chainId: read(count, chainId, ["eth_chainId"]) };
}

export async function blockHash(node: RpcNode, number: number): Promise<string | undefined> {
  try {
    const block = await node.call(BLOCK, [quantityOf(number), false]);
    return read(hashSchema, block ?? null, ["block"])?.hash;
  } catch (error) {
    if (error instanceof RpcError && error.kind === "unavailable") return undefined;
    throw error;
  }
}

// Whether the node has its head but not this block below it. Requests both together, because
// servers behind one address may be at different blocks. A server that lags has neither.
export async function lacksBlock(node: RpcNode, number: number, head: NodeHead): Promise<boolean> {
  if (number >= head.number) return false;
  const responses = await node.callAll(
    [number, head.number].map((at) => ({ method: BLOCK, params: [quantityOf(at), false] })),
  );
  const [below, last] = responses.map((response) => {
    if ("error" in response && kindOf(response.error) === "unavailable") return undefined;
    return read(hashSchema, resultOf(BLOCK, response) ?? null, ["block"])?.hash;
  });
  return below === undefined && last === head.hash;
}

export type NodeKind = "anvil" | "hardhat-2" | "hardhat" | "other";

const KINDS: readonly (readonly [RegExp, NodeKind])[] = [
  [/^anvil\//i, "anvil"],
  [/^hardhatnetwork\/2\./i, "hardhat-2"],
  [/^hardhat/i, "hardhat"],
];

/** Returns the kind of a node; `other` if it does not report a known version. */
export async function nodeKind(node: RpcNode): Promise<NodeKind> {
  try {
    const { value } = check(z.string(), await node.call("web3_clientVersion", []));
    return KINDS.find(([pattern]) => pattern.test(value ?? ""))?.[1] ?? "other";
  } catch (error) {
    if (error instanceof RpcError) return "other";
    throw error;
  }
}

const LACKS: Readonly<Record<NodeKind, readonly string[]>> = {
  anvil: [],
  "hardhat-2": [
    ...["trace_block", "debug_traceBlockByNumber", "debug_traceTransaction"],
    ...["eth_getBlockReceipts", "eth_getReceiptsByHash"],
  ],
  hardhat: [
    "trace_block",
    "debug_traceBlockByNumber",
    "eth_getBlockReceipts",
    "eth_getReceiptsByHash",
  ],
  other: [],
};

// Returns the methods that a kind of node does not have.
export const methodsLackedBy = (kind: NodeKind): readonly string[] => LACKS[kind];

/** How Hardhat and anvil name the block they were forked from. */
const metadataSchema = z.object({ forkedNetwork: z.object({ forkBlockNumber: count }) });

// Returns the block that a development node was forked from; undefined if it was not forked, or is
// not a development node. Does not use `anvil_nodeInfo`, because anvil 1.7 hangs for good if it
// mines while it answers that method.
export async function forkBlock(node: RpcNode): Promise<number | undefined> {
  const { value } = check(metadataSchema, await ask(node, "hardhat_metadata"));
  return value?.forkedNetwork.forkBlockNumber;
}

const syncSchema = z.object({ currentBlock: count, highestBlock: count });

/**
 * Describes how far the node is behind its network while it syncs; undefined if it has all blocks.
 */
export async function syncLag(node: RpcNode): Promise<IngestError | undefined> {
  const { value } = check(syncSchema, await ask(node, "eth_syncing"));
  if (value === undefined || value.currentBlock >= value.highestBlock) return undefined;
  return new IngestError(
    `the node is still syncing: it is at block ${value.currentBlock} of ${value.highestBlock} (eth_syncing); its blocks are followed as it gets them. What to do: wait, or use another node`,
  );
}

/** Returns the result of a call; undefined if the node does not have the method. */
async function ask(node: RpcNode, method: string): Promise<unknown> {
  try {
    return await node.call(method, []);
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}

const SAMPLE = 100;
const transactionsSchema = z.object({ transactions: z.array(z.unknown()) });

/** Estimates the transactions of the blocks from `first` to `last` from 100 of them. */
export async function estimateTransactions(
  node: RpcNode,
  first: number,
  last: number,
): Promise<number> {
  const count = last - first + 1;
  const numbers = Array.from({ length: SAMPLE }, (_, nth) =>
    Math.floor(first + ((nth + 0.5) * count) / SAMPLE),
  );
  const responses = await node.callAll(
    numbers.map((number) => ({ method: BLOCK, params: [quantityOf(number), false] })),
  );
  const counts = responses.flatMap((response) => {
    const { value } = check(transactionsSchema, Object(response).result);
    return value === undefined ? [] : [value.transactions.length];
  });
  const sum = counts.reduce((total, transactions) => total + transactions, 0);
  return counts.length === 0 ? 0 : Math.round((sum / counts.length) * count);
}
