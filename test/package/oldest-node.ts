// The oldest Node that package.json allows, installed by npm once for all runs.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageFile } from "../../scripts/package-file.ts";

/** The path of its executable; undefined, and said so, where npm cannot install it. */
export function oldestNode(): string | undefined {
  const { engines } = JSON.parse(packageFile("package.json").read()) as {
    readonly engines: { readonly node: string };
  };
  const version = `${engines.node.replace(">=", "")}.0`;
  const folder = join(tmpdir(), `mrc-explorer-node-${version}`);
  const path = join(folder, "node_modules/node/bin/node");
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const words = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder];
    spawnSync("npm", [...words, `node@${version}`], { timeout: 600_000 });
  }
  if (existsSync(path)) return path;
  console.warn(`*** npm could not install Node ${version}: the tests on it are skipped. ***`);
  return undefined;
}
