// The queries on a chain. Lists are in chain order, or in ascending order of their key. The service
// decides on the order that clients see.
import type {
  Address,
  Block,
  ChainTransaction,
  ContractVerification,
  Execution,
  Frame,
  Hash,
  Hex,
  Holding,
  Log,
  Nft,
  Token,
  TokenStandard,
  Transfer,
} from "./records.ts";

/** A list with a known length that creates only the records that you read. */
export interface Listing<Item> {
  readonly count: number;
  /** The record at `index`, 0 <= index < count. */
  at(index: number): Item;
  /** A page: up to `limit` records from `offset`; fewer, or none, at the end of the list. */
  slice(offset: number, limit: number): Item[];
}

/** A range of block numbers, both ends included. Without an end, the range is open on that side. */
export interface BlockRange {
  readonly startBlock?: number | undefined;
  readonly endBlock?: number | undefined;
}

/** The role of an address in a transaction. `contract` means that the transaction created it. */
export type Role = "all" | "to" | "from" | "contract";

export interface LogFilter extends BlockRange {
  readonly address: Address;
  /** The topic at each position; undefined matches anything. */
  readonly topics: readonly (Hash | undefined)[];
  /** Whether a log must match all of the topics or at least one of them. */
  readonly operand: "and" | "or";
}

export interface ChainReader {
  readonly chainId: number;
  readonly head: Block;
  block(number: number): Block | undefined;
  blocksMinedBy(miner: Address): Listing<Block>;

  transaction(hash: Hash): ChainTransaction | undefined;
  /** The transactions of an address. By default, in all roles and in all blocks. */
  transactions(address: Address, role?: Role, range?: BlockRange): Listing<ChainTransaction>;

  /** The frames in which the address is sender, receiver or created contract. */
  frames(address: Address, range?: BlockRange): Listing<Frame>;
  /** The frames below the root of one transaction, in execution order. */
  framesOf(transaction: ChainTransaction): Listing<Frame>;

  logs(filter: LogFilter): Listing<Log>;
  transfers(address: Address, standard: TokenStandard, range?: BlockRange): Listing<Transfer>;

  balance(address: Address): bigint;
  /** Runtime code at the head; `0x` for an account without code. */
  code(address: Address): Hex;

  token(address: Address): Token | undefined;
  tokenBalance(token: Address, holder: Address): bigint;
  /** Ascending by token address. */
  holdings(holder: Address, standard: TokenStandard): Listing<Holding>;
  /** The tokens that are known, in no order. */
  knownTokens(): Iterable<Address>;
  /**
   * The accounts that may hold a token: accounts in its transfers, and accounts for which a node
   * reported a balance or an id.
   */
  knownHolders(token: Address): Iterable<Address>;
  /** The ids that a collection's events name, even if a node says that they no longer exist. */
  knownIds(token: Address): Iterable<bigint>;
  /** The live token of a collection with this id. */
  nft(token: Address, id: bigint): Nft | undefined;
  /** The live tokens of a collection, or of one holder in it, ascending by id. */
  nfts(token: Address, holder?: Address): Listing<Nft>;

  /** The verified source; undefined if the account's code has changed since. */
  verified(address: Address): ContractVerification | undefined;
}

export const chainOrigins = ["demo", "folder", "generated", "node", "built"] as const;

/** The origin of a chain. `built` means that a program, such as a test, built the chain. */
export interface ChainOrigin {
  readonly kind: (typeof chainOrigins)[number];
  /** The folder's name, or the node's host and port; null for other origins. */
  readonly name: string | null;
}

export const builtOrigin: ChainOrigin = { kind: "built", name: null };

/** An address and the number of its transactions. */
export interface BusyAccount {
  readonly address: Address;
  readonly transactions: number;
}

export interface ChainSurvey {
  readonly origin: ChainOrigin;
  /** A number that changes with every change of blocks or of the state at the head. */
  readonly revision: number;

  /** The transactions of all accounts, in chain order. */
  allTransactions(range?: BlockRange): Listing<ChainTransaction>;
  execution(hash: Hash): Execution | undefined;
  /**
   * The accounts with most transactions, the busiest first, with exact counts. The list is
   * approximate: it misses an account that is outside the top 128 of every segment of the chain.
   */
  busiestAccounts(count: number): readonly BusyAccount[];

  /** In no order. */
  tokens(): Token[];
  /** In no order. */
  verifiedContracts(): ContractVerification[];
}

/** Returns a view of a chain in which `own` replaces some queries. */
export const viewOf = (chain: ChainReader, own: Partial<ChainReader>): ChainReader =>
  new Proxy(chain, {
    get(_, name) {
      if (name in own) return Reflect.get(own, name);
      const value: unknown = Reflect.get(chain, name);
      return typeof value === "function" ? value.bind(chain) : value;
    },
  });
