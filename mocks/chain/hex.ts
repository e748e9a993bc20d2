// Hex strings: 32-byte words, the zero address and hash, quantities.

import type { Address, Hash, Hex } from "../../src/models/primitives.ts";

/** The zero address, from which tokens are minted and to which they are burnt. */
export const ZERO_ADDRESS: Address = `0x${"0".repeat(40)}`;
/** The parent hash of the first block. */
export const ZERO_HASH: Hash = `0x${"0".repeat(64)}`;

/** Number of hex digits in a 32-byte word of the EVM. */
export const WORD_DIGITS = 64;

/** The address in a 32-byte word, such as a topic: its last 20 bytes. */
export const addressInWord = (word: string): Address => `0x${word.slice(-40)}`;

/** Formats a number as a JSON-RPC quantity, such as `0x1a`. */
export const quantityOf = (value: bigint | number): Hex => `0x${value.toString(16)}`;

/** A number as a 32-byte word. */
export const wordOf = (value: bigint): Hash => `0x${value.toString(16).padStart(WORD_DIGITS, "0")}`;

export const byteLength = (hex: Hex): number => (hex.length - 2) >> 1;
