// How the parameters of an operation are given on a command line: which are arguments, which options, and how their text is read.
import { readFileSync } from "node:fs";
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { type ParameterName, parameterDescriptions } from "../contract/descriptions.ts";
import type { AnyOperation } from "../contract/index.ts";
import { messageOf } from "../errors/said.ts";
import { explain } from "../models/compose.ts";
import type { AnyKind, Issue } from "../models/kind.ts";

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

/** Required parameters outside of a body, and lists, are arguments: what the question is about. */
function isArgument({ places }: AnyOperation, name: string, kind: AnyKind): boolean {
  if (kind.optional) return false;
  return !places.body.includes(name) || kind.json.type === "array";
}

function partition(operation: AnyOperation) {
  const all = Object.entries(operation.input.fields);
  return {
    arguments: all.filter(([name, kind]) => isArgument(operation, name, kind)),
    options: all.filter(([name, kind]) => !isArgument(operation, name, kind)),
  };
}

/** Reads a text as the kind; what is wrong with it is told in the words of the specification. */
function read(kind: AnyKind, text: unknown): unknown {
  const issues: Issue[] = [];
  const value: unknown = kind.decode(text, issues);
  if (issues.length > 0) throw new InvalidArgumentError(issues.map(explain).join("; "));
  return value;
}

/** Reads one more text into a list of any length: the client asks in batches. */
const readAlso = (kind: AnyKind, text: unknown, previous: unknown): unknown =>
  [previous ?? [], read(kind, [text])].flat();

/** `Name=0x…`, as linkers take libraries. */
function readLibrary(kind: AnyKind, text: string, previous: unknown): unknown {
  const [name, address] = text.split("=");
  return readAlso(kind, { name, address }, previous);
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

function option(name: string, kind: AnyKind): Option {
  const long = `--${name}`;
  const other = `--${kebab(name)}`;
  const flags = other === long ? long : `${other}, ${long}`;
  const { placeholder = kind.json.type === "integer" ? "n" : "value", description } =
    spoken[name] ?? {};
  const text = description ?? parameterDescriptions[name as ParameterName];
  if (kind.json.type === "boolean") return new Option(flags, text);
  const words = kind.json.enum?.join(", ");
  const notes = [words, kind.absent !== undefined && `default: ${kind.absent}`].filter(Boolean);
  const option = new Option(
    `${flags} <${placeholder}>`,
    notes.length > 0 ? `${text} (${notes.join("; ")})` : text,
  );
  if (!kind.optional) option.makeOptionMandatory();
  if (name === "contract_source") return option.argParser(readSource);
  if (name === "libraries")
    return option.argParser((value, previous) => readLibrary(kind, value, previous));
  return option.argParser((value) => read(kind, value));
}

function argument(name: string, kind: AnyKind): Argument {
  const description = `${parameterDescriptions[name as ParameterName]} (${kind.expected})`;
  return kind.json.type === "array"
    ? new Argument(`<${name}...>`, parameterDescriptions[name as ParameterName]).argParser(
        (text, previous) => readAlso(kind, text, previous),
      )
    : new Argument(`<${name}>`, description).argParser((text) => read(kind, text));
}

/** Gives the command the arguments and options of the operation. */
export function addParameters(command: Command, operation: AnyOperation): void {
  const given = partition(operation);
  for (const [name, kind] of given.arguments) command.addArgument(argument(name, kind));
  for (const [name, kind] of given.options) command.addOption(option(name, kind));
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
