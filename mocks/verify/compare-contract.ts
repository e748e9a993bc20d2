// Compares a compiled contract with the one on chain, except immutables and metadata hashes.

import { lastMetadata, type Metadata, type Span } from "../ingest/metadata.ts";
import type { OnChainContract } from "../operations/verifier.ts";
import { bytesOf, digitsOf, isEqual } from "./code-form.ts";
import type { Compiled } from "./compilation.ts";
import { argumentsError, quoteArguments } from "./constructor-arguments.ts";
import {
  type ExpectedCode,
  expectedCreation,
  expectedRuntime,
  freeMetadata,
  ownMetadata,
  type Region,
} from "./expected-code.ts";
import type { ReadSubmission } from "./submission.ts";

export interface ChainCode {
  readonly address: string;
  readonly runtime: Uint8Array;
  /** Creation code with arguments; undefined if the chain does not show the creation. */
  readonly creation: Uint8Array | undefined;
}

export function chainCode({ address, runtimeCode, creationCodes }: OnChainContract): ChainCode {
  // The last of several creations created the current code.
  const creation = creationCodes.at(-1);
  return {
    address,
    runtime: bytesOf(runtimeCode.slice(2)),
    creation: creation === undefined ? undefined : bytesOf(creation.slice(2)),
  };
}

interface Expected {
  readonly runtime: ExpectedCode;
  readonly creation: ExpectedCode;
}

/** Whether the metadata hash of matching code equals the compiled hash, differs, or is absent. */
export type MetadataMatch = "equal" | "other" | "none";

export interface Match {
  readonly metadata: MetadataMatch;
  /** Hexadecimal without 0x; empty if the creation code is unknown. */
  readonly constructorArguments: string;
  /** Whether the bytes that may differ have a jump target that the compiled code does not have. */
  readonly otherTargets: boolean;
}

/**
 * Names libraries without an address in the submission. Adds their addresses on chain, if all else
 * matches.
 */
function missingLibraries(
  codes: readonly (readonly [ExpectedCode, Uint8Array])[],
  differs: string | undefined,
): string | undefined {
  const addresses = new Map<string, string>();
  for (const [{ missing }, actual] of codes)
    for (const region of missing) addresses.set(region.library, hexAt(actual, region));
  if (addresses.size === 0) return undefined;
  const names = [...addresses].map(([library, address]) =>
    differs === undefined
      ? `Library ${library} has no address in the submission; the chain has ${address}`
      : `Library ${library} has no address in the submission`,
  );
  return [...names, ...(differs === undefined ? [] : [`apart from that: ${differs}`])].join("; ");
}

/**
 * Compares constructor arguments. If the arguments on chain are unknown, submitted ones must be
 * valid.
 */
function argumentsDifference(
  passed: string | undefined,
  { constructorArguments: submitted }: ReadSubmission,
  abi: Compiled["abi"],
): string | undefined {
  if (passed === undefined) return submitted ? argumentsError(abi, submitted) : undefined;
  if (submitted === undefined) {
    const error = argumentsError(abi, passed);
    return error && `Constructor arguments on chain: ${error}`;
  }
  return passed === submitted
    ? undefined
    : `Constructor arguments differ: ${quoteArguments(passed)} on chain`;
}

export function compareContract(
  compiled: Compiled,
  read: ReadSubmission,
  { address, runtime, creation }: ChainCode,
): Match | { readonly differs: string } {
  const expected: Expected = {
    runtime: expectedRuntime(compiled.runtime, read, address),
    creation: expectedCreation(compiled.creation, read),
  };

  const passed = creation && digitsOf(creation.subarray(expected.creation.bytes.length));
  const constructorArguments = passed ?? "";

  const differenceFrom = ({ runtime: code, creation: created }: Expected): string | undefined => {
    const init = creation?.subarray(0, created.bytes.length);
    const differs =
      difference("Runtime", code, runtime, () => probableCause(code.bytes, runtime)) ??
      (init &&
        difference("Creation", created, init, () =>
          init.length < created.bytes.length
            ? "the runtime code matches, so the constructor differs"
            : "the runtime code matches, so the constructor, what it creates or the start of a state variable differs",
        ));
    return (
      missingLibraries(
        [[code, runtime] as const, ...(init ? [[created, init] as const] : [])],
        differs,
      ) ??
      differs ??
      argumentsDifference(passed, read, compiled.abi)
    );
  };
  if (differenceFrom(expected) === undefined) {
    const metadata = ownMetadata(expected.runtime)?.hash ? "equal" : "none";
    return { metadata, constructorArguments, otherTargets: false };
  }
  const differs = differenceFrom({
    runtime: freeMetadata(expected.runtime),
    creation: freeMetadata(expected.creation),
  });
  if (differs !== undefined) return { differs };
  const otherTargets =
    hasOtherTargets(expected.runtime, runtime) ||
    (creation !== undefined && hasOtherTargets(expected.creation, creation));
  return { metadata: "other", constructorArguments, otherTargets };
}

const inside = (at: number, { start, length }: Span) => at >= start && at < start + length;

/** Finds the first byte that must not differ but does, or the end of the shorter code. */
function firstDifference({ bytes, regions }: ExpectedCode, actual: Uint8Array): number | undefined {
  const free = regions.filter(({ freedom }) => freedom !== "none");
  const common = Math.min(bytes.length, actual.length);
  for (let at = 0; at < common; at++) {
    if (bytes[at] === actual[at]) continue;
    const region = free.find((candidate) => inside(at, candidate));
    if (region === undefined) return at;
    at = region.start + region.length - 1;
  }
  if (bytes.length !== actual.length) return common;
  return immutableDifference(free, actual);
}

/** Finds an immutable whose value differs between two places. */
function immutableDifference(regions: readonly Region[], actual: Uint8Array): number | undefined {
  const values = new Map<string, Uint8Array>();
  for (const { start, length, freedom } of regions) {
    if (typeof freedom !== "object") continue;
    const value = actual.subarray(start, start + length);
    const earlier = values.get(freedom.immutable);
    if (earlier !== undefined && !isEqual(earlier, value)) return start;
    values.set(freedom.immutable, value);
  }
  return undefined;
}

/** The name of the region of a byte. */
function regionAt({ regions, metadata }: ExpectedCode, at: number): string {
  const region = regions.find((candidate) => inside(at, candidate));
  if (region !== undefined) return region.name;
  return metadata.some((map) => inside(at, map)) ? "the metadata (hash apart)" : "the program";
}

const hexAt = (code: Uint8Array, { start, length }: Span) =>
  `0x${digitsOf(code.subarray(start, start + length))}`;

const [JUMPDEST, PUSH1, PUSH32] = [0x5b, 0x60, 0x7f];

/** The positions of all JUMPDEST instructions. A jump can lead to no other byte. */
function jumpTargets(code: Uint8Array): Set<number> {
  const targets = new Set<number>();
  for (let at = 0; at < code.length; at++) {
    const instruction = code[at] ?? 0;
    if (instruction === JUMPDEST) targets.add(at);
    // Pushed bytes are data, not instructions.
    else if (instruction >= PUSH1 && instruction <= PUSH32) at += instruction - PUSH1 + 1;
  }
  return targets;
}

function hasOtherTargets({ bytes }: ExpectedCode, actual: Uint8Array): boolean {
  const compiled = jumpTargets(bytes);
  return [...jumpTargets(actual.subarray(0, bytes.length))].some((target) => !compiled.has(target));
}

/** Describes the first difference. `cause` explains a difference in the program. */
export function difference(
  kind: "Runtime" | "Creation",
  expected: ExpectedCode,
  actual: Uint8Array,
  cause: () => string,
): string | undefined {
  const at = firstDifference(expected, actual);
  if (at === undefined) return undefined;
  const where = `${kind} code differs from byte ${at} on, in ${regionAt(expected, at)}`;
  const fixed = expected.regions.find(
    ({ freedom, ...span }) => freedom === "none" && inside(at, span),
  );
  if (fixed !== undefined) {
    return `${where}: ${hexAt(actual, fixed)} on chain, ${hexAt(expected.bytes, fixed)} submitted`;
  }
  const sizes = `${actual.length} bytes on chain, ${expected.bytes.length} compiled`;
  return `${where} (${sizes}): ${cause()}`;
}

/** Guesses why runtime codes differ, from the compilers that their metadata names. */
function probableCause(compiled: Uint8Array, actual: Uint8Array): string {
  const [onChain, submitted] = [lastMetadata(actual), lastMetadata(compiled)];
  const settings = "the source, the optimizer, its runs or the EVM version differs";
  if (onChain === null || submitted === null)
    return `the code on chain has ${onChain === null ? "no" : "other"} metadata to tell its compiler by: the compiler version, or ${settings}`;
  if (onChain.compiler === null || submitted.compiler === null)
    return onChain.compiler === submitted.compiler && onChain.kind === submitted.kind
      ? `both have ${submitted.kind} metadata, which does not name the compiler: the compiler version, or ${settings}`
      : `another compiler version: the code on chain was compiled ${writer(onChain)}, this source ${writer(submitted)}`;
  return onChain.compiler === submitted.compiler
    ? `both were compiled by ${submitted.compiler}, so ${settings}`
    : `another compiler version: the code on chain was compiled by ${onChain.compiler}, this source by ${submitted.compiler}`;
}

const writer = ({ compiler, kind }: Metadata) =>
  compiler === null ? `by an unnamed compiler, with ${kind} metadata` : `by ${compiler}`;
