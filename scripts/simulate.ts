// `npm run simulate -- --seed N`: simulates the world of that seed, and reports which promises broke and what happened before.
import { parseArgs } from "node:util";
import type { Outcome } from "../test/simulation/world.ts";
import { flagsOf, wholeNumber } from "./flags.ts";

const usage = `Usage: npm run simulate -- [flags]

Simulates a world on a virtual clock, and reports which promises broke and what happened before.

  --seed N      the seed of the first world (1)
  --worlds N    worlds to simulate, each with the next seed, until a promise breaks (1)
  --days N      virtual days in each world (5)
  --log         print every event, with every request
  --help        print this help`;

const { values, first, worlds, days } = flagsOf(usage, () => {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      worlds: { type: "string", default: "1" },
      days: { type: "string", default: "5" },
      log: { type: "boolean", default: false },
    },
  });
  return {
    values,
    first: wholeNumber("--seed", values.seed),
    worlds: wholeNumber("--worlds", values.worlds),
    days: wholeNumber("--days", values.days),
  };
});

/** How many lines of the log lead to a problem. */
const LEAD = 12;

/** Lives worlds until one breaks a promise. */
async function search(): Promise<void> {
  const { bytesHeld, MAX_HELD, simulate, WEIGHED } = await import("../test/simulation/world.ts");
  const lived: Outcome[] = [];
  for (let seed = first; seed < first + worlds; seed++) {
    const outcome = await simulate(seed, days);
    const { log } = outcome;
    if (values.log) console.log(log.join("\n"));
    lived.push(outcome);
    const isWeighed = seed === first || lived.length === WEIGHED || seed === first + worlds - 1;
    const isHeavy = isWeighed && (await bytesHeld(lived.splice(0))) > MAX_HELD;
    const problems = [
      ...outcome.problems,
      ...(isHeavy ? [`a client holds over ${MAX_HELD} bytes at the end`] : []),
    ];
    if (problems.length === 0) continue;
    console.log(`Seed ${seed} broke ${problems.length} promises:\n`);
    for (const problem of problems.slice(0, 5)) console.log(`  ${problem}\n`);
    const at = log.findIndex((line) => line.includes("  PROBLEM "));
    console.log("What led to the first (* where its client had a part):\n");
    const who = /(Watcher|Reader|Wallet) \d+/.exec(problems[0] ?? "")?.[0];
    const isPart = (line: string) => who !== undefined && line.includes(`  ${who}`);
    const lead = log.slice(0, at + 1).filter((line) => isPart(line) || !/ \d+\.\d+ /.test(line));
    for (const line of lead.slice(-LEAD)) console.log(`  ${isPart(line) ? "*" : " "} ${line}`);
    console.log(`\nAll that happened: npm run simulate -- --seed ${seed} --days ${days} --log`);
    console.log(`Found after ${(seed - first + 1) * days} days.`);
    process.exitCode = 1;
    return;
  }
  console.log(`${worlds} worlds of ${days} days from seed ${first} on kept every promise.`);
}

await search();
