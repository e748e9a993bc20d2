// A chain that is recorded once and committed: tests read it without the node, and get what following the node gets.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Address } from "../../../mocks/double/chain/records.ts";
import { loadChain } from "../../../mocks/double/sources/ingest/load-chain.ts";
import { followNode } from "../../../mocks/workbench/follow/follow-node.ts";
import { expectSameChain, readState } from "../../support/account-state.ts";
import { startAnvil } from "../../support/anvil.ts";
import { readDemoOracle } from "../../support/demo-oracle.ts";
import { DEMO_FLAGS, replayDemo } from "../../support/replay.ts";

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL("../../../src/cli/main.ts", import.meta.url));

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "mrc-recorded-"));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const accounts = Object.keys(readDemoOracle().nativeBalances) as Address[];

/** Runs the commands of the documentation, and returns the chain as it is while the node is followed. */
async function record() {
  const node = await startAnvil([...DEMO_FLAGS, "--no-mining"]);
  try {
    await replayDemo(node, 1, 30);
    const follower = await followNode(node.url);
    const { chain } = follower;
    await readState(follower, accounts);
    await follower.close();
    const dump = ["dump", "--rpc", node.url, "test/staging", "--once"];
    await run(process.execPath, [MAIN, ...dump], { cwd: project });
    return chain;
  } finally {
    await node.stop();
  }
}

test("a recorded chain, gzipped, has what the node has", async () => {
  const chain = await record();
  const shorten =
    "gzip test/staging/*.ndjson && rm test/staging/blocks.packed test/staging/store.json";
  await run("sh", ["-c", shorten], { cwd: project });

  const folder = join(project, "test/staging");
  expect(readdirSync(folder).sort()).toEqual([
    "blocks.ndjson.gz",
    "calls.ndjson.gz",
    "sources.ndjson.gz",
  ]);
  expectSameChain(await loadChain(folder), chain, accounts);
});
