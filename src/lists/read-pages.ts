// The ways to read more than one page: page by page, record by record, or split into parts.
import * as z from "zod/mini";
import { ExplorerError, ListError, ParameterError } from "../errors/index.ts";
import { number, parseOptions, zeroOrMore } from "../http/request.ts";
import { splitBlocks } from "./block-search.ts";
import { fetchPage, maxLimitOf, type PreparedList, takesBlocks } from "./list.ts";
import { ListReader } from "./list-reader.ts";
import { type PageRead, pageReadBy } from "./one-page.ts";
import { cursorOf } from "./position.ts";
import { blockOf, FAR_BLOCK, type ListRecord, listsIn } from "./records.ts";

/** Reads all pages. Pages have `limit` records, and `prefetch` of them are in flight. */
export async function* readPages(list: PreparedList): AsyncGenerator<PageRead, void, undefined> {
  const limit = list.limit ?? maxLimitOf(list);
  const reader = new ListReader(list, limit);
  try {
    while (reader.isWanted) {
      const nextPage = await reader.read(limit, list.iteration.prefetch);
      if (nextPage.records.length) yield pageReadBy(list, reader, limit, nextPage);
    }
  } finally {
    reader.close();
  }
}

/** Reads all records, and yields them in portions as they arrive. */
export async function* readRecords(
  list: PreparedList,
): AsyncGenerator<readonly ListRecord[], void, undefined> {
  const reader = new ListReader(list, list.limit ?? maxLimitOf(list));
  try {
    while (reader.isWanted) yield (await reader.read(undefined, list.iteration.prefetch)).records;
  } finally {
    reader.close();
  }
}

const collectOptions = z.object({ max: z.optional(zeroOrMore) });

/** Returns the option `max`. Throws a {@link ParameterError} if it is not a number. */
export const collectLimit = (options: { readonly max?: number | undefined }): number =>
  parseOptions("Invalid options for collect", collectOptions, options).max ??
  Number.POSITIVE_INFINITY;

/** Returns all records, or the first `max`. An error holds the records that were read. */
export async function collectRecords(list: PreparedList, max: number): Promise<ListRecord[]> {
  const maxItems = Math.min(list.iteration.maxItems ?? max, max);
  const records: ListRecord[] = [];
  try {
    const unlimited = { ...list, iteration: { ...list.iteration, maxItems } };
    for await (const portion of readRecords(unlimited))
      for (const record of portion) records.push(record);
  } catch (error) {
    const isOurs = error instanceof ExplorerError || Object(error).cursor !== undefined;
    throw isOurs ? Object.assign(Object(error), { records }) : error;
  }
  return records;
}

const splitOptions = z.object({
  parts: number("an integer of at least 1", (value) => Number.isSafeInteger(value) && value >= 1),
});

/** Throws a {@link ParameterError} unless the number of parts is valid. */
export const checkParts = (parts: number): unknown =>
  parseOptions("Invalid number of parts", splitOptions, { parts });

/** Splits a list into up to `parts` ranges of blocks, and returns the cursor of each. */
export async function splitList(
  list: PreparedList,
  parts: number,
  resume: string | undefined,
): Promise<string[]> {
  const { operation, position, range, records } = list;
  const details = { operation: operation.id, operationName: operation.name };
  if (position) {
    const expected = "no cursor: a list can only be split before it is read";
    const issue = { path: ["resume"], expected, received: resume };
    throw new ParameterError("Invalid list to split", [issue], details);
  }
  const whole = new ListReader(list, maxLimitOf(list));
  if (!takesBlocks(list) || list.offset) return [cursorOf(list, whole.position())];
  const readRange = async (from: number, to?: number) => {
    const { data } = await fetchPage(list, { from, to, limit: 2, offset: 0 });
    const rangeRecords = listsIn(records, data).flatMap((part) => part.records);
    if (rangeRecords.some((record) => from === FAR_BLOCK || Number(blockOf(record) ?? from) < from))
      throw whole.withProgress(new ListError("RANGE_IGNORED", details));
    return rangeRecords;
  };
  // Records without block numbers cannot show whether the server heeds the range, so this asks for
  // a block that does not exist.
  if (records.place === "time") await readRange(FAR_BLOCK, FAR_BLOCK);
  const ranges = await splitBlocks(readRange, range, parts);
  return ranges.map((part) => cursorOf(list, whole.position(part)));
}

export { prepareList, readPage } from "./one-page.ts";
export { cursorOf } from "./position.ts";
