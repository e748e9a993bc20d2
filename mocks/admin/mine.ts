// Mines for the admin API: all transfers or none, then block by block, so that other requests have their turn.
import { setImmediate } from "node:timers/promises";
import type { OperationResultsWire } from "../../src/contract/index.ts";
import { ServiceError } from "../api.ts";
import { continueChain } from "../builder/index.ts";
import type { Hash } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { lower } from "../operations/format.ts";
import type { AdminArguments, AdminOperations } from "./operations.ts";

/** How long blocks are mined at a stretch. */
const sliceMs = 5;

/** Mines, until the signal aborts. Throws an {@link ImpossibleError} for what no chain allows. */
export async function mine(
  chain: ChainWriter,
  { blocks, transfers = [], fund = [], miner }: AdminArguments<"mine">,
  signal: AbortSignal | undefined,
): Promise<OperationResultsWire<AdminOperations["mine"]>> {
  const builder = continueChain(chain);
  const options = miner === undefined ? {} : { miner: lower(miner) };
  const before = chain.snapshot();
  const sent: Hash[] = [];
  try {
    for (const { address, value } of fund) builder.fund(lower(address), BigInt(value));
    for (const { from, to, value } of transfers)
      sent.push(builder.transfer(lower(from), lower(to), BigInt(value)).hash);
    builder.mine(1, options);
  } catch (error) {
    chain.restore(before);
    throw error;
  }
  const { rewindCount } = chain;
  let since = performance.now();
  for (let mined = 1; mined < blocks; mined++) {
    if (performance.now() - since > sliceMs) {
      await setImmediate();
      if (signal?.aborted) break;
      if (chain.rewindCount !== rewindCount)
        throw new ServiceError(409, `the chain was set back after ${mined} of ${blocks} blocks`);
      since = performance.now();
    }
    builder.mine(1, options);
  }
  return { head: `${chain.head.number}`, transaction_hashes: sent };
}
