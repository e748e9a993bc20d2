// The verifier in Node: compilers from npm and from folders, in a worker thread.
import { Worker } from "node:worker_threads";
import * as z from "zod/mini";
import { validOptions } from "../input/options.ts";
import type { Verifier, VerifierLimits } from "../operations/verifier.ts";
import { workerSource } from "./compiler-worker.ts";
import { limitFields, verifierWith } from "./create-verifier.ts";
import { installedCompilers } from "./find-compilers.ts";
import { MEBIBYTE, type StartWorker } from "./loaded-compiler.ts";

/** The compilers of a verifier, and their limits. */
export interface VerifierOptions extends VerifierLimits {
  /** Folders with compilers (soljson-v*.js files or packages of solc), besides npm packages. */
  readonly solc?: readonly string[];
}

const optionsSchema = z.strictObject({ ...limitFields, solc: z.optional(z.array(z.string())) });

const startWorker: StartWorker = (file, memory, { message, ended }) => {
  const worker = new Worker(workerSource("node", { file, memory: memory * MEBIBYTE }), {
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
  const { solc, ...limits } = options;
  const verifier = verifierWith(installedCompilers(solc), limits, startWorker);
  return {
    ...verifier,
    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}
