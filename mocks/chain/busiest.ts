// The addresses of a segment with most transactions, kept up to date as it grows.
import type { Postings } from "./postings.ts";

/** Number of entries kept. */
const kept = 128;

/** Keeps the keys of the longest lists of postings. Lists only grow, so those that did not are among the longest only if they were before. */
export class Busiest {
  readonly #postings: Postings;
  readonly #keysOf: (id: number) => readonly number[];
  /** The ids that are accounted for. */
  #seen = 0;
  #keys: readonly number[] = [];

  /** `keysOf` gives the keys whose lists have an id. */
  constructor(postings: Postings, keysOf: (id: number) => readonly number[]) {
    this.#postings = postings;
    this.#keysOf = keysOf;
  }

  /** The keys of the longest lists, when there are `count` ids. */
  keys(count: number): readonly number[] {
    const added = count - this.#seen;
    if (added > 0) {
      // Reading all lists costs less than reading many transactions.
      this.#keys = longest(
        this.#postings,
        added > this.#postings.size ? this.#postings.keys() : this.#candidates(count),
      );
      this.#seen = count;
    }
    return this.#keys;
  }

  #candidates(count: number): Set<number> {
    const candidates = new Set(this.#keys);
    for (let id = this.#seen; id < count; id++)
      for (const key of this.#keysOf(id)) candidates.add(key);
    return candidates;
  }
}

/** The keys of the longest lists, the longest first. */
function longest(postings: Postings, keys: Iterable<number>): readonly number[] {
  const length = (key: number) => postings.count(key);
  const cut = (some: readonly number[]) =>
    some.toSorted((one, other) => length(other) - length(one)).slice(0, kept);
  let best: number[] = [];
  let least = 0;
  for (const key of keys) {
    if (length(key) <= least) continue;
    best.push(key);
    if (best.length < 8 * kept) continue;
    best = cut(best);
    least = length(best.at(-1) ?? 0);
  }
  return cut(best);
}
