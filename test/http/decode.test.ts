// Fields that are not as specified: errors, or kept as received with lenient validation; and the forms of values that deployments have.
import { describe, expect, test } from "vitest";
import { type ExplorerClientOptions, ResponseValidationError, toAbi } from "../../src/index.ts";
import { ADDRESS, clientOf, HASH, success, thrown } from "./server.ts";

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

test("with lenient validation, an ABI entry with unreadable parameters is left out", async () => {
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
