// A verifier on any platform: takes submissions in turn, finds their compiler, and compares what it compiles with the code on chain.
import { InFlightRequests } from "../../src/http/dedupe.ts";
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

/** A verifier with these compilers, each in a thread that `start` starts. */
export function queuedVerifier(
  compilers: Compilers,
  limits: PoolLimits,
  start: StartThread,
): Verifier {
  const pool = new CompilerPool(limits, start);
  const cache = new CompilationCache();
  /** Equal submissions share one verdict, which is cancelled once nobody waits for it. */
  const inProgress = new InFlightRequests<Verdict>();

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
    async verify(submission, onChain, { submitter, signal } = {}) {
      const key = JSON.stringify([submission, onChain]);
      const aborted = () => toVerdict(new CompilerStopped("The submission was aborted"));
      try {
        return await inProgress.join(key, signal, (abandoned) =>
          verify(submission, onChain, { submitter, signal: abandoned }).catch((error) =>
            abandoned.aborted ? aborted() : toVerdict(error),
          ),
        );
      } catch (error) {
        if (signal?.aborted) return aborted();
        throw error;
      }
    },
    close: () => pool.close(),
  };
}
