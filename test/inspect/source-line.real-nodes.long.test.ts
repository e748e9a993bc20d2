// The failing lines of forty functions, compiled with various settings. No wrong line is called certain.
import { readFileSync } from "node:fs";
import { encodeFunctionData } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import { followNode } from "../../mocks/follow/follow-node.ts";
import { serveExplorer } from "../../mocks/port/server.ts";
import { startAnvil } from "../support/anvil.ts";
import { compileProject, sendTransaction } from "../support/compiled-project.ts";
import type { TestNode } from "../support/test-node.ts";
import { createInspector } from "./served.ts";

const FILE = "contracts/Failing.sol";
const source = readFileSync(new URL("optimized.sol", import.meta.url), "utf8");
const lines = source.split("\n");

/** Returns the line of a function's mark: `f12` fails where `@12@` is. */
const lineOf = (name: string) => lines.findIndex((text) => text.includes(`@${name.slice(1)}@`)) + 1;

const optimized = (runs: number) => ({ optimizer: { enabled: true, runs } });

/**
 * `right`: the least number of right lines among forty. `certain`: the least number called certain.
 * The Yul pipeline maps a quarter of the failing code to the whole contract.
 */
const builds = [
  { title: "without the optimizer", settings: {}, right: 40, certain: 40 },
  { title: "optimized for 200 runs", settings: optimized(200), right: 38, certain: 36 },
  { title: "optimized for 10,000 runs", settings: optimized(10_000), right: 38, certain: 36 },
  { title: "through Yul", settings: { viaIR: true }, right: 38, certain: 20 },
  {
    title: "through Yul, optimized",
    settings: { viaIR: true, ...optimized(200) },
    right: 30,
    certain: 20,
  },
];

/** Returns the place at which each function fails, as the page shows it. */
async function placesOn(node: TestNode, settings: object) {
  const project = compileProject({ [FILE]: source }, settings);
  const abi = project.abi("Failing");
  const names = abi.flatMap((item) =>
    item.type === "function" && /^f\d+$/.test(item.name) ? [item] : [],
  );
  const { address: to } = await sendTransaction(node, { data: project.code("Failing") });
  const sent: (readonly [name: string, hash: string])[] = [];
  for (const { name, inputs } of names) {
    const data = encodeFunctionData({ abi, functionName: name, args: inputs.map(() => 5n) });
    sent.push([name, (await sendTransaction(node, { to, data, gas: "0x40000" })).hash]);
  }
  const known = project.known();
  const follower = await followNode(node.url, { onHead: (chain) => known.update(chain) });
  const served = await serveExplorer(createExplorer({ chain: follower }));
  const ask = createInspector(served.url, "k");
  const places = [];
  for (const [name, hash] of sent)
    places.push({ name, place: (await ask("source", { hash })).place });
  await served.close({ graceMs: 0 });
  await follower.close();
  return places;
}

function tests(start: () => Promise<TestNode>) {
  let node: TestNode;
  beforeAll(async () => {
    node = await start();
  }, 240_000);
  afterAll(() => node?.stop());

  test.each(builds)("$title", async ({ settings, right, certain }) => {
    const places = await placesOn(node, settings);
    expect(places).toHaveLength(40);
    const elsewhere = places.filter(({ name, place }) => place?.line !== lineOf(name));
    expect(elsewhere.filter(({ place }) => place?.is_certain)).toEqual([]);
    const sure = places.filter(({ place }) => place?.is_certain);
    expect(sure.length).toBeGreaterThanOrEqual(certain);
    expect(places.length - elsewhere.length).toBeGreaterThanOrEqual(right);
    for (const { name, place } of elsewhere)
      expect(Math.abs((place?.line ?? 0) - lineOf(name)), name).toBeLessThanOrEqual(2);
  });
}

describe("on anvil", () => tests(() => startAnvil()));
