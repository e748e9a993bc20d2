// `npm run follow:compare -- --rpc URL`: creates a random history on a development node, follows it, and compares what the explorer returns with the node.
import { parseArgs } from "node:util";

const usage = `Usage: npm run follow:compare -- --rpc URL [flags]

Creates a random history on a development node, follows the node, and compares every field that the explorer returns with it.

  --rpc URL        an anvil or Hardhat that nothing else uses: its chain is changed, and reverted
  --comparisons N  fields to compare (20000)
  --seed N         the seed of the history (1)
  --help           print this help`;

/** The number that a flag says. */
function wholeNumber(flag: string, text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new Error(`${flag}: expected a whole number, received "${text}"`);
  return Number(text);
}

function parse() {
  const { values } = parseArgs({
    options: {
      rpc: { type: "string" },
      comparisons: { type: "string", default: "20000" },
      seed: { type: "string", default: "1" },
    },
  });
  if (values.rpc === undefined) throw new Error("--rpc: expected the URL of a node");
  return {
    url: values.rpc,
    comparisons: wholeNumber("--comparisons", values.comparisons),
    seed: wholeNumber("--seed", values.seed),
  };
}

/** Ends the process if the flags are wrong, or for `--help`. */
function flagsOrUsage(): ReturnType<typeof parse> {
  if (process.argv.includes("--help")) {
    console.log(usage);
    process.exit();
  }
  try {
    return parse();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    process.exit(2);
  }
}

const flags = flagsOrUsage();
const { compareWithNode } = await import("../test/follow/compare/run.ts");
const { differences, ...compared } = await compareWithNode({
  ...flags,
  onProgress: (line) => console.error(line),
});
console.log(JSON.stringify(compared, undefined, 2));
const show = (value: unknown) =>
  JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one));
for (const { where, explorer, node } of differences.slice(0, 100))
  console.log(`${where}: the explorer has ${show(explorer)}, the node ${show(node)}`);
console.log(`${differences.length} differences`);
if (differences.length > 0) process.exitCode = 1;
