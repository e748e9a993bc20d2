// Pages of records, from either end of a list: a page continues from a place that stays, whatever is mined meanwhile. Filters look at so many records for one page.
import type { Decimal } from "../../../../src/models/primitives.ts";
import { reversed } from "../../../double/chain/listing.ts";
import type { Listing } from "../../../double/chain/reader.ts";
import type { Block } from "../../../double/chain/records.ts";
import type { ChainWriter } from "../../../double/chain/writer.ts";
import { decimal } from "../../../double/operations/format.ts";

/** A part of a list, and where the next one continues. */
export interface Part<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

interface BlockPage {
  /** Blocks below it, or from the head on. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export function blocksBefore(chain: ChainWriter, { before, limit }: BlockPage): Part<Block> {
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

export interface ListPage {
  readonly order: "desc" | "asc";
  /** Records of the list before the next one; with `desc`, before and with it. */
  readonly from?: number | undefined;
  readonly limit: number;
}

/** A list in chain order, and which of its records are wanted. */
export interface FilteredList<Item> {
  readonly list: Listing<Item>;
  /** All of them must hold; none: every record is wanted. */
  readonly conditions: readonly ((item: Item) => boolean)[];
}

/** Records looked at for one page: a tenth of a second. */
const MAX_EXAMINED = 20_000;
/** Records read at once. */
const CHUNK = 500;

/** A part of a filtered list. */
interface FilledPage<Item> extends Part<Item> {
  /** How many are wanted in all; null where that is not known without looking at all of them. */
  readonly count: Decimal | null;
}

/** The wanted records from a place on. It may have fewer than there are, or none, and say where to go on. */
export function filledPage<Item>(
  { list, conditions }: FilteredList<Item>,
  { order, from, limit }: ListPage,
): FilledPage<Item> {
  const isUp = order === "asc";
  const ordered = isUp ? list : reversed(list);
  const items: Item[] = [];
  let at = from === undefined ? 0 : isUp ? from : Math.max(0, list.count - from);
  const end = Math.min(ordered.count, at + MAX_EXAMINED);
  while (at < end && items.length < limit) {
    const size = conditions.length === 0 ? limit - items.length : Math.min(CHUNK, end - at);
    for (const item of ordered.slice(at, size)) {
      at += 1;
      if (conditions.every((holds) => holds(item)) && items.push(item) === limit) break;
    }
  }
  const next = at < ordered.count ? decimal(isUp ? at : list.count - at) : null;
  return { items, next, count: conditions.length === 0 ? decimal(list.count) : null };
}
