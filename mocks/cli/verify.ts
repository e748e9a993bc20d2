// `mrc-explorer verify`: verifies each deployed contract of a Hardhat or Foundry project.
import { delimiter, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { addConnection, type ConnectionOptions, clientOptions } from "../../src/cli/connection.ts";
import { formatOption, stdoutWriter } from "../../src/cli/format.ts";
import type { Format } from "../../src/cli/output.ts";
import { append, nodeUrl } from "../../src/cli/parameters.ts";
import type { ProcessIO } from "../../src/cli/process-io.ts";
import { ExplorerClient } from "../../src/index.ts";
import { isAddress } from "../../src/models/hex.ts";
import type { ChainWriter } from "../node.ts";
import {
  type Deployment,
  foundryProject,
  hardhatProject,
  type Project,
} from "./project/projects.ts";
import { verifyProject } from "./verify-project.ts";

interface VerifyOptions extends ConnectionOptions {
  readonly hardhat?: string;
  readonly foundry?: string;
  readonly rpc?: string;
  /** Alias of `baseUrl`. */
  readonly url?: string;
  readonly address?: readonly string[];
  readonly solc?: readonly string[];
  readonly format?: Format;
}

function projectOf({ hardhat, foundry }: VerifyOptions, { env }: ProcessIO): Project {
  if (hardhat !== undefined) return hardhatProject(resolve(hardhat));
  if (foundry !== undefined)
    return foundryProject(resolve(foundry), (env.PATH ?? "").split(delimiter));
  throw new InvalidArgumentError("Missing --hardhat or --foundry: the folder of the project");
}

/** The explorer to submit to, and the contracts to verify if the project recorded none. */
interface Target {
  readonly explorer: ExplorerClient;
  readonly deployed: readonly Deployment[];
  close(): Promise<void>;
}

/** Lists the contracts created on a chain, oldest first, each address once. */
function createdOn(chain: ChainWriter): Deployment[] {
  const first = chain.head.number - chain.length + 1;
  const executions = Array.from(
    { length: chain.length },
    (_, index) => chain.blockInput(first + index)?.executions ?? [],
  ).flat();
  const created = executions.flatMap(({ transaction, frames }) => [
    transaction.created,
    ...frames.map((frame) => frame.created),
  ]);
  return [...new Set(created)].flatMap((address) =>
    address !== null && chain.code(address) !== "0x" ? [{ address }] : [],
  );
}

/** Opens a mock explorer that follows the node while the command runs. */
async function nodeTarget(
  rpc: string,
  { solc = [] }: VerifyOptions,
  io: ProcessIO,
): Promise<Target> {
  // Loaded here, so that other commands do not load the mock explorer.
  const mocks = await import("../node.ts");
  const follower = await mocks.followNode(rpc, { signal: io.signal });
  const verifier = mocks.createVerifier({ solc });
  const mock = mocks.createExplorer({ chain: follower, verifier });
  const { baseUrl, fetch } = mock;
  return {
    explorer: new ExplorerClient({ baseUrl, apiKey: "local", fetch }),
    deployed: createdOn(follower.chain),
    close: async () => {
      await Promise.all([follower.close(), verifier.close()]);
    },
  };
}

function serviceTarget({ url, ...options }: VerifyOptions, io: ProcessIO): Target {
  const explorer = new ExplorerClient(
    clientOptions({ ...(url && { baseUrl: url }), ...options }, io),
  );
  return { explorer, deployed: [], close: async () => {} };
}

const deploymentsAt = (addresses: readonly string[]): Deployment[] =>
  addresses.map((text) => {
    const address = text.toLowerCase();
    if (isAddress(address)) return { address };
    throw new InvalidArgumentError(`--address "${text}": expected 0x and 40 hexadecimal digits`);
  });

async function verify(options: VerifyOptions, io: ProcessIO): Promise<void> {
  const project = projectOf(options, io);
  const chosen = deploymentsAt(options.address ?? []);
  const { rpc, format } = options;
  const target =
    rpc === undefined ? serviceTarget(options, io) : await nodeTarget(rpc, options, io);
  try {
    const recorded = project.deployments.length > 0 ? project.deployments : target.deployed;
    const deployments = chosen.length > 0 ? chosen : recorded;
    if (deployments.length === 0)
      throw new Error(
        `${project.folder} recorded no deployments: name the contracts with --address, or the node with --rpc`,
      );
    const out = stdoutWriter(format, io, { all: true, raw: false });
    let failed = 0;
    for await (const verdict of verifyProject(target.explorer, project, deployments, io.env)) {
      if (verdict.result === "refused" || verdict.result === "left out") failed++;
      await out.page({ data: [verdict] });
    }
    await out.end();
    if (failed > 0)
      throw new Error(`${failed} of ${deployments.length} contracts are not verified`);
  } finally {
    await target.close();
  }
}

export function addVerify(program: Command, io: ProcessIO): void {
  const command = program
    .command("verify")
    .summary("Verify the deployed contracts of a Hardhat or Foundry project")
    .description(
      "Submits the source of each deployed contract of a project. These are the contracts that the project recorded (Ignition, hardhat-deploy, Foundry's broadcasts), or, with --rpc and no record, all contracts on the node. A source in several files is joined by the project's own flattener.",
    )
    .addOption(new Option("--hardhat <dir>", "folder of a Hardhat project").conflicts("foundry"))
    .option("--foundry <dir>", "folder of a Foundry project")
    .addOption(new Option("--url <url>", "the same as --base-url").conflicts(["rpc", "baseUrl"]))
    .option(
      "--rpc <url>",
      "a JSON-RPC node: verify its contracts in this process, and record nothing",
      nodeUrl,
    )
    .option("--address <address>", "only this contract (repeatable)", append)
    .option("--solc <dir>", "with --rpc: folder with more Solidity compilers (repeatable)", append)
    .addOption(formatOption());
  addConnection(command);
  command.action((options: VerifyOptions) => verify(options, io));
}
