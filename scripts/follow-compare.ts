// `npm run follow:compare -- --rpc URL`: gives a development node a random history, follows it, and compares what the explorer answers with the node.
import { parseArgs } from "node:util";
import { compareWithNode } from "../test/follow/compare/run.ts";

const { values } = parseArgs({
  options: {
    rpc: { type: "string" },
    comparisons: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
  },
});
const { rpc, comparisons, seed } = values;
if (rpc === undefined) {
  console.error(
    "usage: npm run follow:compare -- --rpc URL [--comparisons 20000] [--seed 1]\nThe node is an anvil, Hardhat or ganache of its own: its chain is changed, and taken back.",
  );
  process.exit(2);
}

const { differences, ...compared } = await compareWithNode({
  url: rpc,
  comparisons: Number(comparisons),
  seed: Number(seed),
  onProgress: (line) => console.error(line),
});
console.log(JSON.stringify(compared, undefined, 2));
const show = (value: unknown) =>
  JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one));
for (const { where, explorer, node } of differences.slice(0, 100))
  console.log(`${where}: the explorer has ${show(explorer)}, the node ${show(node)}`);
console.log(`${differences.length} differences that nobody has explained`);
if (differences.length > 0) process.exitCode = 1;
