// The verifier: compiles a submission and compares it with the code on chain.
import { createHash } from "node:crypto";
import { metadataAddress } from "../metadata.ts";
import { difference } from "./compare-code.ts";
import {
  CompilerFailure,
  CompilerPool,
  defaultLimits,
  type LoadedCompiler,
} from "./compiler-pool.ts";
import { readVersion, sameVersion, writeVersion } from "./compiler-version.ts";
import type { CompiledContract, CompilerOutput } from "./compiler-worker.ts";
import { argumentsError } from "./constructor-arguments.ts";
import { expectedCreation, expectedRuntime, freeMetadata } from "./expected-code.ts";
import { InstalledCompilers } from "./installed-compilers.ts";
import type { OnChainContract, Submission, Verdict, VerifiedSource, Verifier } from "./port.ts";
import {
  codeInput,
  namesInput,
  otherMetadataInput,
  type ReadSubmission,
  readSubmission,
  SubmissionError,
} from "./submission.ts";

/** The compilers of a verifier, and their limits. */
export interface VerifierOptions {
  /** Folders with compilers (soljson-v*.js files or packages of solc), in addition to installed npm packages. */
  readonly solc?: readonly string[];
  /** The time limit of one submission, in milliseconds. @default 60_000 */
  readonly timeout?: number;
  /** The memory limit of a compiler, in mebibytes. @default 1024 */
  readonly memory?: number;
  /** How many compilers may run at the same time. Default: the number of cores minus 1, at least 1. */
  readonly parallel?: number;
}

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), "hex");

/** The first error of the compiler, with its line. */
function compilerErrorMessage(output: CompilerOutput, source: string): string | undefined {
  if (output.error === null) return undefined;
  const { type, message, start } = output.error;
  const before = start === null || start < 0 ? null : Buffer.from(source).subarray(0, start);
  const line = before === null ? "" : ` in line ${before.toString().split("\n").length}`;
  return `The source does not compile: ${type}${line}: ${message.slice(0, 500)}`;
}

/** Compiles the submitted contract. @throws SubmissionError if the source has no such contract with code */
async function compileContract(
  compiler: LoadedCompiler,
  read: ReadSubmission,
  inputOf = codeInput,
): Promise<CompiledContract> {
  const output = await compiler.compile(inputOf(read));
  const fault = compilerErrorMessage(output, read.source);
  if (fault !== undefined) throw new SubmissionError(fault);
  if (output.contract === null) {
    const { names } = await compiler.compile(namesInput(read));
    const some = names.length > 20 ? [...names.slice(0, 20), "…"] : names;
    throw new SubmissionError(
      `The source has no contract ${read.contract}; it has ${some.join(", ") || "none"}`,
    );
  }
  if (output.contract.runtime.object === "") {
    throw new SubmissionError(`${read.contract} is abstract or an interface: it has no code`);
  }
  return output.contract;
}

/** Compares compiled code with the code on chain; returns what differs. `other` is compiled with other metadata. */
type Comparison = (other?: CompiledContract) => string | undefined;

function comparison(
  compiled: CompiledContract,
  read: ReadSubmission,
  onChain: OnChainContract,
): Comparison {
  const runtime = bytesOf(onChain.runtimeCode);
  // Of several creations the last one created the current code.
  const creationCode = onChain.creationCodes.at(-1);
  const creation = creationCode === undefined ? undefined : bytesOf(creationCode);
  const expected = (contract: CompiledContract) => ({
    runtime: expectedRuntime(contract.runtime, read, runtime, onChain.address),
    creation: creation && expectedCreation(contract.creation, read, creation),
  });
  const compiledCode = expected(compiled);
  return (other) => {
    const otherCode = other && expected(other);
    const free = otherCode
      ? freeMetadata(compiledCode.runtime, otherCode.runtime)
      : compiledCode.runtime;
    const inRuntime = difference("Runtime", free, runtime);
    if (inRuntime !== undefined || creation === undefined || compiledCode.creation === undefined) {
      return inRuntime;
    }
    const code = otherCode?.creation
      ? freeMetadata(compiledCode.creation, otherCode.creation)
      : compiledCode.creation;
    const size = code.bytes.length;
    const inCreation = difference("Creation", code, creation.subarray(0, size));
    if (inCreation !== undefined) return inCreation;
    const passed = creation.subarray(size).toString("hex");
    if (passed === read.constructorArguments) return undefined;
    return `Constructor arguments differ: ${passed === "" ? "none" : `0x${passed}`} on chain`;
  };
}

function verifiedSource(
  compiled: CompiledContract,
  read: ReadSubmission,
  compiler: string,
  { address, runtimeCode }: OnChainContract,
  message: string,
): VerifiedSource {
  const linked = Object.values(compiled.creation.linkReferences).flatMap(Object.keys);
  return {
    address,
    compiler,
    libraries: read.libraries.filter(({ name }) => linked.includes(name)),
    contractName: read.contract,
    runs: read.runs,
    optimizationEnabled: read.optimizationEnabled,
    code: runtimeCode,
    abi: compiled.abi,
    source: read.source,
    constructorArguments: read.constructorArguments,
    swarmSource: metadataAddress(runtimeCode),
    message,
  };
}

/** Verifies a submission with a loaded compiler. */
async function compareWith(
  compiler: LoadedCompiler,
  version: string,
  read: ReadSubmission,
  onChain: OnChainContract,
): Promise<Verdict> {
  const compiled = await compileContract(compiler, read);
  const differs = comparison(compiled, read, onChain);
  const matches =
    onChain.creationCodes.length > 0
      ? "Runtime code, creation code and constructor arguments match"
      : "Runtime code matches (the creation code is unknown)";
  const exact = differs() === undefined;
  if (!exact) {
    // Only a difference is worth a second compilation, which locates the metadata.
    const message = differs(await compileContract(compiler, read, otherMetadataInput));
    if (message !== undefined) return { verified: false, message };
  }
  const fault = argumentsError(compiled.abi, read.constructorArguments);
  if (fault !== undefined) return { verified: false, message: fault };
  const message = `${matches}; ${exact ? "so does the metadata" : "the metadata hash differs"}`;
  return {
    verified: true,
    contract: verifiedSource(compiled, read, version, onChain, message),
    message,
  };
}

/**
 * Creates a verifier that compiles in its own threads with every compiler found: npm packages `solc` and `solc-*` (aliases such as
 * `npm install solc-0.8.20@npm:solc@0.8.20`), and those in the given folders.
 *
 * @throws Error if a given folder has no compiler
 * @example
 * const verifier = createVerifier({ timeout: 10_000 });
 * const mock = createExplorer({ chain, verifier });
 * await verifier.close();
 */
export function createVerifier(options: VerifierOptions = {}): Verifier {
  const { solc, ...limits } = options;
  const compilers = new InstalledCompilers(solc);
  const pool = new CompilerPool({ ...defaultLimits, ...limits });
  const pending = new Map<string, Promise<Verdict>>();

  async function verify(submission: Submission, onChain: OnChainContract): Promise<Verdict> {
    const requested = readVersion(submission.compiler);
    const compiler = requested && compilers.find(requested);
    const unknown = () => new SubmissionError(compilers.missing(submission.compiler));
    if (!compiler) throw unknown();
    if (onChain.runtimeCode === "0x") throw new SubmissionError(`No code at ${onChain.address}`);
    const read = readSubmission(submission);
    return pool.use(compiler.file, async (loaded) => {
      const version = readVersion(loaded.version) ?? compiler.version;
      compilers.noteVersion(compiler.file, version);
      if (!sameVersion(version, requested)) throw unknown();
      return compareWith(loaded, writeVersion(version), read, onChain);
    });
  }

  const toVerdict = (error: unknown): Verdict => {
    if (error instanceof SubmissionError || error instanceof CompilerFailure) {
      return { verified: false, message: error.message };
    }
    throw error;
  };

  return {
    verify(submission, onChain) {
      const key = createHash("sha256")
        .update(JSON.stringify([submission, onChain]))
        .digest("hex");
      const verdict =
        pending.get(key) ??
        verify(submission, onChain)
          .catch(toVerdict)
          .finally(() => pending.delete(key));
      pending.set(key, verdict);
      return verdict;
    },
    close: () => pool.close(),
  };
}
