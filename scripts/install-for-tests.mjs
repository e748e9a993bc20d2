// Installs what some tests need besides, each in its own folder: the nodes that are followed, forge, and Next. Together they are a gigabyte, more
// than most work here needs.
import { execSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const test = fileURLToPath(new URL("../test/", import.meta.url));
const nodes = readdirSync(`${test}nodes`).map((name) => `nodes/${name}`);
for (const name of [...nodes, "package/next"]) {
  const folder = `${test}${name}`;
  if (!existsSync(`${folder}/package-lock.json`)) continue;
  try {
    execSync("npm ci --no-audit --no-fund --loglevel=error", { cwd: folder, stdio: "pipe" });
    console.log(`Installed ${name}`);
  } catch (error) {
    console.error(`Could not install ${name}: ${error.stderr}`);
    process.exitCode = 1;
  }
}
