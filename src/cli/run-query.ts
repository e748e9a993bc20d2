// Runs a query: fetches its records, prints them or appends them to an export, and says what is missing.
import { InvalidArgumentError } from "commander";
import type { AnyOperation } from "../contract/index.ts";
import { searchOf } from "../lists/block-search.ts";
import type { ListOperation } from "../lists/records.ts";
import { clientOptions } from "./connection.ts";
import { ReorganisedExportError } from "./exit-codes.ts";
import { type BlockSegment, ExportFile, type Query } from "./export-file.ts";
import {
  clientCall,
  countRecords,
  type FetchOptions,
  fetchResults,
  isBatch,
  isList,
} from "./fetch-results.ts";
import { formatOf, writer } from "./format.ts";
import type { View } from "./log-views.ts";
import type { Format, Terminal } from "./output.ts";
import { type ProcessIO, terminalOf } from "./process-io.ts";
import { createProgress } from "./progress.ts";
import { recordFilter, Sums } from "./record-filters.ts";
import { mapRows, rowsOf } from "./records.ts";
import type { Unit } from "./units.ts";

export interface QueryOptions extends Omit<FetchOptions, "all" | "resume"> {
  readonly format?: Format;
  readonly columns?: readonly string[];
  readonly units?: Unit;
  readonly all?: true;
  readonly raw?: true;
  /** The file to write or to continue. */
  readonly resume?: string;
  /** Blocks on top of a record that is exported. */
  readonly confirmations?: number;
  readonly minValue?: string;
  readonly counterparty?: string;
  readonly failed?: boolean;
  /** The fields to add up, in place of printing records. */
  readonly sum?: readonly string[];
}

/** A query to run, and how its records are shown. */
export interface RecordQuery {
  readonly operation: AnyOperation;
  /** The name of the command, which identifies an export. */
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly view: View;
}

/** Confirmations of the records of an export that will be continued. */
const DEFAULT_CONFIRMATIONS = 12;

/** Whether the records of a list can be limited to some blocks. */
export const hasRange = ({ places }: AnyOperation): boolean => places.query.includes("endBlock");

const numbers = new Intl.NumberFormat("en-US");

/** The format of an export: by the name of its file, if it is not given. */
function exportFormat(file: string, format: Format | undefined): Format {
  if (file === "") throw new InvalidArgumentError("--resume: expected the name of a file");
  if (format === undefined) return /\.csv$/i.test(file) ? "csv" : "ndjson";
  if (format === "csv" || format === "ndjson") return format;
  throw new InvalidArgumentError(
    `--resume cannot continue ${format}, because text follows its last record: pass --format csv or ndjson`,
  );
}

/** Identifies an export. Page size and speed are not part of it. */
function queryOf(
  { name, input, view }: RecordQuery,
  options: QueryOptions,
  format: Format,
  io: ProcessIO,
): Query {
  // The cursor holds which addresses are done; the page size does not change the records.
  const { addresses, limit, ...parameters } = input;
  const { columns = view.columns, units, raw } = options;
  const parts = {
    operation: name,
    ...parameters,
    ...{ format, columns, raw },
    // Amounts are in the smallest unit by default.
    units: units?.decimals === 0 ? undefined : units?.typed,
    url: new URL(clientOptions(options, io).baseUrl).href,
  };
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, value instanceof Date ? value.toISOString() : String(value)]],
    ),
  );
}

/**
 * The blocks that a run exports: those left of the last run, or the confirmed blocks after it.
 * Undefined if there are none.
 */
async function nextSegment(
  input: RecordQuery["input"],
  options: QueryOptions,
  file: ExportFile | undefined,
  io: ProcessIO,
): Promise<BlockSegment | undefined> {
  const done = file?.state.segment;
  if (done && !done.isComplete) return done;
  const { confirmations = file ? DEFAULT_CONFIRMATIONS : 0 } = options;
  const search = searchOf(clientCall({ ...options, all: false, resume: undefined }, io));
  const { signal } = io;
  const latest = (await search.latest({ signal })).number;
  const newest = BigInt(latest - confirmations);
  /** The first block at or after a moment. */
  const blockAt = async (moment: unknown) =>
    moment instanceof Date
      ? (await search.lastBefore(moment.getTime(), { signal })) + 1
      : Number(moment);
  const last = input.until === undefined ? input.endBlock : (await blockAt(input.until)) - 1;
  const first = input.since === undefined ? input.startBlock : await blockAt(input.since);
  const end = last === undefined ? newest : BigInt(String(last));
  const to = end < newest ? end : newest;
  const from = done ? BigInt(done.to) + 1n : first;
  if (to < BigInt(String(from ?? 0))) return undefined;
  const segment = { to: `${to}`, before: file?.state.records ?? 0, isComplete: false };
  return from === undefined ? segment : { from: `${from}`, ...segment };
}

/** A query's input, limited to a segment. */
function inputOfSegment(input: RecordQuery["input"], segment: BlockSegment | undefined) {
  if (segment === undefined) return input;
  const { since: _, until: __, ...others } = input;
  return {
    ...others,
    ...(segment.from !== undefined && { startBlock: BigInt(segment.from) }),
    endBlock: BigInt(segment.to),
  };
}

/** Throws if a reorganisation made the list shorter than before, and than what was read. */
async function checkCount(
  operation: ListOperation,
  input: RecordQuery["input"],
  { read, counted }: { readonly read: number; readonly counted: number },
  options: FetchOptions,
  io: ProcessIO,
): Promise<void> {
  const count = await countRecords(operation, input, options, io);
  if (count !== undefined && count < counted && count < read)
    throw new ReorganisedExportError(
      `${numbers.format(read)} records were read, but the list has ${numbers.format(count)} now: the chain was reorganised, and some of them no longer exist`,
    );
}

/** Says on standard error that a page is not the whole list. */
function warnOfRest(input: RecordQuery["input"], shown: number, total: number, io: ProcessIO) {
  const end = Number(input.offset ?? 0) + shown;
  if (shown > 0 && end < total)
    io.stderr.write(
      `${numbers.format(shown)} of ${numbers.format(total)} records; --all for every record\n`,
    );
}

export async function runQuery(
  query: RecordQuery,
  options: QueryOptions,
  io: ProcessIO,
): Promise<void> {
  const { resume, format, minValue, counterparty, failed, sum } = options;
  const chooses = [minValue, counterparty, failed, sum].some((one) => one !== undefined);
  if (chooses && resume !== undefined)
    throw new InvalidArgumentError(
      "--resume writes whole lists: filter its file, or print the records with --all",
    );
  if (chooses) return printChosen(query, { ...options, format: formatOf(format, io) }, io);
  if (resume === undefined)
    return fetchAndPrint(query, { ...options, format: formatOf(format, io) }, undefined, io);
  const exportOptions = { ...options, format: exportFormat(resume, format) };
  const file = await ExportFile.open(resume, queryOf(query, options, exportOptions.format, io));
  try {
    await fetchAndPrint(query, exportOptions, file, io);
  } finally {
    await file.close();
  }
}

/** Reads a whole list, and prints the records that the options choose, or their sums. */
async function printChosen(
  { operation, input, view }: RecordQuery,
  options: Run["options"],
  io: ProcessIO,
): Promise<void> {
  const { format, columns, raw = false, max = Number.POSITIVE_INFINITY, sum } = options;
  const matches = recordFilter(options);
  const sums = sum && new Sums(sum);
  const layout = { all: true, many: true, raw, columns, fields: view.fields };
  const out = writer(format, terminalOf(io), sums ? { ...layout, columns: undefined } : layout);
  let [read, matching] = [0, 0];
  const fetchOptions = { ...options, all: true, max: undefined, resume: undefined };
  const whole = { ...input, limit: 1000 };
  for await (const { results } of fetchResults(operation, whole, fetchOptions, io)) {
    const rows = rowsOf(results);
    read += rows.length;
    const chosen = rows.filter(matches).slice(0, max - matching);
    matching += chosen.length;
    for (const row of chosen) sums?.add(row);
    if (!sums) await out.page({ count: null, data: chosen.map(view.change) });
    if (matching >= max) break;
  }
  if (sums) await out.page({ count: null, data: sums.rows() });
  await out.end();
  io.stderr.write(
    `${numbers.format(matching)} of ${numbers.format(read)} records that were read match\n`,
  );
}

/** A run of a query, on the blocks of one segment. */
interface Run {
  readonly query: RecordQuery;
  readonly options: QueryOptions & { readonly format: Format };
  readonly fetchOptions: FetchOptions;
  readonly file: ExportFile | undefined;
  readonly segment: BlockSegment | undefined;
}

/** The records of an output, and the first count of its list. */
interface Counted {
  records: number;
  total: number;
}

async function fetchAndPrint(
  query: RecordQuery,
  options: Run["options"],
  file: ExportFile | undefined,
  io: ProcessIO,
): Promise<void> {
  const { max, format, confirmations } = options;
  const { operation, input } = query;
  const readsAll = options.all === true || max !== undefined || file !== undefined;
  const before = file?.state.records ?? 0;
  const done = file?.state.segment;
  const isRanged = hasRange(operation) && (file !== undefined || (readsAll && !!confirmations));
  const segment = isRanged ? await nextSegment(input, options, file, io) : undefined;
  if (isRanged && segment === undefined) {
    const name = file?.path ?? "the list";
    const place = done ? `complete as of block ${done.to}: ${before} records` : "empty so far";
    io.stderr.write(`${name} is ${place}; later blocks have too few confirmations\n`);
    return;
  }
  if (segment && segment !== done) await file?.saveSegment(segment);
  let isReorganised = false;
  const fetchOptions: FetchOptions = {
    ...options,
    all: readsAll,
    max: max === undefined ? undefined : Math.max(0, max - before),
    resume: file?.state.cursor,
    whole: format === "json",
    onReorganisation: () => {
      isReorganised = true;
    },
  };
  const ranged = { ...query, input: inputOfSegment(input, segment) };
  const run: Run = { query: ranged, options, fetchOptions, file, segment };
  const counted: Counted = { records: before, total: file?.state.total ?? 0 };
  try {
    await printPages(run, counted, io);
    if (isReorganised)
      throw new ReorganisedExportError(
        "the chain was reorganised while the list was read: records may be missing, or no longer exist",
      );
    await finish(run, counted, io);
  } catch (error) {
    // A wrong command stays wrong, and an export with records that are gone has to start again.
    if (error instanceof ReorganisedExportError && file)
      io.stderr.write(`to start again, remove ${file.path} and ${file.path}.cursor\n`);
    else if (file && !(error instanceof InvalidArgumentError))
      io.stderr.write(
        `${file.path} has ${counted.records} records; run the same command to continue\n`,
      );
    throw error;
  }
}

/** Fetches and writes all pages of a run. */
async function printPages(
  { query: { operation, input, view }, options, fetchOptions, file }: Run,
  counted: Counted,
  io: ProcessIO,
): Promise<void> {
  const { max, columns, raw = false, format } = options;
  const before = counted.records;
  const screen = terminalOf(io);
  const target: Terminal = file
    ? { ...screen, isTerminal: false, write: (text) => file.write(text) }
    : screen;
  const out = writer(format, target, {
    all: fetchOptions.all && isList(operation),
    many: isList(operation),
    raw,
    // Decoded logs of one page need not have the columns of the others.
    columns: file?.state.header ?? columns ?? (format === "csv" ? view.columns : undefined),
    fields: view.fields,
    continued: file?.state.header !== undefined,
  });
  const isLong = fetchOptions.all || isBatch(operation);
  const recordsOnTerminal = file === undefined && io.stdout.isTTY === true;
  const progress = createProgress(io, isLong && !recordsOnTerminal);
  try {
    for await (const page of fetchResults(operation, input, fetchOptions, io)) {
      const { results, cursor } = page;
      // The first page counts the whole list; later pages may count the blocks that are left.
      counted.total = Math.max(counted.total, page.total ?? 0);
      await out.page(mapRows(results, view.change), page.total);
      counted.records += rowsOf(results).length;
      const { records, total } = counted;
      await file?.save({ records, total, cursor, header: out.header });
      progress.show({ records, before, total: Math.min(total, max ?? total) });
    }
  } finally {
    progress.clear();
  }
  await out.end();
}

/** Checks that nothing is missing, and says how much there is. */
async function finish(
  { query: { operation, input, view }, options: { max }, fetchOptions, file, segment }: Run,
  { records, total }: Counted,
  io: ProcessIO,
): Promise<void> {
  const note = view.note?.();
  if (note) io.stderr.write(`${note}\n`);
  const isEnd = max === undefined || records < max;
  if (isList(operation) && !fetchOptions.all) warnOfRest(input, records, total, io);
  else if (isList(operation) && isEnd) {
    const readCount = records - (segment?.before ?? 0);
    await checkCount(operation, input, { read: readCount, counted: total }, fetchOptions, io);
  }
  if (file === undefined) return;
  await file.checkLength();
  if (segment && isEnd) await file.saveSegment({ ...segment, isComplete: true });
  const place = segment ? ` as of block ${segment.to}` : "";
  io.stderr.write(
    isEnd
      ? `${file.path} is complete${place}: ${records} records\n`
      : `${file.path} has ${records} records (--max)\n`,
  );
}
