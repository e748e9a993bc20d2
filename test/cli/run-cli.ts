// Runs a command in this process, and returns what it prints and its exit code.
import { Readable } from "node:stream";
import { run } from "../../mocks/cli/run.ts";

export interface Terminal {
  /** The width of a terminal; a pipe where it is not given. */
  readonly columns?: number | undefined;
  /** Whether standard error is a terminal; if omitted, it is where standard output is. */
  readonly terminalForErrors?: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Standard input. */
  readonly stdin?: string;
  /** Called with what was printed so far. */
  readonly onPrint?: (text: string) => unknown;
}

export async function runCli(
  words: readonly string[],
  {
    columns,
    terminalForErrors = columns !== undefined,
    env,
    signal,
    stdin = "",
    onPrint,
  }: Terminal,
) {
  const said = { out: "", err: "" };
  const stream = (name: "out" | "err", isTTY: boolean) => ({
    write: (text: string) => {
      said[name] += text;
      onPrint?.(said.out + said.err);
      return true;
    },
    once: () => undefined,
    isTTY,
    columns: columns ?? 0,
  });
  const code = await run(words, {
    stdout: stream("out", columns !== undefined),
    stderr: stream("err", terminalForErrors),
    stdin: Readable.from([stdin]),
    env,
    version: "1.2.3",
    signal: signal ?? new AbortController().signal,
  });
  return { code, ...said };
}
