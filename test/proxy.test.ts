// The proxy of a page: it forwards what reads, byte for byte, and no response contains the key, whatever the explorer sends.
import { describe, expect, test, vi } from "vitest";
import { createProxyHandler, type ProxyHandlerOptions } from "../src/proxy.ts";
import { ADDRESS, clientOf, json, SENTINEL, serve, success, supply } from "./http/server.ts";

const page = "https://dapp.example/api/explorer";
const path = `/v1/tokens/${ADDRESS}/total-supply`;

/** A proxy whose explorer answers this. */
async function proxyTo(answer: Parameters<typeof serve>[0], options: ProxyHandlerOptions = {}) {
  const server = await serve(answer);
  const handler = createProxyHandler({ baseUrl: server.url, apiKey: SENTINEL, ...options });
  const ask = (target: string, init: RequestInit = {}) => handler(new Request(page + target, init));
  return { server, handler, ask };
}

test("our client reads through it, with GET and with the POST for balances", async () => {
  const { server, handler } = await proxyTo((asked, response) =>
    json(
      response,
      asked.method === "POST"
        ? success({ data: [{ address: ADDRESS, balance: "5" }] })
        : supply("7"),
    ),
  );
  const explorer = clientOf(
    { url: page },
    { apiKey: "added-by-the-proxy", fetch: (url, init) => handler(new Request(url, init)) },
  );
  expect(await explorer.tokens.totalSupply(ADDRESS)).toBe(7n);
  expect(await explorer.accounts.balance(ADDRESS)).toBe(5n);
  expect(server.asked.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["GET", path, ""],
    ["POST", "/v1/accounts/balance", JSON.stringify({ addresses: [ADDRESS] })],
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
    ["encoded in a body", { apiKey: "secret key/1", body: "key=secret%20key%2F1" }],
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
    const response = await ask(path, { headers: { origin } });
    expect(response.headers.get("access-control-allow-origin")).toBe(origin);
    expect(response.headers.get("access-control-expose-headers")).toContain("retry-after");
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

test("a proxy without URL or key is not made", () => {
  vi.stubEnv("EXPLORER_BASE_URL", "");
  vi.stubEnv("EXPLORER_API_KEY", "");
  expect(() => createProxyHandler({ apiKey: "key" })).toThrow("EXPLORER_BASE_URL");
  expect(() => createProxyHandler({ baseUrl: page })).toThrow("EXPLORER_API_KEY");
  vi.unstubAllEnvs();
});
