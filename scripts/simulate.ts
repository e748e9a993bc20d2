// `npm run simulate -- --seed N`: lives a world of that seed, and says which promises it broke; with `--trace`, every request. With `--worlds N`, the next seeds too, until one breaks.
import { parseArgs } from "node:util";
import { simulate } from "../test/simulation/world.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    worlds: { type: "string", default: "1" },
    days: { type: "string", default: "2" },
    trace: { type: "boolean", default: false },
  },
});

for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.worlds); seed++) {
  const { trace, problems, requests, blocks } = await simulate(seed, Number(values.days));
  if (values.trace) console.log(trace.join("\n"));
  if (problems.length > 0 || values.worlds === "1")
    console.log(`seed ${seed}: ${values.days} days, ${blocks} blocks, ${requests} requests`);
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) process.exit(1);
}
