// What can be seen of a client's work: hooks, debug lines, and errors that read well.
import { describe, expect, test, vi } from "vitest";
import { isExplorerError, RateLimitError } from "../../src/index.ts";
import { ADDRESS, clientOf, json, refusal, serve, supply } from "./server.ts";

describe("hooks", () => {
  test("tell of each request, answer and retry, in order, with operation, attempt and durations", async () => {
    const told: [string, object][] = [];
    const server = await serve((_, response, count) =>
      count === 1 ? json(response, refusal(503, "busy"), 503) : json(response, supply("7")),
    );
    const client = clientOf(server, {
      hooks: {
        onRequest: (event) => told.push(["request", event]),
        onResponse: (event) => told.push(["response", event]),
        onRetry: (event) => told.push(["retry", event]),
      },
    });
    await client.tokens.totalSupply(ADDRESS);
    const url = `${server.url}/v1/tokens/${ADDRESS}/total-supply`;
    const about = { operation: "T1", name: "tokens.totalSupply", method: "GET", url };
    expect(told).toMatchObject([
      ["request", { ...about, attempt: 1, waited: expect.any(Number) }],
      ["response", { ...about, attempt: 1, status: 503, duration: expect.any(Number) }],
      ["retry", { ...about, attempt: 1, delay: expect.any(Number), error: { code: "SERVER" } }],
      ["request", { ...about, attempt: 2 }],
      [
        "response",
        { ...about, attempt: 2, status: 200, bytes: JSON.stringify(supply("7")).length },
      ],
    ]);
  });

  test("that throw are reported and change nothing", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const server = await serve((_, response) => json(response, supply("7")));
    const client = clientOf(server, {
      hooks: {
        onRequest: () => {
          throw new Error("the hook is broken");
        },
      },
    });
    expect(await client.tokens.totalSupply(ADDRESS)).toBe(7n);
    expect(error).toHaveBeenCalledWith(
      "mrc-explorer: onRequest threw",
      expect.objectContaining({ message: "the hook is broken" }),
    );
    error.mockRestore();
  });
});

test("debug lines read like a diary", async () => {
  const lines: string[] = [];
  const server = await serve((_, response, count) =>
    count === 1 ? json(response, refusal(503, "busy"), 503) : json(response, supply("7")),
  );
  await clientOf(server, { debug: (line) => lines.push(line) }).tokens.totalSupply(ADDRESS);
  const plain = lines.map((line) =>
    line.replace(server.url, "URL").replaceAll(/\d+(\.\d+)? m?s\b/g, "N ms"),
  );
  expect(plain).toEqual([
    `T1  #1 → GET URL/v1/tokens/${ADDRESS}/total-supply`,
    "T1  #1 ← 503 in N ms, 48 bytes",
    "T1  #1 ↻ Server error (HTTP 503): busy; retry in N ms",
    `T1  #2 → GET URL/v1/tokens/${ADDRESS}/total-supply`,
    "T1  #2 ← 200 in N ms, 76 bytes",
  ]);
});

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

  test("say first what is wrong, then what was asked and how it went", async () => {
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

  test("are known by their code, also those of another copy of the package", async () => {
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

  test("keep their name where classes have lost theirs, and go into JSON whole", async () => {
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
