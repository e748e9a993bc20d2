// Remembers the records that were yielded, in bounded memory, so that none is yielded twice.

/** How many records a generation holds. The current and the previous generation are remembered. */
const GENERATION = 2 ** 17;

/** Combines 21 bits of a key and its check into a number, which nobody can make collide. */
const identityOf = (key: number, check: number) => (key % 2 ** 21) * 2 ** 32 + check;

/** The keys of records, each with a check that tells records with the same key apart. */
export class SeenKeys {
  /** The keys of a cursor, which have no checks. */
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
