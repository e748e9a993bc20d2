// The parameters of an operation on the command line: arguments, options, and parsing.
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

/** The word for the newest block. */
export const LATEST = "latest";

/** The kebab-case form of a name: startBlock becomes start-block. */
export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");

export const integerOption = (min: number, max: number) => (text: string) => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new InvalidArgumentError(`expected an integer from ${min} to ${max}, received "${text}"`);
};

/** A repeatable option. */
export const append = (text: string, previous: readonly string[] = []) => [...previous, text];

/** The JSON of a file that an option names. `advice` says what belongs there. */
export function readJson(path: string, advice = ""): unknown {
  try {
    // Editors on Windows begin a file with a byte order mark.
    return JSON.parse(readFileSync(path, "utf8").replace(/^\u{feff}/u, ""));
  } catch (error) {
    const reason = error instanceof SyntaxError ? `${path} is not JSON` : inWords(error, path);
    throw new InvalidArgumentError(`${reason}${advice}`);
  }
}

const DAY_MS = 86_400_000;
const PERIODS: Readonly<Record<string, number>> = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS };

/** A point of the chain: a block, a time, or how long ago: "812", "2026-10-01", "30d". */
export function momentOption(text: string): Date | number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const [, count, unit = ""] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const ago =
    count === undefined ? undefined : new Date(Date.now() - Number(count) * Number(PERIODS[unit]));
  const time = ago ?? toTime(text);
  if (time) return time;
  throw new InvalidArgumentError(
    `expected a block, a time in UTC or a period (812, 2026-10-01, 2026-10-01T12:00:00+02:00, 30d), received "${text}"`,
  );
}

/** The URL of a JSON-RPC node, over HTTP. */
export function nodeUrl(text: string): string {
  if (/^https?:/i.test(text) && URL.canParse(text)) return text;
  const advice = /^wss?:/i.test(text)
    ? `a websocket's; use ${text.replace(/^ws/i, "http")}, which development nodes and providers serve, too`
    : `"${text}"`;
  throw new InvalidArgumentError(
    `expected the URL of a JSON-RPC node, such as http://127.0.0.1:8545, received ${advice}`,
  );
}

const jsonSchemaOf = (schema: AnySchema) => z.toJSONSchema(schema, { io: "input" });

/** Required parameters outside of a body are arguments, and so are lists. */
function isArgument({ places }: AnyOperation, name: string, schema: AnySchema): boolean {
  if (isOptional(schema)) return false;
  return !places.body.includes(name) || jsonSchemaOf(schema).type === "array";
}

function partition(operation: AnyOperation) {
  const fields = Object.entries(operation.input.shape);
  return {
    arguments: fields.filter(([name, schema]) => isArgument(operation, name, schema)),
    options: fields.filter(([name, schema]) => !isArgument(operation, name, schema)),
  };
}

export function parseText(schema: AnySchema, text: unknown): unknown {
  const { value, issues } = check(schema, text);
  if (issues) throw new InvalidArgumentError(issues.map(explain).join("; "));
  return value;
}

/** Parses the entries of a list, given one by one: the client splits a list of any length into batches. */
const entryParser =
  (name: string, schema: AnySchema, convert: (text: string) => unknown = (text) => text) =>
  (text: string, previous: unknown): unknown => {
    const { value, issues } = check(schema, [convert(text)]);
    if (!issues) return [previous ?? [], value].flat();
    // The entry is named by its text, not by its index.
    const explained = issues.map((issue) => explain({ ...issue, path: issue.path.slice(1) }));
    throw new InvalidArgumentError(`${name} ${text}: ${explained.join("; ")}`);
  };

/** A library as `Name=0x…`, like solc's --libraries. */
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

/** Parameters whose form on the command line differs from the wire. */
const overrides: Readonly<Record<string, { placeholder: string; description: string }>> = {
  contract_source: {
    placeholder: "file",
    description: "File with the Solidity source; it is sent base64 encoded.",
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
  return option.argParser((value) => parseText(schema, topicIn(name, value)));
}

/** The events of tokens by their names alone. */
const EVENTS: Readonly<Record<string, string>> = {
  Transfer: "Transfer(address,address,uint256)",
  Approval: "Approval(address,address,uint256)",
  ApprovalForAll: "ApprovalForAll(address,address,bool)",
  TransferSingle: "TransferSingle(address,address,address,uint256,uint256)",
  TransferBatch: "TransferBatch(address,address,address,uint256[],uint256[])",
  OwnershipTransferred: "OwnershipTransferred(address,address)",
};

/** The topic for an event's name or signature, or for an address; any other text as it is. */
export function topicIn(name: string, text: string): string {
  if (!name.startsWith("topic_")) return text;
  if (name !== "topic_0") return isAddress(text) ? `0x${text.slice(2).padStart(64, "0")}` : text;
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
  // Read by `collectAddresses`: they may come from files, too.
  if (jsonSchemaOf(schema).type === "array")
    return new Argument(`[${name}...]`, `${description} @file reads a file, - standard input.`);
  // "an address (0x and 40 hexadecimal digits)": the description says that it is an address.
  const form = expectedOf(schema).replace(/^.*\((.+)\)$/, "$1");
  // The one argument that has a name, too.
  if (name === "block_number")
    return new Argument(`<${name}>`, withNote(description, `${form}, or ${LATEST}`)).argParser(
      (text) => (text.toLowerCase() === LATEST ? LATEST : parseText(schema, text)),
    );
  return new Argument(`<${name}>`, withNote(description, form)).argParser((text) =>
    parseText(schema, text),
  );
}

/** Whether a command has a parameter of an operation. */
type Has = (parameter: { readonly name: string; readonly isArgument: boolean }) => boolean;

/** Adds the arguments and options of the operation to the command; all of them by default. */
export function addParameters(
  command: Command,
  operation: AnyOperation,
  has: Has = () => true,
): void {
  const parameters = partition(operation);
  for (const [name, schema] of parameters.arguments)
    if (has({ name, isArgument: true })) command.addArgument(argument(name, schema));
  for (const [name, schema] of parameters.options)
    if (has({ name, isArgument: false })) command.addOption(option(name, schema));
}

/** The input of the operation from the values commander parsed. */
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
