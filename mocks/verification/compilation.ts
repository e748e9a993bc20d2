// The compilations of one submission: from the cache, or by a compiler borrowed when the first is needed.
import type { CodeForm } from "./code-form.ts";
import type { CompilationCache } from "./compilation-cache.ts";
import { compilerInput, type Wanted } from "./compiler-input.ts";
import type { CompilerPool, Loan } from "./compiler-pool.ts";
import type { CompilerVersion } from "./compiler-version.ts";
import type { CompiledContract, CompilerError, CompilerOutput } from "./compiler-worker.ts";
import { type ReadSubmission, SubmissionError } from "./submission.ts";
import type { Turn } from "./turns.ts";

/** Where an error is, for its message; the file is named if there are several. */
function where(place: CompilerError["place"], sources: ReadSubmission["sources"]): string {
  const source = place === null ? undefined : sources[place.file];
  if (place === null || source === undefined || place.start < 0) return "";
  const before = Buffer.from(source).subarray(0, place.start).toString();
  const line = ` in line ${before.split("\n").length}`;
  return Object.keys(sources).length > 1 ? `${line} of ${place.file}` : line;
}

/** The compiler refused the source. */
export class SourceError extends SubmissionError {
  /** Whether it understood the source, and failed to write its code. */
  readonly inCode: boolean;

  constructor({ type, message, place }: CompilerError, { sources }: ReadSubmission) {
    super(`The source does not compile: ${type}${where(place, sources)}: ${message.slice(0, 500)}`);
    this.inCode = /^(CompilerError|YulException|UnimplementedFeature|Internal|Exception)/.test(
      type,
    );
  }
}

/** Old compilers forget what a base contract creates if only one contract is selected (0.4.18 to 0.7.4). */
const forgetsContracts = ({ error }: CompilerOutput) =>
  error?.type === "InternalCompilerError" && error.message.includes("Compiled contract not found");

/** The most names of contracts in a message. */
const maxNames = 100;

export class Compilation {
  readonly #pool: CompilerPool;
  readonly #cache: CompilationCache;
  readonly #file: string;
  readonly #turn: Turn;
  #loan: Promise<Loan> | undefined;
  /** All contracts are selected, because of the fault of old compilers. */
  #selectAll = false;

  constructor(pool: CompilerPool, cache: CompilationCache, file: string, turn: Turn) {
    this.#pool = pool;
    this.#cache = cache;
    this.#file = file;
    this.#turn = turn;
  }

  /** Borrows the compiler, once. */
  load(): Promise<Loan> {
    this.#loan ??= this.#pool.borrow(this.#file, this.#turn);
    return this.#loan;
  }

  /** Compiles the submitted contract. @throws SubmissionError if the source has no such contract with code */
  async contract(
    read: ReadSubmission,
    version: CompilerVersion,
    wanted: Wanted,
  ): Promise<CompiledContract> {
    const { contracts } = await this.#compile(read, version, wanted);
    const contract = contracts.get(read.contract);
    if (contract === undefined) {
      const listed = await this.#compile(read, version, { ...wanted, names: true });
      const names = [...listed.contracts.keys()];
      const some = names.length > maxNames ? [...names.slice(0, maxNames), "…"] : names;
      throw new SubmissionError(
        `The source has no contract ${read.contract}; it has ${some.join(", ") || "none"}`,
      );
    }
    if (contract.runtime.object === "")
      throw new SubmissionError(`${read.contract} is abstract or an interface: it has no code`);
    return contract;
  }

  /** Compiles all contracts of the source. */
  async all(
    read: ReadSubmission,
    version: CompilerVersion,
    form: CodeForm,
  ): Promise<CompilerOutput["contracts"]> {
    return (await this.#compile(read, version, { form, all: true })).contracts;
  }

  /** Gives the compiler back. */
  async end(): Promise<void> {
    await this.#loan?.then(
      (loan) => loan.end(),
      () => {},
    );
  }

  async #compile(
    read: ReadSubmission,
    version: CompilerVersion,
    wanted: Wanted,
  ): Promise<CompilerOutput> {
    const all = this.#selectAll || wanted.all === true;
    const input = compilerInput(read, version, { ...wanted, all });
    const output = await this.#cache.get(this.#file, input, async () =>
      (await this.load()).compile(input),
    );
    if (!all && forgetsContracts(output)) {
      this.#selectAll = true;
      return this.#compile(read, version, wanted);
    }
    if (output.error !== null) throw new SourceError(output.error, read);
    return output;
  }
}
