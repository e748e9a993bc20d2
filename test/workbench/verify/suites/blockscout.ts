// The cases of Blockscout's smart-contract-verifier: contracts with the settings its tests name, and whole cases as JSON.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod/mini";
import type { Anvil } from "../../../support/anvil.ts";
import {
  type Case,
  checkout,
  hex,
  type LeftOut,
  librariesOf,
  librariesSchema,
  readJson,
  runCreation,
  type Suite,
  settingsOf,
  settingsSchema,
} from "./case.ts";

const TESTS = "blockscout-rs/smart-contract-verifier/smart-contract-verifier-server/tests";

/** What tests/solidity_multiple.rs says of a folder of tests/contracts. */
interface Listed {
  readonly contract: string;
  readonly compiler: string;
  /** Without it the optimizer is off. */
  readonly runs?: number;
  readonly evmVersion?: string;
  readonly libraries?: Readonly<Record<string, string>>;
  /** The test gives the verifier only the runtime code. */
  readonly runtimeOnly?: true;
  /** The test submits this source instead. */
  readonly source?: string;
  readonly expected?: "refused";
  /** The file of the runtime code holds the creation code: a node runs that. */
  readonly wrongRuntime?: true;
}

const listed: readonly (readonly [folder: string, facts: Listed])[] = [
  ["simple_storage", { contract: "SimpleStorage", compiler: "v0.4.24+commit.e67f0147" }],
  [
    "contract_with_lib",
    {
      contract: "SimpleStorage",
      compiler: "v0.5.11+commit.22be8592",
      runs: 200,
      libraries: { BadSafeMath: "0x9bca1bf2810c9b68f25c82e8ebb9dc0a5301e310" },
    },
  ],
  [
    "solidity_5.11_new_whisper_metadata",
    {
      contract: "FixedSupplyToken",
      compiler: "v0.5.11+commit.22be8592",
      evmVersion: "byzantium",
    },
  ],
  [
    "library",
    { contract: "Foo", compiler: "v0.5.11+commit.22be8592", runs: 200, wrongRuntime: true },
  ],
  [
    "solidity_0.5.9_smart_contract",
    { contract: "TestToken", compiler: "v0.5.9+commit.c68bc34e", evmVersion: "petersburg" },
  ],
  ["with_immutable_assignment", { contract: "C", compiler: "v0.6.7+commit.b8d736ae", runs: 200 }],
  [
    "contract_from_factory",
    { contract: "ContractFromFactory", compiler: "v0.4.26+commit.4563c3fc", runs: 200 },
  ],
  ["solidity_0.4.10", { contract: "Main", compiler: "v0.4.10+commit.9e8cc01b" }],
  [
    "issue_5114",
    { contract: "TransparentUpgradeableProxy", compiler: "v0.8.2+commit.661d1103", runs: 200 },
  ],
  [
    "issue_5127",
    { contract: "YESToken", compiler: "v0.8.11+commit.d7f03943", runs: 200, wrongRuntime: true },
  ],
  ["issue_3082", { contract: "Distribution", compiler: "v0.5.10+commit.5a6ea5b1", runs: 200 }],
  [
    "issue_with_constructor_args",
    { contract: "ERC1967Proxy", compiler: "v0.8.2+commit.661d1103", runs: 200 },
  ],
  ["issue_4758", { contract: "CS3_1OnChainShop", compiler: "v0.8.4+commit.c7e474f2", runs: 200 }],
  ["issue_5430_5434", { contract: "C", compiler: "v0.8.14-nightly.2022.4.13+commit.25923c1f" }],
  ["issue_5431", { contract: "Owner", compiler: "v0.8.8+commit.dddeac2f" }],
  ["issue_5636", { contract: "B", compiler: "v0.8.14+commit.80d49f37", runs: 200 }],
  ["home_bridge", { contract: "HomeBridge", compiler: "v0.5.8+commit.23d335f2", runs: 200 }],
  [
    "ERC677",
    { contract: "ERC677MultiBridgeToken", compiler: "v0.5.10+commit.5a6ea5b1", runs: 200 },
  ],
  ["solidity_0.5.14", { contract: "A", compiler: "v0.5.14+commit.01f1aaa4", runtimeOnly: true }],
  [
    "solidity_0.5.9_smart_contract",
    {
      contract: "TestToken",
      compiler: "v0.5.9+commit.c68bc34e",
      evmVersion: "petersburg",
      runtimeOnly: true,
    },
  ],
  [
    "simple_storage",
    {
      contract: "SimpleStorage",
      compiler: "v0.4.24+commit.e67f0147",
      source: "pragma solidity ^0.4.24; contract SimpleStorage {}",
      expected: "refused",
    },
  ],
  [
    "simple_storage",
    {
      contract: "SimpleStorage",
      compiler: "v0.4.24+commit.e67f0147",
      source: "pragma solidity ^0.4.24; contract SimpleStorage { ",
      expected: "refused",
    },
  ],
  [
    "simple_storage",
    {
      contract: "SimpleStorage",
      compiler: "v0.4.40+commit.e67f0147",
      expected: "refused",
    },
  ],
];

async function readListed(
  folder: string,
  [name, facts]: readonly [string, Listed],
  node: Anvil,
): Promise<Case> {
  const read = (file: string) => readFileSync(join(folder, name, file), "utf8");
  const argumentsFile = "constructor_arguments";
  const hasArguments = existsSync(join(folder, name, argumentsFile));
  const given = facts.source !== undefined || facts.expected !== undefined;
  return {
    name: `${name}${facts.runtimeOnly ? " (runtime only)" : ""}${given ? " (refused)" : ""}`,
    file: "source.sol",
    contract: facts.contract,
    source: facts.source ?? read("source.sol"),
    compiler: facts.compiler,
    optimizer: facts.runs !== undefined,
    runs: facts.runs ?? 200,
    evmVersion: facts.evmVersion,
    libraries: librariesOf(facts.libraries),
    constructorArguments: hasArguments ? hex(read(argumentsFile)).slice(2) : "",
    runtime: facts.wrongRuntime
      ? await runCreation(node, hex(read("creation_tx_input")))
      : hex(read("deployed_bytecode")),
    creation: facts.runtimeOnly ? undefined : hex(read("creation_tx_input")),
    expected: facts.expected ?? "verified",
  };
}

const inputSchema = z.object({
  sources: z.record(z.string(), z.object({ content: z.string() })),
  settings: z.extend(settingsSchema, { libraries: z.optional(librariesSchema) }),
});

const schema = z.object({
  creation_bytecode: z.string(),
  deployed_bytecode: z.string(),
  compiler_version: z.string(),
  contract_name: z.string(),
  /** Either the text of a file, or a standard JSON input. */
  source_code: z.optional(z.string()),
  file_name: z.optional(z.string()),
  input: z.optional(inputSchema),
  expected_constructor_argument: z.optional(z.string()),
  manually_linked_libraries: z.optional(librariesSchema),
});

function readJsonCase(path: string): Case | LeftOut {
  const name = basename(path, ".json");
  const read = schema.parse(readJson(path));
  const settings = read.input?.settings ?? {};
  const file = read.file_name ?? "source.sol";
  const source = read.source_code ?? read.input?.sources[file]?.content;
  if (source === undefined || Object.keys(read.input?.sources ?? {}).length > 1)
    return { name, leftOut: "several files" };
  return {
    name,
    file,
    contract: read.contract_name,
    source,
    compiler: read.compiler_version,
    ...settingsOf(settings),
    libraries: [
      ...librariesOf(read.input?.settings.libraries),
      ...librariesOf(read.manually_linked_libraries),
    ],
    constructorArguments: read.expected_constructor_argument?.replace(/^0x/, "") ?? "",
    runtime: hex(read.deployed_bytecode),
    creation: hex(read.creation_bytecode),
    expected: "verified",
  };
}

export async function blockscoutSuites(node: Anvil): Promise<Suite[]> {
  const contracts = checkout(TESTS, "contracts");
  const cases = checkout(TESTS, "test_cases_solidity");
  if (contracts === undefined || cases === undefined) return [];
  return [
    {
      name: "Blockscout, contracts",
      source: "blockscout-rs, smart-contract-verifier-server/tests/contracts",
      cases: [
        ...(await Promise.all(listed.map((one) => readListed(contracts, one, node)))),
        ...["yul", "yul_erc20"].map((name) => ({ name, leftOut: "Yul" })),
        {
          name: "library (runtime only, refused)",
          leftOut: "Blockscout cannot tell a library without its creation code; we can",
        },
      ],
    },
    {
      name: "Blockscout, JSON cases",
      source: "blockscout-rs, smart-contract-verifier-server/tests/test_cases_solidity",
      cases: readdirSync(cases)
        .sort()
        .map((file) => readJsonCase(join(cases, file))),
    },
  ];
}
