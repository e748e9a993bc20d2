// A command that runs one operation: its options, and what they do to the records.
import { type Command, InvalidArgumentError, Option } from "commander";
import { summaryOf } from "../contract/descriptions.ts";
import { type AnyOperation, operations } from "../contract/index.ts";
import { type Address, address } from "../models/primitives.ts";
import { TRANSFER, topicOf } from "../resources/tokens.ts";
import { collectAddresses } from "./addresses.ts";
import { addConnection, clientOptions } from "./connection.ts";
import { ExportFile, type Query } from "./export-file.ts";
import { type FetchOptions, fetchResults, isBatch, isList } from "./fetch-results.ts";
import {
  checkColumns,
  columnsOption,
  formatOf,
  formatOption,
  rawOption,
  writer,
} from "./format.ts";
import {
  addDecodeOptions,
  type DecodeOptions,
  decodedView,
  transfersView,
  type View,
} from "./log-views.ts";
import type { Format, Layout, Terminal } from "./output.ts";
import { addParameters, inputOf, integerOption, kebab, parseText } from "./parameters.ts";
import { type ProcessIO, terminalOf } from "./process-io.ts";
import { createProgress } from "./progress.ts";
import { fieldsOf, mapRows, type Row, rowsOf } from "./records.ts";
import { decimalsOption, inUnits, type Unit, unitsOption } from "./units.ts";

interface QueryOptions extends Omit<FetchOptions, "all" | "resume">, DecodeOptions {
  readonly format?: Format;
  readonly columns?: readonly string[];
  readonly units?: Unit;
  readonly all?: true;
  readonly raw?: true;
  /** The file to write or to continue. */
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
          "maximum number of records, across all pages; implies --all",
        ).argParser(integerOption(1, Number.MAX_SAFE_INTEGER)),
      )
      .addOption(
        new Option("--prefetch <n>", "with --all: pages to fetch ahead (default: 0)").argParser(
          integerOption(0, 100),
        ),
      );
  if (isBatch(operation))
    command.option("--addresses-from <file>", "read addresses from a file; the same as @file");
  if (isList(operation) || isBatch(operation))
    command.option(
      "--resume <file>",
      `write ${isList(operation) ? "every record" : "the records"} to this file (csv or ndjson, by its name); after an interruption, the same command continues it`,
    );
}

export function addQuery(parent: Command, operation: AnyOperation, io: ProcessIO): void {
  const { id, action } = operation;
  // A request takes 20 addresses; the command sends as many requests as it needs.
  const summary = isBatch(operation)
    ? "Native-coin balances of any number of addresses"
    : summaryOf(operation);
  const alias = kebab(action);
  const command = parent
    .command(action)
    .summary(summary)
    .description(
      `${summary} (${id} in the specification).${alias === action ? "" : ` Also: ${alias}.`}`,
    );
  if (alias !== action) command.alias(alias);
  addParameters(command, operation);
  addExportOptions(command, operation);
  const isLogs = operation.id === operations.L1.id;
  command
    .addOption(formatOption())
    .addOption(columnsOption(isLogs ? undefined : fieldsOf(operation)));
  const units = unitsOption(operation);
  if (units) command.addOption(units);
  if (isLogs) addDecodeOptions(command);
  command.addOption(rawOption());
  addConnection(command);
  command.action(async (...given: unknown[]) => {
    const options = command.opts<QueryOptions & Record<string, unknown>>();
    const input = inputOf(operation, given, options);
    if (isBatch(operation)) {
      const words = (input.addresses ?? []) as readonly string[];
      input.addresses = await collectAddresses(
        words,
        options.addressesFrom,
        io,
        options.checksum ?? true,
      );
    }
    const decoded = isLogs ? await decodedView(options, input, io) : undefined;
    const change = options.units ? inUnits(operation, options.units) : (row: Row) => row;
    const view = decoded ?? { fields: fieldsOf(operation, input), change };
    if (isLogs && options.columns) checkColumns(options.columns, view.fields);
    await runQuery({ operation, name: operation.name, input, view }, options, io);
  });
}

/** `tokens transfers`: all transfers of a token, from its event logs. */
export function addTokenTransfers(parent: Command, io: ProcessIO): void {
  const operation = operations.L1;
  const holder = (text: string) => topicOf(parseText(address, text) as Address);
  const command = parent
    .command("transfers")
    .summary("All transfers of a token, from its event logs")
    .description(
      "All transfers of a token between any holders, MRC20 or MRC721, from its event logs (L1). A log has no block number, and no name, symbol or decimals of the token.",
    );
  const isOfTransfers = ["address", "limit", "offset", "startBlock", "endBlock"];
  addParameters(command, operation, ({ name }) => isOfTransfers.includes(name));
  command
    .addOption(new Option("--from <address>", "only from this holder").argParser(holder))
    .addOption(new Option("--to <address>", "only to this holder").argParser(holder));
  addExportOptions(command, operation);
  const { fields } = transfersView(undefined);
  command.addOption(formatOption()).addOption(columnsOption(fields)).addOption(decimalsOption());
  command.addOption(rawOption());
  addConnection(command);
  command.action(async (...given: unknown[]) => {
    const { from, to, ...options } = command.opts<QueryOptions & Record<string, unknown>>();
    const topics = {
      topic_0: TRANSFER,
      ...(from !== undefined && { topic_1: from }),
      ...(to !== undefined && { topic_2: to }),
    };
    const input = { ...inputOf(operation, given, options), ...topics };
    const view = transfersView(options.units);
    await runQuery({ operation, name: "tokens.transfers", input, view }, options, io);
  });
}

/** A query to run, and how its records are shown. */
interface Asked {
  readonly operation: AnyOperation;
  /** What it is called: an export is continued by the same. */
  readonly name: string;
  readonly input: Record<string, unknown>;
  readonly view: View;
}

/** The format of an export: by the name of its file, if it is not given. */
function exportFormat(file: string, format: Format | undefined): Format {
  if (file === "") throw new InvalidArgumentError("--resume: expected the name of a file");
  if (format === undefined) return /\.csv$/i.test(file) ? "csv" : "ndjson";
  if (format === "csv" || format === "ndjson") return format;
  throw new InvalidArgumentError(
    `--resume cannot continue ${format}, because text follows its last record: pass --format csv or ndjson`,
  );
}

/** What makes two runs the same export; how it is fetched may differ. */
function queryOf(
  { name, input, view }: Asked,
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
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

async function runQuery(asked: Asked, options: QueryOptions, io: ProcessIO): Promise<void> {
  const { operation, input, view } = asked;
  const { max, resume, columns, raw = false } = options;
  const all = options.all === true || max !== undefined || resume !== undefined;
  const format =
    resume === undefined ? formatOf(options.format, io) : exportFormat(resume, options.format);
  const query = resume && queryOf(asked, options, format, io);
  const file = resume && query ? await ExportFile.open(resume, query) : undefined;
  const before = file?.state.records ?? 0;
  const layout: Layout = {
    all: all && isList(operation),
    many: isList(operation),
    raw,
    // Decoded logs of one page need not have the columns of the others.
    columns: file?.state.header ?? columns ?? (format === "csv" ? view.columns : undefined),
    fields: view.fields,
    continued: file?.state.header !== undefined,
  };
  const screen = terminalOf(io);
  const target: Terminal = file
    ? { ...screen, isTerminal: false, write: (text) => file.write(text) }
    : screen;
  const out = writer(format, target, layout);
  const fetchOptions: FetchOptions = {
    ...options,
    all,
    max: max === undefined ? undefined : Math.max(0, max - before),
    resume: file?.state.cursor,
    whole: format === "json",
  };
  const isLong = all || isBatch(operation);
  const recordsOnTerminal = file === undefined && io.stdout.isTTY === true;
  const progress = createProgress(io, isLong && !recordsOnTerminal);
  let records = before;
  // The first page has the count of the whole list; later pages may have that of the blocks that are left.
  let total = file?.state.total ?? 0;
  try {
    for await (const page of fetchResults(operation, input, fetchOptions, io)) {
      const { results, cursor } = page;
      total = Math.max(total, page.total ?? 0);
      await out.page(mapRows(results, view.change), page.total);
      records += rowsOf(results).length;
      await file?.save({ records, total, cursor, header: out.header });
      progress.show({ records, before, total: Math.min(total, max ?? total) });
    }
    progress.clear();
    await out.end();
    const note = view.note?.();
    if (note) io.stderr.write(`${note}\n`);
    if (file) io.stderr.write(`${file.path} is complete: ${records} records\n`);
  } catch (error) {
    progress.clear();
    // A command that was wrong stays wrong.
    if (file && !(error instanceof InvalidArgumentError))
      io.stderr.write(`${file.path} has ${records} records; run the same command to continue\n`);
    throw error;
  } finally {
    await file?.close();
  }
}
