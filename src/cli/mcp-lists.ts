// Lists as tools for agents: limited, filtered, formatted and decoded, with a cursor to continue.
import { operations } from "../contract/index.ts";
import type { ListOperation } from "../lists/records.ts";
import { recordDecoder } from "./decode-records.ts";
import { fetchResults } from "./fetch-results.ts";
import {
  integerSchema,
  shared,
  type ToolArguments,
  type ToolInput,
  wireInput,
} from "./mcp-arguments.ts";
import type { ToolContext } from "./mcp-context.ts";
import { hasParties, type RecordFilters, recordFilter } from "./record-filters.ts";
import { type Row, rowsOf } from "./records.ts";
import { formattedAmounts } from "./units.ts";

/** Characters of an answer: a model pays for what it reads. */
export const MAX_TEXT = 16_000;
/** Characters for records, and characters of one text in a record that alone is longer. */
const ROOM = 14_500;
const MAX_FIELD = 500;
/** The records of a list without `max`, and the most at once. */
const [DEFAULT_RECORDS, MAX_RECORDS] = [50, 1000];
/** Pages of a filtered list that one call reads. */
const MAX_PAGES = 20;

/** The arguments that lists have beside their parameters. */
export function listArguments(operation: ListOperation): ToolArguments {
  const { places, id } = operation;
  const isTransactions = id === operations.A2.id;
  const hasTimes = "place" in operation.list;
  return {
    max: {
      description: `The most records to return (default ${DEFAULT_RECORDS}).`,
      schema: integerSchema(1, MAX_RECORDS),
    },
    ...(hasTimes && { since: shared.since, until: shared.until }),
    ...(hasParties(operation) && {
      min_value: shared.min_value,
      counterparty: shared.counterparty,
    }),
    ...(places.query.includes("input") && hasParties(operation) && { failed: shared.failed }),
    ...(isTransactions && {
      method: {
        description: "Only calls of this function: transfer(address,uint256), or its selector.",
        schema: shared.cursor.schema,
      },
    }),
    ...((isTransactions || id === operations.L1.id) && {
      decode: {
        description: "Adds names and values by the ABI of the verified contract (C1).",
        schema: shared.failed.schema,
      },
    }),
    cursor: shared.cursor,
  };
}

const lengthOf = (value: unknown): number => JSON.stringify(value).length;

/** A record whose long texts end early, and say so. */
const shortened = (row: Row): Row =>
  JSON.parse(JSON.stringify(row), (_, value) =>
    typeof value === "string" && value.length > MAX_FIELD
      ? `${value.slice(0, MAX_FIELD)}… (cut: ${value.length} characters; mrc-explorer on the command line prints all)`
      : value,
  );

/** The arguments that choose records. */
const filtersIn = ({ min_value, counterparty, failed, method }: ToolInput): RecordFilters => ({
  minValue: min_value === undefined ? undefined : `${min_value}`,
  counterparty: counterparty as string | undefined,
  failed: failed === true,
  method: method as string | undefined,
});

/** Moments as the client takes them: digits are a block. */
export const momentOf = (value: unknown): string | number =>
  /^\d{1,15}$/.test(`${value}`) ? Number(value) : `${value}`;

export const periodIn = ({ since, until }: ToolInput): Row => ({
  ...(since !== undefined && { since: momentOf(since) }),
  ...(until !== undefined && { until: momentOf(until) }),
});

/** Reads a list: the records that its filters choose, up to `max` and the length of an answer. */
export async function runList(
  operation: ListOperation,
  known: ToolArguments,
  given: ToolInput,
  context: ToolContext,
): Promise<Row> {
  const { max = DEFAULT_RECORDS, decode = false, cursor } = given;
  const filters = filtersIn(given);
  const isFiltered = Object.values(filters).some(Boolean);
  const isTransactions = operation.id === operations.A2.id;
  const needsInput = isTransactions && (decode === true || filters.method !== undefined);
  const input = {
    ...wireInput(known, given),
    ...periodIn(given),
    ...(needsInput && { input: true }),
  };
  const matches = recordFilter(filters);
  const format = formattedAmounts(operation);
  const decoded = decode === true ? await recordDecoder(operation, input, context) : undefined;
  const change = async (row: Row): Promise<Row> => {
    const record = format((await decoded?.(row)) ?? row);
    // Call data was requested for the decoder and the filter alone.
    const { input: _, ...others } = record;
    return needsInput && given.input !== true ? others : record;
  };
  const most = Number(max);
  const limit = isFiltered ? MAX_RECORDS : most;
  const terms = { limit, most, cursor, matches, change, isFiltered };
  const batch = await readBatch(operation, input, terms, context);
  const { records, count, read, next, reason } = batch;
  const cursorText = next && context.cursors.keep(next, { ...given, cursor: undefined });
  return {
    count: count ?? (read === 0 ? 0 : null),
    ...(isFiltered && { matching: records.length, read }),
    records,
    ...(cursorText && { cursor: cursorText, note: `more records: ${reason}` }),
  };
}

interface BatchTerms {
  /** Records of a page, and matching records at most. */
  readonly limit: number;
  readonly most: number;
  readonly cursor: unknown;
  readonly isFiltered: boolean;
  readonly matches: (row: Row) => boolean;
  readonly change: (row: Row) => Promise<Row>;
}

/** Reads pages until there are enough records. */
async function readBatch(
  operation: ListOperation,
  input: Record<string, unknown>,
  { limit, most, cursor, isFiltered, matches, change }: BatchTerms,
  context: ToolContext,
) {
  const records: Row[] = [];
  let [length, read, pages] = [0, 0, 0];
  let count: number | undefined;
  let place = cursor as string | undefined;
  const pageLimit = Math.min(limit, operation.list.maxLimit ?? MAX_RECORDS);
  const request = (resume: string | undefined, size: number, max?: number) =>
    fetchResults(
      operation,
      { ...input, limit: size },
      { ...context.options, all: true, resume, max },
      context.io,
    );
  const stop = (reason: string, next: string | undefined) => ({
    records,
    count,
    read,
    next,
    reason,
  });
  /** The cursor after the first records of a page. */
  const cursorAfter = async (taken: number) => {
    if (taken === 0) return place;
    for await (const { cursor } of request(place, Math.min(taken, pageLimit), taken)) return cursor;
    return undefined;
  };
  for await (const page of request(place, pageLimit, isFiltered ? undefined : most)) {
    count ??= page.total;
    const rows = rowsOf(page.results);
    for (const [index, row] of rows.entries()) {
      if (!matches(row)) continue;
      let record = await change(row);
      if (lengthOf(record) > ROOM) record = shortened(record);
      if (records.length > 0 && length + lengthOf(record) > ROOM) {
        read += index;
        return stop("the answer is full", await cursorAfter(index));
      }
      records.push(record);
      length += lengthOf(record) + 1;
      if (records.length < most || index === rows.length - 1) continue;
      read += index + 1;
      return stop("max was reached", await cursorAfter(index + 1));
    }
    read += rows.length;
    place = page.cursor;
    pages++;
    await context.progress(read, count);
    if (records.length >= most) return stop("max was reached", place);
    if (pages === MAX_PAGES) return stop(`${read} records were read`, place);
  }
  return stop("", undefined);
}
