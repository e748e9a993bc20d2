// Every fetch that users pass: the client behaves alike with each, over a real port.
import { gzipSync } from "node:zlib";
import * as crossFetch from "cross-fetch";
import nodeFetch from "node-fetch";
import * as undici from "undici";
import { describe, expect, test, vi } from "vitest";
import { ExplorerClient, type Fetch, isExplorerError } from "../../src/index.ts";
import {
  ADDRESS,
  clientOf,
  gate,
  HASH,
  json,
  nobody,
  PATIENCE,
  refusal,
  SENTINEL,
  serve,
  skipTime,
  success,
  supply,
  thrown,
} from "./server.ts";

/** As React Native's: no stream of the body, and it does not say whether it was redirected. */
const reactNative: Fetch = async (url, init) => {
  const response = await fetch(url, { ...init, redirect: "follow" });
  const { ok, status, statusText, headers } = response;
  return {
    ...{ ok, status, statusText, headers, url: response.url },
    text: () => response.text(),
  };
};

const implementations: Readonly<Record<string, Fetch>> = {
  "the platform's": fetch,
  "undici's": undici.fetch,
  "node-fetch's": nodeFetch,
  "cross-fetch's": crossFetch.fetch,
  "one like React Native's": reactNative,
};

const codeOf = (error: unknown) => (isExplorerError(error) ? error.code : error);

describe.each(Object.entries(implementations))("with %s fetch", (_, implementation) => {
  const connect: typeof clientOf = (server, options) =>
    clientOf(server, { fetch: implementation, ...options });

  test("sends GET and POST with headers and body, and reads the response", async () => {
    const server = await serve(({ method }, response) =>
      method === "GET"
        ? json(response, supply("7"), 200, { "x-served-by": "test" })
        : json(response, success({ count: "1", data: [{ address: ADDRESS, balance: "8" }] })),
    );
    const explorer = connect(server, { headers: { "X-Client": "one" } });
    const { data, response } = await explorer.tokens.totalSupply(ADDRESS).withResponse();
    expect(data).toBe(7n);
    expect(response).toBeInstanceOf(Response);
    expect(response.headers.get("x-served-by")).toBe("test");
    expect(await response.json()).toEqual(supply("7"));
    expect(response.url).toContain(`/v1/tokens/${ADDRESS}`);

    const balances = await explorer.request(
      "A1",
      { addresses: [ADDRESS] },
      { headers: { "x-client": "two" } },
    );
    expect(balances.data[0]?.balance).toBe(8n);
    const [get, post] = server.asked;
    expect(get).toMatchObject({
      method: "GET",
      headers: { "api-key": SENTINEL, accept: "application/json", "x-client": "one" },
    });
    // A browser would ask the server first whether it may send that.
    expect(get?.headers).not.toHaveProperty("content-type");
    expect(post).toMatchObject({
      method: "POST",
      headers: { "api-key": SENTINEL, "content-type": "application/json", "x-client": "two" },
    });
    expect(JSON.parse(post?.body ?? "")).toEqual({ addresses: [ADDRESS] });
  });

  test("reads a compressed body in chunks, and counts its decompressed bytes", async () => {
    const server = await serve(async (_, response) => {
      const body = gzipSync(JSON.stringify(supply("9".repeat(70))));
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.write(body.subarray(0, 10));
      await new Promise((resolve) => setTimeout(resolve, 20));
      response.end(body.subarray(10));
    });
    const sizes: number[] = [];
    const explorer = connect(server, { hooks: { onResponse: ({ bytes }) => sizes.push(bytes) } });
    expect(await explorer.tokens.totalSupply(ADDRESS)).toBe(BigInt("9".repeat(70)));
    expect(sizes).toEqual([JSON.stringify(supply("9".repeat(70))).length]);
  });

  test("retries failures, and shows the body of an error", async () => {
    const server = await serve((_, response, count) =>
      count < 3
        ? json(response, refusal(503, "busy"), 503)
        : json(response, "<html>gone</html>", 404, { "content-type": "text/html" }),
    );
    const error = await thrown(connect(server).tokens.totalSupply(ADDRESS));
    expect(error).toMatchObject({
      code: "NOT_AN_EXPLORER",
      attempts: 3,
      body: "<html>gone</html>",
    });
  });

  test("throws a ConnectionError with the reason and without the key", async () => {
    const { url } = await nobody();
    const error = await thrown(connect({ url }, { retry: 0 }).tokens.totalSupply(ADDRESS));
    expect(codeOf(error)).toBe("CONNECTION");
    expect(String(error)).toContain("ECONNREFUSED");
    expect(String(error)).not.toContain(SENTINEL);
  });

  test("says that a port speaks plain HTTP, if it is asked by https", async () => {
    const { url } = await serve((_, response) => json(response, supply("7")));
    const secure = { url: url.replace("http:", "https:") };
    const error = await thrown(connect(secure, { retry: 0 }).tokens.totalSupply(ADDRESS));
    expect(error).toMatchObject({
      code: "CONNECTION",
      shortMessage: "Connection failed: the port speaks plain HTTP: use http:// in baseUrl",
    });
  });

  test("times out and retries if a response stops halfway", async () => {
    const server = await serve((_, response, count) => {
      if (count > 1) return json(response, supply("3"));
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"status":');
    });
    skipTime();
    const call = connect(server).tokens.totalSupply(ADDRESS);
    await expect.poll(() => server.asked).toHaveLength(1);
    vi.advanceTimersByTime(PATIENCE);
    expect(await call).toBe(3n);
    expect(server.asked).toHaveLength(2);
  });

  test("an abort ends the call at once, and its request", async () => {
    const { opened: closed, open: close } = gate();
    const server = await serve((_, response) => {
      response.once("close", close);
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"status":');
    });
    const controller = new AbortController();
    const explorer = connect(server, {
      fetch: async (url, init) => {
        const response = await implementation(url, init);
        setImmediate(() => controller.abort(new Error("enough")));
        return response;
      },
    });
    const call = explorer.tokens.totalSupply(ADDRESS, { signal: controller.signal });
    await expect(call).rejects.toThrow("enough");
    await closed;
  });

  test("rejects a body above maxResponseBytes", async () => {
    const server = await serve((_, response) => json(response, supply("1".repeat(5000))));
    const error = await thrown(
      connect(server, { maxResponseBytes: 1000 }).tokens.totalSupply(ADDRESS),
    );
    expect(codeOf(error)).toBe("RESPONSE_VALIDATION");
    expect(String(error)).toContain("longer than 1000 bytes");
  });

  test("follows a redirect within the origin, and rejects one to another origin", async () => {
    const other = await serve((_, response) => json(response, supply("666")));
    const server = await serve(({ url }, response) => {
      if (url.includes("moved")) return json(response, supply("5"));
      const location = url.includes("transactions")
        ? `${other.url}/v1/elsewhere`
        : `${url}?moved=1`;
      response.writeHead(307, { location }).end();
    });
    const explorer = connect(server);
    expect(await explorer.tokens.totalSupply(ADDRESS)).toBe(5n);
    const error = await thrown(explorer.transactions.status(HASH));
    expect(codeOf(error)).toBe("REDIRECT");
    // It follows redirects itself; the client can only refuse what came of it.
    if (implementation !== reactNative) expect(other.asked).toEqual([]);
  });

  // What has no stream is read whole.
  if (implementation !== reactNative)
    test("rejects an endless body at maxResponseBytes, and closes its connection", async () => {
      const { opened: closed, open: close } = gate();
      const server = await serve((_, response) => {
        response.once("close", close);
        response.writeHead(200, { "content-type": "application/json" });
        const write = () => {
          while (!response.destroyed && response.write("1".repeat(10_000)));
        };
        response.on("drain", write);
        write();
      });
      const error = await thrown(
        connect(server, { maxResponseBytes: 100_000 }).tokens.totalSupply(ADDRESS),
      );
      expect(String(error)).toContain("longer than 100000 bytes");
      await closed;
    });
});

describe("fetchOptions", () => {
  test("are passed to fetch; those of a call override those of the client", async () => {
    const seen: object[] = [];
    const explorer = new ExplorerClient({
      baseUrl: "http://127.0.0.1:1",
      apiKey: SENTINEL,
      fetchOptions: { cache: "no-store", next: { revalidate: 60 } },
      fetch: async (_, init) => {
        seen.push(init);
        return Response.json(supply("1"));
      },
    });
    await explorer.tokens.totalSupply(ADDRESS);
    await explorer.tokens.totalSupply(ADDRESS, { fetchOptions: { next: { revalidate: 5 } } });
    expect(seen).toEqual([
      expect.objectContaining({ cache: "no-store", next: { revalidate: 60 }, method: "GET" }),
      expect.objectContaining({ cache: "no-store", next: { revalidate: 5 }, redirect: "manual" }),
    ]);
  });

  test.each(["method", "headers", "body", "redirect", "signal"])(
    "cannot set %s, which the client controls",
    async (option) => {
      const fetchOptions = { [option]: "follow" };
      const settings = { baseUrl: "http://127.0.0.1:1", apiKey: SENTINEL };
      expect(() => new ExplorerClient({ ...settings, fetchOptions })).toThrow("fetchOptions");
      const call = new ExplorerClient(settings).tokens.totalSupply(ADDRESS, { fetchOptions });
      await expect(call).rejects.toThrow("fetchOptions: expected options for fetch");
    },
  );
});
