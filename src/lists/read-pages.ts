// The ways to read a list: one page, all pages, all records, or in parts; loaded when a list is first read.
import * as z from "zod/mini";
import { limits } from "../contract/index.ts";
import { ExplorerError, ListError, ParameterError } from "../errors/index.ts";
import { CheckedInput, checkOptions, number, parseOptions, zeroOrMore } from "../http/request.ts";
import { hasTimes, ListReader, type PageRead, takesBlocks } from "./list-reader.ts";
import { splitBlocks } from "./newest-block.ts";
import {
  blockOf,
  fetchPage,
  type ListOperation,
  type ListSource,
  listsIn,
  maxLimitOf,
  type PreparedList,
} from "./page.ts";

/** More pages in flight would exhaust the memory, if not the server. */
const MAX_PREFETCH = 1000;

const iterationOptions = z.object({
  prefetch: z.optional(
    number(
      `an integer from 0 to ${MAX_PREFETCH}`,
      (value) => Number.isInteger(value) && value >= 0 && value <= MAX_PREFETCH,
    ),
  ),
  maxItems: z.optional(
    number(
      "an integer from 0 to Infinity",
      (value) => (Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY) && value >= 0,
    ),
  ),
});

/** The parameters of a list that decide which page is requested. */
interface WireQuery {
  readonly limit?: number;
  readonly offset?: number;
  readonly startBlock?: string;
  readonly endBlock?: string;
}

/** Checks what a list is and how it is to be read. Throws the error that says what is wrong. */
async function prepareList(given: ListSource): Promise<PreparedList> {
  const source = given.load ? { ...given, ...(await given.load()) } : given;
  const { call, iteration, options, parameters } = source;
  if (!(parameters instanceof CheckedInput)) throw parameters;
  if (options !== undefined) checkOptions(source.operation, options);
  // A dialect may have a smaller largest page.
  const spoken = call.listOf && (await call.listOf(source.operation));
  const records = { ...source.operation.list, ...spoken };
  const operation = { ...source.operation, list: records } as ListOperation;
  if (iteration.prefetch !== undefined || iteration.maxItems !== undefined)
    parseOptions("Invalid iteration options", iterationOptions, iteration, {
      operation: operation.id,
    });
  // The parameters that decide which page is requested are no part of the list's name.
  const { limit, offset = 0, ...query } = parameters.wire as WireQuery;
  const block = (given?: string) => (given === undefined ? undefined : Number(given));
  const named = Object.entries(query).map(([key, value]) => `${key}=${value}`);
  return {
    ...{ ...source, operation, parameters, limit: source.limit ?? limit, offset },
    range: { from: block(query.startBlock), to: block(query.endBlock) },
    name: [operation.id, ...named.sort()].join(" ").toLowerCase(),
  };
}

/** Reads one page: the first, or the one after a cursor. */
export async function readPage<Item, Results>(
  source: ListSource,
): Promise<PageRead<Item, Results>> {
  const reader = new ListReader<Item, Results>(await prepareList(source), limits.default);
  for (;;) {
    const page = await reader.next();
    if (page.data.data.length || !reader.isWanted) return page;
  }
}

/** Reads all pages, some of them ahead. */
export async function* readPages<Item, Results>(
  source: ListSource,
): AsyncGenerator<PageRead<Item, Results>, void, undefined> {
  const list = await prepareList(source);
  const reader = new ListReader<Item, Results>(list, maxLimitOf(list.operation));
  try {
    while (reader.isWanted) {
      const page = await reader.next(list.iteration.prefetch);
      if (page.data.data.length) yield page;
    }
  } finally {
    reader.close();
  }
}

const collectOptions = z.object({ max: z.optional(zeroOrMore) });

/** All records, or the first `max`. An error has those that were read. */
export async function collectRecords<Item>(source: ListSource, options: object): Promise<Item[]> {
  const { max } = parseOptions("Invalid options for collect", collectOptions, options);
  const { maxItems = max } = source.iteration;
  // Anything but a number is reported next.
  const most = typeof maxItems === "number" ? Math.min(maxItems, max ?? maxItems) : maxItems;
  const records: Item[] = [];
  try {
    const all = { ...source, iteration: { ...source.iteration, maxItems: most } };
    for await (const page of readPages<Item, unknown>(all))
      for (const record of page.data.data) records.push(record);
  } catch (error) {
    throw error instanceof ExplorerError ? Object.assign(error, { records }) : error;
  }
  return records;
}

const splitOptions = z.object({
  parts: number("an integer of at least 1", (value) => Number.isSafeInteger(value) && value >= 1),
});

/** A block that no chain has reached. */
const FAR_BLOCK = 10 ** 12;

/** Cursors of up to `parts` ranges of blocks that together are the list. */
export async function splitList(source: ListSource, parts: number): Promise<string[]> {
  parseOptions("Invalid number of parts", splitOptions, { parts });
  const list = await prepareList(source);
  const { iteration, operation } = list;
  const details = { operation: operation.id, operationName: operation.name };
  if (iteration.resume !== undefined) {
    const expected = "none: only a list that is not begun can be split";
    const issue = { path: ["resume"], expected, received: iteration.resume };
    throw new ParameterError("Invalid list to split", [issue], details);
  }
  const whole = new ListReader(list, maxLimitOf(operation));
  if (!takesBlocks(list) || list.offset) return [whole.cursor];
  const read = async (from: number, to?: number) => {
    const { data } = await fetchPage(list, { from, to, limit: 2, offset: 0 });
    const records = listsIn(data).flatMap((one) => one.records);
    if (records.some((record) => from === FAR_BLOCK || Number(blockOf(record) ?? from) < from))
      throw whole.withProgress(new ListError("RANGE_IGNORED", details));
    return records;
  };
  // Records that do not name their block do not show whether blocks are heeded.
  if (hasTimes(operation)) await read(FAR_BLOCK, FAR_BLOCK);
  const ranges = await splitBlocks(read, list.range, parts);
  return ranges.map((range) => whole.cursorOf(range));
}
