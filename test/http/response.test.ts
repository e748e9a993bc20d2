// How responses are read: what is a success (R1, R2), and which error any other response is.
import { describe, expect, test } from "vitest";
import {
  ApiError,
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  NotVerifiedError,
  RateLimitError,
  ServerError,
} from "../../src/index.ts";
import {
  ADDRESS,
  clientOf,
  HASH,
  refusal,
  SENTINEL,
  submission,
  success,
  supply,
  thrown,
} from "./server.ts";

/** A client that gets this response to everything. */
const answered = (body: unknown, status = 200, headers: Record<string, string> = {}) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const given = { "content-type": "application/json", ...headers };
  return clientOf(
    { url: "https://explorer.example" },
    { retry: 0, fetch: async () => new Response(text, { status, headers: given }) },
  );
};

describe("a success", () => {
  test.each([
    ["as specified", supply("7")],
    ["with other case and spaces", { ...supply("7"), message: " Success " }],
    ["with a JSON number as status", { ...supply("7"), status: 200 }],
    ["with fields nobody knows", { ...supply("7"), took: 3 }],
  ])("%s", async (_, body) => {
    expect(await answered(body).tokens.totalSupply(ADDRESS)).toBe(7n);
  });

  test.each([
    ...["application/json; charset=utf-8", "application/vnd.explorer+json"],
    ...["text/plain", "application/octet-stream", "text/html; charset=utf-8"],
  ])("of the content type %s is read if it is JSON", async (type) => {
    const headers = { "content-type": type };
    expect(await answered(supply("7"), 200, headers).tokens.totalSupply(ADDRESS)).toBe(7n);
    if (type.includes("json")) return;
    const marked = answered(`${JSON.stringify(supply("7"))}<!-- 1 -->`, 200, headers);
    expect(await thrown(marked.tokens.totalSupply(ADDRESS))).toMatchObject({
      code: "RESPONSE_VALIDATION",
    });
  });

  test.each(["multipart/related; type=text/html", "image/png"])(
    "of the content type %s is not read",
    async (type) => {
      const client = answered(supply("7"), 200, { "content-type": type });
      await expect(client.tokens.totalSupply(ADDRESS)).rejects.toThrow(
        `Invalid response: the content type is ${type}, not JSON`,
      );
    },
  );

  test("without a content type", async () => {
    const fetch = async () => new Response(new TextEncoder().encode(JSON.stringify(supply("7"))));
    const client = clientOf({ url: "https://explorer.example" }, { fetch });
    expect(await client.tokens.totalSupply(ADDRESS)).toBe(7n);
  });

  test("keeps fields that are not in the specification", async () => {
    const data = { status: "0", description: "out of gas" };
    const client = answered(success({ data }));
    expect(await client.request("X1", { transaction_hash: HASH })).toEqual({ data });
    expect(await client.transactions.status(HASH)).toBe("0");
  });

  test("may say that supply and holders are not known (R5)", async () => {
    const { tokens } = answered(success({ data: { total_supply: null, holder_count: null } }));
    expect(await tokens.totalSupply(ADDRESS)).toBeNull();
    expect(await tokens.holderCount(ADDRESS)).toBeNull();
  });
});

describe("the combined token list, which has no envelope", () => {
  const tokens = { mrc_20: { count: "0", results: [] }, mrc_721: { count: "0", results: [] } };

  test.each([
    ["bare", tokens],
    ["in an envelope after all", success(tokens)],
  ])("is read %s", async (_, body) => {
    const page = await answered(body).accounts.tokens(ADDRESS);
    expect(page.results).toMatchObject({ mrc_20: { count: 0 }, mrc_721: { count: 0 } });
  });

  test.each([refusal(401, "no key"), { status: "401", message: "no key" }])(
    "is an error if the server returns an error envelope: %j",
    async (envelope) => {
      const error = await thrown(answered(envelope).accounts.tokens(ADDRESS));
      expect(error).toBeInstanceOf(AuthenticationError);
    },
  );
});

describe("a refusal", () => {
  test.each([
    [400, InvalidRequestError],
    [401, AuthenticationError],
    [403, AuthenticationError],
    [404, NotFoundError],
    [405, InvalidRequestError],
    [408, ApiError],
    [413, InvalidRequestError],
    [429, RateLimitError],
    [500, ServerError],
    [501, ServerError],
    [503, ServerError],
  ] as const)("HTTP %i is its own class, with the server's words", async (status, kind) => {
    const envelope = refusal(status, "these are the server's words");
    const client = answered(envelope, status, { "x-id": "1" });
    const error = await thrown(client.tokens.totalSupply(ADDRESS));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({
      httpStatus: status,
      status: String(status),
      reason: "these are the server's words",
      operation: "T1",
      attempts: 1,
      url: `https://explorer.example/v1/tokens/${ADDRESS}/total-supply`,
    });
    expect((error as ApiError).headers.get("x-id")).toBe("1");
    expect(error.message).toContain("these are the server's words");
  });

  test("an HTML page of a proxy is quoted on one line, shortened", async () => {
    const page = `<html>\n<body>\u001b[31mBad Gateway\n${"x".repeat(100_000)}</body></html>`;
    const client = answered(page, 502, { "content-type": "text/html" });
    const error = await thrown(client.tokens.totalSupply(ADDRESS));
    expect(error).toBeInstanceOf(ServerError);
    const { body = "", message } = error as ServerError;
    expect(body).toMatch(/^<html> <body> \[31mBad Gateway x+…$/);
    expect(body.length).toBeLessThan(250);
    expect(message).toContain("Bad Gateway");
  });
});

describe("a response that is nearly an envelope", () => {
  test.each([
    ["a status that is no text", { status: null, message: "success" }, ["status"], null],
    ["no status", { message: "success", results: {} }, ["status"], undefined],
    ["an array", [1], [], [1]],
  ])("is invalid with %s", async (_, body, path, received) => {
    const error = await thrown(answered(body).tokens.totalSupply(ADDRESS));
    expect(error).toMatchObject({
      code: "RESPONSE_VALIDATION",
      operation: "T1",
      httpStatus: 200,
      body: JSON.stringify(body),
      // Nothing in what is no object can be decoded.
      issues: [{ path, received, ...(path.length === 0 && { structural: true }) }],
    });
  });

  const { message: _, ...wordless } = success({});
  test.each<[string, number, unknown, string, (string | undefined)?, string?]>([
    [
      "neither message nor results",
      500,
      { status: "404" },
      "SERVER",
      undefined,
      '{"status":"404"}',
    ],
    ["no message", 404, { status: "404", results: null }, "NOT_FOUND"],
    ["another message", 200, { ...success({}), message: "not indexed" }, "API", "not indexed"],
    ["another status in a success", 200, { ...supply("7"), status: "201" }, "API", "success"],
    ["no message in a success", 200, wordless, "API", undefined],
    ["a message alone", 500, { message: "down" }, "SERVER", "down"],
    ["another status", 500, refusal(404, "down"), "SERVER", "down"],
    ["the true status below HTTP 200", 200, refusal(404, "no token"), "NOT_FOUND", "no token"],
    ["a status of four digits", 200, refusal(4041, "odd"), "API", "odd"],
    ["a status that ends like one", 200, refusal(1404, "odd"), "API", "odd"],
    ["a status between", 300, refusal(300, "odd"), "API", "odd"],
    ["a status that a repetition may change", 408, refusal(408, "late"), "API", "late"],
  ])("is an error with %s", async (_, status, envelope, code, reason, body) => {
    const error = await thrown(answered(envelope, status).tokens.totalSupply(ADDRESS));
    expect(error).toMatchObject({ code, httpStatus: status });
    expect([(error as ApiError).reason, (error as ApiError).body]).toEqual([reason, body]);
  });

  test("is no JSON, and its error names the request and quotes it", async () => {
    const client = answered("{", 200, { "content-type": "text/plain" });
    const error = await thrown(client.tokens.totalSupply(ADDRESS));
    expect(error).toMatchObject({ code: "RESPONSE_VALIDATION", operation: "T1", body: "{" });
  });
});

test.each([
  [429, 3000],
  [503, undefined],
])("HTTP %i with requests left: the reset of the limit counts as %j", async (status, pause) => {
  const headers = { "ratelimit-remaining": "1", "ratelimit-reset": "3" };
  const client = answered(refusal(status, "later"), status, headers);
  const error = await thrown(client.tokens.totalSupply(ADDRESS));
  expect((error as ApiError).retryAfter).toBe(pause);
});

test("a header whose name or value holds the key is left out or redacted", async () => {
  const headers = { [`x-${SENTINEL}`]: "1", "x-echo": `a ${SENTINEL} b` };
  const error = await thrown(
    answered(refusal(404, "no"), 404, headers).tokens.totalSupply(ADDRESS),
  );
  expect(Object.fromEntries((error as ApiError).headers)).toEqual({
    "content-type": "application/json",
    "x-echo": "a [api-key] b",
  });
});

test("an HTTP status of 300 and more is no verdict on a source", async () => {
  const error = await thrown(
    answered(refusal(300, "odd"), 300).contracts.verify(ADDRESS, submission),
  );
  expect(error).toMatchObject({ code: "API", shortMessage: "Unexpected response (HTTP 300): odd" });
});

test("the reason why a source is refused is long enough to list what it names; others are cut", async () => {
  const client = answered(refusal(200, "x".repeat(9000)));
  const verdict = await thrown(client.contracts.verify(ADDRESS, submission));
  expect(verdict).toMatchObject({ code: "VERIFICATION", reason: `${"x".repeat(8192)}…` });
  const other = await thrown(client.tokens.totalSupply(ADDRESS));
  expect((other as ApiError).reason?.length).toBeLessThan(250);
});

describe("a contract that is not verified", () => {
  test.each([
    [
      "in words, with HTTP 200",
      200,
      { status: "200", message: "contract is not yet verified", results: {} },
    ],
    ["in words, with HTTP 404", 404, refusal(404, "Contract source code not verified")],
    ["by a success without results", 200, success({})],
    ["by a success whose results are null", 200, success(null)],
  ])("is recognised %s", async (_, status, body) => {
    const client = answered(body, status);
    expect(await thrown(client.contracts.abi(ADDRESS))).toBeInstanceOf(NotVerifiedError);
    expect(await thrown(client.contracts.code(ADDRESS))).toBeInstanceOf(NotVerifiedError);
  });

  test.each([500, 503])("is not what HTTP %i in these words says", async (status) => {
    const body = refusal(status, "cannot say whether it is not verified: the database is down");
    const error = await thrown(answered(body, status).contracts.abi(ADDRESS));
    expect(error).toBeInstanceOf(ServerError);
  });

  test.each([
    ["another message", { status: "200", message: "database is down", results: null }, "API"],
    ["another status", { status: "500", message: "success", results: null }, "SERVER"],
  ])("is not what %s says", async (_, body, code) => {
    expect(await thrown(answered(body).contracts.abi(ADDRESS))).toMatchObject({ code });
  });

  test("is not what an empty list says", async () => {
    expect(await answered(success({ data: [] })).contracts.abi(ADDRESS)).toEqual([]);
  });

  test("is not what a success without results says of anything else", async () => {
    const error = await thrown(answered(success({})).tokens.totalSupply(ADDRESS));
    expect(error).toMatchObject({ code: "RESPONSE_VALIDATION" });
    const text = await thrown(answered(success("")).contracts.abi(ADDRESS));
    expect(text).toMatchObject({ code: "RESPONSE_VALIDATION" });
  });

  test("an unknown contract is not found", async () => {
    const { contracts } = answered(refusal(404, "no contract"), 404);
    expect(await thrown(contracts.abi(ADDRESS))).toBeInstanceOf(NotFoundError);
  });
});

describe("another service at the address is named", () => {
  test.each<[string, unknown, number, string, RegExp]>([
    ["a website", "<html>Not found</html>", 404, "NOT_AN_EXPLORER", /^This address is not an expl/],
    ["a gateway", { message: "no Route matched" }, 404, "NOT_AN_EXPLORER", /: no Route matched\n/],
    [
      "a node",
      { jsonrpc: "2.0", id: null, error: { code: -32600, message: "invalid request" } },
      200,
      "RESPONSE_VALIDATION",
      /looks like a node's RPC, not like an explorer's API\n\nOperation.*\n.*\n.*\nCheck baseUrl/,
    ],
    [
      "Etherscan, with its reason",
      { status: "0", message: "NOTOK", result: "Missing/Invalid API Key" },
      200,
      "API",
      /^Request failed: NOTOK: Missing\/Invalid API Key/,
    ],
  ])("%s", async (_, body, status, code, message) => {
    const error = await thrown(answered(body, status).blocks.get(7));
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test("an explorer's 404 is another error", async () => {
    const error = await thrown(answered(refusal(404, "block 7 not found"), 404).blocks.get(7));
    expect(error).toMatchObject({ code: "NOT_FOUND", shortMessage: "Block 7 not found" });
  });
});
