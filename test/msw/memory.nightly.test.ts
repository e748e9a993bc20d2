// Two thousand tests of one process against the explorer behind MSW leave next to nothing behind.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { setupServer } from "msw/node";
import { expect, test } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import { createHandlers } from "../../mocks/msw/handlers.ts";
import { ExplorerClient } from "../../src/index.ts";

const TESTS = 2000;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Mebibytes that a full collection leaves. */
function mebibytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

test("each request ends with its response", { timeout: 600_000 }, async () => {
  const mock = createExplorer();
  const server = setupServer(...createHandlers(mock));
  server.listen();
  const one = async () => {
    const { blocks } = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "k", retry: 0 });
    await blocks.get(0n);
    mock.reset();
    server.resetHandlers();
    // A runner lets the event loop run between tests, and so sockets end.
    await new Promise((resolve) => setTimeout(resolve));
  };
  for (let count = 0; count < 200; count++) await one();
  const before = mebibytes();
  for (let count = 0; count < TESTS; count++) await one();
  const grown = mebibytes() - before;
  server.close();
  expect(grown).toBeLessThan(20);
});
