// Verifies the deployed contracts of a project with an explorer: identifies each contract by its
// creation code, and submits its source.
import { type ExplorerClient, NotFoundError, VerificationError } from "../../src/index.ts";
import type { Address, Hex } from "../../src/models/primitives.ts";
import { type Identified, identify } from "./project/identify.ts";
import type { Deployment, Project } from "./project/projects.ts";
import { singleFile } from "./project/single-file.ts";

export interface ProjectVerdict {
  readonly address: Address;
  /** Full name, such as "contracts/Market.sol:Market"; null if the project lacks the contract. */
  readonly contract: string | null;
  /** `left out`: not submitted. `absent`: not on this explorer's chain, but maybe on another. */
  readonly result: "verified" | "refused" | "left out" | "absent";
  /** Level of the verification, or the reason against it. */
  readonly reason: string;
}

/** Finds the input by which a transaction or another contract created a contract. */
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

/** Finds the contract by the recorded name of its deployment, if only one has this name. */
function byName({ name }: Deployment, { contracts }: Project): Identified | undefined {
  const [contract, ...others] = contracts.filter((candidate) => candidate.name === name);
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
  const verdict = (
    contract: string | null,
    result: ProjectVerdict["result"],
    reason: string,
  ): ProjectVerdict => ({ address, contract, result, reason });
  const creation = await creationOf(explorer, address);
  const identified =
    creation === undefined
      ? byName(deployment, project)
      : // `forge create --libraries` compiles again with other metadata, so the hash may differ.
        (identify(creation, project.contracts) ?? identify(creation, project.contracts, "any"));
  if (identified === undefined) {
    const recorded = deployment.name === undefined ? "" : `, though recorded as ${deployment.name}`;
    return verdict(
      null,
      "left out",
      creation === undefined
        ? `the explorer does not have its creation, and the project has no contract, or several, with its name${recorded}`
        : `no contract of the project was created with this code${recorded}: compile it as it was when deployed`,
    );
  }
  const { contract, constructorArguments, libraries } = identified;
  const name = `${contract.file}:${contract.name}`;
  const form = await singleFile(contract, project, env);
  if ("reason" in form) return verdict(name, "left out", form.reason);
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
    return verdict(name, "verified", level ?? "");
  } catch (error) {
    if (error instanceof NotFoundError) return verdict(name, "absent", "no contract on this chain");
    if (!(error instanceof VerificationError)) throw error;
    return verdict(name, "refused", error.reason ?? "");
  }
}

/** Yields a verdict for each deployment in turn. Ends at any failure other than a refusal. */
export async function* verifyProject(
  explorer: ExplorerClient,
  project: Project,
  deployments: readonly Deployment[],
  env: Readonly<Record<string, string | undefined>>,
): AsyncGenerator<ProjectVerdict> {
  for (const deployment of deployments)
    yield await verifyDeployment(explorer, project, deployment, env);
}
