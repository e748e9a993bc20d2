// Runs a query: prints its records or appends them to an export, and reports missing records.
import { InvalidArgumentError } from "commander";
import { type AnyOperation, operations } from "../contract/index.ts";
import { searchOf } from "../lists/block-search.ts";
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
import { recordFee, recordFilter, Sums } from "./record-filters.ts";
import { mapRows, type Row, rowsOf } from "./records.ts";
import type { Unit } from "./units.ts";

export interface QueryOptions extends Omit<FetchOptions, "all" | "resume"> {
  readonly format?: Format;
  readonly columns?: readonly string[];
  readonly units?: Unit;
  readonly all?: true;
  readonly raw?: true;
  /** The file of an export. */
  readonly resume?: string;
  /** How many blocks must be on top of an exported record. */
  readonly confirmations?: number;
  readonly minValue?: string;
  readonly counterparty?: string;
  readonly failed?: boolean;
  /** Whether the oldest record is printed first. */
  readonly reverse?: true;
  /** Fields to add up instead of printing records. */
  readonly sum?: readonly string[];
}

/** A query and the view of its records. */
export interface RecordQuery {
  readonly operation: AnyOperation;
  /** The name of the command, which identifies an export. */
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly view: View;
}

/** The default confirmations of an export, which cannot take back records in a later run. */
const DEFAULT_CONFIRMATIONS = 12;

/** Whether the records of a list can be limited to a range of blocks. */
export const hasRange = ({ places }: AnyOperation): boolean => places.query.includes("endBlock");

const numbers = new Intl.NumberFormat("en-US");

/** Returns the format of an export, by default the format that its file's name implies. */
function exportFormat(file: string, format: Format | undefined): Format {
  if (file === "" || file === "-")
    throw new InvalidArgumentError(
      `--resume: expected the name of a file, received "${file}"; --all prints every record to standard output`,
    );
  const name = file.replace(/(\.(csv|ndjson))?\.(json|gz|zip|xlsx|parquet|sqlite|db)$/i, "");
  if (name !== file)
    throw new InvalidArgumentError(
      `--resume: expected a file of csv or ndjson, which a later run can continue, received "${file}": name it ${name}.csv or ${name}.ndjson`,
    );
  if (format === undefined) return /\.csv$/i.test(file) ? "csv" : "ndjson";
  if (format === "csv" || format === "ndjson") return format;
  throw new InvalidArgumentError(
    `--resume cannot continue ${format}, because text follows its last record: pass --format csv or ndjson`,
  );
}

/** Identifies an export by the options that affect its output, so not by page size or speed. */
function queryOf(
  { name, input, view }: RecordQuery,
  options: QueryOptions,
  format: Format,
  io: ProcessIO,
): Query {
  // Without the addresses, because the cursor identifies them.
  const { addresses, limit, ...parameters } = input;
  const { columns = view.columns, units, raw } = options;
  const parts = {
    operation: name,
    ...parameters,
    ...{ format, columns, raw },
    // The smallest unit is the default, so naming it makes no difference.
    units: units?.decimals === 0 ? undefined : units?.typed,
    url: new URL(clientOptions(options, io).baseUrl).href,
  };
  return Object.fromEntries(
    Object.entries(parts)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value instanceof Date ? value.toISOString() : `${value}`]),
  );
}

/**
 * Finds the blocks that a run exports: the unfinished segment of the last run, or the confirmed
 * blocks after it. Undefined if there are none.
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
  const search = searchOf(clientCall(options, io));
  const { signal } = io;
  const newest = (await search.latest({ signal })).number - confirmations;
  /** Finds the first block at or after a moment. */
  const blockAt = async (moment: unknown) =>
    moment instanceof Date
      ? (await search.lastBefore(moment.getTime(), { signal })) + 1
      : Number(moment);
  const { since = input.startBlock, until } = input;
  const end = until === undefined ? Number(input.endBlock ?? newest) : (await blockAt(until)) - 1;
  const to = Math.min(end, newest);
  const from = done ? Number(done.to) + 1 : since && (await blockAt(since));
  if (to < Number(from ?? 0)) return undefined;
  return {
    ...(from !== undefined && { from: `${from}` }),
    to: `${to}`,
    before: file?.state.records ?? 0,
    isComplete: false,
  };
}

/** Limits a query's input to a segment. */
function inputOfSegment(input: RecordQuery["input"], segment: BlockSegment | undefined) {
  if (segment === undefined) return input;
  const { since: _, until: __, ...others } = input;
  return {
    ...others,
    ...(segment.from !== undefined && { startBlock: BigInt(segment.from) }),
    endBlock: BigInt(segment.to),
  };
}

export async function runQuery(
  query: RecordQuery,
  options: QueryOptions,
  io: ProcessIO,
): Promise<void> {
  const { resume, minValue, counterparty, failed, sum, reverse } = options;
  const isFiltered = [minValue, counterparty, failed, sum, reverse].some(
    (value) => value !== undefined,
  );
  if (resume === undefined) {
    const print = isFiltered ? printMatches : printRecords;
    return print(query, { ...options, format: formatOf(options.format, io) }, undefined, io);
  }
  if (isFiltered)
    throw new InvalidArgumentError(
      "--resume writes whole lists, newest first: filter or sort its file, or print the records with --all",
    );
  const format = exportFormat(resume, options.format);
  const file = await ExportFile.open(resume, queryOf(query, options, format, io));
  try {
    await printRecords(query, { ...options, format }, file, io);
  } finally {
    await file.close();
  }
}

type FormattedOptions = QueryOptions & { readonly format: Format };

/** Reads a whole list, and prints the records that match the filters, or their sums. */
async function printMatches(
  { operation, input, view }: RecordQuery,
  options: FormattedOptions,
  _: undefined,
  io: ProcessIO,
): Promise<void> {
  const { format, raw = false, max = Number.POSITIVE_INFINITY } = options;
  const isMatch = recordFilter(options);
  const sums = options.sum && new Sums(options.sum);
  const columns = sums ? undefined : options.columns;
  const layout = { all: true, many: true, raw, columns, fields: view.fields };
  const out = writer(format, terminalOf(io), layout);
  let [readCount, matchCount] = [0, 0];
  const take = async (rows: readonly Row[]) => {
    const wanted = rows.slice(0, max - matchCount);
    matchCount += wanted.length;
    if (sums) for (const row of wanted) sums.add({ ...row, tx_fee: recordFee(row) });
    else await out.page(await mapRows({ data: wanted }, view.change));
  };
  const reversed: Row[] = [];
  const fetchOptions = { ...options, all: true, max: undefined, resume: undefined };
  for await (const page of fetchResults(operation, { ...input, limit: 1000 }, fetchOptions, io)) {
    const rows = rowsOf(page.results);
    readCount += rows.length;
    const matches = rows.filter(isMatch);
    if (options.reverse) reversed.push(...matches);
    else await take(matches);
    if (matchCount >= max) break;
  }
  // Explorers return the newest record first, so the oldest record is read last.
  await take(reversed.reverse());
  if (sums) await out.page({ data: sums.rows() });
  await out.end();
  io.stderr.write(
    `${numbers.format(matchCount)} of ${numbers.format(readCount)} records that were read match\n`,
  );
}

/** A run of a query on the blocks of one segment, and its progress. */
interface Run {
  readonly query: RecordQuery;
  readonly options: FormattedOptions;
  readonly fetchOptions: FetchOptions;
  readonly file: ExportFile | undefined;
  readonly segment: BlockSegment | undefined;
  /** How many records the output has, including the records of earlier runs. */
  records: number;
  /** The largest count of the list; 0 if the explorer does not count it. */
  total: number;
}

/** Prints the records of a query, or appends them to an export. */
async function printRecords(
  query: RecordQuery,
  options: FormattedOptions,
  file: ExportFile | undefined,
  io: ProcessIO,
): Promise<void> {
  const { max, format, confirmations } = options;
  const { operation, input } = query;
  const readsAll = options.all === true || max !== undefined || file !== undefined;
  const { records = 0, total = 0, segment: done } = file?.state ?? {};
  const isRanged = hasRange(operation) && (file !== undefined || (readsAll && !!confirmations));
  const segment = isRanged ? await nextSegment(input, options, file, io) : undefined;
  if (isRanged && segment === undefined) {
    const name = file?.path ?? "the list";
    const place = done ? `complete as of block ${done.to}: ${records} records` : "empty so far";
    io.stderr.write(`${name} is ${place}; later blocks have too few confirmations\n`);
    return;
  }
  if (segment && segment !== done) await file?.saveSegment(segment);
  let isReorganised = false;
  const fetchOptions: FetchOptions = {
    ...options,
    all: readsAll,
    // A new segment begins without a cursor.
    resume: file?.state.cursor,
    max: max === undefined ? undefined : Math.max(0, max - records),
    whole: format === "json",
    onReorganisation: () => {
      isReorganised = true;
    },
  };
  const ranged = { ...query, input: inputOfSegment(input, segment) };
  const run: Run = { query: ranged, options, fetchOptions, file, segment, records, total };
  try {
    await printPages(run, io);
    if (isReorganised)
      throw new ReorganisedExportError(
        "the chain was reorganised while the list was read: records may be missing, or no longer exist",
      );
    await finish(run, io);
  } catch (error) {
    // Gives no advice on a wrong command. An export with outdated records must start again.
    if (error instanceof ReorganisedExportError && file)
      io.stderr.write(`to start again, remove ${file.path} and ${file.path}.cursor\n`);
    else if (file && !(error instanceof InvalidArgumentError))
      io.stderr.write(
        `${file.path} has ${run.records} records; run the same command to continue\n`,
      );
    throw error;
  }
}

/** Fetches and writes all pages of a run. */
async function printPages(run: Run, io: ProcessIO): Promise<void> {
  const { options, fetchOptions, file, records: before } = run;
  const { operation, input, view } = run.query;
  const { max, columns, raw = false, format } = options;
  const screen = terminalOf(io);
  const target: Terminal = file
    ? { ...screen, isTerminal: false, write: (text) => file.write(text) }
    : screen;
  const out = writer(format, target, {
    all: fetchOptions.all && isList(operation),
    many: isList(operation),
    raw,
    // The decoded logs of the first page may lack columns that later pages have.
    columns: file?.state.header ?? columns ?? (format === "csv" ? view.columns : undefined),
    fields: view.fields,
    continued: file?.state.header !== undefined,
  });
  const isLong = fetchOptions.all || isBatch(operation);
  const isShown = file === undefined && io.stdout.isTTY === true;
  const progress = createProgress(io, isLong && !isShown);
  try {
    for await (const { results, cursor, total } of fetchResults(
      operation,
      input,
      fetchOptions,
      io,
    )) {
      // The first page counts the whole list; later pages may count only the remaining blocks.
      run.total = Math.max(run.total, total ?? 0);
      await out.page(await mapRows(results, view.change), total);
      run.records += rowsOf(results).length;
      const counts = { records: run.records, total: run.total };
      await file?.save({ ...counts, cursor, header: out.header });
      progress.show({ ...counts, before, total: Math.min(run.total, max ?? run.total) });
    }
  } finally {
    progress.clear();
  }
  await out.end();
}

/** Checks that no record is missing, and reports the number of records. */
async function finish(
  { query, options: { max }, fetchOptions, file, segment, records, total }: Run,
  io: ProcessIO,
): Promise<void> {
  const { operation, input, view } = query;
  const note = view.note?.();
  if (note) io.stderr.write(`${note}\n`);
  const isEnd = max === undefined || records < max;
  if (isList(operation) && !fetchOptions.all) {
    const isRest = records > 0 && Number(input.offset ?? 0) + records < total;
    if (isRest)
      io.stderr.write(
        `${numbers.format(records)} of ${numbers.format(total)} records; --all for every record\n`,
      );
  } else if (!isList(operation) && operation.id !== operations.A1.id && records < total) {
    io.stderr.write(
      `${numbers.format(records)} of ${numbers.format(total)} records; the explorer returned no more, and this command has no pages\n`,
    );
  } else if (isList(operation) && isEnd) {
    const readCount = records - (segment?.before ?? 0);
    const count = await countRecords(operation, input, fetchOptions, io);
    // If the list is now shorter than its count and than the records read, it has lost records.
    if (count !== undefined && count < total && count < readCount)
      throw new ReorganisedExportError(
        `${numbers.format(readCount)} records were read, but the list has ${numbers.format(count)} now: the chain was reorganised, and some of them no longer exist`,
      );
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
