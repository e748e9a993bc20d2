// Compares a compiled contract with the one on chain: runtime code, creation code, constructor arguments.
import { difference, type ExpectedCode, probableCause } from "./compare-code.ts";
import type { CompiledContract } from "./compiler-worker.ts";
import { argumentsError, quoteArguments } from "./constructor-arguments.ts";
import {
  expectedCreation,
  expectedRuntime,
  freeLikelyMetadata,
  freeMetadata,
  withoutMetadata,
} from "./expected-code.ts";
import type { OnChainContract } from "./port.ts";
import type { ReadSubmission } from "./submission.ts";

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), "hex");

/** A contract's code on chain. */
export interface ChainCode {
  readonly address: string;
  readonly runtime: Buffer;
  /** With constructor arguments; undefined if the chain does not show the creation. */
  readonly creation: Buffer | undefined;
}

export function chainCode({ address, runtimeCode, creationCodes }: OnChainContract): ChainCode {
  // Of several creations the last one created the current code.
  const creation = creationCodes.at(-1);
  return {
    address,
    runtime: bytesOf(runtimeCode),
    creation: creation === undefined ? undefined : bytesOf(creation),
  };
}

interface Expected {
  readonly runtime: ExpectedCode;
  readonly creation: ExpectedCode;
}

function expectedCode(
  { creation, runtime }: CompiledContract,
  read: ReadSubmission,
  onChain: ChainCode,
): Expected {
  const expected = expectedRuntime(runtime, read, onChain.address);
  const cut = withoutMetadata(expected);
  return {
    runtime: cut.bytes.length === onChain.runtime.length ? cut : expected,
    creation: expectedCreation(creation, read),
  };
}

/** Names the libraries that the submission has no address for, with the chain's if all else matches. */
function missingLibraries(
  codes: readonly (readonly [ExpectedCode, Buffer])[],
  differs: string | undefined,
): string | undefined {
  const found = new Map<string, string>();
  for (const [{ missing }, actual] of codes)
    for (const { library, start, length } of missing)
      if (!found.has(library))
        found.set(library, actual.subarray(start, start + length).toString("hex"));
  if (found.size === 0) return undefined;
  const names = [...found].map(([library, address]) =>
    differs === undefined
      ? `Library ${library} has no address in the submission; the chain has 0x${address}`
      : `Library ${library} has no address in the submission`,
  );
  return [...names, ...(differs === undefined ? [] : [`apart from that: ${differs}`])].join("; ");
}

export class Comparison {
  readonly #read: ReadSubmission;
  readonly #onChain: ChainCode;
  readonly #compiled: CompiledContract;
  readonly #expected: Expected;

  constructor(compiled: CompiledContract, read: ReadSubmission, onChain: ChainCode) {
    this.#read = read;
    this.#onChain = onChain;
    this.#compiled = compiled;
    this.#expected = expectedCode(compiled, read, onChain);
  }

  /** Whether a hash of metadata may be all that differs. */
  get mayDifferInMetadata(): boolean {
    return this.#expected.runtime.bytes.length === this.#onChain.runtime.length;
  }

  /** What differs; undefined if nothing does. */
  difference(): string | undefined {
    return this.#differenceFrom(this.#expected);
  }

  /** What differs beside the hashes of metadata; `other` is the contract compiled with other metadata. */
  differenceInProgram(other: CompiledContract): string | undefined {
    const expected = expectedCode(other, this.#read, this.#onChain);
    return this.#differenceFrom({
      runtime: freeMetadata(this.#expected.runtime, expected.runtime),
      creation: freeMetadata(this.#expected.creation, expected.creation),
    });
  }

  /** Whether the runtime code matches, as far as one compilation can tell. */
  get runtimeLikelyMatches(): boolean {
    const { runtime } = this.#onChain;
    const expected = freeLikelyMetadata(this.#expected.runtime, runtime);
    return difference("Runtime", expected, runtime, () => "") === undefined;
  }

  #differenceFrom({ runtime: expected, creation: created }: Expected): string | undefined {
    const { runtime, creation } = this.#onChain;
    const init = creation?.subarray(0, created.bytes.length);
    const differs =
      difference("Runtime", expected, runtime, () => probableCause(expected.bytes, runtime)) ??
      (init &&
        difference("Creation", created, init, () =>
          init.length < created.bytes.length
            ? "the runtime code matches, so the constructor differs"
            : "the runtime code matches, so the constructor, what it creates or the start of a state variable differs",
        ));
    return (
      missingLibraries(
        [[expected, runtime] as const, ...(init ? [[created, init] as const] : [])],
        differs,
      ) ??
      differs ??
      this.#argumentsDifference(creation?.subarray(created.bytes.length))
    );
  }

  /** Arguments on chain need not be canonical; where they are not known, the submitted ones must at least fit. */
  #argumentsDifference(passed: Buffer | undefined): string | undefined {
    const { constructorArguments } = this.#read;
    if (passed === undefined) return argumentsError(this.#compiled.abi, constructorArguments);
    const actual = passed.toString("hex");
    if (actual === constructorArguments) return undefined;
    return `Constructor arguments differ: ${quoteArguments(actual)} on chain`;
  }
}
