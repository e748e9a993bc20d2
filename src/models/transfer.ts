// Transfer events of tokens: MRC20 (specification 2.5) and MRC721 (2.6).
import { recordKind } from "./compose.ts";
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, amount, hash, integer, nullable, text, timestamp } from "./primitives.ts";

const transfer = {
  timestamp,
  /** The zero address where supply is created. */
  sender: address,
  /** The zero address where supply is destroyed. */
  receiver: nullable(address),
  /** Blocks on top of its own at the time of the answer. */
  confirmations: nullable(integer),
  block_number: amount,
  transaction_hash: hash,
  block_hash: nullable(hash),
  token_address: address,
  token_name: nullable(text),
  /** May be empty. */
  token_symbol: nullable(text),
  token_decimals: nullable(integer),
  transaction_index: integer,
};

export const mrc20TransferKind = /*#__PURE__*/ recordKind(
  {
    ...transfer,
    /** In the token's smallest unit: divide by 10 to the power of `token_decimals`. */
    value: amount,
  },
  "Mrc20Transfer",
);
/** An MRC20 transfer event (specification 2.5). */
export const Mrc20Transfer = /*#__PURE__*/ model(mrc20TransferKind);
export type Mrc20Transfer = Decoded<typeof Mrc20Transfer>;
export type Mrc20TransferWire = Encoded<typeof Mrc20Transfer>;

export const mrc721TransferKind = /*#__PURE__*/ recordKind(transfer, "Mrc721Transfer");
/** An MRC721 transfer event (specification 2.6). It has no `value`. */
export const Mrc721Transfer = /*#__PURE__*/ model(mrc721TransferKind);
export type Mrc721Transfer = Decoded<typeof Mrc721Transfer>;
export type Mrc721TransferWire = Encoded<typeof Mrc721Transfer>;
