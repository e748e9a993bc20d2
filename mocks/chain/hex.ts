// Hex strings: 32-byte words, the zero address and hash, and fast conversion to bytes and back.

import type { Address, Hash, Hex } from "../../src/models/primitives.ts";
import { createDecoder, createEncoder } from "../input/text-coding.ts";

/** The zero address, from which tokens are minted and to which they are burnt. */
export const ZERO_ADDRESS: Address = `0x${"0".repeat(40)}`;
/** The parent hash of the first block. */
export const ZERO_HASH: Hash = `0x${"0".repeat(64)}`;

/** The hex digits of a 32-byte word of the EVM. */
export const WORD_DIGITS = 64;

/** The address in a 32-byte word, such as a topic: its last 20 bytes. */
export const addressInWord = (word: string): Address => `0x${word.slice(-40)}`;

/** A number as JSON-RPC writes it: `0x1a`. */
export const quantityOf = (value: bigint | number): Hex => `0x${value.toString(16)}`;

/** A number as a 32-byte word. */
export const wordOf = (value: bigint): Hash => `0x${value.toString(16).padStart(WORD_DIGITS, "0")}`;

const ZERO = "0".charCodeAt(0);
const X = "x".charCodeAt(0);

/** The character codes of a byte's two digits. */
const HIGH = Uint8Array.from({ length: 256 }, (_, byte) => (byte >> 4).toString(16).charCodeAt(0));
const LOW = Uint8Array.from({ length: 256 }, (_, byte) => (byte & 15).toString(16).charCodeAt(0));

/** Up to this many bytes, joining character codes is faster than a TextDecoder. */
const SHORT = 40;

const decoder = createDecoder("latin1");
let text = new Uint8Array(256);

export function toHex(bytes: Uint8Array, start: number, end: number): Hex {
  if (start === end) return "0x";
  return end - start <= SHORT ? fromCodes(bytes, start, end) : decoded(bytes, start, end);
}

/** A plain array of the right length: `apply` is much slower with a typed array. */
function fromCodes(bytes: Uint8Array, start: number, end: number): Hex {
  const codes: number[] = new Array(2 + (end - start) * 2);
  codes[0] = ZERO;
  codes[1] = X;
  let at = 2;
  for (let index = start; index < end; index++) {
    const byte = bytes[index] as number;
    codes[at++] = HIGH[byte] as number;
    codes[at++] = LOW[byte] as number;
  }
  return String.fromCharCode.apply(null, codes) as Hex;
}

function decoded(bytes: Uint8Array, start: number, end: number): Hex {
  const length = 2 + (end - start) * 2;
  if (text.length < length) text = new Uint8Array(length);
  text[0] = ZERO;
  text[1] = X;
  let at = 2;
  for (let index = start; index < end; index++) {
    const byte = bytes[index] as number;
    text[at++] = HIGH[byte] as number;
    text[at++] = LOW[byte] as number;
  }
  return decoder.decode(text.subarray(0, length)) as Hex;
}

/**
 * The length from which copying the digits as bytes first is faster than reading them one by one.
 */
const LONG = 24;

const encoder = createEncoder();

/** Writes the bytes of `hex`, starting at `at`. */
export function writeHex(hex: Hex, bytes: Uint8Array, at: number): void {
  const { length } = hex;
  if (length < LONG) {
    for (let digit = 2; digit + 1 < length; digit += 2)
      bytes[at++] = byteOf(hex.charCodeAt(digit), hex.charCodeAt(digit + 1));
    return;
  }
  if (text.length < length) text = new Uint8Array(length);
  encoder.encodeInto(hex, text);
  for (let digit = 2; digit + 1 < length; digit += 2)
    bytes[at++] = byteOf(text[digit] as number, text[digit + 1] as number);
}

/**
 * Returns the byte of two digits. The codes of letters in either case end in 1 to 6, and have a bit
 * that the codes of decimal digits lack.
 */
const byteOf = (high: number, low: number): number =>
  (((high & 15) + (high >> 6) * 9) << 4) | ((low & 15) + (low >> 6) * 9);

export const byteLength = (hex: Hex): number => (hex.length - 2) >> 1;
