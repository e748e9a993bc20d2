// Fetches blocks of a node and reads them, as far as they can be read.
import type { BlockInput } from "../chain/block-input.ts";
import { type ReadBlockOptions, type RpcBlock, readBlock } from "../ingest/block.ts";
import { blockGroups } from "./block-groups.ts";
import type { BlockSource } from "./block-source.ts";
import { Breaks } from "./breaks.ts";

/** Neighbouring blocks, up to the first one that the node did not have or that cannot be read. */
export interface ReadBlocks {
  readonly from: number;
  readonly inputs: readonly BlockInput[];
  /** The same blocks as the node returned them. */
  readonly blocks: readonly RpcBlock[];
  /** How many were asked for. */
  readonly count: number;
  /** The block after these, if it cannot be read. */
  readonly failed?:
    | { readonly number: number; readonly block: RpcBlock; readonly error: unknown }
    | undefined;
}

export class BlockReader {
  readonly #source: BlockSource;
  readonly #options: ReadBlockOptions;

  constructor(source: BlockSource, options: ReadBlockOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** These blocks, asked for at once. */
  async blocks(from: number, count: number): Promise<ReadBlocks> {
    return await this.#read(from, count > 0 ? await this.#source.blocks(from, count) : []);
  }

  /** The blocks from `from` to `to`, both included, in groups, while `ahead` of them are in flight. */
  async *groups(
    from: number,
    to: number,
    ahead: number,
  ): AsyncGenerator<ReadBlocks, void, undefined> {
    for await (const group of blockGroups(this.#source, from, to, ahead))
      yield await this.#read(group.from, group.blocks);
  }

  async #read(from: number, given: readonly (RpcBlock | undefined)[]): Promise<ReadBlocks> {
    const blocks: RpcBlock[] = [];
    const inputs: BlockInput[] = [];
    const breaks = new Breaks();
    for (const block of given) {
      if (block === undefined) break;
      try {
        inputs.push(readBlock(block, this.#options));
      } catch (error) {
        const failed = { number: from + inputs.length, block, error };
        return { from, inputs, blocks, count: given.length, failed };
      }
      blocks.push(block);
      if (breaks.isDue) await breaks.take();
    }
    return { from, inputs, blocks, count: given.length };
  }
}
