// A list request: one page, all pages, all records, as much as is wanted, and nothing left behind.
import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { Call } from "../../src/http/call.ts";
import { type ExplorerError, isExplorerError, operations } from "../../src/index.ts";
import { ListPoller } from "../../src/lists/list-poller.ts";
import { paged } from "../../src/lists/paged-request.ts";
import { cap, countOfPage, newestFirst, oldestFirst } from "../laws/lists/habits.ts";
import { type Habit, ListServer } from "../laws/lists/list-server.ts";

/** A list of so many records, one in each block. */
const listOf = (records: number, ...habits: Habit[]) =>
  new ListServer("A2", habits.length ? habits : [newestFirst], Array(records).fill(1));

describe("awaiting a list", () => {
  it("gives one page with what the service says, and the way to the next", async () => {
    const list = listOf(120);
    const page = await list.read({ limit: 50 });
    expect(page).toMatchObject({ count: 120, limit: 50, offset: 0 });
    expect(page.data).toHaveLength(50);
    expect(page.hasNextPage()).toBe(true);
    const second = await page.nextPage();
    expect(second.data.map(({ block_number }) => block_number)).toEqual(
      Array.from({ length: 50 }, (_, index) => BigInt(69 - index)),
    );
    expect(second.offset).toBe(50);
    const third = await second.nextPage();
    expect(third.data).toHaveLength(20);
    expect(third.hasNextPage()).toBe(false);
    expect((await third.nextPage()).data).toEqual([]);
  });

  it("asks once, however often it is awaited, and not at all before", async () => {
    const list = listOf(3);
    const request = list.read();
    expect(list.requests).toBe(0);
    await Promise.all([
      request,
      request,
      request.withResponse(),
      request.then(),
      request.finally(),
    ]);
    expect(list.requests).toBe(1);
  });

  it("has a last page that nothing follows where the count says so", async () => {
    const lasts = await Promise.all([
      listOf(3).read({ limit: 50 }),
      listOf(0).read(),
      listOf(25).read({ limit: 20, offset: 20 }),
      listOf(25).read({ limit: 5, offset: 20 }),
    ]);
    expect(lasts.map((page) => page.hasNextPage())).toEqual([false, false, false, false]);
    // The server may count the page, and make it shorter than requested.
    const page = await listOf(120, newestFirst, cap(50), countOfPage).read({ limit: 100 });
    expect(page.hasNextPage()).toBe(true);
    const rest = await page.nextPage();
    expect([page.data.length, rest.data.length]).toEqual([50, 70]);
    expect((await rest.nextPage()).data).toEqual([]);
  });

  it.each([1, 25, 999, 1000])("gives as many records as its limit says (%i)", async (limit) => {
    const list = listOf(2 * limit + 1);
    const first = await list.read({ limit });
    expect(list.requests).toBe(1);
    const second = await first.nextPage();
    const third = await second.nextPage();
    expect([first, second, third].map(({ data }) => data.length)).toEqual([limit, limit, 1]);
    const pages = await Array.fromAsync(list.read({ limit }).pages());
    expect(pages.map(({ data }) => data.length)).toEqual([limit, limit, 1]);
    expect(list.complaints).toEqual([]);
  });

  it("gives a page that can be iterated", async () => {
    const page = await listOf(3).read();
    expect([...page]).toEqual(page.data);
  });

  it("gives the HTTP response on request", async () => {
    const { data, response } = await listOf(3).read().withResponse();
    expect(data.data).toHaveLength(3);
    expect(response).toBeInstanceOf(Response);
  });
});

describe("iterating a list", () => {
  it("works with for await, Array.fromAsync, pages and collect", async () => {
    const list = listOf(25);
    const seen: unknown[] = [];
    for await (const record of list.read({ limit: 10 })) seen.push(record);
    expect(seen).toHaveLength(25);
    expect(await Array.fromAsync(list.read({ limit: 10 }))).toEqual(seen);
    const pages = await Array.fromAsync(list.read({ limit: 10 }).pages());
    expect(pages.map(({ data }) => data.length)).toEqual([10, 10, 5]);
    expect(await list.read({ limit: 10 }).collect()).toEqual(seen);
    expect(await list.read({ limit: 10 }).collect({ max: 12 })).toEqual(seen.slice(0, 12));
  });

  it("reads no more than maxItems, and asks for no more", async () => {
    const list = listOf(500);
    expect(await list.read({ maxItems: 7 }).collect()).toHaveLength(7);
    expect(list.requests).toBe(1);
    const more = listOf(500);
    expect(await more.read({ maxItems: 25, limit: 10, prefetch: 8 }).collect()).toHaveLength(25);
    expect(more.requests).toBe(3);
    expect(await more.read({ maxItems: 0 }).collect()).toEqual([]);
    expect(more.requests).toBe(3);
  });

  it("reads no more than maxItems by `nextPage()` either", async () => {
    const list = listOf(500);
    const first = await list.read({ maxItems: 25, limit: 20 });
    const second = await first.nextPage();
    expect([first, second].map(({ data }) => data.length)).toEqual([20, 5]);
    expect([first, second].map((page) => page.hasNextPage())).toEqual([true, false]);
    const [iterated] = await Array.fromAsync(list.read({ maxItems: 25, limit: 20 }).pages());
    for (const past of [await second.nextPage(), await (await iterated?.nextPage())?.nextPage()])
      expect(past?.data).toEqual([]);
    list.requests = 0;
    expect(await list.read({ maxItems: 0 })).toMatchObject({ count: 500, data: [] });
    expect(list.requests).toBe(1);
  });

  it("asks for 1000 records at a time, and once more after the largest count so far", async () => {
    const list = listOf(2550);
    expect(await list.read().collect()).toHaveLength(2550);
    expect(list.requests).toBe(4);
    const pages = await Array.fromAsync(listOf(2550).read().pages());
    expect(pages.map(({ count }) => count)).toEqual([2550, 2550, 2550]);
    list.requests = 0;
    const shorter = await list.read({ startBlock: list.blocks.length >> 1 }).collect();
    expect(shorter.length).toBeGreaterThan(1000);
    expect(list.requests).toBe(Math.ceil(shorter.length / 1000));
  });

  it("can be iterated again, from the beginning", async () => {
    const request = listOf(30).read({ limit: 7 });
    expect(await request.collect()).toEqual(await request.collect());
  });

  it("keeps at most `prefetch` pages in flight, and does not ask far beyond the end", async () => {
    const list = listOf(100);
    list.before = () => new Promise((resolve) => setTimeout(resolve, 1));
    expect(await list.read({ limit: 5, prefetch: 4 }).collect()).toHaveLength(100);
    expect(list.mostInFlight).toBe(4);
    expect(list.requests).toBeLessThanOrEqual(29);
  });

  it("aborts what is in flight when the loop is left, and leaves no listener behind", async () => {
    const list = listOf(100);
    const signals = new Set<AbortSignal>();
    const controller = new AbortController();
    const call: Call = (operation, input, options) => {
      if (options?.signal) signals.add(options.signal);
      // What is asked for ahead never comes.
      if (list.requests > 2)
        return new Promise((_, reject) =>
          options?.signal?.addEventListener("abort", () => reject(options.signal?.reason)),
        );
      return list.call(operation, input, options);
    };
    const address_hash = "0x0000000000000000000000000000000000000001";
    const request = paged(
      call,
      operations.A2,
      { address_hash, limit: 5, prefetch: 4 },
      { signal: controller.signal },
    );
    for await (const record of request) if ("block_number" in record) break;
    expect(signals.size).toBe(1);
    expect([...signals].every(({ aborted }) => aborted)).toBe(true);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it("ends with an AbortError that says where to continue, for each list of its own", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const address_hash = "0x0000000000000000000000000000000000000001";
    const read = async (list: ListServer) => {
      const request = paged(list.call, operations.A2, { address_hash, limit: 5 }, { signal });
      const seen: object[] = [];
      try {
        for await (const record of request) if (seen.push(record) === 7) controller.abort();
      } catch (error) {
        const { cursor: resume } = error as ExplorerError;
        expect(error).toMatchObject({ name: "AbortError", records: [] });
        return [...seen, ...(await list.read({ address_hash, resume }).collect())];
      }
      return [];
    };
    const lists = [listOf(20), listOf(30)];
    const got = await Promise.all(lists.map(read));
    expect(got).toEqual(lists.map(({ records }) => records.toReversed()));
  });

  it("refuses a cursor of another list", async () => {
    const list = listOf(10);
    const { cursor } = await list.read({ limit: 5 });
    for (const request of [
      new ListServer("A5", [newestFirst], []).read({ resume: cursor }),
      list.read({ resume: cursor, startBlock: 3n }),
    ])
      await expect(request.collect()).rejects.toSatisfy((error) =>
        isExplorerError(error, "PARAMETER"),
      );
    expect(list.requests).toBe(1);
  });
});

it("a list of a million records is read in flat memory", async () => {
  const total = 1_000_000;
  const hash = (index: number) => `0x${index.toString(16).padStart(64, "0")}`;
  const call = (async (
    _: unknown,
    { limit = 50, offset = 0 }: { limit?: number; offset?: number },
  ) => ({
    data: {
      count: total,
      data: Array.from({ length: Math.min(limit, total - offset) }, (_, index) => ({
        block_number: BigInt(total - offset - index),
        transaction_hash: hash(offset + index),
        input: `0x${"00".repeat(500)}${offset + index}`,
      })),
    },
    response: new Response(),
  })) as unknown as Call;
  const address_hash = "0x0000000000000000000000000000000000000001";
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const heaps: number[] = [];
  let seen = 0;
  for await (const _ of paged(call, operations.A2, { address_hash, prefetch: 8 }))
    if (++seen % 100_000 === 0) {
      collectGarbage();
      heaps.push(process.memoryUsage().heapUsed);
    }
  expect(seen).toBe(total);
  // 1,000,000 records are more than 1 GB; what is held is a few pages.
  const [first = 0] = heaps;
  expect(Math.max(...heaps) - first).toBeLessThan(20e6);
});

describe("the tokens of an account (A6)", () => {
  it("is requested ahead while one of its lists continues", async () => {
    let requests = 0;
    const pageOf = (length: number, limit: number, offset: number) => ({
      count: length,
      results: Array.from({ length: Math.max(0, Math.min(limit, length - offset)) }, (_, at) => ({
        token_address: `0x${offset + at}`,
      })),
    });
    const call = (async (_: unknown, wire: { limit: number; offset: number }) => {
      requests++;
      const [limit, offset] = [Number(wire.limit), Number(wire.offset)];
      const data = { mrc_20: pageOf(60, limit, offset), mrc_721: pageOf(6, limit, offset) };
      return { data, response: new Response() };
    }) as unknown as Call;
    const address_hash = "0x0000000000000000000000000000000000000001";
    const pages = paged(call, operations.A6, { address_hash, limit: 5, prefetch: 4 }).pages();
    await pages.next();
    expect(requests).toBe(1 + 4);
    await pages.return();
  });
});

describe("a list on one page", () => {
  it("costs one request, once the count is known to be that of the list", async () => {
    for (const order of [newestFirst, oldestFirst]) {
      const list = listOf(60, order);
      // The second request shows that the count is not that of the page.
      expect(await list.read().collect()).toHaveLength(60);
      expect(list.requests).toBe(2);
      expect(await list.read().collect()).toHaveLength(60);
      expect(list.requests).toBe(3);
    }
  });

  it("costs one request each time it is polled and nothing is new", async () => {
    for (const order of [newestFirst, oldestFirst])
      for (const from of [5n, undefined]) {
        const list = listOf(60, order);
        const watched = {
          operation: operations.A2,
          list: (range: object) => list.read(range),
          event: (record: object) => record,
        };
        const poller = new ListPoller(watched, { from, depth: 32 });
        const { signal } = new AbortController();
        for (let poll = 0; poll < 3; poll++) await poller.poll(signal);
        const before = list.requests;
        for (let poll = 0; poll < 5; poll++) expect((await poller.poll(signal)).added).toEqual([]);
        expect(list.requests - before).toBe(5);
      }
  });
});
