// The changes of a chain: appending and rewinding blocks, head state of a node, forks and
// snapshots.

import type { CoinMove } from "./block-effects.ts";
import type { ChainReader, ChainSurvey } from "./reader.ts";
import type { Address, BlockInput, ChainTransaction, HeadState } from "./records.ts";

/** A point to return to with `chain.restore(snapshot)`. */
export interface ChainSnapshot {
  /** A fork of the chain as it was. */
  readonly chain: ChainReader;
}

/** A chain that can change: what the explorer, the builder and a node's follower need of one. */
export interface ChainWriter extends ChainReader, ChainSurvey {
  readonly length: number;
  readonly transactionCount: number;
  /**
   * How often the chain went back, by `rewind` or `restore`: a plan made before may no longer fit.
   */
  readonly rewindCount: number;

  /**
   * @internal Throws where the chain may not be changed, such as the shared chain inside
   * `isolated`.
   */
  guard?: (() => void) | undefined;

  /** A block with its transactions, frames and logs, as it was appended. */
  blockInput(number: number): BlockInput | undefined;
  /**
   * Appends a block to the head, or throws and changes nothing. Calls `onOverdraft` for each
   * transfer that its sender cannot cover.
   */
  append(input: BlockInput, onOverdraft?: (overdraft: Overdraft) => void): void;
  /** Starts over: removes all blocks and state, and takes this chain id. */
  reset(chainId: number): void;
  /** Removes the last `count` blocks. Head state set for contracts they created is removed too. */
  rewind(count: number): void;

  /** Sets state as a node reports it at the head; it wins over what blocks imply. */
  applyHeadState(state: HeadState): void;
  /** The head state that was set for these contracts, to set again after a rewind removed it. */
  headStateOf(contracts: Iterable<Address>): HeadState;

  /**
   * A copy; neither chain sees later changes of the other. Costs what changed since the last fork.
   */
  fork(): ChainWriter;
  /** The chain as it is now, to return to. */
  snapshot(): ChainSnapshot;
  /** Returns to a snapshot, as often as you like. */
  restore(snapshot: ChainSnapshot): void;
}

/** Fewer coins than move. */
export interface CoinOverdraft extends CoinMove {
  readonly kind: "coins";
  readonly from: Address;
  readonly balance: bigint;
}

/** Less of an MRC20 token than the event moves. */
export interface AmountOverdraft {
  readonly kind: "amount";
  readonly token: Address;
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
  readonly balance: bigint;
}

/** An MRC721 token that the sender in the event does not own. */
export interface IdOverdraft {
  readonly kind: "id";
  readonly token: Address;
  readonly from: Address;
  /** The token id. */
  readonly value: bigint;
  readonly owner: Address | undefined;
}

export type TokenOverdraft = AmountOverdraft | IdOverdraft;

/** A transfer that its sender cannot cover. Without `transaction`, the block took the coins. */
export type Overdraft =
  | CoinOverdraft
  | (TokenOverdraft & { readonly transaction: ChainTransaction });
