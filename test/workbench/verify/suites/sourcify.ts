// The cases of Sourcify: artefacts its tests deploy, and the metadata and sources they are verified with. A node runs the constructors.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

/** A test of Sourcify: what it deploys, and what it submits. */
interface Listed {
  /** The folder of the artefact and, unless `submitted` says otherwise, of metadata and sources. */
  readonly deployed: string;
  readonly submitted?: string;
  /** Files whose names do not follow the folder's. */
  readonly artifact?: string;
  readonly metadata?: string;
  readonly source?: string;
  /** The constructor's arguments. */
  readonly arguments?: string;
  readonly libraries?: Readonly<Record<string, string>>;
  readonly expected?: "refused";
}

const word = (value: number | bigint) => value.toString(16).padStart(64, "0");
const NUMBER = word(12345);

const libraryCases: readonly Listed[] = [
  { deployed: "Storage" },
  { deployed: "Storage", submitted: "StorageModified" },
  { deployed: "CallProtectionForLibraries" },
  { deployed: "CallProtectionForLibrariesViaIR" },
  { deployed: "CBORInTheMiddle" },
  { deployed: "Constructor", arguments: NUMBER },
  {
    deployed: "Constructor",
    submitted: "ConstructorModified",
    arguments: NUMBER,
  },
  { deployed: "ContractWithVariatedSources" },
  { deployed: "Create2", arguments: word(1) + word(2) },
  { deployed: "Nightly" },
  { deployed: "NoAuxdata" },
  { deployed: "StorageViaIR" },
  { deployed: "UsingLibrary" },
  { deployed: "ViaIRUnoptimizedMismatch" },
  { deployed: "WithImmutables", arguments: NUMBER },
  {
    deployed: "WithImmutables",
    submitted: "WithImmutablesCreationBytecodeAttack",
    arguments: NUMBER,
    expected: "refused",
  },
  {
    deployed: "WithImmutables",
    submitted: "AbstractCreationBytecodeAttack",
    arguments: NUMBER,
    expected: "refused",
  },
];

const serverCases: readonly Listed[] = [
  {
    deployed: "Create2",
    artifact: "Wallet.json",
    metadata: "Wallet_metadata.json",
    source: "Wallet.sol",
    arguments: word(1) + word(2),
  },
  {
    deployed: "FactoryImmutable",
    artifact: "Factory.json",
    metadata: "Factory_metadata.json",
    source: "FactoryTest.sol",
  },
  {
    deployed: "FactoryImmutable",
    artifact: "Child.json",
    metadata: "Child_metadata.json",
    source: "FactoryTest.sol",
    arguments: word(7),
  },
  {
    deployed: "FactoryImmutableWithMsgSender",
    artifact: "Factory.json",
    metadata: "Factory_metadata.json",
    source: "FactoryTest.sol",
  },
  {
    deployed: "FactoryImmutableWithMsgSender",
    artifact: "Child.json",
    metadata: "Child_metadata.json",
    source: "FactoryTest.sol",
    arguments: word(7),
  },
  {
    deployed: "FactoryImmutableWithoutConstrArg",
    artifact: "Factory3.json",
    metadata: "Factory3_metadata.json",
    source: "FactoryTest3.sol",
  },
  {
    deployed: "FactoryImmutableWithoutConstrArg",
    artifact: "Child3.json",
    metadata: "Child3_metadata.json",
    source: "FactoryTest3.sol",
  },
  {
    deployed: "LibrariesLinkedManually",
    artifact: "LibrariesLinkedManually.json",
    source: "1_Storage.sol",
    libraries: { Journal: "0x7d53f102f4d4aa014db4e10d6deec2009b3cda6b" },
  },
  {
    deployed: "LibrariesPreSolidity050",
    libraries: { KeyHolderLibrary: `0x${"cafe".repeat(10)}` },
  },
  {
    deployed: "LibrariesSolidity075",
    artifact: "LibrariesSolidity075.json",
    source: "Example.sol",
  },
  { deployed: "Storage", artifact: "Storage.json", source: "Storage.sol" },
  {
    deployed: "Storage",
    artifact: "Storage.json",
    metadata: "metadataModified.json",
    source: "StorageModified.sol",
  },
  { deployed: "WithImmutables", arguments: NUMBER },
  { deployed: "path-sanitization-new-line" },
];

const severalFiles = (name: string): LeftOut => ({ name, leftOut: "several files" });

const artifactSchema = z.object({
  bytecode: z.union([z.string(), z.object({ object: z.string() })]),
});

const metadataSchema = z.object({
  compiler: z.object({ version: z.string() }),
  settings: z.extend(settingsSchema, {
    compilationTarget: z.record(z.string(), z.string()),
    libraries: z.optional(librariesSchema),
  }),
});

/** The one file in a folder. */
function onlyFile(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const [file] = files;
  if (file === undefined || files.length > 1) throw new Error(`Expected one file in ${folder}`);
  return join(file.parentPath, file.name);
}

async function readCase(folder: string, listed: Listed, node: Anvil): Promise<Case> {
  const { deployed, submitted = deployed, artifact = "artifact.json", metadata } = listed;
  const { bytecode } = artifactSchema.parse(readJson(join(folder, deployed, artifact)));
  const object = typeof bytecode === "string" ? bytecode : bytecode.object;
  const creation = hex(object + (listed.arguments ?? ""));
  const read = metadataSchema.parse(readJson(join(folder, submitted, metadata ?? "metadata.json")));
  const [target = ["", ""]] = Object.entries(read.settings.compilationTarget);
  return {
    name: `${submitted}${metadata === undefined ? "" : ` (${metadata})`}`,
    file: target[0],
    contract: target[1],
    source: readFileSync(
      listed.source === undefined
        ? onlyFile(join(folder, submitted, "sources"))
        : join(folder, submitted, listed.source),
      "utf8",
    ),
    compiler: read.compiler.version,
    ...settingsOf(read.settings),
    libraries: [...librariesOf(read.settings.libraries), ...librariesOf(listed.libraries)],
    constructorArguments: listed.arguments ?? "",
    runtime: await runCreation(node, creation),
    creation,
    expected: listed.expected ?? "verified",
  };
}

export async function sourcifySuites(node: Anvil): Promise<Suite[]> {
  const library = checkout("sourcify/packages/lib-sourcify/test/sources");
  const server = checkout("sourcify/services/server/test/testcontracts");
  if (library === undefined || server === undefined) return [];
  return [
    {
      name: "Sourcify, lib-sourcify",
      source: "sourcify, packages/lib-sourcify/test/sources",
      cases: [
        ...(await Promise.all(libraryCases.map((one) => readCase(library, one, node)))),
        ...[
          "CBORInTheMiddleFactory",
          "ExtraFilesBytecodeMismatch",
          "MultipleEqualAuxdatas",
          "WithMultipleAuxdatas",
          "MetadataRewriting",
        ].map(severalFiles),
        { name: "StorageInliner", leftOut: "optimizer details are not in the submission's form" },
        { name: "Vyper", leftOut: "Vyper" },
      ],
    },
    {
      name: "Sourcify, server",
      source: "sourcify, services/server/test/testcontracts",
      cases: [
        ...(await Promise.all(serverCases.map((one) => readCase(server, one, node)))),
        ...["Create2 (Deployer)", "path-sanitization", "ensure-metadata-storage"].map(severalFiles),
        {
          name: "Proxy",
          leftOut: "its constructor calls a contract that the case does not have",
        },
      ],
    },
  ];
}
