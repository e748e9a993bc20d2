// Streams of random values per entity: the same seed and entity give the same values, whatever else is generated.
import { toHex } from "../../chain/hex.ts";
import type { Hex } from "../../chain/records.ts";
import { randomNumbers } from "../../service/random.ts";

const scratch = new Uint32Array(8);
const scratchBytes = new Uint8Array(scratch.buffer);

/** The 32-bit FNV-1a hash of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}

/** The streams of all entities of a kind. */
export class RandomStreams {
  readonly #seed: number;
  readonly #kind: number;

  constructor(seed: number | string, kind: string) {
    this.#seed = hashOf(`${typeof seed} ${seed}`);
    this.#kind = hashOf(kind);
  }

  /** The stream of the entity with that number. */
  of(index: number): RandomStream {
    return new RandomStream(this.#seed, this.#kind, index);
  }
}

/** A stream of random values: sfc32 with its state filled from the hashes of seed and kind, and the index. */
export class RandomStream {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, kind: number, index: number) {
    this.#a = seed;
    this.#b = kind;
    this.#c = index | 0;
    for (let round = 0; round < 12; round++) this.next();
  }

  /** 32 random bits. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter++) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** At least 0, below 1. */
  unit(): number {
    return this.next() / 2 ** 32;
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.unit() * end);
  }

  /** True with the given probability. */
  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /**
   * A rank below `end` by Zipf's law: 0 is about twice as likely as 1, three times as likely as 2. A higher `end` gives the same rank,
   * or one that did not exist before.
   */
  rank(end: number): number {
    const seed = this.next();
    let rank = 0;
    // Each rank may replace the lower ones with the probability of the law; one draw gives the next that does.
    for (let draw = 0; ; draw++) {
      const next = Math.ceil((rank + 2) ** (1 / randomNumbers(seed, draw)) - 2);
      if (next >= end) return rank;
      rank = Math.max(next, rank + 1);
    }
  }

  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new RangeError("Cannot pick from an empty list");
    return items[this.below(items.length)] as Item;
  }

  /** `numerator / 2^20` of an amount, with a random numerator. */
  share(amount: bigint): bigint {
    return (amount * BigInt(this.below(2 ** 20))) >> 20n;
  }

  hex(bytes: number): Hex {
    for (let word = 0; word * 4 < bytes; word++) scratch[word] = this.next();
    return toHex(scratchBytes, 0, bytes);
  }
}
