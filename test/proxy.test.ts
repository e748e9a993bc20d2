// The proxy of a page: it forwards what reads, byte for byte, and no response contains the key, whatever the explorer sends.
import { describe, expect, test, vi } from "vitest";
import { translatorOf } from "../src/contract/dialect.ts";
import { type AnyOperation, dialects, operations } from "../src/index.ts";
import { createProxyHandler, type ProxyHandlerOptions } from "../src/proxy.ts";
import {
  ADDRESS,
  addressOf,
  clientOf,
  json,
  SENTINEL,
  serve,
  success,
  supply,
} from "./http/server.ts";

const page = "https://dapp.example/api/explorer";
const path = `/v1/tokens/${ADDRESS}/total-supply`;

/** A proxy whose explorer answers this. */
async function proxyTo(answer: Parameters<typeof serve>[0], options: ProxyHandlerOptions = {}) {
  const server = await serve(answer);
  const handler = createProxyHandler({ baseUrl: server.url, apiKey: SENTINEL, ...options });
  const ask = (target: string, init: RequestInit = {}) => handler(new Request(page + target, init));
  return { server, handler, ask };
}

test("our client reads through it, with GET and with the POST for 20 balances", async () => {
  const addresses = Array.from({ length: 20 }, (_, index) => addressOf(index));
  const { server, handler } = await proxyTo((asked, response) =>
    json(
      response,
      asked.method === "POST"
        ? success({ data: addresses.map((address) => ({ address, balance: "5" })) })
        : supply("7"),
    ),
  );
  const explorer = clientOf(
    { url: page },
    { apiKey: "added-by-the-proxy", fetch: (url, init) => handler(new Request(url, init)) },
  );
  expect(await explorer.tokens.totalSupply(ADDRESS)).toBe(7n);
  expect(await explorer.accounts.balances(addresses)).toHaveLength(20);
  expect(server.asked.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["GET", path, ""],
    ["POST", "/v1/accounts/balance", JSON.stringify({ addresses })],
  ]);
  for (const { headers } of server.asked) expect(headers["api-key"]).toBe(SENTINEL);
});

test("bodies pass byte for byte, also with a key that is in every text", async () => {
  const body = Buffer.from([0x7b, 0x22, 0xe9, 0xff, 0x00, 0x61, 0x22]);
  const { ask } = await proxyTo(
    (_, response) => {
      response.writeHead(404, {
        "content-type": "application/json; charset=iso-8859-1",
        "retry-after": "3",
      });
      response.end(body);
    },
    { apiKey: "a" },
  );
  const response = await ask(path);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(body);
  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toBe("application/json; charset=iso-8859-1");
  expect(response.headers.get("retry-after")).toBe("3");
});

describe("the key is withheld", () => {
  test.each([
    ["in a body", { body: `the key ${SENTINEL} is wrong` }],
    ["encoded in a body", { apiKey: "secret key/1", body: '{"key":"secret\\u0020key\\/1"}' }],
    ["in a header", { headers: { "retry-after": SENTINEL } }],
  ])(
    "%s",
    async (_, {
      body = "{}",
      headers = {},
      apiKey = SENTINEL,
    }: { body?: string; headers?: Record<string, string>; apiKey?: string }) => {
      const { ask } = await proxyTo((_asked, response) => json(response, body, 401, headers), {
        apiKey,
      });
      const response = await ask(path);
      const text = JSON.stringify([...response.headers]) + (await response.text());
      expect(response.status).toBe(502);
      expect(text).not.toContain(apiKey);
      expect(text).not.toContain(encodeURIComponent(apiKey));
    },
  );
});

describe("nothing is forwarded", () => {
  test.each([
    ["a submission", `/v1/contracts/${ADDRESS}/verify`, { method: "POST", body: "{}" }, 404],
    ["a method that changes", path, { method: "DELETE" }, 404],
    ["a path of the service's own", "/admin/reset", {}, 404],
    ["a path that is no operation's", "/v1/admin/keys", {}, 404],
    ["a path that begins as an operation's", "/v1/accounts/0x7/keys", {}, 404],
    ["a GET of what only a POST does", "/v1/contracts/0x7/verify", {}, 404],
    ["a path that leads elsewhere", "/v1/..%2fadmin", {}, 404],
    ["an encoded path", "/v1/%2e%2e/admin", {}, 404],
    ["a long query", `${path}?x=${"y".repeat(3000)}`, {}, 414],
    ["a long body", "/v1/accounts/balance", { method: "POST", body: "x".repeat(5000) }, 413],
  ])("of %s", async (_, target, init, status) => {
    const { server, ask } = await proxyTo((_asked, response) => json(response, supply("7")));
    expect((await ask(target, init)).status).toBe(status);
    expect(server.asked).toEqual([]);
  });
});

test("each operation that reads is forwarded, in the paths of either explorer", async () => {
  const { server, ask } = await proxyTo((_, response) => json(response, supply("7")), {
    rateLimit: { requests: 1000, perMs: 1_000 },
  });
  const paths = Object.values(dialects).flatMap((dialect) =>
    Object.values<AnyOperation>(operations)
      .filter(({ method }) => method === "GET")
      .map((operation) => translatorOf(dialect)(operation)?.operation.path ?? operation.path)
      .map((one) => `${one.replaceAll(/\{\w+\}/g, "0x7")}?limit=5&offset=10`),
  );
  for (const one of paths) expect([one, (await ask(one)).status]).toEqual([one, 200]);
  expect(server.asked.map(({ url }) => url)).toEqual(paths);
});

test("more requests than the rate get a 429 that says when", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { server, ask } = await proxyTo((_, response) => json(response, supply("7")), {
    rateLimit: { requests: 2, perMs: 5_000 },
  });
  const statuses = async () => [(await ask(path)).status, (await ask(path)).status];
  expect(await statuses()).toEqual([200, 200]);
  const late = await ask(path);
  expect([late.status, late.headers.get("retry-after")]).toEqual([429, "5"]);
  vi.setSystemTime(Date.now() + 5_000);
  expect(await statuses()).toEqual([200, 200]);
  vi.useRealTimers();
  expect(server.asked).toHaveLength(4);
});

test("nothing that the explorer sends runs on the page's origin", async () => {
  const { ask } = await proxyTo((_, response) => {
    response.writeHead(200, { "content-type": "text/javascript", "service-worker-allowed": "/" });
    response.end("self.onfetch = steal");
  });
  const { headers } = await ask(path);
  expect(Object.fromEntries(headers)).toEqual({
    "content-type": "text/plain",
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    date: expect.any(String),
  });
});

test.each([204, 205])("a %i has no body, and passes", async (status) => {
  const { ask } = await proxyTo((_, response) => response.writeHead(status).end());
  expect([(await ask(path)).status, await (await ask(path)).text()]).toEqual([status, ""]);
});

describe("an explorer or a page that stops is waited for no longer than the time limit", () => {
  test.each<[string, Parameters<typeof serve>[0]]>([
    ["before its response", () => {}],
    ["in its body", (_, response) => void response.writeHead(200).write("{")],
  ])("%s", async (_, answer) => {
    const closed = vi.fn();
    const hanging: typeof answer = (asked, response, count) => {
      response.once("close", closed);
      return answer(asked, response, count);
    };
    const { ask } = await proxyTo(hanging, { timeout: 50 });
    const response = await ask(path);
    expect([response.status, (await response.json()).message]).toEqual([
      502,
      "The explorer does not answer",
    ]);
    // Its connection is given up, too.
    await expect.poll(() => closed.mock.calls.length).toBe(1);
  });

  test("the page in its body", async () => {
    const { ask, server } = await proxyTo(() => {}, { timeout: 50 });
    const body = new ReadableStream({ start: (one) => one.enqueue(new Uint8Array(5)) });
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    expect((await ask("/v1/accounts/balance", init)).status).toBe(502);
    expect(server.asked).toEqual([]);
  });

  test("the key", async () => {
    const { ask } = await proxyTo(() => {}, { timeout: 50, apiKey: () => new Promise(() => {}) });
    expect((await ask(path)).status).toBe(502);
  });
});

test("a page that leaves ends the request to the explorer", async () => {
  const page = new AbortController();
  const { ask } = await proxyTo(() => page.abort());
  expect((await ask(path, { signal: page.signal })).status).toBe(502);
});

test.each([
  [
    "redirects",
    (response: import("node:http").ServerResponse) =>
      response.writeHead(307, { location: "https://elsewhere.example" }).end(),
    /redirects/,
  ],
  [
    "is longer than allowed",
    (response: import("node:http").ServerResponse) => json(response, "x".repeat(2000)),
    /longer than 1000 bytes/,
  ],
  [
    "has a status that is none",
    (response: import("node:http").ServerResponse) => response.writeHead(999).end("{}"),
    /status is 999/,
  ],
  [
    "breaks off",
    (response: import("node:http").ServerResponse) => response.destroy(),
    /does not answer/,
  ],
])("an explorer whose response %s is a 502", async (_, answer, message) => {
  const { ask } = await proxyTo((_asked, response) => answer(response), { maxResponseBytes: 1000 });
  const response = await ask(path);
  expect([response.status, (await response.json()).message]).toEqual([
    502,
    expect.stringMatching(message),
  ]);
});

describe("pages of other origins", () => {
  const origin = "https://other.example";
  const preflight = {
    method: "OPTIONS",
    headers: { origin, "access-control-request-headers": "api-key" },
  };

  test("may read if they are listed", async () => {
    const { ask } = await proxyTo((_, response) => json(response, supply("7")), {
      origins: [origin],
    });
    const asked = await ask(path, preflight);
    expect(asked.status).toBe(204);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-headers": "api-key",
      vary: "origin",
    });
    // Nor is a page of the proxy's origin given to another by a cache.
    expect((await ask(path)).headers.get("vary")).toBe("origin");
    const response = await ask(path, { headers: { origin } });
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    expect(response.headers.get("access-control-expose-headers")).toMatch(
      /retry-after.*limit-reset/,
    );
  });

  test("may not otherwise", async () => {
    const { ask } = await proxyTo((_, response) => json(response, supply("7")), {
      origins: ["https://a.example"],
    });
    expect((await ask(path, preflight)).status).toBe(404);
    expect(
      (await ask(path, { headers: { origin } })).headers.get("access-control-allow-origin"),
    ).toBeNull();
  });
});

test("the interval of the rate ends though the clock was set back, and no timer is left", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
  const fetch = async () => Response.json(supply("7"));
  const rateLimit = { requests: 1, perMs: 5_000 };
  const handler = createProxyHandler({ baseUrl: page, apiKey: "key", fetch, rateLimit });
  expect((await handler(new Request(page + path))).status).toBe(200);
  vi.setSystemTime(Date.now() - 3_600_000);
  expect((await handler(new Request(page + path))).status).toBe(200);
  expect(vi.getTimerCount()).toBe(0);
});

test.each<[ProxyHandlerOptions, string]>([
  [{ path: "api/explorer" }, "path: expected a path such as /api/explorer"],
  [{ path: "/api/explorer/" }, "path: expected a path such as /api/explorer"],
  [
    { origins: ["https://dapp.example/"] },
    "origins: expected origins such as https://dapp.example",
  ],
  [{ origins: ["*"] }, "origins: expected origins such as https://dapp.example"],
  [{ timeout: Number.NaN }, "timeout: expected a number above 0"],
  ...[
    { requests: 0, perMs: 1 },
    { requests: 5 },
    {},
    { requests: "5", perMs: "1000" },
    { requests: 5, perMs: 1, acquire() {} },
  ].map((rateLimit): [ProxyHandlerOptions, string] => [
    { rateLimit: rateLimit as never },
    "rateLimit: expected { requests, perMs }, two numbers above 0",
  ]),
  [{ maxResponseBytes: "5" as never }, "maxResponseBytes: expected a number above 0"],
  [{ origins: "https://dapp.example" as never }, "origins: expected a list of origins"],
  [{ fetch: {} as never }, "fetch: expected a function"],
  [{ baseURL: "https://a.example" } as never, 'unknown option baseURL; did you mean "baseUrl"?'],
  [{ origin: [] } as never, 'unknown option origin; did you mean "origins"?'],
  [{ ratelimit: {} } as never, 'unknown option ratelimit; did you mean "rateLimit"?'],
])("%o is refused", (options, message) => {
  expect(() => createProxyHandler({ baseUrl: page, apiKey: "key", ...options })).toThrow(message);
});

test("a proxy without URL or key is not made", () => {
  vi.stubEnv("EXPLORER_BASE_URL", "");
  vi.stubEnv("EXPLORER_API_KEY", "");
  expect(() => createProxyHandler({ apiKey: "key" })).toThrow("EXPLORER_BASE_URL");
  expect(() => createProxyHandler({ baseUrl: page })).toThrow("EXPLORER_API_KEY");
});
