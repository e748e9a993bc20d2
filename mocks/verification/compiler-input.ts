// The compiler's standard JSON input for a submission.
import type { CodeForm } from "./code-form.ts";
import { type CompilerVersion, isSince } from "./compiler-version.ts";
import type { CompilerInput } from "./compiler-worker.ts";
import type { ReadSubmission } from "./submission.ts";

/** The outputs requested for every contract: they cost no code generation. */
const outlineOutputs = ["metadata", "evm.methodIdentifiers"];

const codeOutputs = [
  ...outlineOutputs,
  "abi",
  "evm.legacyAssembly",
  "evm.bytecode.object",
  "evm.bytecode.sourceMap",
  "evm.bytecode.linkReferences",
  "evm.deployedBytecode.object",
  "evm.deployedBytecode.sourceMap",
  "evm.deployedBytecode.linkReferences",
  "evm.deployedBytecode.immutableReferences",
];

/** From here on a setting keeps the model checker from its solvers: smtlib2 is one that no compiler has built in. */
const SINCE_SOLVERS = "0.8.20";
/** The first compilers with a solver built in. */
const SINCE_CHECKER = "0.6.0";

const contents = (sources: ReadSubmission["sources"]) =>
  Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }]));

/**
 * The model checker (SMTChecker) proves what no bytecode depends on, and takes any amount of time: it is switched off where the compiler can
 * do without; else the compiler's thread refuses its pragma.
 */
export function compilerInput(
  read: ReadSubmission,
  version: CompilerVersion,
  form: CodeForm,
  allContracts: boolean,
): CompilerInput {
  const { contract, sources, optimizationEnabled, runs, evmVersion, settings } = read;
  const { remappings, details, debug, useLiteralContent } = settings;
  const { viaIR } = form;
  const metadata = { ...form.metadata, ...(useLiteralContent ? { useLiteralContent } : {}) };
  const hasSolvers = isSince(version, SINCE_SOLVERS);
  const input = {
    language: "Solidity",
    sources: contents(sources),
    settings: {
      ...(remappings?.length ? { remappings } : {}),
      optimizer: { enabled: optimizationEnabled, runs, ...(details ? { details } : {}) },
      ...(debug ? { debug } : {}),
      ...(evmVersion === null ? {} : { evmVersion }),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
      ...(viaIR ? { viaIR } : {}),
      ...(hasSolvers ? { modelChecker: { solvers: ["smtlib2"] } } : {}),
      outputSelection: {
        "*": allContracts ? { "*": codeOutputs } : { "*": outlineOutputs, [contract]: codeOutputs },
      },
    },
  };
  return {
    input: JSON.stringify(input),
    contract,
    refuseModelChecker: isSince(version, SINCE_CHECKER) && !hasSolvers,
  };
}
