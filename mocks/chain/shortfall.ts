// A transfer that its sender cannot cover. No chain allows it, but events of contracts and incomplete traces may claim it.
import type { CoinMove } from "./coin-moves.ts";
import type { Address, ChainTransaction } from "./records.ts";

/** Fewer coins than move. */
export interface CoinShortfall extends CoinMove {
  readonly kind: "coins";
  readonly from: Address;
  readonly balance: bigint;
}

/** Less of an MRC20 token than the event moves. */
export interface AmountShortfall {
  readonly kind: "amount";
  readonly token: Address;
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
  readonly balance: bigint;
}

/** An MRC721 token that the sender in the event does not own. */
export interface IdShortfall {
  readonly kind: "id";
  readonly token: Address;
  readonly from: Address;
  /** The token id. */
  readonly value: bigint;
  readonly owner: Address | undefined;
}

export type TokenShortfall = AmountShortfall | IdShortfall;

/** A transfer that its sender cannot cover; `transaction` is null where the block itself takes the coins. */
export type Shortfall =
  | CoinShortfall
  | (TokenShortfall & { readonly transaction: ChainTransaction });
