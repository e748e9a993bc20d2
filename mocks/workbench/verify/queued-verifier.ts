// A verifier on any platform: takes submissions in turn, reads them, finds their compiler, and compares what it compiles with the code on chain.

import * as z from "zod/mini";
import { InFlightRequests } from "../../../src/http/dedupe.ts";
import { check } from "../../../src/models/issues.ts";
import { jsonIn } from "../../../src/models/json.ts";
import { describeProxy } from "../../double/operations/proxy.ts";
import type {
  InputSubmission,
  OnChainContract,
  Submission,
  Turn,
  Verdict,
  Verifier,
} from "../../double/operations/verifier.ts";
import { Compilation, CompilationCache } from "./compilation.ts";
import { CompilerPool, type PoolLimits } from "./compiler-pool.ts";
import { CompilerFailure, CompilerStopped, type StartThread } from "./compiler-thread.ts";
import { readVersion, sameRelease, writeVersion } from "./compiler-version.ts";
import type { Compilers } from "./compilers.ts";
import {
  addressSchema,
  constructorArguments,
  contractName,
  evmVersionSchema,
  isNot,
  MAX_SOURCE_BYTES,
  type ReadSubmission,
  readSubmission,
  runsSchema,
  SubmissionError,
  splitName,
} from "./submission.ts";
import { QueueFullError } from "./turns.ts";
import { verifySubmission } from "./verify-submission.ts";

/** Seconds until it is worth repeating a submission that was stopped; clients that wait less leave that to their callers. */
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
    // By then, one of those before it is done or was stopped.
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

const text = z.string(isNot("text"));
const flag = z.boolean(isNot("true or false"));
const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.object(shape, isNot("an object"));
const byName = <Value extends z.core.SomeType>(value: Value) =>
  z.record(z.string(), value, isNot("an object"));

/** The optimizer's own schema is stricter; this one keeps out nesting of any depth. */
const detail = z.union([z.boolean(), z.record(z.string(), z.union([z.boolean(), z.string()]))], {
  error: () => "is another value: expected true, false, or an object of these and texts",
});

/** The parts of the input that are used. The submitter does not choose which code is compiled, nor its form (`viaIR`, `metadata`). */
const inputSchema = object({
  language: z.literal("Solidity", isNot('"Solidity", the only language compiled here')),
  sources: byName(object({ content: text })),
  settings: z.optional(
    object({
      remappings: z.optional(z.array(text, isNot("a list"))),
      optimizer: z.optional(
        object({
          enabled: z.optional(flag),
          runs: z.optional(runsSchema),
          details: z.optional(byName(detail)),
        }),
      ),
      evmVersion: z.nullish(evmVersionSchema),
      libraries: z.optional(byName(byName(addressSchema))),
      debug: z.optional(object({ revertStrings: z.optional(text) })),
      metadata: z.optional(object({ useLiteralContent: z.optional(flag) })),
      viaIR: z.optional(flag),
    }),
  ),
});

const submissionSchema = z.object({
  contract_name: contractName,
  constructor_arguments: z.optional(constructorArguments),
});

/** A value in its schema's form. @throws SubmissionError that names all that is invalid */
function read<S extends z.ZodMiniType>(schema: S, value: unknown, what = ""): z.output<S> {
  const { value: found, issues } = check(schema, value);
  if (issues === undefined) return found;
  const all = issues.map(({ path, expected }) => [what, path.join("."), expected]);
  throw new SubmissionError(all.map((words) => words.filter(Boolean).join(" ")).join("; "));
}

function parse(text: string): unknown {
  const { length } = new TextEncoder().encode(text);
  if (length > MAX_SOURCE_BYTES)
    throw new SubmissionError(
      `The standard JSON input has ${length} bytes; at most ${MAX_SOURCE_BYTES} are compiled`,
    );
  const value = jsonIn(text);
  if (value === undefined) throw new SubmissionError("The standard JSON input is not JSON");
  return value;
}

/** The compiler's `runs` where the input names none. */
const DEFAULT_RUNS = 200;

/** @throws SubmissionError that names what is invalid */
function readInputSubmission(submission: InputSubmission): ReadSubmission {
  const { contract_name: name, constructor_arguments } = read(submissionSchema, submission);
  const input = read(inputSchema, parse(submission.standard_input), "The standard JSON input:");
  const sources = Object.fromEntries(
    Object.entries(input.sources).map(([file, { content }]) => [file, content]),
  );
  const files = Object.keys(sources);
  const { contract, file } = splitName(name);
  if (file !== undefined && !Object.hasOwn(sources, file))
    throw new SubmissionError(
      `${JSON.stringify(name)} names no file of the standard JSON input: expected "file:contract", where the file is one of ${files.slice(0, 100).join(", ")}`,
    );
  const { optimizer, evmVersion, libraries, debug, metadata, remappings, viaIR } =
    input.settings ?? {};
  return {
    contract,
    file,
    sources,
    constructorArguments: constructor_arguments,
    optimizationEnabled: optimizer?.enabled ?? false,
    runs: optimizer?.runs ?? DEFAULT_RUNS,
    evmVersion: evmVersion || null,
    libraries: Object.entries(libraries ?? {}).flatMap(([own, addresses]) =>
      Object.entries(addresses).map(([name, address]) => ({
        file: own,
        name,
        address: address as `0x${string}`,
      })),
    ),
    settings: {
      remappings,
      details: optimizer?.details,
      debug,
      useLiteralContent: metadata?.useLiteralContent,
      viaIR,
    },
  };
}
