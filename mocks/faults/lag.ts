// The chain as a lagging index shows it: without the records of the newest blocks, or without their traces.
import { ChainView } from "../chain/chain-view.ts";
import { countBefore, firstOf, listOf } from "../chain/listing.ts";
import type { BlockRange, ChainReader, Listing, LogFilter, Role } from "../chain/reader.ts";
import type { Address, Block, ChainTransaction, Hash, TokenStandard } from "../chain/records.ts";

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

/** The chain without the traces of the blocks above `last`. */
class WithoutTraces extends ChainView {
  protected readonly last: number;

  constructor(chain: ChainReader, last: number) {
    super(chain);
    this.last = last;
  }
  override frames(address: Address, range: BlockRange) {
    return this.chain.frames(address, upTo(range, this.last));
  }
  override framesOf(transaction: ChainTransaction) {
    return transaction.block.number > this.last ? empty : this.chain.framesOf(transaction);
  }
}

/** The chain without records of the blocks above `last`; balances and tokens are those at the real head, as a node reports them. */
class WithoutBlocks extends WithoutTraces {
  override get head() {
    return this.chain.block(this.last) ?? this.chain.head;
  }
  override block(number: number) {
    return number > this.last ? undefined : this.chain.block(number);
  }
  override blocksMinedBy(miner: Address) {
    return blocksUpTo(this.chain.blocksMinedBy(miner), this.last);
  }
  override transaction(hash: Hash) {
    const transaction = this.chain.transaction(hash);
    return transaction && transaction.block.number > this.last ? undefined : transaction;
  }
  override transactions(address: Address, role: Role, range: BlockRange) {
    return this.chain.transactions(address, role, upTo(range, this.last));
  }
  override logs(filter: LogFilter) {
    return this.chain.logs({ ...filter, ...upTo(filter, this.last) });
  }
  override transfers(address: Address, standard: TokenStandard, range: BlockRange) {
    return this.chain.transfers(address, standard, upTo(range, this.last));
  }
}

/** The chain as an index shows it that has blocks, or only their traces, up to `last`. */
export const lagging = (
  chain: ChainReader,
  last: number,
  what: "blocks" | "traces",
): ChainReader =>
  what === "blocks" ? new WithoutBlocks(chain, last) : new WithoutTraces(chain, last);
