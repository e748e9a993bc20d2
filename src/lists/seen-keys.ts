// Remembers the keys of the records that were yielded, in bounded memory, so that none is yielded twice.

/** How many keys are remembered at least. */
const MIN_KEYS = 2 ** 20;

/** At least the last million keys, in two generations of open hash tables: 16 bytes a key, 50 MB at most. */
export class SeenKeys {
  #table = new Float64Array(128);
  #count = 0;
  #previous: Float64Array | undefined;
  /** How many keys were added. */
  size = 0;

  constructor(keys: readonly number[] = []) {
    for (const key of keys) this.add(key);
  }

  /** Whether a key was added. */
  has(key: number): boolean {
    const value = key || 0.5;
    if (this.#table[placeOf(this.#table, value)] === value) return true;
    return this.#previous !== undefined && this.#previous[placeOf(this.#previous, value)] === value;
  }

  /** Adds a key; false if it was added before. */
  add(key: number): boolean {
    // Free places hold 0.
    const value = key || 0.5;
    if (this.#previous && this.#previous[placeOf(this.#previous, value)] === value) return false;
    const place = placeOf(this.#table, value);
    if (this.#table[place] === value) return false;
    this.#table[place] = value;
    this.size++;
    if (++this.#count >= MIN_KEYS) {
      this.#previous = this.#table;
      this.#table = new Float64Array(128);
      this.#count = 0;
    } else if (this.#count * 2 > this.#table.length) this.#grow();
    return true;
  }

  #grow(): void {
    const before = this.#table;
    this.#table = new Float64Array(before.length * 2);
    for (const value of before) if (value) this.#table[placeOf(this.#table, value)] = value;
  }
}

/** The place of a value, or the free one for it. */
function placeOf(table: Float64Array, value: number): number {
  const mask = table.length - 1;
  let place = (value ^ (value / 2 ** 22)) & mask;
  while (table[place] && table[place] !== value) place = (place + 1) & mask;
  return place;
}
