// A verifier on any platform: takes submissions in turn, finds their compiler, and compares what it compiles with the code on chain.
import { Compilation } from "./compilation.ts";
import { CompilationCache } from "./compilation-cache.ts";
import { CompilerPool, type PoolLimits } from "./compiler-pool.ts";
import { CompilerFailure, CompilerStopped, type StartThread } from "./compiler-thread.ts";
import { readVersion, sameRelease, writeVersion } from "./compiler-version.ts";
import type { Compilers } from "./compilers.ts";
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

/** Seconds until a repetition of what was stopped is worth a try; clients that wait less leave it to their callers. */
const RETRY_AFTER_STOP = 60;

/** Equal submissions in progress share one verdict, which is cancelled once nobody waits for it. */
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

/** A verifier with these compilers, each in a thread that `start` starts. */
export function queuedVerifier(
  compilers: Compilers,
  limits: PoolLimits,
  start: StartThread,
): Verifier {
  const pool = new CompilerPool(limits, start);
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
    if (error instanceof CompilerStopped) return none("stopped", RETRY_AFTER_STOP);
    if (error instanceof SubmissionError || error instanceof CompilerFailure)
      return { verified: false, message: error.message };
    throw error;
  };

  return {
    compilers: () => compilers.all.map(({ version }) => writeVersion(version)),
    verify(submission, onChain, { submitter, signal } = {}) {
      const key = JSON.stringify([submission, onChain]);
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
