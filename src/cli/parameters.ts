// How the parameters of an operation are given on a command line: which are arguments, which options, and how their text is read.
import { readFileSync } from "node:fs";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import * as z from "zod/mini";
import { type ParameterName, parameterDescriptions } from "../contract/descriptions.ts";
import { type AnyOperation, type AnySchema, isOptional } from "../contract/index.ts";
import { messageOf } from "../errors/error-message.ts";
import { check, expectedOf, explain } from "../models/issues.ts";
import { defaultOf } from "../models/schema.ts";

/** The name as the specification spells it, and as command lines are used to: startBlock, start-block. */
export const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");

/** An integer option within bounds. */
export const between = (least: number, most: number) => (text: string) => {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new InvalidArgumentError(
    `expected an integer from ${least} to ${most}, received "${text}"`,
  );
};

/** What a JSON Schema says of a parameter. */
const jsonOf = (schema: AnySchema) => z.toJSONSchema(schema, { io: "input" });

/** Required parameters outside of a body, and lists, are arguments: what the question is about. */
function isArgument({ places }: AnyOperation, name: string, schema: AnySchema): boolean {
  if (isOptional(schema)) return false;
  return !places.body.includes(name) || jsonOf(schema).type === "array";
}

function partition(operation: AnyOperation) {
  const all = Object.entries(operation.input.shape);
  return {
    arguments: all.filter(([name, schema]) => isArgument(operation, name, schema)),
    options: all.filter(([name, schema]) => !isArgument(operation, name, schema)),
  };
}

/** Reads a text by the schema; what is wrong with it is told in the words of the specification. */
function read(schema: AnySchema, text: unknown): unknown {
  const { value, issues } = check(schema, text);
  if (issues) throw new InvalidArgumentError(issues.map(explain).join("; "));
  return value;
}

/** Reads one more text into a list of any length: the client asks in batches. */
const readAlso = (schema: AnySchema, text: unknown, previous: unknown): unknown =>
  [previous ?? [], read(schema, [text])].flat();

/** `Name=0x…`, as linkers take libraries. */
function readLibrary(schema: AnySchema, text: string, previous: unknown): unknown {
  const [name, address] = text.split("=");
  return readAlso(schema, { name, address }, previous);
}

function readSource(path: string): string {
  try {
    return readFileSync(path).toString("base64");
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}

/** What is said differently on a command line than on the wire. */
const spoken: Readonly<Record<string, { placeholder: string; description: string }>> = {
  contract_source: {
    placeholder: "file",
    description: "File with the Solidity source; it is sent base64 encoded.",
  },
  libraries: {
    placeholder: "name=address",
    description: "A library used by the contract; may be given several times.",
  },
};

function option(name: string, schema: AnySchema): Option {
  const long = `--${name}`;
  const other = `--${kebab(name)}`;
  const flags = other === long ? long : `${other}, ${long}`;
  const { type, enum: words } = jsonOf(schema);
  const fallback = defaultOf(schema);
  const { placeholder = type === "integer" ? "n" : "value", description } = spoken[name] ?? {};
  const text = description ?? parameterDescriptions[name as ParameterName];
  if (type === "boolean") return new Option(flags, text);
  const notes = [words?.join(", "), fallback !== undefined && `default: ${fallback}`].filter(
    Boolean,
  );
  const option = new Option(
    `${flags} <${placeholder}>`,
    notes.length > 0 ? `${text} (${notes.join("; ")})` : text,
  );
  if (!isOptional(schema)) option.makeOptionMandatory();
  if (name === "contract_source") return option.argParser(readSource);
  if (name === "libraries")
    return option.argParser((value, previous) => readLibrary(schema, value, previous));
  return option.argParser((value) => read(schema, value));
}

function argument(name: string, schema: AnySchema): Argument {
  const description = `${parameterDescriptions[name as ParameterName]} (${expectedOf(schema)})`;
  return jsonOf(schema).type === "array"
    ? new Argument(`<${name}...>`, parameterDescriptions[name as ParameterName]).argParser(
        (text, previous) => readAlso(schema, text, previous),
      )
    : new Argument(`<${name}>`, description).argParser((text) => read(schema, text));
}

/** Gives the command the arguments and options of the operation. */
export function addParameters(command: Command, operation: AnyOperation): void {
  const given = partition(operation);
  for (const [name, schema] of given.arguments) command.addArgument(argument(name, schema));
  for (const [name, schema] of given.options) command.addOption(option(name, schema));
}

/** The input of the operation from what commander read. */
export function inputOf(
  operation: AnyOperation,
  values: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = partition(operation);
  const entries = [
    ...given.arguments.map(([name], index) => [name, values[index]] as const),
    ...given.options.map(([name]) => [name, options[name]] as const),
  ];
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
