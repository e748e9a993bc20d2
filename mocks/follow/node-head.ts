// What a node says of its chain: the chain id, its last block, and the hash of a block.
import * as z from "zod/mini";
import { IngestError } from "../ingest/ingest-error.ts";
import { read } from "../ingest/read.ts";
import { count, hash } from "../ingest/values.ts";
import { kindOf, RpcError } from "../rpc/failure.ts";
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

/**
 * The node's last block. If `networkOf` knows the network of its hash, this is the only thing asked: some nodes log each method.
 *
 * @throws IngestError if it has none
 */
export async function nodeHead(
  node: RpcNode,
  networkOf: (hash: string) => number | undefined,
): Promise<NodeHead> {
  const block = await node.call(BLOCK, ["latest", false]);
  if (block === null || block === undefined) {
    throw new IngestError(
      "the node has no latest block. What to do: wait if it is starting; after an evm_revert that failed, mine a block (evm_mine) or restart the node",
      { field: `${BLOCK}("latest")` },
    );
  }
  const head = read(headSchema, block, ["block"]);
  const known = networkOf(head.hash);
  if (known !== undefined) return { ...head, chainId: known };
  const chainId = await node.call("eth_chainId", []);
  return { ...head, chainId: read(count, chainId, ["eth_chainId"]) };
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

/**
 * Whether the node has its head but not this block below it. Both are asked for together: servers behind one address may be at different
 * blocks, and one that lags has neither.
 */
export async function lacksBlock(node: RpcNode, number: number, head: NodeHead): Promise<boolean> {
  if (number >= head.number) return false;
  const responses = await node.callAll(
    [number, head.number].map((at) => ({ method: BLOCK, params: [hexQuantity(at), false] })),
  );
  const [below, last] = responses.map((response) => {
    if ("error" in response && kindOf(response.error) === "unavailable") return undefined;
    return read(hashSchema, resultOf(BLOCK, response), ["block"])?.hash;
  });
  return below === undefined && last === head.hash;
}
