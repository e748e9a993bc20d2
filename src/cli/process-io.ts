// The parts of the process that the command line uses, so that tests can replace them.
import { readFileSync } from "node:fs";
import pc from "picocolors";
import { printableText, type Terminal, wrapped } from "./output.ts";

/** A stream to print to. */
export interface Output {
  write(text: string): boolean;
  once(event: "drain" | "close", listener: () => void): unknown;
  off?(event: "drain" | "close", listener: () => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Moves to the start of a terminal's line, and empties the line. */
export const CLEAR_LINE = "\r\x1b[K";

/** The longest line to print, because nodes and explorers may send any text. */
const MAX_LINE = 2_000;

/** Makes foreign text safe for a terminal: replaces control characters, and cuts long lines. */
export const foreignText = (text: string): string =>
  printableText(text)
    .split("\n")
    .map((line) =>
      line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}… (${line.length} characters)` : line,
    )
    .join("\n");

/** Wraps an output so that {@link foreignText} makes every message safe. */
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

/** Writes a message. On a terminal, lines break between words. */
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

/** Returns standard output for records. Writes wait while the reader of a pipe is slow. */
export function terminalOf({ stdout }: Pick<ProcessIO, "stdout">): Terminal {
  const tty = stdout.isTTY === true;
  return {
    columns: tty ? stdout.columns : undefined,
    isTerminal: tty,
    colors: pc.createColors(tty && pc.isColorSupported),
    write: (text) =>
      new Promise((resolve) => {
        if (text === "" || stdout.write(text)) return resolve();
        const resume = () => {
          stdout.off?.("drain", resume);
          stdout.off?.("close", resume);
          resolve();
        };
        stdout.once("drain", resume);
        stdout.once("close", resume);
      }),
  };
}

/** Reads a JSON file of the package. */
export function readPackageFile(name: string): unknown {
  // The root is one level up from the built code in `dist`, and two levels up from the sources.
  for (const root of ["..", "../.."])
    try {
      return JSON.parse(readFileSync(new URL(`${root}/${name}`, import.meta.url), "utf8"));
    } catch {
      // The file may be at the next root.
    }
  throw new Error(`the package has no ${name}: install mrc-explorer again`);
}

/** Resolves when the signal aborts. */
export const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
