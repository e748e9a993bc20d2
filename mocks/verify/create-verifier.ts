// What the verifiers of all platforms do: find the compiler of a submission, and say the verdict once it has been its turn.
import { describeProxy } from "../operations/proxy.ts";
import type { Verdict, Verifier, VerifierLimits } from "../operations/verifier.ts";
import { CompilerQueue, QueueFullError } from "./compiler-queue.ts";
import { readVersion, sameRelease, writeVersion } from "./compiler-version.ts";
import type { Compilers } from "./compilers.ts";
import {
  CompilerFailure,
  CompilerStopped,
  defaultLimits,
  type StartWorker,
} from "./loaded-compiler.ts";
import { readInputSubmission, readSubmission, SubmissionError } from "./submission.ts";
import { verifySubmission } from "./verify-submission.ts";

/** Seconds until it is worth repeating a submission that was stopped; clients that wait less leave that to their callers. */
const RETRY_AFTER_STOP = 60;

/** The verdict of an error. `timeout`: of a submission, in milliseconds. */
function verdictOf(error: unknown, timeout: number): Verdict {
  const none = (cause: "overload" | "submitter" | "stopped", retryAfter: number): Verdict => ({
    verified: null,
    message: error instanceof Error ? error.message : "",
    cause,
    retryAfter,
  });
  // By then, one of those before it is done or was stopped.
  const nextTurn = Math.ceil(timeout / 1000);
  if (error instanceof QueueFullError)
    return none(error.of === "all" ? "overload" : "submitter", nextTurn);
  if (error instanceof CompilerStopped) return none("stopped", RETRY_AFTER_STOP);
  if (error instanceof SubmissionError || error instanceof CompilerFailure)
    return { verified: false, message: error.message };
  throw error;
}

/** A verifier with these compilers, each in a worker that `start` starts. */
export function verifierWith(
  compilers: Compilers,
  given: VerifierLimits,
  start: StartWorker,
): Verifier {
  const limits = { ...defaultLimits, ...given };
  const queue = new CompilerQueue(limits, start);

  const verify: Verifier["verify"] = async (submission, onChain, turn = {}) => {
    const requested = readVersion(submission.compiler);
    const installed = requested && compilers.find(requested);
    const unknown = () => new SubmissionError(compilers.missing(submission.compiler));
    if (!installed) throw unknown();
    if (onChain.runtimeCode === "0x") throw new SubmissionError(`No code at ${onChain.address}`);
    const read =
      "standard_input" in submission ? readInputSubmission(submission) : readSubmission(submission);
    if (onChain.proxy?.compiled === false) {
      const { address, proxy } = onChain;
      throw new SubmissionError(
        `${describeProxy(address, proxy)}: it has no source of its own; submit the source of ${proxy.target} for that address`,
      );
    }
    const { file } = installed;
    return queue.run(file, turn, async (compiler) => {
      const version = readVersion(await compiler.version()) ?? installed.version;
      compilers.noteVersion(file, version);
      if (!sameRelease(version, requested)) throw unknown();
      return verifySubmission({ compiler, version, read, onChain });
    });
  };

  return {
    compilers: () => compilers.all.map(({ version }) => writeVersion(version)),
    verify: (...submitted) =>
      verify(...submitted).catch((error) => verdictOf(error, limits.timeout)),
    close: () => queue.close(),
  };
}
