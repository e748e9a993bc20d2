// Installs the nodes that the tests follow, each in its own folder: together they are half a gigabyte, more than most work here needs.
import { execSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const nodes = fileURLToPath(new URL("../test/nodes/", import.meta.url));
for (const name of readdirSync(nodes)) {
  const folder = `${nodes}${name}`;
  if (!existsSync(`${folder}/package-lock.json`)) continue;
  try {
    execSync("npm ci --no-audit --no-fund --loglevel=error", { cwd: folder, stdio: "pipe" });
    console.log(`Installed ${name}`);
  } catch (error) {
    console.error(`Could not install ${name}: ${error.stderr}`);
    process.exitCode = 1;
  }
}
