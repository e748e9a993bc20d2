// Remembers the keys of the records that were yielded, in bounded memory, so that none is yielded twice.

/** The minimum number of keys to remember. */
const MIN_KEYS = 2 ** 20;

/** An open hash table: keys, each followed by a check that distinguishes records with the same key. One look into memory finds both. */
type Table = Float64Array;

const smallTable = (): Table => new Float64Array(256);

/** At least the last million keys, in two generations of tables: 32 to 128 bytes a key, and 76 MB at most, while the second table grows. */
export class SeenKeys {
  #table = smallTable();
  #count = 0;
  #previous: Table | undefined;

  /** Keys of a cursor, which has no checks. */
  constructor(keys: readonly number[]) {
    for (const key of keys) this.add(key, 0);
  }

  /** Whether a key was added. */
  has(key: number, check: number): boolean {
    return holds(this.#table, key, check) || holds(this.#previous, key, check);
  }

  /** Adds a key; false if it was added before. */
  add(key: number, check: number): boolean {
    if (holds(this.#previous, key, check) || !put(this.#table, key, check)) return false;
    if (++this.#count >= MIN_KEYS) {
      this.#previous = this.#table;
      this.#table = smallTable();
      this.#count = 0;
    } else if (this.#count * 4 > this.#table.length) this.#grow();
    return true;
  }

  #grow(): void {
    const old = this.#table;
    this.#table = new Float64Array(old.length * 4);
    for (let at = 0; at < old.length; at += 2)
      if (old[at]) put(this.#table, Number(old[at]), Number(old[at + 1]));
  }
}

/** The place of a key, or a free one for it. A stored check of 0 matches any. */
function placeOf(table: Table, key: number, check: number): number {
  const mask = table.length - 1;
  let at = ((key ^ (key / 2 ** 22)) * 2) & mask;
  while (table[at] && !(table[at] === key && (!table[at + 1] || table[at + 1] === check)))
    at = (at + 2) & mask;
  return at;
}

// Free places hold 0.
const stored = (key: number) => key || 0.5;

const holds = (table: Table | undefined, key: number, check: number): boolean =>
  table !== undefined && table[placeOf(table, stored(key), check)] === stored(key);

/** Returns false if the key is already there. */
function put(table: Table, key: number, check: number): boolean {
  const at = placeOf(table, stored(key), check);
  if (table[at]) return false;
  table[at] = stored(key);
  table[at + 1] = check;
  return true;
}
