// What an account holds: the combined list of tokens and the lists of one standard (specification 2.7).
import { type Decoded, type Encoded, listKind, record, recordKind } from "./compose.ts";
import { address, amount, integer, nullable, status, text } from "./primitives.ts";

/** An MRC20 token in the combined list (specification 2.7). */
export const Mrc20Holding = /*#__PURE__*/ record("Mrc20Holding", {
  /** In the token's smallest unit. */
  balance: amount,
  token_address: address,
  token_symbol: nullable(text),
  token_name: nullable(text),
  holder_address: address,
  /** "0" account, "1" contract. */
  holder_type: nullable(status),
  token_decimals: nullable(integer),
});
export type Mrc20Holding = Decoded<typeof Mrc20Holding>;
export type Mrc20HoldingWire = Encoded<typeof Mrc20Holding>;

/** An MRC721 collection in the combined list (specification 2.7). */
export const Mrc721Holding = /*#__PURE__*/ record("Mrc721Holding", {
  /** The number of tokens held. */
  balance: amount,
  token_address: address,
  holder_address: address,
});
export type Mrc721Holding = Decoded<typeof Mrc721Holding>;
export type Mrc721HoldingWire = Encoded<typeof Mrc721Holding>;

/** The combined list of an account's tokens (specification 2.7). */
export const AccountTokens = /*#__PURE__*/ record("AccountTokens", {
  mrc_20: recordKind({ count: nullable(integer), results: listKind(Mrc20Holding.kind) }),
  mrc_721: recordKind({ count: nullable(integer), results: listKind(Mrc721Holding.kind) }),
});
export type AccountTokens = Decoded<typeof AccountTokens>;
export type AccountTokensWire = Encoded<typeof AccountTokens>;

/** A token in an account's list of one standard (specification 2.7). */
export const TokenEntry = /*#__PURE__*/ record("TokenEntry", {
  token_address: address,
  token_name: nullable(text),
  token_symbol: nullable(text),
});
export type TokenEntry = Decoded<typeof TokenEntry>;
export type TokenEntryWire = Encoded<typeof TokenEntry>;
