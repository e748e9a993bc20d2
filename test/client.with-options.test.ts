// Clients with other options: what they change, and what they share with the client they come from.
import { describe, expect, test } from "vitest";
import { createExplorer } from "../mocks/explorer.ts";
import { ExplorerClient, type ExplorerClientOptions, ParameterError } from "../src/index.ts";
import { thrown } from "./http/server.ts";
import { buildSampleChain } from "./support/sample-chain.ts";

const { builder } = buildSampleChain();

function setUp(options: ExplorerClientOptions = {}) {
  const mock = createExplorer({ chain: builder.chain.fork() });
  let open = 0;
  let most = 0;
  const { baseUrl } = mock;
  const explorer = new ExplorerClient({
    baseUrl,
    apiKey: "key",
    headers: { "x-dapp": "mine" },
    retry: { limit: 1, delay: () => 1 },
    async fetch(url, init) {
      most = Math.max(most, ++open);
      const response = await mock.fetch(url, init);
      open--;
      return response;
    },
    ...options,
  });
  return { mock, explorer, most: () => most };
}

test("an option that is given replaces the client's, and the others stay", async () => {
  const { mock, explorer } = setUp();
  mock.faults.add({ preset: "503 twice" });
  const patient = explorer.withOptions({ retry: { limit: 2, delay: () => 1 } });
  expect((await patient.blocks.get(2)).block_number).toBe(2n);
  mock.faults.clear();
  mock.faults.add({ preset: "503 twice" });
  expect(await thrown(explorer.blocks.get(2))).toMatchObject({ code: "SERVER", attempts: 2 });
  expect(patient.toJSON()).toEqual(explorer.toJSON());
  const requests: string[] = [];
  const { baseUrl } = mock;
  const elsewhere = patient.withOptions({
    baseUrl: `${baseUrl}/elsewhere`,
    hooks: { onRequest: ({ url }) => void requests.push(url) },
    headers: {},
  });
  expect(await thrown(elsewhere.blocks.get(2))).toMatchObject({ code: "NOT_FOUND" });
  expect(requests).toEqual([`${baseUrl}/elsewhere/v1/blocks/2`]);
});

test("undefined restores the default, and a mistake is reported", async () => {
  const { mock, explorer } = setUp({ validation: "lenient" });
  mock.faults.add({ fault: "field", path: "data.block_number", value: "two" });
  expect((await explorer.blocks.get(2)).block_number).toBe("two");
  const strict = explorer.withOptions({ validation: undefined });
  expect(await thrown(strict.blocks.get(2))).toMatchObject({ code: "RESPONSE_VALIDATION" });
  expect(() => explorer.withOptions({ timeout: -1 })).toThrow(ParameterError);
});

test("later changes to an object of options reach no client", async () => {
  const mock = createExplorer({ chain: builder.chain.fork(), apiKeys: ["key"] });
  const options = { baseUrl: mock.baseUrl, apiKey: "key", fetch: mock.fetch };
  const explorer = new ExplorerClient(options);
  options.apiKey = "wrong";
  expect((await explorer.withOptions({ timeout: 9_000 }).blocks.get(2)).block_number).toBe(2n);
});

describe("the rate limit", () => {
  const requests = (...clients: readonly ExplorerClient[]) =>
    Promise.all(
      clients.flatMap((client) => [2, 3, 4, 5].map((number) => client.blocks.get(number))),
    );

  test("is shared: both together keep to it", async () => {
    const { explorer, most } = setUp({ concurrency: 2 });
    await requests(explorer, explorer.withOptions({ dedupe: false }));
    expect(most()).toBe(2);
  });

  test("is another one for a client with other limits, or of another key", async () => {
    const { explorer, most } = setUp({ concurrency: 2 });
    await requests(explorer, explorer.withOptions({ concurrency: 3, dedupe: false }));
    expect(most()).toBe(5);
    const other = setUp({ concurrency: 2 });
    await requests(other.explorer, other.explorer.withOptions({ apiKey: "other" }));
    expect(other.most()).toBe(4);
    const own = setUp({ concurrency: 2 });
    const rateLimit = { requests: 1_000, perMs: 1 };
    await requests(own.explorer, own.explorer.withOptions({ rateLimit, dedupe: false }));
    expect(own.most()).toBe(4);
  });
});
