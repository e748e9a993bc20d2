// Answers in place let timers have their turn.
import { beforeEach, expect, test, vi } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import { ExplorerClient } from "../../src/index.ts";

/** The clock of the event loop: work takes the time that a test says. */
const clock = { now: 0 };
beforeEach(() => void vi.spyOn(performance, "now").mockImplementation(() => clock.now));

const mock = createExplorer();
const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "k", fetch: mock.fetch });
test("a timer fires while requests follow each other", async () => {
  let fired = false;
  setTimeout(() => {
    fired = true;
  });
  // Each request takes a millisecond, and no turn of the event loop is its own.
  for (let count = 0; !fired && count < 20_000; count++) {
    clock.now++;
    await explorer.blocks.get(0n);
  }
  expect(fired).toBe(true);
});
