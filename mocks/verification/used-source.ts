// The recorded source of a contract: the files and settings that its metadata names, and nothing else that was submitted.
import * as z from "zod/mini";
import type { Compiled } from "./compilation.ts";
import type { ReadSubmission } from "./submission.ts";

/** The part of a compiler's metadata file that is read here. */
const metadataSchema = z.object({
  sources: z.record(z.string(), z.unknown()),
  settings: z.looseObject({
    compilationTarget: z.unknown(),
    libraries: z.unknown(),
    optimizer: z.looseObject({ enabled: z.optional(z.boolean()), runs: z.optional(z.number()) }),
    evmVersion: z.optional(z.string()),
    viaIR: z.optional(z.boolean()),
  }),
});

export interface UsedSource {
  /** The text of the only file, else a standard JSON input of the files that were read. */
  readonly source: string;
  readonly optimizationEnabled: boolean;
  readonly runs: number;
  /** Null where the compiler does not say (before 0.4.21). */
  readonly evmVersion: string | null;
  readonly viaIR: boolean;
}

/** What a compilation used of a submission. `linked`: the libraries that were linked, by file and name. */
export function usedSource(
  read: ReadSubmission,
  { metadata }: Compiled,
  linked: readonly { readonly file: string; readonly name: string; readonly address: string }[],
): UsedSource {
  const { sources, settings } = z.parse(metadataSchema, JSON.parse(metadata));
  const { compilationTarget, libraries, ...used } = settings;
  const files = Object.entries(read.sources).filter(([file]) => Object.hasOwn(sources, file));
  const [[, text] = ["", ""]] = files;
  const addresses: Record<string, Record<string, string>> = {};
  for (const { file, name, address } of linked)
    addresses[file] = { ...addresses[file], [name]: address };
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(files.map(([file, content]) => [file, { content }])),
    settings: { ...used, ...(linked.length === 0 ? {} : { libraries: addresses }) },
  };
  return {
    source: files.length === 1 ? text : JSON.stringify(input),
    optimizationEnabled: used.optimizer.enabled ?? read.optimizationEnabled,
    runs: used.optimizer.runs ?? read.runs,
    evmVersion: used.evmVersion ?? null,
    viaIR: used.viaIR ?? false,
  };
}
