// The command tree: one command per operation of the contract, `serve`, `compilers` and `verify`.
import { Command, Option } from "commander";
import { operationsInOrder, resourceDescriptions, summaryOf } from "../contract/descriptions.ts";
import type { AnyOperation } from "../contract/index.ts";
import { addCompilers } from "./compilers.ts";
import { exitCodes } from "./exit-codes.ts";
import { fetchResults, isList } from "./fetch-results.ts";
import { formatOption, stdoutWriter } from "./format.ts";
import type { Format } from "./output.ts";
import { addParameters, between, inputOf, kebab } from "./parameters.ts";
import type { ProcessIO } from "./process-io.ts";
import { addServe } from "./serve.ts";
import { addVerify } from "./verify.ts";

/** The options every operation has. */
interface QueryOptions {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly format?: Format;
  readonly all?: true;
  readonly raw?: true;
  readonly prefetch?: number;
}

function addOperation(parent: Command, operation: AnyOperation, io: ProcessIO): void {
  const { id, action } = operation;
  const summary = summaryOf(operation);
  const command = parent
    .command(action)
    .summary(summary)
    .description(`${summary} (${id} in the specification).`);
  if (kebab(action) !== action) command.alias(kebab(action));
  addParameters(command, operation);
  if (isList(operation)) {
    const prefetch = new Option("--prefetch <n>", "with --all: pages to fetch ahead (default: 0)");
    command
      .option("--all", "fetch every record, exactly once, instead of one page")
      .addOption(prefetch.argParser(between(0, 100)));
  }
  command
    .addOption(formatOption())
    .option("--raw", "csv: leave cells as they are that a spreadsheet runs as a formula")
    .option("--base-url <url>", "URL of the service (default: EXPLORER_BASE_URL)")
    .option("--api-key <key>", "your API key (default: EXPLORER_API_KEY)")
    .action(async (...given: unknown[]) => {
      const options = command.opts<QueryOptions & Record<string, unknown>>();
      const { all = false, raw = false, format } = options;
      const input = inputOf(operation, given, options);
      const out = stdoutWriter(format, io, { all, raw });
      for await (const results of fetchResults(operation, input, { ...options, all }, io))
        await out.page(results);
      await out.end();
    });
}

/** The program; it writes to `io`. */
export function createProgram(io: ProcessIO): Command {
  const program = new Command("mrc-explorer")
    .description("Query MRC block explorers, or run a mock explorer.")
    .version(io.version)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // A mistyped `--api-kye=SECRET` must not reach a log.
      outputError: (text, write) => write(text.replace(/(unknown option '--?[\w-]+)=[^']*/, "$1")),
    })
    .exitOverride()
    .showHelpAfterError("(add --help for usage)");
  program.addHelpText(
    "after",
    `
Examples:
  $ mrc-explorer serve --port 1717
  $ export EXPLORER_BASE_URL=http://127.0.0.1:1717 EXPLORER_API_KEY=any
  $ mrc-explorer accounts transactions 0x… --limit 5
  $ mrc-explorer accounts transactions 0x… --all --format ndjson | jq -r .value

Exit codes:
${Object.values(exitCodes)
  .map(({ code, meaning }) => `${String(code).padStart(5)}  ${meaning}`)
  .join("\n")}
`,
  );
  addServe(program, io);
  addCompilers(program, io);
  addVerify(program, io);
  for (const [resource, description] of Object.entries(resourceDescriptions)) {
    const group = program.command(resource).description(description);
    if (kebab(resource) !== resource) group.alias(kebab(resource));
    for (const operation of operationsInOrder)
      if (operation.resource === resource) addOperation(group, operation, io);
  }
  return program;
}
