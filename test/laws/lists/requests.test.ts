// How many requests lists take for every habit of servers, what is learned of them and what is reported: what a change of the machine costs or saves shows here.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Habits } from "./growing-list.ts";
import {
  anyList,
  anyStops,
  holdTo,
  inOneProcess,
  laws,
  type Outcome,
  orders,
  readIn,
} from "./habit-laws.ts";
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
  fc.sample(arbitrary, { numRuns: 25, seed: 20261123 });

/** How often each of these was seen: `records 12, pages 3`. */
function tallied(seen: readonly (string | undefined)[]): string {
  const counts = new Map<string, number>();
  for (const one of seen) if (one !== undefined) counts.set(one, (counts.get(one) ?? 0) + 1);
  const sorted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map((one) => one.join(" ")).join("; ");
}

/** What was learned of servers, but for the lengths of pages, which are added up. */
function learnedOf(outcomes: readonly Outcome[]): string {
  const facts = outcomes.flatMap(({ learned: { largestPage: _, ...facts } = {} }) =>
    Object.entries(facts).map(([name, value]) => `${name} ${value}`),
  );
  const pages = outcomes.reduce((sum, { learned }) => sum + (learned?.largestPage ?? 0), 0);
  return `${tallied(facts)}; pages of ${pages}`;
}

it("servers with a habit are asked this often, and this is learned of them", async () => {
  const requests: string[] = [];
  const learned: string[] = [];
  for (const [name, law] of Object.entries(laws)) {
    const outcomes: { inOne: Outcome; fromCursors: Outcome }[] = [];
    for (const [list, stops] of sample(fc.tuple(anyList(law, orders), anyStops)))
      outcomes.push({
        inOne: await holdTo(law, list, inOneProcess),
        fromCursors: await holdTo(law, list, stops),
      });
    const inOne = outcomes.map((one) => one.inOne);
    const fromCursors = outcomes.map((one) => one.fromCursors);
    const sumOf = (all: readonly Outcome[]) => all.reduce((sum, one) => sum + one.requests, 0);
    requests.push(`${name}: ${sumOf(inOne)}, from cursors ${sumOf(fromCursors)}`);
    const ends = tallied([...inOne, ...fromCursors].map(({ end }) => end));
    learned.push(`${name}: ${learnedOf([...inOne, ...fromCursors])}${ends && ` (${ends})`}`);
  }
  expect(requests).toMatchInlineSnapshot(`
    [
      "as specified: 583, from cursors 2340",
      "pages shorter than requested: 970, from cursors 2481",
      "pages of a fixed length: 767, from cursors 1533",
      "one record more than requested: 508, from cursors 1612",
      "pages of varying length: 1312, from cursors 1626",
      "a count that is one too high: 545, from cursors 1973",
      "an estimated count: 611, from cursors 2038",
      "a count of 10,000: 809, from cursors 2109",
      "a count that ends at a number: 473, from cursors 2181",
      "\`offset\` is ignored: 557, from cursors 649",
      "\`offset\` is the number of a page: 457, from cursors 477",
      "nothing beyond a result window: 1284, from cursors 1752",
      "an error beyond a result window: 888, from cursors 1402",
      "the last page again beyond a result window: 1014, from cursors 1686",
      "\`endBlock\` is exclusive: 588, from cursors 2355",
      "\`startBlock\` is exclusive: 573, from cursors 2309",
      "blocks are ignored: 450, from cursors 1370",
    ]
  `);
  expect(learned).toMatchInlineSnapshot(`
    [
      "as specified: count list 24; count page 6; endBlock inclusive 15; offset records 38; order newest first 6; order oldest first 8; order unsorted 12; startBlock inclusive 18; pages of 219",
      "pages shorter than requested: count list 24; count page 6; endBlock inclusive 16; offset records 36; order newest first 6; order oldest first 8; order unsorted 8; startBlock inclusive 18; pages of 126",
      "pages of a fixed length: count list 24; count page 4; endBlock inclusive 16; offset records 43; order newest first 8; order oldest first 9; order unsorted 12; startBlock inclusive 17; pages of 212",
      "one record more than requested: count list 24; count page 6; endBlock inclusive 15; offset records 46; order newest first 8; order oldest first 9; order unsorted 16; startBlock inclusive 17; pages of 262",
      "pages of varying length: count list 24; count page 6; offset records 37; order newest first 2; order oldest first 6; order unsorted 14; startBlock inclusive 1; pages of 150",
      "a count that is one too high: count guess 19; count list 12; endBlock inclusive 15; offset records 30; order newest first 4; order oldest first 8; order unsorted 12; startBlock inclusive 18; pages of 208 (shortfall 21)",
      "an estimated count: count guess 15; count list 13; endBlock inclusive 15; offset records 32; order newest first 4; order oldest first 8; order unsorted 12; startBlock inclusive 18; pages of 219 (shortfall 16)",
      "a count of 10,000: count guess 50; endBlock inclusive 15; offset records 30; order newest first 6; order oldest first 8; order unsorted 12; startBlock inclusive 18; pages of 222 (shortfall 50)",
      "a count that ends at a number: count list 34; endBlock inclusive 15; offset records 42; order newest first 2; order oldest first 6; order unsorted 12; startBlock inclusive 18; pages of 219",
      "\`offset\` is ignored: endBlock inclusive 12; offset ignored 38; order oldest first 2; order unsorted 15; startBlock inclusive 8; pages of 219 (OFFSET_IGNORED 32)",
      "\`offset\` is the number of a page: count list 22; count page 4; endBlock inclusive 2; offset pages 36; offset records 1; order newest first 4; order oldest first 6; order unsorted 15; pages of 213",
      "nothing beyond a result window: count list 20; count page 6; endBlock inclusive 2; offset records 39; order newest first 4; order oldest first 4; order unsorted 15; startBlock inclusive 2; pages of 219 (RESULT_WINDOW 6)",
      "an error beyond a result window: count list 20; count page 6; endBlock inclusive 4; offset records 37; order newest first 4; order oldest first 4; order unsorted 15; startBlock inclusive 4; pages of 219",
      "the last page again beyond a result window: count list 18; count page 6; endBlock inclusive 4; offset records 37; order newest first 4; order oldest first 4; order unsorted 15; startBlock inclusive 4; pages of 219 (OFFSET_IGNORED 2; RESULT_WINDOW 4)",
      "\`endBlock\` is exclusive: count list 24; count page 6; endBlock exclusive 12; offset records 38; order newest first 6; order oldest first 8; order unsorted 12; startBlock inclusive 18; pages of 219",
      "\`startBlock\` is exclusive: count list 24; count page 6; endBlock inclusive 15; offset records 40; order newest first 6; order oldest first 8; order unsorted 12; startBlock exclusive 7; pages of 224",
      "blocks are ignored: count list 24; count page 6; endBlock ignored 3; offset records 37; order newest first 2; order oldest first 8; order unsorted 14; startBlock ignored 3; pages of 213",
    ]
  `);
});

it("servers that reorganise, or answer from stale replicas, are asked this often, and report this", async () => {
  const ids = fc.constantFrom("A2", "A5", "A10", "L1");
  const asked = async (
    lags: readonly number[],
    changes: typeof anyReorganisation,
    counts: readonly Habits["count"][] = ["total"],
  ) => {
    let [inOne, fromCursors] = [0, 0];
    const reported: string[] = [];
    const lists = fc.record({
      id: ids,
      habits: anyHabits,
      count: fc.constantFrom(...counts),
      reading: anyReading,
      blocks: anyBlocks,
      changes,
      stops: anyStops,
    });
    for (const { id, habits, count, reading, blocks, changes, stops } of sample(lists)) {
      const listOf = () => new QuirkyList(id, { ...habits, count }, { lags }, blocks, changes);
      const options = {
        ...reading,
        onReorganisation: ({ shift }: { readonly shift?: number | undefined }) =>
          void reported.push(`shift ${shift}`),
        onShortfall: () => void reported.push("shortfall"),
      };
      const whole = listOf();
      await whole.read(options).collect();
      inOne += whole.requests;
      const inParts = listOf();
      const read = (more: object) => inParts.read({ ...options, ...more });
      await Array.fromAsync(readIn(read, stops));
      fromCursors += inParts.requests;
    }
    return `${inOne}, from cursors ${fromCursors}; ${tallied(reported)}`;
  };
  expect({
    reorganisations: await asked([0], anyReorganisation),
    "with other counts": await asked([0], anyReorganisation, ["page", "none", "nonsense"]),
    replicas: await asked([0, 0, 2], anyGrowth),
    "more replicas": await asked([0, 3, 0, 1], anyGrowth),
  }).toMatchInlineSnapshot(`
    {
      "more replicas": "649, from cursors 1249; ",
      "reorganisations": "990, from cursors 1646; shift undefined 10",
      "replicas": "669, from cursors 1262; ",
      "with other counts": "813, from cursors 1542; shift undefined 12",
    }
  `);
});
