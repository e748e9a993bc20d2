// What an account holds: coins (A1) and tokens, in the combined list or by standard (specification 2.7).
import { type Decoded, type Encoded, model, records } from "./model.ts";
import { address, amount, integer, orNull, status, text } from "./primitives.ts";

/** An address and its balance in the native coin's smallest unit (A1). */
export const AccountBalance = model({ address, balance: amount });
export interface AccountBalance extends Decoded<typeof AccountBalance> {}
export type AccountBalanceWire = Encoded<typeof AccountBalance>;

/** An MRC20 token in the combined list (specification 2.7). */
export const Mrc20Holding = model({
  /** In the token's smallest unit. */
  balance: amount,
  token_address: address,
  token_symbol: orNull(text),
  token_name: orNull(text),
  holder_address: address,
  /** "0" account, "1" contract. */
  holder_type: orNull(status),
  token_decimals: orNull(integer),
});
export type Mrc20Holding = Decoded<typeof Mrc20Holding>;
export type Mrc20HoldingWire = Encoded<typeof Mrc20Holding>;

/** An MRC721 collection in the combined list (specification 2.7). */
export const Mrc721Holding = model({
  /** The number of tokens held. */
  balance: amount,
  token_address: address,
  holder_address: address,
});
export type Mrc721Holding = Decoded<typeof Mrc721Holding>;
export type Mrc721HoldingWire = Encoded<typeof Mrc721Holding>;

/** The combined list of an account's tokens (specification 2.7). */
export const AccountTokens = model({
  mrc_20: model({ count: orNull(integer), results: records(Mrc20Holding) }),
  mrc_721: model({ count: orNull(integer), results: records(Mrc721Holding) }),
});
export interface AccountTokens extends Decoded<typeof AccountTokens> {}
export type AccountTokensWire = Encoded<typeof AccountTokens>;

/** A token in an account's list of one standard (specification 2.7). */
export const TokenEntry = model({
  token_address: address,
  token_name: orNull(text),
  token_symbol: orNull(text),
});
export interface TokenEntry extends Decoded<typeof TokenEntry> {}
export type TokenEntryWire = Encoded<typeof TokenEntry>;
