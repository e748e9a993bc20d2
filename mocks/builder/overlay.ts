// A table of values over another one: what changed since, with every change undoable.

/** Undoes one change. */
export type Undo = () => void;

export class Overlay<Key, Value> {
  readonly #changes = new Map<Key, Value>();
  readonly #journal: Undo[];
  readonly #load: (key: Key) => Value;

  constructor(journal: Undo[], load: (key: Key) => Value) {
    this.#journal = journal;
    this.#load = load;
  }

  get(key: Key): Value {
    const changed = this.#changes.get(key);
    return changed === undefined ? this.#load(key) : changed;
  }

  set(key: Key, value: Value): void {
    const before = this.#changes.get(key);
    this.#journal.push(() => {
      if (before === undefined) {
        this.#changes.delete(key);
      } else {
        this.#changes.set(key, before);
      }
    });
    this.#changes.set(key, value);
  }

  /** What was set, in the order of the first time. */
  changed(): [Key, Value][] {
    return [...this.#changes];
  }
}
