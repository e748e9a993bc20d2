// The chain as an explorer's index shows it that sorts its lists in another order, or leaves out the ends of ranges.
import { viewOf } from "../chain/chain-view.ts";
import { listOf, reversed } from "../chain/listing.ts";
import type { BlockRange, ChainReader, Listing } from "../chain/reader.ts";
import type { ListHabits } from "./profile.ts";

/** The list with neighbours exchanged: sorted in neither direction, and any page of it costs no more than before. */
function unsorted<Item>(list: Listing<Item>): Listing<Item> {
  const { count } = list;
  const placeOf = (index: number) => ((index ^ 1) < count ? index ^ 1 : index);
  return {
    count,
    at: (index) => list.at(placeOf(index)),
    slice(offset, limit) {
      const length = Math.max(0, Math.min(limit, count - offset));
      return Array.from({ length }, (_, index) => list.at(placeOf(offset + index)));
    },
  };
}

const empty = listOf<never>([]);

/** The chain in the order of these habits. */
export function reviewed(chain: ChainReader, habits: ListHabits): ChainReader {
  function sort<Item>(list: Listing<Item>): Listing<Item> {
    const { order, sorted } = habits;
    if (order === "unsorted" || sorted === "unsorted") return unsorted(list);
    return order === "oldest first" || sorted === "reversed" ? reversed(list) : list;
  }

  /** The list of a range without the ends that do not belong to it. */
  function within<Item, Range extends BlockRange>(
    range: Range,
    list: (range: Range) => Listing<Item>,
  ): Listing<Item> {
    const { startBlock: start = 0, endBlock: end = Number.MAX_SAFE_INTEGER } = range;
    const isOut = (name: "startBlock" | "endBlock") =>
      habits[name] === "exclusive" && range[name] !== undefined;
    const startBlock = isOut("startBlock") ? start + 1 : start;
    const endBlock = isOut("endBlock") ? end - 1 : end;
    return startBlock > endBlock ? empty : sort(list({ ...range, startBlock, endBlock }));
  }

  return viewOf(chain, {
    blocksMinedBy: (miner) => sort(chain.blocksMinedBy(miner)),
    transactions: (address, role, range) =>
      within(range, (own) => chain.transactions(address, role, own)),
    frames: (address, range) => within(range, (own) => chain.frames(address, own)),
    framesOf: (transaction) => sort(chain.framesOf(transaction)),
    logs: (filter) => within(filter, (own) => chain.logs(own)),
    transfers: (address, standard, range) =>
      within(range, (own) => chain.transfers(address, standard, own)),
    holdings: (holder, standard) => sort(chain.holdings(holder, standard)),
    nfts: (token, holder) => sort(chain.nfts(token, holder)),
  });
}
