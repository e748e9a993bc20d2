// MRC721 inventories of a holder in a collection, and of a collection (specification 2.8).
import { type Decoded, type Encoded, model, records } from "./model.ts";
import { address, amount, integer, orNull, text } from "./primitives.ts";

/** An MRC721 token of a holder (specification 2.8, first form). */
export const HolderToken = model({
  holder_address: address,
  /** Up to 256 bits. */
  token_id: amount,
  /** May be empty. */
  token_uri: orNull(text),
});
export interface HolderToken extends Decoded<typeof HolderToken> {}
export type HolderTokenWire = Encoded<typeof HolderToken>;

/** A holder's tokens in one collection (specification 2.8, first form, with its envelope). */
export const HolderInventory = model({
  count: orNull(integer),
  data: records(HolderToken),
  token_name: orNull(text),
  token_symbol: orNull(text),
});
export interface HolderInventory extends Decoded<typeof HolderInventory> {}
export type HolderInventoryWire = Encoded<typeof HolderInventory>;

/** An MRC721 token of a collection (specification 2.8, second form). */
export const CollectionToken = model({
  contract_address: address,
  /** Up to 256 bits. */
  token_id: amount,
  /** May be empty. */
  token_uri: orNull(text),
  token_name: orNull(text),
  token_symbol: orNull(text),
});
export interface CollectionToken extends Decoded<typeof CollectionToken> {}
export type CollectionTokenWire = Encoded<typeof CollectionToken>;
