// How many requests lists take, for every habit of servers: what a change of the machine costs or saves shows here.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { anyList, anyStops, holdTo, inOneProcess, laws, orders } from "./habit-laws.ts";
import {
  anyBlocks,
  anyGrowth,
  anyHabits,
  anyReading,
  anyReorganisation,
  QuirkyList,
} from "./quirky-list.ts";

/** The same lists in each run, whatever PROPERTY_SEED is. */
const sample = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.sample(arbitrary, { numRuns: 40, seed: 20261123 });

it("servers with a habit are asked this often", async () => {
  const requests: string[] = [];
  for (const [name, law] of Object.entries(laws)) {
    let [inOne, fromCursors] = [0, 0];
    for (const [list, stops] of sample(fc.tuple(anyList(law, orders.slice(0, 2)), anyStops))) {
      inOne += await holdTo(law, list, inOneProcess);
      fromCursors += await holdTo(law, list, stops);
    }
    requests.push(`${name}: ${inOne}, from cursors ${fromCursors}`);
  }
  expect(requests).toMatchInlineSnapshot(`
    [
      "as specified: 945, from cursors 3076",
      "pages shorter than requested: 1851, from cursors 3651",
      "pages of a fixed length: 1496, from cursors 2656",
      "one record more than requested: 791, from cursors 2385",
      "pages of varying length: 2014, from cursors 2898",
      "a count that is one too high: 996, from cursors 3205",
      "an estimated count: 1037, from cursors 3225",
      "a count of 10,000: 1510, from cursors 3596",
      "a count that ends at a number: 899, from cursors 2978",
      "\`offset\` is ignored: 862, from cursors 1277",
      "\`offset\` is the number of a page: 901, from cursors 1199",
      "nothing beyond a result window: 1701, from cursors 1957",
      "an error beyond a result window: 1268, from cursors 11333",
      "the last page again beyond a result window: 1432, from cursors 2593",
      "\`endBlock\` is exclusive: 954, from cursors 3106",
      "\`startBlock\` is exclusive: 971, from cursors 3108",
      "blocks are ignored: 814, from cursors 2370",
    ]
  `);
});

it("servers that reorganise, or answer from stale replicas, are asked this often", async () => {
  const ids = fc.constantFrom("A2", "A5", "A10", "L1");
  const asked = async (lags: readonly number[], changes: typeof anyReorganisation) => {
    let sum = 0;
    const lists = fc.record({
      id: ids,
      habits: anyHabits,
      reading: anyReading,
      blocks: anyBlocks,
      changes,
    });
    for (const { id, habits, reading, blocks, changes } of sample(lists)) {
      const list = new QuirkyList(id, { ...habits, count: "total" }, { lags }, blocks, changes);
      await list.read(reading).collect();
      sum += list.requests;
    }
    return sum;
  };
  expect({
    reorganisations: await asked([0], anyReorganisation),
    replicas: await asked([0, 0, 2], anyGrowth),
    "more replicas": await asked([0, 3, 0, 1], anyGrowth),
  }).toMatchInlineSnapshot(`
    {
      "more replicas": 951,
      "reorganisations": 1366,
      "replicas": 971,
    }
  `);
});
