// Token transfers: MRC20 (specification 2.5) and MRC721 (2.6).
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, amount, hash, integer, orNull, text, timestamp } from "./primitives.ts";

const parties = {
  /** The time of the block, in UTC. */
  timestamp,
  /** The previous holder; the zero address if tokens are minted. */
  sender: address,
  /** The new holder; the zero address if tokens are burned. */
  receiver: orNull(address),
};

const position = {
  /** The number of blocks on top of this block when the service responded. */
  confirmations: orNull(integer),
  /** The number of the block. */
  block_number: amount,
  /** The hash of the transaction. */
  transaction_hash: hash,
  /** The hash of the block; null if the service does not state it. */
  block_hash: orNull(hash),
  /** The contract of the token. */
  token_address: address,
  /** The token's name; null if the contract has none. */
  token_name: orNull(text),
  /** The token's symbol; may be empty, and null if the contract has none. */
  token_symbol: orNull(text),
  /** The decimal places of an amount; null for tokens with ids or if the contract states none. */
  token_decimals: orNull(integer),
  /** The position of the transaction in its block, from 0. */
  transaction_index: integer,
};

/** An MRC20 transfer event. */
export const Mrc20Transfer = model({
  ...parties,
  /** The amount in the token's smallest unit: divide it by 10 to the power of `token_decimals`. */
  value: amount,
  ...position,
});
export interface Mrc20Transfer extends Decoded<typeof Mrc20Transfer> {}
export type Mrc20TransferWire = Encoded<typeof Mrc20Transfer>;

/** An MRC721 transfer event. It has no `value`. */
export const Mrc721Transfer = model({ ...parties, ...position });
export interface Mrc721Transfer extends Decoded<typeof Mrc721Transfer> {}
export type Mrc721TransferWire = Encoded<typeof Mrc721Transfer>;
