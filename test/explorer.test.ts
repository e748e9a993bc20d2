// The options of a mock explorer: a mistake is named when it is made, not by a puzzling response.
import { inspect } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { buildChain } from "../mocks/builder/index.ts";
import { createExplorer } from "../mocks/explorer.ts";
import { createHandlers } from "../mocks/msw/handlers.ts";
import { setupExplorer } from "../mocks/msw/setup.ts";
import { serveExplorer } from "../mocks/port/server.ts";

test.each([
  [{ chian: undefined }, 'unknown option chian; did you mean "chain"?'],
  [
    { upstream: "https://a.example" },
    "unknown option upstream; expected one of chain, source, baseUrl",
  ],
  [
    { baseUrl: "localhost:3000" },
    'baseUrl: expected an https:// or http:// URL, received "localhost:3000"',
  ],
  [
    { chain: {} },
    "chain: expected a chain, its builder, or a follower (from buildChain, loadChain, followNode …), received an object",
  ],
  [buildChain(), "expected an object of options, received a ChainBuilder"],
  [{ conformance: "error" }, 'conformance: expected one of throw, warn, received "error"'],
  [{ apiKeys: "secret" }, "apiKeys: expected keys that are not empty"],
  [{ chain: Promise.resolve() }, "chain: expected a chain, received a Promise: await it"],
])("createExplorer(%o) is a mistake", (options, message) => {
  expect(() => createExplorer(options as never)).toThrow(`createExplorer: ${message}`);
});

test("a builder in place of an explorer is named by every transport", async () => {
  const builder = buildChain() as never;
  const mistake =
    /^(serveExplorer|setupExplorer|createHandlers): expected an explorer of createExplorer, received a ChainBuilder$/;
  await expect(serveExplorer(builder)).rejects.toThrow(mistake);
  expect(() => setupExplorer(builder)).toThrow(mistake);
  expect(() => createHandlers(builder)).toThrow(mistake);
  expect(() => setupExplorer(createExplorer(), { handler: [] } as never)).toThrow(
    'setupExplorer: unknown option handler; did you mean "handlers"?',
  );
});

test("a base URL with the version in it is explained", async () => {
  const ask = async (baseUrl: string, url: string) => {
    const response = await createExplorer({ baseUrl }).fetch(url, { headers: { "api-key": "k" } });
    return (await response.json()).message;
  };
  const hint = "paths begin with /v1 once: leave it out of the base URL";
  expect(await ask("https://x.test/v1", "https://x.test/v1/blocks/0")).toContain(hint);
  expect(await ask("https://x.test", "https://x.test/v1/v1/blocks/0")).toContain(hint);
});

test("console.log shows what an explorer, its journal and its faults hold", async () => {
  const mock = createExplorer();
  mock.faults.add({ preset: "503 twice" });
  await mock.fetch(`${mock.baseUrl}/v1/blocks/0?page=1`, { headers: { "api-key": "k" } });
  expect(inspect(mock)).toBe("Explorer at https://explorer.test: 1 blocks, 1 requests, 1 faults");
  expect(inspect(mock.journal)).toMatch(
    /^Journal of 1 request:\n {2}#1 503 blocks.get \(B1\) GET .*ignored the parameter page$/,
  );
  expect(inspect(mock.faults)).toMatch(
    /^1 faults:\n {2}#1 \{"fault":"status".*matched 1, applied 1$/,
  );
});

test("a base URL has no slash at its end", () => {
  expect(createExplorer({ baseUrl: "https://A.test/a//b//" }).baseUrl).toBe("https://a.test/a//b");
});

test("the clock of a test is the explorer's, also one that is replaced later", async () => {
  const mock = createExplorer();
  mock.faults.add({ fault: "rate-limit", retryAfter: 5, times: 1 });
  const status = async () =>
    (await mock.fetch(`${mock.baseUrl}/v1/blocks/0`, { headers: { "api-key": "k" } })).status;
  vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  expect([await status(), await status()]).toEqual([429, 429]);
  vi.setSystemTime(1_700_000_006_000);
  expect(await status()).toBe(200);
  expect(mock.journal.entries.map(({ at }) => at)).toEqual([
    ...[1_700_000_000_000, 1_700_000_000_000, 1_700_000_006_000],
  ]);
});

test("durations are by a given clock", async () => {
  const mock = createExplorer({ now: () => 1_700_000_000_000 });
  mock.faults.add({ fault: "latency", ms: 5 });
  await mock.fetch(`${mock.baseUrl}/v1/blocks/0`, { headers: { "api-key": "k" } });
  expect(mock.journal.entries[0]).toMatchObject({ at: 1_700_000_000_000, duration: 0 });
});
