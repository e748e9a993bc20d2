// The options --format and --columns, and the writer that --format chooses.
import { InvalidArgumentError, Option } from "commander";
import {
  csv,
  type Format,
  formats,
  json,
  type Layout,
  ndjson,
  type Terminal,
  type Writer,
} from "./output.ts";
import { suggestedValues } from "./parameters.ts";
import { type ProcessIO, terminalOf } from "./process-io.ts";
import { table } from "./table.ts";

export const writer = (format: Format, screen: Terminal, layout: Layout): Writer =>
  ({ table, json, ndjson, csv })[format](screen, layout);

export const formatOption = (
  description = "output format (default: table on a terminal, json otherwise)",
  choices: readonly Format[] = formats,
): Option => new Option("-f, --format <format>", description).choices(choices);

/** Returns the format for standard output. */
export const formatOf = (format: Format | undefined, { stdout }: ProcessIO): Format =>
  format ?? (stdout.isTTY ? "table" : "json");

export const stdoutWriter = (format: Format | undefined, io: ProcessIO, layout: Layout): Writer =>
  writer(formatOf(format, io), terminalOf(io), layout);

/** Checks column names. @throws InvalidArgumentError if a field does not exist */
export function checkColumns(names: readonly string[], fields: readonly string[]): void {
  const unknown = names.find((name) => !fields.includes(name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`no column "${unknown}"; the columns are ${fields.join(", ")}`);
}

/** Returns the option --columns. If `fields` is incomplete, the caller must check the names. */
export function columnsOption(fields: readonly string[], isComplete = true): Option {
  const option = new Option(
    "--columns <names>",
    "only these fields, in this order, separated by commas (default: all)",
  ).argParser((text) => {
    const names = text.split(",").map((name) => name.trim());
    if (isComplete) checkColumns(names, fields);
    return [...new Set(names)];
  });
  suggestedValues.set(option, () => fields);
  return option;
}

/** The option --raw of commands that write CSV. */
export const rawOption = (): Option =>
  new Option("--raw", "csv: do not escape cells that a spreadsheet would run as formulas");
