// Formats a chain's values for the wire: decimals, times, addresses, pages.
import type { Decimal } from "../../src/models/primitives.ts";
import { reversed } from "../chain/listing.ts";
import type { BlockRange, Listing } from "../chain/reader.ts";
import type { Address, Block, Hex } from "../chain/records.ts";
import { answerTooLarge, MAX_ANSWER, ServiceError } from "../message/api.ts";

/**
 * Formats a number. Plain numbers are block numbers, counts and indexes, far below 10^21, where
 * exponents begin.
 */
export const decimal = (value: bigint | number): Decimal => `${value}` as Decimal;

/** Formats a number as a decimal string; null stays null. */
export const decimalOrNull = (value: bigint | number | null): Decimal | null =>
  value === null ? null : decimal(value);

/** "1" success, "0" error, null unknown (S11). */
export const outcome = (succeeded: boolean | null): "0" | "1" | null =>
  succeeded === null ? null : succeeded ? "1" : "0";

const DAY = 86_400;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => `${number}`.padStart(2, "0"));

/** Caches the last day, because `toISOString` would take half of the time to format a page. */
const lastDay = { day: Number.NaN, text: "" };

/** Formats seconds since 1970 as `YYYY-MM-DDThh:mm:ssZ`. */
export function time(seconds: number): string {
  const day = Math.floor(seconds / DAY);
  if (day !== lastDay.day) {
    lastDay.text = new Date(day * DAY * 1000).toISOString().slice(0, 11);
    lastDay.day = day;
  }
  const secondsOfDay = seconds - day * DAY;
  const two = (value: number) => TWO_DIGITS[Math.floor(value)];
  return `${lastDay.text}${two(secondsOfDay / 3600)}:${two((secondsOfDay / 60) % 60)}:${two(secondsOfDay % 60)}Z`;
}

/** Lowers the case of a parameter, because a chain stores hexadecimal in lower case. */
export const lower = (text: Hex): Address => text.toLowerCase() as Hex;

/** The number of blocks above a block (S13). */
export const confirmations = (head: Block, block: Block): Decimal =>
  decimal(head.number - block.number);

export interface Paging {
  readonly limit: number;
  readonly offset: number;
}

/** A page of a list in its own order, with the count of all records (S3). */
export const ascending = <Item, Formatted extends object>(
  list: Listing<Item>,
  { limit, offset }: Paging,
  format: (item: Item) => Formatted,
  adviceOf?: (fitting: number) => string,
): { count: Decimal; data: Formatted[] } => {
  const data: Formatted[] = [];
  let length = 0;
  for (const item of list.slice(offset, limit)) {
    const record = format(item);
    length += lengthOf(record);
    // Measured before the page is written, because writing it would block the service.
    if (length > MAX_ANSWER) throw answerTooLarge(data.length, adviceOf?.(data.length));
    data.push(record);
  }
  return { count: decimal(list.count), data };
};

/** Counts the characters of the texts in a record. Names and punctuation add little. */
function lengthOf(record: object): number {
  let length = 0;
  // `Object.values` would take a tenth of the time for a page.
  for (const name in record) {
    const value: unknown = record[name as keyof typeof record];
    if (typeof value === "string") length += value.length;
  }
  return length;
}

/** A page of a list in chain order, newest first (S4). */
export const newestFirst = <Item, Formatted extends object>(
  list: Listing<Item>,
  paging: Paging,
  format: (item: Item) => Formatted,
): { count: Decimal; data: Formatted[] } => ascending(reversed(list), paging, format);

/** Caps a block number, because no chain has more blocks than a number can count. */
const blockNumber = (number: bigint | undefined): number | undefined =>
  number === undefined ? undefined : Math.min(Number(number), Number.MAX_SAFE_INTEGER);

/** Reads a block range. Both ends are included (S5). */
export function range(parameters: {
  readonly startBlock?: bigint | undefined;
  readonly endBlock?: bigint | undefined;
}): BlockRange {
  const { startBlock, endBlock } = parameters;
  if (startBlock !== undefined && endBlock !== undefined && startBlock > endBlock)
    throw new ServiceError(
      400,
      `startBlock: expected a block not above endBlock (${endBlock}), received ${startBlock}`,
    );
  return { startBlock: blockNumber(startBlock), endBlock: blockNumber(endBlock) };
}
