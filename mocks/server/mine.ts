// Mines for the admin API: all transfers or none, then block by block, so that other requests have their turn.
import { setImmediate } from "node:timers/promises";
import * as z from "zod/mini";
import { address, amount, integer } from "../../src/models/primitives.ts";
import { continueChain } from "../builder/index.ts";
import type { Hash } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { lower } from "../operations/format.ts";
import { ServiceError } from "../operations/handler.ts";

/** More than any test needs, so that mining ends in time. */
const maxBlocks = 100_000;
const blockLimit = z.refine<number>(
  (blocks) => blocks >= 1 && blocks <= maxBlocks,
  `1 to ${maxBlocks}`,
);

export const mineSchema = z.strictObject({
  /** The number of blocks; the transfers are in the first. */
  blocks: z._default(integer.check(blockLimit), 1),
  transfers: z.optional(z.array(z.strictObject({ from: address, to: address, value: amount }))),
  /** Accounts that receive new coins before the transfers. */
  fund: z.optional(z.array(z.strictObject({ address, value: amount }))),
  miner: z.optional(address),
});

/** How long blocks are mined at a stretch. */
const sliceMs = 5;

/** Mines, until the signal aborts. Returns the hashes of the transfers. */
export async function mine(
  chain: ChainWriter,
  { blocks, transfers = [], fund = [], miner }: z.output<typeof mineSchema>,
  signal: AbortSignal | undefined,
): Promise<readonly Hash[]> {
  const builder = continueChain(chain);
  const options = miner === undefined ? {} : { miner: lower(miner) };
  const before = chain.snapshot();
  const sent: Hash[] = [];
  try {
    for (const { address, value } of fund) builder.fund(lower(address), value);
    for (const { from, to, value } of transfers)
      sent.push(builder.transfer(lower(from), lower(to), value).hash);
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
  return sent;
}
