// `mrc-explorer login` and `whoami`: save explorers by name, and show which one commands use.
import { type Command, InvalidArgumentError, Option } from "commander";
import { dialectNames } from "../contract/dialects.ts";
import { operations } from "../contract/index.ts";
import { isExplorerError } from "../errors/index.ts";
import { type ConnectionOptions, serviceKey, serviceUrl } from "./connection.ts";
import {
  changeStored,
  chosenExplorer,
  DEFAULT,
  type ExplorerChoice,
  publicExplorers,
  type StoredExplorer,
  stored,
} from "./explorers.ts";
import { clientCall } from "./fetch-results.ts";
import { formatOption, stdoutWriter } from "./format.ts";
import type { Format } from "./output.ts";
import type { ProcessIO } from "./process-io.ts";

/** Reads a line without showing it on the terminal. */
async function readSecret({ stdin, stderr }: ProcessIO, question: string): Promise<string> {
  const terminal = stdin as Partial<Pick<NodeJS.ReadStream, "setRawMode">>;
  stderr.write(question);
  terminal.setRawMode?.(true);
  try {
    let line = "";
    for await (const chunk of stdin)
      for (const letter of String(chunk)) {
        if (letter === "\n" || letter === "\r") return line.trim();
        if (letter === "\u0003") throw new InvalidArgumentError("interrupted");
        line = letter === "\u007f" || letter === "\b" ? line.slice(0, -1) : line + letter;
      }
    return line.trim();
  } finally {
    terminal.setRawMode?.(false);
    stderr.write("\n");
  }
}

interface LoginOptions {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly dialect?: StoredExplorer["dialect"];
  readonly check: boolean;
  readonly remove?: true;
  readonly list?: true;
  readonly format?: Format;
}

/** Matches a name without characters that are special in a shell. */
const NAME = /^[a-z0-9][\w.-]*$/i;

async function logout(name: string, { env, stdout }: ProcessIO): Promise<void> {
  const file = await changeStored(env, (explorers) => {
    if (!Object.hasOwn(explorers, name))
      throw new InvalidArgumentError(
        `no explorer "${name}" to remove; the known names are ${Object.keys(explorers).join(", ") || "none"}`,
      );
    const { [name]: _, ...others } = explorers;
    return others;
  });
  stdout.write(`removed ${name} from ${file}\n`);
}

/** Lists the saved explorers and the other public explorers. Prints no key. */
async function list(format: Format | undefined, io: ProcessIO): Promise<void> {
  const saved = stored(io.env);
  const data = Object.entries({ ...publicExplorers, ...saved }).map(
    ([name, { baseUrl, apiKey, dialect = "metadium" }]) => ({
      ...{ name, address: baseUrl, dialect },
      api_key: apiKey ? "set" : "none",
      state: Object.hasOwn(saved, name) ? "saved" : "known",
    }),
  );
  const out = stdoutWriter(format, io, { all: false, many: true, raw: false });
  await out.page({ data });
  await out.end();
}

/** Sends one request with the address and the key, and throws if the explorer refuses them. */
async function checkExplorer(explorer: ConnectionOptions, io: ProcessIO): Promise<void> {
  // Ignores the environment, because it may name another explorer.
  const call = clientCall(explorer, Object.create(io, { env: { value: {} } }));
  try {
    await call(operations.B1, { block_number: 1n }, { signal: io.signal });
  } catch (error) {
    // An empty chain has no block 1.
    if (isExplorerError(error, "NOT_FOUND")) return;
    io.stderr.write("nothing was saved; --no-check saves without a request\n");
    throw error;
  }
}

async function login(name: string, options: LoginOptions, io: ProcessIO): Promise<void> {
  const { env } = io;
  if (options.remove) return logout(name, io);
  if (options.list) return list(options.format, io);
  if (!NAME.test(name))
    throw new InvalidArgumentError(
      `expected a name of letters, digits, dots and dashes, received ${JSON.stringify(name)}`,
    );
  const publicExplorer = Object.hasOwn(publicExplorers, name) ? publicExplorers[name] : undefined;
  const baseUrl = serviceUrl(options.baseUrl ?? publicExplorer?.baseUrl, "--base-url", env);
  const dialect = options.dialect ?? publicExplorer?.dialect;
  const hint = dialect === "wemix" ? " (may be empty)" : "";
  const typed = options.apiKey ?? (await readSecret(io, `API key for ${baseUrl}${hint}: `));
  const apiKey = typed === "" && dialect === "wemix" ? undefined : serviceKey(typed, {});
  const explorer = { baseUrl, ...(apiKey && { apiKey }), ...(dialect && { dialect }) };
  if (options.check) await checkExplorer(explorer, io);
  const file = await changeStored(env, (explorers) => ({ ...explorers, [name]: explorer }));
  const use = name === DEFAULT ? "is used by default" : `--explorer ${name} uses it`;
  io.stdout.write(`saved ${baseUrl} as ${name} in ${file}; ${use}\n`);
}

async function whoami(
  { format, explorer }: { readonly format?: Format; readonly explorer?: string },
  io: ProcessIO,
): Promise<void> {
  const { options, env, name, from } = chosenExplorer<ExplorerChoice>(
    explorer ? { explorer } : {},
    io.env,
  );
  const address = options.baseUrl ?? env.EXPLORER_BASE_URL;
  const key = options.apiKey ?? env.EXPLORER_API_KEY;
  const shown = (value: string | undefined, source: string) =>
    value ? `${value} (${source})` : "none";
  const out = stdoutWriter(format, io, { all: false, many: false, raw: false });
  await out.page({
    data: {
      explorer: shown(name, from.explorer),
      address: shown(address, from.baseUrl),
      api_key: shown(key && "set", from.apiKey),
      dialect: shown(options.dialect ?? "metadium", from.dialect),
      others:
        Object.keys(stored(io.env))
          .filter((other) => other !== name)
          .join(", ") || "none",
    },
  });
  await out.end();
}

export function addLogin(program: Command, io: ProcessIO): void {
  program
    .command("login")
    .summary("Save an explorer's address and API key under a name")
    .description(
      `Saves the address, the API key and the dialect of an explorer in your configuration folder, readable by you alone, after one request that checks them. Without --api-key, reads the key from the terminal, or from standard input. Known by name: ${Object.keys(publicExplorers).join(", ")}.`,
    )
    .argument("[name]", "the name for --explorer and EXPLORER", DEFAULT)
    .option(
      "--base-url <url>",
      "URL of the service (default: the URL of a known explorer, or EXPLORER_BASE_URL)",
    )
    .option(
      "--api-key <key>",
      "your API key; other users of the machine may see it in the list of processes",
    )
    .addOption(
      new Option(
        "--dialect <name>",
        "names of paths and parameters that the explorer uses",
      ).choices(dialectNames),
    )
    .option("--no-check", "save without a request that checks address and key")
    .option("--list", "list the saved and the known explorers")
    .addOption(new Option("--remove", "the same as logout").hideHelp())
    .addOption(formatOption("output format of --list"))
    .action((name: string, options: LoginOptions) => login(name, options, io));
  program
    .command("logout")
    .summary("Remove a saved explorer and its API key")
    .description("Removes an explorer that login saved, with its API key.")
    .argument("[name]", "the name of the explorer", DEFAULT)
    .action((name: string) => logout(name, io));
  program
    .command("whoami")
    .summary("Show which explorer is used, and why")
    .description(
      "Shows the explorer, address and dialect that commands use, whether there is a key, and where each comes from. Never prints a key.",
    )
    .option("--explorer <name>", "a saved explorer")
    .addOption(formatOption())
    .action((options: { readonly format?: Format; readonly explorer?: string }) =>
      whoami(options, io),
    );
}
