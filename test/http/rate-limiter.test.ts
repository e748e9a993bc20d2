// How many requests start at once and per interval, in which order, and that a 429 pauses all: the limiter alone, and in a client.

import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { RateLimiter } from "../../src/http/rate-limiter.ts";
import { isExplorerError } from "../../src/index.ts";
import { runs } from "../support/runs.ts";
import {
  ADDRESS,
  addressOf,
  clientOf,
  gate,
  HASH,
  json,
  nobody,
  PATIENCE,
  refusal,
  SENTINEL,
  serve,
  skipTime,
  success,
  supply,
  thrown,
} from "./server.ts";

const never = new AbortController().signal;
/** Sends `count` requests of the given durations at once, and notes when each began. */
async function run(gate: RateLimiter, durations: readonly number[]) {
  const begun: number[] = [];
  const order: number[] = [];
  let out = 0;
  let most = 0;
  const done = Promise.all(
    durations.map(async (duration, index) => {
      const leave = await gate.acquire(gate.ticket(), never);
      begun.push(performance.now());
      order.push(index);
      most = Math.max(most, ++out);
      await new Promise((resolve) => setTimeout(resolve, duration));
      out--;
      leave();
    }),
  );
  await vi.runAllTimersAsync();
  await done;
  return { begun, order, most };
}
const rate = { requests: 1_000, perMs: 1 };

describe("the limiter", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  test("without a queue, waits for the end of a pause at the pace of the rate", async () => {
    const gate = new RateLimiter(1, { requests: 2, perMs: 100 }, false);
    const waiting = run(gate, [0, 0, 0, 0, 0]);
    gate.pauseFor(50);
    const { begun } = await waiting;
    expect(begun.map((at) => at - (begun[0] ?? 0))).toEqual([0, 0, 100, 100, 200]);
  });

  test.each([
    ["", true],
    [" without a queue", false],
  ])(
    "starts no more requests per window than the rate, and no more at once than the concurrency%s",
    async (_, canShare) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 }),
          fc.integer({ min: 1, max: 8 }),
          fc.integer({ min: 1, max: 8 }),
          fc.integer({ min: 1, max: 100 }),
          async (durations, concurrency, requests, perMs) => {
            const gate = new RateLimiter(concurrency, { requests, perMs }, canShare);
            const { begun, order, most } = await run(gate, durations);
            expect(begun).toHaveLength(durations.length);
            expect(order).toEqual(durations.map((_, index) => index));
            if (canShare) expect(most).toBeLessThanOrEqual(concurrency);
            for (let index = requests; index < begun.length; index++)
              expect((begun[index] ?? 0) - (begun[index - requests] ?? 0)).toBeGreaterThanOrEqual(
                perMs,
              );
            expect(vi.getTimerCount()).toBe(0);
          },
        ),
        { numRuns: runs(200) },
      );
    },
  );

  test("starts nothing in the longest pause after a 429, then as many at once as ever", async () => {
    const gate = new RateLimiter(4, undefined);
    const leaving = await Promise.all(
      Array.from({ length: 4 }, () => gate.acquire(gate.ticket(), never)),
    );
    gate.pauseFor(100);
    gate.pauseFor(50);
    for (const leave of leaving) leave();
    expect(gate.pausedFor).toBe(100);
    const { begun } = await run(gate, Array(5).fill(10));
    expect(begun).toEqual([100, 100, 100, 100, 110]);
  });

  test("fails what has no time for a pause when the pause begins", async () => {
    const gate = new RateLimiter(1, undefined);
    const leave = await gate.acquire(gate.ticket(), never);
    const hurried = gate.acquire(gate.ticket(), never, (pause) => {
      if (pause > 50) throw new Error(`no time for ${pause}`);
    });
    const patient = gate.acquire(gate.ticket(), never);
    gate.pauseFor(100);
    await expect(hurried).rejects.toThrow("no time for 100");
    leave();
    await vi.advanceTimersByTimeAsync(100);
    (await patient)();
  });

  test("starts nothing in place of an aborted request that had no slot, and keeps no timer for it", async () => {
    const gate = new RateLimiter(1, { requests: 2, perMs: 100 });
    const leave = await gate.acquire(gate.ticket(), never);
    const order: string[] = [];
    const enter = async (name: string, signal = never) => {
      const leave = await gate.acquire(gate.ticket(), signal);
      order.push(name);
      return leave;
    };
    const [first, last] = [new AbortController(), new AbortController()];
    const aborted = enter("first", first.signal);
    const next = enter("next");
    const abortedLast = enter("last", last.signal);
    first.abort("gone");
    last.abort("gone");
    await expect(aborted).rejects.toBe("gone");
    await expect(abortedLast).rejects.toBe("gone");
    await vi.advanceTimersByTimeAsync(10);
    expect(order).toEqual([]);
    leave();
    (await next)();
    const late = new AbortController();
    const waiting = enter("late", late.signal);
    void enter("later", late.signal).catch(() => {});
    expect(vi.getTimerCount()).toBe(1);
    late.abort("gone");
    await expect(waiting).rejects.toBe("gone");
    expect([order, vi.getTimerCount()]).toEqual([["next"], 0]);
  });

  test("passes on the slot of a request that is aborted at the moment it gets it, once", async () => {
    const gate = new RateLimiter(1, undefined);
    const leave = await gate.acquire(gate.ticket(), never);
    const abort = new AbortController();
    const aborted = gate.acquire(gate.ticket(), abort.signal);
    const next = gate.acquire(gate.ticket(), never);
    const entered = vi.fn();
    const after = gate.acquire(gate.ticket(), never).then(entered);
    leave();
    leave();
    abort.abort("gone");
    await expect(aborted).rejects.toBe("gone");
    const leaveNext = await next;
    await vi.advanceTimersByTimeAsync(10);
    expect(entered).not.toHaveBeenCalled();
    leaveNext();
    await after;
  });

  test("fails what has no time for a pause that began while it waited for the shared limit", async () => {
    let start = () => {};
    const acquire = () => new Promise<void>((resolve) => (start = resolve));
    const gate = new RateLimiter(1, { requests: 9, perMs: 1, acquire });
    const entered = gate.acquire(gate.ticket(), never, () => {
      throw new Error("no time");
    });
    await vi.advanceTimersByTimeAsync(1);
    gate.pauseFor(100);
    start();
    await expect(entered).rejects.toThrow("no time");
  });

  test("starts a retry before requests that came later", async () => {
    const gate = new RateLimiter(1, undefined);
    const [first, second, third] = [gate.ticket(), gate.ticket(), gate.ticket()];
    const order: number[] = [];
    const enter = (ticket: number) =>
      gate.acquire(ticket, never).then((leave) => {
        order.push(ticket);
        return leave;
      });
    const leave = await enter(first);
    const waiting = [enter(second), enter(third), enter(first)];
    leave();
    for (const index of [2, 0, 1]) (await waiting[index])?.();
    expect(order).toEqual([first, first, second, third]);
  });
});

test("concurrency limits the requests in flight of the whole client", async () => {
  const { opened, open } = gate();
  const server = await serve(async (asked, response, count) => {
    // As many as there may be at once are here before the first is answered.
    if (count === 3) open();
    await opened;
    await wait(5);
    json(response, asked.url.includes("status") ? success({ data: { status: "1" } }) : supply("1"));
  });
  const client = clientOf(server, { concurrency: 3 });
  await Promise.all([
    ...Array.from({ length: 20 }, (_, index) => client.tokens.totalSupply(addressOf(index))),
    client.transactions.status(HASH),
  ]);
  expect(server.asked).toHaveLength(21);
  expect(server.most()).toBe(3);
});

describe("a shared limit", () => {
  test("is acquired before each attempt, including retries", async () => {
    const log: string[] = [];
    const server = await serve((_, response, count) => {
      log.push("request");
      if (count === 1) json(response, refusal(503, "busy"), 503);
      else json(response, supply("1"));
    });
    const acquire = async () => {
      await null;
      log.push("acquired");
    };
    const client = clientOf(server, { rateLimit: { ...rate, acquire }, retry: { delay: () => 1 } });
    await client.tokens.totalSupply(ADDRESS);
    expect(log).toEqual(["acquired", "request", "acquired", "request"]);
  });

  test("delays requests until acquire resolves, within the client's concurrency", async () => {
    const waiting: (() => void)[] = [];
    const server = await serve((_, response) => json(response, supply("1")));
    const acquire = () => new Promise<void>((start) => waiting.push(start));
    const client = clientOf(server, { rateLimit: { ...rate, acquire }, concurrency: 2 });
    const calls = [1, 2, 3].map((n) => client.tokens.totalSupply(addressOf(n)));
    await expect.poll(() => waiting.length).toBe(2);
    expect(server.asked).toHaveLength(0);
    waiting.shift()?.();
    await calls[0];
    await expect.poll(() => waiting.length).toBe(2);
    expect(server.asked).toHaveLength(1);
    for (const start of waiting) start();
    await Promise.all(calls);
    expect(server.asked).toHaveLength(3);
  });

  test("counts towards totalTimeout and not towards timeout", async () => {
    const server = await serve((_, response) => json(response, supply("1")));
    const signals: AbortSignal[] = [];
    const acquire = ({ signal }: { readonly signal: AbortSignal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const client = clientOf(server, {
      ...{ rateLimit: { ...rate, acquire }, timeout: 20, totalTimeout: PATIENCE },
    });
    skipTime();
    const call = thrown(client.tokens.totalSupply(ADDRESS));
    await expect.poll(() => signals.length).toBe(1);
    vi.advanceTimersByTime(PATIENCE);
    expect(await call).toMatchObject({ code: "TIMEOUT", scope: "total", attempts: 0 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(server.asked).toHaveLength(0);
  });

  test("fails the call with its reason and without the key if acquire rejects", async () => {
    const server = await nobody();
    const down = new Error("connect ECONNREFUSED redis:6379");
    const acquire = () => Promise.reject(down);
    const client = clientOf(server, { rateLimit: { ...rate, acquire } });
    const error = await client.tokens.totalSupply(ADDRESS).catch((error: unknown) => error);
    if (!isExplorerError(error, "PARAMETER")) throw error;
    expect(error.shortMessage).toMatch(/^Could not acquire a slot of the shared rate limit/);
    expect(error.message).toContain("ECONNREFUSED redis:6379");
    expect(error.issues.map(({ path }) => path.join("."))).toEqual(["rateLimit.acquire"]);
    expect(error.message).not.toContain(SENTINEL);
  });
});
