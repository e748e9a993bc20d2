// The command tree: a command per operation of the contract, and tools such as `serve`.
import { type Argument, Command, Help } from "commander";
import { addCompare } from "../../src/cli/compare.ts";
import { addCompletion } from "../../src/cli/completion.ts";
import { addDoctor } from "../../src/cli/doctor.ts";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { addHelp } from "../../src/cli/help.ts";
import { addLogin } from "../../src/cli/login.ts";
import { addMcp } from "../../src/cli/mcp.ts";
import { addOpenapi } from "../../src/cli/openapi.ts";
import { kebab } from "../../src/cli/parameters.ts";
import { type ProcessIO, sayOn } from "../../src/cli/process-io.ts";
import { addBlockSearches, addQuery, addTokenTransfers } from "../../src/cli/query.ts";
import { addQuestions } from "../../src/cli/questions.ts";
import { addAccountWatch, addLogWatch } from "../../src/cli/watch.ts";
import { operationsInOrder, resourceDescriptions } from "../../src/contract/descriptions.ts";
import { addCompilers } from "./compilers.ts";
import { addDump } from "./dump.ts";
import { addServe } from "./serve.ts";
import { addVerify } from "./verify.ts";

/** Columns of the help text without a terminal. */
const HELP_WIDTH = 80;

const argumentTerm = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

/** Returns the full name of a command, such as "mrc-explorer accounts transactions". */
const pathOf = (command: Command): string =>
  `${command.parent ? `${pathOf(command.parent)} ` : ""}${command.name()}`;

/**
 * Opens the explorer of `mcp --demo`. Imports it on demand, so that other commands do not load it.
 */
async function openDemo() {
  const { createExplorer, loadDemo } = await import("../node.ts");
  const { baseUrl, fetch } = createExplorer({ chain: await loadDemo({ verified: true }) });
  return { baseUrl, fetch };
}

export function createProgram(io: ProcessIO): Command {
  const program = new Command("mrc-explorer")
    .description("Query MRC block explorers, or run a mock explorer.")
    .version(io.version)
    .configureHelp({
      // Omits aliases and "[options]", which would leave no room for the arguments.
      subcommandTerm: (command) =>
        [command.name(), ...command.registeredArguments.map(argumentTerm)].join(" "),
      optionTerm: ({ flags }) => flags.replace(/^(--[\w-]+), --\w+/, "$1"),
      minWidthToWrap: 15,
      // Omits the aliases of the command and its parents.
      commandUsage: (command) => `${pathOf(command)} ${command.usage()}`,
      optionDescription: (option) =>
        `${Help.prototype.optionDescription.call(new Help(), option)}${option.mandatory ? " (required)" : ""}`,
    })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => sayOn(io.stderr, text),
      getOutHelpWidth: () => (io.stdout.isTTY && io.stdout.columns) || HELP_WIDTH,
      outputError: (text, write) =>
        write(
          text
            // Removes the value, because a mistyped `--api-kye=SECRET` must not reach a log.
            .replace(/(unknown option '--?[\w-]+)=[^']*/, "$1")
            // Removes commander's description of the value, because the reason after it contains
            // the value.
            .replace(
              /(?:option '(?:-\w, )?(--[\w-]+).*?' argument '.*?' is invalid|command-argument value '.*?' is invalid for argument '(.*?)')[.:] (?=[a-z])/s,
              "$1$2: ",
            ),
        ),
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
  $ mrc-explorer accounts transactions 0x… --all --format ndjson | jq .value
  $ mrc-explorer accounts transactions 0x… --resume transactions.csv
  $ mrc-explorer accounts totals 0x… --since 2026-10-01 --until 2026-11-01
  $ mrc-explorer accounts balance @addresses.txt --units ether
  $ mrc-explorer accounts watch 0x…

Exit codes:
${Object.values(exitCodes)
  .map(({ code, meaning }) => `${String(code).padStart(5)}  ${meaning}`)
  .join("\n")}
`,
  );
  addServe(program, io);
  addDump(program, io);
  addCompilers(program, io);
  addVerify(program, io);
  addCompare(program, io);
  addLogin(program, io);
  addDoctor(program, io);
  addMcp(program, openDemo, io);
  for (const [resource, description] of Object.entries(resourceDescriptions)) {
    const group = program.command(resource).description(description);
    if (kebab(resource) !== resource) group.alias(kebab(resource));
    for (const operation of operationsInOrder)
      if (operation.resource === resource) addQuery(group, operation, io);
    addQuestions(group, resource, io);
    if (resource === "tokens") addTokenTransfers(group, io);
    if (resource === "blocks") addBlockSearches(group, io);
    if (resource === "accounts") addAccountWatch(group, io);
    if (resource === "eventLogs") addLogWatch(group, io);
  }
  addOpenapi(program, io);
  addCompletion(program, io);
  addHelp(program);
  return program;
}
