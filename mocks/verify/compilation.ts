// Compiles a submission: writes the compiler's input, and finds the contract in its output.
import { MAX_NAME_LENGTH } from "../ingest/head-state.ts";
import type { CodeForm } from "./code-form.ts";
import { type CompilerVersion, isSince } from "./compiler-version.ts";
import type {
  CompiledContract,
  CompilerError,
  CompilerInput,
  CompilerOutput,
} from "./compiler-worker.ts";
import type { LoadedCompiler } from "./loaded-compiler.ts";
import { type ReadSubmission, SubmissionError, splitName } from "./submission.ts";

/** Describes the position of an error: its line, and its file if there are several. */
function where(place: CompilerError["place"], sources: ReadSubmission["sources"]): string {
  const source = place === null ? undefined : sources[place.file];
  if (place === null || source === undefined || place.start < 0) return "";
  const before = new TextDecoder().decode(
    new TextEncoder().encode(source).subarray(0, place.start),
  );
  const line = ` in line ${before.split("\n").length}`;
  return Object.keys(sources).length > 1 ? `${line} of ${place.file}` : line;
}

/** The compiler refused the source. */
export class SourceError extends SubmissionError {
  /** Whether the compiler accepted the source but failed to generate code. */
  readonly inCode: boolean;

  constructor({ type, message, place }: CompilerError, { sources }: ReadSubmission) {
    super(`The source does not compile: ${type}${where(place, sources)}: ${message.slice(0, 500)}`);
    this.inCode = /^(CompilerError|YulException|UnimplementedFeature|Internal|Exception)/.test(
      type,
    );
  }
}

const MAX_NAMES = 100;

export interface Compiled extends CompiledContract {
  readonly file: string;
  readonly files: CompilerOutput["files"];
}

/** Reads the contract's name from "Market.sol:Market"; empty if it is in another file. */
const nameIn = (path: string, file: string) => {
  const { file: namedFile, contract } = splitName(path);
  return namedFile === file ? contract : [];
};

function onlyFile(name: string, contracts: CompilerOutput["contracts"]): string | undefined {
  const withCode = [...contracts].filter(([, { runtime }]) => runtime.object !== "");
  const files = (withCode.length > 0 ? withCode : [...contracts]).map(([file]) => file);
  if (files.length <= 1) return files[0];
  throw new SubmissionError(
    `${files.length} files have a contract ${name}: name one as ${files
      .slice(0, MAX_NAMES)
      .map((file) => `${file}:${name}`)
      .join(" or ")}`,
  );
}

/** The addresses of libraries that the compiler links, by file and name. */
export type CompilerLibraries = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Compiles the submitted contract. @throws SubmissionError if the source has no such contract */
export async function compileContract(
  compiler: LoadedCompiler,
  read: ReadSubmission,
  version: CompilerVersion,
  form: CodeForm,
  libraries?: CompilerLibraries,
): Promise<Compiled> {
  const { error, contracts, names, files } = await compiler.compile(
    compilerInput(read, version, form, libraries),
  );
  if (error !== null) throw new SourceError(error, read);
  const { contract: name } = read;
  const file = read.file ?? onlyFile(name, contracts);
  const contract = file === undefined ? undefined : contracts.get(file);
  if (file === undefined || contract === undefined) {
    const ownNames = names.flatMap((path) =>
      read.file === undefined ? path : nameIn(path, read.file),
    );
    const shown = ownNames.length > MAX_NAMES ? [...ownNames.slice(0, MAX_NAMES), "…"] : ownNames;
    throw new SubmissionError(
      `The source has no contract ${name}; it has ${shown.join(", ") || "none"}`,
    );
  }
  const [longName] = contract.abi.flatMap((entry) => {
    const { name } = Object(entry);
    return typeof name === "string" && name.length > MAX_NAME_LENGTH ? [name] : [];
  });
  if (longName !== undefined)
    throw new SubmissionError(
      `${name} has a function, event or error with a name of ${longName.length} characters (${longName.slice(0, 20)}…); at most ${MAX_NAME_LENGTH} are accepted`,
    );
  if (contract.runtime.object === "")
    throw new SubmissionError(`${name} is abstract or an interface: it has no code`);
  return { ...contract, file, files };
}

/** The output that is requested for every contract, so that the compiler lists its name. */
const NAMING_OUTPUT = "evm.methodIdentifiers";

const codeOutputs = [
  "metadata",
  "abi",
  "storageLayout",
  "evm.legacyAssembly",
  "evm.bytecode.object",
  "evm.bytecode.sourceMap",
  "evm.bytecode.linkReferences",
  "evm.deployedBytecode.object",
  "evm.deployedBytecode.sourceMap",
  "evm.deployedBytecode.linkReferences",
  "evm.deployedBytecode.immutableReferences",
];

/**
 * First release whose settings select the model checker's solvers. Selecting only smtlib2, which no
 * compiler contains, switches the checker off. The checker does not affect the code, but may run
 * for hours. https://docs.soliditylang.org/en/latest/smtchecker.html
 */
const SINCE_SOLVERS = "0.8.20";

/**
 * First release that can return the code of one contract. Before, it fails with "Compiled contract
 * not found" if a base of the contract creates another contract.
 */
const SINCE_SELECTION = "0.7.5";

function compilerInput(
  read: ReadSubmission,
  version: CompilerVersion,
  form: CodeForm,
  libraries: CompilerLibraries | undefined,
): CompilerInput {
  const { contract, sources, optimizationEnabled, runs, evmVersion, settings } = read;
  const { remappings, details, debug, useLiteralContent } = settings;
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(
      Object.entries(sources).map(([name, content]) => [name, { content }]),
    ),
    // JSON leaves out a value that is undefined.
    settings: {
      remappings,
      optimizer: { enabled: optimizationEnabled, runs, details },
      debug,
      evmVersion: evmVersion ?? undefined,
      metadata: { ...form.metadata, useLiteralContent: useLiteralContent || undefined },
      // Compilers before 0.8.2 refuse the name.
      viaIR: form.viaIR || undefined,
      libraries,
      modelChecker: isSince(version, SINCE_SOLVERS) ? { solvers: ["smtlib2"] } : undefined,
      outputSelection: {
        "*": isSince(version, SINCE_SELECTION)
          ? { "*": [NAMING_OUTPUT], [contract]: codeOutputs }
          : { "*": codeOutputs },
      },
    },
  };
  return { input: JSON.stringify(input), contract };
}
