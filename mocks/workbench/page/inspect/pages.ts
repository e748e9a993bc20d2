// Pages of records, newest first, that continue from a place in the chain, whatever is mined meanwhile.
import { countBefore, firstOf, reversed } from "../../../double/chain/listing.ts";
import type { BlockRange, ChainReader, Listing } from "../../../double/chain/reader.ts";
import type { Address, Block, ChainTransaction, Log } from "../../../double/chain/records.ts";
import { TRANSFER_TOPIC } from "../../../double/chain/transfer-event.ts";
import type { ChainWriter } from "../../../double/chain/writer.ts";
import { decimal } from "../../../double/operations/format.ts";

/** Where a page of transactions or transfers begins: after the record at this place in this block. */
interface Position {
  readonly block: number;
  readonly index: number;
}

const positionText = ({ block, index }: Position): string => `${block}.${index}`;

/** The position of a checked text. */
function positionOf(text: string): Position {
  const [block = 0, index = 0] = text.split(".").map(Number);
  return { block, index };
}

/** A part of a list, and `before` of the next one. */
interface Part<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** Blocks below `before`, or from the head on. */
export function blocksBefore(
  chain: ChainWriter,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Part<Block> {
  const items: Block[] = [];
  const from = Math.min(chain.head.number, (before ?? Number.POSITIVE_INFINITY) - 1);
  for (let number = from; items.length < limit; number--) {
    const block = chain.block(number);
    if (block === undefined) break;
    items.push(block);
  }
  const last = items.at(-1)?.number;
  const hasMore = last !== undefined && chain.block(last - 1) !== undefined;
  return { items, next: hasMore ? decimal(last) : null };
}

/** A list in chain order, of the blocks in a range; each record has its place. */
interface RangedList<Item> {
  readonly listing: (range: BlockRange) => Listing<Item>;
  readonly placeOf: (item: Item) => Position;
}

/** Records before a place, or from the newest on. */
function recordsBefore<Item>(
  list: RangedList<Item>,
  { before, limit }: { readonly before?: string | undefined; readonly limit: number },
): Part<Item> {
  const older = before === undefined ? list.listing({}) : olderThan(list, positionOf(before));
  const items = reversed(older).slice(0, limit);
  const last = items.at(-1);
  const hasMore = last !== undefined && older.count > items.length;
  return { items, next: hasMore ? positionText(list.placeOf(last)) : null };
}

/** The records before a place. */
function olderThan<Item>(
  { listing, placeOf }: RangedList<Item>,
  { block, index }: Position,
): Listing<Item> {
  const upToBlock = listing({ endBlock: block });
  const inBlock = listing({ startBlock: block, endBlock: block });
  const before = countBefore(inBlock, (item) => placeOf(item).index < index);
  return firstOf(upToBlock, upToBlock.count - inBlock.count + before);
}

type PageParameters = Parameters<typeof recordsBefore>[1];

export const transactionsBefore = (
  chain: ChainWriter,
  parameters: PageParameters,
): Part<ChainTransaction> =>
  recordsBefore(
    {
      listing: (range) => chain.allTransactions(range),
      placeOf: ({ block, index }) => ({ block: block.number, index }),
    },
    parameters,
  );

/** The Transfer events of a contract. */
export const transferLogs = (chain: ChainReader, token: Address, range: BlockRange = {}) =>
  chain.logs({ ...range, address: token, topics: [TRANSFER_TOPIC], operand: "and" });

export const transferLogsBefore = (
  chain: ChainReader,
  token: Address,
  parameters: PageParameters,
): Part<Log> =>
  recordsBefore(
    {
      listing: (range) => transferLogs(chain, token, range),
      placeOf: ({ transaction, index }) => ({ block: transaction.block.number, index }),
    },
    parameters,
  );
