// How many calls go into one HTTP request: as many as the node takes, found by trying.

export class BatchSize {
  readonly #max: number;
  #ceiling: number;
  #size: number;

  constructor(max: number) {
    this.#max = Math.max(1, max);
    this.#ceiling = this.#max;
    this.#size = this.#max;
  }

  get current(): number {
    return this.#size;
  }

  /** The node refuses a batch of this size: no batch is as large again. */
  refused(size: number): void {
    this.#ceiling = Math.max(1, Math.min(this.#ceiling, size - 1));
    this.#size = Math.max(1, Math.min(this.#size, Math.floor(size / 2)));
  }

  /** A batch of this size failed, perhaps for its size. */
  failed(size: number): void {
    this.#size = Math.max(1, Math.min(this.#size, Math.floor(size / 2)));
  }

  /** The node responded to a batch of this size. */
  succeeded(size: number): void {
    if (size >= this.#size) this.#size = Math.min(this.#ceiling, this.#size * 2);
  }
}
