// Simulated days: whatever the seed, every promise holds.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { seed as drawn, limit, runsUpTo } from "../support/runs.ts";
import { bytesHeld, DAYS, MAX_HELD, type Outcome, simulate, WEIGHED } from "./world.ts";

/** Another seed in `npm run laws`, where 100,000 days are lived. */
const first = 1 + (drawn - 1) * 1_000;
const worlds = runsUpTo(1_000, 100_000) / DAYS;

test("worlds of 1,000 days keep every promise, and no client holds much at the end of one", {
  timeout: limit(1_200_000),
}, async () => {
  const lived: Outcome[] = [];
  for (let seed = first; seed < first + worlds; seed++) {
    const outcome = await simulate(seed);
    expect(outcome.problems, `npm run simulate -- --seed ${seed}`).toEqual([]);
    lived.push(outcome);
    if (lived.length === WEIGHED || seed === first + worlds - 1)
      expect(await bytesHeld(lived.splice(0))).toBeLessThan(MAX_HELD);
  }
});

test.each([1695, 2150, 3060, 20092, 701042])(
  "world %i, which once showed a fault, keeps every promise",
  async (seed) => {
    expect((await simulate(seed)).problems).toEqual([]);
  },
);

const script = (...args: string[]) =>
  promisify(execFile)(process.execPath, ["scripts/simulate.ts", ...args]);

test("a seed gives the same log in another process, byte for byte", async () => {
  const { log } = await simulate(10);
  const { stdout } = await script("--seed", "10", "--log");
  expect(log.length).toBeGreaterThan(100);
  expect(stdout).toContain(
    `${log.join("\n")}\n1 worlds of 5 days from seed 10 on kept every promise.`,
  );
});
