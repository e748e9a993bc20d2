// The habits of servers: lists are exact where there is evidence for a habit; a server that
// contradicts itself never causes silence or repetition.
import { readFileSync, writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs, runsUpTo } from "../../support/runs.ts";
import {
  type AnyList,
  anyList,
  contradictions,
  evidenced,
  type Law,
  outcomeOf,
  windows,
} from "./any-list.ts";
import * as habits from "./habits.ts";

const laws = { ...evidenced, ...windows, ...contradictions };

describe.each(Object.entries(laws))("a server with %s", (_, law) => {
  it("is read exactly, or to an end that says what it did", async () => {
    const property = fc.asyncProperty(anyList(law), async (list) => {
      const { details, ending } = await outcomeOf(law, list);
      expect(["exact", ...(law.endings ?? [])], details).toContain(ending);
    });
    // A list behind a window of 10,000 has a hundred times as many records.
    const { scale = 1 } = law;
    const numRuns = runsUpTo(Math.ceil(100 / scale), Math.ceil(3000 / scale));
    await fc.assert(property, { numRuns });
  });
});

const one = { blocks: [1] };

/** Lists that earlier versions lost, repeated or gave up. */
const kept: readonly { law: string; list: Partial<AnyList>; ending: string }[] = [
  {
    law: "blocks ignored",
    list: { blocks: [1, 3], changes: [{ blocks: [] }, { blocks: [] }, { blocks: [] }, one] },
    ending: "exact",
  },
  {
    law: "blocks ignored",
    list: {
      blocks: [0, 1],
      changes: [{ blocks: [] }, { blocks: [] }, one],
      order: habits.newestFirst,
    },
    ending: "RANGE_IGNORED",
  },
  {
    law: "empty pages in the middle",
    list: {
      id: "A2",
      order: habits.newestFirst,
      seed: 985,
      limit: 1,
      pages: 2,
      blocks: [...Array(23).fill(0), 1, 0],
      changes: [{ blocks: [2] }, ...Array(4).fill({ blocks: [] }), { blocks: [2] }],
    },
    ending: "exact",
  },
  {
    law: "a window of 1,234",
    list: {
      ...{ id: "A2", seed: 2, order: habits.newestFirst, limit: 1000 },
      ...{ count: [habits.countUpTo(1234)], blocks: Array(40).fill(50) },
    },
    ending: "exact",
  },
  {
    law: "a window of 999",
    list: {
      ...{ id: "A10", seed: 2, order: habits.newestFirst, limit: 1000 },
      ...{ count: [habits.countUpTo(999)], blocks: Array(40).fill(50) },
    },
    ending: "loss reported",
  },
];

it.each(kept)("once went wrong: $law, ending in $ending", async ({ law, list, ending }) => {
  const usual: AnyList = {
    ...{ id: "A5", seed: 0, order: habits.oldestFirst, count: [] },
    ...{ limit: 2, prefetch: 0, blocks: [], changes: [], pages: 0 },
  };
  expect((await outcomeOf(laws[law] as Law, { ...usual, ...list })).ending).toBe(ending);
});

/** How often each ending came of 200 lists of each habit, the same in every run. */
async function table(): Promise<string> {
  const rows: string[] = [];
  for (const [name, law] of Object.entries(laws)) {
    const endings = new Map<string, number>();
    for (const list of fc.sample(anyList(law), { numRuns: 200, seed: 20261125 })) {
      const { ending } = await outcomeOf(law, list);
      endings.set(ending, (endings.get(ending) ?? 0) + 1);
    }
    const of = (ending: string) => {
      const times = endings.get(ending) ?? 0;
      endings.delete(ending);
      return times;
    };
    const [exact, silent, twice] = [of("exact"), of("silent loss"), of("twice")];
    const others = [...endings].map(([ending, times]) => `\`${ending}\` ${times}`).sort();
    rows.push(`| ${name} | ${exact} | ${others.join(", ")} | ${silent} | ${twice} |`);
  }
  const head = "| habit of the server | exact | error or report | silent loss | twice |";
  return [head, "|---|--:|---|--:|--:|", ...rows].join("\n");
}

/** In `npm test` the laws are enough. */
const isTableWanted = process.env.UPDATE_DOCS || runs(200) >= 200;

it.runIf(isTableWanted)(
  "the table of habits in docs/iteration.md is as lists are read",
  async () => {
    const file = new URL("../../../docs/iteration.md", import.meta.url);
    const page = readFileSync(file, "utf8");
    const rows = await table();
    const between = /(<!-- habits -->\n)[\s\S]*?(\n<!-- \/habits -->)/;
    if (process.env.UPDATE_DOCS) writeFileSync(file, page.replace(between, `$1${rows}$2`));
    else expect(page, "UPDATE_DOCS=1 writes it").toContain(rows);
  },
);
