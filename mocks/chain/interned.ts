// Tables that number what repeats, so that each value is stored once: texts, 32-byte words, pairs of numbers.

import { numberAt, toHex, writeHex } from "./hex.ts";
import { grown } from "./ids.ts";
import type { Hash } from "./records.ts";

export class Interned<Text extends string> {
  readonly #ids = new Map<Text, number>();
  readonly #texts: Text[] = [];

  /** The number of a string, which is added if it is new. */
  intern(text: Text): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#ids.set(text, this.#texts.length);
    return this.#texts.push(text) - 1;
  }

  /** The number of a string, or -1. */
  find(text: Text): number {
    return this.#ids.get(text) ?? -1;
  }

  at(id: number): Text {
    return this.#texts[id] as Text;
  }
}

const scratch = new Uint32Array(8);
const scratchBytes = new Uint8Array(scratch.buffer);

export class Bytes32Table {
  #words = new Uint32Array(8 * 8);
  #bytes = new Uint8Array(this.#words.buffer);
  #view = new DataView(this.#words.buffer);
  /** Open addressing; a slot holds id + 1. */
  #slots = new Uint32Array(16);
  length = 0;

  at(id: number): Hash {
    return toHex(this.#bytes, id * 32, id * 32 + 32);
  }

  /** The number that a word is. */
  number(id: number): bigint {
    return numberAt(this.#view, id * 32);
  }

  /** The id of a word, or -1. */
  find(word: Hash): number {
    if (word.length !== 66) return -1;
    writeHex(word, scratchBytes, 0);
    const slot = this.#slotOf(scratch, 0);
    return (this.#slots[slot] as number) - 1;
  }

  /** The id of a word, which is added if it is new. */
  intern(word: Hash): number {
    writeHex(word, scratchBytes, 0);
    const slot = this.#slotOf(scratch, 0);
    const known = this.#slots[slot] as number;
    return known === 0 ? this.#add(slot) : known - 1;
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

  /** Adds the word in `scratch`. */
  #add(slot: number): number {
    this.#reserve();
    const at = this.length * 8;
    for (let word = 0; word < 8; word++) this.#words[at + word] = scratch[word] as number;
    this.#slots[slot] = ++this.length;
    if (this.length * 10 > this.#slots.length * 7) this.#rehash();
    return this.length - 1;
  }

  /** No other word was placed after it, so none depends on its slot. */
  #removeLast(): void {
    this.#slots[this.#slotOf(this.#words, (this.length - 1) * 8)] = 0;
    this.length--;
  }

  /** The slot that holds the word at `source[at..at+8)`, or the free one it belongs in. */
  #slotOf(source: Uint32Array, at: number): number {
    const mask = this.#slots.length - 1;
    let slot = mix(source, at) & mask;
    for (;;) {
      const id = this.#slots[slot] as number;
      if (id === 0 || equalWords(this.#words, (id - 1) * 8, source, at)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #reserve(): void {
    if ((this.length + 1) * 8 <= this.#words.length) return;
    this.#words = grown(this.#words, this.length * 8);
    this.#bytes = new Uint8Array(this.#words.buffer);
    this.#view = new DataView(this.#words.buffer);
  }

  #rehash(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let id = 0; id < this.length; id++) {
      this.#slots[this.#slotOf(this.#words, id * 8)] = id + 1;
    }
  }
}

function equalWords(
  left: Uint32Array,
  leftAt: number,
  right: Uint32Array,
  rightAt: number,
): boolean {
  for (let word = 7; word >= 0; word--) {
    if (left[leftAt + word] !== right[rightAt + word]) return false;
  }
  return true;
}

function mix(source: Uint32Array, at: number): number {
  let sum = 0;
  for (let word = 0; word < 8; word++) {
    sum = Math.imul(sum ^ (source[at + word] as number), 0x9e3779b1);
    sum ^= sum >>> 15;
  }
  return sum >>> 0;
}

const NONE = new Uint32Array(0);

export class PairIds {
  #pairs = NONE;
  /** Open addressing; a slot holds id + 1. */
  #slots = NONE;
  #length = 0;

  /** The number of a pair, or -1. */
  find(left: number, right: number): number {
    if (this.#length === 0) return -1;
    return (this.#slots[this.#slotOf(left, right)] as number) - 1;
  }

  /** The number of a pair, which is added if it is new. */
  intern(left: number, right: number): number {
    if (this.#length * 10 >= this.#slots.length * 7) this.#rehash();
    const slot = this.#slotOf(left, right);
    const known = this.#slots[slot] as number;
    if (known !== 0) return known - 1;
    const id = this.#length++;
    this.#reserve();
    this.#pairs[id * 2] = left;
    this.#pairs[id * 2 + 1] = right;
    this.#slots[slot] = id + 1;
    return id;
  }

  /** The slot that holds a pair, or the free one it belongs in. */
  #slotOf(left: number, right: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = mixPair(left, right) & mask; ; slot = (slot + 1) & mask) {
      const at = ((this.#slots[slot] as number) - 1) * 2;
      if (at < 0 || (this.#pairs[at] === left && this.#pairs[at + 1] === right)) return slot;
    }
  }

  #reserve(): void {
    if (this.#length * 2 <= this.#pairs.length) return;
    this.#pairs = grown(this.#pairs, this.#length * 2);
  }

  #rehash(): void {
    this.#slots = new Uint32Array(Math.max(16, this.#slots.length * 2));
    for (let id = 0; id < this.#length; id++) {
      const slot = this.#slotOf(this.#pairs[id * 2] as number, this.#pairs[id * 2 + 1] as number);
      this.#slots[slot] = id + 1;
    }
  }
}

function mixPair(left: number, right: number): number {
  let sum = Math.imul(left ^ (left >>> 15), 0x9e3779b1) ^ right;
  sum = Math.imul(sum ^ (sum >>> 15), 0x85ebca6b);
  return (sum ^ (sum >>> 13)) >>> 0;
}
