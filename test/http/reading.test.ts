// How answers are read: what counts as a success (R1, R2), which error another answer is, and what odd servers may do.
import { describe, expect, test } from "vitest";
import {
  ApiError,
  AuthenticationError,
  InvalidRequestError,
  NotFoundError,
  NotVerifiedError,
  RateLimitError,
  ResponseValidationError,
  ServerError,
  VerificationError,
} from "../../src/index.ts";
import { ADDRESS, clientOf, HASH, json, refusal, serve, success, supply } from "./server.ts";

const once = { retry: 0 } as const;
const thrown = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => "nothing",
    (error: unknown) => error,
  );

describe("a success", () => {
  test.each([
    ["as specified", supply("7")],
    ["with other case and spaces", { ...supply("7"), message: " Success " }],
    ["with a JSON number as status", { ...supply("7"), status: 200 }],
    ["with fields nobody knows", { ...supply("7"), took: 3 }],
  ])("%s", async (_, body) => {
    const server = await serve((_asked, response) => json(response, body));
    expect(await clientOf(server).tokens.totalSupply(ADDRESS)).toBe(7n);
  });

  test.each(["text/plain", "application/json; charset=utf-8", "application/vnd.explorer+json"])(
    "under the content type %s",
    async (type) => {
      const server = await serve((_, response) =>
        json(response, supply("7"), 200, { "content-type": type }),
      );
      expect(await clientOf(server).tokens.totalSupply(ADDRESS)).toBe(7n);
    },
  );

  test("keeps fields the specification does not know", async () => {
    const server = await serve((_, response) =>
      json(response, success({ data: { status: "0", description: "out of gas" } })),
    );
    const client = clientOf(server);
    const { operations } = await import("../../src/index.ts");
    expect(await client.request(operations.X1, { transaction_hash: HASH })).toEqual({
      data: { status: "0", description: "out of gas" },
    });
    expect(await client.transactions.status(HASH)).toBe("0");
  });

  test("may say that supply and holders are not known (R5)", async () => {
    const unknown = { total_supply: null, holder_count: null };
    const server = await serve((_, response) => json(response, success({ data: unknown })));
    expect(await clientOf(server).tokens.totalSupply(ADDRESS)).toBeNull();
    expect(await clientOf(server).tokens.holderCount(ADDRESS)).toBeNull();
  });

  test("gives the response beside the data", async () => {
    const server = await serve((_, response) =>
      json(response, supply("7"), 200, { "x-request-id": "42" }),
    );
    const { data, response } = await clientOf(server).tokens.totalSupply(ADDRESS).withResponse();
    expect(data).toBe(7n);
    expect(response.headers.get("x-request-id")).toBe("42");
  });
});

describe("the combined token list, which has no envelope", () => {
  const tokens = { mrc_20: { count: "0", results: [] }, mrc_721: { count: "0", results: [] } };

  test.each([
    ["bare", tokens],
    ["in an envelope after all", success(tokens)],
  ])("is read %s", async (_, body) => {
    const server = await serve((_asked, response) => json(response, body));
    const page = await clientOf(server).accounts.tokens(ADDRESS);
    expect(page.results).toMatchObject({ mrc_20: { count: 0 }, mrc_721: { count: 0 } });
  });

  test("is an error where the server answers an error envelope", async () => {
    const server = await serve((_, response) => json(response, refusal(401, "no key")));
    await expect(clientOf(server).accounts.tokens(ADDRESS)).rejects.toBeInstanceOf(
      AuthenticationError,
    );
  });
});

describe("an answer that says no", () => {
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
    const server = await serve((_, response) =>
      json(response, refusal(status, "these are the server's words"), status, { "x-id": "1" }),
    );
    const error = await thrown(clientOf(server, once).tokens.totalSupply(ADDRESS));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({
      httpStatus: status,
      status: String(status),
      reason: "these are the server's words",
      operation: "T1",
      attempts: 1,
      url: `${server.url}/v1/tokens/${ADDRESS}/total-supply`,
    });
    expect((error as ApiError).headers.get("x-id")).toBe("1");
    expect((error as ApiError).message).toContain("these are the server's words");
  });

  test("HTTP 200 with another message is an error too", async () => {
    const server = await serve((_, response) =>
      json(response, { status: "200", message: "token is not indexed", results: {} }),
    );
    const error = await thrown(clientOf(server).tokens.totalSupply(ADDRESS));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: "API", httpStatus: 200, reason: "token is not indexed" });
  });

  test("HTTP 200 with the true status in the envelope is that error", async () => {
    const server = await serve((_, response) => json(response, refusal(404, "no such token")));
    expect(await thrown(clientOf(server).tokens.totalSupply(ADDRESS))).toBeInstanceOf(
      NotFoundError,
    );
  });

  test("an HTML page from something in between is quoted, shortened and on one line", async () => {
    const server = await serve((_, response) => {
      response.writeHead(502, { "content-type": "text/html" });
      response.end(`<html>\n<body>\u001b[31mBad Gateway\n${"x".repeat(100_000)}</body></html>`);
    });
    const error = await thrown(clientOf(server, once).tokens.totalSupply(ADDRESS));
    expect(error).toBeInstanceOf(ServerError);
    const { body = "", message } = error as ServerError;
    expect(body).toMatch(/^<html> <body> \[31mBad Gateway x+…$/);
    expect(body.length).toBeLessThan(250);
    expect(message).toContain("Bad Gateway");
  });
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
  ])("is told %s", async (_, status, body) => {
    const server = await serve((_asked, response) => json(response, body, status));
    const client = clientOf(server);
    expect(await thrown(client.contracts.abi(ADDRESS))).toBeInstanceOf(NotVerifiedError);
    expect(await thrown(client.contracts.code(ADDRESS))).toBeInstanceOf(NotVerifiedError);
  });

  test("an unknown contract is not found", async () => {
    const server = await serve((_, response) => json(response, refusal(404, "no contract"), 404));
    expect(await thrown(clientOf(server).contracts.abi(ADDRESS))).toBeInstanceOf(NotFoundError);
  });
});

describe("the first line of an API error", () => {
  test.each([
    [401, "invalid api key", "Unauthorized: invalid api key"],
    [401, "unauthorized", "Unauthorized"],
    [403, "no plan", "Forbidden: no plan"],
    [404, "block 99999 not found", "Not found: block 99999"],
    [404, "Not found: block 99999", "Not found: block 99999"],
    [404, "the block was not found", "Not found: the block"],
    [404, "not found", "Not found"],
    [429, "slow down", "Rate limited: slow down"],
    [503, "busy", "Server error (HTTP 503): busy"],
    [503, "server error", "Server error (HTTP 503)"],
    [400, "limit is too large", "Request rejected (HTTP 400): limit is too large"],
  ])("HTTP %i %j is %j", async (status, message, line) => {
    const server = await serve((_, response) => json(response, refusal(status, message), status));
    const error = await thrown(clientOf(server, once).tokens.totalSupply(ADDRESS));
    expect(error).toMatchObject({ shortMessage: line, reason: message });
  });

  test("does not repeat that a contract is not verified", async () => {
    const body = { status: "200", message: "contract is not yet verified", results: {} };
    const server = await serve((_, response) => json(response, body));
    const error = await thrown(clientOf(server).contracts.abi(ADDRESS));
    expect(error).toMatchObject({ shortMessage: "Contract not verified", reason: body.message });
  });
});

describe("verification", () => {
  const submission = {
    contract_name: "Tökén",
    compiler: "v0.8.20+commit.a1b79de6",
    runs_optimizer: 200,
    optimization_enabled: true,
    contract_source: `// ${"語".repeat(50_000)}\ncontract Tökén {}`,
  };

  test("takes base64url as base64, and does not encode it again", async () => {
    const server = await serve((_, response) => json(response, success({ data: "1" })));
    const source = "contract A { /* ÿþûï¾ï¿¾?>~ */ }";
    const base64 = Buffer.from(source).toString("base64");
    const contract_source = Buffer.from(source).toString("base64url");
    expect(contract_source).toMatch(/[-_]/);
    await clientOf(server).contracts.verify(ADDRESS, { ...submission, contract_source });
    const sent = JSON.parse(server.asked[0]?.body ?? "").contract_source;
    expect(sent).toBe(base64.replaceAll("=", ""));
  });

  test("returns how much is proven, if the server says", async () => {
    const proven = { verify_level: "partial", verify_uncovered: ["metadata hash"] };
    const results = { data: "1", ...proven, verify_message: "Runtime code matches" };
    const server = await serve((_, response) => json(response, success(results)));
    expect(await clientOf(server).contracts.verify(ADDRESS, submission)).toEqual(results);
  });

  test("gives the whole reason of a refusal, up to 8,192 characters", async () => {
    const failure = (message: string) => ({ status: "200", message, results: { data: "0" } });
    const versions = Array.from({ length: 120 }, (_, patch) => `v0.8.${patch}+commit.a1b79de6`);
    const reasons = [`available: ${versions.join(", ")}`, "x".repeat(9_000)];
    const server = await serve((_, response, count) =>
      json(response, failure(reasons[count - 1] ?? "")),
    );
    const refusal = () =>
      clientOf(server)
        .contracts.verify(ADDRESS, submission)
        .catch((error) => error);
    expect(await refusal()).toMatchObject({ code: "VERIFICATION", reason: reasons[0] });
    expect((await refusal()).reason).toBe(`${"x".repeat(8_192)}…`);
  });

  test("sends source as base64 of its UTF-8, the flag as a number, and says when it went well", async () => {
    const server = await serve((_, response) => json(response, success({ data: "1" })));
    expect(await clientOf(server).contracts.verify(ADDRESS, submission)).toEqual({ data: "1" });
    const [asked] = server.asked;
    expect(asked?.headers["content-type"]).toBe("application/json");
    const body = JSON.parse(asked?.body ?? "");
    expect(Buffer.from(body.contract_source, "base64").toString("utf8")).toBe(
      submission.contract_source,
    );
    expect(body).toMatchObject({
      contract_name: "Tökén",
      optimization_enabled: 1,
      runs_optimizer: 200,
      constructor_arguments: "",
    });
    expect(body).not.toHaveProperty("contract_hash");
  });

  test("optimization that is off is any other number than 1", async () => {
    const server = await serve((_, response) => json(response, success({ data: "1" })));
    await clientOf(server).contracts.verify(ADDRESS, {
      ...submission,
      optimization_enabled: false,
    });
    expect(JSON.parse(server.asked[0]?.body ?? "")).toMatchObject({ optimization_enabled: 0 });
  });

  test("that fails says why", async () => {
    const server = await serve((_, response) =>
      json(response, { status: "200", message: "bytecode differs at 42", results: { data: "0" } }),
    );
    const error = await thrown(clientOf(server).contracts.verify(ADDRESS, submission));
    expect(error).toBeInstanceOf(VerificationError);
    expect(error).toMatchObject({ code: "VERIFICATION", reason: "bytecode differs at 42" });
  });

  test("that fails without a word is an error all the same", async () => {
    const server = await serve((_, response) => json(response, success({ data: "0" })));
    expect(await thrown(clientOf(server).contracts.verify(ADDRESS, submission))).toBeInstanceOf(
      VerificationError,
    );
  });
});

describe("a field that is not as specified", () => {
  const transaction = {
    timestamp: "2024-01-01T00:00:00Z",
    sender: ADDRESS,
    receiver: null,
    value: "1",
    confirmations: "3",
    transaction_hash: HASH,
    block_hash: HASH,
    transaction_index: "0",
    tx_status: "1",
    block_number: "9",
    gas_price: "1",
    cumulative_gas_used: "21000",
    gas_used: "21000",
    max_fee_per_gas: null,
    max_priority_fee_per_gas: null,
  };
  const page = success({
    count: "2",
    data: [transaction, { ...transaction, value: "1.5 MRC", gas_used: [] }],
  });

  test("fails the call and names path, expectation and value", async () => {
    const server = await serve((_, response) => json(response, page));
    const error = await thrown(clientOf(server).accounts.transactions(ADDRESS));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({
      path: "results.data.1.value",
      expected: "a non-negative integer in decimal digits",
      received: "1.5 MRC",
      operation: "A2",
    });
    expect((error as ResponseValidationError).issues).toHaveLength(2);
    expect((error as Error).message).toContain('received "1.5 MRC"');
  });

  test("stays as received where validation is lenient, and is reported", async () => {
    const told: unknown[] = [];
    const server = await serve((_, response) => json(response, page));
    const { data } = await clientOf(server, {
      validation: "lenient",
      hooks: { onValidationIssue: (event) => told.push(event) },
    }).accounts.transactions(ADDRESS);
    expect(data).toHaveLength(2);
    expect(data[0]?.value).toBe(1n);
    expect(data[1]).toMatchObject({ value: "1.5 MRC", block_number: 9n });
    expect(told).toMatchObject([
      { operation: "A2", path: "results.data.1.value", received: "1.5 MRC" },
      { operation: "A2", path: "results.data.1.gas_used" },
    ]);
  });

  test.each([
    ["no list", { count: "1", data: "none" }],
    ["no results", null],
    ["a record that is none", { count: "1", data: [null] }],
  ])("%s fails the call even then", async (_, results) => {
    const server = await serve((_asked, response) => json(response, success(results)));
    expect(
      await thrown(clientOf(server, { validation: "lenient" }).accounts.transactions(ADDRESS)),
    ).toBeInstanceOf(ResponseValidationError);
  });
});
