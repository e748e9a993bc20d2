// What is the address of a service, and what paths are appended to.
import { expect, test, vi } from "vitest";
import { baseOf, checkUrl } from "../../src/http/base-url.ts";
import { ExplorerClient } from "../../src/index.ts";
import { ADDRESS, refused, supply } from "./server.ts";

test.each([
  [undefined, "baseUrl: expected a URL, or the environment variable"],
  ["a.example", "baseUrl: expected an https:// or http:// URL"],
  ["xhttps://a.example", "baseUrl: expected an https:// or http:// URL"],
  ["https://user@a.example", "a URL without user, password, query or fragment"],
  ["https://:word@a.example", "a URL without user, password, query or fragment"],
  ["https://a.example?", "a URL without user, password, query or fragment"],
  ["https://a.example/#", "a URL without user, password, query or fragment"],
  ["https://a.example#x", "a URL without user, password, query or fragment"],
  ["https://a.example/#/blocks", 'or fragment, received "https://a.example/#…"'],
  ["https://a.example/?key=secret#x", 'or fragment, received "https://a.example/?…"'],
  ["https://user:secret@a.example/#x", 'or fragment, received "https://a.example"'],
  ["/api/explorer", "expected an https:// or http:// URL: a relative URL works only in a web page"],
  ["https://a.example/V1/", "baseUrl: expected the URL without /v1"],
])("%s is no address", async (given, message) => {
  expect((await refused(() => checkUrl(given))).message).toContain(message);
});

test.each([
  ["http://a.example/v1beta", "http://a.example/v1beta"],
  ["https://a.example/b//", "https://a.example/b"],
])("%s is an address", (text, base) => {
  expect(baseOf(checkUrl(text))).toBe(base);
});

test("in a page, an address may be relative to its origin, where a proxy adds the key", async () => {
  vi.stubGlobal("location", { origin: "https://dapp.example" });
  vi.stubEnv("EXPLORER_API_KEY", "");
  const sent: unknown[] = [];
  const explorer = new ExplorerClient({
    baseUrl: "/api/explorer",
    fetch: async (url, { headers }) => {
      sent.push(url, headers["api-key"]);
      return Response.json(supply("7"));
    },
  });
  expect(await explorer.tokens.totalSupply(ADDRESS)).toBe(7n);
  const path = `/v1/tokens/${ADDRESS}/total-supply`;
  expect(sent).toEqual([`https://dapp.example/api/explorer${path}`, undefined]);
  expect(() => new ExplorerClient({ baseUrl: "//a.example/x" })).toThrow("http:// URL, received");
  expect(() => new ExplorerClient({ baseUrl: "https://a.example" })).toThrow("an API key");
});

test("options that are given need no environment, which Deno may refuse to read", async () => {
  const env = new Proxy(
    {},
    {
      get: () => {
        throw new Error("NotCapable");
      },
    },
  );
  vi.stubGlobal("process", { env });
  for (const dialect of ["metadium", "wemix"] as const)
    new ExplorerClient({ baseUrl: "https://a.example", apiKey: "key", dialect });
  new ExplorerClient({ baseUrl: "https://a.example", dialect: "wemix" });
  expect(() => new ExplorerClient()).toThrow("Invalid client options: 2 problems");
});
