// What the command line says when something fails, and with which exit code it ends.
import { CommanderError, InvalidArgumentError } from "commander";
import { messageOf } from "../errors/error-message.ts";
import { type ErrorCode, isExplorerError } from "../errors/index.ts";

/** The exit codes, for scripts: which side has to change something. */
const exitCodes = {
  /** The service refused, or its answer broke the contract. */
  failed: 1,
  /** The command line is wrong: nothing was sent. */
  usage: 2,
  /** The service could not be reached, or did not answer in time. */
  unreachable: 3,
  /** Stopped by the person. */
  interrupted: 130,
} as const;

export interface Failure {
  readonly code: number;
  /** Undefined where everything is said already. */
  readonly message?: string;
}

/** The kinds of failure that are not the service's. */
const codes: Partial<Record<ErrorCode, number>> = {
  PARAMETER: exitCodes.usage,
  CONNECTION: exitCodes.unreachable,
  TIMEOUT: exitCodes.unreachable,
};

export function failureOf(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) return { code: exitCodes.interrupted };
  if (error instanceof InvalidArgumentError)
    return { code: exitCodes.usage, message: error.message };
  // Commander has printed its message; asking for help or the version is no failure.
  if (error instanceof CommanderError) return { code: error.exitCode === 0 ? 0 : exitCodes.usage };
  const code = isExplorerError(error) ? codes[error.code] : undefined;
  return { code: code ?? exitCodes.failed, message: messageOf(error) };
}
