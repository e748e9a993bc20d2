// The parts of the process the command line uses, so that tests can replace them.
import pc from "picocolors";
import { printableText, type Terminal, wrapped } from "./output.ts";

/** A stream to print to. */
export interface Output {
  write(text: string): boolean;
  once(event: "drain" | "close", listener: () => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Returns to the start of a terminal's line, and empties it. */
export const CLEAR_LINE = "\r\x1b[K";

/** Characters of a line at most: nodes and explorers may say anything. */
const MAX_LINE = 2_000;

/** Text of others for a person: nothing in it controls a terminal, and no line is endless. */
export const foreignText = (text: string): string =>
  printableText(text)
    .split("\n")
    .map((line) =>
      line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}… (${line.length} characters)` : line,
    )
    .join("\n");

/** An output of messages, through which everything is printed as {@link foreignText}. */
export const messageOutput = (output: Output): Output => ({
  write(text) {
    const start = text.startsWith(CLEAR_LINE) ? CLEAR_LINE : "";
    return output.write(start + foreignText(text.slice(start.length)));
  },
  once: (event, listener) => output.once(event, listener),
  get isTTY() {
    return output.isTTY === true;
  },
  get columns() {
    return output.columns ?? 0;
  },
});

/** Writes a message: a terminal gets lines that end between words. */
export const sayOn = (output: Output, text: string): boolean =>
  output.write(output.isTTY && output.columns ? wrapped(text, output.columns) : text);

export interface ProcessIO {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The version of the package. */
  readonly version: string;
  /** Aborts on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
}

/** Standard output for records; waits while the reader of a pipe is slow. */
export function terminalOf({ stdout }: Pick<ProcessIO, "stdout">): Terminal {
  const tty = stdout.isTTY === true;
  return {
    columns: tty ? stdout.columns : undefined,
    isTerminal: tty,
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

/** Resolves when the signal aborts. */
export const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
