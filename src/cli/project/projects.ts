// What a Hardhat or Foundry project holds: its compiled contracts, and the deployments it recorded.
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod/mini";
import { isAddress } from "../../models/hex.ts";
import type { Address } from "../../models/primitives.ts";
import {
  filesBelow,
  foundryContracts,
  hardhatContracts,
  type ProjectContract,
  readJson,
} from "./build-info.ts";

/** A contract on a chain, as the project recorded it. */
export interface Deployment {
  readonly address: Address;
  /** The name of the contract, where the record has it. */
  readonly name?: string | undefined;
}

export interface Project {
  readonly folder: string;
  readonly contracts: readonly ProjectContract[];
  /** On every network it recorded. */
  readonly deployments: readonly Deployment[];
  /** The project's command that joins a file with those it imports; undefined if it has none. */
  readonly flattener: readonly [command: string, ...words: string[]] | undefined;
}

const address = z.pipe(
  z.string().check(z.toLowerCase(), z.refine(isAddress, "Expected an address")),
  z.custom<Address>(),
);

/** Each address once, the last record of it. */
const distinct = (deployments: readonly Deployment[]): Deployment[] => [
  ...new Map(deployments.map((one) => [one.address, one])).values(),
];

const ignitionSchema = z.record(z.string(), address);
const ignitionArtifactSchema = z.object({ contractName: z.string() });

/** Hardhat Ignition: ignition/deployments/NAME/deployed_addresses.json, with an artefact for each. */
function ignition(folder: string): Deployment[] {
  const records = filesBelow(
    join(folder, "ignition/deployments"),
    /^[^/]+\/deployed_addresses\.json$/,
  );
  return records.flatMap((path) =>
    Object.entries(readJson(path, ignitionSchema)).map(([id, at]) => {
      const artifact = join(path, "..", "artifacts", `${id}.json`);
      const name = existsSync(artifact)
        ? readJson(artifact, ignitionArtifactSchema).contractName
        : undefined;
      return { address: at, name };
    }),
  );
}

const hardhatDeploySchema = z.object({ address });

/** hardhat-deploy: deployments/NETWORK/NAME.json. */
const hardhatDeploy = (folder: string): Deployment[] =>
  filesBelow(join(folder, "deployments"), /^[^/]+\/[^/]+\.json$/).map((file) => ({
    address: readJson(file, hardhatDeploySchema).address,
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

/** Foundry: broadcast/SCRIPT/CHAIN/run-latest.json. */
function broadcasts(folder: string): Deployment[] {
  return filesBelow(join(folder, "broadcast"), /(^|\/)run-latest\.json$/).flatMap((file) =>
    readJson(file, broadcastSchema).transactions.flatMap((transaction) => {
      const { transactionType, contractAddress, contractName } = transaction;
      const created =
        contractAddress && transactionType.startsWith("CREATE")
          ? [{ address: contractAddress, name: contractName ?? undefined }]
          : [];
      return [...created, ...(transaction.additionalContracts ?? [])];
    }),
  );
}

/** The first of a program's places that has it. */
const programIn = (folders: readonly string[], name: string): string | undefined =>
  folders.map((folder) => join(folder, name)).find((path) => existsSync(path));

/** @throws Error if there is no such folder */
function assertExists(folder: string): void {
  if (!existsSync(folder)) throw new Error(`${folder} does not exist`);
}

export function hardhatProject(folder: string): Project {
  assertExists(folder);
  const hardhat = programIn([join(folder, "node_modules/.bin")], "hardhat");
  return {
    folder,
    contracts: hardhatContracts(join(folder, "artifacts/build-info")),
    deployments: distinct([...ignition(folder), ...hardhatDeploy(folder)]),
    flattener: hardhat === undefined ? undefined : [hardhat, "flatten"],
  };
}

/** What a folder has: a Hardhat project or its `artifacts`, or a Foundry project or its `out`. @throws Error if there is no build output */
export function buildOutput(folder: string): Pick<Project, "contracts" | "deployments"> {
  if (existsSync(join(folder, "artifacts"))) return hardhatProject(folder);
  if (existsSync(join(folder, "out"))) return foundryProject(folder, []);
  assertExists(folder);
  const parent = join(folder, "..");
  return {
    contracts: foundryContracts(folder, parent, "npx hardhat compile or forge build --build-info"),
    deployments: distinct([...ignition(parent), ...hardhatDeploy(parent), ...broadcasts(parent)]),
  };
}

/** `path`: the folders of programs, as the environment variable PATH has them. */
export function foundryProject(folder: string, path: readonly string[]): Project {
  assertExists(folder);
  const forge = programIn(path, "forge");
  return {
    folder,
    contracts: foundryContracts(join(folder, "out"), folder),
    deployments: distinct(broadcasts(folder)),
    flattener: forge === undefined ? undefined : [forge, "flatten"],
  };
}
