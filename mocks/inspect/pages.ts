// Pages of records, from either end of a list: a page continues from a place that stays, whatever is mined meanwhile, or has a number. Filters look at so many records for one page.
import type { Decimal } from "../../src/models/primitives.ts";
import { countBefore, reversed, sublist } from "../chain/listing.ts";
import type { BlockRange, Listing } from "../chain/reader.ts";
import type { Block } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { ServiceError } from "../message/api.ts";
import { decimal } from "../operations/format.ts";

/** The blocks of a range, the first one first. */
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
  /** From the newest record on, or from the first of the list. */
  readonly order?: "desc" | "asc";
  /** Records of the list before the next one; with `desc`, before and with it. */
  readonly from?: number | undefined;
  /** The number of the page, from 1 on; where `from` is given, that counts. */
  readonly page?: number | undefined;
  readonly limit: number;
}

/** A list in its order, and which of its records are wanted. */
export interface FilteredList<Item> {
  readonly list: Listing<Item>;
  /** All of them must hold; none: every record is wanted. */
  readonly conditions: readonly ((item: Item) => boolean)[];
}

/** Records looked at for one page: a tenth of a second. A list that has no more is looked at as a whole. */
const MAX_EXAMINED = 20_000;
/** Records read at once. */
const CHUNK = 500;

interface FilledPage<Item> {
  readonly items: readonly Item[];
  /** `from` of the next page; null at the end. */
  readonly next: string | null;
  /** How many are wanted in all; null where that is not known without looking at more. */
  readonly count: Decimal | null;
}

/** The wanted records from a place on. Of a long list it may have fewer than there are, or none, and say where to go on. */
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
      `page: expected none, since a filter of ${list.count} records does not count its pages; continue from \`next\``,
    );
  const found = examine(ordered, conditions, isSmall ? 0 : start, { start, skipped, limit });
  const isOver = isSmall ? !found.hasMore : found.end >= ordered.count;
  return {
    items: found.items,
    next: isOver ? null : placeOf(found.end),
    count: isSmall ? decimal(found.count) : null,
  };
}

/** Looks at the records of a list from a place on: at all of a small one, else until a page is full. */
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
