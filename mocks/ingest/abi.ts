// Decodes what token contracts return: strings (also as bytes32) and numbers; null if it is neither.
import { toBytes } from "ox/Hex";
import { addressInWord, WORD_DIGITS } from "../chain/hex.ts";
import type { Address, Hex } from "../chain/records.ts";

// A byte order mark is part of the text.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

const textOf = (digits: string): string => utf8.decode(toBytes(`0x${digits}`));

/** A word as an offset or length, if it is below 2^53. */
function position(word: string): number | null {
  if (word.length !== WORD_DIGITS) return null;
  const value = BigInt(`0x${word}`);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null;
}

/** An ABI `string`, or a `bytes32` padded with zeros as the first tokens had; null for anything else. */
export function decodeText(data: Hex): string | null {
  const digits = data.slice(2);
  if (digits.length === WORD_DIGITS) return textOf(digits.replace(/(?:00)+$/, ""));
  const offset = position(digits.slice(0, WORD_DIGITS));
  if (offset === null) return null;
  const body = digits.slice(2 * offset);
  const length = position(body.slice(0, WORD_DIGITS));
  if (length === null || body.length < WORD_DIGITS + 2 * length) return null;
  return textOf(body.slice(WORD_DIGITS, WORD_DIGITS + 2 * length));
}

/** An ABI `uint256`. */
export function decodeNumber(data: Hex): bigint | null {
  return data.length >= 2 + WORD_DIGITS ? BigInt(data.slice(0, 2 + WORD_DIGITS)) : null;
}

/** An ABI `address`. */
export function decodeAddress(data: Hex): Address | null {
  return data.length >= 2 + WORD_DIGITS ? addressInWord(data.slice(0, 2 + WORD_DIGITS)) : null;
}

/** An ABI `bool`. */
export function decodeFlag(data: Hex): boolean {
  return decodeNumber(data) === 1n;
}
