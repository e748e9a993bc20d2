// Commands that answer questions, such as `accounts totals` and `tokens info`. Agents have the same
// questions as MCP tools.
import { type Command, Option } from "commander";
import { addConnection, type ConnectionOptions } from "./connection.ts";
import { clientCall } from "./fetch-results.ts";
import { columnsOption, formatOf, formatOption, rawOption, stdoutWriter } from "./format.ts";
import { parseArguments, type ToolArgument } from "./mcp-arguments.ts";
import { Cursors, type ToolContext } from "./mcp-context.ts";
import { questionTools } from "./mcp-questions.ts";
import type { Tool } from "./mcp-tools.ts";
import type { Format } from "./output.ts";
import {
  kebab,
  momentOption,
  type PeriodOptions,
  parseText,
  periodOf,
  timeZoneOption,
} from "./parameters.ts";
import type { ProcessIO } from "./process-io.ts";
import { createProgress } from "./progress.ts";
import { mapRows, type Row } from "./records.ts";
import { RAW_MARK } from "./units.ts";

interface QuestionOptions extends ConnectionOptions, PeriodOptions {
  readonly format?: Format;
  readonly columns?: readonly string[];
  readonly raw?: boolean;
}

/** Returns the option for an argument of a tool. */
function optionFor(name: string, { description, schema }: ToolArgument): Option {
  const { type } = schema._zod.def;
  if (type === "boolean") return new Option(`--${kebab(name)}`, description);
  const flags = name === "max" ? "-n, --max <n>" : `--${kebab(name)} <value>`;
  const parse =
    name === "since" || name === "until"
      ? momentOption
      : (text: string) => parseText(schema, type === "number" ? Number(text) : text);
  return new Option(flags, description).argParser(parse);
}

/** Shortens a row for people: amounts only in whole coins or tokens, records as time and hash. */
function readableRow(row: Row): Row {
  const cells = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (`${name}_formatted` in row || name === "token_decimals") return [];
    const raw = row[name.replace(/_formatted$/, "")];
    if (name.endsWith("_formatted")) return [[name, value ?? `${raw} ${RAW_MARK}`]];
    const { timestamp, transaction_hash } = Object(value);
    return [[name, timestamp === undefined ? value : `${timestamp} ${transaction_hash}`]];
  });
  return Object.fromEntries(cells);
}

/** Answers a question, and prints the records of the answer. Notes go to standard error. */
async function answerQuestion(
  tool: Tool,
  words: readonly string[],
  { columns, format, raw = false, ...options }: QuestionOptions & Row,
  io: ProcessIO,
): Promise<void> {
  const names = Object.keys(tool.arguments);
  const required = names.filter((name) => tool.arguments[name]?.isRequired);
  const optionValues = names.flatMap((name) => {
    const option = new Option(`--${kebab(name)}`).attributeName();
    return /^(since|until)$/.test(name) || options[option] === undefined
      ? []
      : [[name, options[option]]];
  });
  const values = { ...Object.fromEntries(optionValues) };
  for (const [index, name] of required.entries()) values[name] = words[index];
  const progress = createProgress(io, true);
  const context: ToolContext = {
    options: { ...options, all: false, call: clientCall(options, io) },
    io,
    cursors: new Cursors(false),
    maxRead: Number.POSITIVE_INFINITY,
    maxRows: Number.POSITIVE_INFINITY,
    progress: async (records, total = 0) => progress.show({ records, total, before: 0 }),
    pageOf: async () => undefined,
  };
  const { tz } = options;
  const input = { ...parseArguments(tool.name, tool.arguments, values), ...periodOf(options), tz };
  try {
    const { note, records, ...others } = await tool.run(input, context);
    progress.clear();
    const isList = tool.answer.records !== undefined;
    const layout = { all: false, many: isList, raw, columns, fields: tool.answer.records ?? [] };
    const out = stdoutWriter(format, io, layout);
    const isForPeople = formatOf(format, io) === "table" && columns === undefined;
    const data = { data: isList ? records : others };
    await out.page(isForPeople ? await mapRows(data, readableRow) : data);
    await out.end();
    if (note) io.stderr.write(`${note}\n`);
  } finally {
    progress.clear();
  }
}

/** Adds the commands that answer questions about a resource. */
export function addQuestions(parent: Command, resource: string, io: ProcessIO): void {
  for (const tool of questionTools) {
    const [group, name = ""] = tool.name.split("_");
    // `addBlockSearches` adds `blocks latest` and `blocks at`, because they search with B1.
    if (group !== resource || group === "blocks") continue;
    const command = parent.command(name).summary(tool.title).description(tool.description);
    if (kebab(name) !== name) command.alias(kebab(name));
    for (const [argument, terms] of Object.entries(tool.arguments))
      if (terms.isRequired)
        command.argument(`<${kebab(argument)}>`, terms.description, (text) => {
          parseText(terms.schema, text);
          return text;
        });
      else command.addOption(optionFor(argument, terms));
    if ("since" in tool.arguments) command.addOption(timeZoneOption());
    const { fields, records = fields } = tool.answer;
    command.addOption(formatOption()).addOption(columnsOption(records)).addOption(rawOption());
    addConnection(command);
    command.action((...words: unknown[]) =>
      answerQuestion(
        tool,
        words.filter((word) => typeof word === "string"),
        command.opts(),
        io,
      ),
    );
  }
}
