// Judges a submission: compiles it in the likely forms, compares, and says what is proven.

import * as z from "zod/mini";
import type { CompiledFiles, UncoveredRegion } from "../chain/records.ts";
import { metadataAddress } from "../ingest/metadata.ts";
import { describeProxy } from "../operations/proxy.ts";
import type { OnChainContract, Verdict } from "../operations/verifier.ts";
import { type CodeForm, formsOf } from "./code-form.ts";
import {
  type ChainCode,
  chainCode,
  compareContract,
  type Match,
  type MetadataMatch,
} from "./compare-contract.ts";
import {
  type Compiled,
  type CompilerLibraries,
  compileContract,
  SourceError,
} from "./compilation.ts";
import { type CompilerVersion, writeVersion } from "./compiler-version.ts";
import type { LoadedCompiler } from "./loaded-compiler.ts";
import type { Library, ReadSubmission } from "./submission.ts";

/** A submission, and the compiler to verify it with. */
export interface Trial {
  readonly compiler: LoadedCompiler;
  readonly version: CompilerVersion;
  readonly read: ReadSubmission;
  readonly onChain: OnChainContract;
}

/** The result of compiling in one form. */
type Attempt =
  | { readonly compiled: Compiled; readonly match: Match }
  | { readonly isCompiled: boolean; readonly differs: string };

type LinkedLibrary = Library & { readonly file: string };

function linkedLibraries(
  { creation, runtime }: Compiled,
  { libraries }: ReadSubmission,
): LinkedLibrary[] {
  const files = [creation, runtime].flatMap(({ linkReferences }) => Object.entries(linkReferences));
  return libraries.flatMap((library) => {
    const [file] =
      files.find(
        ([path, names]) => (library.file ?? path) === path && Object.hasOwn(names, library.name),
      ) ?? [];
    return file === undefined ? [] : [{ ...library, file }];
  });
}

async function tryForm(
  { compiler, version, read }: Trial,
  chain: ChainCode,
  form: CodeForm,
): Promise<Attempt> {
  const compiled = await compileContract(compiler, read, version, form);
  const comparison = compareContract(compiled, read, chain);
  if ("differs" in comparison) return { isCompiled: true, ...comparison };
  if (comparison.metadata !== "other" || read.libraries.length === 0)
    return { compiled, match: comparison };
  // If the compiler linked the libraries, the metadata names them, which changes its hash.
  const linked = await compileContract(compiler, read, version, form, librariesOf(compiled, read));
  const match = compareContract(linked, read, chain);
  return { compiled, match: "differs" in match ? comparison : match };
}

/** Returns all submitted libraries by file and name, because the metadata names unused ones, too. */
function librariesOf(compiled: Compiled, read: ReadSubmission): CompilerLibraries {
  const byFile: Record<string, Record<string, string>> = {};
  const used = linkedLibraries(compiled, read);
  for (const library of read.libraries) {
    const { file } = used.find(({ name }) => name === library.name) ?? library;
    const libraryFile = file ?? compiled.file;
    byFile[libraryFile] = { ...byFile[libraryFile], [library.name]: library.address };
  }
  return byFile;
}

/** Like `tryForm`, but counts a form in which the compiler fails to generate code as different. */
async function tryOtherForm(trial: Trial, chain: ChainCode, form: CodeForm): Promise<Attempt> {
  try {
    return await tryForm(trial, chain, form);
  } catch (error) {
    if (error instanceof SourceError && error.inCode)
      return { isCompiled: false, differs: error.message };
    throw error;
  }
}

/** An unnamed function with a body: the fallback function of compilers before 0.6. */
const FALLBACK = /\bfunction\s*\(\s*\)\s*(?:(?:external|public|payable)\s*)*\{/g;

/**
 * Whether the code of a source may jump to any position: in assembly, or through a variable of a
 * function type, which a delegatecall or a huge array may overwrite.
 */
const mayJumpAnywhere = ({ sources }: ReadSubmission) =>
  Object.values(sources).some((source) =>
    /\b(?:assembly|delegatecall|callcode)\b|\bfunction\b(?!\s+[A-Za-z_$])/.test(
      source.replaceAll(FALLBACK, ""),
    ),
  );

const metadataMessages: Readonly<Record<MetadataMatch, string>> = {
  equal: "so does the metadata",
  other: "the metadata hash differs",
  none: "the code has no metadata hash",
};

/** Returns the files and source maps. The page uses them to find the line that failed. */
function compiledFiles(
  { files, runtime, creation, storage }: Compiled,
  { sources }: ReadSubmission,
  { optimizationEnabled, viaIR }: UsedSource,
): CompiledFiles {
  const named = Array.from(
    files,
    ([id, name]) => [id, { name, text: sources[name] ?? "" }] as const,
  );
  return {
    files: new Map(named),
    runtime: runtime.sourceMap,
    creation: creation.sourceMap,
    isPlain: !optimizationEnabled && !viaIR,
    ...(storage && { storage }),
  };
}

const hasImmutables = ({ runtime }: Compiled): boolean =>
  Object.keys(runtime.immutableReferences).length > 0;

function acceptedVerdict(
  trial: Trial,
  chain: ChainCode,
  compiled: Compiled,
  { metadata, constructorArguments, otherTargets }: Match,
): Verdict {
  const { version, read, onChain } = trial;
  const { address, runtimeCode } = onChain;
  const isCreationKnown = chain.creation !== undefined;
  const isExact = metadata === "equal";
  const uncovered: readonly UncoveredRegion[] = [
    // Only the metadata proves the names in the ABI, and which functions are view or pure.
    ...(isExact ? [] : (["metadata hash", "ABI"] as const)),
    ...(isCreationKnown ? [] : (["creation code"] as const)),
    // The creation code sets the immutables.
    ...(isCreationKnown || !hasImmutables(compiled) ? [] : (["immutables"] as const)),
    ...(otherTargets && mayJumpAnywhere(read)
      ? (["code that can be reached in the metadata"] as const)
      : []),
  ];
  const matches = isCreationKnown
    ? "Runtime code, creation code and constructor arguments match"
    : "Runtime code matches (the creation code is unknown)";
  const message = `${matches}; ${metadataMessages[metadata]}`;
  const libraries = linkedLibraries(compiled, read);
  const used = usedSource(read, compiled, libraries);
  return {
    verified: true,
    message,
    contract: {
      address,
      compiler: writeVersion(version),
      libraries: libraries.map(({ name, address }) => ({ name, address })),
      contractName: read.contract,
      ...used,
      code: runtimeCode,
      abi: compiled.abi,
      constructorArguments,
      swarmSource: metadataAddress(runtimeCode),
      message,
      level: isExact ? "exact" : "partial",
      uncovered,
      compiled: compiledFiles(compiled, read, used),
    },
  };
}

/** Verifies a submission. @throws SubmissionError if it cannot be compiled */
export async function verifySubmission(trial: Trial): Promise<Verdict> {
  const { read, version, onChain } = trial;
  const chain = chainCode(onChain);
  const forms = formsOf(chain.runtime, version, read.settings.viaIR);
  const attempts: Extract<Attempt, { differs: string }>[] = [];
  for (const form of forms) {
    const attempt = await (forms.length > 1 ? tryOtherForm : tryForm)(trial, chain, form);
    if ("match" in attempt) return acceptedVerdict(trial, chain, attempt.compiled, attempt.match);
    attempts.push(attempt);
  }
  const failed = attempts.find(({ isCompiled }) => isCompiled) ?? attempts[0];
  const reason = failed?.differs ?? "No form of the source compiles";
  const proxy = onChain.proxy && describeProxy(onChain.address, onChain.proxy);
  return { verified: false, message: proxy ? `${proxy}; ${reason}` : reason };
}

/** The parts of a compiler's metadata file that are used. */
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
  /** The text of the only file, or a standard JSON input of the files that the compiler read. */
  readonly source: string;
  readonly optimizationEnabled: boolean;
  readonly runs: number;
  /** Null for compilers before 0.4.21, because their metadata does not name it. */
  readonly evmVersion: string | null;
  readonly viaIR: boolean;
}

/** Returns the source and settings that a compilation used, as its metadata lists them. */
function usedSource(
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
