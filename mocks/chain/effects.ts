// What undoing a block takes: which coins and tokens its transactions moved, and what they created.
import type { BlockInput } from "./block-input.ts";
import type { CoinExecution } from "./coin-moves.ts";
import type { Block } from "./records.ts";
import type { TransferLog } from "./transfer-event.ts";

/** A transaction without what changes no state, such as its hash and input. */
export interface Effects extends CoinExecution {
  /** The logs that may be transfers, by their first topic. */
  readonly transfers: readonly TransferLog[];
}

export interface BlockEffects {
  readonly block: Block;
  readonly executions: readonly Effects[];
  readonly credits: NonNullable<BlockInput["credits"]>;
}
