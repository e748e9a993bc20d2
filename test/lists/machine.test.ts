// The rules of the machine that reads lists, each with a server that needs it: without the rule, records are lost, repeated or out of order.
import { describe, expect, it } from "vitest";
import { isExplorerError } from "../../src/index.ts";
import { beginWith, profilesOf } from "../../src/lists/profile.ts";
import { tally } from "../laws/lists/growing-list.ts";
import {
  byHash,
  countOfPage,
  ignoresOffset,
  newestFirst,
  noCount,
  offsetIsPage,
  oldestFirst,
  windowEmpty,
} from "../laws/servers/habits.ts";
import { type Habit, ListServer } from "../laws/servers/list-server.ts";

/** Reads a list, and expects each record of `wanted` exactly once, without a report. */
async function expectExact(
  server: ListServer,
  options: object,
  wanted: readonly object[] = server.lasting,
) {
  const reports: unknown[] = [];
  const report = (event: unknown) => reports.push(event);
  const read = server.read({ ...options, onReorganisation: report, onShortfall: report });
  const got = tally(await read.collect());
  for (const [record, times] of tally(wanted)) expect(got.get(record), record).toBe(times);
  for (const times of got.values()) expect(times).toBe(1);
  expect(reports).toEqual([]);
}

const all = { offset: 0, startBlock: undefined, endBlock: undefined };
const ones = (length: number) => Array<number>(length).fill(1);

describe("an end before the count", () => {
  it("is requested twice more: one replica of three is up to date", async () => {
    const stale: Habit = {
      answer: (honest, { limit, offset }, all, turn) =>
        turn % 3 ? { count: 4, data: all.slice(0, 4).slice(offset, offset + limit) } : honest,
    };
    await expectExact(new ListServer("A10", [oldestFirst, stale], ones(10)), { limit: 4 });
  });
});

describe("the same page from two offsets", () => {
  it("is no offset that is ignored, if the list grew by a page", async () => {
    const changes = Array.from({ length: 8 }, () => ({ blocks: [1] }));
    const server = new ListServer("A2", [newestFirst], [3, 2, 1, 0, 3, 3], changes);
    await expectExact(server, { limit: 1 });
  });

  it("ends a batch of transfers that look the same, if a page far away is the same, too", async () => {
    const server = new ListServer("A5", [newestFirst, ignoresOffset], [1, 1]);
    expect(await server.read({ limit: 100 }).collect()).toHaveLength(2);
  });

  it("is not the end because a count of the page says so", async () => {
    const server = new ListServer("A2", [newestFirst, ignoresOffset, countOfPage], ones(6));
    await expectExact(server, { limit: 3 });
  });
});

describe("a position with nothing after the last record, where a page was empty", () => {
  it("is requested again, as the list may have grown", async () => {
    const changes = [3, 1, 3, 1, 0, 1, 0, 0].map((blocks) => ({ blocks: ones(blocks) }));
    const reorganisation = { depth: 5, blocks: [] };
    const server = new ListServer("A10", [byHash, noCount], [1], [...changes, reorganisation]);
    await expectExact(server, { limit: 2, prefetch: 4 });
  });
});

describe("a list in the server's order", () => {
  it("stays in order: what arrived does not come after an older record", async () => {
    const server = new ListServer("L1", [newestFirst], ones(24), [{ blocks: ones(10) }]);
    const got = await server.read({ limit: 10 }).collect();
    const times = got.map(({ timestamp }) => Number(timestamp));
    expect(times).toEqual(times.toSorted((one, other) => other - one));
  });
});

describe("a list that another process reads on", () => {
  it("loses nothing if blocks arrive, and a reorganisation takes some of them back", async () => {
    const changes = [{ blocks: [] }, { blocks: ones(60) }, { depth: 50, blocks: [] }];
    const server = new ListServer("L1", [newestFirst], ones(100), changes);
    const { lasting } = server;
    const got: object[] = [];
    let resume: string | undefined;
    for await (const page of server.read({ limit: 20 }).pages()) {
      got.push(...page.data);
      resume = page.cursor;
      // More than a cursor remembers.
      if (got.length > 32) break;
    }
    got.push(...(await server.read({ limit: 20, resume }).collect()));
    expect(tally(got)).toEqual(tally(lasting));
  });
});

describe("what was learned about a server", () => {
  it("is taken back, if `offset` is not the number of a page", async () => {
    const server = new ListServer("A10", [newestFirst], ones(12));
    beginWith(server.call, { lists: { A10: { offset: "pages" } } });
    await expectExact(server, { limit: 2 });
  });

  it("is not that `offset` counts records, because a list was empty", async () => {
    const server = new ListServer("A10", [oldestFirst, offsetIsPage], [], [{ blocks: ones(27) }]);
    expect(await server.read({ limit: 8 }).collect()).toEqual([]);
    expect(server.requests).toBe(1);
    await expectExact(server, { limit: 8 }, server.answer({ ...all, limit: 27 }).data);
  });

  it("is that the count is that of the page", async () => {
    const server = new ListServer("A2", [oldestFirst, countOfPage], ones(11));
    await server.read({ limit: 4 }).collect();
    expect(profilesOf(server.call).get("A2")?.count).toBe("page");
  });
});

describe("a block that is larger than the result window", () => {
  it("is read last: the records of all others are in the error", async () => {
    const blocks = [...ones(6), 9];
    const server = new ListServer("A2", [newestFirst, windowEmpty(5)], blocks);
    const error = await server
      .read({ limit: 3 })
      .collect()
      .catch((thrown: unknown) => thrown);
    if (!isExplorerError(error, "LIST")) throw error;
    expect(error.reason).toBe("RESULT_WINDOW");
    expect(error.records).toHaveLength(13);
  });
});
