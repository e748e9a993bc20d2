// A table of 32-byte words (hashes, topics), found by content; 40 bytes each.
import { numberAt, toHex, writeHex } from "./hex.ts";
import type { Hash } from "./records.ts";

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
    const grown = new Uint32Array(Math.ceil(this.length * (this.length < 1024 ? 2 : 1.3)) * 8);
    grown.set(this.#words);
    this.#words = grown;
    this.#bytes = new Uint8Array(grown.buffer);
    this.#view = new DataView(grown.buffer);
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
