// The command line as a tree of commands: one per operation of the contract, and `serve`.
import { Command, Option } from "commander";
import { operationsInOrder, resourceDescriptions, summaryOf } from "../contract/descriptions.ts";
import type { AnyOperation } from "../contract/index.ts";
import { fetchResults, isList } from "./fetch-results.ts";
import { type Format, formats, writer } from "./output.ts";
import { addParameters, between, inputOf, kebab } from "./parameters.ts";
import { type ProcessIO, screenOf } from "./process-io.ts";
import { addServe } from "./serve.ts";

/** What every question takes beside the operation's own parameters. */
interface QueryOptions {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly format?: Format;
  readonly all?: true;
  readonly prefetch?: number;
}

function addOperation(parent: Command, operation: AnyOperation, around: ProcessIO): void {
  const { id, action } = operation;
  const summary = summaryOf(operation);
  const command = parent
    .command(action)
    .summary(summary)
    .description(`${summary} (${id} of the specification).`);
  if (kebab(action) !== action) command.alias(kebab(action));
  addParameters(command, operation);
  if (isList(operation)) {
    const prefetch = new Option(
      "--prefetch <n>",
      "with --all: pages to ask for ahead (default: 0)",
    );
    command
      .option("--all", "every record, exactly once, instead of one page")
      .addOption(prefetch.argParser(between(0, 100)));
  }
  command
    .addOption(
      new Option(
        "--format <format>",
        "form of the output (default: table on a terminal, json otherwise)",
      ).choices(formats),
    )
    .option("--base-url <url>", "address of the service (default: EXPLORER_BASE_URL)")
    .option("--api-key <key>", "your key (default: EXPLORER_API_KEY)")
    .action(async (...given: unknown[]) => {
      const options = command.opts<QueryOptions & Record<string, unknown>>();
      const { all = false, format = around.stdout.isTTY ? "table" : "json" } = options;
      const input = inputOf(operation, given, options);
      const out = writer(format, screenOf(around), all);
      for await (const results of fetchResults(operation, input, { ...options, all }, around))
        await out.page(results);
      await out.end();
    });
}

/** The program; what it prints goes to the given surroundings. */
export function createProgram(around: ProcessIO): Command {
  const program = new Command("mrc-explorer")
    .description("Questions to MRC block explorers, and an explorer of your own.")
    .version(around.version)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => around.stdout.write(text),
      writeErr: (text) => around.stderr.write(text),
      // A mistyped `--api-kye=SECRET` must not end up in a log.
      outputError: (text, write) => write(text.replace(/(unknown option '--?[\w-]+)=[^']*/, "$1")),
    })
    .exitOverride()
    .showHelpAfterError("(add --help for the parameters)");
  program.addHelpText(
    "after",
    `
Examples:
  $ mrc-explorer serve --port 1717
  $ export EXPLORER_BASE_URL=http://127.0.0.1:1717 EXPLORER_API_KEY=any
  $ mrc-explorer accounts transactions 0x… --limit 5
  $ mrc-explorer accounts transactions 0x… --all --format ndjson | jq -r .value
`,
  );
  addServe(program, around);
  for (const [resource, description] of Object.entries(resourceDescriptions)) {
    const group = program.command(resource).description(description);
    if (kebab(resource) !== resource) group.alias(kebab(resource));
    for (const operation of operationsInOrder)
      if (operation.resource === resource) addOperation(group, operation, around);
  }
  return program;
}
