// A chain as somebody sees it who does not see all of it: a reader that passes everything on, to be overridden.
import type { BlockRange, ChainReader, LogFilter, Role } from "./reader.ts";
import type { Address, ChainTransaction, Hash, TokenStandard } from "./records.ts";

export class ChainView implements ChainReader {
  protected readonly chain: ChainReader;

  constructor(chain: ChainReader) {
    this.chain = chain;
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
    return this.chain.frames(address, range);
  }
  framesOf(transaction: ChainTransaction) {
    return this.chain.framesOf(transaction);
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
