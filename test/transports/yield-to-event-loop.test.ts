// Answers in place let timers have their turn, and are given at once all the same.
import { afterEach, expect, test, vi } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import { ExplorerClient } from "../../src/index.ts";

const mock = createExplorer();
const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "k", fetch: mock.fetch });
const now = performance.now.bind(performance);
afterEach(() => void vi.useRealTimers());

/** Asks until something is so, but not for ever. */
async function askUntil(holds: () => boolean, patienceMs: number): Promise<boolean> {
  const began = now();
  while (!holds() && now() - began < patienceMs) await explorer.blocks.get(0n);
  return holds();
}

test("a timer fires while requests follow each other", async () => {
  let fired = false;
  setTimeout(() => {
    fired = true;
  }, 30);
  expect(await askUntil(() => fired, 5000)).toBe(true);
});

test("a single request does not yield to the event loop", async () => {
  await new Promise((resolve) => setTimeout(resolve));
  let turned = false;
  setImmediate(() => {
    turned = true;
  });
  await explorer.blocks.get(0n);
  expect(turned).toBe(false);
});

test("timers that a test has taken over stop nothing", async () => {
  vi.useFakeTimers();
  const before = mock.journal.count();
  await askUntil(() => false, 100);
  expect(mock.journal.count()).toBeGreaterThan(before + 2);
});
