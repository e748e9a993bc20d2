// `mrc-explorer serve`: the mock explorer on a port, until a signal stops it.
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Follower } from "../../mocks/follow/follow-node.ts";
import { isLoopback, onThisMachine } from "../../mocks/loopback.ts";
import type { Explorer, ExplorerOptions, ServedExplorer } from "../../mocks/node.ts";
import { blockedPort } from "../../mocks/server/blocked-ports.ts";
import { append, between, nodeUrl } from "./parameters.ts";
import type { ProcessIO } from "./process-io.ts";
import { logLine } from "./request-log.ts";
import { hintLines } from "./serve-hints.ts";
import {
  aborted,
  addNodeOptions,
  followOptions,
  type NodeOptions,
  showProgress,
} from "./serve-node.ts";

interface ServeOptions extends NodeOptions {
  readonly chain?: string;
  readonly rpc?: string;
  readonly generate?: number;
  readonly verified?: true;
  readonly solc?: readonly string[];
  readonly compileTimeout?: number;
  readonly compilersMemory?: number;
  readonly port: number;
  readonly host: string;
  readonly allowedHost?: readonly string[];
  readonly admin?: true;
  readonly adminToken?: string;
  readonly tenants?: true;
  readonly page: boolean;
  readonly log?: true;
  readonly apiKey?: readonly string[];
}

/** The environment variable of the admin token: unlike an option, other users of the machine do not see it. */
const tokenVariable = "EXPLORER_ADMIN_TOKEN";

const openWarning = (host: string): string =>
  `--host ${host} lets other machines call this explorer, over HTTP without encryption; --host 127.0.0.1 keeps it on this one`;

/** Transactions per generated block. */
const TRANSACTIONS_PER_BLOCK = 20;

/** A port that clients can reach. */
const reachablePort = (text: string): number => {
  const port = between(0, 65_535)(text);
  const reason = blockedPort(port);
  if (reason === undefined) return port;
  throw new InvalidArgumentError(reason);
};

const withoutToken = (pageUrl: string): string => pageUrl.replace(/#.*$/, "");

/** Loads, generates or follows the chain the options name; the demo chain by default. */
async function openChain(serveOptions: ServeOptions, io: ProcessIO) {
  const { chain, rpc, generate, verified } = serveOptions;
  // Loaded here, so that other commands do not load the mock explorer.
  const mocks = await import("../../mocks/node.ts");
  if (generate !== undefined) {
    const blocks = Math.max(1, Math.ceil(generate / TRANSACTIONS_PER_BLOCK));
    return mocks.generateChain({ transactions: generate, blocks });
  }
  if (rpc !== undefined) return mocks.startFollowing(rpc, followOptions(serveOptions, io));
  const options = { verified };
  return chain === undefined ? mocks.loadDemo(options) : mocks.loadChain(chain, options);
}

/** Waits until a follower has caught up with its node; the port is open meanwhile, and says how far it is. */
async function becomeReady(follower: Follower, url: string, io: ProcessIO): Promise<void> {
  io.stderr.write(`Following the node; ${url}/health says how far\n`);
  showProgress(follower, io);
  await Promise.race([follower.ready, aborted(io.signal)]);
}

/** Says what to ask for. Not where programs read the address of the service. */
function printHints(
  { chain }: Explorer,
  { url }: ServedExplorer,
  keysListed: boolean,
  { stderr, env }: ProcessIO,
): void {
  const program = env.npm_command === undefined ? "mrc-explorer" : "npx mrc-explorer";
  const reach = { url: onThisMachine(url), keysListed, program };
  for (const line of hintLines(chain, reach)) stderr.write(`${line}\n`);
}

export function addServe(program: Command, io: ProcessIO): void {
  const command = program
    .command("serve")
    .summary("Run the mock explorer on a port")
    .description(
      "Runs the mock explorer and prints one line with its URL when it is ready. SIGTERM and SIGINT stop it.",
    )
    .addOption(
      new Option(
        "--chain <dir>",
        "folder with the raw responses of a node (default: the demo chain)",
      ),
    )
    .addOption(
      new Option("--rpc <url>", "follow a live node, block by block")
        .argParser(nodeUrl)
        .conflicts(["chain", "generate", "verified"]),
    )
    .addOption(
      new Option("--generate <n>", "generate a chain with this many transactions")
        .argParser(between(0, 10_000_000))
        .conflicts("chain"),
    )
    .option("--verified", "verify the contracts whose sources the chain has")
    .option("--solc <dir>", "folder with more Solidity compilers (repeatable)", append)
    .addOption(
      new Option(
        "--compile-timeout <seconds>",
        "time limit of one verification (default: 20)",
      ).argParser(between(1, 3600)),
    )
    .addOption(
      new Option(
        "--compilers-memory <mib>",
        "memory for loaded compilers; the least recently used are dropped (default: an eighth of the machine's, 256 to 4096)",
      ).argParser(between(1, 1_048_576)),
    )
    .addOption(
      new Option("--port <n>", "port to listen on; 0 picks a free one")
        .argParser(reachablePort)
        .default(1717),
    )
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option(
      "--allowed-host <name>",
      "a name in Host headers to accept, beside localhost, --host and IP addresses (repeatable)",
      append,
    )
    .option("--api-key <key>", "an API key to accept (repeatable; default: any)", append)
    .option(
      "--tenants",
      "separate chain, faults and journal per API key, so that tests can share the port",
    )
    .option("--admin", "control chain and faults over HTTP, under /admin/, with a token")
    .option(
      "--admin-token <token>",
      `the token, instead of a random one that is printed; turns --admin on (with --admin: default ${tokenVariable})`,
    )
    .option("--no-page", "leave out the page for people at / and what it asks, below /inspect")
    .option("--log", "print a line for each request to standard error; never the API key")
    .action(async (options: ServeOptions) => {
      const mocks = await import("../../mocks/node.ts");
      const chain = await openChain(options, io);
      const {
        port,
        host,
        allowedHost: allowedHosts,
        apiKey: apiKeys,
        admin,
        tenants,
        page,
        compileTimeout,
        compilersMemory,
      } = options;
      const verifier = mocks.createVerifier({
        solc: options.solc ?? [],
        ...(compileTimeout === undefined ? {} : { timeout: 1000 * compileTimeout }),
        ...(compilersMemory === undefined ? {} : { compilersMemory }),
      });
      const adminToken = options.adminToken ?? ((admin && io.env[tokenVariable]) || undefined);
      const tenant = tenants && ("api-key" as const);
      const onRequest: ExplorerOptions["onRequest"] =
        options.log && ((...request) => io.stderr.write(`${logLine(...request)}\n`));
      const explorer = mocks.createExplorer({ chain, apiKeys, verifier, tenant, onRequest });
      const serveOptions = { port, host, allowedHosts, admin, adminToken, page };
      const served = await mocks.serveExplorer(explorer, serveOptions);
      if (!isLoopback(host)) io.stderr.write(`warning: ${openWarning(host)}\n`);
      if ("live" in chain) await becomeReady(chain, served.url, io);
      if (!io.signal.aborted) io.stdout.write(`mrc-explorer is ready at ${served.url}\n`);
      // One that was given is known, and logs are read by others.
      const isTokenNew = served.admin !== undefined && adminToken === undefined;
      if (isTokenNew) io.stdout.write(`The admin token is ${served.admin.token}\n`);
      // Not where programs read the address of the service.
      if (served.pageUrl !== undefined && !io.signal.aborted)
        io.stderr.write(
          `A page of the chain is at ${isTokenNew ? served.pageUrl : withoutToken(served.pageUrl)}\n`,
        );
      if (!io.signal.aborted) printHints(explorer, served, apiKeys !== undefined, io);
      await aborted(io.signal);
      await Promise.all([served.close(), verifier.close(), "live" in chain && chain.close()]);
    });
  addNodeOptions(command);
}
