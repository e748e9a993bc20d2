// One run of the command line: executes the command, reports a failure and returns the exit code.
import { CommanderError, InvalidArgumentError } from "commander";
import pc from "picocolors";
import { messageOf } from "../errors/base.ts";
import { type ErrorCode, isExplorerError } from "../errors/index.ts";
import type { ProcessIO } from "./process-io.ts";
import { createProgram } from "./program.ts";

/** The exit codes, for scripts: who has to fix the failure. */
const exitCodes = {
  /** The service returned an error or an invalid response. */
  failed: 1,
  /** The command line is invalid; no request was sent. */
  usage: 2,
  /** The service is unreachable, or timed out. */
  unreachable: 3,
  /** Interrupted by the user. */
  interrupted: 130,
} as const;

interface Failure {
  readonly code: number;
  /** Undefined if commander has printed it. */
  readonly message?: string;
}

/** The errors that are not the service's. */
const exitCodeByError: Partial<Record<ErrorCode, number>> = {
  PARAMETER: exitCodes.usage,
  CONNECTION: exitCodes.unreachable,
  TIMEOUT: exitCodes.unreachable,
};

function failureOf(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) return { code: exitCodes.interrupted };
  if (error instanceof InvalidArgumentError)
    return { code: exitCodes.usage, message: error.message };
  // Commander has printed its message; --help and --version are not failures.
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : exitCodes.usage };
  const code = isExplorerError(error) ? exitCodeByError[error.code] : undefined;
  return { code: code ?? exitCodes.failed, message: messageOf(error) };
}

/** Runs a command and returns the exit code. */
export async function run(args: readonly string[], io: ProcessIO): Promise<number> {
  try {
    await createProgram(io).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    const { code, message } = failureOf(error, io.signal);
    if (message !== undefined) {
      const { red } = pc.createColors(io.stderr.isTTY === true && pc.isColorSupported);
      io.stderr.write(`${red("error:")} ${message}\n`);
    }
    return code;
  }
}
