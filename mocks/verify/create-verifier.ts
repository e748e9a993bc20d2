// The verifier of every platform: finds the compiler of a submission, and waits for its turn.
import * as z from "zod/mini";
import { describeProxy } from "../operations/proxy.ts";
import type { Verdict, Verifier, VerifierLimits } from "../operations/verifier.ts";
import { CompilerQueue, QueueFullError } from "./compiler-queue.ts";
import { readVersion, sameVersion, writeVersion } from "./compiler-version.ts";
import type { Compilers } from "./compilers.ts";
import {
  CompilerFailure,
  CompilerStopped,
  defaultLimits,
  type StartWorker,
} from "./loaded-compiler.ts";
import { readInputSubmission, readSubmission, SubmissionError } from "./submission.ts";
import { verifySubmission } from "./verify-submission.ts";

const LIMIT = "a number above 0";

/** The schemas of the options that verifiers of all platforms have. */
export const limitFields = {
  timeout: z.optional(z.number(LIMIT).check(z.gt(0, LIMIT))),
  memory: z.optional(z.number(LIMIT).check(z.gt(0, LIMIT))),
} satisfies Record<keyof VerifierLimits, z.ZodMiniType>;

/** Seconds after which to repeat a stopped submission. */
const RETRY_AFTER_STOP = 60;

function verdictOf(error: unknown, timeout: number): Verdict {
  const noVerdict = (cause: "overload" | "submitter" | "stopped", retryAfter: number): Verdict => ({
    verified: null,
    message: error instanceof Error ? error.message : "",
    cause,
    retryAfter,
  });
  // After this time, the submission in progress has ended or was stopped.
  const nextTurn = Math.ceil(timeout / 1000);
  if (error instanceof QueueFullError)
    return noVerdict(error.of === "all" ? "overload" : "submitter", nextTurn);
  if (error instanceof CompilerStopped) return noVerdict("stopped", RETRY_AFTER_STOP);
  if (error instanceof SubmissionError || error instanceof CompilerFailure)
    return { verified: false, message: error.message };
  throw error;
}

/** Creates a verifier that compiles in workers. `start` starts a worker of the platform. */
export function verifierWith(
  compilers: Compilers,
  options: VerifierLimits,
  start: StartWorker,
): Verifier {
  const limits = { ...defaultLimits, ...options };
  const queue = new CompilerQueue(limits, start);

  const verify: Verifier["verify"] = async (submission, onChain, turn = {}) => {
    const requested = readVersion(submission.compiler);
    const installed = requested && compilers.find(requested);
    const unknown = () => new SubmissionError(compilers.missing(submission.compiler));
    if (!installed) throw unknown();
    if (onChain.runtimeCode === "0x") throw new SubmissionError(`No code at ${onChain.address}`);
    const checked =
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
      if (!sameVersion(version, requested)) throw unknown();
      return verifySubmission({ compiler, version, read: checked, onChain });
    });
  };

  return {
    compilers: () => compilers.all.map(({ version }) => writeVersion(version)),
    verify: (...submitted) =>
      verify(...submitted).catch((error) => verdictOf(error, limits.timeout)),
    close: () => queue.close(),
  };
}
