#!/usr/bin/env node
// The executable `mrc-explorer`: runs the command line in this process.
import { readFileSync } from "node:fs";
import { exitCodes, inWords } from "../../src/cli/exit-codes.ts";
import { run } from "./run.ts";

// A closed pipe (`| head`) is not a failure; a full disk is.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(exitCodes.success.code);
    if (stream === process.stdout)
      process.stderr.write(`error: ${inWords(error, "standard output")}\n`);
    process.exit(exitCodes.failed.code);
  });

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)));

// npm and npx end their shell on a signal, but not this process, which then gets another parent.
if (process.env.npm_command !== undefined) {
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== shell) stop.abort(new Error("stopped, because npm has ended"));
  }, 250);
  timer.unref();
}

/** The version of the package, whose root is one folder up from dist, two from src/cli. */
function version(): string {
  for (const root of ["../../src/package.json", "../../package.json"]) {
    const url = new URL(root, import.meta.url);
    try {
      return (JSON.parse(readFileSync(url, "utf8")) as { version: string }).version;
    } catch {
      // Not at this depth.
    }
  }
  return "unknown";
}

// Work that is being stopped, such as a compiler's worker, does not keep the process alive. Without
// this timer it would exit with code 13 (an unsettled top-level await).
const alive = setInterval(() => {}, 60_000);
process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  // Opened on first use: a command that does not read it must not wait for it.
  get stdin() {
    return process.stdin;
  },
  env: process.env,
  version: version(),
  signal: stop.signal,
});
clearInterval(alive);
