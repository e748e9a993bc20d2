// Simulated days: whatever the seed, every promise holds, and the same seed gives the same world.
import { expect, test } from "vitest";
import { seed as drawn, limit, runs } from "../support/runs.ts";
import { simulate } from "./world.ts";

/** Another seed in `npm run laws`. */
const first = 1 + (drawn - 1) * 1_000;

test("a world of two days keeps every promise", { timeout: limit(120_000) }, async () => {
  for (let seed = first; seed < first + runs(20); seed++) {
    const { problems } = await simulate(seed, 2);
    expect(problems, `npm run simulate -- --seed ${seed}`).toEqual([]);
  }
});

test("a seed gives the same world again, to the request", async () => {
  const [one, other] = [await simulate(1, 1), await simulate(1, 1)];
  expect(one.trace.length).toBeGreaterThan(100);
  expect(other.trace).toEqual(one.trace);
});
