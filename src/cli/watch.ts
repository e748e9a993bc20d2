// `accounts watch` and `eventLogs watch`: prints new records as they arrive, until ^C.
import { type Command, InvalidArgumentError, Option } from "commander";
import { type AnyOperation, operations } from "../contract/index.ts";
import { oncePerMessage } from "../errors/base.ts";
import { type AccountEvent, ExplorerClient, isExplorerError } from "../index.ts";
import type { WatchOptions } from "../lists/watch.ts";
import type { EventLog } from "../models/event-log.ts";
import type { Address } from "../models/primitives.ts";
import {
  addConnection,
  type ConnectionOptions,
  clientOptions,
  secondsOption,
} from "./connection.ts";
import { clientCall, toWire } from "./fetch-results.ts";
import { columnsOption, formatOption, rawOption, writer } from "./format.ts";
import { withEventTopic } from "./log-views.ts";
import type { Format } from "./output.ts";
import { addParameters, inputOf, integerOption } from "./parameters.ts";
import { type ProcessIO, terminalOf } from "./process-io.ts";
import { fieldsOf, pick, type Row, rowsOf } from "./records.ts";
import { inUnits, type Unit, unitsOption } from "./units.ts";

interface WatchCommandOptions extends ConnectionOptions {
  readonly from?: number;
  /** Time between two polls in seconds. */
  readonly interval?: number;
  readonly depth?: number;
  readonly max?: number;
  readonly format?: Exclude<Format, "json">;
  readonly columns?: readonly string[];
  readonly units?: Unit;
  readonly raw?: boolean;
  readonly kinds?: readonly AccountEvent["kind"][];
}

/** The operation that lists the records of a kind. */
const operationOf: Readonly<Record<AccountEvent["kind"], AnyOperation>> = {
  transaction: operations.A2,
  internalTransaction: operations.A3,
  mrc20Transfer: operations.A4,
  mrc721Transfer: operations.A5,
};
const kindNames = Object.keys(operationOf) as AccountEvent["kind"][];
const defaultKinds: readonly AccountEvent["kind"][] = [
  "transaction",
  "mrc20Transfer",
  "mrc721Transfer",
];

const kinds = (text: string): readonly AccountEvent["kind"][] =>
  text.split(",").map((word) => {
    const kind = kindNames.find((name) => name === word.trim());
    if (kind !== undefined) return kind;
    throw new InvalidArgumentError(`no kind "${word}"; the kinds are ${kindNames.join(", ")}`);
  });

function addWatchOptions(command: Command, fields: readonly string[], isOfLogs: boolean): void {
  // Required for logs, because they do not name their block, so that new logs are not recognisable.
  const from = `print records from this block on${isOfLogs ? "" : " (default: only new records)"}`;
  command
    .addOption(
      new Option("--from <block>", from)
        .argParser(integerOption(0, Number.MAX_SAFE_INTEGER))
        .makeOptionMandatory(isOfLogs),
    )
    .option("--interval <seconds>", "time between two polls (default: 10)", secondsOption)
    .option(
      "--depth <blocks>",
      "recent blocks to read again in each poll, in case of a reorganisation (default: 32)",
      integerOption(0, 100_000),
    )
    .option(
      "-n, --max <n>",
      "stop after this many records (default: never)",
      integerOption(1, Number.MAX_SAFE_INTEGER),
    )
    .addOption(
      formatOption("output format (default: table on a terminal, ndjson otherwise)", [
        "table",
        "ndjson",
        "csv",
      ]),
    )
    .addOption(columnsOption(fields))
    .addOption(rawOption());
  addConnection(command);
}

/** Encodes a record of a list in its wire form. */
const wireRow = (operation: AnyOperation, record: object): Row =>
  rowsOf(toWire(operation, { count: null, data: [record] }))[0] ?? {};

/** Prints rows until there are enough or the signal aborts. Both end the command with code 0. */
async function printRows(
  rows: AsyncIterable<Row>,
  { format, columns, raw = false, max }: WatchCommandOptions,
  defaultColumns: readonly string[],
  io: ProcessIO,
): Promise<void> {
  const outputFormat = format ?? (io.stdout.isTTY ? "table" : "ndjson");
  const out = writer(outputFormat, terminalOf(io), {
    all: true,
    many: true,
    raw,
    // The first record may lack fields that other records have.
    columns: columns ?? (outputFormat === "csv" ? defaultColumns : undefined),
  });
  let left = max ?? Number.POSITIVE_INFINITY;
  for await (const row of rows) {
    // A removed record gets its own line, so that a program can correct its data.
    if ("removed" in row) {
      if (outputFormat === "ndjson") await terminalOf(io).write(`${JSON.stringify(row)}\n`);
      continue;
    }
    await out.page({ data: [row] });
    left--;
    if (left <= 0) break;
  }
}

/** Warns of failures with only their first line, because other lines differ with each poll. */
function warning({ stderr }: ProcessIO): (error: unknown) => void {
  const warn = oncePerMessage((message) => stderr.write(`warning: ${message}\n`));
  return (error) => warn(isExplorerError(error) ? error.shortMessage : error);
}

/** How many printed records to remember, in case a reorganisation removes them. */
const MAX_PRINTED = 10_000;

/** Remembers the printed records, and finds those that a reorganisation removed. */
class PrintedRecords<Event> {
  readonly #printed = new Map<string, Row>();
  readonly #removed: Row[] = [];
  readonly #rowOf: (event: Event) => Row;

  constructor(rowOf: (event: Event) => Row) {
    this.#rowOf = rowOf;
  }

  /** Yields a row for each new record, and before it the records that were removed. */
  async *rows(events: AsyncIterable<Event>): AsyncGenerator<Row> {
    for await (const event of events) {
      yield* this.#takeRemoved();
      const row = this.#rowOf(event);
      this.#printed.set(keyOf(row), row);
      for (const key of this.#printed.keys())
        if (this.#printed.size > MAX_PRINTED) this.#printed.delete(key);
      yield row;
    }
    yield* this.#takeRemoved();
  }

  *#takeRemoved(): Generator<Row> {
    for (const removed of this.#removed.splice(0)) yield { removed };
  }

  /** Returns the printed rows of some events. */
  among(events: readonly Event[], isRemoved = false): readonly Row[] {
    const rows = events.flatMap((event): readonly Row[] => {
      const row = this.#printed.get(keyOf(this.#rowOf(event)));
      return row ? [row] : [];
    });
    if (isRemoved) this.#removed.push(...rows);
    return rows;
  }
}

/** Fields that do not change when a reorganisation moves a record to another block. */
const LASTING = [
  ...["kind", "transaction_hash", "trace_address", "token_address", "address", "sender"],
  ...["receiver", "value", "token_id", "topic_0", "topic_1", "topic_2", "topic_3", "data"],
];

const keyOf = (row: Row): string => JSON.stringify(pick(row, LASTING));

/** Returns the options of both watches. */
const watchOptions = <Event>(
  { from, interval, depth }: WatchCommandOptions,
  printed: PrintedRecords<Event>,
  io: ProcessIO,
): WatchOptions<Event> => ({
  from,
  depth,
  pollInterval: interval && 1000 * interval,
  signal: io.signal,
  onError: warning(io),
  onReorganisation(records) {
    const removed = printed.among(records.removed, true).length;
    const returned = printed.among(records.returned).length;
    const moved = printed.among(records.moved).length;
    if (removed + returned + moved > 0)
      io.stderr.write(
        `reorganisation: ${removed} of the printed records are gone, ${returned} are back, ${moved} have moved\n`,
      );
  },
});

export function addAccountWatch(parent: Command, io: ProcessIO): void {
  const operationFields = Object.values(operationOf).flatMap((operation) => fieldsOf(operation));
  const fields = ["kind", ...new Set(operationFields)];
  const command = parent
    .command("watch")
    .summary("New transactions and transfers of an address, as they arrive")
    .description(
      "Prints new transactions and transfers of an address, each once, in chain order, until ^C (exit code 0). Errors and reorganisations are reported on standard error and do not stop it.",
    );
  addParameters(command, operations.A2, ({ isArgument }) => isArgument);
  command.option(
    "--kinds <names>",
    `what to watch, separated by commas: ${kindNames.join(", ")} (default: all but internalTransaction)`,
    kinds,
  );
  addWatchOptions(command, fields, false);
  const units = unitsOption(operations.A2);
  if (units) command.addOption(units);
  command.action(async (address: Address) => {
    const options = command.opts<WatchCommandOptions>();
    const { kinds = defaultKinds, units } = options;
    const printed = new PrintedRecords<AccountEvent>(({ kind, record }) => {
      const operation = operationOf[kind];
      const row = wireRow(operation, record);
      return { kind, ...(units ? inUnits(operation, units)(row) : row) };
    });
    const events = new ExplorerClient(clientOptions(options, io)).accounts.watch(address, {
      ...watchOptions(options, printed, io),
      kinds,
    });
    const fields = ["kind", ...new Set(kinds.flatMap((kind) => fieldsOf(operationOf[kind])))];
    await printRows(printed.rows(events), options, fields, io);
  });
}

export function addLogWatch(parent: Command, io: ProcessIO): void {
  const fields = fieldsOf(operations.L1);
  const command = parent
    .command("watch")
    .summary("New event logs of a contract, as they arrive")
    .description(
      "Prints new event logs of a contract, each once, in chain order, until ^C (exit code 0). Errors and reorganisations are reported on standard error and do not stop it.",
    );
  const isFilter = ({ name }: { readonly name: string }) =>
    !["limit", "offset", "startBlock", "endBlock"].includes(name);
  addParameters(command, operations.L1, isFilter);
  addWatchOptions(command, fields, true);
  command.action(async (...values: unknown[]) => {
    const options = command.opts<WatchCommandOptions & Record<string, unknown>>();
    const input = inputOf(operations.L1, values, options);
    const filter = await withEventTopic(input, {}, clientCall(options, io), io.signal);
    const printed = new PrintedRecords<EventLog>((log) => wireRow(operations.L1, log));
    const logs = new ExplorerClient(clientOptions(options, io)).eventLogs.watch({
      ...(filter as { readonly address: Address }),
      ...(watchOptions(options, printed, io) as WatchOptions<EventLog> & { from: bigint }),
    });
    await printRows(printed.rows(logs), options, fields, io);
  });
}
