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

/** Limit of an answer in characters, because the user of a model pays for each character. */
export const MAX_TEXT = 16_000;
/**
 * Limits in characters: for all records of an answer together, and for each text in a record that
 * alone exceeds the first limit.
 */
const [MAX_RECORDS_TEXT, MAX_FIELD_TEXT] = [14_500, 500];
/** The default and the largest `max` of a list. */
const [DEFAULT_RECORDS, MAX_RECORDS] = [50, 1000];
/** Limit of the pages that one call reads from a filtered list. */
const MAX_PAGES = 20;

/** Returns the arguments that a list has in addition to its parameters. */
export function listArguments(operation: ListOperation): ToolArguments {
  const { places, id } = operation;
  const isTransactions = id === operations.A2.id;
  const hasTimes = "place" in operation.list;
  return {
    max: {
      description: `Maximum number of records to return (default ${DEFAULT_RECORDS}).`,
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

/** Cuts the long texts of a record, and notes the length of each. */
const shortened = (row: Row): Row =>
  JSON.parse(JSON.stringify(row), (_, value) =>
    typeof value === "string" && value.length > MAX_FIELD_TEXT
      ? `${value.slice(0, MAX_FIELD_TEXT)}… (cut: ${value.length} characters; mrc-explorer on the command line prints all)`
      : value,
  );

/** Returns the filters among the arguments of a tool. */
export const filtersIn = ({
  min_value,
  counterparty,
  failed,
  method,
}: ToolInput): RecordFilters => ({
  minValue: min_value === undefined ? undefined : `${min_value}`,
  counterparty: counterparty as string | undefined,
  failed: failed === true,
  method: method as string | undefined,
});

/** Converts a time or block for the client: digits become a block number. */
export function momentOf(value: unknown): string | number | Date {
  if (value instanceof Date) return value;
  return /^\d{1,15}$/.test(`${value}`) ? Number(value) : `${value}`;
}

export const periodIn = ({ since, until }: ToolInput): Row => ({
  ...(since !== undefined && { since: momentOf(since) }),
  ...(until !== undefined && { until: momentOf(until) }),
});

/** Reads records of a list that match its filters, up to `max` and the limit of an answer. */
export async function runList(
  operation: ListOperation,
  toolArguments: ToolArguments,
  toolInput: ToolInput,
  context: ToolContext,
): Promise<Row> {
  const { max = DEFAULT_RECORDS, decode = false, cursor } = toolInput;
  const filters = filtersIn(toolInput);
  const isFiltered = Object.values(filters).some(Boolean);
  const needsInput =
    operation.id === operations.A2.id && (decode === true || filters.method !== undefined);
  const input = {
    ...wireInput(toolArguments, toolInput),
    ...periodIn(toolInput),
    ...(needsInput && { input: true }),
  };
  const format = formattedAmounts(operation);
  const decoder = decode === true ? await recordDecoder(operation, input, context) : undefined;
  const change = async (row: Row): Promise<Row> => {
    const record = format((await decoder?.(row)) ?? row);
    // Removes call data that was requested only for the decoder or the filter.
    const { input: _, ...others } = record;
    return needsInput && toolInput.input !== true ? others : record;
  };
  const batch: Batch = {
    ...{ operation, input, isFiltered, change },
    matches: recordFilter(filters),
    max: Number(max),
    cursor: cursor as string | undefined,
  };
  const { records, count, readCount, next, reason } = await readBatch(batch, context);
  const name = next && context.cursors.keep(next, { ...toolInput, cursor: undefined });
  return {
    ...(count !== undefined || readCount === 0 ? { count: count ?? 0 } : {}),
    ...(isFiltered && { matching: records.length, read: readCount }),
    records,
    ...(name && { cursor: name, note: `more records: ${reason}` }),
  };
}

interface Batch {
  readonly operation: ListOperation;
  readonly input: Record<string, unknown>;
  /** Limit of the matching records. */
  readonly max: number;
  readonly cursor: string | undefined;
  readonly isFiltered: boolean;
  readonly matches: (row: Row) => boolean;
  readonly change: (row: Row) => Promise<Row>;
}

/** Reads pages until there are enough records. */
async function readBatch(
  { operation, input, max, cursor, isFiltered, matches, change }: Batch,
  context: ToolContext,
) {
  const records: Row[] = [];
  let [length, readCount, pages] = [0, 0, 0];
  let count: number | undefined;
  let next = cursor;
  const limit = Math.min(isFiltered ? MAX_RECORDS : max, operation.list.maxLimit ?? MAX_RECORDS);
  const fetchAfter = (resume: string | undefined, size: number, most?: number) =>
    fetchResults(
      operation,
      { ...input, limit: size },
      { ...context.options, all: true, resume, max: most },
      context.io,
    );
  const stop = (reason: string) => ({ records, count, readCount, next, reason });
  /** Moves the cursor past the first records of a page, and stops. */
  const stopAfter = async (taken: number, reason: string) => {
    readCount += taken;
    if (taken === 0) return stop(reason);
    for await (const page of fetchAfter(next, Math.min(taken, limit), taken)) {
      next = page.cursor;
      break;
    }
    return stop(reason);
  };
  for await (const page of fetchAfter(next, limit, isFiltered ? undefined : max)) {
    count ??= page.total;
    const rows = rowsOf(page.results);
    for (const [index, row] of rows.entries()) {
      if (!matches(row)) continue;
      let record = await change(row);
      if (lengthOf(record) > MAX_RECORDS_TEXT) record = shortened(record);
      if (records.length > 0 && length + lengthOf(record) > MAX_RECORDS_TEXT)
        return stopAfter(index, "the answer is full");
      records.push(record);
      length += lengthOf(record) + 1;
      if (records.length === max && index < rows.length - 1)
        return stopAfter(index + 1, "max was reached");
    }
    readCount += rows.length;
    next = page.cursor;
    pages++;
    await context.progress(readCount, count);
    if (records.length >= max) return stop("max was reached");
    if (pages === MAX_PAGES) return stop(`${readCount} records were read`);
  }
  next = undefined;
  return stop("");
}
