// Where each block of a store ends, in the file of the node's form and in that of the short form.

export class BlockEnds {
  readonly #block: number[] = [];
  readonly #packed: number[] = [];

  get count(): number {
    return this.#block.length;
  }

  /** Where the last block ends. */
  get block(): number {
    return this.#block.at(-1) ?? 0;
  }

  /** Where the last block ends in the short form. */
  get packed(): number {
    return this.#packed.at(-1) ?? 0;
  }

  push(block: number, packed: number): void {
    this.#block.push(block);
    this.#packed.push(packed);
  }

  /** Keeps the first `count`. */
  cut(count: number): void {
    this.#block.length = Math.min(this.#block.length, count);
    this.#packed.length = this.#block.length;
  }
}
