// Errors read well, are known by their code, and go into JSON whole.
import { describe, expect, test, vi } from "vitest";
import { isExplorerError, RateLimitError } from "../../src/index.ts";
import { ADDRESS, clientOf, json, refusal, serve } from "../http/server.ts";

describe("errors", () => {
  const failing = async (status: number, headers = {}) => {
    const server = await serve((_, response) =>
      json(response, refusal(status, "slow down"), status, headers),
    );
    const error = await clientOf(server, { retry: 0 })
      .tokens.totalSupply(ADDRESS)
      .catch((thrown: unknown) => thrown);
    return { error: error as RateLimitError, url: server.url };
  };

  test("begin with what is wrong, then the request and its attempts", async () => {
    const { error, url } = await failing(429, { "retry-after": "3600" });
    expect(
      error.message.replace(url, "https://explorer").replaceAll(/in \d+ ms/g, "in 5 ms"),
    ).toMatchInlineSnapshot(`
      "Rate limited: slow down

      Operation: tokens.totalSupply (T1)
      Request: GET https://explorer/v1/tokens/0x5fbdb2315678afecb367f032d93f642f64180aa3/total-supply
      Attempts: 1 in 5 ms
      Status: HTTP 429, status "429"
      Retry after: 3600 s"
    `);
    expect(error.shortMessage).toBe("Rate limited: slow down");
  });

  test("are recognised by their code, also those of another copy of the package", async () => {
    vi.resetModules();
    const other = await import("../../src/index.ts");
    const { error } = await failing(429);
    expect(other.RateLimitError).not.toBe(RateLimitError);
    expect(error).not.toBeInstanceOf(other.RateLimitError);
    expect(other.isExplorerError(error)).toBe(true);
    expect(other.isExplorerError(error, "RATE_LIMIT")).toBe(true);
    expect(other.isExplorerError(error, "SERVER")).toBe(false);
    for (const stranger of [new Error("x"), null, undefined, "x", { code: "RATE_LIMIT" }])
      expect(isExplorerError(stranger)).toBe(false);
  });

  test("keep their name in minified code, and serialise to JSON completely", async () => {
    const { error } = await failing(429);
    expect(error.name).toBe("RateLimitError");
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name: "RateLimitError",
      code: "RATE_LIMIT",
      message: error.message,
      httpStatus: 429,
      headers: { "content-type": "application/json" },
    });
  });
});
