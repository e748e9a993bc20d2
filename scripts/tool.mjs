// Runs a program of scripts/tools. What a folder of packages lacks is installed first: `npm ci` leaves it out, because few need it.
import { execFileSync, spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const isWindows = process.platform === "win32";
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether `npm ci` has installed what the lock file of this folder names: npm writes its own list when it is done with all else. */
export const isInstalled = (folder) =>
  changedAt(join(folder, "node_modules/.package-lock.json")) >
  changedAt(join(folder, "package-lock.json"));

/** Installs a folder, in silence. */
export const installFolder = (folder, stdio = "pipe") =>
  execFileSync("npm", ["ci", "--loglevel=error"], { cwd: folder, stdio, shell: isWindows });

if (import.meta.main) {
  const folder = fileURLToPath(new URL("tools", import.meta.url));
  const [name, ...words] = process.argv.slice(2);
  if (!isInstalled(folder)) {
    console.error(`Installing ${name} into scripts/tools, once`);
    installFolder(folder, "inherit");
  }
  const program = join(folder, "node_modules/.bin", name);
  const { status, error } = spawnSync(program, words, { stdio: "inherit", shell: isWindows });
  if (error) throw error;
  process.exitCode = status ?? 1;
}
