// The verifier: compiles what was submitted and says whether it is the source of the code on chain.
import { createHash } from "node:crypto";
import { metadataAddress } from "../metadata.ts";
import { difference } from "./compare-code.ts";
import {
  CompilerFailure,
  CompilerPool,
  defaultLimits,
  type LoadedCompiler,
} from "./compiler-pool.ts";
import {
  type CompilerVersion,
  readVersion,
  sameVersion,
  writeVersion,
} from "./compiler-version.ts";
import type { CompiledContract, CompilerOutput } from "./compiler-worker.ts";
import { argumentsError } from "./constructor-arguments.ts";
import { expectedCreation, expectedRuntime, freeMetadata } from "./expected-code.ts";
import { findCompilers } from "./find-compilers.ts";
import type { OnChainContract, Submission, Verdict, VerifiedSource, Verifier } from "./port.ts";
import {
  codeInput,
  namesInput,
  otherMetadataInput,
  type ReadSubmission,
  readSubmission,
  SubmissionError,
} from "./submission.ts";

/** With which compilers, and how much they may take. */
export interface VerifierOptions {
  /** Folders with compilers (soljson-v*.js files or packages of solc), beside those installed as npm packages. */
  readonly solc?: readonly string[];
  /** Milliseconds one submission may keep a compiler busy. Default 60,000. */
  readonly timeout?: number;
  /** Mebibytes a compiler may hold. Default 1024. */
  readonly memory?: number;
  /** How many compilers may work at the same time. Default: one less than there are cores, at least 1. */
  readonly parallel?: number;
}

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), "hex");

const listVersions = (versions: readonly CompilerVersion[]) =>
  versions.length === 0
    ? "none is installed (npm install solc, or solc-0.8.20@npm:solc@0.8.20 and the like)"
    : `at hand: ${versions.map(writeVersion).join(", ")}`;

/** The first error of the compiler, with its line. */
function compilerErrorMessage(answer: CompilerOutput, source: string): string | undefined {
  if (answer.error === null) return undefined;
  const { type, message, start } = answer.error;
  const before = start === null || start < 0 ? null : Buffer.from(source).subarray(0, start);
  const line = before === null ? "" : ` in line ${before.toString().split("\n").length}`;
  return `The source does not compile: ${type}${line}: ${message.slice(0, 500)}`;
}

/** Compiles; the answer has the contract, or there is a Refusal that says why not. */
async function compileContract(
  compiler: LoadedCompiler,
  read: ReadSubmission,
  ask = codeInput,
): Promise<CompiledContract> {
  const answer = await compiler.compile(ask(read));
  const fault = compilerErrorMessage(answer, read.source);
  if (fault !== undefined) throw new SubmissionError(fault);
  if (answer.contract === null) {
    const { names } = await compiler.compile(namesInput(read));
    const some = names.length > 20 ? [...names.slice(0, 20), "…"] : names;
    throw new SubmissionError(
      `The source has no contract ${read.contract}; it has ${some.join(", ") || "none"}`,
    );
  }
  if (answer.contract.runtime.object === "") {
    throw new SubmissionError(`${read.contract} is abstract or an interface: it has no code`);
  }
  return answer.contract;
}

/** Whether the code as compiled is the code on chain; undefined if so, else what differs. */
type Comparison = (other?: CompiledContract) => string | undefined;

function comparison(
  compiled: CompiledContract,
  read: ReadSubmission,
  onChain: OnChainContract,
): Comparison {
  const runtime = bytesOf(onChain.runtimeCode);
  // Of several creations the last one made the code that is there.
  const made = onChain.creationCodes.at(-1);
  const creation = made === undefined ? undefined : bytesOf(made);
  const expected = (contract: CompiledContract) => ({
    runtime: expectedRuntime(contract.runtime, read, runtime, onChain.address),
    creation: creation && expectedCreation(contract.creation, read, creation),
  });
  const ours = expected(compiled);
  return (other) => {
    const theirs = other && expected(other);
    const free = theirs ? freeMetadata(ours.runtime, theirs.runtime) : ours.runtime;
    const inRuntime = difference("Runtime", free, runtime);
    if (inRuntime !== undefined || creation === undefined || ours.creation === undefined) {
      return inRuntime;
    }
    const code = theirs?.creation ? freeMetadata(ours.creation, theirs.creation) : ours.creation;
    const size = code.bytes.length;
    const inCreation = difference("Creation", code, creation.subarray(0, size));
    if (inCreation !== undefined) return inCreation;
    const passed = creation.subarray(size).toString("hex");
    if (passed === read.constructorArguments) return undefined;
    return `Constructor arguments differ: ${passed === "" ? "none" : `0x${passed}`} on chain`;
  };
}

function proof(
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

/** Compares with a compiler that is loaded. */
async function compareWith(
  compiler: LoadedCompiler,
  version: string,
  read: ReadSubmission,
  onChain: OnChainContract,
): Promise<Verdict> {
  const compiled = await compileContract(compiler, read);
  const differs = comparison(compiled, read, onChain);
  const same =
    onChain.creationCodes.length > 0
      ? "Runtime code, creation code and constructor arguments are the same"
      : "Runtime code is the same (the creation is not known)";
  const exact = differs() === undefined;
  if (!exact) {
    // Only now is it worth to know where the metadata stands.
    const message = differs(await compileContract(compiler, read, otherMetadataInput));
    if (message !== undefined) return { verified: false, message };
  }
  const fault = argumentsError(compiled.abi, read.constructorArguments);
  if (fault !== undefined) return { verified: false, message: fault };
  const message = `${same}; ${exact ? "the metadata too" : "the metadata's hash is another"}`;
  return { verified: true, contract: proof(compiled, read, version, onChain, message), message };
}

/**
 * A verifier that compiles, in threads of its own, with the compilers at hand: every installed npm package `solc` and
 * `solc-*` (aliases such as `npm install solc-0.8.20@npm:solc@0.8.20`), and those in the folders given.
 *
 * @throws Error where a folder given holds no compiler
 * @example
 * const verifier = createVerifier({ timeout: 10_000 });
 * const mock = createExplorer({ chain, verifier });
 * await verifier.close();
 */
export function createVerifier(options: VerifierOptions = {}): Verifier {
  const { solc, ...limits } = options;
  const compilers = findCompilers(solc);
  const pool = new CompilerPool({ ...defaultLimits, ...limits });
  const underWay = new Map<string, Promise<Verdict>>();
  /** What compilers say of themselves, once loaded: a package's version does not tell the commit. */
  const versions = new Map(compilers.map(({ file, version }) => [file, version]));

  async function verify(submission: Submission, onChain: OnChainContract): Promise<Verdict> {
    const wanted = readVersion(submission.compiler);
    const compiler = wanted && compilers.find(({ version }) => sameVersion(version, wanted));
    const unknown = () =>
      new SubmissionError(
        `No compiler ${JSON.stringify(submission.compiler.slice(0, 80))}; ${listVersions([...versions.values()])}`,
      );
    if (!compiler) throw unknown();
    if (onChain.runtimeCode === "0x")
      throw new SubmissionError(`There is no code at ${onChain.address}`);
    const read = readSubmission(submission);
    return pool.use(compiler.file, async (loaded) => {
      const version = readVersion(loaded.version) ?? compiler.version;
      versions.set(compiler.file, version);
      if (!sameVersion(version, wanted)) throw unknown();
      return compareWith(loaded, writeVersion(version), read, onChain);
    });
  }

  const refused = (error: unknown): Verdict => {
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
        underWay.get(key) ??
        verify(submission, onChain)
          .catch(refused)
          .finally(() => underWay.delete(key));
      underWay.set(key, verdict);
      return verdict;
    },
    close: () => pool.close(),
  };
}
