// One run of the command line: executes the command, reports a failure and returns the exit code.
import { CommanderError, InvalidArgumentError } from "commander";
import pc from "picocolors";
import { type Ending, endingOf, exitCodes, inWords } from "../../src/cli/exit-codes.ts";
import { foreignText, messageOutput, type ProcessIO, sayOn } from "../../src/cli/process-io.ts";
import { isExplorerError } from "../../src/errors/index.ts";
import { createProgram } from "./program.ts";

interface Failure {
  readonly ending: Ending;
  /** Undefined if commander has printed it. */
  readonly message?: string;
}

/** Whether an error may be due to the address or the key. */
const isAboutExplorer = (error: unknown): boolean =>
  (["AUTHENTICATION", "NOT_AN_EXPLORER", "REDIRECT"] as const).some((code) =>
    isExplorerError(error, code),
  );

function failureOf(error: unknown, signal: AbortSignal): Failure {
  if (signal.aborted) return { ending: "interrupted" };
  if (error instanceof InvalidArgumentError) return { ending: "usage", message: error.message };
  // Commander has printed its message; --help and --version are not failures.
  if (error instanceof CommanderError)
    return { ending: error.exitCode === 0 ? "success" : "usage" };
  const ending = endingOf(error);
  const advice =
    ending === "unreachable" || isAboutExplorer(error)
      ? "\nTo find out why: mrc-explorer doctor, with the same --explorer, --base-url and --api-key"
      : "";
  return { ending, message: `${inWords(error)}${advice}` };
}

/** Runs a command and returns the exit code. */
export async function run(args: readonly string[], io: ProcessIO): Promise<number> {
  // Uses a prototype, because a copy would open standard input.
  const guarded: ProcessIO = Object.create(io, { stderr: { value: messageOutput(io.stderr) } });
  try {
    await createProgram(guarded).parseAsync(args, { from: "user" });
    return exitCodes.success.code;
  } catch (error) {
    const { ending, message } = failureOf(error, io.signal);
    if (message !== undefined) {
      const { red } = pc.createColors(io.stderr.isTTY === true && pc.isColorSupported);
      // The message of a server must not control a terminal.
      sayOn(io.stderr, `${red("error:")} ${foreignText(message)}\n`);
    }
    return exitCodes[ending].code;
  }
}
