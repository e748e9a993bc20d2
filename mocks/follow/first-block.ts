// Where following a node begins: at its genesis, at the block it was forked from, or where the user says.
import * as z from "zod/mini";
import { check } from "../../src/models/issues.ts";
import { IngestError } from "../ingest/ingest-error.ts";
import { count } from "../ingest/values.ts";
import { RpcError } from "../rpc/failure.ts";
import type { RpcNode } from "../rpc/node.ts";
import type { NodeKind } from "./node-kind.ts";

export interface FirstBlockOptions {
  /** The first block to load. Default: the block a development node was forked from, or 0. */
  readonly fromBlock?: number | "latest" | undefined;
  /** Loads a chain of any length from its genesis. */
  readonly all?: boolean | undefined;
}

/** A longer chain is not loaded from its genesis unless the user says so: it takes hours. */
const MANY_BLOCKS = 5_000_000;

/** How development nodes tell the block they were forked from. */
const anvilInfo = z.object({ forkConfig: z.object({ forkBlockNumber: count }) });
const hardhatMetadata = z.object({ forkedNetwork: z.object({ forkBlockNumber: count }) });

/** The number of the first block to load, for a node with this head, forked from this block if from any. */
export function firstBlock(
  head: number,
  fork: number | undefined,
  { fromBlock, all = false }: FirstBlockOptions,
): number {
  if (fromBlock === "latest") return head;
  const first = fromBlock ?? fork ?? 0;
  if (head < first) {
    throw new IngestError(`cannot follow from block ${first}: the node's head is ${head}`);
  }
  if (fromBlock === undefined && !all && head - first >= MANY_BLOCKS) {
    throw new IngestError(
      `the node has ${head + 1} blocks: choose where to begin with fromBlock (--from-block ${head - 10_000}, or --from-block latest), or load them all (--all)`,
    );
  }
  return first;
}

/** The block that a development node was forked from; undefined if it was not forked, or is no such node. */
export async function forkBlock(node: RpcNode, kind: NodeKind): Promise<number | undefined> {
  const isHardhat = kind === "hardhat" || kind === "hardhat-2";
  const [anvil, hardhat] = await Promise.all([
    isHardhat ? undefined : ask(node, "anvil_nodeInfo"),
    kind === "anvil" ? undefined : ask(node, "hardhat_metadata"),
  ]);
  const { value: info } = check(anvilInfo, anvil);
  const { value: metadata } = check(hardhatMetadata, hardhat);
  return info?.forkConfig.forkBlockNumber ?? metadata?.forkedNetwork.forkBlockNumber;
}

/** What a node says of itself; undefined if it does not have the method. */
async function ask(node: RpcNode, method: string): Promise<unknown> {
  try {
    return await node.call(method, []);
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}
