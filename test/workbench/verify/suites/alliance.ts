// The Verifier Alliance's cases, which Sourcify and Blockscout each keep a copy of.
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod/mini";
import {
  type Case,
  checkout,
  hex,
  type LeftOut,
  librariesOf,
  librariesSchema,
  readJson,
  type Suite,
  settingsOf,
  settingsSchema,
} from "./case.ts";

const values = z.nullish(
  z.object({
    constructorArguments: z.optional(z.string()),
    libraries: z.optional(z.record(z.string(), z.string())),
  }),
);

const schema = z.object({
  version: z.string(),
  fully_qualified_name: z.string(),
  sources: z.record(z.string(), z.string()),
  compiler_settings: z.extend(settingsSchema, { libraries: z.optional(librariesSchema) }),
  deployed_creation_code: z.nullish(z.string()),
  deployed_runtime_code: z.string(),
  runtime_match: z.boolean(),
  runtime_metadata_match: z.nullish(z.boolean()),
  creation_values: values,
  runtime_values: values,
});

const levelOf = (match: boolean | null | undefined) =>
  match == null ? undefined : match ? ("exact" as const) : ("partial" as const);

function readCase(path: string): Case | LeftOut {
  const name = basename(path, ".json");
  const read = schema.parse(readJson(path));
  const [file = "", contract = ""] = read.fully_qualified_name.split(/:(?=[^:]*$)/);
  const source = read.sources[file];
  if (source === undefined || Object.keys(read.sources).length !== 1)
    return { name, leftOut: "several files" };
  return {
    name,
    file,
    contract,
    source,
    compiler: read.version,
    ...settingsOf(read.compiler_settings),
    libraries: [
      ...librariesOf(read.compiler_settings.libraries),
      ...librariesOf(read.creation_values?.libraries ?? read.runtime_values?.libraries ?? {}),
    ],
    constructorArguments: read.creation_values?.constructorArguments?.slice(2) ?? "",
    runtime: hex(read.deployed_runtime_code),
    creation: read.deployed_creation_code ? hex(read.deployed_creation_code) : undefined,
    expected: read.runtime_match ? "verified" : "refused",
    level: levelOf(read.runtime_metadata_match),
  };
}

function suiteIn(name: string, source: string, folder: string | undefined): Suite[] {
  if (folder === undefined) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return [{ name, source, cases: files.sort().map((file) => readCase(join(folder, file))) }];
}

export const allianceSuites = (): Suite[] => [
  ...suiteIn(
    "Verifier Alliance (Sourcify)",
    "sourcify, services/server/test/verifier-alliance",
    checkout("sourcify/services/server/test/verifier-alliance"),
  ),
  ...suiteIn(
    "Verifier Alliance (Blockscout)",
    "blockscout-rs, eth-bytecode-db/verifier-alliance-database-tests",
    checkout("blockscout-rs/eth-bytecode-db/verifier-alliance-database-tests/test_cases"),
  ),
];
