// A map that forks in no time: frozen layers are shared, each fork writes into a layer of its own.
import { compact } from "./compact.ts";

type Layer<Key, Value> = ReadonlyMap<Key, Value | undefined>;

/** A fork merges layers up to this size: it must not take long. */
const MERGED_BY_FORK = 250;

/** Whoever writes may take longer, but only if there are more layers than this. */
const MERGED_BY_WRITE = 50_000;
const MANY = 16;

export class ForkMap<Key, Value> {
  #own = new Map<Key, Value | undefined>();
  /** Frozen, the oldest first. */
  #under: readonly Layer<Key, Value>[];

  constructor(under: readonly Layer<Key, Value>[] = []) {
    this.#under = under;
  }

  get(key: Key): Value | undefined {
    if (this.#under.length === 0) return this.#own.get(key);
    if (this.#own.has(key)) return this.#own.get(key);
    for (let layer = this.#under.length - 1; layer >= 0; layer--) {
      const map = this.#under[layer] as Layer<Key, Value>;
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
    this.#write(key, value);
  }

  delete(key: Key): void {
    if (this.#under.length === 0) this.#own.delete(key);
    else this.#write(key, undefined);
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
  fork(): ForkMap<Key, Value> {
    this.#freeze();
    return new ForkMap(this.#under);
  }

  #write(key: Key, value: Value | undefined): void {
    if (this.#own.size === 0 && this.#under.length > MANY) {
      this.#under = merged(this.#under, MERGED_BY_WRITE);
    }
    this.#own.set(key, value);
  }

  #freeze(): void {
    if (this.#own.size === 0) return;
    this.#under = merged([...this.#under, this.#own], MERGED_BY_FORK);
    this.#own = new Map();
  }
}

const merged = <Key, Value>(layers: readonly Layer<Key, Value>[], upTo: number) =>
  compact(layers, {
    upTo,
    size: (layer) => layer.size,
    merge: (lower, upper) => new Map([...lower, ...upper]),
  });
