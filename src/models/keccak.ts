// Keccak hashes, and the checksums of addresses that use them (EIP-55). Clients load this code with
// the first address in mixed case.
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { Address, Hash, Hex } from "./primitives.ts";

// Uses noble directly, because ox's `Hash` would add 2 kB to every client.
const keccak = (data: Uint8Array): Hash => {
  const bytes = keccak_256(data);
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
};

export const textKeccak = (text: string): Hash => keccak(new TextEncoder().encode(text));

/** Returns the hash of bytes in hexadecimal. */
export const hexKeccak = (bytes: Hex): Hash =>
  keccak(Uint8Array.from(bytes.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));

/**
 * Returns an address in the mixed case that is its checksum (EIP-55).
 *
 * @example
 * checksumAddress("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266");
 * // "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
 */
export function checksumAddress(address: Address): Address {
  const digits = address.slice(2).toLowerCase();
  const hash = textKeccak(digits).slice(2);
  const cased = Array.from(digits, (digit, index) =>
    Number.parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join("")}`;
}
