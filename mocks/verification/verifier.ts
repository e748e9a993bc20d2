// The verifier: takes submissions in turn, finds their compiler, and compares what it compiles with the code on chain.
import { createHash } from "node:crypto";
import { Compilation } from "./compilation.ts";
import { CompilationCache } from "./compilation-cache.ts";
import { CompilerPool, defaultLimits } from "./compiler-pool.ts";
import { CompilerFailure, CompilerStopped } from "./compiler-thread.ts";
import { readVersion, sameRelease } from "./compiler-version.ts";
import { InstalledCompilers } from "./installed-compilers.ts";
import type {
  InputSubmission,
  OnChainContract,
  Submission,
  Turn,
  Verdict,
  Verifier,
} from "./port.ts";
import { describeProxy } from "./proxy.ts";
import { readInputSubmission } from "./standard-input.ts";
import { readSubmission, SubmissionError } from "./submission.ts";
import { QueueFullError } from "./turns.ts";
import { verifySubmission } from "./verify-submission.ts";

/** The compilers of a verifier, and their limits. */
export interface VerifierOptions {
  /** Folders with compilers (soljson-v*.js files or packages of solc), in addition to installed npm packages. */
  readonly solc?: readonly string[];
  /** The time limit of one submission, in milliseconds. @default 20_000 */
  readonly timeout?: number;
  /** The memory limit of a compiler, in mebibytes. @default 1024 */
  readonly memory?: number;
  /**
   * The memory for loaded compilers, in mebibytes: beyond it, the idle ones used least recently are dropped. Default: an eighth of the
   * machine's memory (or the container's), at least 256 and at most 4096.
   */
  readonly compilersMemory?: number;
  /** How many compilers may run at the same time. Default: the number of cores minus 1, at least 1. */
  readonly parallel?: number;
}

/** Seconds until a repetition of what was stopped is worth a try; clients that wait less leave it to their callers. */
const retryAfterStop = 60;

/** Submissions that are equal and under way share one verdict, which is given up once nobody waits for it. */
class Shared {
  readonly #abort = new AbortController();
  #waiting = 0;
  readonly verdict: Promise<Verdict>;

  constructor(verify: (signal: AbortSignal) => Promise<Verdict>) {
    this.verdict = verify(this.#abort.signal);
  }

  get abandoned(): boolean {
    return this.#abort.signal.aborted;
  }

  join(signal: AbortSignal | undefined): Promise<Verdict> {
    this.#waiting++;
    const leave = () => {
      this.#waiting--;
      if (this.#waiting === 0) this.#abort.abort();
    };
    if (signal?.aborted) leave();
    else signal?.addEventListener("abort", leave, { once: true });
    return this.verdict;
  }
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
  const { solc, ...given } = options;
  const compilers = new InstalledCompilers(solc);
  const limits = { ...defaultLimits, ...given };
  const pool = new CompilerPool(limits);
  const cache = new CompilationCache();
  const pending = new Map<string, Shared>();

  async function verify(
    submission: Submission | InputSubmission,
    onChain: OnChainContract,
    turn: Turn,
  ): Promise<Verdict> {
    const requested = readVersion(submission.compiler);
    const compiler = requested && compilers.find(requested);
    const unknown = () => new SubmissionError(compilers.missing(submission.compiler));
    if (!compiler) throw unknown();
    if (onChain.runtimeCode === "0x") throw new SubmissionError(`No code at ${onChain.address}`);
    const read =
      "standard_input" in submission ? readInputSubmission(submission) : readSubmission(submission);
    if (onChain.proxy?.compiled === false) {
      const { address, proxy } = onChain;
      throw new SubmissionError(
        `${describeProxy(address, proxy)}: it has no source of its own; submit the source of ${proxy.target} for that address`,
      );
    }
    const compilation = new Compilation(pool, cache, compiler.file, turn);
    try {
      const version =
        compilers.loaded(compiler.file) ??
        readVersion((await compilation.load()).version) ??
        compiler.version;
      compilers.noteVersion(compiler.file, version);
      if (!sameRelease(version, requested)) throw unknown();
      return await verifySubmission({ compilation, version, read, onChain });
    } finally {
      await compilation.end();
    }
  }

  const toVerdict = (error: unknown): Verdict => {
    const none = (cause: "overload" | "submitter" | "stopped", retryAfter: number): Verdict => ({
      verified: null,
      message: error instanceof Error ? error.message : "",
      cause,
      retryAfter,
    });
    // By then one of those before it is done or stopped.
    const nextTurn = Math.ceil(limits.timeout / 1000);
    if (error instanceof QueueFullError)
      return none(error.of === "all" ? "overload" : "submitter", nextTurn);
    if (error instanceof CompilerStopped) return none("stopped", retryAfterStop);
    if (error instanceof SubmissionError || error instanceof CompilerFailure)
      return { verified: false, message: error.message };
    throw error;
  };

  return {
    verify(submission, onChain, { submitter, signal } = {}) {
      const key = createHash("sha256")
        .update(JSON.stringify([submission, onChain]))
        .digest("hex");
      let shared = pending.get(key);
      if (shared === undefined || shared.abandoned) {
        const started = new Shared((abandoned) =>
          verify(submission, onChain, { submitter, signal: abandoned })
            .catch((error) =>
              toVerdict(
                abandoned.aborted ? new CompilerStopped("The submission was aborted") : error,
              ),
            )
            .finally(() => {
              if (pending.get(key) === started) pending.delete(key);
            }),
        );
        pending.set(key, started);
        shared = started;
      }
      return shared.join(signal);
    },
    close: () => pool.close(),
  };
}
