// The time limit of a compiler counts the CPU of its thread: a busy machine is no fault of the source.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchCompiler } from "../../../mocks/workbench/verify/compiler-pool.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** When a thread that has this share of a core is stopped, by the clock. */
async function stoppedAfter(share: number, limit: number): Promise<number> {
  const startedAt = performance.now();
  const cpuMs = async () => 7000 + (performance.now() - startedAt) * share;
  const stopped = new Promise<number>((resolve) => {
    watchCompiler({ cpuMs }, limit, () => resolve(performance.now() - startedAt));
  });
  await vi.runAllTimersAsync();
  return stopped;
}

test("with a whole core it is the clock's, with a tenth of one ten times as long", async () => {
  expect(await stoppedAfter(1, 1000)).toBe(1000);
  expect(await stoppedAfter(0.1, 1000)).toBeCloseTo(10_000, -2);
});

test("a thread that uses none is stopped after twenty times the limit", async () => {
  expect(await stoppedAfter(0, 1000)).toBe(20_000);
});

test("what is called off calls nobody, and leaves no timer", async () => {
  const exceeded = vi.fn();
  watchCompiler({ cpuMs: async () => 0 }, 1000, exceeded)();
  await vi.runAllTimersAsync();
  expect(exceeded).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
