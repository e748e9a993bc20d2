// MSW handlers take the service's requests, respond as every other transport does, and leave other requests alone.
import { getResponse, HttpHandler } from "msw";
import { afterEach, expect, test, vi } from "vitest";
import { buildChain, coins } from "../../mocks/builder/index.ts";
import { createExplorer } from "../../mocks/explorer.ts";
import { createHandlers, createOperationHandlers } from "../../mocks/msw/handlers.ts";

const story = buildChain();
const alice = story.account({ name: "alice", balance: coins(10) });
story.mine();
const baseUrl = "https://explorer.test/api";
const mock = createExplorer({ chain: story, baseUrl });
const headers = { "api-key": "k" };

afterEach(() => {
  vi.unstubAllGlobals();
});

test("a handler of one operation leaves the others alone", async () => {
  const { B1 } = createOperationHandlers(mock);
  expect(B1).toBeInstanceOf(HttpHandler);
  const ask = (target: string) =>
    getResponse([B1], new Request(`${baseUrl}${target}`, { headers }));
  expect((await ask("/v1/blocks/1"))?.status).toBe(200);
  expect(await ask(`/v1/accounts/${alice}/transactions`)).toBeUndefined();
});

test("on the page's own origin, what is not below /v1 is the page's", async () => {
  vi.stubGlobal("location", new URL("https://explorer.test/page"));
  const handlers = createHandlers(mock);
  const ask = (target: string) =>
    getResponse(handlers, new Request(`${baseUrl}${target}`, { headers }));
  expect(await ask("/style.css")).toBeUndefined();
  expect((await ask("/v1/nowhere"))?.status).toBe(404);
});
