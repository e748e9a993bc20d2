// Reads the build-infos of Hardhat (2 and 3) and Foundry: the compiler's whole input and output.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { AnySchema } from "../../contract/index.ts";
import { messageOf } from "../../errors/base.ts";
import { check, explain } from "../../models/issues.ts";

const place = z.object({ start: z.number(), length: z.number() });
const linkReferences = z.record(z.string(), z.record(z.string(), z.array(place)));

const codeSchema = z.object({
  object: z.string(),
  linkReferences: z.optional(linkReferences),
  immutableReferences: z.optional(z.record(z.string(), z.array(place))),
});

const contractSchema = z.object({
  abi: z.optional(z.array(z.unknown())),
  /** JSON; names the files the contract needs. */
  metadata: z.optional(z.string()),
  evm: z.optional(
    z.object({
      bytecode: z.optional(codeSchema),
      deployedBytecode: z.optional(codeSchema),
    }),
  ),
});

const inputSchema = z.object({
  language: z.string(),
  sources: z.record(z.string(), z.object({ content: z.string() })),
  settings: z.object({
    optimizer: z.optional(
      z.object({ enabled: z.optional(z.boolean()), runs: z.optional(z.number()) }),
    ),
    evmVersion: z.optional(z.string()),
  }),
});

const outputSchema = z.object({
  contracts: z.optional(z.record(z.string(), z.record(z.string(), contractSchema))),
});

const buildSchema = z.object({
  solcVersion: z.string(),
  /** With the commit. */
  solcLongVersion: z.optional(z.string()),
  input: inputSchema,
  output: z.optional(outputSchema),
});

/** Hardhat 3 writes the output to a file of its own. */
const outputFileSchema = z.object({ output: outputSchema });

const metadataSchema = z.object({ sources: z.record(z.string(), z.unknown()) });

export interface LinkedLibrary {
  readonly name: string;
  /** Its first place in the creation code, in bytes. */
  readonly start: number;
}

/** Compiled code, with the places of libraries and immutables. */
export type ProjectCode = z.output<typeof codeSchema>;

/** A contract of a project, as it was compiled. */
export interface ProjectContract {
  readonly name: string;
  readonly file: string;
  /** The creation code in hexadecimal without 0x, with placeholders for library addresses. */
  readonly creation: string;
  readonly libraries: readonly LinkedLibrary[];
  /** The files it needs; undefined where the build-info does not say. */
  readonly needs: readonly string[] | undefined;
  /** The text of its own file. */
  readonly source: string;
  readonly abi: readonly unknown[];
  readonly runtime: ProjectCode;
  /** The text of a file. */
  readonly textOf: (file: string) => string;
  readonly language: string;
  readonly compiler: string;
  readonly optimizer: boolean;
  readonly runs: number;
  readonly evmVersion: string | undefined;
}

/** Reads a JSON file. @throws Error that names the file and what is wrong with it */
export function readJson<Schema extends AnySchema>(path: string, schema: Schema): z.output<Schema> {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`${path}: ${messageOf(error)}`);
  }
  const { value, issues } = check(schema, json);
  if (issues) throw new Error(`${path}: ${issues.map(explain).join("; ")}`);
  return value as z.output<Schema>;
}

function neededFiles(metadata: string | undefined): string[] | undefined {
  if (metadata === undefined || metadata === "") return undefined;
  const { value } = check(metadataSchema, JSON.parse(metadata));
  return value && Object.keys(value.sources);
}

/** "v0.8.20+commit.a1b79de6", without the platform that some append. */
const versionOf = ({ solcLongVersion, solcVersion }: z.output<typeof buildSchema>) =>
  `v${(solcLongVersion ?? solcVersion).replace(/(\+commit\.[0-9a-f]+).*/, "$1")}`;

function contractsIn(path: string): ProjectContract[] {
  const build = readJson(path, buildSchema);
  const { input } = build;
  const output = build.output ?? readJson(outputFile(path), outputFileSchema).output;
  const { optimizer, evmVersion } = input.settings;
  return Object.entries(output.contracts ?? {}).flatMap(([file, contracts]) =>
    Object.entries(contracts).map(([name, { abi, metadata, evm }]) => ({
      name,
      file,
      creation: evm?.bytecode?.object.replace(/^0x/, "") ?? "",
      libraries: Object.values(evm?.bytecode?.linkReferences ?? {}).flatMap((libraries) =>
        Object.entries(libraries).flatMap(([library, [first]]) =>
          first === undefined ? [] : [{ name: library, start: first.start }],
        ),
      ),
      needs: neededFiles(metadata),
      source: input.sources[file]?.content ?? "",
      abi: abi ?? [],
      runtime: evm?.deployedBytecode ?? { object: "" },
      textOf: (path: string) => input.sources[path]?.content ?? "",
      language: input.language,
      compiler: versionOf(build),
      optimizer: optimizer?.enabled ?? false,
      runs: optimizer?.runs ?? 200,
      evmVersion,
    })),
  );
}

const outputFile = (path: string) => path.replace(/\.json$/, ".output.json");

/** The contracts with code of all build-infos in a folder. @throws Error if it has none */
export function readBuildInfos(folder: string, command: string): ProjectContract[] {
  const missing = `No build-info in ${folder}: run ${command} first`;
  if (!existsSync(folder)) throw new Error(missing);
  const files = readdirSync(folder).filter(
    (file) => file.endsWith(".json") && !file.endsWith(".output.json"),
  );
  const contracts = files.flatMap((file) => contractsIn(join(folder, file)));
  if (contracts.length === 0) throw new Error(missing);
  return contracts.filter(({ creation }) => creation !== "");
}
