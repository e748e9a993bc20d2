// What the service may ask of a chain. Every list is in chain order (or ascending); the service decides how it is shown.
import type {
  Address,
  Block,
  Frame,
  Hash,
  Hex,
  Holding,
  Log,
  Nft,
  Token,
  TokenStandard,
  Transaction,
  Transfer,
  VerifiedContract,
} from "./records.ts";

/** A list that knows its length and gives any record by its position, without making the others. */
export interface Listing<Record> {
  readonly count: number;
  /** The record at `index`, 0 <= index < count. */
  at(index: number): Record;
}

/** Inclusive; a side left out is open. */
export interface BlockRange {
  readonly startBlock?: number | undefined;
  readonly endBlock?: number | undefined;
}

/** The role an address plays in a transaction; `contract`: the transaction created it. */
export type Role = "all" | "to" | "from" | "contract";

export interface LogFilter extends BlockRange {
  readonly address: Address;
  /** By position; undefined matches anything. */
  readonly topics: readonly (Hash | undefined)[];
  /** How the given topics are joined. */
  readonly operand: "and" | "or";
}

export interface ChainReader {
  readonly chainId: number;
  readonly head: Block;
  block(number: number): Block | undefined;
  /** The blocks a miner made, in chain order. */
  blocksMinedBy(miner: Address): Listing<Block>;

  transaction(hash: Hash): Transaction | undefined;
  transactions(address: Address, role: Role, range: BlockRange): Listing<Transaction>;

  /** The frames in which the address is sender, receiver or created contract. */
  frames(address: Address, range: BlockRange): Listing<Frame>;
  /** The frames below the root of one transaction, in execution order. */
  framesOf(transaction: Transaction): Listing<Frame>;

  logs(filter: LogFilter): Listing<Log>;
  transfers(address: Address, standard: TokenStandard, range: BlockRange): Listing<Transfer>;

  balance(address: Address): bigint;
  /** Runtime code at the head; `0x` for an account without. */
  code(address: Address): Hex;

  token(address: Address): Token | undefined;
  tokenBalance(token: Address, holder: Address): bigint;
  /** Ascending by token address. */
  holdings(holder: Address, standard: TokenStandard): Listing<Holding>;
  /** The live tokens of a collection, or of one holder in it, ascending by id. */
  nfts(token: Address, holder?: Address): Listing<Nft>;

  /** What `verify` (operation C3) has proven, or the chain folder brought as proven. */
  verified(address: Address): VerifiedContract | undefined;
}
