// An inverted index: for each key, the ids of the records it appears in, in chain order, packed into one column.
import { lowerBound, type SortedIds } from "./ids.ts";

/** A list is a chain of chunks, each half as long as those before it together. By chunk: how many ids are in those before it. */
const BEFORE: number[] = [0, 3];
for (let total = 3; total < 2 ** 32; BEFORE.push(total))
  total += Math.max(3, Math.floor(total / 2));

const NONE = new Uint32Array(0);

export class Postings {
  /** By key: the number of ids. */
  #counts = NONE;
  /** By key: where its last chunk starts, or its only id. */
  #tails = NONE;
  /** By key: the number of its last chunk. */
  #chunks = new Uint8Array(0);
  /** The chunks of all lists; before each but the first of a list, where the one before it starts. */
  #items = NONE;
  #used = 0;
  /** The number of keys. */
  size = 0;

  /** Adds an id, once: ids come in order, so a duplicate is always the last one. */
  add(key: number, id: number): void {
    if (key >= this.#counts.length) this.#growKeys(key + 1);
    const count = this.#counts[key] as number;
    if (count === 0) {
      this.#tails[key] = id;
      this.size++;
    } else if (count === 1) {
      const only = this.#tails[key] as number;
      if (only === id) return;
      const start = this.#reserve(BEFORE[1] as number);
      this.#items[start] = only;
      this.#items[start + 1] = id;
      this.#tails[key] = start;
    } else {
      const chunk = this.#chunks[key] as number;
      const tail = this.#tails[key] as number;
      const end = tail + count - (BEFORE[chunk] as number);
      if (this.#items[end - 1] === id) return;
      if (count === BEFORE[chunk + 1]) this.#addChunk(key, chunk + 1, id);
      else this.#items[end] = id;
    }
    this.#counts[key] = count + 1;
  }

  *keys(): Generator<number> {
    for (const [key, count] of this.#counts.entries()) if (count > 0) yield key;
  }

  /** The number of ids of a key. */
  count(key: number): number {
    return this.#counts[key] ?? 0;
  }

  of(key: number): SortedIds {
    return new PostingList(this, key);
  }

  /** The id at a position of a key's list. */
  at(key: number, position: number): number {
    if (this.count(key) === 1) return this.#tails[key] as number;
    let chunk = this.#chunks[key] as number;
    let start = this.#tails[key] as number;
    for (; position < (BEFORE[chunk] as number); chunk--) start = this.#items[start - 1] as number;
    return this.#items[start + position - (BEFORE[chunk] as number)] as number;
  }

  /** The number of a key's ids below `id`. */
  countBelow(key: number, id: number): number {
    const count = this.count(key);
    if (count < 2) return count === 1 && (this.#tails[key] as number) < id ? 1 : 0;
    let chunk = this.#chunks[key] as number;
    let start = this.#tails[key] as number;
    let end = start + count - (BEFORE[chunk] as number);
    for (; chunk > 0 && (this.#items[start] as number) >= id; chunk--) {
      start = this.#items[start - 1] as number;
      end = start + (BEFORE[chunk] as number) - (BEFORE[chunk - 1] as number);
    }
    return lowerBound(this.#items, id, end, start) - start + (BEFORE[chunk] as number);
  }

  /** A key's ids at the positions from `start` up to, not including, `end`. */
  slice(key: number, start: number, end: number): Uint32Array {
    const length = Math.min(end, this.count(key)) - start;
    if (length <= 0) return NONE;
    const ids = new Uint32Array(length);
    if (this.count(key) === 1) {
      ids[0] = this.#tails[key] as number;
      return ids;
    }
    let chunk = this.#chunks[key] as number;
    let tail = this.#tails[key] as number;
    for (let until = start + length; until > start; chunk--) {
      const before = BEFORE[chunk] as number;
      const from = Math.max(start, before);
      if (from < until) {
        ids.set(this.#items.subarray(tail + from - before, tail + until - before), from - start);
        until = from;
      }
      if (chunk > 0) tail = this.#items[tail - 1] as number;
    }
    return ids;
  }

  #addChunk(key: number, chunk: number, id: number): void {
    const start = this.#reserve(1 + (BEFORE[chunk + 1] as number) - (BEFORE[chunk] as number)) + 1;
    this.#items[start - 1] = this.#tails[key] as number;
    this.#items[start] = id;
    this.#tails[key] = start;
    this.#chunks[key] = chunk;
  }

  /** The start of so many free items. */
  #reserve(size: number): number {
    const start = this.#used;
    this.#used += size;
    if (this.#used > this.#items.length) {
      const grown = new Uint32Array(room(this.#used));
      grown.set(this.#items);
      this.#items = grown;
    }
    return start;
  }

  #growKeys(size: number): void {
    const grown = room(size);
    const [counts, tails] = [new Uint32Array(grown), new Uint32Array(grown)];
    counts.set(this.#counts);
    tails.set(this.#tails);
    const chunks = new Uint8Array(grown);
    chunks.set(this.#chunks);
    this.#counts = counts;
    this.#tails = tails;
    this.#chunks = chunks;
  }
}

/** How much to make room for when so much is needed. */
const room = (needed: number): number => Math.ceil(needed * (needed < 1024 ? 2 : 1.25));

/** A list of an index, which grows with it. */
class PostingList implements SortedIds {
  readonly #postings: Postings;
  readonly #key: number;

  constructor(postings: Postings, key: number) {
    this.#postings = postings;
    this.#key = key;
  }

  get length(): number {
    return this.#postings.count(this.#key);
  }

  at(position: number): number {
    return this.#postings.at(this.#key, position);
  }

  countBelow(id: number): number {
    return this.#postings.countBelow(this.#key, id);
  }

  slice(start: number, end: number): Uint32Array {
    return this.#postings.slice(this.#key, start, end);
  }
}
