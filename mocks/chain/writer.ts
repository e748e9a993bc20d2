// What may change a chain: appending and rewinding blocks, the head state a node reports, forks and snapshots.
import type { BlockInput, HeadState } from "./block-input.ts";
import type { ChainReader } from "./reader.ts";
import type { Address } from "./records.ts";
import type { Shortfall } from "./shortfall.ts";
import type { ChainSurvey } from "./survey.ts";

/** A point to return to with `chain.restore(snapshot)`. */
export interface ChainSnapshot {
  /** A fork of the chain as it was. */
  readonly chain: ChainReader;
}

/** A chain that can change: what the explorer, the builder and a node's follower need of one. */
export interface ChainWriter extends ChainReader, ChainSurvey {
  /** The number of blocks. */
  readonly length: number;
  /** The number of transactions. */
  readonly transactionCount: number;
  /** How often the chain went back, by `rewind` or `restore`: a plan made before may no longer fit. */
  readonly rewindCount: number;

  /** A block with its transactions, frames and logs, as it was appended. */
  blockInput(number: number): BlockInput | undefined;
  /** Appends a block to the head, or throws and changes nothing. `onShortfall` is called for each transfer its sender cannot cover. */
  append(input: BlockInput, onShortfall?: (shortfall: Shortfall) => void): void;
  /** Starts over: removes all blocks and state, and takes this chain id. */
  reset(chainId: number): void;
  /** Removes the last `count` blocks. Head state set for contracts they created is removed too. */
  rewind(count: number): void;

  /** Sets state as a node reports it at the head; it wins over what blocks imply. */
  applyHeadState(state: HeadState): void;
  /** The head state that was set for these contracts, to set again after a rewind removed it. */
  headStateOf(contracts: Iterable<Address>): HeadState;

  /** A copy; neither chain sees later changes of the other. Costs what changed since the last fork. */
  fork(): ChainWriter;
  /** The chain as it is now, to return to. */
  snapshot(): ChainSnapshot;
  /** Returns to a snapshot, as often as you like. */
  restore(snapshot: ChainSnapshot): void;
}
