// Two thousand tests of one process against the explorer behind MSW leave next to nothing behind.
import { setupServer } from "msw/node";
import { expect, test } from "vitest";
import { createExplorer } from "../../../mocks/double/explorer.ts";
import { createHandlers } from "../../../mocks/double/msw/handlers.ts";
import { ExplorerClient } from "../../../src/index.ts";

const TESTS = 2000;

/** Mebibytes that a full collection leaves. */
function mebibytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

test.skipIf(!globalThis.gc)(
  "each request ends with its response",
  { timeout: 600_000 },
  async () => {
    const mock = createExplorer();
    const server = setupServer(...createHandlers(mock));
    server.listen();
    const one = async () => {
      const { blocks } = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "k", retry: 0 });
      await blocks.get(0n);
      mock.reset();
      server.resetHandlers();
    };
    for (let count = 0; count < 200; count++) await one();
    const before = mebibytes();
    for (let count = 0; count < TESTS; count++) await one();
    const grown = mebibytes() - before;
    server.close();
    expect(grown).toBeLessThan(20);
  },
);
