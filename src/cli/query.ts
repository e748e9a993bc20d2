// The commands that query one operation, with their options.
import { type Command, InvalidArgumentError } from "commander";
import { summaryOf } from "../contract/descriptions.ts";
import { type AnyOperation, operations } from "../contract/index.ts";
import { type Address, address } from "../models/primitives.ts";
import { paddedTopic, TRANSFER } from "../resources/display.ts";
import { collectAddresses } from "./addresses.ts";
import { addConnection } from "./connection.ts";
import { isBatch, isList } from "./fetch-results.ts";
import { checkColumns, columnsOption, formatOption, rawOption } from "./format.ts";
import { addDecodeOptions, type DecodeOptions, decodedView, transfersView } from "./log-views.ts";
import {
  addParameters,
  inputOf,
  integerOption,
  kebab,
  momentOption,
  parseText,
} from "./parameters.ts";
import type { ProcessIO } from "./process-io.ts";
import { hasParties, parseAmount } from "./record-filters.ts";
import { fieldsOf, type Row } from "./records.ts";
import { hasRange, type QueryOptions, runQuery } from "./run-query.ts";
import { decimalsOption, inUnits, unitsOption } from "./units.ts";

interface QueryCommandOptions extends QueryOptions, DecodeOptions {
  readonly addressesFrom?: string;
}

/** Adds the options of lists and of batches. */
function addExportOptions(command: Command, operation: AnyOperation): void {
  const positive = integerOption(1, Number.MAX_SAFE_INTEGER);
  if (isList(operation))
    command
      .option("--all", "fetch every record, exactly once, instead of one page")
      .option("--max <n>", "maximum number of records, across all pages; implies --all", positive)
      .option(
        "--prefetch <n>",
        "with --all: pages to fetch ahead (default: 0)",
        integerOption(0, 100),
      );
  if (isList(operation) && "place" in operation.list)
    command
      .option(
        "--since <time>",
        "from this block, time (UTC) or period on: 812, 2026-10-01, 30d",
        momentOption,
      )
      .option("--until <time>", "before this block or time", momentOption);
  if (hasParties(operation)) addFilterOptions(command);
  if (isBatch(operation))
    command.option("--addresses-from <file>", "read addresses from a file; the same as @file");
  if (hasRange(operation))
    command.option(
      "--confirmations <n>",
      "with --all: leave out records with fewer blocks on top (default: 0, with --resume 12)",
      integerOption(0, 1_000_000),
    );
  if (isList(operation) || isBatch(operation))
    command.option(
      "--resume <file>",
      `write ${isList(operation) ? "every record" : "the records"} to this file (csv or ndjson, by its name); after an interruption, the same command continues it`,
    );
}

/** Adds the options that filter an account's records after all of them were read. */
function addFilterOptions(command: Command): void {
  const amount = (text: string) => {
    if (parseAmount(text, 0) !== undefined) return text;
    throw new InvalidArgumentError(
      `expected a decimal number, such as 10 or 0.5, received "${text}"`,
    );
  };
  const sumFields = (text: string) => {
    const fields = text.split(",");
    if (fields.every((field) => /^(value|tx_fee)$/.test(field))) return fields;
    throw new InvalidArgumentError(`expected value, tx_fee, or both, received "${text}"`);
  };
  const reads = "reads the whole list and prints";
  command
    .option(
      "--min-value <amount>",
      `${reads} records of this many coins or whole tokens at least`,
      amount,
    )
    .option("--counterparty <address>", `${reads} records with this other party`, (text) =>
      parseText(address, text),
    )
    .option("--failed", `${reads} records that failed`)
    .option("--sum <fields>", `${reads} sums: value, tx_fee, or both`, sumFields);
}

export function addQuery(parent: Command, operation: AnyOperation, io: ProcessIO): void {
  const { id, action } = operation;
  // The summary of A1 names the limit of one request, but the command sends several.
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
  command.addOption(formatOption()).addOption(columnsOption());
  const units = unitsOption(operation);
  if (units) command.addOption(units);
  if (isLogs) addDecodeOptions(command);
  command.addOption(rawOption());
  addConnection(command);
  command.action(async (...values: unknown[]) => {
    const options = command.opts<QueryCommandOptions & Record<string, unknown>>();
    const input = inputOf(operation, values, options);
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
    if (options.columns) checkColumns(options.columns, view.fields);
    const { since, until } = options;
    const period = { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
    const query = { operation, name: operation.name, input: { ...input, ...period }, view };
    await runQuery(query, options, io);
  });
}

/** Adds `tokens transfers`, which lists the transfers of a token from its event logs. */
export function addTokenTransfers(parent: Command, io: ProcessIO): void {
  const operation = operations.L1;
  const holder = (text: string) => paddedTopic(parseText(address, text) as Address);
  const command = parent
    .command("transfers")
    .summary("All transfers of a token, from its event logs")
    .description(
      "All transfers of a token between any holders, MRC20 or MRC721, from its event logs (L1). A log has no block number, and no name, symbol or decimals of the token.",
    );
  const parameters = ["address", "limit", "offset", "startBlock", "endBlock"];
  addParameters(command, operation, ({ name }) => parameters.includes(name));
  command
    .option("--from <address>", "only from this holder", holder)
    .option("--to <address>", "only to this holder", holder);
  addExportOptions(command, operation);
  const { fields } = transfersView(undefined);
  command.addOption(formatOption()).addOption(columnsOption(fields)).addOption(decimalsOption());
  command.addOption(rawOption());
  addConnection(command);
  command.action(async (...values: unknown[]) => {
    const { from, to, ...options } = command.opts<QueryCommandOptions & Record<string, unknown>>();
    const topics = {
      topic_0: TRANSFER,
      ...(from !== undefined && { topic_1: from }),
      ...(to !== undefined && { topic_2: to }),
    };
    const input = { ...inputOf(operation, values, options), ...topics };
    const view = transfersView(options.units);
    await runQuery({ operation, name: "tokens.transfers", input, view }, options, io);
  });
}
