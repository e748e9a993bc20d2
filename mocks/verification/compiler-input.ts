// The compiler's standard JSON input for a submission.
import type { CodeForm } from "./code-form.ts";
import { type CompilerVersion, isSince } from "./compiler-version.ts";
import type { CompilerInput } from "./compiler-worker.ts";
import { type ReadSubmission, SubmissionError } from "./submission.ts";

const codeOutputs = [
  "abi",
  "evm.methodIdentifiers",
  "evm.bytecode.object",
  "evm.bytecode.linkReferences",
  "evm.deployedBytecode.object",
  "evm.deployedBytecode.linkReferences",
  "evm.deployedBytecode.immutableReferences",
];

/** What to compile, and how. */
export interface Wanted {
  readonly form: CodeForm;
  /** Compile the code of all contracts. */
  readonly all?: boolean;
  /** Compile the same program with other metadata. */
  readonly otherMetadata?: boolean;
  /** Let the compiler link the submitted libraries: the metadata names them then. */
  readonly linked?: boolean;
  /** Only list the contracts. */
  readonly names?: boolean;
}

/** The addresses of libraries by their files; one of no file is looked for in that of the contract. */
function addressesOf({ libraries, file }: ReadSubmission) {
  const addresses: Record<string, Record<string, string>> = { [file]: {} };
  for (const { file: own = file, name, address } of libraries)
    addresses[own] = { ...addresses[own], [name]: address };
  return addresses;
}

/** An empty line at the end changes only the hash of a source. */
const withOtherHashes = (sources: ReadSubmission["sources"]) =>
  Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, `${source}\n`]));

const contents = (sources: ReadSubmission["sources"]) =>
  Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }]));

export function compilerInput(
  read: ReadSubmission,
  version: CompilerVersion,
  { form, all = false, otherMetadata = false, linked = false, names = false }: Wanted,
): CompilerInput {
  const { contract, file, sources, optimizationEnabled, runs, evmVersion, settings } = read;
  const { remappings, details, debug, useLiteralContent } = settings;
  const { viaIR } = form;
  const metadata = { ...form.metadata, ...(useLiteralContent ? { useLiteralContent } : {}) };
  const outputs = names ? { "*": ["abi"] } : { [all ? "*" : contract]: codeOutputs };
  const input = {
    language: "Solidity",
    sources: contents(otherMetadata ? withOtherHashes(sources) : sources),
    settings: {
      ...(remappings?.length ? { remappings } : {}),
      optimizer: { enabled: optimizationEnabled, runs, ...(details ? { details } : {}) },
      ...(debug ? { debug } : {}),
      ...(evmVersion === null ? {} : { evmVersion }),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
      ...(viaIR ? { viaIR } : {}),
      ...(linked ? { libraries: addressesOf(read) } : {}),
      ...(isSince(version, SINCE_SOLVERS) ? { modelChecker: { solvers: ["smtlib2"] } } : {}),
      outputSelection: { [file]: outputs },
    },
  };
  return { input: JSON.stringify(input), file };
}

/** From here on a setting keeps the model checker from its solvers: smtlib2 is one that no compiler has built in. */
const SINCE_SOLVERS = "0.8.20";
/** The first compilers with a solver built in. */
const SINCE_CHECKER = "0.6.0";

const commentOrText =
  /"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*'|\/\/[^\n\v\f\r\u2028\u2029]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const experiment = /\bpragma\s+experimental\s*([^;]*);/g;
/** What `pragma experimental` may name beside the model checker. */
const harmless = /^["']?(ABIEncoderV2|v0\.5\.0|solidity)["']?\s*$/;

/**
 * The model checker (SMTChecker) proves what no bytecode depends on, and takes any amount of time: it is switched off where the compiler can
 * do without, else its pragma is refused.
 *
 * @throws SubmissionError if the source asks for it and it cannot be switched off
 */
export function refuseModelChecker({ sources }: ReadSubmission, version: CompilerVersion): void {
  if (isSince(version, SINCE_SOLVERS) || !isSince(version, SINCE_CHECKER)) return;
  for (const source of Object.values(sources)) {
    const code = source.replace(commentOrText, (found) => (found.startsWith("/") ? " " : found));
    for (const [pragma, experimental = ""] of code.matchAll(experiment)) {
      if (!harmless.test(experimental))
        throw new SubmissionError(
          `The source has ${JSON.stringify(pragma.slice(0, 80))}, which makes ${version.release} run the model checker: remove this line, the code stays the same`,
        );
    }
  }
}
