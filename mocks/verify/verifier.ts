// The verifier: finds the compiler of a submission among npm packages and folders, waits for its
// turn, and compiles in a worker thread.
import { Worker } from "node:worker_threads";
import * as z from "zod/mini";
import { validOptions } from "../input/options.ts";
import { describeProxy } from "../operations/proxy.ts";
import type { Verdict, Verifier, VerifierLimits } from "../operations/verifier.ts";
import { CompilerQueue, QueueFullError } from "./compiler-queue.ts";
import { readVersion, sameVersion, writeVersion } from "./compiler-version.ts";
import { workerSource } from "./compiler-worker.ts";
import { Compilers } from "./find-compilers.ts";
import {
  CompilerFailure,
  CompilerStopped,
  defaultLimits,
  MEBIBYTE,
  type StartWorker,
} from "./loaded-compiler.ts";
import { readInputSubmission, readSubmission, SubmissionError } from "./submission.ts";
import { verifySubmission } from "./verify-submission.ts";

/** The compilers of a verifier, and their limits. */
export interface VerifierOptions extends VerifierLimits {
  /** Folders with compilers (soljson-v*.js files or packages of solc), besides npm packages. */
  readonly solc?: readonly string[];
}

const LIMIT = "a number above 0";

const optionsSchema = z.strictObject({
  timeout: z.optional(z.number(LIMIT).check(z.gt(0, LIMIT))),
  memory: z.optional(z.number(LIMIT).check(z.gt(0, LIMIT))),
  solc: z.optional(z.array(z.string())),
});

const startWorker: StartWorker = (file, memory, { message, ended }) => {
  const worker = new Worker(workerSource({ file, memory: memory * MEBIBYTE }), {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: memory },
    // Discards what the compiler prints, and hides this process's environment from it.
    stdout: true,
    stderr: true,
    env: {},
    execArgv: [],
  });
  worker.on("message", message);
  worker.on("error", (error: Error & { code?: string }) =>
    ended(
      error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? `The compiler needed more than ${memory} MiB and was stopped`
        : `The compiler could not be run: ${error.message}`,
    ),
  );
  worker.on("exit", () => ended("The compiler stopped"));
  return {
    post: (input) => worker.postMessage(input),
    terminate: () => worker.terminate(),
    keepAlive: (value) => (value ? worker.ref() : worker.unref()),
    async cpuMs() {
      // Node before 24.6 reports only elapsed time in which the worker was busy.
      if (worker.cpuUsage === undefined) return worker.performance.eventLoopUtilization().active;
      const { user, system } = await worker.cpuUsage();
      return (user + system) / 1000;
    },
  };
};

/** Seconds after which a stopped submission may be repeated. */
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

/**
 * Creates a verifier that compiles in a worker thread, with every compiler that it finds: npm
 * packages `solc` and `solc-*` (aliases such as `npm install solc-0.8.20@npm:solc@0.8.20`), and
 * compilers in the folders of `solc`.
 *
 * @throws Error if a folder of `solc` has no compiler
 * @example
 * const verifier = createVerifier({ timeout: 10_000 });
 * const mock = createExplorer({ chain, verifier });
 * await verifier.close();
 */
export function createVerifier(options: VerifierOptions = {}): Verifier & {
  /** `await using` closes it at the end of a block. */
  [Symbol.asyncDispose](): Promise<void>;
} {
  validOptions("createVerifier", optionsSchema, options);
  const { solc, ...ownLimits } = options;
  const limits = { ...defaultLimits, ...ownLimits };
  const compilers = new Compilers(solc);
  const queue = new CompilerQueue(limits, startWorker);

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
    [Symbol.asyncDispose]: () => queue.close(),
  };
}
