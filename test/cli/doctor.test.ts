// What `mrc-explorer doctor` finds, one thing after another.
import { expect, onTestFinished, test } from "vitest";
import { createExplorer, serveExplorer } from "../../mocks/node.ts";
import { serve } from "../http/server.ts";
import { KEY, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();

interface Found {
  readonly check: string;
  readonly state: string;
  readonly found: string;
}
const doctor = async (words = "", rate = "--rate-limit 1000 ") => {
  const { code, out, err } = await demo.cli(`doctor ${rate}${words}`.trim());
  expect(out + err).not.toContain(KEY);
  const found: Found[] = out ? JSON.parse(out).data : [];
  return {
    code,
    err,
    states: Object.fromEntries(found.map((one) => [one.check, one.state])),
    found,
  };
};

/** The address of a server with one answer. */
const answering = async (status: number, headers: Record<string, string>, body: string) =>
  (await serve((_, response) => response.writeHead(status, headers).end(body))).url;

test.each([
  [
    { "access-control-allow-origin": "https://dapp.example" },
    "only web pages of https://dapp.example may",
  ],
  [{}, "no web page, unless its origin is allowed, may read"],
])("it says which web pages may read responses (%j)", async (headers, text) => {
  const url = await answering(200, headers, '{"status":"200","message":"OK","results":{}}');
  const { found } = await doctor(`--base-url ${url}`);
  expect(found.find(({ check }) => check === "browsers")?.found).toContain(text);
});

test("all is well with our own service", async () => {
  const { code, err, states, found } = await doctor();
  expect([code, err, found[2]?.found]).toEqual([0, "", "accepted"]);
  expect(states).toEqual({
    address: "ok",
    path: "ok",
    key: "ok",
    browsers: "ok",
    "rate limit": "ok",
  });
});

test.each<readonly [string, number, Record<string, string>, string, string]>([
  [
    "a website",
    200,
    { "content-type": "text/html" },
    "<h1>Hello</h1>",
    "path: GET /v1/blocks/1 returned HTTP 200 without JSON",
  ],
  [
    "another path",
    404,
    { "content-type": "application/json" },
    '{"error":"x"}',
    "no API is there; pass the address without /v1",
  ],
  [
    "another path of an explorer",
    404,
    { "content-type": "application/json" },
    '{"status":"404","message":"no operation","results":null}',
    "return HTTP 404: no API is there; pass the address without /v1",
  ],
  [
    "a broken explorer",
    502,
    {},
    "",
    "explorer: GET /v1/blocks/1 returned HTTP 502: it has a problem",
  ],
  ["a redirect", 301, { location: "https://x.example/" }, "", "HTTP 301 to https://x.example/"],
  [
    "a refused key",
    403,
    { "content-type": "application/json" },
    '{"status":"403","message":"no"}',
    "key: GET /v1/blocks/1 returned HTTP 403",
  ],
  [
    "too many requests",
    429,
    { "retry-after": "3600" },
    "{}",
    "rate limit: GET /v1/blocks/1 returned HTTP 429: wait 1 h 0 min",
  ],
])("%s", async (_, status, headers, body, message) => {
  const { code, err } = await doctor(`--base-url ${await answering(status, headers, body)}`);
  expect(code).toBe(1);
  expect(err).toContain(message);
});

test.each([
  ["http://127.0.0.1:9", "address: http://127.0.0.1:9/: fetch refuses this port"],
  ["http://127.0.0.1:65534", "address: http://127.0.0.1:65534/: no server listens there"],
  ["http://explorer.invalid", "address: http://explorer.invalid/: no such host"],
])("%s", async (url, message) => {
  const { code, err } = await doctor(`--base-url ${url}`);
  expect([code, err]).toEqual([1, expect.stringContaining(message)]);
});

test("https to a port without it names the protocol", async () => {
  const { err } = await doctor(`--base-url ${demo.url.replace("http:", "https:")}`);
  expect(err).toContain("TLS: ");
  expect(err).toContain("the port speaks plain HTTP: use http://");
});

test.each([-1, 1])(
  "a clock %i h off, a stated limit and closed browsers are notes",
  async (hours) => {
    const date = new Date(Date.now() + hours * 3_600_000).toUTCString();
    const headers = { "content-type": "application/json", "x-ratelimit-limit": "5", date };
    const body = '{"status":"200","message":"success","results":{"data":{}}}';
    const { url, asked } = await serve((_, response) => response.writeHead(200, headers).end(body));
    const { code, states, found } = await doctor(`--base-url ${url}`, "");
    expect(code).toBe(0);
    expect(found[2]).toMatchObject({ check: "key", found: "accepted; the explorer needs no key" });
    const [first, second] = asked.map(({ at }) => at);
    expect(Number(second) - Number(first)).toBeGreaterThan(450);
    expect(states).toMatchObject({
      clock: "note",
      "rate limit": "note",
      browsers: "note",
    });
  },
);

test("another dialect is named, with the option that speaks it", async () => {
  const served = await serveExplorer(createExplorer({ dialect: "wemix" }));
  onTestFinished(() => served.close());
  const { code, err } = await doctor(`--base-url ${served.url}`);
  expect([code, err]).toEqual([1, expect.stringContaining("dialect wemix: pass --dialect wemix")]);
  expect((await doctor(`--base-url ${served.url} --dialect wemix`)).code).toBe(0);
});
