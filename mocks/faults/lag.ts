// The chain as a lagging index shows it: without the records of the newest blocks, or without their traces.

import { countBefore, firstOf, listOf } from "../chain/listing.ts";
import { type BlockRange, type ChainReader, type Listing, viewOf } from "../chain/reader.ts";
import type { Block } from "../chain/records.ts";

const empty = listOf<never>([]);

const upTo = (range: BlockRange, last: number): BlockRange => ({
  ...range,
  endBlock: Math.min(range.endBlock ?? last, last),
});

/** The entries of a list in chain order up to block `last`. */
const blocksUpTo = (list: Listing<Block>, last: number): Listing<Block> =>
  firstOf(
    list,
    countBefore(list, ({ number }) => number <= last),
  );

/**
 * The chain as an index shows it that has blocks, or only their traces, up to `last`; balances and tokens are those at the real head, as a
 * node reports them.
 */
export function lagging(chain: ChainReader, last: number, what: "blocks" | "traces"): ChainReader {
  const traces: Pick<ChainReader, "frames" | "framesOf"> = {
    frames: (address, range) => chain.frames(address, upTo(range, last)),
    framesOf: (transaction) =>
      transaction.block.number > last ? empty : chain.framesOf(transaction),
  };
  if (what === "traces") return viewOf(chain, traces);
  return viewOf(chain, {
    ...traces,
    get head() {
      return chain.block(last) ?? chain.head;
    },
    block: (number) => (number > last ? undefined : chain.block(number)),
    blocksMinedBy: (miner) => blocksUpTo(chain.blocksMinedBy(miner), last),
    transaction(hash) {
      const transaction = chain.transaction(hash);
      return transaction && transaction.block.number > last ? undefined : transaction;
    },
    transactions: (address, role, range) => chain.transactions(address, role, upTo(range, last)),
    logs: (filter) => chain.logs({ ...filter, ...upTo(filter, last) }),
    transfers: (address, standard, range) => chain.transfers(address, standard, upTo(range, last)),
  });
}
