// setupExplorer wires itself into the test runner: the hooks it is given, global ones, node:test's.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { buildChain } from "../../mocks/builder/index.ts";
import { createExplorer } from "../../mocks/explorer.ts";
import { setupExplorer } from "../../mocks/msw/setup.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const made = () => createExplorer({ chain: buildChain().chain });
const hook = () => vi.fn<(run: () => unknown) => void>();

test("without a test runner it says what to do", () => {
  expect(() => setupExplorer(made())).toThrow(
    'pass its hooks, as in `import * as hooks from "vitest"; setupExplorer(mock, { hooks })`',
  );
});

test("it takes the hooks that are global, as jest's are", async () => {
  const [beforeAll, afterEach, afterAll] = [hook(), hook(), hook()];
  vi.stubGlobal("beforeAll", beforeAll);
  vi.stubGlobal("afterEach", afterEach);
  vi.stubGlobal("afterAll", afterAll);
  const mock = made();
  setupExplorer(mock);
  const run = (of: typeof beforeAll) => of.mock.calls[0]?.[0]();
  const ask = () => fetch(`${mock.baseUrl}/v1/blocks/0`, { headers: { "api-key": "k" } });
  run(beforeAll);
  mock.faults.add({ fault: "status", status: 503 });
  expect((await ask()).status).toBe(503);
  run(afterEach);
  expect((await ask()).status).toBe(200);
  run(afterAll);
  await expect(ask()).rejects.toThrow("fetch failed");
});

test("under node --test it finds node:test's", async () => {
  const fixture = fileURLToPath(new URL("../support/node-test.fixture.ts", import.meta.url));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--test", "--test-reporter=tap", fixture],
    { env },
  );
  expect(stdout).toContain("# pass 2");
  expect(stdout).toContain("# fail 0");
});
