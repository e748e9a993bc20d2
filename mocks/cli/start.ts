// Runs the command line in this process, until it ends or a signal stops it.
import { exitCodes, inWords } from "../../src/cli/exit-codes.ts";
import { statusFields } from "../../src/cli/file-lock.ts";
import { readPackageFile } from "../../src/cli/process-io.ts";
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

/** Returns the process that started a process; undefined if the system has no /proc. */
const parentOf = (pid: number): string | undefined => statusFields(pid)[1];

// Stops when the npm or npx that started this process has ended. On a signal, npm ends its shell
// but not this process. `kill -9` ends only npm itself, and its shell then gets another parent.
if (process.env.npm_command !== undefined) {
  const shell = process.ppid;
  const npm = parentOf(shell);
  const timer = setInterval(() => {
    if (process.ppid !== shell || parentOf(shell) !== npm)
      stop.abort(new Error("stopped, because npm has ended"));
  }, 250);
  timer.unref();
}

// Keeps the process alive while work such as a compiler's worker is being stopped. Otherwise Node
// would exit with code 13: https://nodejs.org/api/process.html#exit-codes
const alive = setInterval(() => {}, 60_000);
process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  // Opens stdin on first use, because a command that does not read it must not wait for it.
  get stdin() {
    return process.stdin;
  },
  env: process.env,
  version: Object(readPackageFile("package.json")).version,
  signal: stop.signal,
});
clearInterval(alive);
