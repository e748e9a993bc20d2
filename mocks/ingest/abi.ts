// Decodes what token contracts answer: texts as string or as bytes32, numbers; null for an answer that is neither.
import { toBytes } from "ox/Hex";
import type { Hex } from "../chain/records.ts";

const WORD = 64;
// A mark of byte order is part of the text like any other character.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

const textOf = (digits: string): string => utf8.decode(toBytes(`0x${digits}`));

/** A whole number of bytes below 2^53, so that it can point into the answer; null otherwise. */
function position(word: string): number | null {
  if (word.length !== WORD) return null;
  const value = BigInt(`0x${word}`);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null;
}

/** An ABI `string`, or a `bytes32` padded with zeros as the first tokens had; null for anything else. */
export function decodeText(answer: Hex): string | null {
  const digits = answer.slice(2);
  if (digits.length === WORD) return textOf(digits.replace(/(?:00)+$/, ""));
  const offset = position(digits.slice(0, WORD));
  if (offset === null) return null;
  const body = digits.slice(2 * offset);
  const length = position(body.slice(0, WORD));
  if (length === null || body.length < WORD + 2 * length) return null;
  return textOf(body.slice(WORD, WORD + 2 * length));
}

/** An ABI `uint256`. */
export function decodeNumber(answer: Hex): bigint | null {
  return answer.length >= 2 + WORD ? BigInt(answer.slice(0, 2 + WORD)) : null;
}

/** An ABI `bool`. */
export function decodeFlag(answer: Hex): boolean {
  return decodeNumber(answer) === 1n;
}
