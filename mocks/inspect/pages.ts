// Pages of records from either end of a list. New blocks do not move the place of a page.
import type { Decimal } from "../../src/models/primitives.ts";
import { countBefore, reversed, sublist } from "../chain/listing.ts";
import type { BlockRange, Listing } from "../chain/reader.ts";
import type { Block } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { ServiceError } from "../message/api.ts";
import { decimal } from "../operations/format.ts";

/** The blocks of a range in chain order. */
export function blocksIn(chain: ChainWriter, { startBlock, endBlock }: BlockRange): Listing<Block> {
  const { head, length } = chain;
  const first = Math.max(startBlock ?? 0, head.number - length + 1);
  const last = Math.min(endBlock ?? head.number, head.number);
  const at = (index: number) => chain.block(first + index) as Block;
  const count = Math.max(0, last - first + 1);
  return {
    count,
    at,
    slice: (offset, limit) =>
      Array.from({ length: Math.max(0, Math.min(limit, count - offset)) }, (_, index) =>
        at(offset + index),
      ),
  };
}

/** The records of a list in chain order whose blocks are in a range. */
export function withinRange<Item>(
  list: Listing<Item>,
  { startBlock = 0, endBlock = Number.MAX_SAFE_INTEGER }: BlockRange,
  blockOf: (item: Item) => Block,
): Listing<Item> {
  const before = (end: number) => countBefore(list, (item) => blockOf(item).number < end);
  return sublist(list, before(startBlock), before(endBlock + 1));
}

export interface WantedPage {
  /** "desc" begins at the newest record. */
  readonly order?: "desc" | "asc";
  /** Number of records before the page, counted from the start of the list. */
  readonly from?: number | undefined;
  /** Number of the page, counted from 1. Ignored if `from` is given. */
  readonly page?: number | undefined;
  readonly limit: number;
}

export interface FilteredList<Item> {
  readonly list: Listing<Item>;
  /** All conditions must hold. */
  readonly conditions: readonly ((item: Item) => boolean)[];
}

/** Records that are examined for one page, which takes about 0.1 s. */
const MAX_EXAMINED = 20_000;
const CHUNK = 500;

interface FilledPage<Item> {
  readonly items: readonly Item[];
  /** The `from` of the next page; null at the end. */
  readonly next: string | null;
  /** Number of records in all; null if more would have to be examined. */
  readonly count: Decimal | null;
}

/** Fills a page. With filters, a page of a long list may stay short or empty before the end. */
export function filledPage<Item>(
  { list, conditions }: FilteredList<Item>,
  { order = "asc", from, page = 1, limit }: WantedPage,
): FilledPage<Item> {
  const isUp = order === "asc";
  const ordered = isUp ? list : reversed(list);
  const start = from === undefined ? 0 : isUp ? from : Math.max(0, list.count - from);
  const skipped = from === undefined ? (page - 1) * limit : 0;
  const placeOf = (at: number) => decimal(isUp ? at : list.count - at);
  if (conditions.length === 0) {
    const items = ordered.slice(start + skipped, limit);
    const end = start + skipped + items.length;
    const hasMore = items.length > 0 && end < ordered.count;
    return { items, next: hasMore ? placeOf(end) : null, count: decimal(list.count) };
  }
  const isSmall = list.count <= MAX_EXAMINED;
  if (skipped > 0 && !isSmall)
    throw new ServiceError(
      400,
      `page: expected none, because a filter of ${list.count} records has no numbered pages; continue from \`next\``,
    );
  const examined = examine(ordered, conditions, isSmall ? 0 : start, { start, skipped, limit });
  const isOver = isSmall ? !examined.hasMore : examined.end >= ordered.count;
  return {
    items: examined.items,
    next: isOver ? null : placeOf(examined.end),
    count: isSmall ? decimal(examined.count) : null,
  };
}

/** Examines all of a small list, and a long list until the page is full. */
function examine<Item>(
  ordered: Listing<Item>,
  conditions: FilteredList<Item>["conditions"],
  first: number,
  { start, skipped, limit }: { start: number; skipped: number; limit: number },
) {
  const items: Item[] = [];
  const last = Math.min(ordered.count, first + MAX_EXAMINED);
  const isWhole = first === 0 && last === ordered.count;
  let count = 0;
  let left = skipped;
  let hasMore = false;
  let end = first;
  for (let at = first; at < last && (isWhole || items.length < limit); at += CHUNK)
    for (const [index, item] of ordered.slice(at, Math.min(CHUNK, last - at)).entries()) {
      const isFull = items.length === limit;
      if (isFull && !isWhole) break;
      if (!isFull) end = at + index + 1;
      if (!conditions.every((holds) => holds(item))) continue;
      count += 1;
      if (at + index < start) continue;
      if (left > 0) left -= 1;
      else if (isFull) hasMore = true;
      else items.push(item);
    }
  return { items, count, hasMore, end };
}
