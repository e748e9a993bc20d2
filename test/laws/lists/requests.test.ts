// How many requests lists take for every habit of servers, what is learned of them and what is reported: what a change of the machine costs or saves shows here.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { isExplorerError, type Reorganisation } from "../../../src/index.ts";
import { profilesOf } from "../../../src/lists/profile.ts";
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
  anyQuirks,
  anyReading,
  anyReorganisation,
  QuirkyList,
} from "./quirky-list.ts";

/** The same lists in each run, whatever PROPERTY_SEED is. */
const sample = <Value>(arbitrary: fc.Arbitrary<Value>, numRuns = 40) =>
  fc.sample(arbitrary, { numRuns, seed: 20261123 });

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

/** Options that note what is reported. */
const notingIn = (reported: string[]) => ({
  onReorganisation: ({ shift }: Pick<Reorganisation, "shift">) =>
    void reported.push(`shift ${shift}`),
  onShortfall: () => void reported.push("shortfall"),
});

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
      "as specified: 919, from cursors 3309",
      "pages shorter than requested: 1801, from cursors 3862",
      "pages of a fixed length: 1466, from cursors 2401",
      "one record more than requested: 804, from cursors 2178",
      "pages of varying length: 2209, from cursors 3006",
      "a count that is one too high: 1003, from cursors 3068",
      "an estimated count: 1019, from cursors 3095",
      "a count of 10,000: 1452, from cursors 3382",
      "a count that ends at a number: 840, from cursors 3188",
      "\`offset\` is ignored: 843, from cursors 998",
      "\`offset\` is the number of a page: 894, from cursors 1197",
      "nothing beyond a result window: 1932, from cursors 2102",
      "an error beyond a result window: 1400, from cursors 11057",
      "the last page again beyond a result window: 1542, from cursors 2187",
      "\`endBlock\` is exclusive: 930, from cursors 3331",
      "\`startBlock\` is exclusive: 908, from cursors 3277",
      "blocks are ignored: 794, from cursors 2262",
    ]
  `);
  expect(learned).toMatchInlineSnapshot(`
    [
      "as specified: count list 42; count page 9; endBlock inclusive 24; offset records 62; order newest first 9; order oldest first 11; order unsorted 17; startBlock inclusive 27; pages of 333",
      "pages shorter than requested: count list 42; count page 9; endBlock inclusive 26; offset records 57; order newest first 7; order oldest first 9; order unsorted 11; startBlock inclusive 28; pages of 182",
      "pages of a fixed length: count list 42; count page 7; endBlock inclusive 26; offset records 66; order newest first 10; order oldest first 11; order unsorted 16; startBlock inclusive 26; pages of 303",
      "one record more than requested: count list 42; count page 9; endBlock inclusive 24; offset records 72; order newest first 12; order oldest first 13; order unsorted 22; startBlock inclusive 25; pages of 397",
      "pages of varying length: count list 42; count page 10; endBlock inclusive 3; offset records 59; order newest first 5; order oldest first 9; order unsorted 21; startBlock inclusive 1; pages of 232",
      "a count that is one too high: count guess 24; count list 19; endBlock inclusive 25; offset records 51; order newest first 7; order oldest first 11; order unsorted 17; startBlock inclusive 28; pages of 329 (shortfall 26)",
      "an estimated count: count guess 19; count list 20; endBlock inclusive 25; offset records 53; order newest first 7; order oldest first 11; order unsorted 17; startBlock inclusive 28; pages of 338 (shortfall 20)",
      "a count of 10,000: count guess 80; endBlock inclusive 25; offset records 51; order newest first 11; order oldest first 11; order unsorted 17; startBlock inclusive 28; pages of 343 (shortfall 80)",
      "a count that ends at a number: count list 53; endBlock inclusive 24; offset records 67; order newest first 5; order oldest first 7; order unsorted 17; startBlock inclusive 27; pages of 333",
      "\`offset\` is ignored: count list 4; endBlock inclusive 24; offset ignored 59; order newest first 4; order oldest first 2; order unsorted 18; startBlock inclusive 15; pages of 359 (OFFSET_IGNORED 48)",
      "\`offset\` is the number of a page: count list 38; count page 6; endBlock inclusive 2; offset pages 59; offset records 4; order newest first 8; order oldest first 6; order unsorted 21; pages of 319",
      "nothing beyond a result window: count list 38; count page 8; endBlock inclusive 8; offset records 61; order newest first 8; order oldest first 4; order unsorted 21; startBlock inclusive 6; pages of 359 (RESULT_WINDOW 6)",
      "an error beyond a result window: count list 38; count page 8; endBlock inclusive 14; offset records 58; order newest first 8; order oldest first 4; order unsorted 21; startBlock inclusive 14; pages of 359",
      "the last page again beyond a result window: count list 36; count page 8; endBlock inclusive 12; offset ignored 5; offset records 58; order newest first 8; order oldest first 4; order unsorted 21; startBlock inclusive 10; pages of 359 (OFFSET_IGNORED 4; RESULT_WINDOW 4)",
      "\`endBlock\` is exclusive: count list 42; count page 9; endBlock exclusive 20; offset records 62; order newest first 9; order oldest first 11; order unsorted 17; startBlock inclusive 27; pages of 333",
      "\`startBlock\` is exclusive: count list 42; count page 9; endBlock inclusive 24; offset records 64; order newest first 9; order oldest first 11; order unsorted 17; startBlock exclusive 8; pages of 339",
      "blocks are ignored: count list 42; count page 10; endBlock ignored 8; offset records 60; order newest first 5; order oldest first 11; order unsorted 21; startBlock ignored 8; pages of 339",
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
        ...notingIn(reported),
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
      "more replicas": "951, from cursors 1845; ",
      "reorganisations": "1366, from cursors 2080; shift undefined 10",
      "replicas": "971, from cursors 1858; ",
      "with other counts": "1229, from cursors 1963; shift undefined 14; shortfall 2",
    }
  `);
});

it("servers that misbehave in several ways are asked this often, and this comes of it", async () => {
  const lists = fc.record({
    id: fc.constantFrom("A2" as const, "A5" as const, "A10" as const, "L1" as const),
    habits: anyHabits,
    reading: anyReading,
    blocks: anyBlocks,
    changes: fc.oneof(anyGrowth, anyReorganisation, fc.constant([])),
    quirks: anyQuirks,
    offset: fc.constantFrom(0, 0, 1, 3),
    bounds: fc.constantFrom({}, {}, { startBlock: 2n }, { endBlock: 9n }),
    stops: fc.oneof(fc.constant(inOneProcess), anyStops),
  });
  const ends: string[] = [];
  const outcomes: Outcome[] = [];
  for (const one of sample(lists, 400)) {
    const { id, habits, reading, blocks, changes, quirks, offset, bounds, stops } = one;
    const list = new QuirkyList(id, habits, quirks, blocks, changes);
    const given = { ...reading, offset, ...(id === "A2" || id === "A5" ? bounds : {}) };
    const options = {
      ...given,
      ...notingIn(ends),
    };
    const records = await Array.fromAsync(
      readIn((more: object) => list.read({ ...options, ...more }), stops),
    ).catch((error: unknown) => {
      ends.push(isExplorerError(error, "LIST") ? error.reason : String(error));
      return [];
    });
    ends.push(...records.map(() => "record"));
    const learned = profilesOf(list.call).get(id);
    outcomes.push({ requests: list.requests, learned, end: undefined });
  }
  const requests = outcomes.reduce((sum, one) => sum + one.requests, 0);
  expect({ requests, learned: learnedOf(outcomes), ends: tallied(ends) }).toMatchInlineSnapshot(`
    {
      "ends": "Error: limit too large 30; NO_PROGRESS 62; OFFSET_IGNORED 34; RESULT_WINDOW 35; record 991; shift undefined 689; shortfall 16",
      "learned": "count guess 15; count list 24; count page 31; endBlock ignored 6; endBlock inclusive 26; offset ignored 36; offset records 91; offset undefined 2; order newest first 1; order oldest first 5; order unsorted 1; startBlock ignored 6; startBlock inclusive 20; pages of 663",
      "requests": 91602,
    }
  `);
});
