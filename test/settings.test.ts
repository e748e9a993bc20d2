// Options of a client: all that cannot work are named at once, and none of them shows the key.
import { describe, expect, test, vi } from "vitest";
import { ExplorerClient } from "../src/index.ts";
import { ADDRESS, issuesOf, SENTINEL, supply, unsent } from "./http/server.ts";

test("every option a client cannot be made with is named", async () => {
  const { message, paths } = await issuesOf(
    () =>
      new ExplorerClient({
        baseUrl: "ftp://a.example",
        apiKey: `${SENTINEL}\n`,
        timeout: 0,
        totalTimeout: Number.NaN,
        retry: { limit: -1, maxRetryAfter: "soon" as never },
        concurrency: 0.5,
        rateLimit: { requests: 0, perMs: -1 },
        confirmations: -1,
        maxResponseBytes: 0,
        headers: { "API-Key": SENTINEL },
        validation: "lenent" as "lenient",
      }),
  );
  expect(paths).toEqual([
    "baseUrl",
    "apiKey",
    "timeout",
    "totalTimeout",
    "retry.limit",
    "retry.maxRetryAfter",
    "concurrency",
    "rateLimit.requests",
    "rateLimit.perMs",
    "confirmations",
    "maxResponseBytes",
    "headers",
    "validation",
  ]);
  expect(message).toMatch(/^Invalid client options: 13 problems/);
  expect(message).toContain("- timeout: expected a number above 0, received 0");
  expect(message).toContain("- rateLimit.requests: expected a number of at least 1, received 0");
  expect(message).toContain("- apiKey: expected one or more characters of printable ASCII");
  expect(message).toContain('- validation: expected one of strict, lenient, received "lenent"');
});

test("a misspelt option is refused, as the client of another package may have it", async () => {
  const given = {
    ...{ ...unsent, baseURL: SENTINEL, retry: { retries: 5 } },
    ...{ rateLimit: { requests: 5, perMs: 1, perms: 1 }, hooks: { onRespnse() {}, onError: 5 } },
  };
  const { message, paths } = await issuesOf(() => new ExplorerClient(given as never));
  expect(paths).toEqual([
    ...["retry.retries", "rateLimit.perms", "hooks.onError", "hooks.onRespnse", "baseURL"],
  ]);
  expect(message).toContain('- unknown option hooks.onRespnse; did you mean "onResponse"?');
  expect(message).toContain('- unknown option baseURL; did you mean "baseUrl"?');
  expect(message).toContain("- unknown option retry.retries; expected one of limit, ");
  expect(message).not.toContain(SENTINEL);
});

test("a key in place of the options is refused without being shown", async () => {
  const { message, paths } = await issuesOf(() => new ExplorerClient(SENTINEL as never));
  expect(message).toContain(
    `expected an object with baseUrl and apiKey, received a text of ${SENTINEL.length} characters`,
  );
  expect(paths).toEqual([""]);
});

test.each<[string, object, string]>([
  ["a cache without set", { cache: { get: () => {} } }, "cache"],
  ["a cache without get", { cache: { set: () => {} } }, "cache"],
  ["a cache whose get is no function", { cache: { get: 1, set: () => {} } }, "cache"],
  ["a logger whose warn is no function", { logger: { warn: 1 } }, "logger"],
  ["a function as logger", { logger: () => {} }, "logger"],
])("%s is refused", async (_, options, path) => {
  const given = { ...unsent, ...options } as never;
  expect((await issuesOf(() => new ExplorerClient(given))).paths).toEqual([path]);
});

test("later changes to what options contain reach no client", async () => {
  const rateLimit = { requests: 1, perMs: 1, acquire: async () => {} };
  const fetchOptions: Record<string, unknown> = { cache: "no-store" };
  const sent: unknown[] = [];
  const explorer = new ExplorerClient({
    ...unsent,
    rateLimit,
    fetchOptions,
    async fetch(_, init) {
      sent.push(Object(init).cache);
      return Response.json(supply("7"));
    },
  });
  Object.assign(rateLimit, { acquire: () => Promise.reject(new Error("acquired")) });
  fetchOptions.cache = "reload";
  expect(await explorer.tokens.totalSupply(ADDRESS)).toBe(7n);
  expect(sent).toEqual(["no-store"]);
});

test.each([
  [undefined, 32 * 2 ** 20],
  [5, 5],
])("with maxResponseBytes %s, a response may have %i", async (maxResponseBytes, length) => {
  const explorer = new ExplorerClient({
    ...unsent,
    ...{ retry: 0, maxResponseBytes },
    fetch: async () =>
      new Response("", {
        headers: { "content-type": "application/json", "content-length": `${length + 1}` },
      }),
  });
  await expect(explorer.tokens.totalSupply(ADDRESS)).rejects.toThrow(`longer than ${length} bytes`);
});

test("what has no bounds may be infinite", () => {
  const endless = Number.POSITIVE_INFINITY;
  const options = { timeout: endless, totalTimeout: endless, maxResponseBytes: endless };
  expect(() => new ExplorerClient({ ...unsent, ...options, concurrency: endless })).not.toThrow();
});

describe("variables of the environment", () => {
  const settingsOf = (variables: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    return issuesOf(() => new ExplorerClient());
  };

  test("are named where they are wrong, with what is wrong", async () => {
    const { message, paths } = await settingsOf({
      EXPLORER_BASE_URL: "explorer.example",
      EXPLORER_API_KEY: "one\ntwo",
    });
    expect(paths).toEqual(["EXPLORER_BASE_URL", "EXPLORER_API_KEY"]);
    expect(message).toContain("a line break among 7 characters");
  });

  test("are no advice in a browser, which has none", async () => {
    vi.stubGlobal("document", {});
    const { message } = await settingsOf({ EXPLORER_BASE_URL: "", EXPLORER_API_KEY: " " });
    expect(message).toContain("expected an API key, received nothing");
    expect(message).not.toContain("environment");
  });
});
