// The API key: where it comes from, when it is requested, and which error says that it is missing.
import { afterEach, describe, expect, test, vi } from "vitest";
import { ExplorerClient } from "../../src/index.ts";
import {
  ADDRESS,
  clientOf,
  json,
  never,
  PATIENCE,
  SENTINEL,
  serve,
  skipTime,
  supply,
} from "./server.ts";

afterEach(() => void vi.restoreAllMocks());

describe("the key", () => {
  test("is requested from a function before each attempt, once for attempts that start together", async () => {
    let asked = 0;
    const server = await serve((_, response) => json(response, supply("7")));
    const client = clientOf(server, { dedupe: false, apiKey: async () => `key-number-${++asked}` });
    await Promise.all(Array.from({ length: 5 }, () => client.tokens.totalSupply(ADDRESS)));
    await client.tokens.totalSupply(ADDRESS);
    expect(server.asked.map(({ headers }) => headers["api-key"])).toEqual([
      ...Array(5).fill("key-number-1"),
      "key-number-2",
    ]);
  });

  test("fails the call if its function rejects, with the reason", async () => {
    const server = await serve((_, response) => json(response, supply("7")));
    const client = clientOf(server, { apiKey: () => Promise.reject(new Error("vault is sealed")) });
    await expect(client.tokens.totalSupply(ADDRESS)).rejects.toThrow("vault is sealed");
    expect(server.asked).toHaveLength(0);
  });

  test("and baseUrl default to the environment", async () => {
    const server = await serve((_, response) => json(response, supply("7")));
    vi.stubEnv("EXPLORER_BASE_URL", server.url);
    vi.stubEnv("EXPLORER_API_KEY", "key-of-the-environment");
    try {
      expect(await new ExplorerClient().tokens.totalSupply(ADDRESS)).toBe(7n);
    } finally {
      vi.unstubAllEnvs();
    }
    expect(server.asked[0]?.headers["api-key"]).toBe("key-of-the-environment");
  });

  test("is warned about once if it goes to another machine over plain HTTP", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const make = (baseUrl: string) => new ExplorerClient({ baseUrl, apiKey: SENTINEL });
    make("http://far.example");
    make("http://far.example/again");
    for (const near of [
      "http://localhost:1",
      "http://127.0.0.1",
      "http://[::1]:3",
      "https://far.example",
    ])
      make(near);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toContain("http://far.example");
  });
});

test("a key that never arrives costs one attempt, and is requested again", async () => {
  const server = await serve((_, response) => json(response, supply("5")));
  const apiKey = vi.fn(never as () => Promise<string>).mockResolvedValue("key");
  apiKey.mockImplementationOnce(never);
  skipTime();
  const call = clientOf(server, { apiKey }).tokens.totalSupply(ADDRESS);
  await expect.poll(() => apiKey).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(PATIENCE);
  expect(await call).toBe(5n);
  expect(apiKey).toHaveBeenCalledTimes(2);
});
