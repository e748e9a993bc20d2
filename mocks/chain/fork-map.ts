// A copy-on-write map: forks share frozen layers, and each fork writes to a layer of its own.

type Layer<Key, Value> = ReadonlyMap<Key, Value | undefined>;

/** A fork merges layers into layers of up to this size, because many layers make reads slow. */
const MERGED_BY_FORK = 250;

/** A write merges into layers of up to this size, but only if there are more than `MANY_LAYERS`. */
const MERGED_BY_WRITE = 50_000;
const MANY_LAYERS = 16;

export class ForkMap<Key, Value> {
  #own = new Map<Key, Value | undefined>();
  /** Frozen layers, the oldest first. */
  #under: readonly Layer<Key, Value>[];

  constructor(under: readonly Layer<Key, Value>[] = []) {
    this.#under = under;
  }

  get(key: Key): Value | undefined {
    const ownValue = this.#own.get(key);
    if (ownValue !== undefined || this.#under.length === 0 || this.#own.has(key)) return ownValue;
    for (let layer = this.#under.length - 1; layer >= 0; layer--) {
      const map = this.#under[layer] as Layer<Key, Value>;
      const value = map.get(key);
      if (value !== undefined || map.has(key)) return value;
    }
    return undefined;
  }

  /** Returns the value only if this fork wrote it, so that the caller may change it in place. */
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

  *values(): Generator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  /** Returns a copy. Neither map sees later writes to the other. */
  fork(): ForkMap<Key, Value> {
    this.#freeze();
    return new ForkMap(this.#under);
  }

  #write(key: Key, value: Value | undefined): void {
    if (this.#own.size === 0 && this.#under.length > MANY_LAYERS) {
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

export interface Compaction<Layer> {
  /** The largest layer that a merge may make. */
  readonly upTo: number;
  readonly size: (layer: Layer) => number;
  readonly merge: (lower: Layer, upper: Layer) => Layer;
}

/**
 * Merges neighbouring layers, oldest first. Does not merge a layer with one of less than half its
 * size, so that each entry is copied only a few times, however many layers follow.
 */
export function compact<Layer>(
  layers: readonly Layer[],
  { upTo, size, merge }: Compaction<Layer>,
): readonly Layer[] {
  const compacted: Layer[] = [];
  for (const layer of layers) {
    let upper = layer;
    for (let lower = compacted.at(-1); lower !== undefined; lower = compacted.at(-1)) {
      if (size(lower) > size(upper) * 2 || size(lower) + size(upper) > upTo) break;
      upper = merge(lower, upper);
      compacted.pop();
    }
    compacted.push(upper);
  }
  return compacted;
}
