// What the command line needs of the process around it, so that tests can stand in for it.
import pc from "picocolors";
import type { Screen } from "./output.ts";

/** A stream to print to. */
export interface Output {
  write(text: string): boolean;
  once(event: "drain" | "close", listener: () => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface ProcessIO {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The version of the package. */
  readonly version: string;
  /** Aborted when the person asks to stop. */
  readonly signal: AbortSignal;
}

/** Where records are printed; waits where the reader of a pipe is slow. */
export function screenOf({ stdout }: ProcessIO): Screen {
  const tty = stdout.isTTY === true;
  return {
    columns: tty ? stdout.columns : undefined,
    colors: pc.createColors(tty && pc.isColorSupported),
    write: (text) =>
      new Promise((resolve) => {
        if (text === "" || stdout.write(text)) resolve();
        else {
          stdout.once("drain", resolve);
          stdout.once("close", resolve);
        }
      }),
  };
}
