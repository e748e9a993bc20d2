// `mrc-explorer serve`: the reference service on a port, until it is told to stop.
import { type Command, InvalidArgumentError, Option } from "commander";
import { between } from "./parameters.ts";
import type { ProcessIO } from "./process-io.ts";

interface ServeOptions {
  readonly chain?: string;
  readonly rpc?: string;
  readonly generate?: number;
  readonly verified?: true;
  readonly solc?: readonly string[];
  readonly port: number;
  readonly host: string;
  readonly admin?: true;
  readonly tenants?: true;
  readonly apiKey?: readonly string[];
}

/** What a generated block holds, unless the chain is shorter than that. */
const TRANSACTIONS_A_BLOCK = 20;

const httpUrl = (text: string): string => {
  if (/^https?:/i.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError(
    "expected the address of a JSON-RPC node, such as http://127.0.0.1:8545",
  );
};

const also = (text: string, previous: readonly string[] = []) => [...previous, text];

/** The chain that is asked for; the demo unless told otherwise. */
async function chainOf({ chain, rpc, generate, verified }: ServeOptions, signal: AbortSignal) {
  // Only here, so that asking a service does not load one.
  const mocks = await import("../../mocks/node.ts");
  if (generate !== undefined) {
    const blocks = Math.max(1, Math.ceil(generate / TRANSACTIONS_A_BLOCK));
    return mocks.generateChain({ transactions: generate, blocks });
  }
  if (rpc !== undefined) return (await mocks.followNode(rpc, { signal })).chain;
  const options = { verified: verified === true };
  return chain === undefined ? mocks.loadDemo(options) : mocks.loadChain(chain, options);
}

/** Resolves when the process is asked to stop. */
const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

export function addServe(program: Command, around: ProcessIO): void {
  program
    .command("serve")
    .summary("The reference service on a port")
    .description(
      "Serves the reference service and prints one line with its address when it is ready. SIGTERM and SIGINT end it.",
    )
    .addOption(
      new Option("--chain <dir>", "folder with a node's raw answers (default: the demo chain)"),
    )
    .addOption(
      new Option("--rpc <url>", "follow a live node instead, block by block")
        .argParser(httpUrl)
        .conflicts(["chain", "generate", "verified"]),
    )
    .addOption(
      new Option("--generate <n>", "a generated chain of so many transactions")
        .argParser(between(0, 10_000_000))
        .conflicts("chain"),
    )
    .option("--verified", "load the chain's sources as verified contracts")
    .option("--solc <dir>", "folder with further compilers; may be given several times", also)
    .addOption(
      new Option("--port <n>", "port; 0 picks a free one")
        .argParser(between(0, 65_535))
        .default(1717),
    )
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option("--api-key <key>", "a key that is known; any is, unless given (may be repeated)", also)
    .option(
      "--tenants",
      "a chain, faults and journal for each api-key, so that tests share the port",
    )
    .option("--admin", "let others reset, mine and arrange faults under /admin/")
    .action(async (options: ServeOptions) => {
      const mocks = await import("../../mocks/node.ts");
      const chain = await chainOf(options, around.signal);
      const verifier = mocks.createVerifier({ solc: options.solc ?? [] });
      const { port, host, apiKey: apiKeys, admin, tenants } = options;
      const tenant = tenants && ("api-key" as const);
      const explorer = mocks.createExplorer({ chain, apiKeys, verifier, tenant });
      const served = await mocks.serveExplorer(explorer, { port, host, admin });
      around.stdout.write(`mrc-explorer is ready at ${served.url}\n`);
      await stopped(around.signal);
      await Promise.all([served.close(), verifier.close()]);
    });
}
