// Runs a command in this process, and returns what it prints and its exit code.
import { run } from "../../src/cli/run.ts";

export interface Terminal {
  /** The width of a terminal; a pipe where it is not given. */
  readonly columns?: number | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export async function runCli(words: readonly string[], { columns, env, signal }: Terminal) {
  const said = { out: "", err: "" };
  const stream = (name: "out" | "err") => ({
    write: (text: string) => {
      said[name] += text;
      return true;
    },
    once: () => undefined,
    isTTY: columns !== undefined,
    columns: columns ?? 0,
  });
  const code = await run(words, {
    stdout: stream("out"),
    stderr: stream("err"),
    env,
    version: "1.2.3",
    signal: signal ?? new AbortController().signal,
  });
  return { code, ...said };
}
