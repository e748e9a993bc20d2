// Sets the chain back for the admin API: replaces the last blocks by others, or removes them.
import * as z from "zod/mini";
import { hash, integer } from "../../src/models/primitives.ts";
import { continueChain } from "../builder/index.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { lower } from "../operations/format.ts";
import { ServiceError } from "../operations/handler.ts";

/** Replacing blocks rebuilds each of them, while other requests wait. */
const maxReplaced = 1000;

const atLeastOne = z.refine<number>((blocks) => blocks >= 1, "1 or more");
const replaceable = z.refine<number>(
  (blocks) => blocks >= 1 && blocks <= maxReplaced,
  `1 to ${maxReplaced}`,
);

export const reorganiseSchema = z.strictObject({
  /** The number of blocks. */
  blocks: z._default(integer.check(replaceable), 1),
  /** Transactions that are no longer in a block. */
  drop: z._default(z.union([z.literal("all"), z.array(hash)]), () => []),
});

/** Replaces the last blocks by as many others; returns the hashes of the transactions that were dropped. */
export function reorganise(
  chain: ChainWriter,
  { blocks, drop }: z.output<typeof reorganiseSchema>,
): { readonly head: string; readonly dropped: readonly string[] } {
  const dropped = drop === "all" ? drop : drop.map(lower);
  const result = continueChain(chain).reorg(blocks, { drop: dropped });
  return { head: `${chain.head.number}`, dropped: result.dropped.map(({ hash }) => hash) };
}

export const rewindSchema = z.strictObject({
  /** The number of blocks. */
  blocks: z._default(integer.check(atLeastOne), 1),
});

/** Removes the last blocks; the first one stays. */
export function rewind(
  chain: ChainWriter,
  { blocks }: z.output<typeof rewindSchema>,
): { readonly head: string } {
  if (blocks >= chain.length)
    throw new ServiceError(
      400,
      `blocks: expected at most ${chain.length - 1}, all but the first block, received ${blocks}`,
    );
  chain.rewind(blocks);
  return { head: `${chain.head.number}` };
}
