// What subscribers of node:diagnostics_channel see of a client's requests.
import { AsyncLocalStorage } from "node:async_hooks";
import { tracingChannel } from "node:diagnostics_channel";
import { expect, onTestFinished, test, vi } from "vitest";
import { createExplorer } from "../../mocks/explorer.ts";
import { ExplorerClient, type RequestTrace } from "../../src/index.ts";
import { buildSampleChain } from "../support/sample-chain.ts";
import { SENTINEL, thrown } from "./server.ts";

const { builder } = buildSampleChain();

function setUp() {
  const mock = createExplorer({ chain: builder });
  const explorer = new ExplorerClient({
    baseUrl: mock.baseUrl,
    apiKey: SENTINEL,
    fetch: mock.fetch,
    retry: { limit: 2, delay: () => 1 },
  });
  return { mock, explorer };
}

function listen() {
  const heard: { readonly event: string; readonly trace: RequestTrace }[] = [];
  const channel = tracingChannel<unknown, RequestTrace>("mrc-explorer:request");
  const note = (event: string) => (trace: RequestTrace) => void heard.push({ event, trace });
  const subscribers = {
    start: note("start"),
    end: note("end"),
    asyncStart: note("asyncStart"),
    asyncEnd: note("asyncEnd"),
    error: note("error"),
  };
  channel.subscribe(subscribers);
  onTestFinished(() => void channel.unsubscribe(subscribers));
  return { heard, channel, events: () => heard.map(({ event }) => event) };
}

test("a request is published once, retries included, with its response", async () => {
  const { mock, explorer } = setUp();
  mock.faults.add({ preset: "503 twice" });
  const { heard, events } = listen();
  const { response } = await explorer.blocks.get(2).withResponse();
  expect(events()).toEqual(["start", "end", "asyncStart", "asyncEnd"]);
  const [{ trace }] = heard as [(typeof heard)[0]];
  expect(new Set(heard.map((one) => one.trace)).size).toBe(1);
  expect(trace).toEqual({
    operation: "B1",
    name: "blocks.get",
    method: "GET",
    url: `${mock.baseUrl}/v1/blocks/2`,
    result: response,
  });
  expect(mock.journal.count()).toBe(3);
  expect(JSON.stringify(heard)).not.toContain(SENTINEL);
});

test("a failure has its error", async () => {
  const { explorer } = setUp();
  const { heard, events } = listen();
  const error = await thrown(explorer.blocks.get(9999));
  expect(events()).toEqual(["start", "end", "error", "asyncStart", "asyncEnd"]);
  expect(heard.at(-1)?.trace.error).toBe(error);
});

test("equal requests in flight are one, and pages of a list one each", async () => {
  const { explorer } = setUp();
  const { heard } = listen();
  await Promise.all([explorer.blocks.get(2), explorer.blocks.get(2)]);
  expect(heard.filter(({ event }) => event === "start")).toHaveLength(1);
});

test.each([
  ["no process", undefined],
  ["a process without modules", {}],
  ["no such module", { getBuiltinModule: () => undefined }],
  ["a module without tracing channels", { getBuiltinModule: () => ({}) }],
])("with %s, requests are sent as ever", async (_, process) => {
  vi.resetModules();
  const { traced } = await import("../../src/http/hooks.ts");
  const trace = { operation: "B1", name: "blocks.get", method: "GET", url: "https://x" } as const;
  const response = new Response();
  vi.stubGlobal("process", process);
  const sent = traced(trace, async () => ({ response }));
  vi.unstubAllGlobals();
  expect(await sent).toEqual({ response });
});

test("what fetch runs in has the store that a tracer binds", async () => {
  const { mock } = setUp();
  const { channel } = listen();
  const store = new AsyncLocalStorage<string>();
  channel.start.bindStore(store, (trace) => (trace as RequestTrace).name);
  onTestFinished(() => void channel.start.unbindStore(store));
  const stores: (string | undefined)[] = [];
  const explorer = new ExplorerClient({
    baseUrl: mock.baseUrl,
    apiKey: "any",
    fetch: (url, init) => {
      stores.push(store.getStore());
      return mock.fetch(url, init);
    },
  });
  await explorer.blocks.get(2);
  expect(stores).toEqual(["blocks.get"]);
});
