// Fetches blocks ahead, in groups that fit a request, and hands the groups out in order.
import type { RpcBlock } from "../ingest/block.ts";
import type { BlockSource } from "./block-source.ts";

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
