// The options of a mock explorer: a mistake is named when it is made, not by a puzzling response.
import { expect, onTestFinished, test, vi } from "vitest";
import { createExplorer } from "../mocks/explorer.ts";

test.each([
  [{ chian: undefined }, 'no option chian; did you mean "chain"?'],
  [{ upstream: "https://a.example" }, "no option upstream"],
  [
    { baseUrl: "localhost:3000" },
    'baseUrl: expected an https:// or http:// URL, received "localhost:3000"',
  ],
  [{ chain: Promise.resolve() }, "chain: expected a chain, received a Promise: await it"],
])("createExplorer(%o) is a mistake", (options, message) => {
  expect(() => createExplorer(options as never)).toThrow(
    new TypeError(`createExplorer: ${message}`),
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
