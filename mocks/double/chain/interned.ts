// Tables that number what repeats, so that each value is stored once: texts, bytes, 32-byte words, pairs of numbers.

import type { Hash, Hex } from "../../../src/models/primitives.ts";
import { byteLength, numberAt, readShort, shortBound, toHex, writeHex, writeShort } from "./hex.ts";
import { grown, Ids } from "./ids.ts";

/**
 * Finds values by their content, with open addressing. Unlike a Map it holds more than 2^24 of them, in 6 to 11 bytes each. Each table walks
 * the slots itself: shared code that calls back for each comparison is twice as slow.
 */
abstract class OpenTable {
  /** A slot holds id + 1. Their number is a power of two. */
  protected slots: Uint32Array = new Uint32Array(16);
  /** The number of values. */
  length = 0;

  /** The hash of a value of the table. */
  protected abstract hashAt(id: number): number;

  /** Puts the next id into a free slot. */
  protected take(slot: number): number {
    this.slots[slot] = ++this.length;
    if (this.length * 10 > this.slots.length * 7) this.#rehash();
    return this.length - 1;
  }

  #rehash(): void {
    const slots = new Uint32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 0; id < this.length; id++) {
      let slot = this.hashAt(id) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.slots = slots;
  }
}

/** Strings that repeat: addresses, error messages. */
export class Interned<Text extends string> extends OpenTable {
  readonly #texts: Text[] = [];

  /** The number of a string, which is added if it is new. */
  intern(text: Text): number {
    const slot = this.#slotOf(text);
    const known = this.slots[slot] as number;
    if (known !== 0) return known - 1;
    this.#texts.push(text);
    return this.take(slot);
  }

  /** The number of a string, or -1. */
  find(text: Text): number {
    return (this.slots[this.#slotOf(text)] as number) - 1;
  }

  at(id: number): Text {
    return this.#texts[id] as Text;
  }

  /** The slot of a string, or the free one it belongs in. */
  #slotOf(text: Text): number {
    const { slots } = this;
    const mask = slots.length - 1;
    for (let slot = hashOfText(text) & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot] as number;
      if (id === 0 || this.#texts[id - 1] === text) return slot;
    }
  }

  protected override hashAt(id: number): number {
    return hashOfText(this.at(id));
  }
}

/** Of a longer text only the end counts. */
const HASHED = 128;

/** Four characters at a time, without the up to three before them. */
function hashOfText(text: string): number {
  const { length } = text;
  let sum = length;
  for (let at = Math.max(length & 3, length - HASHED); at < length; at += 4) {
    const four =
      text.charCodeAt(at) |
      (text.charCodeAt(at + 1) << 8) |
      (text.charCodeAt(at + 2) << 16) |
      (text.charCodeAt(at + 3) << 24);
    sum = Math.imul(sum ^ four, 0x9e3779b1) ^ (sum >>> 15);
  }
  return mixed(sum);
}

/** Bytes of any length: long call data and code, which calls pass on. They take their size without zeros, and about 14 bytes. */
export class BytesTable extends OpenTable {
  #words = new Uint32Array(256);
  #bytes = new Uint8Array(this.#words.buffer);
  /** Where the length of each is; its bytes follow. */
  readonly #starts = new Ids();
  /** The words in use. */
  #used = 0;

  /** In bytes. */
  get size(): number {
    return this.#used * 4;
  }

  /** The number of some bytes, which are added if they are new. */
  intern(hex: Hex): number {
    const most = this.#used + 1 + Math.ceil(shortBound(byteLength(hex)) / 4);
    if (most > this.#words.length) {
      this.#words = grown(this.#words, most);
      this.#bytes = new Uint8Array(this.#words.buffer);
    }
    const start = (this.#used + 1) * 4;
    const length = writeShort(hex, this.#bytes, start) - start;
    const end = this.#used + 1 + Math.ceil(length / 4);
    this.#bytes.fill(0, start + length, end * 4);
    this.#words[this.#used] = length;
    const slot = this.#slotOf();
    const known = this.slots[slot] as number;
    if (known !== 0) return known - 1;
    this.#starts.push(this.#used);
    this.#used = end;
    return this.take(slot);
  }

  at(id: number): Hex {
    const at = this.#starts.at(id);
    const start = (at + 1) * 4;
    return readShort(this.#bytes, start, start + (this.#words[at] as number));
  }

  protected override hashAt(id: number): number {
    return this.#hash(this.#starts.at(id));
  }

  /** The slot of the words after those in use, or the free slot they belong in. */
  #slotOf(): number {
    const { slots } = this;
    const mask = slots.length - 1;
    for (let slot = this.#hash(this.#used) & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot] as number;
      if (id === 0 || this.#isNext(this.#starts.at(id - 1))) return slot;
    }
  }

  /** Whether the bytes at a position are those after the words in use. */
  #isNext(start: number): boolean {
    const words = Math.ceil((this.#words[this.#used] as number) / 4);
    for (let word = 0; word <= words; word++)
      if (this.#words[start + word] !== this.#words[this.#used + word]) return false;
    return true;
  }

  #hash(start: number): number {
    const words = Math.ceil((this.#words[start] as number) / 4);
    let sum = 0;
    for (let word = 0; word <= words; word++)
      sum = Math.imul(sum ^ (this.#words[start + word] as number), 0x9e3779b1) ^ (sum >>> 15);
    return mixed(sum);
  }
}

const scratch = new Uint32Array(8);
const scratchBytes = new Uint8Array(scratch.buffer);

/** 32-byte words: hashes, topics. They take 38 to 43 bytes each. */
export class Bytes32Table extends OpenTable {
  #words = new Uint32Array(8 * 8);
  #bytes = new Uint8Array(this.#words.buffer);
  #view = new DataView(this.#words.buffer);

  at(id: number): Hash {
    return toHex(this.#bytes, id * 32, id * 32 + 32);
  }

  /** The number that a word is. */
  number(id: number): bigint {
    return numberAt(this.#view, id * 32);
  }

  /** The id of a word, or -1. */
  find(word: Hash): number {
    return word.length === 66 ? (this.slots[this.#slotOf(word)] as number) - 1 : -1;
  }

  /** The id of a word, which is added if it is new. */
  intern(word: Hash): number {
    const slot = this.#slotOf(word);
    const known = this.slots[slot] as number;
    if (known !== 0) return known - 1;
    this.#reserve();
    const at = this.length * 8;
    for (let nth = 0; nth < 8; nth++) this.#words[at + nth] = scratch[nth] as number;
    return this.take(slot);
  }

  /** Adds words, all or none: returns the first one that is there already, or twice among them. */
  addNew(words: readonly Hash[]): Hash | undefined {
    const before = this.length;
    for (const word of words) {
      const { length } = this;
      if (this.intern(word) === length) continue;
      while (this.length > before) this.#removeLast();
      return word;
    }
    return undefined;
  }

  /** No other word was placed after it, so none depends on its slot. */
  #removeLast(): void {
    this.slots[this.#slotOf(this.at(this.length - 1))] = 0;
    this.length--;
  }

  /** The slot of a word, or the free one it belongs in. */
  #slotOf(word: Hash): number {
    writeHex(word, scratchBytes, 0);
    const { slots } = this;
    const words = this.#words;
    const mask = slots.length - 1;
    for (let slot = hashOfWords(scratch, 0) & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot] as number;
      if (id === 0) return slot;
      const at = id * 8 - 8;
      let nth = 7;
      while (nth >= 0 && words[at + nth] === scratch[nth]) nth--;
      if (nth < 0) return slot;
    }
  }

  protected override hashAt(id: number): number {
    return hashOfWords(this.#words, id * 8);
  }

  #reserve(): void {
    if ((this.length + 1) * 8 <= this.#words.length) return;
    this.#words = grown(this.#words, this.length * 8);
    this.#bytes = new Uint8Array(this.#words.buffer);
    this.#view = new DataView(this.#words.buffer);
  }
}

function hashOfWords(source: Uint32Array, at: number): number {
  let sum = 0;
  for (let word = 0; word < 8; word++) {
    sum = Math.imul(sum ^ (source[at + word] as number), 0x9e3779b1);
    sum ^= sum >>> 15;
  }
  return sum;
}

/** Pairs of 32-bit numbers; 14 to 21 bytes each. */
export class PairIds extends OpenTable {
  #pairs: Uint32Array = new Uint32Array(0);

  /** The number of a pair, or -1. */
  find(left: number, right: number): number {
    return (this.slots[this.#slotOf(left, right)] as number) - 1;
  }

  /** The number of a pair, which is added if it is new. */
  intern(left: number, right: number): number {
    const slot = this.#slotOf(left, right);
    const known = this.slots[slot] as number;
    if (known !== 0) return known - 1;
    const at = this.length * 2;
    if (at + 2 > this.#pairs.length) this.#pairs = grown(this.#pairs, at + 2);
    this.#pairs[at] = left;
    this.#pairs[at + 1] = right;
    return this.take(slot);
  }

  /** The slot of a pair, or the free one it belongs in. */
  #slotOf(left: number, right: number): number {
    const { slots } = this;
    const pairs = this.#pairs;
    const mask = slots.length - 1;
    for (let slot = hashOfPair(left, right) & mask; ; slot = (slot + 1) & mask) {
      const at = (slots[slot] as number) * 2 - 2;
      if (at < 0 || (pairs[at] === left && pairs[at + 1] === right)) return slot;
    }
  }

  protected override hashAt(id: number): number {
    return hashOfPair(this.#pairs[id * 2] as number, this.#pairs[id * 2 + 1] as number);
  }
}

const hashOfPair = (left: number, right: number): number =>
  mixed(Math.imul(left ^ (left >>> 15), 0x9e3779b1) ^ right);

/** Spreads a hash over its lower bits, which choose the slot. */
function mixed(hash: number): number {
  const sum = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return sum ^ (sum >>> 13);
}
