// Redirects that a hostile or broken server may send: the API key reaches no other origin; and the ends of an attempt: no body, late, broken; and what a caller gets.
import { setImmediate } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import {
  ConnectionError,
  type ExplorerClientOptions,
  type Fetch,
  RedirectError,
} from "../../src/index.ts";
import { ADDRESS, as, clientOf, gate, never, SENTINEL, supply, thrown } from "./server.ts";

const url = "https://explorer.example";
/** A client whose `fetch` returns or throws this. */
const through = (fetch: Fetch, options: ExplorerClientOptions = {}) =>
  clientOf({ url }, { retry: 0, ...options, fetch });

describe("a connection to this machine that a proxy gets", () => {
  const advice = "set NO_PROXY=localhost,127.0.0.1";
  const messageWith = async (baseUrl: string, env: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    const failing = clientOf(
      { url: baseUrl },
      { retry: 0, fetch: () => Promise.reject(new TypeError("connect ECONNREFUSED")) },
    );
    const error = await failing.blocks.get(1).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(ConnectionError);
    return String(error);
  };
  const proxied = { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: "http://proxy.example:3128" };

  test("fails with the way out", async () => {
    expect(await messageWith("http://127.0.0.1:1717", proxied)).toContain(
      `HTTP_PROXY, although 127.0.0.1 is this machine: ${advice}`,
    );
  });

  test.each([
    ["elsewhere", "http://explorer.example", proxied],
    ["no proxy", "http://127.0.0.1:1717", { NODE_USE_ENV_PROXY: "1" }],
    ["a proxy that Node ignores", "http://localhost:1717", { HTTP_PROXY: proxied.HTTP_PROXY }],
    ["an exception", "http://localhost:1717", { ...proxied, NO_PROXY: "a.example, localhost" }],
  ])("but not with %s", async (_, baseUrl, env) => {
    expect(await messageWith(baseUrl, env)).not.toContain(advice);
  });
});

/** A redirect to this place. */
const moved = (location: string, status = 302) =>
  new Response(null, { status, headers: { location } });

describe("a redirect", () => {
  test.each([
    ...[301, 302, 303, 307, 308].map((status) => [status, "https://elsewhere.example/v1"] as const),
    ...["", "http://[broken", "javascript:alert(1)", "//other.invalid/"].map(
      (location) => [302, location] as const,
    ),
  ])("by HTTP %i to %j is refused, and nothing is sent there", async (status, location) => {
    const fetch = vi.fn(async () => moved(location, status));
    const error = await thrown(through(fetch).tokens.totalSupply(ADDRESS));
    expect(error).toBeInstanceOf(RedirectError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: "REDIRECT", operation: "T1" });
    expect(fetch).toHaveBeenCalledOnce();
  });

  test.each([
    [5, 7n],
    [6, "Redirect not followed: 6 redirects in a row"],
  ])(
    "%d times in a row within the origin gives %s, each with the key",
    async (redirects, expected) => {
      const urls: string[] = [];
      const client = through(async (url, { headers }) => {
        urls.push(url);
        expect(new Headers(as(headers)).get("api-key")).toBe(SENTINEL);
        return urls.length > redirects
          ? Response.json(supply("7"))
          : moved(`${urls.length}?from=1`);
      });
      const call = client.tokens.totalSupply(ADDRESS);
      expect(await call.catch(({ shortMessage }) => shortMessage)).toBe(expected);
      const base = `${url}/v1/tokens/${ADDRESS}/`;
      expect(urls).toEqual(
        ["total-supply", "1?from=1", "2?from=1", "3?from=1", "4?from=1", "5?from=1"].map(
          (path) => base + path,
        ),
      );
    },
  );

  test("without a location is refused, and its body is not read", async () => {
    const { opened: closed, open: close } = gate();
    const body = new ReadableStream({ cancel: close });
    const error = await thrown(
      through(async () => new Response(body, { status: 302 })).tokens.totalSupply(ADDRESS),
    );
    expect(error).toMatchObject({ code: "REDIRECT", location: "" });
    await closed;
  });

  test("that a browser hides is rejected, without a location", async () => {
    const hidden = Object.defineProperty(new Response(null), "type", { value: "opaqueredirect" });
    const error = await thrown(through(async () => hidden).tokens.totalSupply(ADDRESS));
    expect(error).toMatchObject({ code: "REDIRECT", location: undefined, operation: "T1" });
  });

  test("of a POST is refused within the origin, too", async () => {
    const call = through(async () => moved("/elsewhere", 307)).request("A1", {
      addresses: [ADDRESS],
    });
    const error = await thrown(call);
    expect(error).toMatchObject({ code: "REDIRECT", location: "/elsewhere" });
    expect(error.message).toContain("a POST request is not repeated at another URL");
  });

  test.each([
    [true, "https://other.example/v1", "REDIRECT"],
    [undefined, "https://other.example/v1", "REDIRECT"],
    [true, "https://other.example:8443", "REDIRECT"],
    [false, "https://other.example/v1", 7n],
    [true, `${url}/elsewhere`, 7n],
    [true, "", 7n],
    [undefined, undefined, 7n],
  ])("that the given fetch followed (%s) to %j: %s", async (redirected, url, outcome) => {
    const fetch: Fetch = async () => {
      const { ok, status, statusText, headers, body } = Response.json(supply("7"));
      const rest = { redirected, url, text: never };
      return as({ ok, status, statusText, headers, body, ...rest });
    };
    const call = through(fetch).tokens.totalSupply(ADDRESS);
    expect(await call.catch(({ code }) => code)).toBe(outcome);
  });

  test.each([
    "https://root:hunter2-hunter2@explorer.example",
    "https://root@explorer.example",
    "https://:hunter2@explorer.example",
    "https://root:hunter2-hunter2@other.example/",
    "http:root:hunter2-hunter2@other.example/",
    "\\\\root:hunter2-hunter2@other.example",
    "http://root:hunter2-hunter2@[broken",
  ])("to %s is not followed, and shows neither user nor password", async (origin) => {
    const fetch = vi.fn(async () => moved(`${origin}/v1/secret`));
    const error = await thrown(through(fetch).tokens.totalSupply(ADDRESS));
    expect(error).toBeInstanceOf(RedirectError);
    const { message, location, stack } = error as RedirectError;
    expect(`${message}${location}${stack}${JSON.stringify(error)}`).not.toMatch(/hunter2|root/);
    expect(location).toMatch(/^(https?:|\\|other).*\/v1\/secret/);
    expect(fetch).toHaveBeenCalledOnce();
  });
});

test.each([
  [204, "RESPONSE_VALIDATION", "Invalid response: the body is empty"],
  [205, "RESPONSE_VALIDATION", "Invalid response: the body is empty"],
  [304, "API", "Unexpected response (HTTP 304)"],
])("HTTP %i, which has no body, is a typed error", async (status, code, shortMessage) => {
  const client = through(async () => new Response(null, { status }));
  const error = await thrown(client.tokens.totalSupply(ADDRESS));
  expect(error).toMatchObject({ code, shortMessage, httpStatus: status, operation: "T1" });
});

describe("a connection that fails says why", () => {
  const coded = (message: string, code: string, cause?: unknown) =>
    Object.assign(new Error(message, { cause }), { code });
  test.each([
    ["the innermost cause", new TypeError("fetch failed", { cause: new Error("refused") })],
    [
      "its code, if it has no words",
      new TypeError("fetch failed", { cause: coded("", "refused") }),
    ],
    ["its name, if it has neither", Object.assign(new Error(""), { name: "refused" })],
    ["what was thrown in place of an error", "refused"],
    ["its own words, if its cause is no error", coded("refused", "E", { message: "no error" })],
  ])("by %s", async (_, failure) => {
    const error = await thrown(through(() => Promise.reject(failure)).tokens.totalSupply(ADDRESS));
    expect(error).toMatchObject({ code: "CONNECTION", attempts: 1, operation: "T1" });
    expect(error.shortMessage).toBe("Connection failed: refused");
    expect(error.cause).toBeInstanceOf(Error);
  });
});

test.each(["the key", "the headers of a hook"])(
  "nothing is sent after an abort, even if %s arrive later",
  async (what) => {
    const { opened, open } = gate();
    const { opened: asked, open: ask } = gate();
    const late = <T>(value: T) => {
      ask();
      return opened.then(() => value);
    };
    const fetch = vi.fn(never);
    const onRequest = vi.fn(() => (what === "the key" ? undefined : late({})));
    const apiKey = () => (what === "the key" ? late(SENTINEL) : SENTINEL);
    const client = through(fetch, { apiKey, hooks: { onRequest } });
    const abort = new AbortController();
    const ended = thrown(client.tokens.totalSupply(ADDRESS, { signal: abort.signal }));
    await asked;
    abort.abort("enough");
    expect(await ended).toBe("enough");
    open();
    await setImmediate();
    expect(fetch).not.toHaveBeenCalled();
    expect(onRequest).toHaveBeenCalledTimes(what === "the key" ? 0 : 1);
  },
);

test("a GET has no body, not even an undefined one", async () => {
  const fetch = vi.fn(async () => Response.json(supply("7")));
  await through(fetch).tokens.totalSupply(ADDRESS);
  const [[, init]] = as<[[string, object]]>(fetch.mock.calls);
  expect(Object.keys(init).sort()).toEqual(["headers", "method", "redirect", "signal"]);
});

test("a response that arrives after the abort is closed, and no hook reports it", async () => {
  const { opened: asked, open: ask } = gate();
  const { opened, open } = gate();
  const { opened: closed, open: close } = gate();
  const onResponse = vi.fn();
  const fetch = async () => {
    ask();
    await opened;
    return new Response(new ReadableStream({ cancel: close }));
  };
  const abort = new AbortController();
  const call = through(fetch, { hooks: { onResponse } }).tokens.totalSupply(ADDRESS, {
    signal: abort.signal,
  });
  const ended = thrown(call);
  await asked;
  abort.abort("enough");
  expect(await ended).toBe("enough");
  open();
  await closed;
  await setImmediate();
  expect(onResponse).not.toHaveBeenCalled();
});

describe("the time of an attempt", () => {
  /** A fetch that takes so many milliseconds of the test's clock. */
  const taking = (milliseconds: number, response: () => Response): Fetch => {
    vi.useFakeTimers();
    vi.advanceTimersByTime(5000);
    return async () => {
      vi.advanceTimersByTime(milliseconds);
      return response();
    };
  };

  test("is what a hook gets as duration", async () => {
    const onResponse = vi.fn();
    const fetch = taking(250, () => Response.json(supply("7")));
    await through(fetch, { hooks: { onResponse } }).tokens.totalSupply(ADDRESS);
    expect(onResponse.mock.calls).toMatchObject([[{ duration: 250, status: 200 }]]);
  });

  test("leaves half of its rest to the body of an error, which only shortens it", async () => {
    const { opened: reading, open: read } = gate();
    const body = new ReadableStream({ pull: read }, { highWaterMark: 0 });
    const endless = () => new Response(body, { status: 500 });
    const fetch = taking(900, endless);
    const call = thrown(through(fetch, { timeout: 1000 }).tokens.totalSupply(ADDRESS));
    await reading;
    vi.advanceTimersByTime(50);
    expect(await call).toMatchObject({ code: "SERVER", httpStatus: 500 });
  });
});

describe("what no Response can be made of reaches the caller", () => {
  const sending = (line: { readonly status: number; readonly statusText: string }, body: string) =>
    vi.fn(async () =>
      as<Response>({ ok: line.status < 300, ...line, headers: new Headers(), ...streamOf(body) }),
    );
  const streamOf = (body: string) => ({ body: new Response(body).body, text: never });

  test("a reason phrase outside ASCII", async () => {
    const fetch = sending(
      { status: 200, statusText: "Tr\ufffds bien" },
      JSON.stringify(supply("7")),
    );
    const { data, response } = await through(fetch).tokens.totalSupply(ADDRESS).withResponse();
    expect([data, response.status, response.ok]).toEqual([7n, 200, true]);
    expect(response.statusText).toMatch(/^Tr.+s bien$/);
    expect(await response.json()).toMatchObject({ status: "200" });
  });

  test("a status that HTTP does not know, which is not retried", async () => {
    const fetch = sending({ status: 999, statusText: "Request denied" }, "");
    const error = await thrown(through(fetch, { retry: 3 }).tokens.totalSupply(ADDRESS));
    expect(error).toMatchObject({ code: "API", httpStatus: 999, attempts: 1 });
    expect(fetch).toHaveBeenCalledOnce();
  });
});

describe("a request of a page to another origin that fails", () => {
  const failing = through(() => Promise.reject(new TypeError("Failed to fetch")));
  test.each([
    ["https://dapp.example", true],
    [url, false],
  ])("from %s names CORS: %s", async (origin, expected) => {
    vi.stubGlobal("document", {});
    vi.stubGlobal("location", { origin });
    const { message } = await thrown(failing.tokens.totalSupply(ADDRESS));
    expect(message.includes("CORS")).toBe(expected);
    expect(message.includes("/recipes/proxy.html")).toBe(expected);
  });
});
