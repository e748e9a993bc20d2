// The parameters of an operation as arguments and options of its command.
import { readFileSync } from "node:fs";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import * as z from "zod/mini";
import { type ParameterName, parameterDescriptions } from "../contract/descriptions.ts";
import { eventTopic } from "../contract/event-topic.ts";
import { type AnyOperation, type AnySchema, isOptional } from "../contract/index.ts";
import { toTime } from "../lists/period.ts";
import { isAddress } from "../models/hex.ts";
import { check, expectedOf, explain } from "../models/issues.ts";
import { defaultOf } from "../models/schema.ts";
import { inWords } from "./exit-codes.ts";
import type { ProcessIO } from "./process-io.ts";

/** The word that stands for the newest block. */
export const LATEST = "latest";

/** Converts a name to kebab case: startBlock becomes start-block. */
export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");

export const integerOption = (min: number, max: number) => (text: string) => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new InvalidArgumentError(`expected an integer from ${min} to ${max}, received "${text}"`);
};

/** Collects the values of a repeatable option. */
export const append = (text: string, previous: readonly string[] = []) => [...previous, text];

/** Reads a JSON file that an option names. `advice` is added to errors. */
export function readJson(path: string, advice = ""): unknown {
  try {
    // Removes the byte order mark that some editors on Windows write.
    return JSON.parse(readFileSync(path, "utf8").replace(/^\u{feff}/u, ""));
  } catch (error) {
    const reason = error instanceof SyntaxError ? `${path} is not JSON` : inWords(error, path);
    throw new InvalidArgumentError(`${reason}${advice}`);
  }
}

const DAY_MS = 86_400_000;
const PERIODS: Readonly<Record<string, number>> = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS };

/** Returns a time in a time zone. A function, because --tz may come after the time. */
export type ZonedTime = (timeZone?: string) => Date;

/** Parses a time, or a period before now: "2026-10-01", "2026-10-01T12:00:00+02:00", "30d". */
export function timeOption(text: string): ZonedTime {
  const [, count, unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const time = count ? new Date(Date.now() - Number(count) * Number(PERIODS[unit])) : toTime(text);
  if (!time)
    throw new InvalidArgumentError(
      `expected a time or a period before now (2026-10-01, 2026-10-01T12:00:00+02:00, 30d), received "${text}"`,
    );
  const isLocal = !count && !/[T ].*(Z|[+-]\d\d:?\d\d)$/i.test(text);
  return (timeZone = "UTC") => (isLocal ? inZone(time, timeZone) : time);
}

/** Parses a block number, or a time like `timeOption`. */
export function momentOption(text: string): ZonedTime | number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  try {
    return timeOption(text);
  } catch {
    throw new InvalidArgumentError(
      `expected a block, a time or a period (812, 2026-10-01, 2026-10-01T12:00:00+02:00, 30d), received "${text}"`,
    );
  }
}

/**
 * Reinterprets a UTC time as local time of a zone. For example, 12:00 UTC becomes the moment at
 * which clocks in the zone show 12:00.
 */
function inZone(time: Date, timeZone: string): Date {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const offsetAt = (at: number): number => {
    const [, sign = "", hours = 0, minutes = 0] =
      /GMT([+-])(\d\d):(\d\d)/.exec(format.format(at)) ?? [];
    return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  };
  // Looks the offset up again, because the clocks may change between `time` and the estimate.
  const estimate = time.getTime() - offsetAt(time.getTime());
  return new Date(time.getTime() - offsetAt(estimate));
}

/** The options of a period, as commander parsed them. */
export interface PeriodOptions {
  readonly since?: ZonedTime | number;
  readonly until?: ZonedTime | number;
  /** Time zone of times without an offset. */
  readonly tz?: string;
}

/** Returns the ends of a period in the form that the client takes. */
export const periodOf = ({ since, until, tz }: PeriodOptions): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({ since, until }).flatMap(([name, end]) =>
      end === undefined ? [] : [[name, typeof end === "function" ? end(tz) : end]],
    ),
  );

/** Returns the option for the time zone of times without an offset. */
export const timeZoneOption = (): Option =>
  new Option("--tz <zone>", "time zone of times, such as Europe/Berlin (default: UTC)").argParser(
    (timeZone) => {
      try {
        new Intl.DateTimeFormat("en-US", { timeZone });
        return timeZone;
      } catch {
        throw new InvalidArgumentError(
          `expected a time zone, such as Europe/Berlin, UTC or +02:00, received "${timeZone}"`,
        );
      }
    },
  );

/** Values that completion suggests for an option, in addition to its choices. */
export const suggestedValues = new WeakMap<Option, (env: ProcessIO["env"]) => readonly string[]>();

/** Checks the URL of a JSON-RPC node. */
export function nodeUrl(text: string): string {
  if (/^https?:/i.test(text) && URL.canParse(text)) return text;
  const advice = /^wss?:/i.test(text)
    ? `the URL of a websocket; try ${text.replace(/^ws/i, "http")}, because most nodes also serve HTTP`
    : `"${text}"`;
  throw new InvalidArgumentError(
    `expected the URL of a JSON-RPC node, such as http://127.0.0.1:8545, received ${advice}`,
  );
}

const jsonSchemaOf = (schema: AnySchema) => z.toJSONSchema(schema, { io: "input" });

/**
 * Splits parameters into arguments and options. Required parameters are arguments if they are lists
 * or are not in the request's body.
 */
function partition({ input, places }: AnyOperation) {
  const isArgument = ([name, schema]: readonly [string, AnySchema]) =>
    !isOptional(schema) && (!places.body.includes(name) || jsonSchemaOf(schema).type === "array");
  const fields = Object.entries(input.shape);
  return {
    arguments: fields.filter(isArgument),
    options: fields.filter((field) => !isArgument(field)),
  };
}

export function parseText(schema: AnySchema, text: unknown): unknown {
  const { value, issues } = check(schema, text);
  if (issues) throw new InvalidArgumentError(issues.map(explain).join("; "));
  return value;
}

/** Collects the entries of a list. The client splits a long list into batches. */
const entryParser =
  (name: string, schema: AnySchema, convert: (text: string) => unknown = (text) => text) =>
  (text: string, previous: unknown): unknown => {
    const { value, issues } = check(schema, [convert(text)]);
    if (!issues) return [previous ?? [], value].flat();
    // Names the entry by its text instead of its index.
    const explained = issues.map((issue) => explain({ ...issue, path: issue.path.slice(1) }));
    throw new InvalidArgumentError(`${name} ${text}: ${explained.join("; ")}`);
  };

/** Parses a library as `Name=0x…`, like solc's --libraries. */
function libraryOf(text: string): unknown {
  const [name, address] = text.split("=");
  return { name, address };
}

function readSource(path: string): string {
  try {
    return readFileSync(path).toString("base64");
  } catch (error) {
    throw new InvalidArgumentError(inWords(error, path));
  }
}

/** Parameters that have another form on the command line than in requests. */
const overrides: Readonly<Record<string, { placeholder: string; description: string }>> = {
  contract_source: {
    placeholder: "file",
    description: "File with the Solidity source.",
  },
  libraries: {
    placeholder: "name=address",
    description: "A library used by the contract; repeatable.",
  },
};

const withNote = (text: string, note: string): string =>
  `${text.replace(/(?<!\))\.$/, "")} (${note})`;

function option(name: string, schema: AnySchema): Option {
  const long = `--${name}`;
  const kebabLong = `--${kebab(name)}`;
  const flags = kebabLong === long ? long : `${kebabLong}, ${long}`;
  const { type, enum: words } = jsonSchemaOf(schema);
  const fallback = defaultOf(schema);
  const { placeholder = type === "integer" ? "n" : "value", description } = overrides[name] ?? {};
  const text = description ?? parameterDescriptions[name as ParameterName];
  if (type === "boolean") return new Option(flags, text);
  const notes = [words?.join(", "), fallback !== undefined && `default: ${fallback}`].filter(
    Boolean,
  );
  const option = new Option(
    `${flags} <${placeholder}>`,
    notes.length > 0 ? withNote(text, notes.join("; ")) : text,
  );
  if (!isOptional(schema)) option.makeOptionMandatory();
  if (name === "contract_source") return option.argParser(readSource);
  if (name === "libraries") return option.argParser(entryParser(name, schema, libraryOf));
  return option.argParser((value) =>
    name === "topic_0" && EVENT_NAME.test(value) && !EVENTS[value]
      ? value
      : parseText(schema, topicIn(name, value)),
  );
}

/** Matches the name of an event without its signature, which must then be looked up in an ABI. */
export const EVENT_NAME = /^[a-z_$][\w$]*$/i;

/** Token events that users may write without their signature, because it is standard. */
export const EVENTS: Readonly<Record<string, string>> = {
  Transfer: "Transfer(address,address,uint256)",
  Approval: "Approval(address,address,uint256)",
  ApprovalForAll: "ApprovalForAll(address,address,bool)",
  TransferSingle: "TransferSingle(address,address,address,uint256,uint256)",
  TransferBatch: "TransferBatch(address,address,address,uint256[],uint256[])",
  OwnershipTransferred: "OwnershipTransferred(address,address)",
};

/** Converts an event, an address or a number to a topic. Returns any other text unchanged. */
export function topicIn(name: string, text: string): string {
  if (!name.startsWith("topic_")) return text;
  if (name !== "topic_0") {
    const isNumber = /^\d{1,76}$/.test(text);
    if (!isNumber && !isAddress(text)) return text;
    return `0x${BigInt(text).toString(16).padStart(64, "0")}`;
  }
  const event = EVENTS[text] ?? text;
  if (!event.includes("(")) return text;
  try {
    return eventTopic(event);
  } catch (error) {
    throw new InvalidArgumentError(inWords(error));
  }
}

function argument(name: string, schema: AnySchema): Argument {
  const description = parameterDescriptions[name as ParameterName];
  // Has no parser, because addresses may also come from files: `collectAddresses` parses them all.
  if (jsonSchemaOf(schema).type === "array")
    return new Argument(`[${name}...]`, `${description} @file reads a file, - standard input.`);
  // Keeps only "0x and 40 hexadecimal digits" of "an address (0x and 40 hexadecimal digits)",
  // because the description already says "address".
  const form = expectedOf(schema).replace(/^.*\((.+)\)$/, "$1");
  const mayBeLatest = name === "block_number";
  const note = mayBeLatest ? `${form}, or ${LATEST}` : form;
  return new Argument(`<${name}>`, withNote(description, note)).argParser((text) =>
    mayBeLatest && text.toLowerCase() === LATEST ? LATEST : parseText(schema, text),
  );
}

/** Whether a command takes a parameter of its operation. */
type TakesParameter = (parameter: {
  readonly name: string;
  readonly isArgument: boolean;
}) => boolean;

/** Adds an operation's parameters to a command, by default all of them. */
export function addParameters(
  command: Command,
  operation: AnyOperation,
  takes: TakesParameter = () => true,
): void {
  const parameters = partition(operation);
  for (const [name, schema] of parameters.arguments)
    if (takes({ name, isArgument: true })) command.addArgument(argument(name, schema));
  for (const [name, schema] of parameters.options)
    if (takes({ name, isArgument: false })) command.addOption(option(name, schema));
}

/** Collects the input of an operation from the values that commander parsed. */
export function inputOf(
  operation: AnyOperation,
  values: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const parameters = partition(operation);
  const entries = [
    ...parameters.arguments.map(([name], index) => [name, values[index]] as const),
    ...parameters.options.map(([name]) => [name, options[name]] as const),
  ];
  const input = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const { startBlock, endBlock } = input;
  if (typeof startBlock === "bigint" && typeof endBlock === "bigint" && startBlock > endBlock)
    throw new InvalidArgumentError(
      `--start-block ${startBlock} is after --end-block ${endBlock}: no block is in this range`,
    );
  return input;
}
