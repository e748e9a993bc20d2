// Verifies the deployed contracts of a project with an explorer: identifies each contract by its
// creation code, and submits its source.
import { type ExplorerClient, NotFoundError, VerificationError } from "../../src/index.ts";
import type { Address, Hex } from "../../src/models/primitives.ts";
import { type Identified, identify } from "./project/identify.ts";
import type { Deployment, Project } from "./project/projects.ts";
import { singleFile } from "./project/single-file.ts";

export interface ProjectVerdict {
  readonly address: Address;
  /** "contracts/Market.sol:Market"; null if the contract is none of the project's. */
  readonly contract: string | null;
  /** `left out`: not submitted. `absent`: not on this explorer's chain, but maybe on another. */
  readonly result: "verified" | "refused" | "left out" | "absent";
  /** How much is proven, or why not. */
  readonly reason: string;
}

/** The input that created a contract, as the explorer has it: by a transaction, or by another contract. */
async function creationOf(explorer: ExplorerClient, address: Address): Promise<Hex | undefined> {
  const { accounts } = explorer;
  for await (const { receiver, tx_status, input } of accounts.transactions(address, {
    input: true,
  }))
    if (receiver === null && tx_status !== "0" && input) return input;
  for await (const frame of accounts.internalTransactions(address, { input: true }))
    if (frame.contract_address?.toLowerCase() === address && frame.status !== "0" && frame.input)
      return frame.input;
  return undefined;
}

/** The contract by the name that its deployment was recorded with, where its creation is not known. */
function byName({ name }: Deployment, { contracts }: Project): Identified | undefined {
  const [contract, ...others] = contracts.filter((one) => one.name === name);
  if (contract === undefined || others.length > 0) return undefined;
  return { contract, constructorArguments: "", libraries: [] };
}

async function verifyDeployment(
  explorer: ExplorerClient,
  project: Project,
  deployment: Deployment,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ProjectVerdict> {
  const { address } = deployment;
  const leftOut = (contract: string | null, reason: string): ProjectVerdict => ({
    address,
    contract,
    result: "left out",
    reason,
  });
  const creation = await creationOf(explorer, address);
  const identified =
    creation === undefined
      ? byName(deployment, project)
      : // `forge create --libraries` compiles all once more, with other metadata; the explorer judges.
        (identify(creation, project.contracts) ?? identify(creation, project.contracts, "any"));
  if (identified === undefined) {
    const recorded = deployment.name === undefined ? "" : `, though recorded as ${deployment.name}`;
    return leftOut(
      null,
      creation === undefined
        ? `the explorer has no creation of it, and the project no single contract of its name${recorded}`
        : `no contract of the project was created with this code${recorded}: compile it as it was when deployed`,
    );
  }
  const { contract, constructorArguments, libraries } = identified;
  const name = `${contract.file}:${contract.name}`;
  const form = await singleFile(contract, project, env);
  if ("reason" in form) return leftOut(name, form.reason);
  try {
    const { verify_level: level } = await explorer.contracts.verify(address, {
      contract_name: form.contractName,
      compiler: contract.compiler,
      runs_optimizer: contract.runs,
      optimization_enabled: contract.optimizer,
      constructor_arguments: constructorArguments,
      evm_version: contract.evmVersion,
      libraries,
      source: form.source,
    });
    return { address, contract: name, result: "verified", reason: level ?? "" };
  } catch (error) {
    if (error instanceof NotFoundError)
      return { address, contract: name, result: "absent", reason: "no contract on this chain" };
    if (!(error instanceof VerificationError)) throw error;
    return { address, contract: name, result: "refused", reason: error.reason ?? "" };
  }
}

/** Yields a verdict for each deployment in turn. Any failure other than a refusal ends it. */
export async function* verifyProject(
  explorer: ExplorerClient,
  project: Project,
  deployments: readonly Deployment[],
  env: Readonly<Record<string, string | undefined>>,
): AsyncGenerator<ProjectVerdict> {
  for (const deployment of deployments)
    yield await verifyDeployment(explorer, project, deployment, env);
}
