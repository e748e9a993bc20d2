// The queries over a whole chain, and where it is from, for people who look around: the service's operations ask about one address, block
// or transaction.
import type { Execution } from "./block-input.ts";
import type { BlockRange, Listing } from "./reader.ts";
import type {
  Address,
  Block,
  ChainTransaction,
  ContractVerification,
  Hash,
  Token,
} from "./records.ts";

/** What made a chain; `built`: a program, such as a test. */
export interface ChainOrigin {
  readonly kind: "demo" | "folder" | "generated" | "node" | "built";
  /** The folder's name, or the node's host and port; null for the others. */
  readonly name: string | null;
}

export const builtOrigin: ChainOrigin = { kind: "built", name: null };

/** An address and the number of its transactions. */
export interface BusyAccount {
  readonly address: Address;
  readonly transactions: number;
}

/** Coins an account received outside of transactions: in the first block, as a withdrawal, as an uncle's reward. Negative if it lost them. */
export interface Credit {
  readonly block: Block;
  readonly value: bigint;
}

/** A chain to look around in. */
export interface ChainSurvey {
  readonly origin: ChainOrigin;
  /** Another number after every change: of blocks, and of the state at the head. */
  readonly revision: number;

  /** The block with a hash; the first question reads all blocks. */
  blockOfHash(hash: Hash): Block | undefined;
  /** The transactions of all accounts, in chain order. */
  allTransactions(range: BlockRange): Listing<ChainTransaction>;
  /** A transaction with its frames and logs. */
  execution(hash: Hash): Execution | undefined;
  /**
   * The accounts with most transactions, the busiest first; at most 128. Each count is exact. An account may be missing that is in the first
   * 128 of none of the chain's segments, which a chain has few of.
   */
  busiestAccounts(count: number): readonly BusyAccount[];
  /** From a block on, in chain order. */
  creditsOf(account: Address, startBlock: number): readonly Credit[];

  /** In no order. */
  tokens(): Token[];
  /** The holders of a token, with what they hold, in no order. */
  holdersOf(token: Address): Iterable<readonly [holder: Address, balance: bigint]>;
  /** In no order. */
  verifiedContracts(): ContractVerification[];
}
