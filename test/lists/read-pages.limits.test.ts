// Where reading a list ends: what a server refuses, what a caller may ask, and what is left behind.
import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import type { Call, CallOptions } from "../../src/http/call.ts";
import {
  ApiError,
  AuthenticationError,
  isExplorerError,
  NotFoundError,
  operations,
  RateLimitError,
  ServerError,
} from "../../src/index.ts";
import { paged } from "../../src/lists/paged-request.ts";
import {
  cap,
  countOff,
  countOfPage,
  countUpTo,
  ignoresBlocks,
  newestFirst,
  noCount,
  oldestFirst,
  windowCut,
  windowEmpty,
  windowError,
} from "../laws/lists/habits.ts";
import { type Habit, ListServer, type SimulatedRecord, tally } from "../laws/lists/list-server.ts";

const ones = (length: number) => Array<number>(length).fill(1);
const thrown = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);
const details = { httpStatus: 400, operation: "A2", status: "400", serverMessage: "no" } as never;

/** Answers so many requests, and throws the error instead of others. */
const failing = (answers: number, error: Error): Habit => ({
  answer: (honest, _, __, turn) => {
    if (turn >= answers) throw error;
    return honest;
  },
});

describe("a result window", () => {
  it.each([
    ["first", 39],
    ["of the page before it", 28],
    ["of another page", 33],
  ])("is read past where a record does not name its block: the %s", async (_, nameless) => {
    const withoutBlock: Habit = {
      order: (records) =>
        records.map((one) =>
          one.block_number === BigInt(nameless)
            ? { ...one, block_number: null as never, timestamp: new Date(5) }
            : one,
        ),
    };
    const server = new ListServer("A2", [newestFirst, withoutBlock, windowEmpty(12)], ones(40));
    const hashes = (records: readonly SimulatedRecord[]) =>
      records.map(({ transaction_hash }) => transaction_hash);
    const all = await server.read({ limit: 6 }).collect();
    expect(hashes(all)).toEqual(hashes(server.records.toReversed()));
  });

  it("of a server that refuses all that follows ends with its error as the cause", async () => {
    const refusal = new ApiError("Too deep", details);
    const server = new ListServer("A2", [newestFirst, failing(1, refusal)], ones(40));
    const error = await thrown(server.read({ limit: 6 }).collect());
    expect(error).toMatchObject({ code: "LIST", reason: "RESULT_WINDOW", cause: refusal });
    expect(isExplorerError(error) && error.records).toHaveLength(6);
    expect(server.requests).toBe(2);
  });
});

describe("an error", () => {
  it.each([AuthenticationError, NotFoundError, RateLimitError, ServerError])(
    "that has nothing to do with the position is not asked for again (%o)",
    async (type) => {
      const error = new type("No", details);
      const server = new ListServer("A2", [newestFirst, failing(1, error)], ones(40));
      expect(await thrown(server.read({ limit: 6 }).collect())).toBe(error);
      expect(server.requests).toBe(2);
    },
  );

  it("of the first page is not asked for again", async () => {
    const error = new ApiError("No", details);
    const server = new ListServer("A2", [newestFirst, failing(0, error)], ones(40));
    expect(await thrown(server.read({ limit: 6 }).collect())).toBe(error);
    expect(server.requests).toBe(1);
  });

  it("of a list that cannot be read on says so", async () => {
    const hidden = new ListServer("A10", [newestFirst, windowEmpty(12)], ones(40));
    const error = await thrown(hidden.read({ limit: 6 }).collect());
    expect(isExplorerError(error, "LIST") && error.reason).toBe("RESULT_WINDOW");
    expect(error).toMatchObject({ operation: "A10" });
    expect(String(error)).not.toContain("undefined");
    expect(String(error)).toContain("`cursor`");
  });
});

describe("how a list is read", () => {
  const read = (query: object) =>
    new ListServer("A2", [newestFirst], ones(3)).read(query).collect();

  it.each([
    { limit: 0 },
    { prefetch: 1001 },
    { prefetch: Number.POSITIVE_INFINITY },
    { prefetch: -1 },
    { prefetch: 0.5 },
    { maxItems: -1 },
    { maxItems: 0.5 },
    { maxItems: Number.NaN },
    { maxItems: Number.NEGATIVE_INFINITY },
  ])("is refused if it makes no sense: %o", async (query) => {
    const issues = [{ path: Object.keys(query) }];
    expect(await thrown(read(query))).toMatchObject({ code: "PARAMETER", issues, operation: "A2" });
  });

  it.each([{ prefetch: 1000 }, { prefetch: 0 }, { maxItems: Number.POSITIVE_INFINITY }])(
    "may be %o",
    async (query) => {
      expect(await read(query)).toHaveLength(3);
    },
  );

  it("leaves no listener behind after one page, and waits for the rate limit however long", async () => {
    const server = new ListServer("A2", [newestFirst], ones(3));
    const seen: CallOptions[] = [];
    const call: Call = (operation, input, options = {}) => {
      seen.push(options);
      return server.call(operation, input, options);
    };
    const { signal } = new AbortController();
    const address_hash = "0x0000000000000000000000000000000000000001";
    await paged(call, operations.A2, { address_hash, limit: 2 }, { signal });
    expect(seen.map(({ isPatient }) => isPatient)).toEqual([true]);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("pages that are requested ahead", () => {
  it.each([
    ["the total", {}],
    ["that of the page", countOfPage],
    ["none", noCount],
  ])("are under way while the caller has a page, whatever the count is (%s)", async (_, count) => {
    const server = new ListServer("A2", [newestFirst, count], ones(23));
    const pages = server.read({ limit: 5, prefetch: 3 }).pages();
    await pages.next();
    expect(server.requests).toBe(4);
    await pages.return();
  });
});

describe.each([
  [0, 1.05],
  [8, 1.5],
])("a window of 10,000 records, with %i pages in flight", (prefetch, most) => {
  it.each([
    ["A2, newest first", "A2", newestFirst],
    ["A2, oldest first", "A2", oldestFirst],
    ["A5, newest first", "A5", newestFirst],
  ] as const)("is not met, and takes few more requests (%s)", async (_, id, order) => {
    const server = new ListServer(id, [order, windowError(10_000)], Array(2100).fill(10));
    const all = await server.read({ limit: 1000, prefetch }).collect();
    expect(all).toHaveLength(21_000);
    expect(tally(all)).toEqual(tally(server.records));
    // A page has one record in common with the one before; two requests show that blocks and
    // `offset` are heeded.
    expect(server.requests).toBeLessThanOrEqual(22 * most + (id === "A5" ? 2 : 0));
  });
});

describe.each([100, 500, 1000, 2000, 5000])("a window of %i records", (window) => {
  it.each([
    ["A2", "a capped count", countUpTo(window)],
    ["A2", "no count", noCount],
    ["A5", "a capped count", countUpTo(window)],
    ["L1", "a capped count", countUpTo(window)],
  ] as const)("is no end of a list (%s, %s)", async (id, _, count) => {
    for (const order of [newestFirst, oldestFirst])
      for (const isBrokenOff of [true, false]) {
        const blocks = Array(Math.ceil((window * 1.5) / 5)).fill(5);
        const server = new ListServer(id, [order, windowCut(window), count, cap(100)], blocks);
        const records: SimulatedRecord[] = [];
        const limit = Math.min(window / 2, 1000);
        let resume: string | undefined;
        for (let isOver = false; !isOver; ) {
          isOver = true;
          for await (const page of server.read({ limit, resume }).pages()) {
            records.push(...page.data);
            resume = page.cursor;
            isOver = !isBrokenOff;
            if (isBrokenOff) break;
          }
        }
        expect(tally(records)).toEqual(tally(server.records));
      }
  });
});

describe("a window of 10,000 event logs, which do not name their block", () => {
  it.each([
    ["newest first", newestFirst],
    ["oldest first", oldestFirst],
  ])("is read past by the times of blocks (%s)", async (_, order) => {
    const habits = [order, windowCut(10_000)];
    const server = new ListServer("L1", habits, Array(5000).fill(10));
    const all = await server.read().collect();
    expect(tally(all)).toEqual(tally(server.records));
    expect(server.requests).toBeLessThanOrEqual(50 * 1.05 + 1);
    // The first search takes 2·log2(5000) requests, each later one a few.
    expect(server.blockRequests).toBeLessThan(70);
  });

  it("ends their list with an error where the explorer has no blocks", async () => {
    const server = new ListServer("L1", [newestFirst, windowCut(10_000)], Array(2100).fill(10));
    const call: Call = (operation, ...given) => {
      if (operation.id === "B1") throw new NotFoundError("No", details);
      return server.call(operation, ...given);
    };
    const address = "0x0000000000000000000000000000000000000001";
    const error = await thrown(paged(call, operations.L1, { address }).collect());
    const cause = { message: expect.stringContaining("has neither block 0 nor block 1") };
    expect(error).toMatchObject({ code: "LIST", reason: "RESULT_WINDOW", cause });
    expect(isExplorerError(error) && error.records?.length).toBeGreaterThan(9000);
  });
});

it("an active list of which no count is the total ends, though a record arrives before every answer", async () => {
  const changes = Array(400).fill({ blocks: [1] });
  const server = new ListServer("A2", [newestFirst, countOfPage], ones(30), changes);
  const { records } = server;
  expect(tally(await server.read({ limit: 12 }).collect())).toEqual(tally(records));
  expect(server.requests).toBeLessThan(20);
});

describe("a next page", () => {
  it("is the same, however often it is requested", async () => {
    const server = new ListServer("A2", [newestFirst], ones(60));
    const page = await server.read({ limit: 20 });
    const [second, again] = [await page.nextPage(), await page.nextPage()];
    expect(again.data).toEqual(second.data);
    expect(second.data.length).toBeGreaterThan(10);
  });

  it("after the end of a list of transfers is empty, whatever has arrived", async () => {
    const server = new ListServer("A5", [newestFirst], ones(8));
    // Then its count is known to be the total.
    await server.read().collect();
    const page = await server.read();
    server.mine([1]);
    expect((await page.nextPage()).data).toEqual([]);
  });
});

describe("the caller's own blocks", () => {
  it("are read exactly, also past a result window", async () => {
    const server = new ListServer("A2", [newestFirst, windowEmpty(12)], ones(40));
    const read = await server.read({ startBlock: 3, endBlock: 32, limit: 6 }).collect();
    const blocks = read.map(({ block_number }) => Number(block_number));
    expect(blocks).toEqual(Array.from({ length: 30 }, (_, at) => 32 - at));
  });

  it("are split into equal parts, of which the last takes what arrives", async () => {
    const server = new ListServer("A2", [oldestFirst], ones(40));
    const split = async (query: object) => {
      const cursors = await server.read(query).split(4);
      server.mine(ones(3));
      const parts = cursors.map((resume) => server.read({ ...query, resume }).collect());
      return (await Promise.all(parts)).map(({ length }) => length);
    };
    expect(await split({})).toEqual([10, 10, 10, 13]);
    expect(await split({ startBlock: 10, endBlock: 29 })).toEqual([5, 5, 5, 5]);
    expect(await split({ startBlock: 43 - 1 })).toEqual([1, 1, 1, 4]);
  });

  it.each(["iterated", "awaited"])("are checked where a list is %s", async (way) => {
    const server = new ListServer("A2", [newestFirst, ignoresBlocks], ones(20));
    const read = server.read({ startBlock: 12 });
    const error = await thrown(way === "awaited" ? read.then() : read.collect());
    expect(error).toMatchObject({ code: "LIST", reason: "RANGE_IGNORED", records: [] });
    expect(isExplorerError(error) && error.cursor).toEqual(expect.any(String));
  });
});

describe("a report", () => {
  it("says how many records a list promised, and how many came", async () => {
    const server = new ListServer("A2", [newestFirst, countOff(2)], ones(10));
    const reports: unknown[] = [];
    const onShortfall = (event: unknown) => reports.push(event);
    await server.read({ limit: 4, onShortfall }).collect();
    const report = { operation: "A2", promised: 12, received: 10, suspected: false };
    expect(reports).toEqual([report]);
  });

  it.each([0, 4])(
    "of a shortfall is one warning of the logger, unless the caller wants it (prefetch: %i)",
    async (prefetch) => {
      const server = new ListServer("A2", [newestFirst, countOff(2)], ones(10));
      const log = vi.fn();
      Object.assign(server.call, { log });
      await server.read({ limit: 4, prefetch, onShortfall: () => {} }).collect();
      expect(log).not.toHaveBeenCalled();
      await server.read({ limit: 4, prefetch }).collect();
      const warning =
        "accounts.transactions (A2) ended after 10 of the 12 records that the server counted: its count is wrong, or it withholds some";
      expect(log.mock.calls).toEqual([["warn", warning]]);
    },
  );

  it("says that records are gone, and where reading continues; without a listener, the logger warns", async () => {
    const changes = [{ blocks: [] }, { depth: 20, blocks: [] }];
    const reports: unknown[] = [];
    const log = vi.fn();
    for (const onReorganisation of [(event: unknown) => reports.push(event), undefined]) {
      const server = new ListServer("A10", [newestFirst], ones(40), changes);
      Object.assign(server.call, { log });
      await server.read({ limit: 5, offset: 2, onReorganisation, onShortfall: () => {} }).collect();
    }
    expect(reports).toEqual([{ operation: "A10", shift: undefined, position: 12, deep: true }]);
    const warning =
      "accounts.minedBlocks (A10) detected a reorganisation of the chain around record 12: some records may be missing";
    expect(log.mock.calls).toEqual([["warn", warning]]);
  });
});

describe("the count of two lists", () => {
  it.each([
    [1, 2, 3],
    [null, 2, null],
    [1, null, null],
  ])("is their sum, if both have one: %o and %o", async (first, second, sum) => {
    const call = (async () => ({
      data: { mrc_20: { count: first, results: [] }, mrc_721: { count: second, results: [] } },
      response: new Response(),
    })) as unknown as Call;
    const address_hash = "0x0000000000000000000000000000000000000001";
    expect((await paged(call, operations.A6, { address_hash })).count).toBe(sum);
  });
});

it("a cursor belongs to a list by its parameters, in any order and case", async () => {
  const server = new ListServer("A2", [newestFirst], ones(9));
  const address_hash = `0x${"aB".repeat(20)}`;
  const { cursor } = await server.read({ address_hash, startBlock: 2, endBlock: 8, limit: 3 });
  const hash = address_hash.toLowerCase();
  expect(JSON.parse(Buffer.from(cursor, "base64url").toString())[1]).toBe(
    `a2 address_hash=${hash} endblock=8 startblock=2`,
  );
  const query = { endBlock: 8, startBlock: 2, address_hash: hash, resume: cursor };
  expect(await server.read(query).collect()).toHaveLength(4);
});
