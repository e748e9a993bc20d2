// Compares a compiled contract with the one on chain: runtime code, creation code, constructor arguments.
import { bytesOf, digitsOf } from "./code-form.ts";
import { difference, hasOtherTargets, probableCause } from "./compare-code.ts";
import type { Compiled } from "./compilation.ts";
import { argumentsError, quoteArguments } from "./constructor-arguments.ts";
import {
  type ExpectedCode,
  expectedCreation,
  expectedRuntime,
  freeMetadata,
  ownMetadata,
  withHashes,
  withoutMetadata,
} from "./expected-code.ts";
import type { OnChainContract } from "./port.ts";
import type { ReadSubmission } from "./submission.ts";

/** A contract's code on chain. */
export interface ChainCode {
  readonly address: string;
  readonly runtime: Uint8Array;
  /** With constructor arguments; undefined if the chain does not show the creation. */
  readonly creation: Uint8Array | undefined;
}

export function chainCode({ address, runtimeCode, creationCodes }: OnChainContract): ChainCode {
  // Of several creations the last one created the current code.
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

/** What equal code shows of the metadata: its hash is equal or another, it has none, or it was cut off. */
export type MetadataMatch = "equal" | "other" | "none" | "cut";

/** How the codes match. */
export interface Match {
  readonly metadata: MetadataMatch;
  /** Hexadecimal without 0x; empty where nothing proves them. */
  readonly constructorArguments: string;
  /** Jumps may lead into bytes that are free to differ, should the program jump anywhere. */
  readonly otherTargets: boolean;
}

/** Names the libraries that the submission has no address for, with the chain's if all else matches. */
function missingLibraries(
  codes: readonly (readonly [ExpectedCode, Uint8Array])[],
  differs: string | undefined,
): string | undefined {
  const found = new Map<string, string>();
  for (const [{ missing }, actual] of codes)
    for (const { library, start, length } of missing)
      if (!found.has(library)) found.set(library, digitsOf(actual.subarray(start, start + length)));
  if (found.size === 0) return undefined;
  const names = [...found].map(([library, address]) =>
    differs === undefined
      ? `Library ${library} has no address in the submission; the chain has 0x${address}`
      : `Library ${library} has no address in the submission`,
  );
  return [...names, ...(differs === undefined ? [] : [`apart from that: ${differs}`])].join("; ");
}

/** Arguments on chain need not be canonical, unless nobody submits them; where they are not known, those submitted must at least fit. */
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

/**
 * Compares the contract on chain with what was compiled. `linkedHashes`: what the hashes of metadata, hexadecimal, would be if the compiler had
 * linked the libraries.
 */
export function compareContract(
  compiled: Compiled,
  read: ReadSubmission,
  { address, runtime, creation }: ChainCode,
  linkedHashes: readonly ReadonlyMap<string, Uint8Array>[],
): Match | { readonly differs: string } {
  const whole = expectedRuntime(compiled.runtime, read, address);
  const cut = withoutMetadata(whole);
  const isCut = cut !== whole && cut.bytes.length === runtime.length;
  const expected: Expected = {
    runtime: isCut ? cut : whole,
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
  const each = (change: (code: ExpectedCode) => ExpectedCode): Expected => ({
    runtime: change(expected.runtime),
    creation: change(expected.creation),
  });

  const linked = linkedHashes.map((hashes) => each((code) => withHashes(code, hashes)));
  if ([expected, ...linked].some((candidate) => differenceFrom(candidate) === undefined)) {
    const hash = isCut ? undefined : ownMetadata(expected.runtime)?.hash;
    const metadata = isCut ? "cut" : hash ? "equal" : "none";
    return { metadata, constructorArguments, otherTargets: false };
  }
  const differs = differenceFrom(each(freeMetadata));
  if (differs !== undefined) return { differs };
  return {
    metadata: isCut ? "cut" : "other",
    constructorArguments,
    otherTargets:
      hasOtherTargets(expected.runtime, runtime) ||
      (creation !== undefined && hasOtherTargets(expected.creation, creation)),
  };
}
