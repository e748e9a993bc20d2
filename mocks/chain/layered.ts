// A map that forks in no time: frozen layers are shared, each fork writes into a layer of its own.

/** Frozen layers up to this size are merged, so that forking again and again does not pile them up. */
const MERGED_UP_TO = 2_000;

export class Layered<Key, Value> {
  #own = new Map<Key, Value | undefined>();
  /** Frozen, the oldest first. */
  #under: readonly ReadonlyMap<Key, Value | undefined>[];

  constructor(under: readonly ReadonlyMap<Key, Value | undefined>[] = []) {
    this.#under = under;
  }

  get(key: Key): Value | undefined {
    if (this.#under.length === 0) return this.#own.get(key);
    if (this.#own.has(key)) return this.#own.get(key);
    for (let layer = this.#under.length - 1; layer >= 0; layer--) {
      const map = this.#under[layer] as ReadonlyMap<Key, Value | undefined>;
      const value = map.get(key);
      if (value !== undefined || map.has(key)) return value;
    }
    return undefined;
  }

  /** The value if this fork wrote it: only then may it be changed in place. */
  getOwn(key: Key): Value | undefined {
    return this.#own.get(key);
  }

  set(key: Key, value: Value): void {
    this.#own.set(key, value);
  }

  delete(key: Key): void {
    if (this.#under.length === 0) this.#own.delete(key);
    else this.#own.set(key, undefined);
  }

  *entries(): Generator<readonly [Key, Value]> {
    const layers = [...this.#under, this.#own];
    for (const [depth, layer] of layers.entries()) {
      const above = layers.slice(depth + 1);
      for (const [key, value] of layer) {
        if (value !== undefined && !above.some((map) => map.has(key))) yield [key, value];
      }
    }
  }

  /** A map that starts with what is in this one; neither sees what the other writes from now on. */
  fork(): Layered<Key, Value> {
    this.#freeze();
    return new Layered(this.#under);
  }

  #freeze(): void {
    if (this.#own.size === 0) return;
    const layers = [...this.#under, this.#own];
    for (let last = layers.length - 1; last > 0; last--) {
      const upper = layers[last] as ReadonlyMap<Key, Value | undefined>;
      const lower = layers[last - 1] as ReadonlyMap<Key, Value | undefined>;
      if (lower.size > upper.size * 2 || lower.size > MERGED_UP_TO) break;
      layers.splice(last - 1, 2, new Map([...lower, ...upper]));
    }
    this.#under = layers;
    this.#own = new Map();
  }
}
