// Errors read well, are known by their code, and go into JSON whole.
import { describe, expect, test, vi } from "vitest";
import { ExplorerError, formatDuration, messageOf } from "../../src/errors/base.ts";
import {
  BatchError,
  ConnectionError,
  isExplorerError,
  ListError,
  NotFoundError,
  ParameterError,
  RateLimitError,
  RedirectError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
} from "../../src/index.ts";
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
    const { error } = await failing(429);
    vi.resetModules();
    const other = await import("../../src/index.ts");
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

/** The lines of a message after the first. */
const linesOf = ({ message }: Error) => message.split("\n").slice(1);

describe("a message names", () => {
  const request = { operation: "A2", operationName: "accounts.transactions", url: "https://x/v1" };

  test.each([
    [{}, []],
    [{ operation: "A2" }, ["Operation: A2"]],
    [request, ["Operation: accounts.transactions (A2)", "Request: https://x/v1"]],
    [{ method: "GET" }, []],
    [{ url: "https://x/v1", method: "GET" }, ["Request: GET https://x/v1"]],
    [{ attempts: 0 }, ["Attempts: 0"]],
    [{ elapsed: 5 }, []],
    [{ attempts: 2, elapsed: 999 }, ["Attempts: 2 in 999 ms"]],
    [{ attempts: 2, elapsed: 12_340 }, ["Attempts: 2 in 12.3 s"]],
    [{ attempts: 1, lines: ["more"] }, ["Attempts: 1", "more"]],
  ])("what is known of the request: %j", (details, lines) => {
    const error = new ListError("NO_PROGRESS", details);
    expect(linesOf(error).slice(0, -2)).toEqual(["", ...lines]);
    expect(linesOf(error).at(-1)).toContain("`cursor` continues after them");
    expect(error).toMatchObject({ reason: "NO_PROGRESS" });
    expect(error.shortMessage).toContain("Many requests in a row returned no new record");
    expect(error.code).toBe("LIST");
    const { operation, url, attempts = 0, elapsed } = details as Partial<ExplorerError>;
    expect(error).toMatchObject({ operation, url, attempts, elapsed });
  });

  test.each<[string | undefined, string]>([
    [undefined, "Not found"],
    ["  ", "Not found"],
    ["not found", "Not found"],
    ["block 99 was not found ", "Block 99 was not found"],
    ["Not found: block 99", "Not found: block 99"],
    ["no such block", "Not found: no such block"],
  ])("once what summary and server both say: %j", (reason, expected) => {
    expect(new NotFoundError("Not found", { httpStatus: 404, reason }).shortMessage).toBe(expected);
  });

  test("status, pause and body of a response", () => {
    const details = { httpStatus: 503, status: "503", retryAfter: 1500, body: "busy" };
    const error = new ServerError("Server error", { ...details, lines: ["more"] });
    const lines = ['Status: HTTP 503, status "503"', "Retry after: 1.5 s", "more", "Body: busy"];
    expect(linesOf(error)).toEqual(["", ...lines]);
    expect(error).toMatchObject(details);
    expect([...error.headers]).toEqual([]);
    const bare = new ServerError("Server error", { httpStatus: 500, body: "" });
    expect(linesOf(bare)).toEqual(["", "Status: HTTP 500"]);
  });

  test("where a redirect goes, if it is known", () => {
    const redirect = (location: string | undefined) =>
      new RedirectError("it leaves", location, { lines: ["more"] });
    expect(linesOf(redirect("https://b"))).toEqual(["", "Location: https://b", "more"]);
    expect(linesOf(redirect(undefined))).toEqual(["", "more"]);
    expect(linesOf(new RedirectError("it leaves", undefined, {}))).toEqual([]);
    expect(redirect("https://b")).toMatchObject({ location: "https://b", code: "REDIRECT" });
  });

  test("the option whose limit was exceeded", () => {
    const timeout = (scope: "attempt" | "total") => new TimeoutError(scope, 15_000, {}).message;
    expect(timeout("attempt")).toBe("Timed out after 15 s (timeout)");
    expect(timeout("total")).toBe("Timed out after 15 s (totalTimeout)");
  });
});

/** Seven addresses. */
const addresses = Array.from({ length: 7 }, (_, index) => `0x${`${index}`.repeat(40)}` as const);

describe("a batch that failed in part", () => {
  const failure = new ServerError("Server error", {
    httpStatus: 500,
    attempts: 4,
    url: "https://x",
  });
  const batch = (count: number, error: unknown = failure) =>
    new BatchError(
      [{ address: ADDRESS, balance: 1n }],
      new Map(addresses.slice(0, count).map((one) => [one, error])),
    );

  test("lists the first five addresses, and counts the others", () => {
    const listed = addresses.slice(0, 5).map((address) => `- ${address}`);
    expect(linesOf(batch(7)).slice(-6)).toEqual([...listed, "… and 2 more"]);
    expect(linesOf(batch(5)).slice(-5)).toEqual(listed);
  });

  test("counts the attempts of a request once, and says why it failed", () => {
    const error = batch(2);
    expect(error).toMatchObject({ attempts: 4, url: "https://x", cause: failure, operation: "A1" });
    expect(error).toMatchObject({ failed: addresses.slice(0, 2), succeeded: [{ balance: 1n }] });
    expect(error.shortMessage).toBe("Failed to fetch 2 of 3 balances: Server error");
    expect(linesOf(error)).toContain("Operation: accounts.balances (A1)");
    const odd = batch(1, new TypeError("odd"));
    expect([odd.shortMessage, odd.attempts, odd.url]).toEqual([
      "Failed to fetch 1 of 2 balances: odd",
      0,
      undefined,
    ]);
  });
});

describe("invalid values", () => {
  const issues = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ path: ["results", index], expected: "a number" },
      received: `${index}`,
    }));
  const line = (index: number) => `results.${index}: expected a number, received "${index}"`;

  test("a single one is in the first line, several have a line each, up to 20", () => {
    expect(new ParameterError("Invalid", issues(1)).message).toBe(`Invalid: ${line(0)}`);
    const two = new ParameterError("Invalid", issues(2));
    expect(two.message).toBe(`Invalid: 2 problems\n\n- ${line(0)}\n- ${line(1)}`);
    const many = new ParameterError("Invalid", issues(22), { issueCount: 30 });
    expect(linesOf(many).slice(-2)).toEqual([`- ${line(19)}`, "… and 10 more"]);
    expect([many.issues.length, many.issueCount]).toEqual([20, 30]);
    expect(new ParameterError("Invalid", []).message).toBe("Invalid: 0 problems");
  });

  test("a response shows five, its body, and the first one's path", () => {
    const error = new ResponseValidationError("Invalid response", {
      ...{ issues: issues(6), body: "{}", httpStatus: 200 },
    });
    expect(linesOf(error).slice(-3)).toEqual([`- ${line(4)}`, "… and 1 more", "Body: {}"]);
    expect(error).toMatchObject({ path: "results.0", expected: "a number", received: "0" });
    expect(error).toMatchObject({ issueCount: 6, body: "{}", httpStatus: 200 });
    const bare = new ResponseValidationError("Not JSON", {});
    expect(bare.message).toBe("Not JSON");
    expect([bare.path, bare.expected, bare.received, bare.issueCount]).toEqual([
      ...[undefined, undefined, undefined],
      0,
    ]);
  });
});

describe("any error", () => {
  test("has its cause, if there is one", () => {
    const cause = new TypeError("odd");
    expect(new ConnectionError("No response", { cause }).cause).toBe(cause);
    expect("cause" in new ConnectionError("No response")).toBe(false);
    expect([messageOf(cause), messageOf("text")]).toEqual(["odd", "text"]);
  });

  test("goes into JSON with big numbers, maps and headers", () => {
    const [address = "0x"] = addresses;
    const batch = new BatchError([{ address, balance: 2n ** 80n }], new Map([[address, "odd"]]));
    expect(batch.toJSON()).toMatchObject({
      ...{ name: "BatchError", code: "BATCH", failed: [address], errors: { [address]: "odd" } },
      succeeded: [{ address, balance: `${2n ** 80n}` }],
    });
    const notFound = new NotFoundError("Not found", { httpStatus: 404 });
    expect([notFound.name, notFound.toJSON().headers]).toEqual(["NotFoundError", {}]);
  });

  test("of a class without a code has the name of its class", () => {
    class OwnError extends ExplorerError {
      declare readonly code: "API";
    }
    expect(new OwnError("own").name).toBe("OwnError");
  });
});

test.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1000, "1 s"],
  [1549, "1.5 s"],
  [60_000, "60 s"],
])("%i milliseconds are %s", (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});
