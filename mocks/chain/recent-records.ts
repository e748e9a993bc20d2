// Records made lately, so that reading a page again gives the same objects instead of making them anew.

/** Two generations of so many are kept: with their texts, about 10 MB of transactions. */
const generationSize = 4096;

/** When the younger generation is full, the older one is dropped. */
export class RecentRecords<Item> {
  #young = new Map<number, Item>();
  #old = new Map<number, Item>();
  readonly #make: (id: number) => Item;
  readonly #size: number;

  constructor(make: (id: number) => Item, size = generationSize) {
    this.#make = make;
    this.#size = size;
  }

  at(id: number): Item {
    const known = this.#young.get(id);
    if (known !== undefined) return known;
    const item = this.#old.get(id) ?? this.#make(id);
    this.#young.set(id, item);
    if (this.#young.size >= this.#size) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    return item;
  }
}
