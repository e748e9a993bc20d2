// The real command, killed at random moments while its node mines and goes back: what it kept is what the node has.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { randomNumbers } from "../../../mocks/chain/random.ts";
import type { Address } from "../../../mocks/chain/records.ts";
import { followNode } from "../../../mocks/follow/follow-node.ts";
import { loadChain } from "../../../mocks/ingest/load-chain.ts";
import { type Anvil, startAnvil } from "../../support/anvil.ts";
import { readDemoOracle } from "../../support/demo-oracle.ts";
import { temporaryFolder } from "../../support/project.ts";
import { expectSameChain, readState } from "../account-state.ts";
import { DEMO_FLAGS, replayDemo } from "../replay.ts";

const MAIN = fileURLToPath(new URL("../../../mocks/cli/main.ts", import.meta.url));
const SEED = 12;
const KILLS = 20;

let node: Anvil;
const folder = temporaryFolder("kills");
beforeAll(async () => {
  node = await startAnvil([...DEMO_FLAGS, "--no-mining"]);
});
afterAll(() => node.stop());

/** Calls `at` when the request with this number arrives. */
async function countingProxy(number: number, at: () => void) {
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests += 1;
    if (requests === number) at();
    try {
      const body = Buffer.concat(await request.toArray());
      const headers = { "content-type": "application/json" };
      const answer = await fetch(node.url, { method: "POST", headers, body });
      response.setHeader("content-type", "application/json").end(await answer.text());
    } catch {
      response.destroy();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Starts a command that keeps the chain, and kills it when it makes its n-th request. */
async function runAndKill(words: (url: string) => readonly string[], request: number) {
  let kill = () => {};
  const proxy = await countingProxy(request, () => kill());
  const command = spawn(process.execPath, [MAIN, ...words(proxy.url)], { stdio: "ignore" });
  kill = () => command.kill("SIGKILL");
  const [, signal] = await once(command, "exit");
  proxy.close();
  expect(signal).toBe("SIGKILL");
}

test(`${KILLS} kills while the node mines and goes back cost nothing but time`, async () => {
  let draws = 0;
  const below = (end: number) => {
    draws += 1;
    return Math.floor(randomNumbers(SEED, draws) * end);
  };
  const commands = [
    (url: string) => [
      ...["dump", "--rpc", url, "--interval", "10", "--batch", "9"],
      // The node goes back while nobody follows it.
      ...["--replace", folder],
    ],
    (url: string) => [
      ...["serve", "--rpc", url, "--interval", "10", "--batch", "9"],
      ...["--port", "0", "--store", folder, "--replace"],
    ],
  ];
  const next = { block: 1 };
  for (let kill = 0; kill < KILLS; kill++) {
    const until = Math.min(92, next.block + below(9));
    if (next.block <= until) await replayDemo(node, next.block, until);
    next.block = until + 1;
    const words = commands[below(2)] ?? (() => []);
    await runAndKill(words, 1 + below(30));
    if (kill % 3 === 0) {
      // Another branch, now and then longer than what is taken over at once.
      const snapshot = await node.ask("evm_snapshot");
      await node.ask("anvil_mine", `0x${(1 + below(120)).toString(16)}`);
      await runAndKill(words, 1 + below(30));
      await node.ask("evm_revert", snapshot);
    }
  }

  // The killed commands kept blocks, not only the last one, which ends in peace.
  expect((await loadChain(folder)).length).toBeGreaterThan(1);
  const url = node.url;
  const fresh = await followNode(url, { interval: 60_000 });
  const oracle = readDemoOracle();
  const addresses = Object.keys(oracle.nativeBalances) as Address[];
  await readState(fresh, addresses);
  await fresh.close();
  const continued = await followNode(url, { interval: 60_000, store: folder, replace: true });
  await continued.close();
  expect(fresh.chain.length).toBe(next.block);
  expectSameChain(continued.chain, fresh.chain, addresses);
  expectSameChain(await loadChain(folder), fresh.chain, addresses);
  const lines = readFileSync(join(folder, "blocks.ndjson"), "utf8").trimEnd().split("\n");
  expect(lines).toHaveLength(next.block);
});
