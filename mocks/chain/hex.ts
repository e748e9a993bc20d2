// Hex strings to bytes and back, by table: the cost of a record is mostly here.
import type { Hex } from "./records.ts";

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const NIBBLES = new Uint8Array(128);
for (let value = 0; value < 16; value++) {
  NIBBLES[value.toString(16).charCodeAt(0)] = value;
  NIBBLES[value.toString(16).toUpperCase().charCodeAt(0)] = value;
}

export function toHex(bytes: Uint8Array, start: number, end: number): Hex {
  let digits = "";
  for (let at = start; at < end; at++) digits += PAIRS[bytes[at] as number];
  return `0x${digits}`;
}

/** Writes the bytes of `hex` from `at` on. */
export function writeHex(hex: Hex, bytes: Uint8Array, at: number): void {
  const { length } = hex;
  for (let digit = 2; digit + 1 < length; digit += 2) {
    const high = NIBBLES[hex.charCodeAt(digit)] as number;
    bytes[at++] = (high << 4) | (NIBBLES[hex.charCodeAt(digit + 1)] as number);
  }
}

export const byteLength = (hex: Hex): number => (hex.length - 2) >> 1;
