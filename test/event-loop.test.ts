// Work that follows work lets timers and input run, and a delay ends with its request.
import { afterEach, expect, test, vi } from "vitest";
import { delay, eventLoopTurn, listJson, yieldToEventLoop } from "../mocks/event-loop.ts";

afterEach(() => {
  vi.useRealTimers();
});

function work(milliseconds: number): void {
  for (const start = performance.now(); performance.now() - start < milliseconds; );
}

/** An event loop that has just run. */
const rested = () => new Promise((resolve) => setTimeout(resolve));

test("short work is not interrupted", async () => {
  await rested();
  expect(eventLoopTurn()).toBeUndefined();
  expect(eventLoopTurn()).toBeUndefined();
});

test("after ten milliseconds of work, whoever asks waits until the event loop has run", async () => {
  await rested();
  const events: string[] = [];
  setImmediate(() => events.push("input"));
  eventLoopTurn();
  work(12);
  const others = [1, 2].map(() => yieldToEventLoop().then(() => events.push("work")));
  await Promise.all(others);
  expect(events).toEqual(["input", "work", "work"]);
  expect(eventLoopTurn()).toBeUndefined();
});

test("a long list lets others run between its items", async () => {
  await rested();
  const before: number[] = [];
  const json = listJson([1, undefined, 3, 4, 5], (item) => {
    work(12);
    before.push(item ?? 0);
    return JSON.stringify(item);
  });
  const seen = await new Promise((resolve) => setImmediate(() => resolve([...before])));
  expect(seen).toEqual([1, 0]);
  expect(await json).toBe("[1,null,3,4,5]");
});

test("a delay ends with its time, or with its request", async () => {
  vi.useFakeTimers();
  const controller = new AbortController();
  const ended: string[] = [];
  void delay(0).then(() => ended.push("none"));
  void delay(1_000).then(() => ended.push("second"));
  void delay(1_000_000, controller.signal).then(() => ended.push("aborted"));
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).toEqual(["none"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toEqual(["none", "second"]);
  controller.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual(["none", "second", "aborted"]);
  expect(vi.getTimerCount()).toBe(0);
});
