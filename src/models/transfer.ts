// Token transfers: MRC20 (specification 2.5) and MRC721 (2.6).
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, amount, hash, integer, orNull, text, timestamp } from "./primitives.ts";

const parties = {
  timestamp,
  /** The zero address if tokens are minted. */
  sender: address,
  /** The zero address if tokens are burned. */
  receiver: orNull(address),
};

const position = {
  /** Blocks on top of its own when the service responded. */
  confirmations: orNull(integer),
  block_number: amount,
  transaction_hash: hash,
  block_hash: orNull(hash),
  token_address: address,
  token_name: orNull(text),
  /** May be empty. */
  token_symbol: orNull(text),
  token_decimals: orNull(integer),
  transaction_index: integer,
};

/** An MRC20 transfer event (specification 2.5). */
export const Mrc20Transfer = model({
  ...parties,
  /** In the token's smallest unit: divide by 10 to the power of `token_decimals`. */
  value: amount,
  ...position,
});
export interface Mrc20Transfer extends Decoded<typeof Mrc20Transfer> {}
export type Mrc20TransferWire = Encoded<typeof Mrc20Transfer>;

/** An MRC721 transfer event (specification 2.6). It has no `value`. */
export const Mrc721Transfer = model({ ...parties, ...position });
export interface Mrc721Transfer extends Decoded<typeof Mrc721Transfer> {}
export type Mrc721TransferWire = Encoded<typeof Mrc721Transfer>;
