// The habits of servers: each record once, or a typed error or a report where the server hides the rest; never silence.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsUpTo } from "../../support/runs.ts";
import * as habits from "../servers/habits.ts";
import { type Habit, ListServer } from "../servers/list-server.ts";
import {
  anyList,
  anyStops,
  holdTo,
  inOneProcess,
  laws,
  orders,
  sizes,
  unique,
} from "./habit-laws.ts";

const numRuns = runsUpTo(60, 1500);

describe.each(Object.entries(laws))("a server with %s", (_, law) => {
  it("is read exactly, without a false report", async () => {
    const property = fc.asyncProperty(anyList(law, orders), async (list) => {
      await holdTo(law, list, inOneProcess);
    });
    await fc.assert(property, { numRuns });
  });

  it("is read exactly from cursors in other processes", async () => {
    // A cursor cannot tell all records of a list that is in no order and grows.
    const ordered = law.still ? orders : orders.filter((order) => order !== habits.byHash);
    const property = fc.asyncProperty(anyList(law, ordered), anyStops, async (list, stops) => {
      await holdTo(law, list, stops);
    });
    await fc.assert(property, { numRuns });
  });
});

describe("a batch of transfers that look the same", () => {
  it("is read from a server that refuses a look at an offset far away", async () => {
    const server = new ListServer("A5", [habits.newestFirst, habits.windowError(60)], [20]);
    const reports: unknown[] = [];
    const onReorganisation = (event: unknown) => reports.push(event);
    expect(await server.read({ limit: 5, onReorganisation }).collect()).toHaveLength(20);
    expect(reports).toEqual([]);
  });
});

describe("transfers that look the same, read one at a time", () => {
  it("are all read from a server whose `endBlock` is exclusive: a count of fewer blocks is no end", async () => {
    const server = new ListServer("A5", [habits.newestFirst, habits.endExclusive], [1, 3]);
    expect(await server.read({ limit: 1 }).collect()).toHaveLength(4);
  });
});

describe("lists of a server that the client knows", () => {
  const known: readonly ((size: number) => readonly Habit[])[] = [
    ...[
      [],
      [habits.oneMore],
      [habits.endExclusive],
      [habits.startExclusive],
      [habits.ignoresBlocks],
    ].map((habit) => () => habit),
    (size) => [habits.cap(size)],
    (size) => [habits.fixedPages(size)],
    ...[habits.countOfPage, habits.noCount, habits.countOff(1), habits.countIs(10_000)].map(
      (habit) => () => [habit],
    ),
  ];

  it("take at most 1.2 times the fewest possible requests, in the median", async () => {
    const ratios: number[] = [];
    const lists = fc.record({
      id: fc.constantFrom(...unique),
      order: fc.constantFrom(...orders),
      limit: fc.integer({ min: 1, max: 12 }),
      blocks: sizes(30),
    });
    for (const { id, order, limit, blocks } of fc.sample(lists, 60))
      for (const habit of known) {
        const server = new ListServer(id, [order, ...habit(limit)], blocks);
        const read = () => server.read({ limit, onShortfall: () => {} }).collect();
        expect(await read()).toHaveLength(server.records.length);
        const first = server.requests;
        await read();
        ratios.push(
          (server.requests - first) / Math.max(1, Math.ceil(server.records.length / limit)),
        );
      }
    ratios.sort((one, other) => one - other);
    expect(ratios[ratios.length >> 1]).toBeLessThanOrEqual(1.2);
  });
});
