// MRC721 inventories: of a holder in a collection, and of a collection (specification 2.8).
import { listKind, recordKind } from "./compose.ts";
import { type Decoded, type Encoded, model } from "./model.ts";
import { address, amount, integer, nullable, text } from "./primitives.ts";

const holderTokenKind = /*#__PURE__*/ recordKind(
  {
    holder_address: address,
    /** Up to 256 bits. */
    token_id: amount,
    /** May be empty. */
    token_uri: nullable(text),
  },
  "HolderToken",
);
/** An MRC721 token of a holder (specification 2.8, first form). */
export const HolderToken = /*#__PURE__*/ model(holderTokenKind);
export type HolderToken = Decoded<typeof HolderToken>;
export type HolderTokenWire = Encoded<typeof HolderToken>;

export const holderInventoryKind = /*#__PURE__*/ recordKind(
  {
    count: nullable(integer),
    data: listKind(holderTokenKind),
    token_name: nullable(text),
    token_symbol: nullable(text),
  },
  "HolderInventory",
);
/** A holder's tokens in one collection (specification 2.8, first form, with what encloses it). */
export const HolderInventory = /*#__PURE__*/ model(holderInventoryKind);
export type HolderInventory = Decoded<typeof HolderInventory>;
export type HolderInventoryWire = Encoded<typeof HolderInventory>;

export const collectionTokenKind = /*#__PURE__*/ recordKind(
  {
    contract_address: address,
    /** Up to 256 bits. */
    token_id: amount,
    /** May be empty. */
    token_uri: nullable(text),
    token_name: nullable(text),
    token_symbol: nullable(text),
  },
  "CollectionToken",
);
/** An MRC721 token of a collection (specification 2.8, second form). */
export const CollectionToken = /*#__PURE__*/ model(collectionTokenKind);
export type CollectionToken = Decoded<typeof CollectionToken>;
export type CollectionTokenWire = Encoded<typeof CollectionToken>;
