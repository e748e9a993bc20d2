// The commands that query one operation, with their options.
import { type Command, InvalidArgumentError, type Option } from "commander";
import { summaryOf } from "../contract/descriptions.ts";
import { type AnyOperation, operations } from "../contract/index.ts";
import type { Call } from "../http/call.ts";
import { type Address, address } from "../models/primitives.ts";
import { paddedTopic, TRANSFER } from "../resources/display.ts";
import { collectAddresses } from "./addresses.ts";
import { addConnection } from "./connection.ts";
import { inputDecoder } from "./decode-records.ts";
import { clientCall, isBatch, isList } from "./fetch-results.ts";
import { checkColumns, columnsOption, formatOption, rawOption } from "./format.ts";
import { addQueryHelp } from "./help.ts";
import {
  addDecodeOptions,
  type DecodeOptions,
  decodedView,
  transfersView,
  type View,
  withEventTopic,
} from "./log-views.ts";
import {
  addParameters,
  inputOf,
  integerOption,
  kebab,
  LATEST,
  momentOption,
  type PeriodOptions,
  parseText,
  periodOf,
  timeOption,
  timeZoneOption,
  type ZonedTime,
} from "./parameters.ts";
import type { ProcessIO } from "./process-io.ts";
import { hasParties, parseAmount } from "./record-filters.ts";
import { fieldsOf, pick, type Row } from "./records.ts";
import { hasRange, type QueryOptions, runQuery } from "./run-query.ts";
import { inUnits, tokenUnitsOption, unitsOption, withDecimals } from "./units.ts";

interface QueryCommandOptions extends QueryOptions, DecodeOptions, PeriodOptions {
  readonly addressesFrom?: string;
}

/** Adds the options of lists, and of batches of balances. */
function addExportOptions(command: Command, operation: AnyOperation): void {
  const positive = integerOption(1, Number.MAX_SAFE_INTEGER);
  if (isList(operation))
    command
      .option("--all", "fetch every record, exactly once, instead of one page")
      .option(
        "-n, --max <n>",
        "maximum number of records, across all pages; implies --all",
        positive,
      )
      .option(
        "--prefetch <n>",
        "with --all: pages to fetch ahead (default: 0)",
        integerOption(0, 100),
      );
  if (isList(operation) && "place" in operation.list)
    command
      .option(
        "--since <time>",
        "from this block, time or period on: 812, 2026-10-01, 30d",
        momentOption,
      )
      .option("--until <time>", "before this block or time", momentOption)
      .addOption(timeZoneOption())
      .option("--reverse", "reads the whole list and prints the oldest record first");
  if (hasParties(operation)) addFilterOptions(command);
  if (operation.id === operations.A10.id) addSum(command, ["reward", "fees", "mining_reward"]);
  if (isBatch(operation))
    command.option("--addresses-from <file>", "read addresses from a file; the same as @file");
  if (hasRange(operation))
    command.option(
      "--confirmations <n>",
      "with --all: leave out records with fewer confirmations (default: 0, or 12 with --resume)",
      integerOption(0, 1_000_000),
    );
  if (isList(operation) || isBatch(operation))
    command.option(
      "-o, --resume <file>",
      `write ${isList(operation) ? "every record" : "the records"} to this file (csv or ndjson, by its name); after an interruption, the same command continues it`,
    );
}

/** Adds the options of the output and of the explorer. */
function addOutput(command: Command, columns: Option, units: Option | undefined): void {
  command.addOption(formatOption()).addOption(columns);
  if (units) command.addOption(units);
  command.addOption(rawOption());
  addConnection(command);
}

/** Adds the options that filter an account's records after reading them all. */
function addFilterOptions(command: Command): void {
  const amount = (text: string) => {
    if (parseAmount(text, 0) !== undefined) return text;
    throw new InvalidArgumentError(
      `expected a decimal number, such as 10 or 0.5, received "${text}"`,
    );
  };
  command
    .option(
      "--min-value <amount>",
      `${READS} records of at least this many coins or whole tokens`,
      amount,
    )
    .option("--counterparty <address>", `${READS} records with this other party`, (text) =>
      parseText(address, text),
    )
    .option("--failed", `${READS} records that failed`);
  addSum(command, ["value", "tx_fee"]);
}

const READS = "reads the whole list and prints";

function addSum(command: Command, sums: readonly string[]): void {
  const note = sums.includes("value") ? "; accounts totals separates received and sent" : "";
  command.option("--sum <fields>", `${READS} sums of ${sums.join(", ")}${note}`, (text) => {
    const fields = text.split(",");
    if (fields.every((field) => sums.includes(field))) return fields;
    throw new InvalidArgumentError(
      `expected one or more of ${sums.join(", ")}, separated by commas, received "${text}"`,
    );
  });
}

/** The options of a query, as commander parsed them. */
type ParsedOptions = QueryCommandOptions & Readonly<Record<string, unknown>>;

/** Returns the form in which a query prints its records. */
async function viewOf(
  operation: AnyOperation,
  input: Record<string, unknown>,
  options: ParsedOptions & { readonly call: Call },
  io: ProcessIO,
): Promise<View> {
  const { abi, decode, call } = options;
  if (operation.id === operations.L1.id) {
    const decoded = await decodedView(options, input, call, io.signal);
    if (decoded) return decoded;
  }
  const unit = await withDecimals(options.units, input.contract_hash, call, io.signal);
  const change = unit ? inUnits(operation, unit) : (row: Row) => row;
  const fields = fieldsOf(operation, input);
  if (operation.id !== operations.A2.id || !(abi || decode)) return { fields, change };
  const decodeInput = inputDecoder({ options: { call }, io }, abi);
  const columns = [...fields.filter((name) => name !== "input" || options.input), ...CALL_FIELDS];
  return {
    ...{ fields: columns, columns },
    change: async (row) => pick({ ...NO_CALL, ...change(await decodeInput(row)) }, columns),
  };
}

/** The fields of a decoded call, which are null for a plain transfer of coins. */
const CALL_FIELDS = ["function", "arguments"];
const NO_CALL = { function: null, arguments: null };

export function addQuery(parent: Command, operation: AnyOperation, io: ProcessIO): void {
  const { id, action, resource } = operation;
  // The summary of A1 names the limit of one request, but the command sends several requests.
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
  const isLogs = id === operations.L1.id;
  if (isLogs || id === operations.A2.id) addDecodeOptions(command);
  addOutput(command, columnsOption(fieldsOf(operation), false), unitsOption(operation));
  addQueryHelp(command, operation, `mrc-explorer ${resource} ${action}`);
  command.action(async (...values: unknown[]) => {
    const parsed = command.opts<ParsedOptions>();
    const options = { ...parsed, call: clientCall(parsed, io) };
    let input = { ...inputOf(operation, values, options), ...periodOf(options) };
    if (isBatch(operation)) {
      const words = (input.addresses ?? []) as readonly string[];
      const { addressesFrom, checksum = true } = options;
      input.addresses = await collectAddresses(words, addressesFrom, io, checksum);
    }
    if (isLogs) input = await withEventTopic(input, options, options.call, io.signal);
    else if (options.abi || options.decode) {
      if (input.simple)
        throw new InvalidArgumentError("--simple has no call data to decode: leave it out");
      input.input = true;
    }
    const view = await viewOf(operation, input, options, io);
    if (options.columns) checkColumns(options.columns, view.fields);
    await runQuery({ operation, name: operation.name, input, view }, options, io);
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
  addOutput(command, columnsOption(transfersView(undefined).fields), tokenUnitsOption());
  command.action(async (...values: unknown[]) => {
    const { from, to, ...options } = command.opts<ParsedOptions>();
    const topics = {
      topic_0: TRANSFER,
      ...(from !== undefined && { topic_1: from }),
      ...(to !== undefined && { topic_2: to }),
    };
    const input: Record<string, unknown> = {
      ...{ ...inputOf(operation, values, options), ...periodOf(options), ...topics },
    };
    const call = clientCall(options, io);
    const view = transfersView(await withDecimals(options.units, input.address, call, io.signal));
    const query = { operation, name: "tokens.transfers", input, view };
    await runQuery(query, { ...options, call }, io);
  });
}

/** Adds `blocks latest` and `blocks at`, which search for a block. */
export function addBlockSearches(parent: Command, io: ProcessIO): void {
  const operation = operations.B1;
  const add = (name: string, summary: string, description: string) => {
    const command = parent.command(name).summary(summary).description(description);
    addOutput(command, columnsOption(fieldsOf(operation)), unitsOption(operation));
    return command;
  };
  const run = async (block_number: unknown, options: ParsedOptions) => {
    const change = options.units ? inUnits(operation, options.units) : (row: Row) => row;
    const view = { fields: fieldsOf(operation), change };
    await runQuery({ operation, name: operation.name, input: { block_number }, view }, options, io);
  };
  const latest = add(
    "latest",
    "The newest block",
    "The newest block. No operation returns it, so this takes about 50 requests of B1 for 20 million blocks.",
  );
  latest.action(() => run(LATEST, latest.opts()));
  const at = add(
    "at",
    "The last block at or before a time",
    "The last block at or before a time, or the newest block if the time is later. The search takes a few requests of B1 after the newest block is found.",
  );
  at.argument(
    "<time>",
    "A time: 2026-10-01, 2026-10-01T12:00:00+02:00, or 30d before now.",
    timeOption,
  )
    .addOption(timeZoneOption())
    .action((time: ZonedTime) => {
      const options = at.opts<ParsedOptions>();
      return run(time(options.tz), options);
    });
}
