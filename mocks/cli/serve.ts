// `mrc-explorer serve`: the mock explorer on a port, until a signal stops it.
import { getHeapStatistics } from "node:v8";
import { type Command, InvalidArgumentError, Option } from "commander";
import { append, integerOption, kebab, nodeUrl, readJson } from "../../src/cli/parameters.ts";
import { type ProcessIO, waitForAbort } from "../../src/cli/process-io.ts";
import { createProgress } from "../../src/cli/progress.ts";
import { type DialectName, dialectNames } from "../../src/contract/dialects.ts";
import type { Recipe } from "../builder/index.ts";
import type { Follower } from "../follow/follow-node.ts";
import { pauseIfBusy } from "../message/event-loop.ts";
import type { Explorer, ExplorerOptions, ServedExplorer } from "../node.ts";
import { blockedPort } from "../port/blocked-ports.ts";
import { isLoopback } from "../service/loopback.ts";
import {
  followOptions,
  type NodeOptions,
  nodeOptions,
  refuseWithoutNode,
  showProgress,
} from "./serve-node.ts";
import { hintLines, logLine } from "./serve-output.ts";

interface ServeOptions extends NodeOptions {
  readonly chain?: string;
  readonly rpc?: string;
  readonly generate?: number;
  readonly recipe?: unknown;
  readonly mine?: number;
  readonly upstream?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly recordMissing?: true;
  readonly verified?: boolean;
  readonly solc?: readonly string[];
  readonly compileTimeout?: number;
  readonly maxConnections?: number;
  readonly port: number;
  readonly host: string;
  readonly allowedHost?: readonly string[];
  readonly admin?: boolean;
  readonly adminToken?: string;
  readonly dialect?: DialectName;
  readonly tenants?: true;
  readonly coin?: string;
  readonly page: boolean;
  readonly log?: true;
  readonly quiet?: true;
  readonly apiKey?: readonly string[];
}

/** The admin token's environment variable, which other users of the machine cannot see. */
const TOKEN_VARIABLE = "EXPLORER_ADMIN_TOKEN";

const openWarning = (host: string): string =>
  `--host ${host} lets other machines call this explorer, over HTTP without encryption; --host 127.0.0.1 keeps it on this one`;

/**
 * Milliseconds that a response may take after a signal, because people and CI wait about a second
 * until the process has ended.
 */
const GRACE = 250;

const TRANSACTIONS_PER_BLOCK = 20;

/** The memory of a generated chain in bytes per transaction (see docs/performance.md). */
const TRANSACTION_BYTES = 1_500;
const PROGRAM_BYTES = 100e6;

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

/** Parses a number of transactions, and refuses more than fit into Node's memory. */
function generatedCount(text: string): number {
  const count = integerOption(0, Number.MAX_SAFE_INTEGER)(text);
  const needed = count * TRANSACTION_BYTES + PROGRAM_BYTES;
  const { heap_size_limit: limit } = getHeapStatistics();
  if (needed <= limit) return count;
  throw new InvalidArgumentError(
    `${count} transactions need about ${gigabytes(needed)} of memory, and Node may use ${gigabytes(limit)}: ` +
      `generate fewer, or set NODE_OPTIONS=--max-old-space-size=${Math.ceil(needed / 2 ** 20)}`,
  );
}

/** Parses a port that fetch and browsers can reach. */
const reachablePort = (text: string): number => {
  const port = integerOption(0, 65_535)(text);
  const reason = blockedPort(port);
  if (reason === undefined) return port;
  throw new InvalidArgumentError(reason);
};

const withoutToken = (pageUrl: string): string => pageUrl.replace(/#.*$/, "");

/**
 * Loads, generates or follows the chain that the options name. The default is the demo chain, whose
 * sources are then verified.
 */
async function openChain(serveOptions: ServeOptions, io: ProcessIO) {
  const { chain, rpc, generate, recipe, verified } = serveOptions;
  // Loaded here, so that other commands do not load the mock explorer.
  const mocks = await import("../node.ts");
  if (generate !== undefined) {
    const blocks = Math.max(1, Math.ceil(generate / TRANSACTIONS_PER_BLOCK));
    const progress = createProgress(io, true);
    const { generateInSteps } = await import("../builder/generator.ts");
    const steps = generateInSteps({ transactions: generate, blocks });
    for (let step = steps.next(); !io.signal.aborted; step = steps.next()) {
      if (step.done) {
        progress.clear();
        return step.value;
      }
      progress.show({ records: step.value, total: generate, before: 0 });
      // Signals arrive only while the event loop runs.
      await pauseIfBusy();
    }
    progress.clear();
    io.signal.throwIfAborted();
  }
  if (recipe !== undefined) return mocks.buildRecipe(recipe as Recipe);
  if (rpc !== undefined) return mocks.startFollowing(rpc, followOptions(serveOptions, io));
  return chain === undefined
    ? mocks.loadDemo({ verified: verified ?? true })
    : mocks.loadChain(chain, { verified });
}

/** Waits until a follower has reached the node's head. The port is already open. */
async function becomeReady(
  follower: Follower,
  url: string,
  isQuiet: boolean | undefined,
  io: ProcessIO,
): Promise<void> {
  if (isQuiet) return void (await Promise.race([follower.ready, waitForAbort(io.signal)]));
  io.stderr.write(`Following the node; ${url}/health reports the progress\n`);
  await showProgress(follower, Promise.race([follower.ready, waitForAbort(io.signal)]), io);
}

/**
 * Prints the address of the page. Includes a token only if it is random, because others may read
 * the log, and the user knows a token that they set.
 */
function printPage({ pageUrl, admin }: ServedExplorer, isTokenNew: boolean, io: ProcessIO): void {
  if (pageUrl === undefined) return;
  const address = isTokenNew ? pageUrl : withoutToken(pageUrl);
  const missing = admin ? "" : "; add --admin for its Requests and Faults";
  io.stderr.write(`The page of the chain is at ${address}${missing}\n`);
}

/** Coin transfers in each block of `--mine`. */
const MINED = 3;

/** Mines blocks in which a new account pays some of the busiest accounts. */
async function mineBlocks({ chain }: Explorer, seconds: number): Promise<NodeJS.Timeout> {
  const { coins, continueChain } = await import("../node.ts");
  const builder = continueChain(chain);
  const payer = builder.account({ name: "serve --mine", balance: coins(1_000_000) });
  const busy = chain.busiestAccounts(10 * MINED).map(({ address }) => address);
  const payees = [...busy, payer].filter((account) => chain.code(account) === "0x");
  let sent = 0;
  return setInterval(() => {
    for (let end = sent + MINED; sent < end; sent += 1)
      builder.transfer(payer, payees[sent % payees.length] ?? payer, coins("0.001"));
    const now = Math.floor(Date.now() / 1000);
    builder.mine(now > chain.head.timestamp ? { timestamp: now } : {});
  }, 1000 * seconds);
}

/** Suggests commands on standard error, because programs read the address from standard output. */
function printHints(
  { chain }: Explorer,
  { url }: ServedExplorer,
  keysListed: boolean,
  { stderr, env }: ProcessIO,
): void {
  const program = env.npm_command === undefined ? "mrc-explorer" : "npx mrc-explorer";
  const lines = hintLines(chain, { url, keysListed, program });
  for (const line of lines) stderr.write(`${line}\n`);
}

/** Sources of a chain other than the demo. Only one may be given. */
const sourceOptions: readonly Option[] = [
  new Option(
    "--chain <dir>",
    "serve a folder with a node's raw responses (default: the demo chain)",
  ),
  new Option("--rpc <url>", "follow a live node, block by block").argParser(nodeUrl),
  new Option("--generate <n>", "generate a chain with this many transactions").argParser(
    generatedCount,
  ),
  new Option("--recipe <file>", "build the chain that a JSON file describes").argParser((path) =>
    readJson(path),
  ),
];
for (const option of sourceOptions) {
  const conflicting = sourceOptions.filter((other) => other !== option);
  option.conflicts(conflicting.map((other) => other.attributeName()));
}

const chainOptions: readonly Option[] = [
  ...sourceOptions,
  new Option(
    "--mine <seconds>",
    "add a block with transactions to the chain each time these seconds have passed",
  )
    .argParser(integerOption(1, 86_400))
    .conflicts("rpc"),
  new Option(
    "--verified",
    "with --chain: treat the folder's sources as verified (default for the demo chain)",
  ).conflicts("rpc"),
  new Option("--no-verified", "leave the demo chain's contracts unverified"),
];

/** Options of a chain, which conflict with those of a real explorer. */
const CHAINS = chainOptions.map((option) => option.attributeName());

const explorerUrl = (text: string): string => {
  if (/^https?:/i.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError(
    "expected the URL of an explorer, such as https://explorer.example",
  );
};

const recordingOptions: readonly Option[] = [
  new Option(
    "--upstream <url>",
    "forward requests to this real explorer instead of serving a chain",
  )
    .argParser(explorerUrl)
    .conflicts(CHAINS),
  new Option("--record <dir>", "with --upstream: record its responses in this folder"),
  new Option(
    "--replay <dir>",
    "answer from the recording in this folder, without a network",
  ).conflicts([...CHAINS, "record"]),
  new Option(
    "--record-missing",
    "with --replay and --upstream: forward requests that are not recorded, and record them",
  ),
];

const compilerOptions: readonly Option[] = [
  new Option("--solc <dir>", "folder with more Solidity compilers (repeatable)").argParser(append),
  new Option(
    "--compile-timeout <seconds>",
    "CPU time limit of one verification (default: 20)",
  ).argParser(integerOption(1, 3600)),
];

const portOptions: readonly Option[] = [
  new Option("--port <n>", "port to listen on; 0 picks a free one")
    .argParser(reachablePort)
    .default(1717),
  new Option("--host <host>", "address to listen on").default("127.0.0.1"),
  new Option(
    "--allowed-host <name>",
    "another name to accept in Host headers; localhost, --host and IP addresses always are (repeatable)",
  ).argParser(append),
  new Option(
    "--max-connections <n>",
    "maximum concurrent connections; further ones are closed (default: 4096)",
  ).argParser(integerOption(1, 1_000_000)),
  new Option("--api-key <key>", "an API key to accept (repeatable; default: any)").argParser(
    append,
  ),
  new Option(
    "--dialect <name>",
    "answer like another explorer of this family; with --upstream, the dialect of that explorer (default: metadium)",
  ).choices(dialectNames),
  new Option(
    "--tenants",
    "separate chain, faults and journal per API key, so that tests can share the port",
  ),
  new Option(
    "--admin",
    "control chain and faults over HTTP, under /admin/, with a token (default: on a terminal, for the page)",
  ),
  new Option("--no-admin", "disable /admin/ even on a terminal"),
  new Option(
    "--admin-token <token>",
    `the admin token; turns --admin on (default: ${TOKEN_VARIABLE} if --admin is set, else a random token, which is printed)`,
  ),
  new Option("--coin <symbol>", "symbol or name of the coin, shown on the page"),
  new Option("--no-page", "disable the page at / and its data under /inspect"),
  new Option("--log", "print a line for each request to standard error, without the API key"),
  new Option("--quiet", "print only the URL and warnings: no page, no commands to try"),
];

/** Options by their headings in the help. */
const optionGroups: Readonly<Record<string, readonly Option[]>> = {
  "Chain:": chainOptions,
  "Node:": nodeOptions,
  "Recordings:": recordingOptions,
  "Compilers:": compilerOptions,
  "Server:": portOptions,
};

export function addServe(program: Command, io: ProcessIO): void {
  const command = program
    .command("serve")
    .summary("Run the mock explorer on a port")
    .description(
      "Runs the mock explorer and prints one line with its URL when it is ready. SIGTERM and SIGINT stop it.",
    )
    .action((options: ServeOptions) => serve(options, io));
  for (const [heading, options] of Object.entries(optionGroups)) {
    command.optionsGroup(heading);
    for (const option of options) command.addOption(option);
  }
}

/** Opens the port, prints its address, and serves until the signal. */
async function serve(options: ServeOptions, io: ProcessIO): Promise<void> {
  checkRecording(options);
  refuseWithoutNode(options);
  const isReal = options.upstream !== undefined || options.replay !== undefined;
  const chain = isReal ? undefined : await openChain(options, io);
  const live = chain && "live" in chain ? chain : undefined;
  const { explorer, served, verifier, token } = await openPort(chain, options, io);
  let mining: NodeJS.Timeout | undefined;
  if (!isLoopback(options.host)) io.stderr.write(`warning: ${openWarning(options.host)}\n`);
  try {
    const isTokenNew = served.admin !== undefined && token === undefined;
    // Prints the page first, because it also shows the progress of following, or why following
    // failed.
    if (!options.quiet) printPage(served, isTokenNew, io);
    if (live) await becomeReady(live, served.url, options.quiet, io);
    if (!io.signal.aborted) io.stdout.write(`mrc-explorer is ready at ${served.url}\n`);
    if (isTokenNew && options.admin) io.stdout.write(`The admin token is ${served.admin.token}\n`);
    if (!io.signal.aborted) {
      if (chain && !options.quiet) printHints(explorer, served, options.apiKey !== undefined, io);
      if (options.mine !== undefined) mining = await mineBlocks(explorer, options.mine);
    }
    await waitForAbort(io.signal);
  } finally {
    clearInterval(mining);
    await Promise.all([served.close({ graceMs: GRACE }), verifier.close()]);
    if (live) await showProgress(live, live.close(), io);
  }
}

/** Throws if an option of recordings lacks another option that it needs. */
function checkRecording({ upstream, record, replay, recordMissing }: ServeOptions): void {
  const refuse = (message: string): never => {
    throw new InvalidArgumentError(message);
  };
  if (record !== undefined && upstream === undefined)
    refuse("--record needs --upstream: the explorer to record");
  if (recordMissing && (replay === undefined || upstream === undefined))
    refuse("--record-missing needs --replay and --upstream");
  if (replay !== undefined && upstream !== undefined && !recordMissing)
    refuse("--replay sends no requests: add --record-missing, or leave out --upstream");
}

/** Creates an explorer that answers from a chain, a recording or another explorer. */
async function createServed(
  { upstream, record, replay, recordMissing }: ServeOptions,
  options: ExplorerOptions,
  io: ProcessIO,
): Promise<Explorer> {
  const mocks = await import("../node.ts");
  const { chain: _, ...others } = options;
  const onWarning = (message: string) => void io.stderr.write(`warning: ${message}\n`);
  if (replay !== undefined)
    return mocks.createReplay(replay, { ...others, onWarning, upstream, recordMissing });
  if (upstream !== undefined) return mocks.createProxy(upstream, { ...others, onWarning, record });
  return mocks.createExplorer(options);
}

/** Serves an explorer on its port. `token` is the user's admin token, if there is one. */
async function openPort(
  chain: Awaited<ReturnType<typeof openChain>> | undefined,
  options: ServeOptions,
  io: ProcessIO,
) {
  const mocks = await import("../node.ts");
  const { port, host, allowedHost: allowedHosts, apiKey: apiKeys, page, maxConnections } = options;
  const { compileTimeout } = options;
  const verifier = mocks.createVerifier({
    solc: options.solc ?? [],
    ...(compileTimeout === undefined ? {} : { timeout: 1000 * compileTimeout }),
  });
  const tenant = options.tenants && ("api-key" as const);
  const onRequest: ExplorerOptions["onRequest"] =
    options.log && ((...request) => io.stderr.write(`${logLine(...request)}\n`));
  const explorer = await createServed(
    options,
    { chain, apiKeys, verifier, tenant, onRequest, coin: options.coin, dialect: options.dialect },
    io,
  );
  const variable = (options.admin && io.env[TOKEN_VARIABLE]?.trim()) || undefined;
  const token = options.adminToken ?? variable;
  // The page's Requests and Faults need the admin API.
  const forThePage = page && io.stdout.isTTY === true && isLoopback(host);
  const admin = options.admin ?? (token !== undefined || forThePage);
  const served = await mocks
    .serveExplorer(explorer, {
      ...{ port, host, allowedHosts, maxConnections },
      ...{ admin, adminToken: token, page },
    })
    .catch((error: unknown) => {
      if (!(error instanceof TypeError)) throw error;
      const message = asOptions(error.message);
      throw new InvalidArgumentError(
        token === variable
          ? message.replace("--admin-token:", () => `${TOKEN_VARIABLE}:`)
          : message,
      );
    });
  return { explorer, served, verifier, token };
}

/**
 * Renames options in a message from code to the command line: "serveExplorer: allowedHosts.0: …"
 * becomes "--allowed-host: …".
 */
const asOptions = (message: string): string =>
  message
    .replace("serveExplorer: ", "")
    .replaceAll(/(?<=^|; )(\w+?)(?:s\.\d+)?(?=: )/g, (_, name: string) => `--${kebab(name)}`);
