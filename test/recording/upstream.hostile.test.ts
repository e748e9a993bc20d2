// A hostile upstream: where a caller's request may go, how much of a response is read, and what of it reaches a browser.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { createProxy, createReplay, type ProxyOptions, serveExplorer } from "../../mocks/node.ts";
import { temporaryFolder } from "../support/project.ts";
import { responsesTo } from "../support/raw-http.ts";

const KEY = "s3cret-key-of-alice";

/** A proxy of a server that answers with this, on a port. */
async function hostile(answer: RequestListener, options: ProxyOptions = {}, base = "") {
  const targets: string[] = [];
  const server = createServer((request, response) => {
    targets.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`;
  const proxy = createProxy(url, options);
  const served = await serveExplorer(proxy);
  onTestFinished(() => served.close({ graceMs: 0 }));
  const ask = async (target: string, more = "") =>
    (
      await responsesTo(
        served.port,
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\napi-key: ${KEY}\r\n${more}\r\n`,
      )
    )[0];
  return { targets, served, proxy, ask, url };
}

const ok: RequestListener = (_, response) => {
  response.setHeader("content-type", "application/json").end("{}");
};

test("no path leaves the base address, or is no operation's", async () => {
  const { targets, ask } = await hostile(ok, {}, "/base");
  for (const target of [
    "/v1/blocks/\\..\\..\\admin\\keys",
    "/v1/blocks/..%2f..%2fadmin",
    "/v1/blocks/%5c..%5cadmin",
    "/v1/blocks/7;x?limit=1#a",
    "/v1/blocks/7?a=%23b",
  ])
    expect([target, (await ask(target))?.status]).toEqual([target, 200]);
  for (const [target, status] of [
    ["/v1/blocks/%2e%2e", 400],
    ["/v1/blocks/..", 400],
    ["/v1/blocks/%2E", 400],
    ["/v1/blocks/%ff", 400],
    ["/v1/../admin", 404],
    ["/admin/keys", 404],
    ["/z/verify", 404],
    ["//evil.example/v1/blocks/7", 404],
  ] as const)
    expect([target, (await ask(target))?.status]).toEqual([target, status]);
  expect(targets).toEqual([
    "GET /base/v1/blocks/%5C..%5C..%5Cadmin%5Ckeys",
    "GET /base/v1/blocks/..%2F..%2Fadmin",
    "GET /base/v1/blocks/%5C..%5Cadmin",
    "GET /base/v1/blocks/7%3Bx?limit=1%23a",
    "GET /base/v1/blocks/7?a=%23b",
  ]);
});

test("a response is read up to a size once it is decompressed, and up to a time", async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000));
  const { ask } = await hostile(
    (_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(bomb);
    },
    { maxResponseBytes: 1_000_000 },
  );
  expect(await ask("/v1/blocks/7")).toMatchObject({
    status: 502,
    body: expect.stringContaining("its response has more than 1000000 bytes"),
  });
  const slow = await hostile((_, response) => void response.writeHead(200).write("{"), {
    timeout: 50,
  });
  expect(await slow.ask("/v1/blocks/7")).toMatchObject({
    status: 502,
    body: expect.stringContaining("50 ms have passed"),
  });
});

test("headers about waiting, caching and the request pass, and none that affects this origin", async () => {
  const passed = {
    ...{ "retry-after": "7", "x-ratelimit-reset": "9", "ratelimit-remaining": "0" },
    ...{
      etag: '"a"',
      "last-modified": "Sat, 01 Aug 2026 00:00:00 GMT",
      "cache-control": "no-store",
    },
    ...{ allow: "GET", location: "/elsewhere", "www-authenticate": "Key", "x-request-id": "r1" },
  };
  const dropped = {
    ...{ "set-cookie": "a=b", "clear-site-data": '"*"', "strict-transport-security": "max-age=9" },
    ...{ "service-worker-allowed": "/", refresh: "0;url=/", link: "</a>;rel=preload" },
  };
  const { served } = await hostile((_, response) =>
    response.writeHead(429, { ...passed, ...dropped }).end("{}"),
  );
  const { headers, status } = await fetch(`${served.url}/v1/blocks/7`);
  expect(status).toBe(429);
  for (const [name, value] of Object.entries(passed))
    expect([name, headers.get(name)]).toEqual([name, value]);
  for (const name of Object.keys(dropped)) expect([name, headers.get(name)]).toEqual([name, null]);
});

test("an address with secrets is refused, without repeating them", () => {
  for (const address of [
    "https://user:pa55word@explorer.example",
    "https://explorer.example?key=pa55word",
    "https://explorer.example#pa55word",
  ]) {
    const create = () => createProxy(address);
    expect(create).toThrow("upstream: expected a URL without user, password, query or fragment");
    expect(create).not.toThrow("pa55word");
  }
});

test("bytes pass as they are, also through a recording", async () => {
  const bodies = {
    "Latin-1": Buffer.from('{"note":"café"}', "latin1"),
    "a byte order mark": Buffer.from('\uFEFF{"a":1}'),
    "bytes of all values": Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
    "100,000 levels": Buffer.from("[".repeat(100_000) + "]".repeat(100_000)),
  };
  const statuses = [204, 205, 304];
  const names = Object.keys(bodies);
  const record = temporaryFolder("recording", onTestFinished);
  const { proxy, served } = await hostile(
    ({ url = "" }, response) => {
      const at = Number(url.split("/").at(-1));
      const status = statuses[at - 10];
      const isZipped = at === 3;
      response.writeHead(status ?? 200, {
        "content-type": "application/json; charset=iso-8859-1",
        "x-own": "1",
        ...(isZipped && { "content-encoding": "gzip" }),
        ...(status ? {} : { trailer: "x-later", "transfer-encoding": "chunked" }),
      });
      const body = Object.values(bodies)[at] ?? "";
      response.end(isZipped ? gzipSync(body) : body);
    },
    { record, onWarning: () => {} },
  );
  await proxy.fetch(`${proxy.baseUrl}/v1/blocks/0`, { headers: { "api-key": KEY } });
  const replay = createReplay(record, { onWarning: () => {} });
  const onPort = await serveExplorer(replay);
  onTestFinished(() => onPort.close({ graceMs: 0 }));
  const blocks = [...names.keys(), ...statuses.map((_, at) => at + 10)];
  for (const at of blocks) {
    const headers = { "api-key": KEY };
    const expected = Object.values(bodies)[at] ?? Buffer.alloc(0);
    for (const [fetch, base] of [
      [proxy.fetch, proxy.baseUrl],
      [globalThis.fetch, served.url],
      // What was recorded meanwhile.
      [(...given) => createReplay(record, { onWarning: () => {} }).fetch(...given), replay.baseUrl],
    ] as [typeof globalThis.fetch, string][]) {
      const response = await fetch(`${base}/v1/blocks/${at}`, { headers });
      expect([at, response.status]).toEqual([at, statuses[at - 10] ?? 200]);
      expect([at, Buffer.from(await response.arrayBuffer()).equals(expected)]).toEqual([at, true]);
      expect(response.headers.get("x-own")).toBe("1");
      expect(response.headers.get("content-encoding")).toBeNull();
    }
  }
});

test("what a hostile explorer answers is nothing but data on the port", async () => {
  const { ask } = await hostile((_, response) => {
    response.writeHead(200, {
      "content-type": "text/html",
      "service-worker-allowed": "/",
      refresh: "0;url=https://evil.example",
      link: "<https://evil.example/x.js>; rel=preload",
      "clear-site-data": "*",
      "retry-after": "5",
      "x-request-id": "7",
    });
    response.end("<script>navigator.serviceWorker.register('/v1/blocks/1')</script>");
  });
  const response = await ask("/v1/blocks/7");
  expect(response?.headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "retry-after": "5",
    "x-request-id": "7",
  });
  for (const name of ["service-worker-allowed", "refresh", "link", "clear-site-data"])
    expect(response?.headers).not.toHaveProperty(name);
  for (const dest of ["document", "iframe", "frame", "script", "worker", "serviceworker", "object"])
    expect([dest, (await ask("/v1/blocks/7", `sec-fetch-dest: ${dest}\r\n`))?.status]).toEqual([
      dest,
      403,
    ]);
  expect((await ask("/v1/blocks/7", "sec-fetch-dest: empty\r\n"))?.status).toBe(200);
});
