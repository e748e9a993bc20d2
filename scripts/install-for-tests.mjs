// Installs what some tests need besides `npm ci`: the nodes that are followed, forge and Next, each in its own folder of
// `test` (a gigabyte together), a Chromium, a Redis server and shells. What cannot be installed is named, and the command fails.
import { execSync, spawnSync } from "node:child_process";
import { globSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "../test/support/chromium.ts";

const test = fileURLToPath(new URL("../test/", import.meta.url));

/** Tries one way after the other until what is wanted is there. */
function install(name, isThere, ...ways) {
  const reasons = [];
  for (const way of ways) {
    if (isThere()) break;
    try {
      execSync(way.command, { stdio: "pipe", ...way });
    } catch (error) {
      reasons.push(`${way.command}: ${String(error.stderr).trim()}`);
    }
  }
  if (isThere()) return console.log(`Installed: ${name}`);
  console.error(`\n*** Could not install ${name}; the tests that need it are SKIPPED. ***`);
  for (const reason of reasons) console.error(reason);
  process.exitCode = 1;
}

/** Debian's and Ubuntu's, for root or who may become root without a password. */
function systemPackage(name) {
  const apt = process.getuid?.() === 0 ? "apt-get" : "sudo -n apt-get";
  return { command: `${apt} update -qq && ${apt} install -y -qq --no-install-recommends ${name}` };
}

const starts = (program) => program !== undefined && spawnSync(program, ["--version"]).status === 0;

install(
  "Chromium",
  () => starts(findChromium()),
  { command: "npx playwright install --no-shell chromium" },
  systemPackage("chromium"),
);
for (const name of ["redis-server", "zsh", "fish", "python3", "curl"])
  install(name, () => starts(name), systemPackage(name));

const locks = globSync("**/package-lock.json", { cwd: test, exclude: ["**/node_modules"] });
for (const folder of locks.map((lock) => dirname(lock)).toSorted()) {
  const cwd = `${test}${folder}`;
  // npm writes the first when it is done with all else.
  const [done, asked] = ["node_modules/.package-lock.json", "package-lock.json"].map(
    (name) => () => statSync(`${cwd}/${name}`, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  const isThere = () => done() > asked();
  install(folder, isThere, { command: "npm ci --loglevel=error", cwd });
}
