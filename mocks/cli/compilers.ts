// `mrc-explorer compilers`: lists installed Solidity compilers, and installs more with the
// project's package manager.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { resolveCommand } from "package-manager-detector/commands";
import { detect } from "package-manager-detector/detect";
import { formatOption, stdoutWriter } from "../../src/cli/format.ts";
import type { Format } from "../../src/cli/output.ts";
import { append } from "../../src/cli/parameters.ts";
import type { ProcessIO } from "../../src/cli/process-io.ts";

interface ListOptions {
  readonly solc?: readonly string[];
  readonly format?: Format;
}

interface AddOptions {
  readonly project: string;
}

// Imported on demand, so that other commands do not load the mock explorer.
const finder = () => import("../verify/find-compilers.ts");
const releases = () => import("../verify/npm-releases.ts");
const versionsOf = () => import("../verify/compiler-version.ts");

/** Prints the installed compilers, in ascending order of version. */
async function list({ solc = [], format }: ListOptions, io: ProcessIO): Promise<void> {
  const [{ checkFolders, findCompilers }, { writeVersion }] = await Promise.all([
    finder(),
    versionsOf(),
  ]);
  checkFolders(solc);
  const data = findCompilers(solc).map(({ version, file }) => ({
    version: writeVersion(version),
    file,
  }));
  const out = stdoutWriter(format, io, { all: true, raw: false });
  await out.page({ data });
  await out.end();
}

/** Finds the npm package of a compiler version, or the reason why npm has none. */
async function readWanted(text: string) {
  const [{ readVersion }, { releaseSourceOf }] = await Promise.all([versionsOf(), releases()]);
  const version = readVersion(text);
  if (version === undefined)
    throw new InvalidArgumentError(
      `"${text}" is not a compiler version: expected one such as 0.8.20`,
    );
  return { text, version, ...releaseSourceOf(version) };
}

/**
 * Runs a program in a folder, and writes its output to standard error. @throws Error if it fails
 */
async function runIn(folder: string, command: string, args: readonly string[], io: ProcessIO) {
  io.stderr.write(`$ ${[command, ...args].join(" ")}\n`);
  const child = spawn(command, args, {
    cwd: folder,
    env: io.env as NodeJS.ProcessEnv,
    signal: io.signal,
    stdio: ["ignore", "pipe", "pipe"],
    // Package managers are .cmd files on Windows, which need a shell. Versions are validated first.
    // https://nodejs.org/api/child_process.html#spawning-bat-and-cmd-files-on-windows
    shell: process.platform === "win32",
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => io.stderr.write(chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${command} failed (exit code ${code})`);
}

/** Installs compilers and prints their paths. One failure does not stop the other installations. */
async function add(wanted: readonly string[], { project }: AddOptions, io: ProcessIO) {
  const folder = resolve(project);
  if (!existsSync(folder)) throw new InvalidArgumentError(`--project ${folder} does not exist`);
  const requests = await Promise.all(wanted.map(readWanted));
  const compilers = requests.flatMap((request) => ("package" in request ? [request] : []));
  const failures = requests.flatMap((request) =>
    "reason" in request ? [`${request.text}: ${request.reason}`] : [],
  );
  if (compilers.length === 0) throw new InvalidArgumentError(failures.join("\n"));
  const agent = (await detect({ cwd: folder }))?.agent ?? "npm";
  const install = async (packages: readonly string[]) => {
    // Pins exact versions, because ^0.8.16 would allow every later 0.8 release.
    const { command, args } = resolveCommand(agent, "add", ["-D", "-E", ...packages]) ?? {};
    if (command === undefined) throw new Error(`${agent} has no command that adds a package`);
    await runIn(folder, command, args ?? [], io);
  };
  try {
    await install(compilers.map((compiler) => compiler.package));
  } catch (error) {
    if (compilers.length === 1 || io.signal?.aborted) throw error;
    // Package managers install all packages or none, so this loop installs them one by one. The
    // loop below reports failures.
    for (const compiler of compilers)
      await install([compiler.package]).catch((error: unknown) => {
        if (io.signal?.aborted) throw error;
      });
  }

  const [{ findCompilers }, { sameVersion, writeVersion }] = await Promise.all([
    finder(),
    versionsOf(),
  ]);
  io.stderr.write(
    `${agent} has checked the packages against its registry's hashes, but not against the hashes that the Solidity project publishes\n`,
  );
  const installed = findCompilers([folder]);
  for (const { version } of compilers) {
    const name = writeVersion(version);
    const compiler = installed.find((candidate) => sameVersion(candidate.version, version));
    if (compiler) io.stdout.write(`${name} ${compiler.file}\n`);
    else
      failures.push(
        `${agent} ran, but ${folder} has no compiler ${name} in node_modules (Yarn's Plug'n'Play has no such folder: set nodeLinker to node-modules)`,
      );
  }
  if (failures.length > 0) throw new Error(failures.join("\n"));
}

export function addCompilers(program: Command, io: ProcessIO): void {
  const compilers = program
    .command("compilers")
    .summary("List the installed Solidity compilers, or add one")
    .description(
      "Lists the Solidity compilers that `serve` uses to verify contracts: installed solc packages, and compilers in the given folders.",
    )
    .option("--solc <dir>", "folder with more Solidity compilers (repeatable)", append)
    .addOption(formatOption())
    .action((options: ListOptions) => list(options, io));
  compilers
    .command("add")
    .summary("Install Solidity compilers")
    .description(
      "Installs Solidity compilers as development dependencies, with the project's package manager: npm, pnpm, yarn or bun. A running `serve` finds them.",
    )
    .argument("<version...>", "versions, such as 0.8.16")
    .option("--project <dir>", "folder of the project", ".")
    .action((versions: readonly string[], options: AddOptions) => add(versions, options, io));
}
