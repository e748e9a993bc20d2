// Installs what some tests need besides `npm ci`: packages, in each folder that has a lock file of its own (over a gigabyte
// together) or those that are named, a Chromium, a Redis server and shells. What cannot be installed is named, and the command fails.
import { execSync, spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "../test/support/chromium.ts";
import { installFolder, isInstalled } from "./tool.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));

/** Tries one way after the other until what is wanted is there. */
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

/** Debian's and Ubuntu's, for root or who may become root without a password. */
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

const locks = ["test", "examples", "scripts"].flatMap((place) =>
  globSync(`${place}/**/package-lock.json`, { cwd: root, exclude: ["**/node_modules"] }),
);
const named = process.argv.slice(2);
const wanted = locks.map((lock) => dirname(lock)).toSorted();
for (const folder of wanted.filter((one) => named.length === 0 || named.includes(one))) {
  const cwd = join(root, folder);
  install(
    folder,
    () => isInstalled(cwd),
    () => installFolder(cwd),
  );
}
