// The operations that change a chain: appending and rewinding blocks, setting the head state, forks
// and snapshots.

import type { CoinMove } from "./block-effects.ts";
import type { ChainReader, ChainSurvey } from "./reader.ts";
import type { Address, BlockInput, HeadState } from "./records.ts";

/** A point to return to with `chain.restore(snapshot)`. */
export interface ChainSnapshot {
  /** A fork of the chain as it was. */
  readonly chain: ChainReader;
}

/** A chain that can change: the interface that the explorer, the builder and followers use. */
export interface ChainWriter extends ChainReader, ChainSurvey {
  readonly length: number;
  readonly transactionCount: number;
  /**
   * Number of times that `rewind` or `restore` moved the chain back. A change that was prepared
   * before the last such move may no longer apply.
   */
  readonly rewindCount: number;

  /**
   * @internal Throws if the chain must not be changed, such as the shared chain inside `isolated`.
   */
  guard?: (() => void) | undefined;

  /** A block with its transactions, frames and logs, as it was appended. */
  blockInput(number: number): BlockInput | undefined;
  /**
   * Appends a block to the head, or throws and changes nothing. Calls `onOverdraft` for each
   * transfer that its sender cannot cover.
   */
  append(input: BlockInput, onOverdraft?: (overdraft: Overdraft) => void): void;
  /** Removes all blocks and state, and sets the chain id. */
  reset(chainId: number): void;
  /**
   * Removes the last `count` blocks, and the head state of the contracts created in these blocks.
   */
  rewind(count: number): void;

  /** Sets state that a node reported at the head. It overrides state derived from blocks. */
  applyHeadState(state: HeadState): void;
  /** Returns the head state set for these contracts, so that it can be set again after a rewind. */
  headStateOf(contracts: Iterable<Address>): HeadState;

  /** Returns an independent copy, in time proportional to the changes since the last fork. */
  fork(): ChainWriter;
  /** Saves the current state for `restore`. */
  snapshot(): ChainSnapshot;
  /** Returns to a snapshot. A snapshot can be restored any number of times. */
  restore(snapshot: ChainSnapshot): void;
}

/** A transfer that its sender cannot cover. */
export interface Overdraft extends CoinMove {
  readonly from: Address;
  /** Null for coins. */
  readonly token: Address | null;
  /** The sender's balance; null if `value` is the id of an MRC721 token. */
  readonly balance: bigint | null;
  /** The owner of the id, if another account owns it. */
  readonly owner?: Address | undefined;
}
