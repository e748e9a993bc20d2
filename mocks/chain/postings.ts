// An inverted index: for each key, the ids of the records it appears in, in chain order.

const NONE: readonly number[] = [];

export class Postings {
  readonly #lists = new Map<number, number[]>();

  /** Adds an id, once: ids come in order, so a duplicate is always the last one. */
  add(key: number, id: number): void {
    const list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, [id]);
    else if (list[list.length - 1] !== id) list.push(id);
  }

  /** The number of keys. */
  get size(): number {
    return this.#lists.size;
  }

  keys(): Iterable<number> {
    return this.#lists.keys();
  }

  of(key: number): readonly number[] {
    return this.#lists.get(key) ?? NONE;
  }
}
