// An explorer in Python that shares no code with us, what it may do otherwise, and what is to be found then.
import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import type { Comparison } from "../../../src/cli/compare/compare.ts";
import { comparisonOf, shownBy } from "./compared.ts";

export const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** What each departure shows: rule and field. */
export const departures = {
  "": [],
  order: ["S4 order"],
  cap: ["specified longest page"],
  count: ["S3 count", "S3 mrc_20.count", "S3 mrc_721.count"],
  range: ["S5 endBlock"],
  number: ["specified data.status"],
  unverified: ["S2 HTTP status"],
  key: ["S1 HTTP status"],
  envelope: ["S1 envelope of errors"],
} as const;

/** Starts it, until the test ends. */
async function startForeign(departure: string): Promise<string> {
  const script = fileURLToPath(new URL("foreign_explorer.py", import.meta.url));
  const child = spawn("python3", [script, departure], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  for await (const port of createInterface({ input: child.stdout }))
    return `http://127.0.0.1:${port}`;
  throw new Error("the explorer did not start");
}

/** That a departure is named, and nothing else. */
export async function expectOfForeign(departure: keyof typeof departures): Promise<Comparison> {
  const found = await comparisonOf(await startForeign(departure), fetch);
  expect(shownBy(found)).toEqual([...departures[departure]]);
  expect(found.tallies.reduce((sum, { asked }) => sum + asked, 0)).toBeGreaterThan(200);
  return found;
}
