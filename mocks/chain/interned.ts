// Tables that number what repeats, so that each value is stored once: texts, bytes, 32-byte words, pairs of numbers.

import { byteLength, numberAt, readShort, shortBound, toHex, writeHex, writeShort } from "./hex.ts";
import { grown, Ids } from "./ids.ts";
import type { Hash, Hex } from "./records.ts";

/** Finds values by their content, with open addressing. Unlike a Map it holds more than 2^24 of them, in 6 to 11 bytes each. */
abstract class OpenTable {
  /** A slot holds id + 1. */
  #slots = new Uint32Array(16);
  /** The number of values. */
  length = 0;

  /** The hash of a value of the table. */
  protected abstract hashAt(id: number): number;
  /** Whether a value of the table is the one that is looked for. */
  protected abstract isSought(id: number): boolean;

  /** The slot of the value that is looked for, or the free one it belongs in. */
  protected slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = (this.#slots[slot] as number) - 1;
      if (id === -1 || this.isSought(id)) return slot;
    }
  }

  /** The id in a slot; -1 if the slot is free. */
  protected idIn(slot: number): number {
    return (this.#slots[slot] as number) - 1;
  }

  /** Puts the next id into a free slot. */
  protected take(slot: number): number {
    this.#slots[slot] = ++this.length;
    if (this.length * 10 > this.#slots.length * 7) this.#rehash();
    return this.length - 1;
  }

  /** Takes the last id out of its slot: no other was placed after it, so none depends on it. */
  protected release(slot: number): void {
    this.#slots[slot] = 0;
    this.length--;
  }

  #rehash(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let id = 0; id < this.length; id++) {
      let slot = this.hashAt(id) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = id + 1;
    }
  }
}

/** Strings that repeat: addresses, error messages. */
export class Interned<Text extends string> extends OpenTable {
  readonly #texts: Text[] = [];
  #sought: Text | undefined;

  /** The number of a string, which is added if it is new. */
  intern(text: Text): number {
    const slot = this.#find(text);
    const known = this.idIn(slot);
    if (known !== -1) return known;
    this.#texts.push(text);
    return this.take(slot);
  }

  /** The number of a string, or -1. */
  find(text: Text): number {
    return this.idIn(this.#find(text));
  }

  at(id: number): Text {
    return this.#texts[id] as Text;
  }

  #find(text: Text): number {
    this.#sought = text;
    return this.slotOf(hashOfText(text));
  }

  protected override hashAt(id: number): number {
    return hashOfText(this.at(id));
  }

  protected override isSought(id: number): boolean {
    return this.#texts[id] === this.#sought;
  }
}

/** Of a long text only the ends count. */
const HASHED = 64;

function hashOfText(text: string): number {
  const { length } = text;
  let sum = length;
  const end = Math.min(length, HASHED);
  for (let at = 0; at < end; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  for (let at = Math.max(end, length - HASHED); at < length; at++)
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
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
    const slot = this.slotOf(this.#hash(this.#used));
    const known = this.idIn(slot);
    if (known !== -1) return known;
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

  /** Compares with what lies behind the words in use. */
  protected override isSought(id: number): boolean {
    const start = this.#starts.at(id);
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
    return word.length === 66 ? this.idIn(this.#find(word)) : -1;
  }

  /** The id of a word, which is added if it is new. */
  intern(word: Hash): number {
    const slot = this.#find(word);
    const known = this.idIn(slot);
    if (known !== -1) return known;
    this.#reserve();
    this.#words.set(scratch, this.length * 8);
    return this.take(slot);
  }

  /** Adds words, all or none: returns the first one that is there already, or twice among them. */
  addNew(words: readonly Hash[]): Hash | undefined {
    const before = this.length;
    for (const word of words) {
      const { length } = this;
      if (this.intern(word) === length) continue;
      while (this.length > before) this.release(this.#find(this.at(this.length - 1)));
      return word;
    }
    return undefined;
  }

  #find(word: Hash): number {
    writeHex(word, scratchBytes, 0);
    return this.slotOf(hashOfWords(scratch, 0));
  }

  protected override hashAt(id: number): number {
    return hashOfWords(this.#words, id * 8);
  }

  protected override isSought(id: number): boolean {
    for (let word = 7; word >= 0; word--)
      if (this.#words[id * 8 + word] !== scratch[word]) return false;
    return true;
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
  #left = 0;
  #right = 0;

  /** The number of a pair, or -1. */
  find(left: number, right: number): number {
    return this.idIn(this.#find(left, right));
  }

  /** The number of a pair, which is added if it is new. */
  intern(left: number, right: number): number {
    const slot = this.#find(left, right);
    const known = this.idIn(slot);
    if (known !== -1) return known;
    const at = this.length * 2;
    if (at + 2 > this.#pairs.length) this.#pairs = grown(this.#pairs, at + 2);
    this.#pairs[at] = left;
    this.#pairs[at + 1] = right;
    return this.take(slot);
  }

  #find(left: number, right: number): number {
    this.#left = left;
    this.#right = right;
    return this.slotOf(hashOfPair(left, right));
  }

  protected override hashAt(id: number): number {
    return hashOfPair(this.#pairs[id * 2] as number, this.#pairs[id * 2 + 1] as number);
  }

  protected override isSought(id: number): boolean {
    return this.#pairs[id * 2] === this.#left && this.#pairs[id * 2 + 1] === this.#right;
  }
}

const hashOfPair = (left: number, right: number): number =>
  mixed(Math.imul(left ^ (left >>> 15), 0x9e3779b1) ^ right);

/** Spreads a hash over its lower bits, which choose the slot. */
function mixed(hash: number): number {
  const sum = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return sum ^ (sum >>> 13);
}
