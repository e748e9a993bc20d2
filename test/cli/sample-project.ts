import { createRequire } from "node:module";
import { basename } from "node:path";
import { onTestFinished } from "vitest";
import type { Address, Hex } from "../../mocks/chain/records.ts";
import { buildChain, coins } from "../../mocks/index.ts";
import { createProject } from "../support/project.ts";

const SOLC = "0.8.20";
const solc: { compile(input: string): string } = createRequire(import.meta.url)(`solc-${SOLC}`);

const counter = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Counter {
  uint256 public count;
  constructor(uint256 first) { count = first; }
  function increment() external { count += 1; }
}
`;

const points = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
library Points {
  function twice(uint256 value) external pure returns (uint256) { return value * 2; }
}
contract Player {
  function score(uint256 value) external pure returns (uint256) { return Points.twice(value); }
}
`;

const shopBody = `contract Shop is Counter {
  constructor() Counter(1) {}
  function sell() external { count -= 1; }
}
`;
const shop = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import "./Counter.sol";
${shopBody}`;

/** What a flattener makes of Shop.sol. */
export const flatShop = counter + shopBody;

const input = {
  language: "Solidity",
  sources: {
    "contracts/Counter.sol": { content: counter },
    "contracts/Points.sol": { content: points },
    "contracts/Shop.sol": { content: shop },
  },
  settings: {
    optimizer: { enabled: true, runs: 300 },
    evmVersion: "paris",
    outputSelection: {
      "*": { "*": ["abi", "evm.bytecode", "evm.deployedBytecode", "metadata"], "": ["ast"] },
    },
  },
};

interface Compiled {
  readonly abi: readonly unknown[];
  readonly metadata: string;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
  };
}

let compiled: { contracts: Record<string, Record<string, Compiled>> } | undefined;
const output = () => {
  compiled ??= JSON.parse(solc.compile(JSON.stringify(input)));
  if (compiled === undefined) throw new Error("The sample project does not compile");
  return compiled;
};

/** Creation and runtime code of a contract, linked with a library. */
export function codeOf(name: string, library = "00".repeat(20)): { creation: Hex; runtime: Hex } {
  for (const contracts of Object.values(output().contracts)) {
    const { evm } = contracts[name] ?? {};
    const link = (code: string): Hex => `0x${code.replaceAll(/__\$\w{34}\$__/g, library)}`;
    if (evm !== undefined)
      return { creation: link(evm.bytecode.object), runtime: link(evm.deployedBytecode.object) };
  }
  throw new Error(`The sample project has no contract ${name}`);
}

const builds = {
  solcVersion: SOLC,
  solcLongVersion: `${SOLC}+commit.a1b79de6`,
};

/** A folder with files, removed after the test. */
export function projectFolder(files: Readonly<Record<string, unknown>>): string {
  const { folder, write, remove } = createProject("project");
  onTestFinished(remove);
  for (const [path, content] of Object.entries(files))
    write(path, typeof content === "string" ? content : JSON.stringify(content));
  return folder;
}

const sourceFiles = () =>
  Object.fromEntries(Object.entries(input.sources).map(([file, { content }]) => [file, content]));

export const hardhatBuild = () => ({
  ...sourceFiles(),
  "artifacts/build-info/3f1a.json": {
    _format: "hh-sol-build-info-1",
    id: "3f1a",
    ...builds,
    input,
    output: output(),
  },
});

/** Hardhat 3 keeps input and output apart. */
export const hardhat3Build = () => ({
  "artifacts/build-info/solc-0_8_20-3f1a.json": {
    _format: "hh3-sol-build-info-1",
    id: "solc-0_8_20-3f1a",
    ...builds,
    input,
  },
  "artifacts/build-info/solc-0_8_20-3f1a.output.json": {
    _format: "hh3-sol-build-info-output-1",
    id: "solc-0_8_20-3f1a",
    output: output(),
  },
});

/** Foundry writes code with 0x, and the platform of the compiler. */
export const foundryBuild = () => ({
  ...sourceFiles(),
  "out/build-info/3f1a.json": JSON.stringify({
    id: "3f1a",
    _format: "ethers-rs-sol-build-info-1",
    ...builds,
    solcLongVersion: `${builds.solcLongVersion}.Linux.gcc`,
    input,
    output: output(),
  }).replaceAll('"object":"6', '"object":"0x6'),
});

/** What `forge build` writes: a build-info without sources, and an artifact for each contract. */
export const plainFoundryBuild = () => ({
  "out/build-info/3f1a.json": {
    id: "3f1a",
    source_id_to_path: { ...Object.keys(input.sources) },
    language: "Solidity",
  },
  ...Object.fromEntries(
    Object.entries(output().contracts).flatMap(([file, contracts]) =>
      Object.entries(contracts).map(([name, { abi, evm, metadata }]) => [
        `out/${basename(file)}/${name}.json`,
        {
          abi,
          bytecode: { ...evm.bytecode, object: `0x${evm.bytecode.object}` },
          deployedBytecode: { ...evm.deployedBytecode, object: `0x${evm.deployedBytecode.object}` },
          rawMetadata: metadata,
          metadata: JSON.parse(metadata),
          id: Object.keys(input.sources).indexOf(file),
        },
      ]),
    ),
  ),
  ...sourceFiles(),
});

/** Where the sample project's library is on a chain. */
export const LIBRARY: Address = `0x${"1b".repeat(20)}`;

/** A chain, and who deploys contracts of the sample project on it. */
export function sampleDeployer() {
  const builder = buildChain();
  const deployer = builder.account({ balance: coins(1000) });
  const deploy = (name: string, words = "") => {
    const { creation, runtime } = codeOf(name, LIBRARY.slice(2));
    const constructorArguments: Hex = `0x${words}`;
    return builder.deploy(deployer, { code: runtime, initCode: creation, constructorArguments });
  };
  return { builder, deployer, deploy };
}
