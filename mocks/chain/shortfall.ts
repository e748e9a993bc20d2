// An account gives away what it does not have: no chain allows it, but events of contracts and incomplete traces may tell of it.
import type { CoinMove } from "./coin-moves.ts";
import type { Address, Transaction } from "./records.ts";

/** Less of the native coin than is moved. */
export interface CoinShortfall extends CoinMove {
  readonly of: "coins";
  readonly from: Address;
  readonly has: bigint;
}

/** Less of an MRC20 token than its event says. */
export interface AmountShortfall {
  readonly of: "amount";
  readonly token: Address;
  readonly from: Address;
  readonly to: Address;
  readonly value: bigint;
  readonly has: bigint;
}

/** An MRC721 token that somebody else has than its event says, or nobody. */
export interface IdShortfall {
  readonly of: "id";
  readonly token: Address;
  readonly from: Address;
  /** The token id. */
  readonly value: bigint;
  readonly owner: Address | undefined;
}

export type TokenShortfall = AmountShortfall | IdShortfall;

/** `transaction` is null where the block itself takes the coins. */
export type Shortfall = CoinShortfall | (TokenShortfall & { readonly transaction: Transaction });
