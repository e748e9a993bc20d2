// Finds a segment's blocks by hash, with an index that is made when it is first asked for: only people who search need it.
import type { Block, Hash } from "./records.ts";

export class BlockHashes {
  readonly #blocks: readonly Block[];
  readonly #indexes = new Map<Hash, number>();
  /** The blocks that are indexed. */
  #seen = 0;

  /** `blocks` may grow. */
  constructor(blocks: readonly Block[]) {
    this.#blocks = blocks;
  }

  /** The position of the block with a hash. */
  find(hash: Hash): number | undefined {
    for (; this.#seen < this.#blocks.length; this.#seen++) {
      const block = this.#blocks[this.#seen];
      if (block !== undefined) this.#indexes.set(block.hash, this.#seen);
    }
    return this.#indexes.get(hash);
  }
}
