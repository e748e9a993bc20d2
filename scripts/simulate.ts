// `npm run simulate -- --seed N`: simulates the world of that seed, and reports which promises broke and what happened before.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type PlantedBug, plantedBugs } from "../test/simulation/planted.ts";
import type { Outcome } from "../test/simulation/world.ts";
import { flagsOf, wholeNumber } from "./flags.ts";

const usage = `Usage: npm run simulate -- [flags]

Simulates a world on a virtual clock, and reports which promises broke and what happened before.

  --seed N      the seed of the first world (1)
  --worlds N    worlds to simulate, each with the next seed, until a promise breaks (1)
  --days N      virtual days in each world (5)
  --log         print every event, with every request
  --plant NAME  simulate with this bug of test/simulation/planted.ts in the source
  --planted     plant each of these bugs in turn, and print after how many days it is found
  --help        print this help`;

const { values, first, worlds, days } = flagsOf(usage, () => {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      worlds: { type: "string", default: "1" },
      days: { type: "string", default: "5" },
      log: { type: "boolean", default: false },
      planted: { type: "boolean", default: false },
      plant: { type: "string" },
    },
  });
  const { seed, plant } = values;
  if (plant !== undefined && !plantedBugs.some(({ name }) => name === plant))
    throw new Error(
      `--plant: there is no bug "${plant}"; there are ${plantedBugs.map(({ name }) => `"${name}"`).join(", ")}`,
    );
  return {
    values,
    first: wholeNumber("--seed", seed),
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

/** The source is read with the bug in it; the files stay as they are. */
function plant({ file, old, now }: PlantedBug): void {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  if (!readFileSync(path, "utf8").includes(old)) throw new Error(`${file} has no ${old}`);
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith("file:") || fileURLToPath(url) !== path) return loaded;
      return { ...loaded, source: String(loaded.source).replace(old, () => now) };
    },
  });
}

/** Searches for each planted bug in a process of its own. */
function searchPlanted(): void {
  for (const { name } of plantedBugs) {
    const args = [import.meta.filename, "--plant", name, "--worlds", "100"];
    let output = "";
    try {
      execFileSync(process.execPath, args, { encoding: "utf8", stdio: "pipe" });
    } catch (error) {
      output = String(Reflect.get(error as object, "stdout"));
    }
    const [, problem = ""] = /:\n\n {2}(.*)$/m.exec(output) ?? [];
    const [, took] = /Found after (\d+) days/.exec(output) ?? [];
    console.log(`| ${name} | ${took ?? "not found"} | ${problem.slice(0, 120)} |`);
  }
}

const bug = plantedBugs.find(({ name }) => name === values.plant);
if (bug !== undefined) plant(bug);
if (values.planted) searchPlanted();
else await search();
