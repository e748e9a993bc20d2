// Sets the chain back for the admin API, in slices, so that other requests have their turn: replaces the last blocks by others, or removes them.
import type { OperationResultsWire } from "../../src/contract/index.ts";
import { ServiceError } from "../api.ts";
import { continueChain } from "../builder/index.ts";
import { rewindInSlices } from "../builder/reorganisation.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { yieldToEventLoop } from "../event-loop.ts";
import { lower } from "../operations/format.ts";
import type { AdminArguments, AdminOperations } from "./operations.ts";

type Signal = AbortSignal | undefined;

/** Takes the slices one by one. The chain changes after the last one; if it was changed meanwhile, it stays unchanged. */
async function inTurns<Result>(
  chain: ChainWriter,
  work: Generator<void, Result>,
  signal: Signal,
): Promise<Result> {
  const { revision } = chain;
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    await yieldToEventLoop();
    if (signal?.aborted) throw new ServiceError(503, "the caller has gone; nothing was changed");
    if (chain.revision !== revision)
      throw new ServiceError(409, "the chain was changed meanwhile; nothing was set back");
  }
}

/** Replaces the last blocks by as many others; returns the hashes of the transactions that were dropped. */
export async function reorganise(
  chain: ChainWriter,
  { blocks, drop = [] }: AdminArguments<"reorganise">,
  signal: Signal,
): Promise<OperationResultsWire<AdminOperations["reorganise"]>> {
  const dropped = drop === "all" ? drop : drop.map(lower);
  const work = continueChain(chain).reorgInSlices(blocks, { drop: dropped });
  const result = await inTurns(chain, work, signal);
  return { head: `${chain.head.number}`, dropped: result.dropped.map(({ hash }) => hash) };
}

/** Removes the last blocks; the first one stays. */
export async function rewind(
  chain: ChainWriter,
  { blocks }: AdminArguments<"rewind">,
  signal: Signal,
): Promise<OperationResultsWire<AdminOperations["rewind"]>> {
  if (blocks >= chain.length)
    throw new ServiceError(
      400,
      `blocks: expected at most ${chain.length - 1}, all but the first block, received ${blocks}`,
    );
  await inTurns(chain, rewindInSlices(chain, blocks), signal);
  return { head: `${chain.head.number}` };
}
