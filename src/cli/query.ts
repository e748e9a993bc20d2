// A command that runs one operation: its options, and what they do to the records.
import { type Command, InvalidArgumentError, Option } from "commander";
import { summaryOf } from "../contract/descriptions.ts";
import type { AnyOperation } from "../contract/index.ts";
import { collectAddresses } from "./addresses.ts";
import { addConnection, clientOptions } from "./connection.ts";
import { ExportFile, type Query } from "./export-file.ts";
import { type FetchOptions, fetchResults, isBatch, isList } from "./fetch-results.ts";
import { columnsOption, formatOf, formatOption } from "./format.ts";
import { type Format, type Layout, type Terminal, writer } from "./output.ts";
import { addParameters, between, inputOf, kebab } from "./parameters.ts";
import { type ProcessIO, terminalOf } from "./process-io.ts";
import { createProgress } from "./progress.ts";
import { fieldsOf, mapRows, rowsOf } from "./records.ts";
import { inUnits, unitsOption } from "./units.ts";

interface QueryOptions extends Omit<FetchOptions, "all" | "resume"> {
  readonly format?: Format;
  readonly columns?: readonly string[];
  /** The decimals of the unit. */
  readonly units?: number;
  readonly all?: true;
  readonly raw?: true;
  /** The file to write or to go on with. */
  readonly resume?: string;
  readonly addressesFrom?: string;
}

/** The options of lists and of batches. */
function addExportOptions(command: Command, operation: AnyOperation): void {
  if (isList(operation))
    command
      .option("--all", "fetch every record, exactly once, instead of one page")
      .addOption(
        new Option(
          "--max <n>",
          "at most this many records, over all pages; implies --all",
        ).argParser(between(1, Number.MAX_SAFE_INTEGER)),
      )
      .addOption(
        new Option("--prefetch <n>", "with --all: pages to fetch ahead (default: 0)").argParser(
          between(0, 100),
        ),
      );
  if (isBatch(operation))
    command.option("--addresses-from <file>", "read addresses from a file; the same as @file");
  if (isList(operation) || isBatch(operation))
    command.option(
      "--resume <file>",
      `write ${isList(operation) ? "every record" : "the records"} to this file (csv or ndjson, by its name); the same command goes on with it after an interruption`,
    );
}

export function addQuery(parent: Command, operation: AnyOperation, io: ProcessIO): void {
  const { id, action } = operation;
  const summary = summaryOf(operation);
  const command = parent
    .command(action)
    .summary(summary)
    .description(`${summary} (${id} in the specification).`);
  if (kebab(action) !== action) command.alias(kebab(action));
  addParameters(command, operation);
  addExportOptions(command, operation);
  command.addOption(formatOption()).addOption(columnsOption(fieldsOf(operation)));
  const units = unitsOption(operation);
  if (units) command.addOption(units);
  command.option("--raw", "csv: leave cells as they are that a spreadsheet runs as a formula");
  addConnection(command);
  command.action(async (...given: unknown[]) => {
    const options = command.opts<QueryOptions & Record<string, unknown>>();
    const input = inputOf(operation, given, options);
    if (isBatch(operation)) {
      const words = (input.addresses ?? []) as readonly string[];
      input.addresses = await collectAddresses(words, options.addressesFrom, io);
    }
    await runQuery(operation, input, options, io);
  });
}

/** The format of an export: by the name of its file, if it is not given. */
function exportFormat(file: string, format: Format | undefined): Format {
  if (format === undefined) return /\.csv$/i.test(file) ? "csv" : "ndjson";
  if (format === "csv" || format === "ndjson") return format;
  throw new InvalidArgumentError(
    `--resume cannot go on with ${format}, whose end is not the end of its records: pass --format csv or ndjson`,
  );
}

/** What makes two runs the same export; how it is fetched may differ. */
function queryOf(
  operation: AnyOperation,
  input: Readonly<Record<string, unknown>>,
  options: QueryOptions,
  format: Format,
  io: ProcessIO,
): Query {
  // The cursor knows which addresses are done; the page size is a matter of fetching.
  const { addresses, limit, ...parameters } = input;
  const { columns, units, raw } = options;
  const parts = {
    operation: operation.name,
    ...parameters,
    ...{ format, columns, units, raw },
    url: new URL(clientOptions(options, io).baseUrl).href,
  };
  return Object.fromEntries(
    Object.entries(parts).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

async function runQuery(
  operation: AnyOperation,
  input: Record<string, unknown>,
  options: QueryOptions,
  io: ProcessIO,
): Promise<void> {
  const { max, resume, columns, units = 0, raw = false } = options;
  const all = options.all === true || max !== undefined || resume !== undefined;
  const format = resume ? exportFormat(resume, options.format) : formatOf(options.format, io);
  const query = resume && queryOf(operation, input, options, format, io);
  const file = resume && query ? await ExportFile.open(resume, query) : undefined;
  const before = file?.progress.records ?? 0;
  const layout: Layout = {
    all: all && isList(operation),
    many: isList(operation),
    raw,
    columns: file?.progress.header ?? columns,
    continued: file?.progress.header !== undefined,
  };
  const screen = terminalOf(io);
  const target: Terminal = file ? { ...screen, write: (text) => file.write(text) } : screen;
  const out = writer(format, target, layout);
  const fetchOptions: FetchOptions = {
    ...options,
    all,
    max: max === undefined ? undefined : Math.max(0, max - before),
    resume: file?.progress.cursor,
    whole: format === "json",
  };
  const change = inUnits(operation, units);
  const isLong = all || isBatch(operation);
  const recordsOnTerminal = file === undefined && io.stdout.isTTY === true;
  const progress = createProgress(io, isLong && !recordsOnTerminal);
  let records = before;
  // The first page counts the whole list; later ones may count the blocks that are left.
  let total = file?.progress.total ?? 0;
  try {
    for await (const page of fetchResults(operation, input, fetchOptions, io)) {
      const { results, cursor } = page;
      total = Math.max(total, page.total ?? 0);
      await out.page(units === 0 ? results : mapRows(results, change));
      records += rowsOf(results).length;
      await file?.save({ records, total, cursor, header: out.header });
      progress.show({ records, before, total: Math.min(total, max ?? total) });
    }
    progress.clear();
    await out.end();
    if (file) io.stderr.write(`${file.path} is complete: ${records} records\n`);
  } catch (error) {
    progress.clear();
    if (file) io.stderr.write(`${file.path} has ${records} records; the same command goes on\n`);
    throw error;
  } finally {
    await file?.close();
  }
}
