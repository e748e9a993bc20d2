// Checks a list's parameters and options once for all pages, and reads the first page with one
// request. The code that keeps later pages exact is not needed for it.
import * as z from "zod/mini";
import { limits } from "../contract/index.ts";
import { loadCode } from "../errors/connection.ts";
import { checkOptions, checkParameters, number, parseOptions } from "../http/request.ts";
import {
  fetchPage,
  isWithin,
  type ListSource,
  maxLimitOf,
  type PreparedList,
  takesBlocks,
} from "./list.ts";
import { ListReader, type ReadRecords } from "./list-reader.ts";
import { type PageRequest, readCursor } from "./position.ts";
import { blockOf, type CountedRecords, listsIn } from "./records.ts";

/** More pages in flight would exhaust the memory or the server. */
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

/** The parameters that decide which page of a list is requested. */
interface PageParameters {
  readonly limit?: number;
  readonly offset?: number;
  readonly startBlock?: string;
  readonly endBlock?: string;
}

const numberOf = (digits?: string) => (digits === undefined ? undefined : Number(digits));

/** Checks a list. Throws a {@link ParameterError} that names the wrong parameter or option. */
export async function prepareList(source: ListSource): Promise<PreparedList> {
  const { call, iteration, operation, options, parameters, period, resume, rethrow } = source;
  const wire = checkParameters(operation, parameters);
  if (options !== undefined) checkOptions(operation, options);
  const { prefetch, maxItems } = iteration;
  if (prefetch !== undefined || maxItems !== undefined)
    parseOptions("Invalid iteration options", iterationOptions, iteration, {
      operation: operation.id,
    });
  const { limit, offset = 0, ...query } = wire as PageParameters;
  const hasPeriod = (period.since ?? period.until ?? null) !== null;
  const code = hasPeriod ? await loadCode(() => import("./period.ts")) : undefined;
  const moments = code?.checkPeriod(operation, period, query);
  const named = Object.entries({ ...query, ...moments });
  const name = [operation.id, ...named.map(([key, value]) => `${key}=${value}`).sort()];
  const list: PreparedList = {
    ...{ call, operation, wire, options, iteration, limit, offset, ...(rethrow && { rethrow }) },
    records: { ...operation.list, ...(await call.listOf?.(operation)) },
    range: { from: numberOf(query.startBlock), to: numberOf(query.endBlock) },
    isRangeFound: false,
    bounds: [],
    name: name.join(" ").toLowerCase(),
  };
  const position = resume === undefined ? undefined : readCursor(list, resume);
  const resumed = position ? { ...list, position } : list;
  return code && moments ? code.limitTo(resumed, moments) : resumed;
}

/** A page of a list as it was read. */
export interface PageRead extends ReadRecords {
  readonly limit: number;
  readonly hasNextPage: boolean;
  /** The list from the next page on. */
  readonly next: () => PreparedList;
}

/** Servers whose maximum page is smaller than ours end their pages at multiples of this. */
const CAP = 50;

/** Reads the first page of a list, or the page after its position. */
export async function readPage(list: PreparedList): Promise<PageRead> {
  const limit = list.limit ?? Math.min(limits.default, maxLimitOf(list));
  if (list.position || list.bounds.length) return readNext(list, limit);
  const { maxItems = Number.POSITIVE_INFINITY } = list.iteration;
  const size = Math.min(limit, maxItems || 1);
  const request = { ...list.range, offset: list.offset, limit: size };
  const { data: results, response } = await fetchPage(list, request).catch((error: unknown) => {
    throw new ListReader(list, limit).withProgress(error);
  });
  const parts = listsIn(list.records, results);
  // An irregular page is read again by the list reader, which works around the server's fault or
  // reports it.
  if (!parts.every((part) => isRegular(list, part, request))) return readNext(list, limit);
  const allRecords = parts.flatMap(({ records }) => records);
  const records = allRecords.slice(0, Math.min(size, maxItems));
  const left = maxItems - records.length;
  return {
    ...{ records, results, response, limit, offset: list.offset, count: totalOf(parts) },
    hasNextPage:
      left > 0 &&
      (records.length < allRecords.length || parts.some((part) => mayContinue(part, request))),
    next: () => {
      const reader = new ListReader(list, limit);
      reader.accept({ request, data: results, response }, records.length);
      return continued(list, reader);
    },
  };
}

/** Reads a page with the reader of whole lists. */
async function readNext(list: PreparedList, limit: number): Promise<PageRead> {
  const reader = new ListReader(list, limit);
  return pageReadBy(list, reader, limit, await reader.read(limit, 0, true));
}

/** Returns the page of records that a reader has just read. */
export function pageReadBy(
  list: PreparedList,
  reader: ListReader,
  limit: number,
  read: ReadRecords,
): PageRead {
  const next = continued(list, reader);
  return { ...read, limit, hasNextPage: reader.isWanted, next: () => next };
}

/** Returns the rest of a list, from the position that a reader has reached. */
const continued = (list: PreparedList, reader: ListReader): PreparedList => ({
  ...list,
  iteration: { ...list.iteration, maxItems: reader.recordsLeft },
  position: reader.position(),
});

/** Returns the count of all lists together; null if the server does not count one of them. */
const totalOf = (parts: readonly CountedRecords[]): number | null =>
  parts.reduce<number | null>(
    (sum, { count }) => (sum === null || count === null ? null : sum + count),
    0,
  );

/**
 * Returns whether a page is as requested: it has no more records than its limit, only records of
 * the requested blocks, and is not empty although its count promises records.
 */
function isRegular(
  list: PreparedList,
  { count, records }: CountedRecords,
  request: PageRequest,
): boolean {
  const isInRange =
    !takesBlocks(list) ||
    records.every((record) => isWithin(Number(blockOf(record) ?? Number.NaN), request));
  const isEmptyByMistake = !records.length && Number(count) > request.offset;
  return isInRange && records.length <= request.limit && !isEmptyByMistake;
}

/** Returns whether records may follow a page. They do not if its count says that it is the last. */
function mayContinue(
  { count, records: { length } }: CountedRecords,
  request: PageRequest,
): boolean {
  if (length === 0) return false;
  if (count !== request.offset + length) return true;
  // Some servers count only the page. If they cut it short, they do so at a round number.
  return request.offset === 0 && (length === request.limit || length % CAP === 0);
}
