// Reads a Hardhat or Foundry project: its compiled contracts, and the deployments it recorded.
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import * as z from "zod/mini";
import { isAddress } from "../../../src/models/hex.ts";
import type { Address } from "../../../src/models/primitives.ts";
import { foundryContracts, hardhatContracts, type ProjectContract } from "./build-info.ts";
import { ProjectFiles } from "./files.ts";

/** A contract on a chain, as the project recorded it. */
export interface Deployment {
  readonly address: Address;
  /** Name of the contract, if the record has it. */
  readonly name?: string | undefined;
}

export interface Project {
  readonly folder: string;
  readonly contracts: readonly ProjectContract[];
  /** Deployments on all networks. */
  readonly deployments: readonly Deployment[];
  /** Command that joins a file and its imports into one file; undefined if none is installed. */
  readonly flattener: readonly [command: string, ...commandArguments: string[]] | undefined;
}

const address = z.pipe(
  z.string().check(z.toLowerCase(), z.refine(isAddress, "Expected an address")),
  z.custom<Address>(),
);

/** Keeps the last record of each address. */
const distinct = (deployments: readonly Deployment[]): Deployment[] => [
  ...new Map(deployments.map((deployment) => [deployment.address, deployment])).values(),
];

const ignitionSchema = z.record(z.string(), address);
const ignitionArtifactSchema = z.object({ contractName: z.string() });

/** Reads Hardhat Ignition's deployments and their artefacts. */
function ignition(project: ProjectFiles): Deployment[] {
  const records = project.below("ignition/deployments", /^[^/]+\/deployed_addresses\.json$/);
  return records.flatMap((path) =>
    Object.entries(project.read(path, ignitionSchema)).map(([id, at]) => {
      const artifact = join(path, "..", "artifacts", `${id}.json`);
      const name = project.has(artifact)
        ? project.read(artifact, ignitionArtifactSchema).contractName
        : undefined;
      return { address: at, name };
    }),
  );
}

const hardhatDeploySchema = z.object({ address });

/** Reads hardhat-deploy's deployments. */
const hardhatDeploy = (project: ProjectFiles): Deployment[] =>
  project.below("deployments", /^[^/]+\/[^/]+\.json$/).map((file) => ({
    address: project.read(file, hardhatDeploySchema).address,
    name: basename(file, ".json"),
  }));

const broadcastSchema = z.object({
  transactions: z.array(
    z.object({
      transactionType: z.string(),
      contractName: z.nullish(z.string()),
      contractAddress: z.nullish(address),
      additionalContracts: z.nullish(z.array(z.object({ address }))),
    }),
  ),
});

/** Reads the last broadcast of each of Foundry's scripts. */
function broadcasts(project: ProjectFiles): Deployment[] {
  return project.below("broadcast", /(^|\/)run-latest\.json$/).flatMap((file) =>
    project.read(file, broadcastSchema).transactions.flatMap((transaction) => {
      const { transactionType, contractAddress, contractName } = transaction;
      const created =
        contractAddress && transactionType.startsWith("CREATE")
          ? [{ address: contractAddress, name: contractName ?? undefined }]
          : [];
      return [...created, ...(transaction.additionalContracts ?? [])];
    }),
  );
}

/** Finds a program in the first folder that has it. */
const programIn = (folders: readonly string[], name: string): string | undefined =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path));

/** @throws Error if there is no such folder */
function filesOf(folder: string): ProjectFiles {
  if (!existsSync(folder)) throw new Error(`${folder} does not exist`);
  return new ProjectFiles(folder);
}

export function hardhatProject(folder: string): Project {
  const files = filesOf(folder);
  const hardhat = programIn([join(folder, "node_modules/.bin")], "hardhat");
  return {
    folder,
    contracts: hardhatContracts(files, "artifacts/build-info"),
    deployments: distinct([...ignition(files), ...hardhatDeploy(files)]),
    flattener: hardhat === undefined ? undefined : [hardhat, "flatten"],
  };
}

/**
 * Reads the build output of a folder: a Hardhat project or its `artifacts`, or a Foundry project or
 * its `out`.
 * @throws Error if there is no build output
 */
export function buildOutput(folder: string): Pick<Project, "contracts" | "deployments"> {
  if (existsSync(join(folder, "artifacts"))) return hardhatProject(folder);
  if (existsSync(join(folder, "out"))) return foundryProject(folder, []);
  if (!existsSync(folder)) throw new Error(`${folder} does not exist`);
  const parent = filesOf(join(resolve(folder), ".."));
  const command = "npx hardhat compile or forge build --build-info";
  return {
    contracts: foundryContracts(parent, basename(resolve(folder)), command),
    deployments: distinct([...ignition(parent), ...hardhatDeploy(parent), ...broadcasts(parent)]),
  };
}

/** `path` lists the folders of the environment variable PATH, in which `forge` is searched. */
export function foundryProject(folder: string, path: readonly string[]): Project {
  const files = filesOf(folder);
  const forge = programIn(path, "forge");
  return {
    folder,
    contracts: foundryContracts(files, "out"),
    deployments: distinct(broadcasts(files)),
    flattener: forge === undefined ? undefined : [forge, "flatten", "--"],
  };
}
