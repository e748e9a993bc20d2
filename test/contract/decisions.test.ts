// Decisions on details: the order of checks, the meaning of values, unknown data.
import { describe, expect, test } from "vitest";
import { Chain, createExplorer, generateChain } from "../../mocks/index.ts";
import { MAX_BODY_BYTES } from "../../mocks/message/message.ts";
import { loadDemo } from "../../mocks/node.ts";
import { knownIn } from "../support/requests.ts";

const mock = createExplorer({ chain: await loadDemo(), apiKeys: ["k"] });
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const list = `/v1/accounts/${token}/transactions`;

const statusOf = async (target: string, init: RequestInit = {}) =>
  (await mock.fetch(`${mock.baseUrl}${target}`, { headers: { "api-key": "k" }, ...init })).status;

describe("a request is checked for one thing after the other (S28)", () => {
  const balance = "/v1/accounts/balance";
  const post = (body: string, headers: Readonly<Record<string, string>>) => ({
    method: "POST",
    headers,
    body,
  });
  const keyed = { "api-key": "k" };
  const json = { ...keyed, "content-type": "application/json" };

  test("path and method go before the key", async () => {
    expect(await statusOf("/v1/nothing", { headers: {} })).toBe(404);
    expect(await statusOf(balance, { headers: {} })).toBe(405);
    expect(await statusOf(list, { headers: {} })).toBe(401);
  });

  test("the key goes before content type and parameters", async () => {
    expect(await statusOf(balance, post("{}", {}))).toBe(401);
    expect(await statusOf(`${list}?limit=x`, { headers: { "api-key": "other" } })).toBe(401);
  });

  test("the content type goes before the body's size, and both before what is in it", async () => {
    const large = " ".repeat(MAX_BODY_BYTES + 1);
    expect(await statusOf(balance, post(large, { ...keyed, "content-type": "text/xml" }))).toBe(
      415,
    );
    expect(await statusOf(balance, post(large, json))).toBe(413);
    expect(await statusOf(balance, post("{}", json))).toBe(400);
  });

  test("parameters are checked before the record is looked up", async () => {
    const nothing = `/v1/transactions/0x${"00".repeat(32)}/internal-transactions`;
    expect(await statusOf(`${nothing}?limit=x`)).toBe(400);
    expect(await statusOf(nothing)).toBe(404);
  });
});

test.each([
  ["?condition=to", 200],
  ["?condition=TO", 400],
  ["?simple=true", 200],
  ["?simple=True", 400],
  ["?simple=1", 400],
])("words are understood as they are spelled (S29): %s", async (query, status) => {
  expect(await statusOf(`${list}${query}`)).toBe(status);
});

test("hexadecimal digits may be of either case, their prefix not (S29)", async () => {
  const digits = token.slice(2).toUpperCase();
  expect(await statusOf(`/v1/tokens/0x${digits}/total-supply`)).toBe(200);
  expect(await statusOf(`/v1/tokens/0X${digits}/total-supply`)).toBe(400);
});

test("before the Byzantium fork only a trace has the failure (S27)", async () => {
  const chain = generateChain({ blocks: 20 });
  const old = new Chain({ chainId: 1 });
  for (let number = 0; number <= chain.head.number; number++) {
    const body = chain.blockInput(number);
    if (body === undefined) throw new Error(`the chain has no block ${number}`);
    const executions = body.executions.map(({ transaction, ...rest }) => ({
      ...rest,
      transaction: { ...transaction, succeeded: null },
    }));
    old.append({ ...body, executions });
  }
  const { transactions } = knownIn(old);
  const service = createExplorer({ chain: old });
  const ask = async (target: string) => {
    const headers = { "api-key": "k" };
    const response = await service.fetch(`${service.baseUrl}/v1${target}`, { headers });
    return (await response.json()).results;
  };
  const failed = transactions.filter(({ error }) => error !== null);
  expect(failed.length).toBeGreaterThan(0);
  for (const { hash, error, from } of transactions) {
    const status = error === null ? { status: null } : { status: "0", description: error };
    expect((await ask(`/transactions/${hash}/transaction-status`)).data).toEqual(status);
    expect((await ask(`/transactions/${hash}/receipt-status`)).data).toEqual({ status: null });
    const { data } = await ask(`/accounts/${from}/transactions?limit=1`);
    expect(data[0].tx_status).toBeNull();
  }
});
