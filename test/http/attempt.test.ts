// Redirects that a hostile or broken server may send: the API key reaches no other origin; and the ends of an attempt: no body, late, broken; and what a caller gets.
import { type AddressInfo, createServer } from "node:net";
import { setImmediate } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  ConnectionError,
  type ExplorerClientOptions,
  type Fetch,
  RedirectError,
} from "../../src/index.ts";
import {
  ADDRESS,
  as,
  clientOf,
  gate,
  json,
  never,
  SENTINEL,
  serve,
  success,
  supply,
  thrown,
} from "./server.ts";

const url = "https://explorer.example";
/** A client whose `fetch` returns or throws this. */
const through = (fetch: Fetch, options: ExplorerClientOptions = {}) =>
  clientOf({ url }, { retry: 0, ...options, fetch });

describe("a connection to this machine that a proxy gets", () => {
  const advice = "set NO_PROXY=localhost,127.0.0.1";
  const messageWith = async (baseUrl: string, env: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
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

describe("a redirect", () => {
  test.each([301, 302, 303, 307, 308])(
    "by HTTP %i to another origin is refused, and the key stays here",
    async (status) => {
      const elsewhere = await serve((_, response) => json(response, supply("666")));
      const server = await serve((_, response) => {
        response.writeHead(status, { location: `${elsewhere.url}/v1/steal` });
        response.end();
      });
      const error = await clientOf(server)
        .tokens.totalSupply(ADDRESS)
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(RedirectError);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ code: "REDIRECT", location: `${elsewhere.url}/v1/steal` });
      expect(elsewhere.asked).toHaveLength(0);
      expect(server.asked).toHaveLength(1);
    },
  );

  test("within the origin is followed", async () => {
    const server = await serve((asked, response) => {
      if (asked.url.startsWith("/v1/")) {
        response.writeHead(308, { location: asked.url.replace("/v1/", "/api/v1/") });
        response.end();
      } else json(response, supply("7"));
    });
    expect(await clientOf(server).tokens.totalSupply(ADDRESS)).toBe(7n);
    expect(server.asked[1]?.headers["api-key"]).toBe(SENTINEL);
  });

  test.each([
    [5, 7n],
    [6, "Redirect not followed: 6 redirects in a row"],
  ])("%d times in a row gives %s", async (redirects, expected) => {
    const urls: string[] = [];
    const client = through(async (url) => {
      urls.push(url);
      return urls.length > redirects
        ? Response.json(supply("7"))
        : new Response(null, { status: 302, headers: { location: `${urls.length}?from=1` } });
    });
    const call = client.tokens.totalSupply(ADDRESS);
    expect(await call.catch(({ shortMessage }) => shortMessage)).toBe(expected);
    const base = `${url}/v1/tokens/${ADDRESS}/`;
    expect(urls).toEqual(
      ["total-supply", "1?from=1", "2?from=1", "3?from=1", "4?from=1", "5?from=1"].map(
        (path) => base + path,
      ),
    );
  });

  test.each(["", "http://[broken", "javascript:alert(1)", "//other.invalid/"])(
    "to %j is refused",
    async (location) => {
      const server = await serve((_, response) => {
        response.writeHead(302, { location });
        response.end();
      });
      await expect(clientOf(server).tokens.totalSupply(ADDRESS)).rejects.toBeInstanceOf(
        RedirectError,
      );
      expect(server.asked).toHaveLength(1);
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
    const moved = () => new Response(null, { status: 307, headers: { location: "/elsewhere" } });
    const call = through(async () => moved()).request("A1", { addresses: [ADDRESS] });
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
});

describe("a redirect with a user and a password", () => {
  test.each<[string, (origin: string) => string]>([
    ["in the same origin", (origin) => origin.replace("//", "//root:hunter2-hunter2@")],
    ["in the same origin, without the password", (origin) => origin.replace("//", "//root@")],
    ["in the same origin, without the user", (origin) => origin.replace("//", "//:hunter2@")],
    ["to another origin", () => "https://root:hunter2-hunter2@other.example/"],
    ["without slashes", () => "https:root:hunter2-hunter2@other.example/"],
    ["with backslashes", () => "\\\\root:hunter2-hunter2@other.example"],
    ["that is no URL", () => "http://root:hunter2-hunter2@[broken"],
  ])("%s is not followed, and shows neither", async (_, locationOf) => {
    const server = await serve((_asked, response) => {
      response.writeHead(302, { location: `${locationOf(server.url)}/v1/secret` });
      response.end();
    });
    const error = await thrown(clientOf(server).tokens.totalSupply(ADDRESS));
    expect(error).toBeInstanceOf(RedirectError);
    const { message, location, stack } = error as RedirectError;
    expect(`${message}${location}${stack}${JSON.stringify(error)}`).not.toMatch(/hunter2|root/);
    expect(location).toContain("/v1/secret");
    expect(location).toMatch(/^(https?:|\\|other)/);
    expect(server.asked).toHaveLength(1);
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
    onTestFinished(() => void vi.useRealTimers());
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

describe("the response of a long answer", () => {
  const input = `0x${"é".repeat(200_000)}`;
  const answer = success({ data: [{ name: input, type: "function", inputs: [], outputs: [] }] });
  const bytes = Buffer.from(JSON.stringify(answer));
  const ask = async (received = new Response(bytes)) => {
    const fetch = async () => received;
    return (await through(fetch).contracts.abi(ADDRESS).withResponse()).response;
  };

  test("is encoded when it is read, and reads like any other", async () => {
    const encode = vi.spyOn(TextEncoder.prototype, "encode");
    onTestFinished(() => encode.mockRestore());
    const response = await ask();
    expect(encode).not.toHaveBeenCalled();
    const copy = response.clone();
    expect(await response.json()).toEqual(answer);
    expect(response.bodyUsed).toBe(true);
    expect(await copy.text()).toBe(JSON.stringify(answer));
    expect(encode).toHaveBeenCalledTimes(1);
  });

  test("is text where responses have no streams, as in React Native", async () => {
    const bodies: unknown[] = [];
    class TextResponse {
      ok = true;
      status = 200;
      headers = new Headers();
      constructor(body: unknown) {
        bodies.push(body);
      }
    }
    const received = new Response(bytes);
    vi.stubGlobal("Response", TextResponse);
    onTestFinished(() => void vi.unstubAllGlobals());
    await ask(received);
    expect(bodies[0]).toBe(JSON.stringify(answer));
  });
});

describe("what a server sends reaches the caller", () => {
  /** A server that writes these bytes. */
  async function writing(
    head: string,
    body: string,
  ): Promise<{ url: string; asked: () => number }> {
    let asked = 0;
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        asked++;
        const fields = `content-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}`;
        socket.end(Buffer.from(`HTTP/1.1 ${head}\r\n${fields}\r\n\r\n${body}`, "latin1"));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}`, asked: () => asked };
  }

  test("a reason phrase outside ASCII", async () => {
    const server = await writing("200 Tr\xe8s bien", JSON.stringify(supply("7")));
    const { data, response } = await clientOf(server).tokens.totalSupply(ADDRESS).withResponse();
    expect([data, response.status, response.ok]).toEqual([7n, 200, true]);
    expect(response.statusText).toMatch(/^Tr.+s bien$/);
    expect(await response.json()).toMatchObject({ status: "200" });
  });

  test("a status that HTTP does not know, which is not retried", async () => {
    const server = await writing("999 Request denied", "");
    const error = await thrown(clientOf(server).tokens.totalSupply(ADDRESS));
    expect(error).toMatchObject({ code: "API", httpStatus: 999, attempts: 1 });
    expect(server.asked()).toBe(1);
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
    onTestFinished(() => void vi.unstubAllGlobals());
    const { message } = await thrown(failing.tokens.totalSupply(ADDRESS));
    expect(message.includes("CORS")).toBe(expected);
    expect(message.includes("docs/recipes/proxy.md")).toBe(expected);
  });
});
