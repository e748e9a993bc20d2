// The chain as an explorer's index shows it that sorts its lists in another order, or leaves out the ends of ranges.
import { ChainView } from "../chain/chain-view.ts";
import { listOf, reversed } from "../chain/listing.ts";
import type { BlockRange, ChainReader, Listing, LogFilter, Role } from "../chain/reader.ts";
import type { Address, ChainTransaction, TokenStandard } from "../chain/records.ts";
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

class ImitatedChain extends ChainView {
  readonly #habits: ListHabits;

  constructor(chain: ChainReader, habits: ListHabits) {
    super(chain);
    this.#habits = habits;
  }

  #sorted<Item>(list: Listing<Item>): Listing<Item> {
    const { order, sorted } = this.#habits;
    if (order === "unsorted" || sorted === "unsorted") return unsorted(list);
    return order === "oldest first" || sorted === "reversed" ? reversed(list) : list;
  }

  /** The list of a range without the ends that do not belong to it. */
  #within<Item, Range extends BlockRange>(
    range: Range,
    list: (range: Range) => Listing<Item>,
  ): Listing<Item> {
    const { startBlock: start = 0, endBlock: end = Number.MAX_SAFE_INTEGER } = range;
    const isOut = (name: "startBlock" | "endBlock") =>
      this.#habits[name] === "exclusive" && range[name] !== undefined;
    const startBlock = isOut("startBlock") ? start + 1 : start;
    const endBlock = isOut("endBlock") ? end - 1 : end;
    return startBlock > endBlock ? empty : this.#sorted(list({ ...range, startBlock, endBlock }));
  }

  override blocksMinedBy(miner: Address) {
    return this.#sorted(this.chain.blocksMinedBy(miner));
  }
  override transactions(address: Address, role: Role, range: BlockRange) {
    return this.#within(range, (own) => this.chain.transactions(address, role, own));
  }
  override frames(address: Address, range: BlockRange) {
    return this.#within(range, (own) => this.chain.frames(address, own));
  }
  override framesOf(transaction: ChainTransaction) {
    return this.#sorted(this.chain.framesOf(transaction));
  }
  override logs(filter: LogFilter) {
    return this.#within(filter, (own) => this.chain.logs(own));
  }
  override transfers(address: Address, standard: TokenStandard, range: BlockRange) {
    return this.#within(range, (own) => this.chain.transfers(address, standard, own));
  }
  override holdings(holder: Address, standard: TokenStandard) {
    return this.#sorted(this.chain.holdings(holder, standard));
  }
  override nfts(token: Address, holder?: Address) {
    return this.#sorted(this.chain.nfts(token, holder));
  }
}

export const reviewed = (chain: ChainReader, habits: ListHabits): ChainReader =>
  new ImitatedChain(chain, habits);
