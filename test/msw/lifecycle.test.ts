// setupExplorer wires itself into the test runner: the hooks it is given, global ones, node:test's.
import { execFile } from "node:child_process";
import http, { get as httpGet, request as httpRequest } from "node:http";
import https, { get as httpsGet, request as httpsRequest } from "node:https";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { HttpResponse, http as mswHttp } from "msw";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { buildChain } from "../../mocks/builder/index.ts";
import { createExplorer } from "../../mocks/explorer.ts";
import { type SetupOptions, setupExplorer } from "../../mocks/msw/setup.ts";

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
  const run = async (of: typeof beforeAll) => of.mock.calls[0]?.[0]();
  const ask = () => fetch(`${mock.baseUrl}/v1/blocks/0`, { headers: { "api-key": "k" } });
  await run(beforeAll);
  mock.faults.add({ fault: "status", status: 503 });
  expect((await ask()).status).toBe(503);
  await run(afterEach);
  expect((await ask()).status).toBe(200);
  await run(afterAll);
  await expect(ask()).rejects.toThrow("fetch failed");
});

/** Sets up an explorer with hooks that run when they are told to. */
function manual(baseUrl: string, options: SetupOptions = {}) {
  const [beforeAll, afterEach, afterAll] = [hook(), hook(), hook()];
  const mock = createExplorer({ baseUrl });
  setupExplorer(mock, { ...options, hooks: { beforeAll, afterEach, afterAll } });
  const run = async (of: typeof beforeAll) => of.mock.calls[0]?.[0]();
  onTestFinished(() => run(afterAll).then(() => {}));
  const status = async () =>
    (await fetch(`${baseUrl}/v1/blocks/0`, { headers: { "api-key": "k" } })).status;
  const afterTest = () => run(afterEach);
  return { mock, status, start: () => run(beforeAll), afterTest, end: () => run(afterAll) };
}

test("handlers of other APIs stay after a test, and strict fails one with a near miss", async () => {
  const prices = mswHttp.get("https://prices.example/", () => HttpResponse.text("7"));
  const { start, afterTest } = manual("https://strict.example", {
    ...{ handlers: [prices], strict: true },
  });
  await start();
  for (let test = 0; test < 2; test++) {
    expect(await (await fetch("https://prices.example/")).text()).toBe("7");
    await afterTest();
  }
  await fetch("https://strict.example/v1/blocks/0?sort=asc", { headers: { "api-key": "k" } });
  await expect(afterTest()).rejects.toThrow(/expected no near misses.*ignored the parameter sort/s);
  await expect(afterTest()).resolves.toBeUndefined();
});

test("a second one in the same file is refused, and the first goes on", async () => {
  const [first, second] = [manual("https://first.example"), manual("https://second.example")];
  await first.start();
  await expect(second.start()).rejects.toThrow(
    "another call already intercepts the requests of this file",
  );
  expect(await first.status()).toBe(200);
  await second.end();
  expect(await first.status()).toBe(200);
  await first.end();
  // One after the other is as many as one likes.
  await second.start();
  expect(await second.status()).toBe(200);
  await second.end();
});

test("the probe leaves no trace", async () => {
  const { mock, start } = manual("https://probed.example");
  await start();
  expect(mock.journal.count()).toBe(0);
  await expect(fetch(`${mock.baseUrl}/mrc-explorer-probe/x`)).resolves.toHaveProperty(
    "status",
    404,
  );
});

test("a fetch that is not intercepted is found before the first test", async () => {
  const { start, end } = manual("https://probed.example");
  vi.stubGlobal("fetch", async () => new Response("the real explorer"));
  await expect(start()).rejects.toThrow(
    /^setupExplorer: https:\/\/probed\.example is not intercepted for the global fetch \(something else answered: the real explorer\): .*fetch: mock\.fetch/,
  );
  await end();
});

describe.each(["https", "http"] as const)("%s", (protocol) => {
  const whole = protocol === "https" ? https : http;
  /** The status that a client of Node gets. */
  const statusBy = (get: typeof httpGet, url: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const request = get(url, { headers: { "api-key": "k" } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on("error", reject);
      request.end();
    });

  test("is intercepted for the module and for named imports, and no more after the end", async () => {
    const { mock, start, end } = manual(`${protocol}://probed.invalid`);
    const url = `${mock.baseUrl}/v1/blocks/0`;
    // Read anew each time: a named import is a live binding.
    const clients = () =>
      protocol === "https"
        ? [https.get, https.request, httpsGet, httpsRequest]
        : [http.get, http.request, httpGet, httpRequest];
    await start();
    for (const client of clients()) expect(await statusBy(client, url)).toBe(200);
    await end();
    for (const client of clients())
      await expect(statusBy(client, url)).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
  });

  test.each(["get", "request"] as const)(
    "%s that something else took over is found before the first test",
    async (name) => {
      const { start, end } = manual(`${protocol}://probed.invalid`);
      const taken = vi.spyOn(whole, name).mockImplementation(() => {
        throw new Error("taken");
      });
      try {
        await expect(start()).rejects.toThrow(`is not intercepted for ${protocol}.${name} (taken)`);
      } finally {
        taken.mockRestore();
        await end();
      }
    },
  );
});

/** Where Node's `fetch` and undici look up how requests are sent, as `setGlobalDispatcher` sets it: the last digit is Node's. */
const dispatchers = () =>
  Object.getOwnPropertySymbols(globalThis).filter(({ description }) =>
    description?.startsWith("undici.globalDispatcher."),
  );

test("a dispatcher of undici in its place, as a MockAgent is, is found, too", async () => {
  await fetch("data:,");
  const originals = dispatchers().map((symbol) => [symbol, Reflect.get(globalThis, symbol)]);
  expect(originals.length).toBeGreaterThan(0);
  const { start, end } = manual("https://probed.example");
  const dispatch = () => {
    throw new Error("Mock dispatch not matched");
  };
  for (const symbol of dispatchers()) Reflect.set(globalThis, symbol, { dispatch });
  try {
    await expect(start()).rejects.toThrow(
      "is not intercepted for the global fetch (Mock dispatch not matched)",
    );
  } finally {
    for (const [symbol, original] of originals) Reflect.set(globalThis, symbol, original);
    await end();
  }
});

test("under node --test it finds node:test's", async () => {
  const fixture = fileURLToPath(new URL("./node-test.fixture.ts", import.meta.url));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--test", "--test-reporter=tap", fixture],
    { env },
  );
  expect(stdout).toContain("# pass 2");
  expect(stdout).toContain("# fail 0");
});
