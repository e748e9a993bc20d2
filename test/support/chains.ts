// Folders with real chains: the demo chain of the project, and shared ones beside the project,
// which may be absent.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe } from "vitest";

/** The project's own cut of devnet: always there. */
export const DEMO = fileURLToPath(new URL("../../mocks/demo", import.meta.url));

const SHARED = fileURLToPath(new URL("../../../shared/chains", import.meta.url));
export const MAINNET = `${SHARED}/mainnet`;

/** A `describe` for what needs a shared chain: where that is absent it is skipped, and says so. */
export function describeWith(folder: string, name: string, tests: () => void): void {
  if (existsSync(folder)) {
    describe(name, tests);
    return;
  }
  console.warn(
    `\n*** SKIPPED, not tested: ${name}. The chain ${folder} is not on this machine. ***\n`,
  );
  describe.skip(`${name} (skipped: ${folder} is not on this machine)`, tests);
}

/** The text of a zipped file of a chain. */
export function readZipped(folder: string, name: string): string {
  return gunzipSync(readFileSync(`${folder}/${name}`)).toString();
}

/** The lines of an `*.ndjson.gz` of a chain, parsed. */
export function readRecords<Line = Record<string, unknown>>(folder: string, name: string): Line[] {
  return readZipped(folder, `${name}.ndjson.gz`)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
