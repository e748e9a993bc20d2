// Values packed one after another into a byte array: numbers, amounts and hex strings at their shortest, what repeats by its number.

import type { Address, Hex } from "../../../src/models/primitives.ts";
import {
  byteLength,
  numberInShort,
  readShort,
  shortBound,
  sizeOfShort,
  writeShort,
} from "./hex.ts";
import { Bytes32Table, BytesTable, Interned } from "./interned.ts";

/** An amount of up to 53 bits is prefixed by its length in bytes; a longer one by this plus its length in 64-bit limbs. */
const LIMBS = 8;

/** Longer hex strings are kept in a table of their own: calls pass them on, and contracts are created from the same code. */
const PACKED_UP_TO = 128;

/** A shorter one than this is not worth a reference to where it is already. */
const REPEATED_FROM = 4;

const TWO_64 = 1n << 64n;

export class PackedBuffer {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  readonly addresses = new Interned<Address>();
  readonly topics = new Bytes32Table();
  readonly texts = new Interned<string>();
  readonly #long = new BytesTable();
  /** The last hex string: the next is often the same, as in calls through a proxy. */
  #last: Hex | undefined;
  /** Where it was written. */
  #lastAt = 0;
  /** Where the bytes end whose size was read. */
  #end = 0;
  length = 0;
  /** Where the next value is read. */
  at = 0;

  /** All its bytes, those of long hex strings included. */
  get size(): number {
    return this.length + this.#long.size;
  }

  writeNumber(value: number): void {
    this.#reserve(8);
    const bytes = this.#bytes;
    let at = this.length;
    let rest = value;
    for (; rest >= 2 ** 31; rest = Math.floor(rest / 0x80)) bytes[at++] = (rest % 0x80) | 0x80;
    for (; rest >= 0x80; rest >>>= 7) bytes[at++] = rest | 0x80;
    bytes[at++] = rest;
    this.length = at;
  }

  writeAmount(value: bigint): void {
    this.#reserve(1 + 8 + 32);
    const prefix = this.length++;
    if (value < TWO_64) {
      this.#view.setBigUint64(this.length, value, true);
      const size = this.#safeSize(this.length);
      this.#bytes[prefix] = size ?? LIMBS + 1;
      this.length += size ?? 8;
      return;
    }
    let limbs = 0;
    for (let rest = value; rest > 0n; rest >>= 64n) {
      this.#view.setBigUint64(this.length, BigInt.asUintN(64, rest), true);
      this.length += 8;
      limbs++;
    }
    this.#bytes[prefix] = LIMBS + limbs;
  }

  /** The bytes that the limb at a position takes without its leading zeros; undefined above 53 bits. Bigints would count them at a higher cost. */
  #safeSize(at: number): number | undefined {
    const high = this.#view.getUint32(at + 4, true);
    if (high >= 2 ** (53 - 32)) return undefined;
    if (high > 0) return 8 - (Math.clz32(high) >>> 3);
    return 4 - (Math.clz32(this.#view.getUint32(at, true)) >>> 3);
  }

  writeNumbers(values: readonly number[]): void {
    this.writeNumber(values.length);
    for (const value of values) this.writeNumber(value);
  }

  /** An even number is twice the size of the bytes that follow; an odd one refers to a long string, or back to a repeated one. */
  writeHex(hex: Hex): void {
    const size = byteLength(hex);
    if (size === 0) {
      this.writeNumber(0);
      return;
    }
    if (size > PACKED_UP_TO) {
      this.writeNumber(this.#long.intern(hex) * 4 + 1);
      return;
    }
    if (hex === this.#last) {
      this.writeNumber((this.length - this.#lastAt) * 4 + 3);
      return;
    }
    if (size >= REPEATED_FROM) {
      this.#last = hex;
      this.#lastAt = this.length;
    }
    this.#reserve(2 + shortBound(size));
    // Behind their length, which takes one byte, or two.
    const start = this.length + 1;
    const end = writeShort(hex, this.#bytes, start);
    const number = (end - start) * 2;
    if (number >= 0x80) this.#bytes.copyWithin(start + 1, start, end);
    this.writeNumber(number);
    this.length += end - start;
  }

  /** Leaves room for bits that `setBits` writes, and returns where they are. */
  reserveBits(bytes: number): number {
    this.#reserve(bytes);
    const start = this.length;
    this.length += bytes;
    return start;
  }

  setBits(start: number, bytes: number, bits: number): void {
    for (let byte = 0; byte < bytes; byte++) this.#bytes[start + byte] = bits >>> (8 * byte);
  }

  readBits(bytes: number): number {
    let bits = 0;
    for (let byte = 0; byte < bytes; byte++)
      bits |= (this.#bytes[this.at++] as number) << (8 * byte);
    return bits;
  }

  readNumber(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#bytes[this.at++] as number;
      if (byte < 0x80) return value + byte * scale;
      value += (byte - 0x80) * scale;
    }
  }

  skipNumber(): void {
    while ((this.#bytes[this.at++] as number) >= 0x80);
  }

  readNumbers(): readonly number[] {
    const values: number[] = [];
    for (let left = this.readNumber(); left > 0; left--) values.push(this.readNumber());
    return values;
  }

  skipNumbers(): void {
    for (let left = this.readNumber(); left > 0; left--) this.skipNumber();
  }

  readAmount(): bigint {
    const prefix = this.#bytes[this.at++] as number;
    if (prefix >= LIMBS) return this.#readLimbs(prefix - LIMBS);
    let value = 0;
    for (let at = this.at + prefix - 1; at >= this.at; at--) {
      value = value * 256 + (this.#bytes[at] as number);
    }
    this.at += prefix;
    return BigInt(value);
  }

  skipAmount(): void {
    const prefix = this.#bytes[this.at++] as number;
    this.at += prefix >= LIMBS ? (prefix - LIMBS) * 8 : prefix;
  }

  readHex(): Hex {
    const start = this.at;
    const number = this.readNumber();
    if (number % 4 === 1) return this.#long.at((number - 1) / 4);
    if (number % 4 === 3) {
      const after = this.at;
      this.at = start - (number - 3) / 4;
      const repeated = this.readHex();
      this.at = after;
      return repeated;
    }
    const from = this.at;
    this.at += number / 2;
    return readShort(this.#bytes, from, this.at);
  }

  skipHex(): void {
    const number = this.readNumber();
    if (number % 2 === 0) this.at += number / 2;
  }

  /** The size in bytes of a hex string of up to 128; more for a longer one. `readWord` may follow. */
  readSize(): number {
    const start = this.at;
    const number = this.readNumber();
    if (number % 4 === 1) return PACKED_UP_TO + 1;
    if (number % 4 === 3) {
      this.at = start - (number - 3) / 4;
      return this.readSize();
    }
    this.#end = this.at + number / 2;
    return sizeOfShort(this.#bytes, this.at, this.#end);
  }

  /** The number in a hex string whose size is 32. */
  readWord(): bigint {
    return numberInShort(this.#bytes, this.at, this.#end);
  }

  #readLimbs(limbs: number): bigint {
    const start = this.at;
    this.at += limbs * 8;
    let value = 0n;
    for (let limb = limbs - 1; limb >= 0; limb--) {
      value = (value << 64n) | this.#view.getBigUint64(start + limb * 8, true);
    }
    return value;
  }

  #reserve(size: number): void {
    const needed = this.length + size;
    if (needed <= this.#bytes.length) return;
    const factor = this.#bytes.length < 1_000_000 ? 2 : 1.25;
    const grown = new Uint8Array(Math.max(needed, Math.ceil(this.#bytes.length * factor)));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
