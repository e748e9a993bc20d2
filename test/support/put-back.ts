// Puts back what a test has replaced: the next one runs in the same process, with the same modules.
import { afterAll, afterEach, expect, vi } from "vitest";

/**
 * Number of test files after which a worker loads its modules again, so that memory they hold is
 * freed.
 */
const FILES_PER_LOAD = 64;

const count = Symbol.for("mrc-explorer: files that this worker has run");

const clocks = () => ({
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  setImmediate,
  queueMicrotask,
  Date,
  "performance.now": performance.now,
});
const real = clocks();

/** Ends all spies, stubs and fake timers of a test, so that no test needs to. */
const putBack = () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
};
afterEach(putBack);

afterAll(() => {
  putBack();
  const files = Number(Reflect.get(globalThis, count) ?? 0) + 1;
  Reflect.set(globalThis, count, files);
  if (files % FILES_PER_LOAD === 0) vi.resetModules();
  // A spy on a fake timer puts back the fake one, by which the tests of later files would wait for ever.
  const { "performance.now": now, ...globals } = real;
  const left = clocks();
  Object.assign(globalThis, globals);
  if (performance.now !== now) performance.now = now;
  expect(left).toEqual(real);
});
