// Lists of a period: `since` is included and `until` is not, for times and for blocks, and other
// lists refuse both.
import { describe, expect, it } from "vitest";
import { isExplorerError } from "../../src/index.ts";
import { newestFirst, oldestFirst } from "../laws/lists/habits.ts";
import { type ListId, ListServer, type SimulatedRecord } from "../laws/lists/list-server.ts";

const thrown = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);
const at = (seconds: number) => new Date(seconds * 1000);
const orders = [newestFirst, oldestFirst];

/** Forty blocks of two records each, two of them at each time: blocks 8 and 9 at 8 s. */
function pairs(id: ListId, order = newestFirst) {
  const server = new ListServer(id, [order], Array(40).fill(2));
  server.timeOf = (block) => block - (block % 2);
  return server;
}

const blocksOf = (records: readonly SimulatedRecord[]) =>
  [
    ...new Set(records.map((record) => Number(record.transaction_hash?.toString().split(":")[0]))),
  ].sort((one, other) => one - other);

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe.each(["A2", "A5", "L1"] as const)("a list with blocks (%s)", (id) => {
  it.each([
    [{ since: at(8) }, range(8, 39)],
    [{ since: at(7) }, range(8, 39)],
    [{ since: at(8.5) }, range(10, 39)],
    [{ until: at(8) }, range(0, 7)],
    [{ until: at(9) }, range(0, 9)],
    [{ since: at(8), until: at(12) }, range(8, 11)],
    [{ since: "1970-01-01T00:00:08Z", until: "1970-01-01T00:00:12" }, range(8, 11)],
    [{ since: "1970-01-01T02:00:08+02:00", until: "1970-01-02" }, range(8, 39)],
    [{ since: "1970-01-01" }, range(0, 39)],
    [{ since: 8, until: 11n }, range(8, 10)],
    [{ since: 8n, until: at(12) }, range(8, 11)],
    [{ since: at(-5), until: at(0) }, []],
    [{ since: at(1000) }, []],
    [{ until: 0 }, []],
  ])("has the blocks of %o", async (period, expected) => {
    for (const order of orders) {
      const server = pairs(id, order);
      expect(blocksOf(await server.read({ limit: 7, ...period }).collect())).toEqual(expected);
      const { data } = await server.read({ limit: 100, ...period });
      expect(blocksOf(data)).toEqual(expected);
      expect(server.complaints).toEqual([]);
    }
  });

  it("has the blocks that were there when it was requested, also from a cursor", async () => {
    const server = pairs(id);
    const period = { since: at(20), until: at(1_000_000) };
    const seen: SimulatedRecord[] = [];
    let resume: string | undefined;
    for (let pages = 0; pages < 20; pages++) {
      const page = await server.read({ ...period, resume, limit: 6 });
      seen.push(...page.data);
      resume = page.cursor;
      server.mine([2]);
      if (!page.hasNextPage()) break;
    }
    expect(blocksOf(seen)).toEqual(range(20, 39));
    expect(seen).toHaveLength(40);
    const other = await thrown(server.read({ since: at(21), resume }).collect());
    expect(isExplorerError(other, "PARAMETER")).toBe(true);
  });
});

describe("a list without a range of blocks (A10)", () => {
  it.each([
    [{ since: at(8), until: at(12) }, range(8, 11)],
    [{ since: 8n, until: 12 }, range(8, 11)],
    [{ since: at(8), until: 11n }, range(8, 10)],
    [{ since: at(1000) }, []],
  ])("is selected by time or block as it is read: %o", async (period, expected) => {
    for (const order of orders) {
      const server = pairs("A10", order);
      const numbers = (records: readonly SimulatedRecord[]) =>
        records.map(({ block_number }) => Number(block_number)).sort((a, b) => a - b);
      expect(numbers(await server.read(period).collect())).toEqual(expected);
      const page = await server.read({ limit: 3, ...period });
      expect(page.data).toHaveLength(Math.min(3, expected.length));
      const rest = await server.read({ ...period, resume: page.cursor }).collect();
      expect(numbers([...page.data, ...rest])).toEqual(expected);
    }
  });

  it("is read no further than the period", async () => {
    const server = new ListServer("A10", [newestFirst], Array(5000).fill(1));
    expect(await server.read({ since: at(4500) }).collect()).toHaveLength(500);
    expect(server.requests).toBe(1);
  });
});

describe("a period is refused", () => {
  it.each([
    [{ since: "yesterday" }, "since", /^a Date, or an ISO time such as .*, or a block number$/],
    [{ since: "2026-02-30" }, "since", /^a Date/],
    [{ since: "2026-13-01" }, "since", /^a Date/],
    [{ since: "2026" }, "since", /^a Date/],
    [{ until: new Date(Number.NaN) }, "until", /^a Date/],
    [{ until: -1 }, "until", /^a Date/],
    [{ since: 9, until: 9 }, "until", /^an end after `since`$/],
    [{ since: "2026-10-02", until: "2026-10-01" }, "until", /^an end after `since`$/],
    [{ since: 3, startBlock: 2 }, "since", /but not both$/],
    [{ until: 3, endBlock: 2 }, "until", /but not both$/],
  ])("if it is %o", async (period, path, expected) => {
    const server = new ListServer("A2", [newestFirst], [1]);
    const error = await thrown(server.read(period).collect());
    expect(error).toMatchObject({ code: "PARAMETER", operation: "A2" });
    expect(isExplorerError(error, "PARAMETER") && error.issues).toMatchObject([
      { path: [path], expected: expect.stringMatching(expected) },
    ]);
    expect(server.requests).toBe(0);
  });
});
