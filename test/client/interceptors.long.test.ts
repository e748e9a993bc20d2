// Tests of users who intercept requests: the client is seen and answered by nock, and by MSW in both majors.
import { createRequire } from "node:module";
import * as msw from "msw";
import { setupServer } from "msw/node";
import nock from "nock";
import nodeFetch from "node-fetch";
import * as undici from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ExplorerClient, type ExplorerClientOptions } from "../../src/index.ts";
import { ADDRESS, refusal, SENTINEL, success, supply } from "../http/server.ts";
import { environmentFolder, isInstalled } from "../support/environments.ts";

const baseUrl = "https://explorer.example.com";
const path = `/v1/tokens/${ADDRESS}/total-supply`;
const connect = (options: ExplorerClientOptions = {}) =>
  new ExplorerClient({ baseUrl, apiKey: SENTINEL, retry: { delay: () => 1 }, ...options });

describe("nock", () => {
  beforeAll(() => {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => nock.cleanAll());
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });

  test.each([
    ["the platform's fetch", {}],
    ["node-fetch", { fetch: nodeFetch }],
  ])("answers %s, and sees key, retry and body", async (_, options) => {
    const scope = nock(baseUrl, { reqheaders: { "api-key": SENTINEL } });
    scope.get(path).reply(503, refusal(503, "busy"));
    scope.get(path).reply(200, supply("7"));
    scope
      .post("/v1/accounts/balance", { addresses: [ADDRESS] })
      .reply(200, success({ count: "1", data: [{ address: ADDRESS, balance: "8" }] }));
    const explorer = connect(options);
    expect(await explorer.tokens.totalSupply(ADDRESS)).toBe(7n);
    expect(await explorer.accounts.balance(ADDRESS)).toBe(8n);
    expect(scope.isDone()).toBe(true);
  });

  test("refuses what no interceptor expects", async () => {
    await expect(connect({ retry: 0 }).tokens.totalSupply(ADDRESS)).rejects.toMatchObject({
      code: "CONNECTION",
    });
  });
});

const consumers = environmentFolder("consumers");
const require = createRequire(consumers);

/** What both majors have alike. */
interface Msw {
  readonly http: typeof msw.http;
  readonly HttpResponse: typeof msw.HttpResponse;
  readonly setupServer: typeof setupServer;
}

describe.each<readonly [string, () => Msw, boolean]>([
  ["MSW 3", () => ({ ...msw, setupServer }), true],
  ["MSW 2", () => ({ ...require("msw-2"), ...require("msw-2/node") }), isInstalled(consumers)],
])("%s", (_, load, isThere) => {
  test.skipIf(!isThere).each([
    ["the platform's fetch", {}],
    ["node-fetch", { fetch: nodeFetch }],
  ])("answers %s, and sees key and retry", async (_name, options) => {
    const { http, HttpResponse, setupServer: setup } = load();
    const keys: (string | null)[] = [];
    const server = setup(
      http.get(`${baseUrl}${path}`, ({ request }) => {
        keys.push(request.headers.get("api-key"));
        return keys.length === 1
          ? HttpResponse.json(refusal(503, "busy"), { status: 503 })
          : HttpResponse.json(supply("7"));
      }),
    );
    server.listen();
    try {
      expect(await connect(options).tokens.totalSupply(ADDRESS)).toBe(7n);
    } finally {
      server.close();
    }
    expect(keys).toEqual([SENTINEL, SENTINEL]);
  });
});

test("undici's own MockAgent answers undici's fetch", async () => {
  const dispatcher = new undici.MockAgent();
  dispatcher.disableNetConnect();
  dispatcher
    .get(baseUrl)
    .intercept({ path, headers: { "api-key": SENTINEL } })
    .reply(200, supply("7"), { headers: { "content-type": "application/json" } });
  const explorer = connect({ fetch: undici.fetch, fetchOptions: { dispatcher } });
  expect(await explorer.tokens.totalSupply(ADDRESS)).toBe(7n);
  await dispatcher.close();
});
