// Fetches blocks ahead, in groups that fit a request, and reads them in order, up to one that cannot be read.

import type { BlockInput } from "../chain/block-input.ts";
import { type ReadBlockOptions, type RpcBlock, readBlock } from "../ingest/block.ts";
import type { BlockSource } from "./block-source.ts";
import { Breaks } from "./breaks.ts";

/** Blocks in the first group. */
const FIRST_GROUP = 10;
const MAX_GROUP = 100;
/** The transactions a group should have: receipts and traces of more make large responses. */
const GROUP_TRANSACTIONS = 300;

/** Neighbouring blocks, undefined for one that the node did not have. */
export interface BlockGroup {
  readonly from: number;
  readonly blocks: readonly (RpcBlock | undefined)[];
}

/** The blocks from `from` to `to`, both included, while `ahead` groups are in flight. */
export async function* blockGroups(
  source: BlockSource,
  from: number,
  to: number,
  ahead: number,
): AsyncGenerator<BlockGroup, void, undefined> {
  const pending: { readonly from: number; readonly blocks: Promise<BlockGroup["blocks"]> }[] = [];
  let next = from;
  let size = FIRST_GROUP;
  const request = () => {
    while (pending.length < ahead && next <= to) {
      const count = Math.min(size, to - next + 1);
      const blocks = source.blocks(next, count);
      // Whoever takes the group handles its failure; a group that nobody takes needs no handling.
      blocks.catch(() => {});
      pending.push({ from: next, blocks });
      next += count;
    }
  };
  for (;;) {
    request();
    const group = pending.shift();
    if (group === undefined) return;
    const blocks = await group.blocks;
    size = nextSize(blocks);
    // Others are on their way while this group is taken over.
    request();
    yield { from: group.from, blocks };
  }
}

/** So many blocks as have about `GROUP_TRANSACTIONS`, if the next ones are like these. */
function nextSize(blocks: BlockGroup["blocks"]): number {
  const transactions = blocks.reduce((sum, block) => sum + transactionsIn(block), 0);
  const fitting = Math.floor((GROUP_TRANSACTIONS * blocks.length) / Math.max(1, transactions));
  return Math.min(MAX_GROUP, Math.max(1, fitting), 2 * Math.max(blocks.length, FIRST_GROUP));
}

const transactionsIn = (block: RpcBlock | undefined): number =>
  Array.isArray(block?.receipts) ? block.receipts.length : 0;

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
