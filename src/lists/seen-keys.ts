// Remembers the records that were yielded, in bounded memory, so that none is yielded twice.

/** How many records a generation holds. The last one to two generations are remembered. */
const GENERATION = 2 ** 17;

/**
 * Combines 21 bits of a key and its check in one number. Nobody can craft two records with the same
 * number.
 */
const identityOf = (key: number, check: number) => (key % 2 ** 21) * 2 ** 32 + check;

/** The keys of records, each with a check that distinguishes records with the same key. */
export class SeenKeys {
  /** The keys of a cursor. They have no checks, because a cursor contains none. */
  readonly #resumed: ReadonlySet<number>;
  #current = new Set<number>();
  #previous: ReadonlySet<number> = new Set();

  constructor(resumed: readonly number[]) {
    this.#resumed = new Set(resumed);
  }

  /** Returns whether a key was added. */
  has(key: number, check: number): boolean {
    const identity = identityOf(key, check);
    return this.#resumed.has(key) || this.#current.has(identity) || this.#previous.has(identity);
  }

  /** Adds a key. Returns false if it was added before. */
  add(key: number, check: number): boolean {
    if (this.has(key, check)) return false;
    this.#current.add(identityOf(key, check));
    if (this.#current.size < GENERATION) return true;
    this.#previous = this.#current;
    this.#current = new Set();
    return true;
  }
}
