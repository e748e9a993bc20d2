// The command `help`, and the help of queries with their order, columns and an example.
import { type Command, InvalidArgumentError } from "commander";
import type { AnyOperation } from "../contract/index.ts";
import { isObject } from "../models/issues.ts";
import { orderOf } from "./compare/list-findings.ts";
import { readPackageFile } from "./process-io.ts";
import { fieldsOf } from "./records.ts";

type Json = Readonly<Record<string, unknown>>;

/** Names of the schemas that a part of the OpenAPI document refers to. */
const schemasIn = (part: unknown): readonly string[] =>
  [...JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = ""]) => name);

/** Descriptions that the OpenAPI document lacks. */
const missingDescriptions: Readonly<Record<string, string>> = {
  block_number: "The number of the block.",
  standard: "mrc20 or mrc721.",
};

/** Finds the description of each field of an operation's records in the OpenAPI document. */
function* describedFields(operation: AnyOperation): Generator<readonly [string, string]> {
  const { paths, components } = Object(readPackageFile("openapi.json"));
  const described = Object.values<Json>(paths)
    .flatMap((methods) => Object.values(methods).map((method): Json => Object(method)))
    .find((method) => method["x-specification-id"] === operation.id);
  const names = new Set(schemasIn(Object(described?.responses)["200"]));
  // A schema of two lists refers to the schemas of their records.
  for (const name of names)
    for (const inner of schemasIn(components.schemas[name])) names.add(inner);
  const schemas = [...names].map((name) => Object(components.schemas[name].properties));
  for (const field of fieldsOf(operation)) {
    const property = schemas.map((properties) => properties[field]).find(isObject);
    yield [field, `${property?.description ?? missingDescriptions[field] ?? ""}`];
  }
}

/** Adds the order, the columns and an example to the help of a query. */
export function addQueryHelp(command: Command, operation: AnyOperation, path: string): void {
  command.addHelpText("after", () => {
    const help = command.createHelp();
    help.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() ?? 80 });
    const rows = [...describedFields(operation)];
    const width = Math.max(...rows.map(([field]) => field.length));
    const words = command.registeredArguments.map((argument) =>
      argument.name() === "block_number" ? "latest" : "0x…",
    );
    const options = operation.list ? " --all -f csv" : " -f json";
    return [
      ...(operation.list ? [`\nRecords are sorted ${orderOf(operation)[0]}.`] : []),
      ...(rows.length > 0 ? ["\nColumns:"] : []),
      ...rows.map(([field, text]) => help.formatItem(field, width, text, help)),
      `\nExample:\n  $ ${[path, ...words].join(" ")}${options}`,
    ].join("\n");
  });
}

/** Adds `help`, which takes the words of any command. */
export function addHelp(program: Command): void {
  program.helpCommand(false);
  program
    .command("help")
    .summary("Print the help of a command")
    .description("Prints the help of a command, such as `help accounts transactions`.")
    .argument("[command...]", "the words of the command")
    .action((words: readonly string[]) => {
      let command = program;
      for (const word of words) {
        const child = command.commands.find((candidate) =>
          [candidate.name(), ...candidate.aliases()].includes(word),
        );
        if (child === undefined)
          throw new InvalidArgumentError(
            `no command "${word}"; ${command.name()} has ${command.commands.map((candidate) => candidate.name()).join(", ")}`,
          );
        command = child;
      }
      command.outputHelp();
    });
}
