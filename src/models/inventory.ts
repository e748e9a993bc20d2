// MRC721 inventories of a holder in a collection, and of a collection (specification 2.8).
import { type Decoded, type Encoded, model, records } from "./model.ts";
import { address, amount, integer, orNull, text } from "./primitives.ts";

/** An MRC721 token in the inventory of a holder. */
export const HolderToken = model({
  /** The account that holds the token. */
  holder_address: address,
  /** The id of the token in its collection, up to 256 bits. */
  token_id: amount,
  /** The URI of the token's metadata; may be empty. */
  token_uri: orNull(text),
});
export interface HolderToken extends Decoded<typeof HolderToken> {}
export type HolderTokenWire = Encoded<typeof HolderToken>;

/** A holder's tokens in one collection. */
export const HolderInventory = model({
  /** The number of tokens; null if the service does not count them. */
  count: orNull(integer),
  /** The tokens. */
  data: records(HolderToken),
  /** The collection's name; null if the contract has none. */
  token_name: orNull(text),
  /** The collection's symbol; null if the contract has none. */
  token_symbol: orNull(text),
});
export interface HolderInventory extends Decoded<typeof HolderInventory> {}
export type HolderInventoryWire = Encoded<typeof HolderInventory>;

/** An MRC721 token in the inventory of a collection. */
export const CollectionToken = model({
  /** The contract of the collection. */
  contract_address: address,
  /** The id of the token in its collection, up to 256 bits. */
  token_id: amount,
  /** The URI of the token's metadata; may be empty. */
  token_uri: orNull(text),
  /** The collection's name; null if the contract has none. */
  token_name: orNull(text),
  /** The collection's symbol; null if the contract has none. */
  token_symbol: orNull(text),
});
export interface CollectionToken extends Decoded<typeof CollectionToken> {}
export type CollectionTokenWire = Encoded<typeof CollectionToken>;
