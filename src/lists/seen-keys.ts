// Remembers the keys of the records that were yielded, in bounded memory, so that none is yielded twice.

/** The minimum number of keys to remember. */
const MIN_KEYS = 2 ** 20;

/** An open hash table: keys, and checks that distinguish records with the same key. */
interface Table {
  readonly keys: Float64Array;
  readonly checks: Uint32Array;
}

const tableOf = (length: number): Table => ({
  keys: new Float64Array(length),
  checks: new Uint32Array(length),
});

/** At least the last million keys, in two generations of tables: 24 to 96 bytes a key, and 57 MB at most, while the second table grows. */
export class SeenKeys {
  #table = tableOf(128);
  #count = 0;
  #previous: Table | undefined;
  /** How many keys were added. */
  size = 0;
  /** The seed of the checks. */
  readonly seed = Math.floor(Math.random() * 2 ** 32);

  /** Keys of a cursor, which has no checks. */
  constructor(keys: readonly number[] = []) {
    for (const key of keys) this.add(key, 0);
  }

  /** Whether a key was added. */
  has(key: number, check: number): boolean {
    return holds(this.#table, key, check) || holds(this.#previous, key, check);
  }

  /** Adds a key; false if it was added before. */
  add(key: number, check: number): boolean {
    if (this.has(key, check)) return false;
    put(this.#table, key, check);
    this.size++;
    if (++this.#count >= MIN_KEYS) {
      this.#previous = this.#table;
      this.#table = tableOf(128);
      this.#count = 0;
    } else if (this.#count * 2 > this.#table.keys.length) this.#grow();
    return true;
  }

  #grow(): void {
    const { checks, keys } = this.#table;
    this.#table = tableOf(keys.length * 4);
    for (let at = 0; at < keys.length; at++)
      if (keys[at]) put(this.#table, keys[at] as number, checks[at] as number);
  }
}

/** The place of a key, or the free one for it. A check of 0 is any. */
function placeOf({ checks, keys }: Table, key: number, check: number): number {
  const mask = keys.length - 1;
  let place = (key ^ (key / 2 ** 22)) & mask;
  while (keys[place] && !(keys[place] === key && (!checks[place] || checks[place] === check)))
    place = (place + 1) & mask;
  return place;
}

// Free places hold 0.
const stored = (key: number) => key || 0.5;

const holds = (table: Table | undefined, key: number, check: number): boolean =>
  table !== undefined && table.keys[placeOf(table, stored(key), check)] === stored(key);

function put(table: Table, key: number, check: number): void {
  const place = placeOf(table, stored(key), check);
  table.keys[place] = stored(key);
  table.checks[place] = check;
}
