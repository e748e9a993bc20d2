// Views of event logs: decoded by an ABI (`--abi`, `--decode`), or as the transfers of a token.
import { type Command, InvalidArgumentError, Option } from "commander";
import { operations } from "../contract/index.ts";
import { isExplorerError } from "../errors/index.ts";
import type { Call } from "../http/call.ts";
import type { EventLogWire } from "../models/event-log.ts";
import type { Address } from "../models/primitives.ts";
import { topicsOf } from "../resources/display.ts";
import { loggedTransfer } from "../resources/token-transfers.ts";
import { decodeLog, type Member, membersOf } from "./abi.ts";
import type { ConnectionOptions } from "./connection.ts";
import { EVENT_NAME, EVENTS, readJson } from "./parameters.ts";
import type { Row } from "./records.ts";
import { amountIn, type Unit } from "./units.ts";

/** The form in which a command prints the records of its operation. */
export interface View {
  /** Fields of the printed records. */
  readonly fields: readonly string[];
  readonly change: (row: Row) => Row | Promise<Row>;
  /** All columns, if some records lack columns that other records have. */
  readonly columns?: readonly string[];
  /** Returns a note for the reader after the last record. */
  readonly note?: () => string | undefined;
}

export interface DecodeOptions extends ConnectionOptions {
  /** The entries of the ABI in a file. */
  readonly abi?: readonly unknown[];
  readonly decode?: true;
}

/** Reads an ABI from a file: a list, or the artifact of a compiler, Hardhat or Foundry. */
function readAbi(path: string): readonly unknown[] {
  const json = readJson(path);
  // The output of `contracts abi` has the ABI as `data`.
  const { abi: artifact, data } = Object(json);
  const abi = [json, artifact, data].find(Array.isArray);
  if (Array.isArray(abi)) return abi;
  throw new InvalidArgumentError(
    `${path}: expected a list of ABI entries, or an object with such a list as abi`,
  );
}

export function addDecodeOptions(command: Command): void {
  command
    .option(
      "--abi <file>",
      "decode by the ABI in this file (JSON, or an artifact of Hardhat or Foundry)",
      readAbi,
    )
    .addOption(
      new Option("--decode", "decode by the ABI of the verified contract (C1)").conflicts("abi"),
    );
}

/** The fields of a log that decoding does not change. */
const PLACE = ["timestamp", "address", "transaction_hash", "transaction_index", "log_index"];
/** The fields that are printed undecoded if no event of the ABI matches the log. */
const RAW = ["topic_0", "topic_1", "topic_2", "topic_3", "data"];
const LOG_FIELDS: ReadonlySet<string> = new Set([...PLACE, "event", ...RAW]);

/** Names the columns of an event's values. Appends `_` to a name that a log's field has. */
function columnsOf({ inputs }: Member): readonly string[] {
  const columns: string[] = [];
  for (const [index, { name }] of inputs.entries()) {
    let column = name || `value_${index}`;
    while (LOG_FIELDS.has(column) || columns.includes(column)) column += "_";
    columns.push(column);
  }
  return columns;
}

/** Converts the numbers in a value to strings of decimal digits. */
export const wireValue = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === "bigint" || typeof part === "number" ? `${part}` : part,
    ),
  );

/** Returns a view that decodes logs by the events of an ABI; with a topic, only by its event. */
export function decodedBy(abi: readonly unknown[], topic: unknown): View {
  const events = membersOf(abi).filter(
    ({ type, selector }) => type === "event" && (topic === undefined || topic === selector),
  );
  if (events.length === 0)
    throw new InvalidArgumentError(
      topic === undefined
        ? "The ABI has no events. For a proxy, pass the ABI of its implementation with --abi FILE"
        : `The ABI has no event with the topic ${topic}`,
    );
  const fields = [...new Set([...PLACE, "event", ...events.flatMap(columnsOf), ...RAW])];
  let logs = 0;
  let undecoded = 0;
  const values = (row: Row): Row | undefined => {
    const log = row as EventLogWire;
    const [selector, ...indexed] = topicsOf(log);
    for (const event of events) {
      const { inputs, name } = event;
      const count = inputs.filter((input) => input.indexed).length;
      if (event.selector !== selector || count !== indexed.length) continue;
      try {
        const decoded = decodeLog(inputs, indexed, log.data);
        const cells = columnsOf(event).map((column, index) => [column, wireValue(decoded[index])]);
        return { event: name, ...Object.fromEntries(cells) };
      } catch {
        // Continues, because another event with the same topics may match.
      }
    }
    return undefined;
  };
  const part = (row: Row, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
  return {
    fields,
    columns: fields,
    change(row) {
      logs++;
      const decoded = values(row);
      if (decoded) return { ...part(row, PLACE), ...decoded };
      undecoded++;
      return { ...part(row, PLACE), event: null, ...part(row, RAW) };
    },
    note: () =>
      undecoded > 0
        ? `${undecoded} of ${logs} logs match no event of the ABI: their topics and data are printed undecoded`
        : undefined,
  };
}

/** Requests the ABI of a verified contract. */
const requestAbi = async (call: Call, contract: unknown, signal: AbortSignal) =>
  (await call(operations.C1, { contract_hash: contract as Address }, { signal })).data.data;

/** Requests the ABI of a contract; undefined if the contract is not verified. */
export async function findAbi(call: Call, contract: unknown, signal: AbortSignal) {
  try {
    return await requestAbi(call, contract, signal);
  } catch (error) {
    if (isExplorerError(error, "NOT_VERIFIED") || isExplorerError(error, "NOT_FOUND"))
      return undefined;
    throw error;
  }
}

/** Returns the view of decoded logs; undefined if neither `--abi` nor `--decode` is set. */
export async function decodedView(
  { abi, decode }: DecodeOptions,
  { address, topic_0 }: Row,
  call: Call,
  signal: AbortSignal,
): Promise<View | undefined> {
  if (!abi && !decode) return undefined;
  return decodedBy(abi ?? (await requestAbi(call, address, signal)), topic_0);
}

/** Replaces the name of an event with its topic, by looking it up in the contract's ABI. */
export async function withEventTopic(
  input: Record<string, unknown>,
  { abi }: DecodeOptions,
  call: Call,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const { topic_0: name, address } = input;
  if (typeof name !== "string" || !EVENT_NAME.test(name)) return input;
  const entries = abi ?? (await findAbi(call, address, signal));
  const events = membersOf(entries ?? []).filter(({ type }) => type === "event");
  const named = events.filter((event) => event.name === name);
  if (named[0] && named.length === 1) return { ...input, topic_0: named[0].selector };
  const signatures = entries ? events.map(({ signature }) => signature) : Object.values(EVENTS);
  const reason = entries
    ? "of the contract's ABI"
    : "of tokens, because the contract is not verified (--abi FILE names its ABI)";
  throw new InvalidArgumentError(
    `--topic-0: expected an event ${reason} (${signatures.join(", ") || "it has none"}), or a topic, received "${name}"`,
  );
}

/** Shows logs as the transfers of a token, with amounts in its decimals. */
export const transfersView = (unit: Unit | undefined): View => ({
  fields: [
    ...["timestamp", "sender", "receiver", "value", "token_id"],
    ...["transaction_hash", "token_address", "transaction_index", "log_index"],
  ],
  change(row) {
    const { timestamp, transaction_hash, transaction_index, log_index } = row;
    const { sender, receiver, value, token_id, token_address } = loggedTransfer(
      row as EventLogWire,
    );
    return {
      ...{ timestamp, sender, receiver },
      value: value === null ? null : unit ? amountIn(value, unit) : `${value}`,
      token_id: token_id === null ? null : `${token_id}`,
      ...{ transaction_hash, token_address, transaction_index, log_index },
    };
  },
});
