// Holdings of an account: coins (A1), and tokens in the combined list or by standard.
import { type Decoded, type Encoded, model, records } from "./model.ts";
import { address, amount, integer, orNull, status, text } from "./primitives.ts";

/** An address and its balance in the native coin's smallest unit (A1). */
export const AccountBalance = model({
  /** The account. */
  address,
  /** The balance in the native coin's smallest unit. */
  balance: amount,
});
export interface AccountBalance extends Decoded<typeof AccountBalance> {}
export type AccountBalanceWire = Encoded<typeof AccountBalance>;

/** An MRC20 token in the combined list. */
export const Mrc20Holding = model({
  /** The balance in the token's smallest unit. */
  balance: amount,
  /** The contract of the token. */
  token_address: address,
  /** The token's symbol; null if the contract has none. */
  token_symbol: orNull(text),
  /** The token's name; null if the contract has none. */
  token_name: orNull(text),
  /** The account that holds the token. */
  holder_address: address,
  /** "0" for an account, "1" for a contract. */
  holder_type: orNull(status),
  /** The decimal places of an amount; null for tokens with ids or if the contract states none. */
  token_decimals: orNull(integer),
});
export type Mrc20Holding = Decoded<typeof Mrc20Holding>;
export type Mrc20HoldingWire = Encoded<typeof Mrc20Holding>;

/** An MRC721 collection in the combined list. */
export const Mrc721Holding = model({
  /** The number of tokens held. */
  balance: amount,
  /** The contract of the collection. */
  token_address: address,
  /** The account that holds the tokens. */
  holder_address: address,
});
export type Mrc721Holding = Decoded<typeof Mrc721Holding>;
export type Mrc721HoldingWire = Encoded<typeof Mrc721Holding>;

/** The combined list of an account's tokens. */
export const AccountTokens = model({
  /** The fungible tokens. */
  mrc_20: model({
    /** The number of tokens; null if the service does not count them. */
    count: orNull(integer),
    /** The tokens. */
    results: records(Mrc20Holding),
  }),
  /** The collections of non-fungible tokens. */
  mrc_721: model({
    /** The number of collections; null if the service does not count them. */
    count: orNull(integer),
    /** The collections. */
    results: records(Mrc721Holding),
  }),
});
export interface AccountTokens extends Decoded<typeof AccountTokens> {}
export type AccountTokensWire = Encoded<typeof AccountTokens>;

/** A token in an account's list of one standard. */
export const TokenEntry = model({
  /** The contract of the token. */
  token_address: address,
  /** The token's name; null if the contract has none. */
  token_name: orNull(text),
  /** The token's symbol; null if the contract has none. */
  token_symbol: orNull(text),
});
export interface TokenEntry extends Decoded<typeof TokenEntry> {}
export type TokenEntryWire = Encoded<typeof TokenEntry>;
