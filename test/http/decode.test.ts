// Fields that are not as specified: errors, or kept as received with lenient validation; and the forms of values that deployments have.
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  type ExplorerClientOptions,
  operations,
  ResponseValidationError,
  toAbi,
} from "../../src/index.ts";
import { ADDRESS, clientOf, HASH, SENTINEL, success, thrown } from "./server.ts";

/** A client that receives this body. */
const clientFor = (body: unknown, options: ExplorerClientOptions = {}) =>
  clientOf(
    { url: "https://explorer.example" },
    { fetch: async () => Response.json(body), ...options },
  );

describe("an invalid field", () => {
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
    data: [
      transaction,
      { ...transaction, transaction_hash: `0x${"cd".repeat(32)}`, value: "1.5 MRC", gas_used: [] },
    ],
  });

  test("fails the call and names path, expectation and value", async () => {
    const error = await thrown(clientFor(page).accounts.transactions(ADDRESS));
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

  test("stays as received with lenient validation, and is reported", async () => {
    const told: unknown[] = [];
    const { data } = await clientFor(page, {
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
    const { accounts } = clientFor(success(results), { validation: "lenient" });
    expect(await thrown(accounts.transactions(ADDRESS))).toBeInstanceOf(ResponseValidationError);
  });
});

describe("with lenient validation", () => {
  const frame = {
    timestamp: "2024-01-01T00:00:00Z",
    sender: ADDRESS,
    value: "1",
    transaction_hash: `0x${"ab".repeat(32)}`,
    block_number: "1",
    transaction_index: "0",
  };

  test("a field that should be a list stays as received, and so does its page", async () => {
    const data = [
      { ...frame, trace_address: "0,1" },
      { ...frame, trace_address: ["0"] },
    ];
    const issues: unknown[] = [];
    const client = clientFor(success({ count: "2", data }), {
      validation: "lenient",
      hooks: { onValidationIssue: ({ path, attempt }) => issues.push([path, attempt]) },
    });
    const page = await client.accounts.internalTransactions(ADDRESS);
    expect(page.data.map((one) => one.trace_address)).toEqual(["0,1", [0]]);
    expect(issues).toEqual([["results.data.0.trace_address", 1]]);
  });

  test("an ABI entry with unreadable parameters is left out", async () => {
    const f = { name: "f", type: "function", inputs: [], outputs: [] };
    const data = [
      { ...f, inputs: "none" },
      { ...f, outputs: [null] },
      { ...f, name: "g" },
    ];
    const { contracts } = clientFor(success({ data }), { validation: "lenient" });
    const abi = await contracts.abi(ADDRESS);
    expect(abi).toEqual(toAbi([{ ...f, name: "g" } as never]));
  });
});

test("a page in the forms of another deployment is read", async () => {
  const log = {
    timestamp: "2024-01-01T02:00:00.123456+02:00",
    address: ADDRESS,
    data: "0x",
    method: "",
    transaction_hash: HASH,
    transaction_index: "0",
    log_index: "0",
    topics_count: "0",
    topic_0: "",
  };
  const { eventLogs } = clientFor(success({ count: "1", data: [log] }));
  const { data } = await eventLogs.list({ address: ADDRESS });
  expect(data).toMatchObject([
    { timestamp: new Date("2024-01-01T00:00:00.123Z"), method: null, topic_0: null },
  ]);
  const empty = clientFor(success({ count: "", data: null }));
  expect((await empty.eventLogs.list({ address: ADDRESS })).data).toEqual([]);
});

describe("simple records", () => {
  const simple = {
    ...{ sender: ADDRESS, receiver: null, value: "1", transaction_hash: HASH, tx_status: "1" },
    ...{ tx_fee: "21000", block_number: "9", gas_price: "1", gas_used: "21000" },
  };
  const client = clientFor(success({ count: "1", data: [simple], to_block: "9" }));

  test("are a valid answer to a request for simple ones", async () => {
    const page = await client.accounts.transactions(ADDRESS, { simple: true });
    expect(page).toMatchObject({ data: [{ value: 1n, tx_fee: 21_000n }], to_block: 9n });
  });

  test("lack fields in the answer to any other request", async () => {
    for (const query of [{}, { simple: false }]) {
      const error = await thrown(client.accounts.transactions(ADDRESS, query));
      expect(error).toMatchObject({ code: "RESPONSE_VALIDATION" });
      expect(error.message).toContain("results.data.0.timestamp");
    }
  });
});

describe("the combined token list, which has no envelope", () => {
  const none = { count: "0", results: [] };

  test.each([
    ["mrc_20", { mrc_20: null, mrc_721: none }],
    ["mrc_721", { mrc_20: none, mrc_721: [] }],
    ["mrc_20.results", { mrc_20: { count: "1", results: "none" }, mrc_721: none }],
    ["mrc_721.results.0", { mrc_20: none, mrc_721: { count: "1", results: [null] } }],
  ])("without %s fails the call even with lenient validation", async (path, body) => {
    const error = await thrown(clientFor(body, { validation: "lenient" }).accounts.tokens(ADDRESS));
    expect(error).toMatchObject({ code: "RESPONSE_VALIDATION", path });
  });
});

describe("an operation of one's own", () => {
  const read = (data: unknown) => {
    const results = z.object({
      data: z.pipe(z.record(z.string(), z.string()), z.transform(Object.entries)),
    });
    return clientFor(success({ data })).request(
      { ...operations.X1, results },
      { transaction_hash: HASH },
    );
  };

  test("may have a schema that only zod decodes", async () => {
    expect(await read({ a: "1", b: "2" })).toMatchObject({
      data: [
        ["a", "1"],
        ["b", "2"],
      ],
    });
  });

  test("has its issues, whose paths hide the key", async () => {
    const error = await thrown(read({ [`x-${SENTINEL}`]: 1 }));
    expect(error).toMatchObject({
      code: "RESPONSE_VALIDATION",
      path: "results.data.x-[api-key]",
      received: 1,
    });
    expect(`${error.message}${JSON.stringify(error)}`).not.toContain(SENTINEL);
  });

  test("describes what its schemas expect", async () => {
    const own = {
      ...operations.T1,
      path: "/v2/prices",
      places: { path: [], query: ["of", "in"], body: [] },
      input: z.strictObject({
        of: z.string().check(z.minLength(3)),
        in: z.union([z.literal("usd"), z.literal("eur")]),
      }),
      results: z.object({ price: z.number(), source: z.union([z.string(), z.null()]) }),
    };
    const client = clientFor(success({ price: "1", source: "x" }));
    const input = { of: "M", in: "gbp" as "usd", extra: 1 };
    expect(await thrown(client.request(own, input))).toMatchObject({
      code: "PARAMETER",
      issues: [
        { path: ["of"], expected: "a string of at least 3 characters" },
        { path: ["in"], expected: "usd or eur" },
        { path: ["extra"], expected: "one of of, in" },
      ],
    });
    expect(await thrown(client.request(own, { of: "MRC", in: "usd" }))).toMatchObject({
      code: "RESPONSE_VALIDATION",
      path: "results.price",
      expected: "a number",
    });
  });
});
