// What a node says of its chain: the chain id, its last block, and the hash of a block.
import * as z from "zod/mini";
import { IngestError } from "../ingest/ingest-error.ts";
import { read } from "../ingest/read.ts";
import { count, hash } from "../ingest/values.ts";
import { RpcError } from "../rpc/failure.ts";
import { type RpcNode, resultOf } from "../rpc/node.ts";
import { hexQuantity } from "./block-source.ts";

/** The last block of a node. */
export interface NodeHead {
  readonly chainId: number;
  readonly number: number;
  readonly hash: string;
}

const headSchema = z.object({ number: count, hash });
const hashSchema = z.nullish(z.object({ hash }));

const BLOCK = "eth_getBlockByNumber";

/** The node's last block. @throws IngestError if it has none */
export async function nodeHead(node: RpcNode): Promise<NodeHead> {
  const [chainId, latest] = await node.callAll([
    { method: "eth_chainId", params: [] },
    { method: BLOCK, params: ["latest", false] },
  ]);
  const block = resultOf(BLOCK, latest);
  if (block === null || block === undefined) {
    throw new IngestError("the node has no latest block yet", { field: `${BLOCK}("latest")` });
  }
  return {
    chainId: read(count, resultOf("eth_chainId", chainId), ["eth_chainId"]),
    ...read(headSchema, block, ["block"]),
  };
}

/** The hash of a block; undefined if the node does not have the block. */
export async function blockHash(node: RpcNode, number: number): Promise<string | undefined> {
  try {
    const block = await node.call(BLOCK, [hexQuantity(number), false]);
    return read(hashSchema, block, ["block"])?.hash;
  } catch (error) {
    if (error instanceof RpcError && error.kind === "unavailable") return undefined;
    throw error;
  }
}
