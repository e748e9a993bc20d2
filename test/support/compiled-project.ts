// Compiles a project for a test: its contracts, its files for `serve --artifacts`, and transactions
// on a node.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Abi, Hex } from "viem";
import { vi } from "vitest";
import { KnownContracts } from "../../mocks/cli/project/known-contracts.ts";
import { buildOutput } from "../../mocks/cli/project/projects.ts";
import type { Address } from "../../src/models/primitives.ts";
import type { TestNode } from "./test-node.ts";

interface CompiledContract {
  readonly abi: Abi;
  readonly evm: { readonly bytecode: { readonly object: string } };
}

const solc = createRequire(import.meta.url)("solc-0.8.28");
const VERSION = { solcVersion: "0.8.28", solcLongVersion: "0.8.28+commit.7893614a" };

export interface CompiledProject {
  /** The compiler's standard JSON input. */
  readonly input: object;
  abi(contract: string): Abi;
  /** The creation code, linked with a library. */
  code(contract: string, library?: string): Hex;
  /** As a folder of the project shows it. */
  known(): KnownContracts;
}

export function compileProject(
  files: Readonly<Record<string, string>>,
  settings: object = {},
): CompiledProject {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(
      Object.entries(files).map(([file, content]) => [file, { content }]),
    ),
    settings: {
      ...settings,
      evmVersion: "paris",
      outputSelection: {
        "*": {
          "*": ["abi", "evm.bytecode", "evm.deployedBytecode", "metadata", "storageLayout"],
          "": ["ast"],
        },
      },
    },
  };
  const output: { contracts: Record<string, Record<string, CompiledContract>> } = JSON.parse(
    solc.compile(JSON.stringify(input)),
  );
  const contracts = Object.assign({}, ...Object.values(output.contracts ?? {}));
  const contractNamed = (name: string): CompiledContract => {
    if (contracts[name] === undefined) throw new Error(`no contract ${name}`);
    return contracts[name];
  };
  return {
    input,
    abi: (name) => contractNamed(name).abi,
    code: (name, library = "") =>
      `0x${contractNamed(name).evm.bytecode.object.replaceAll(/__\$\w{34}\$__/g, library)}`,
    known() {
      const folder = mkdtempSync(join(tmpdir(), "project-"));
      const builds = join(folder, "artifacts/build-info");
      mkdirSync(builds, { recursive: true });
      const build = { _format: "hh-sol-build-info-1", id: "build", ...VERSION, input, output };
      writeFileSync(join(builds, "build.json"), JSON.stringify(build));
      const knownContracts = new KnownContracts([buildOutput(folder)]);
      rmSync(folder, { recursive: true });
      return knownContracts;
    },
  };
}

export interface Sent {
  readonly hash: Hex;
  /** The contract it created. */
  readonly address: Address;
}

async function lastTransaction(node: TestNode): Promise<unknown> {
  const block = await node.ask("eth_getBlockByNumber", "latest", false);
  return (block as { transactions: string[] }).transactions.at(-1);
}

/** Sends a transaction from one of the node's accounts, and waits until it is mined, also if it fails. */
export async function sendTransaction(node: TestNode, fields: object): Promise<Sent> {
  const [from] = (await node.ask("eth_accounts")) as Address[];
  // A node that returns the failure as an error has mined it all the same.
  const hash = await node
    .ask("eth_sendTransaction", { from, gas: "0x500000", ...fields })
    .catch(() => lastTransaction(node));
  const receipt = await vi.waitFor(async () => {
    const mined = await node.ask("eth_getTransactionReceipt", hash);
    return mined ?? Promise.reject(new Error(`not mined: ${hash}`));
  }, 30_000);
  return { hash: String(hash) as Hex, address: Object(receipt).contractAddress };
}
