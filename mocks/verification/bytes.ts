// Bytes, and their hexadecimal digits without 0x, as compilers write them: in Node and in browsers.
import * as Hex from "ox/Hex";

export const bytesOf = (digits: string): Uint8Array => Hex.toBytes(`0x${digits}`);

export const digitsOf = (bytes: Uint8Array): string => Hex.fromBytes(bytes).slice(2);

export const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

/** Every place of a part, which is not empty, in ascending order. */
export function placesOf(part: Uint8Array, whole: Uint8Array): number[] {
  const places: number[] = [];
  const [first = 0] = part;
  const last = whole.length - part.length;
  for (let at = whole.indexOf(first); at >= 0 && at <= last; at = whole.indexOf(first, at + 1))
    if (part.every((byte, index) => byte === whole[at + index])) places.push(at);
  return places;
}
