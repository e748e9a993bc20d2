// Reads build-infos of Hardhat (2 and 3) and Foundry: the compiler's whole input and output.
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

/**
 * Present if the project requests the layout. Ignores a layout that another compiler wrote in
 * another form.
 */
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

/** A node of the syntax tree. Only import directives are read. */
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

/** Hardhat 3 writes the output to a separate file. */
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
  /** Libraries that the compiler linked itself (`forge create --libraries`). */
  readonly linked: readonly { readonly name: string; readonly address: Address }[];
  /** The files that the contract needs; undefined if the build-info does not list them. */
  readonly needs: readonly string[] | undefined;
  /** The text of the file that declares the contract. */
  readonly source: string;
  readonly abi: readonly unknown[];
  readonly runtime: ProjectCode;
  /**
   * The source maps, and the source files by their numbers in these maps; undefined if the build
   * lacks them.
   */
  readonly compiled?: CompiledFiles | undefined;
  /** Returns the text of a file; "" if it is unknown. */
  readonly textOf: (file: string) => string;
  readonly language: string;
  readonly compiler: string;
  readonly optimizer: boolean;
  readonly runs: number;
  readonly evmVersion: string | undefined;
}

/** Returns the keccak256 hash of a file's text, by which metadata identifies the file. */
export const keccakOf = (text: string): string =>
  Hash.keccak256(new TextEncoder().encode(text), { as: "Hex" });

/**
 * Returns a function that reads a contract's sources. Returns an empty text if the source is
 * missing, or if its hash differs from the hash in the metadata.
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

/** The parts of a contract. Build-infos and forge's artifacts have them in different places. */
interface ContractParts
  extends Pick<ProjectContract, "name" | "file" | "language">,
    Pick<z.output<typeof contractSchema>, "abi" | "metadata" | "storageLayout"> {
  readonly creation: ProjectCode | undefined;
  readonly runtime: ProjectCode | undefined;
  readonly settings: z.output<typeof settingsSchema>;
  readonly version: string;
  /** The project's files, by their numbers in source maps. */
  readonly numbered: readonly (readonly [id: number, name: string])[];
  readonly readText: (file: string) => string;
}

function toContract(parts: ContractParts): ProjectContract {
  const { name, file, language, abi = [], creation, runtime, settings, version } = parts;
  const metadata = parts.metadata
    ? check(metadataSchema, JSON.parse(parts.metadata)).value
    : undefined;
  const textOf = compiledTexts(metadata, parts.readText);
  return {
    ...{ name, file, language, abi, textOf },
    creation: creation?.object.replace(/^0x/, "") ?? "",
    libraries: Object.values(creation?.linkReferences ?? {}).flatMap((libraries) =>
      Object.entries(libraries).flatMap(([library, [first]]) =>
        first === undefined ? [] : [{ name: library, start: first.start }],
      ),
    ),
    linked: Object.entries(metadata?.settings.libraries ?? {}).map(([path, address]) => ({
      name: path.slice(path.lastIndexOf(":") + 1),
      address: address as Address,
    })),
    needs: metadata && Object.keys(metadata.sources),
    runtime: runtime ?? { object: "" },
    compiled: compiledFiles(parts, textOf),
    source: textOf(file),
    // Omits a platform such as ".Linux.g++" at the end.
    compiler: `v${version.replace(/(\+commit\.[0-9a-f]+).*/, "$1")}`,
    optimizer: settings.optimizer?.enabled ?? false,
    runs: settings.optimizer?.runs ?? 200,
    evmVersion: settings.evmVersion,
  };
}

function contractsIn(project: ProjectFiles, path: string): ProjectContract[] {
  const {
    input,
    solcLongVersion,
    solcVersion,
    output: inlineOutput,
  } = project.read(path, buildSchema);
  const outputFile = path.replace(/\.json$/, ".output.json");
  const output = inlineOutput ?? project.read(outputFile, outputFileSchema).output;
  const sources = output.sources ?? {};
  const numbered = Object.entries(sources).flatMap(([name, { id }]) =>
    id === undefined ? [] : [[id, name] as const],
  );
  return Object.entries(output.contracts ?? {}).flatMap(([file, contracts]) =>
    Object.entries(contracts).map(([name, { evm, ...compiled }]) => {
      const contract = toContract({
        ...{ ...compiled, name, file, numbered },
        language: input.language,
        settings: input.settings,
        version: solcLongVersion ?? solcVersion,
        creation: evm?.bytecode,
        runtime: evm?.deployedBytecode,
        readText: (source) => input.sources[source]?.content ?? "",
      });
      // Falls back to the imports, because Hardhat 3 writes no metadata by default.
      return { ...contract, needs: contract.needs ?? importsOf(file, sources) };
    }),
  );
}

type OutputSources = NonNullable<z.output<typeof outputSchema>["sources"]>;

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

/**
 * Returns the source maps and the files that they refer to; undefined if the build lacks either.
 */
function compiledFiles(
  { runtime, creation, storageLayout, settings, numbered }: ContractParts,
  textOf: ProjectContract["textOf"],
): CompiledFiles | undefined {
  const files = new Map(
    numbered
      .map(([id, name]) => [id, { name, text: textOf(name) }] as const)
      .filter(([, { text }]) => text !== ""),
  );
  if (!runtime?.sourceMap || !creation?.sourceMap || files.size === 0) return undefined;
  const { optimizer, viaIR } = settings;
  return {
    files,
    runtime: runtime.sourceMap,
    creation: creation.sourceMap,
    isPlain: !optimizer?.enabled && optimizer?.details === undefined && !viaIR,
    ...(storageLayout && { storage: storageLayout }),
  };
}

/**
 * The build-info of a plain `forge build`, which contains only the number and name of each file.
 */
const slimSchema = z.object({
  source_id_to_path: z.record(z.string(), z.string()),
  input: z.optional(z.undefined()),
});
const readSlim = (project: ProjectFiles, path: string) =>
  check(slimSchema, project.json(path)).value;

const hasCode = ({ creation }: ProjectContract) => creation !== "";

/**
 * Returns the contracts with code from the build-infos in a folder; none if the folder is missing.
 */
function buildInfosIn(project: ProjectFiles, folder: string): ProjectContract[] {
  return project
    .below(folder, /^[^/]+(?<!\.output)\.json$/)
    .filter((path) => readSlim(project, path) === undefined)
    .flatMap((path) => contractsIn(project, path))
    .filter(hasCode);
}

/** Throws if a folder had no contracts. The error names the command that compiles them. */
function checkCompiled(
  contracts: readonly ProjectContract[],
  { root }: ProjectFiles,
  folder: string,
  command: string,
): readonly ProjectContract[] {
  if (contracts.length > 0) return contracts;
  throw new Error(`No build-info with sources in ${join(root, folder)}: run ${command} first`);
}

/**
 * Reads the contracts with code from all of Hardhat's build-infos. @throws Error if there are none
 */
export const hardhatContracts = (
  project: ProjectFiles,
  folder: string,
): readonly ProjectContract[] =>
  checkCompiled(buildInfosIn(project, folder), project, folder, "npx hardhat compile");

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

/** Returns a map from file numbers to file names for each build of forge, the latest build first. */
const slimBuilds = (
  project: ProjectFiles,
  folder: string,
): readonly Readonly<Record<string, string>>[] =>
  project
    .below(folder, /^[^/]+\.json$/)
    .sort((left, right) => project.changedAt(right) - project.changedAt(left))
    .map((path) => readSlim(project, path)?.source_id_to_path ?? {});

/** Returns the contract in an artifact, with sources from the project; none for any other file. */
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
  const build = builds.find((files) => files[`${id}`] === file) ?? {};
  return [
    toContract({
      ...{ name, file, language, settings, abi, storageLayout },
      metadata: rawMetadata,
      version: compiler.version,
      creation: bytecode,
      runtime: deployedBytecode,
      numbered: Object.entries(build).map(([number, path]) => [Number(number), path]),
      readText: (source) => project.source(source),
    }),
  ];
}

/**
 * Reads the contracts with code of a Foundry project: from its full build-infos, and from its
 * artifacts, because every build writes artifacts, even `forge create --libraries`.
 * @throws Error if there are none
 */
export function foundryContracts(
  project: ProjectFiles,
  out: string,
  command = "forge build --build-info",
): readonly ProjectContract[] {
  const folder = join(out, "build-info");
  const builds = slimBuilds(project, folder);
  const artifacts = project
    .below(out, /\.sol\/[^/]+\.json$/)
    .flatMap((path) => contractInArtifact(path, project, builds))
    .filter(hasCode);
  const contracts = [...buildInfosIn(project, folder), ...artifacts];
  const unique = new Map(
    contracts.map((contract) => [
      `${contract.file}:${contract.name}:${contract.creation}`,
      contract,
    ]),
  );
  return checkCompiled([...unique.values()], project, folder, command);
}
