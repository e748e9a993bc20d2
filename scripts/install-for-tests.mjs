// Installs the programs and packages that some tests need besides `npm ci`: a Chromium, Redis, shells, and each folder
// with a lock file of its own (over a gigabyte together). Folders can be named; a failure is printed and ends with exit code 1.
import { execSync, spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "../test/support/chromium.ts";
import { installFolder, isInstalled } from "./tool.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Tries one way to install something after the other, until it is there. */
function install(name, isThere, ...ways) {
  const reasons = [];
  for (const way of ways) {
    if (isThere()) break;
    try {
      way();
    } catch (error) {
      reasons.push(`${error.message.split("\n")[0]}: ${String(error.stderr).trim()}`);
    }
  }
  if (isThere()) return console.log(`Installed: ${name}`);
  console.error(`\n*** Could not install ${name}; the tests that need it are SKIPPED. ***`);
  for (const reason of reasons) console.error(reason);
  process.exitCode = 1;
}

const running = (command) => () => execSync(command, { stdio: "pipe" });

/** Installs a package of Debian or Ubuntu, as root or through sudo without a password. */
function systemPackage(name) {
  const apt = process.getuid?.() === 0 ? "apt-get" : "sudo -n apt-get";
  return running(`${apt} update -qq && ${apt} install -y -qq --no-install-recommends ${name}`);
}

const starts = (program) => program !== undefined && spawnSync(program, ["--version"]).status === 0;

install(
  "Chromium",
  () => starts(findChromium()),
  running("npx playwright install --no-shell chromium"),
  systemPackage("chromium"),
);
for (const name of ["redis-server", "zsh", "fish", "python3", "curl"])
  install(name, () => starts(name), systemPackage(name));

const locks = globSync("{test/environments/*,examples/recipes,scripts/tools}/package-lock.json", {
  cwd: root,
});
const wanted = process.argv.slice(2);
for (const folder of locks.map((lock) => dirname(lock)).toSorted()) {
  if (wanted.length > 0 && !wanted.includes(folder)) continue;
  const cwd = join(root, folder);
  install(
    folder,
    () => isInstalled(cwd),
    () => installFolder(cwd),
  );
}
