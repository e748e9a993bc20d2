// The chain as a lagging index shows it: without the records of the newest blocks, or without their traces.
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
class WithoutTraces implements ChainReader {
  protected readonly chain: ChainReader;
  protected readonly last: number;

  constructor(chain: ChainReader, last: number) {
    this.chain = chain;
    this.last = last;
  }
  get chainId() {
    return this.chain.chainId;
  }
  get head() {
    return this.chain.head;
  }
  block(number: number) {
    return this.chain.block(number);
  }
  blocksMinedBy(miner: Address) {
    return this.chain.blocksMinedBy(miner);
  }
  transaction(hash: Hash) {
    return this.chain.transaction(hash);
  }
  transactions(address: Address, role: Role, range: BlockRange) {
    return this.chain.transactions(address, role, range);
  }
  frames(address: Address, range: BlockRange) {
    return this.chain.frames(address, upTo(range, this.last));
  }
  framesOf(transaction: ChainTransaction) {
    return transaction.block.number > this.last ? empty : this.chain.framesOf(transaction);
  }
  logs(filter: LogFilter) {
    return this.chain.logs(filter);
  }
  transfers(address: Address, standard: TokenStandard, range: BlockRange) {
    return this.chain.transfers(address, standard, range);
  }
  balance(address: Address) {
    return this.chain.balance(address);
  }
  code(address: Address) {
    return this.chain.code(address);
  }
  token(address: Address) {
    return this.chain.token(address);
  }
  tokenBalance(token: Address, holder: Address) {
    return this.chain.tokenBalance(token, holder);
  }
  holdings(holder: Address, standard: TokenStandard) {
    return this.chain.holdings(holder, standard);
  }
  knownTokens() {
    return this.chain.knownTokens();
  }
  knownHolders(token: Address) {
    return this.chain.knownHolders(token);
  }
  knownIds(token: Address) {
    return this.chain.knownIds(token);
  }
  nfts(token: Address, holder?: Address) {
    return this.chain.nfts(token, holder);
  }
  verified(address: Address) {
    return this.chain.verified(address);
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
