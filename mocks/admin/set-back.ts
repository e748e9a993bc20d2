// Sets the chain back for the admin API: replaces the last blocks by others, or removes them.
import type { OperationResultsWire } from "../../src/contract/index.ts";
import { ServiceError } from "../api.ts";
import { continueChain } from "../builder/index.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { lower } from "../operations/format.ts";
import type { AdminArguments, AdminOperations } from "./operations.ts";

/** Replaces the last blocks by as many others; returns the hashes of the transactions that were dropped. */
export function reorganise(
  chain: ChainWriter,
  { blocks, drop = [] }: AdminArguments<"reorganise">,
): OperationResultsWire<AdminOperations["reorganise"]> {
  const dropped = drop === "all" ? drop : drop.map(lower);
  const result = continueChain(chain).reorg(blocks, { drop: dropped });
  return { head: `${chain.head.number}`, dropped: result.dropped.map(({ hash }) => hash) };
}

/** Removes the last blocks; the first one stays. */
export function rewind(
  chain: ChainWriter,
  { blocks }: AdminArguments<"rewind">,
): OperationResultsWire<AdminOperations["rewind"]> {
  if (blocks >= chain.length)
    throw new ServiceError(
      400,
      `blocks: expected at most ${chain.length - 1}, all but the first block, received ${blocks}`,
    );
  chain.rewind(blocks);
  return { head: `${chain.head.number}` };
}
