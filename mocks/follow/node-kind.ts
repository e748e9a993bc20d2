// What kind of node it is, told by its version: development nodes log each method they do not have in red, so these are asked last.
import * as z from "zod/mini";
import { check } from "../../src/models/issues.ts";
import { RpcError } from "../rpc/failure.ts";
import type { RpcNode } from "../rpc/node.ts";

export type NodeKind = "anvil" | "hardhat-2" | "hardhat" | "ganache" | "other";

const KINDS: readonly (readonly [RegExp, NodeKind])[] = [
  [/^anvil\//i, "anvil"],
  [/^hardhatnetwork\/2\./i, "hardhat-2"],
  [/^hardhat/i, "hardhat"],
  [/^ganache\//i, "ganache"],
];

/** The kind of a node; `other` if its version says nothing, or it has none. */
export async function nodeKind(node: RpcNode): Promise<NodeKind> {
  try {
    const { value } = check(z.string(), await node.call("web3_clientVersion", []));
    return KINDS.find(([pattern]) => pattern.test(value ?? ""))?.[1] ?? "other";
  } catch (error) {
    if (error instanceof RpcError) return "other";
    throw error;
  }
}

/** What a kind of node is known not to have. */
const LACKS: Readonly<Record<NodeKind, readonly string[]>> = {
  anvil: [],
  "hardhat-2": [
    ...["trace_block", "debug_traceBlockByNumber", "debug_traceTransaction"],
    "eth_getBlockReceipts",
  ],
  hardhat: ["trace_block", "debug_traceBlockByNumber", "eth_getBlockReceipts"],
  ganache: [
    ...["trace_block", "debug_traceBlockByNumber", "debug_traceTransaction"],
    "eth_getBlockReceipts",
  ],
  other: [],
};

/** The methods that a kind of node is known not to have, by the names that a block source gives them. */
export const methodsLackedBy = (kind: NodeKind): readonly string[] => LACKS[kind];
