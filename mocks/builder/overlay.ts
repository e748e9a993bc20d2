// A table of changes over a source of values; every change can be undone.

/** Undoes one change. */
export type Undo = () => void;

export class Overlay<Key, Value> {
  readonly #changes = new Map<Key, Value>();
  readonly #undos: Undo[];
  readonly #load: (key: Key) => Value;

  constructor(undos: Undo[], load: (key: Key) => Value) {
    this.#undos = undos;
    this.#load = load;
  }

  get(key: Key): Value {
    const changed = this.#changes.get(key);
    return changed === undefined ? this.#load(key) : changed;
  }

  set(key: Key, value: Value): void {
    const before = this.#changes.get(key);
    this.#undos.push(() => {
      if (before === undefined) {
        this.#changes.delete(key);
      } else {
        this.#changes.set(key, before);
      }
    });
    this.#changes.set(key, value);
  }

  /** The values that were set, in the order they were first set. */
  changed(): [Key, Value][] {
    return [...this.#changes];
  }
}
