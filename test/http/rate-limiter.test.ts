// The gate by itself, on a clock of the test's own: laws that hold at every moment.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { RateLimiter } from "../../src/http/rate-limiter.ts";
import { runs } from "../support/runs.ts";

const never = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

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
      gate.succeeded();
      leave();
    }),
  );
  await vi.runAllTimersAsync();
  await done;
  return { begun, order, most };
}

describe("the gate", () => {
  test("lets no more begin in any window than the rate, and no more out than the concurrency", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 100 }),
        async (durations, concurrency, requests, perMs) => {
          const gate = new RateLimiter(concurrency, { requests, perMs });
          const { begun, order, most } = await run(gate, durations);
          expect(begun).toHaveLength(durations.length);
          expect(order).toEqual(durations.map((_, index) => index));
          expect(most).toBeLessThanOrEqual(concurrency);
          for (let index = requests; index < begun.length; index++)
            expect((begun[index] ?? 0) - (begun[index - requests] ?? 0)).toBeGreaterThanOrEqual(
              perMs,
            );
          expect(vi.getTimerCount()).toBe(0);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  test("holds everybody back after a refusal, then lets half as many out, and more with each success", async () => {
    const gate = new RateLimiter(8, undefined);
    const leaving = await Promise.all(
      Array.from({ length: 8 }, () => gate.acquire(gate.ticket(), never)),
    );
    gate.pauseFor(100);
    gate.pauseFor(50);
    for (const leave of leaving) leave();
    expect(gate.pausedFor).toBe(100);
    const { begun } = await run(gate, Array(4).fill(10));
    expect(begun).toEqual([100, 100, 100, 100]);
    const { most } = await run(gate, Array(60).fill(10));
    expect(most).toBe(8);
  });

  test("right after a refusal only half are out at once", async () => {
    const gate = new RateLimiter(8, undefined);
    const leaving = await Promise.all(
      Array.from({ length: 8 }, () => gate.acquire(gate.ticket(), never)),
    );
    gate.pauseFor(100);
    for (const leave of leaving) leave();
    let out = 0;
    for (let index = 0; index < 8; index++)
      void gate.acquire(gate.ticket(), never).then(() => {
        out++;
      });
    await vi.advanceTimersByTimeAsync(99);
    expect(out).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(out).toBe(4);
  });

  test("takes a request back that comes again before those that began later", async () => {
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

  test("gives the place of one who is aborted to the next, and counts a turn once", async () => {
    const gate = new RateLimiter(1, undefined);
    const leave = await gate.acquire(gate.ticket(), never);
    const abort = new AbortController();
    const aborted = gate.acquire(gate.ticket(), abort.signal);
    const next = gate.acquire(gate.ticket(), never);
    abort.abort("gone");
    await expect(aborted).rejects.toBe("gone");
    leave();
    leave();
    const leaveNext = await next;
    const after = gate.acquire(gate.ticket(), never);
    let entered = false;
    void after.then(() => {
      entered = true;
    });
    await vi.advanceTimersByTimeAsync(10);
    expect(entered).toBe(false);
    leaveNext();
    await after;
  });
});
