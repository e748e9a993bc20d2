// What an account holds: the combined list of tokens and the lists of one standard (specification 2.7).
import { listKind, recordKind } from "./compose.ts";
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, amount, integer, nullable, status, text } from "./primitives.ts";

const mrc20HoldingKind = /*#__PURE__*/ recordKind(
  {
    /** In the token's smallest unit. */
    balance: amount,
    token_address: address,
    token_symbol: nullable(text),
    token_name: nullable(text),
    holder_address: address,
    /** "0" account, "1" contract. */
    holder_type: nullable(status),
    token_decimals: nullable(integer),
  },
  "Mrc20Holding",
);
/** An MRC20 token in the combined list (specification 2.7). */
export const Mrc20Holding = /*#__PURE__*/ model(mrc20HoldingKind);
export type Mrc20Holding = Decoded<typeof Mrc20Holding>;
export type Mrc20HoldingWire = Encoded<typeof Mrc20Holding>;

const mrc721HoldingKind = /*#__PURE__*/ recordKind(
  {
    /** The number of tokens held. */
    balance: amount,
    token_address: address,
    holder_address: address,
  },
  "Mrc721Holding",
);
/** An MRC721 collection in the combined list (specification 2.7). */
export const Mrc721Holding = /*#__PURE__*/ model(mrc721HoldingKind);
export type Mrc721Holding = Decoded<typeof Mrc721Holding>;
export type Mrc721HoldingWire = Encoded<typeof Mrc721Holding>;

export const accountTokensKind = /*#__PURE__*/ recordKind(
  {
    mrc_20: recordKind({ count: nullable(integer), results: listKind(mrc20HoldingKind) }),
    mrc_721: recordKind({ count: nullable(integer), results: listKind(mrc721HoldingKind) }),
  },
  "AccountTokens",
);
/** The combined list of an account's tokens (specification 2.7). */
export const AccountTokens = /*#__PURE__*/ model(accountTokensKind);
export type AccountTokens = Decoded<typeof AccountTokens>;
export type AccountTokensWire = Encoded<typeof AccountTokens>;

export const tokenEntryKind = /*#__PURE__*/ recordKind(
  {
    token_address: address,
    token_name: nullable(text),
    token_symbol: nullable(text),
  },
  "TokenEntry",
);
/** A token in an account's list of one standard (specification 2.7). */
export const TokenEntry = /*#__PURE__*/ model(tokenEntryKind);
export type TokenEntry = Decoded<typeof TokenEntry>;
export type TokenEntryWire = Encoded<typeof TokenEntry>;
