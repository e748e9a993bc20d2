// Reads the build-infos of Hardhat (2 and 3) and Foundry: the compiler's whole input and output.
import { join } from "node:path";
import * as Hash from "ox/Hash";
import * as z from "zod/mini";
import { check } from "../../../src/models/issues.ts";
import type { Address } from "../../../src/models/primitives.ts";
import type { CompiledFiles } from "../../chain/records.ts";
import { storageLayoutSchema } from "../../ingest/sources.ts";
import type { ProjectFiles } from "./files.ts";

const place = z.object({ start: z.number(), length: z.number() });
const linkReferences = z.record(z.string(), z.record(z.string(), z.array(place)));

const codeSchema = z.object({
  object: z.string(),
  sourceMap: z.optional(z.string()),
  linkReferences: z.optional(linkReferences),
  immutableReferences: z.optional(z.record(z.string(), z.array(place))),
});

/** Present if the project requests it. Ignores a layout in the form of another compiler. */
const storageLayout = z.catch(z.optional(storageLayoutSchema), undefined);

const contractSchema = z.object({
  abi: z.optional(z.array(z.unknown())),
  /** JSON that lists the files the contract needs. */
  metadata: z.optional(z.string()),
  storageLayout,
  evm: z.optional(
    z.object({
      bytecode: z.optional(codeSchema),
      deployedBytecode: z.optional(codeSchema),
    }),
  ),
});

const settingsSchema = z.object({
  optimizer: z.optional(
    z.object({
      enabled: z.optional(z.boolean()),
      runs: z.optional(z.number()),
      details: z.optional(z.unknown()),
    }),
  ),
  evmVersion: z.optional(z.string()),
  viaIR: z.optional(z.boolean()),
});

const inputSchema = z.object({
  language: z.string(),
  sources: z.record(z.string(), z.object({ content: z.string() })),
  settings: settingsSchema,
});

/** Reads only the imports from the syntax tree. */
const importing = z.object({ nodeType: z.string(), absolutePath: z.optional(z.string()) });
const outputFileOf = z.object({
  /** Number of the file in source maps. */
  id: z.optional(z.number()),
  ast: z.optional(z.object({ nodes: z.optional(z.array(importing)) })),
});

const outputSchema = z.object({
  sources: z.optional(z.record(z.string(), outputFileOf)),
  contracts: z.optional(z.record(z.string(), z.record(z.string(), contractSchema))),
});

const buildSchema = z.object({
  solcVersion: z.string(),
  /** Version with its commit: "0.8.20+commit.a1b79de6". */
  solcLongVersion: z.optional(z.string()),
  input: inputSchema,
  output: z.optional(outputSchema),
});

/** Hardhat 3 writes the output to a file of its own. */
const outputFileSchema = z.object({ output: outputSchema });

/** The parts of a contract's metadata that are read here. */
const metadataSchema = z.object({
  sources: z.record(z.string(), z.object({ keccak256: z.optional(z.string()) })),
  settings: z.object({ libraries: z.optional(z.record(z.string(), z.string())) }),
});

export interface LinkedLibrary {
  readonly name: string;
  /** Offset of the library's first placeholder in the creation code, in bytes. */
  readonly start: number;
}

/** Compiled code, with the positions of library addresses and immutables. */
export type ProjectCode = z.output<typeof codeSchema>;

/** A contract of a project, as it was compiled. */
export interface ProjectContract {
  readonly name: string;
  readonly file: string;
  /** The creation code in hexadecimal without 0x, with placeholders for library addresses. */
  readonly creation: string;
  readonly libraries: readonly LinkedLibrary[];
  /** The libraries that the compiler linked itself (`forge create --libraries`). */
  readonly linked: readonly { readonly name: string; readonly address: Address }[];
  /** The files that the contract needs; undefined if the build-info does not list them. */
  readonly needs: readonly string[] | undefined;
  /** The text of the file that declares the contract. */
  readonly source: string;
  readonly abi: readonly unknown[];
  readonly runtime: ProjectCode;
  /** Source files by number, with the source maps; undefined if the build lacks them. */
  readonly compiled?: CompiledFiles | undefined;
  /** Returns the text of a file; "" if it is unknown. */
  readonly textOf: (file: string) => string;
  readonly language: string;
  readonly compiler: string;
  readonly optimizer: boolean;
  readonly runs: number;
  readonly evmVersion: string | undefined;
}

/** The sources in metadata; undefined if it has none. */
const metadataIn = (metadata: string | undefined) =>
  metadata ? check(metadataSchema, JSON.parse(metadata)).value : undefined;

/** Returns the keccak256 hash of a file's text, by which metadata identifies the file. */
export const keccakOf = (text: string): string =>
  Hash.keccak256(new TextEncoder().encode(text), { as: "Hex" });

/**
 * Returns the texts of a contract's sources. A text is empty where the source is missing, or where
 * its hash is not the one in the metadata.
 */
function compiledTexts(
  metadata: z.output<typeof metadataSchema> | undefined,
  textOf: (file: string) => string,
): (file: string) => string {
  if (metadata === undefined) return textOf;
  return (file) => {
    const expected = metadata.sources[file]?.keccak256;
    const text = expected === undefined ? "" : textOf(file);
    return keccakOf(text) === expected ? text : "";
  };
}

/** The files that a contract needs, and its linked libraries. */
function readMetadata(metadata: string | undefined): Pick<ProjectContract, "needs" | "linked"> {
  const value = metadataIn(metadata);
  const linked = Object.entries(value?.settings.libraries ?? {});
  return {
    needs: value && Object.keys(value.sources),
    linked: linked.map(([path, address]) => ({
      name: path.slice(path.lastIndexOf(":") + 1),
      address: address as Address,
    })),
  };
}

/** Returns the fields that build-infos and forge's artifacts have in common. */
const compiledContract = (
  { abi, metadata }: Pick<z.output<typeof contractSchema>, "abi" | "metadata">,
  creation: ProjectCode | undefined,
  runtime: ProjectCode | undefined,
) => ({
  creation: creation?.object.replace(/^0x/, "") ?? "",
  libraries: Object.values(creation?.linkReferences ?? {}).flatMap((libraries) =>
    Object.entries(libraries).flatMap(([library, [first]]) =>
      first === undefined ? [] : [{ name: library, start: first.start }],
    ),
  ),
  ...readMetadata(metadata),
  abi: abi ?? [],
  runtime: runtime ?? { object: "" },
});

/** Returns "v0.8.20+commit.a1b79de6", without a platform such as ".Linux.g++" at the end. */
const versionOf = ({
  solcLongVersion,
  solcVersion,
}: Pick<z.output<typeof buildSchema>, "solcLongVersion" | "solcVersion">) =>
  `v${(solcLongVersion ?? solcVersion).replace(/(\+commit\.[0-9a-f]+).*/, "$1")}`;

function contractsIn(project: ProjectFiles, path: string): ProjectContract[] {
  const build = project.read(path, buildSchema);
  const { input } = build;
  const output = build.output ?? project.read(outputFile(path), outputFileSchema).output;
  const { optimizer, evmVersion } = input.settings;
  const sources = output.sources ?? {};
  const numbered = Object.entries(sources).flatMap(([name, { id }]) =>
    id === undefined ? [] : [[id, name] as const],
  );
  return Object.entries(output.contracts ?? {}).flatMap(([file, contracts]) =>
    Object.entries(contracts).map(([name, contract]) => {
      const textOf = compiledTexts(
        metadataIn(contract.metadata),
        (path) => input.sources[path]?.content ?? "",
      );
      return {
        name,
        file,
        ...withImports(
          compiledContract(contract, contract.evm?.bytecode, contract.evm?.deployedBytecode),
          () => importsOf(file, sources),
        ),
        compiled: compiledFiles(contract, filesOf(numbered, textOf), input.settings),
        source: textOf(file),
        textOf,
        language: input.language,
        compiler: versionOf(build),
        optimizer: optimizer?.enabled ?? false,
        runs: optimizer?.runs ?? 200,
        evmVersion,
      };
    }),
  );
}

/** Returns the files with a known text, keyed by number. */
const filesOf = (
  numbered: readonly (readonly [id: number, name: string])[],
  textOf: (file: string) => string,
): CompiledFiles["files"] =>
  new Map(
    numbered.flatMap(([id, name]) => {
      const text = textOf(name);
      return text === "" ? [] : [[id, { name, text }] as const];
    }),
  );

type OutputSources = NonNullable<z.output<typeof outputSchema>["sources"]>;

/** Takes the files from the imports if there is no metadata, which Hardhat 3 omits by default. */
const withImports = <Contract extends Pick<ProjectContract, "needs">>(
  contract: Contract,
  imports: () => readonly string[] | undefined,
): Contract => ({ ...contract, needs: contract.needs ?? imports() });

/** Returns a file and all its direct and indirect imports; undefined without a syntax tree. */
function importsOf(file: string, sources: OutputSources): readonly string[] | undefined {
  if (sources[file]?.ast?.nodes === undefined) return undefined;
  const files = new Set([file]);
  for (const name of files)
    for (const { nodeType, absolutePath } of sources[name]?.ast?.nodes ?? [])
      if (nodeType === "ImportDirective" && absolutePath !== undefined) files.add(absolutePath);
  // Imported files come first, as in the output of a flattener.
  return [...files].reverse();
}

function compiledFiles(
  { evm, storageLayout }: z.output<typeof contractSchema>,
  files: CompiledFiles["files"],
  { optimizer, viaIR }: z.output<typeof settingsSchema>,
): CompiledFiles | undefined {
  const [runtime, creation] = [evm?.deployedBytecode?.sourceMap, evm?.bytecode?.sourceMap];
  if (!runtime || !creation || files.size === 0) return undefined;
  const isPlain = !optimizer?.enabled && optimizer?.details === undefined && !viaIR;
  return { files, runtime, creation, isPlain, ...(storageLayout && { storage: storageLayout }) };
}

const outputFile = (path: string) => path.replace(/\.json$/, ".output.json");

/** The build-info of a plain `forge build`, which has only the file names by number. */
const slimSchema = z.object({
  source_id_to_path: z.record(z.string(), z.string()),
  input: z.optional(z.undefined()),
});
const readSlim = (project: ProjectFiles, path: string) =>
  check(slimSchema, project.json(path)).value;

const withCode = ({ creation }: ProjectContract) => creation !== "";

/** Contracts with code whose sources are in a folder's build-infos; none without the folder. */
function buildInfosIn(project: ProjectFiles, folder: string): ProjectContract[] {
  return project
    .below(folder, /^[^/]+(?<!\.output)\.json$/)
    .filter((path) => readSlim(project, path) === undefined)
    .flatMap((path) => contractsIn(project, path))
    .filter(withCode);
}

/** @throws Error if there are none */
function found(
  contracts: ProjectContract[],
  { root }: ProjectFiles,
  folder: string,
  command: string,
): ProjectContract[] {
  if (contracts.length > 0) return contracts;
  throw new Error(`No build-info with sources in ${join(root, folder)}: run ${command} first`);
}

/** The contracts with code of all build-infos of Hardhat in a folder. @throws Error if it has none */
export const hardhatContracts = (project: ProjectFiles, folder: string): ProjectContract[] =>
  found(buildInfosIn(project, folder), project, folder, "npx hardhat compile");

/** An artifact of forge. Only `rawMetadata` tells which compiler was used. */
const artifactSchema = z.object({
  abi: z.array(z.unknown()),
  bytecode: codeSchema,
  deployedBytecode: codeSchema,
  rawMetadata: z.string(),
  storageLayout,
  /** Number of the file that declares the contract. */
  id: z.optional(z.number()),
});

const rawMetadataSchema = z.object({
  compiler: z.object({ version: z.string() }),
  language: z.string(),
  settings: z.extend(settingsSchema, { compilationTarget: z.record(z.string(), z.string()) }),
});

/** The files of each of forge's builds by their numbers, the latest build first. */
const slimBuilds = (
  project: ProjectFiles,
  folder: string,
): readonly Readonly<Record<string, string>>[] =>
  project
    .below(folder, /^[^/]+\.json$/)
    .sort((one, other) => project.changedAt(other) - project.changedAt(one))
    .map((path) => readSlim(project, path)?.source_id_to_path ?? {});

/** Returns the contract in an artifact, with sources from the project; none for other files. */
function contractInArtifact(
  path: string,
  project: ProjectFiles,
  builds: ReturnType<typeof slimBuilds>,
): ProjectContract[] {
  const { value: artifact } = check(artifactSchema, project.json(path));
  if (artifact === undefined) return [];
  const { abi, bytecode, deployedBytecode, rawMetadata, storageLayout, id } = artifact;
  const { value: metadata } = check(rawMetadataSchema, JSON.parse(rawMetadata));
  const [target] = Object.entries(metadata?.settings.compilationTarget ?? {});
  if (metadata === undefined || target === undefined) return [];
  const { compiler, language, settings } = metadata;
  const [file, name] = target;
  const textOf = compiledTexts(metadataIn(rawMetadata), (own) => project.source(own));
  const build = builds.find((files) => files[`${id}`] === file) ?? {};
  const numbered = Object.entries(build).map(([number, own]) => [Number(number), own] as const);
  return [
    {
      name,
      file,
      ...compiledContract({ abi, metadata: rawMetadata }, bytecode, deployedBytecode),
      compiled: compiledFiles(
        { evm: { bytecode, deployedBytecode }, storageLayout },
        filesOf(numbered, textOf),
        settings,
      ),
      source: textOf(file),
      textOf,
      language,
      compiler: versionOf({ solcVersion: compiler.version }),
      optimizer: settings.optimizer?.enabled ?? false,
      runs: settings.optimizer?.runs ?? 200,
      evmVersion: settings.evmVersion,
    },
  ];
}

/**
 * Reads the contracts with code of a Foundry project: from its full build-infos, and from its
 * artifacts, which every build writes, even `forge create --libraries`.
 * @throws Error if there are none
 */
export function foundryContracts(
  project: ProjectFiles,
  out: string,
  command = "forge build --build-info",
): ProjectContract[] {
  const folder = join(out, "build-info");
  const builds = slimBuilds(project, folder);
  const artifacts = project
    .below(out, /\.sol\/[^/]+\.json$/)
    .flatMap((path) => contractInArtifact(path, project, builds))
    .filter(withCode);
  const contracts = [...buildInfosIn(project, folder), ...artifacts];
  const unique = new Map(
    contracts.map((contract) => [
      `${contract.file}:${contract.name}:${contract.creation}`,
      contract,
    ]),
  );
  return found([...unique.values()], project, folder, command);
}
