// The metadata of tokens, and its encoding as constructor arguments.
import { concat, fromString, padRight, size } from "ox/Hex";
import type { Hex } from "../chain/records.ts";
import { word } from "./evm.ts";

/** A token's metadata. If a field is left out or null, the contract has no such function. */
export interface TokenMetadata {
  readonly name?: string | null;
  readonly symbol?: string | null;
  readonly decimals?: number | null;
}

/** Metadata with null for the fields left out. */
export const metadataOf = ({
  name = null,
  symbol = null,
  decimals = null,
}: { readonly [Field in keyof TokenMetadata]?: TokenMetadata[Field] | undefined }) => ({
  name,
  symbol,
  decimals,
});

/** The ABI-encoded constructor arguments (string,string). */
export function metadataArguments({ name, symbol }: TokenMetadata): Hex {
  const tail = (text: string): Hex => {
    const bytes = fromString(text);
    return concat(word(size(bytes)), padRight(bytes, Math.ceil(size(bytes) / 32) * 32));
  };
  const [first, second] = [tail(name ?? ""), tail(symbol ?? "")];
  return concat(word(64), word(64 + size(first)), first, second);
}
