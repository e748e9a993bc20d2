// Work that follows work lets timers and input run, and a delay ends with its request.
import { beforeEach, expect, test, vi } from "vitest";
import { delay, listJson, pauseIfBusy, yieldToEventLoop } from "../../mocks/message/event-loop.ts";

/** The clock of the event loop. */
const clock = { now: 0 };
beforeEach(() => void vi.spyOn(performance, "now").mockImplementation(() => clock.now));
function work(milliseconds: number): void {
  clock.now += milliseconds;
}

/** Lets the event loop run. */
const rest = () => new Promise((resolve) => setImmediate(resolve));

test("short work is not interrupted", async () => {
  await rest();
  for (let piece = 0; piece < 5; piece++) {
    expect(pauseIfBusy()).toBeUndefined();
    work(2);
  }
});

test("after ten milliseconds of work, whoever asks waits until the event loop has run", async () => {
  await rest();
  const events: string[] = [];
  setImmediate(() => events.push("input"));
  pauseIfBusy();
  work(12);
  const others = [1, 2].map(() => yieldToEventLoop().then(() => events.push("work")));
  await Promise.all(others);
  expect(events).toEqual(["input", "work", "work"]);
  expect(pauseIfBusy()).toBeUndefined();
});

test("those who wait have a turn each, in their order, and what is new is after them", async () => {
  await rest();
  const events: string[] = [];
  pauseIfBusy();
  work(12);
  const input = () => {
    events.push("input");
    if (events.length < 9) setImmediate(input);
  };
  setImmediate(input);
  const job = async (name: string) => {
    await yieldToEventLoop();
    // As a caller does that is itself awaited, on its way to the work.
    await Promise.resolve();
    events.push(name);
    work(12);
    if (name === "a") void job("new");
  };
  await Promise.all([job("a"), job("b"), job("c")]);
  await expect.poll(() => events).toContain("new");
  expect(events.filter((event) => event !== "input")).toEqual(["a", "b", "c", "new"]);
  for (const [at, event] of events.entries()) expect([event, events[at + 1]]).toContain("input");
});

test("a long list lets others run between its items", async () => {
  await rest();
  const events: unknown[] = [];
  setImmediate(() => events.push("input"));
  const json = await listJson([1, undefined, 3], (item) => {
    work(12);
    events.push(item);
    return JSON.stringify(item);
  });
  expect(events).toEqual([1, undefined, "input", 3]);
  expect(json).toBe("[1,null,3]");
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
