// MSW handlers take the service's requests, respond as every other transport does, and leave other requests alone.
import { getResponse, HttpHandler } from "msw";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createExplorer } from "../../../mocks/double/explorer.ts";
import {
  createHandlers,
  createOperationHandlers,
  rememberHandled,
  wasHandled,
} from "../../../mocks/double/msw/handlers.ts";
import { buildChain, coins } from "../../../mocks/double/sources/builder/index.ts";

const story = buildChain();
const alice = story.account({ name: "alice", balance: coins(10) });
story.mine();
const baseUrl = "https://explorer.test/api";
const mock = createExplorer({ chain: story, baseUrl });
const headers = { "api-key": "k" };

afterEach(() => {
  vi.unstubAllGlobals();
});

const read = async (response: Response | undefined) =>
  response && [
    response.status,
    await response.text(),
    response.headers.get("content-type"),
    response.headers.get("allow"),
  ];

describe("an unusual request gets the same response as from mock.fetch", () => {
  const handlers = createHandlers(mock);

  test.each([
    ["GET", "/v1/blocks/1"],
    ["GET", "/v1/blocks/1/"],
    ["GET", "/v1/blocks//1"],
    ["GET", "/v1/blocks/%31"],
    ["GET", "/v1%2Fblocks/1"],
    ["GET", "/v1/blocks/1?a=1&a=2#part"],
    ["GET", "/V1/blocks/1"],
    ["GET", "/v1/blocks/1:2*(3)"],
    ["GET", `/v1/accounts/${alice.toUpperCase()}/transactions`],
    ["GET", "/v1/accounts/balance"],
    ["HEAD", "/v1/blocks/1"],
    ["OPTIONS", "/v1/blocks/1"],
    ["PUT", "/v1/blocks/1"],
    ["PATCH", "/v1/blocks/1"],
    ["POST", "/v1/nowhere"],
    ["GET", ""],
    ["GET", "/"],
    ["GET", "?a=1"],
    ["GET", "/../api/v1/blocks/1"],
  ])("%s %s", async (method, target) => {
    const request = () => new Request(`${baseUrl}${target}`, { method, headers });
    const response = await read(await getResponse(handlers, request()));
    expect(response).toBeDefined();
    expect(response).toEqual(await read(await mock.fetch(request())));
  });

  test.each([
    "https://explorer.test/apis/v1/blocks/1",
    "https://explorer.test/v1/blocks/1",
    "https://elsewhere.test/api/v1/blocks/1",
  ])("but %s is not the service's", async (url) => {
    expect(await getResponse(handlers, new Request(url, { headers }))).toBeUndefined();
  });
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

test("of the handled requests the newest are remembered", () => {
  for (let number = 0; number <= 10_000; number++) rememberHandled(`request ${number}`);
  expect([0, 1, 10_000].map((number) => wasHandled(`request ${number}`))).toEqual([
    false,
    true,
    true,
  ]);
});
