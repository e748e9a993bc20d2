// Options that cannot work: all of them are named at once, and none of them shows the key.
import { describe, expect, test } from "vitest";
import {
  ExplorerClient,
  type ExplorerClientOptions,
  isExplorerError,
  type RequestOptions,
} from "../../src/index.ts";
import { ADDRESS, SENTINEL } from "./server.ts";

const usual: ExplorerClientOptions = {
  baseUrl: "https://explorer.example",
  apiKey: SENTINEL,
  fetch: () => Promise.reject(new Error("something was sent")),
};

async function issuesOf(
  ask: () => unknown,
): Promise<{ readonly message: string; readonly paths: string[] }> {
  try {
    await ask();
  } catch (error) {
    if (!isExplorerError(error, "PARAMETER")) throw error;
    expect(JSON.stringify(error) + error.message).not.toContain(SENTINEL);
    return { message: error.message, paths: error.issues.map(({ path }) => path.join(".")) };
  }
  throw new Error("it was not refused");
}

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
  expect(message).toContain("- apiKey: expected a non-empty string of printable ASCII");
  expect(message).toContain('- validation: expected one of strict, lenient, received "lenent"');
});

test("what has no bounds may be infinite", () => {
  const endless = Number.POSITIVE_INFINITY;
  const options = { timeout: endless, totalTimeout: endless, maxResponseBytes: endless };
  expect(() => new ExplorerClient({ ...usual, ...options, concurrency: endless })).not.toThrow();
});

test("every wrong option of a request is named", async () => {
  const options: RequestOptions = { timeout: -1, retry: -1, headers: { "api-key": SENTINEL } };
  const client = new ExplorerClient(usual);
  const { message, paths } = await issuesOf(() => client.tokens.totalSupply(ADDRESS, options));
  expect(paths).toEqual(["timeout", "retry", "headers"]);
  expect(message).toContain("Invalid request options for tokens.totalSupply (T1): 3 problems");
});

describe("reading and watching a list", () => {
  const client = new ExplorerClient(usual);

  test("name every wrong option of an iteration", async () => {
    const query = { prefetch: 1001, maxItems: -1 };
    const list = client.accounts.transactions(ADDRESS, query);
    const { message, paths } = await issuesOf(() => list.collect());
    expect(paths).toEqual(["prefetch", "maxItems"]);
    expect(message).toContain("prefetch: expected an integer from 0 to 1000, received 1001");
  });

  test("name every wrong option of a watch", async () => {
    const options = { pollInterval: -1, from: 1.5, depth: Number.NaN };
    const { message, paths } = await issuesOf(() => client.accounts.watch(ADDRESS, options).next());
    expect(paths).toEqual(["pollInterval", "from", "depth"]);
    expect(message).toContain("depth: expected an integer of at least 0, received NaN");
  });
});
