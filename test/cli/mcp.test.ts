// `mrc-explorer mcp`, spoken to by the official client over standard input and output.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { operations } from "../../src/contract/index.ts";
import { ALICE, AURORA, KEY, serveDemo } from "./serve-demo.ts";

const demo = serveDemo();
const main = fileURLToPath(new URL("../../mocks/cli/main.ts", import.meta.url));

const { NODE_OPTIONS = "", NODE_COMPILE_CACHE = "" } = process.env;

/** A client of a new process. */
async function connect(words: readonly string[], env: Record<string, string> = {}) {
  const client = new Client({ name: "test", version: "1" });
  const messages: string[] = [];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, "mcp", ...words],
    // The environment of this process is not passed on; what lets it run sources, and soon, is.
    env: { NODE_OPTIONS, NODE_COMPILE_CACHE, ...env },
    stderr: "ignore",
  });
  await client.connect(transport);
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const [part] = content;
    const text = part?.type === "text" ? part.text : "";
    messages.push(text);
    return { isError: isError === true, text, json: JSON.parse(text) };
  };
  return { client, call, messages };
}

let agent: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  agent = await connect(["--demo"]);
}, 60_000);
afterAll(() => agent.client.close());

test("there is a tool for each operation but C3, read-only, with described arguments", async () => {
  const { tools } = await agent.client.listTools();
  const names = Object.values(operations).map(({ name }) => name.replace(".", "_"));
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(names.filter((name) => name !== "contracts_verify")),
  );
  for (const { annotations, inputSchema, outputSchema } of tools) {
    expect(annotations?.readOnlyHint).toBe(true);
    expect(outputSchema).toBeDefined();
    for (const property of Object.values(inputSchema.properties ?? {}))
      expect(property).toHaveProperty("description");
  }
  const list = tools.find(({ name }) => name === "accounts_transactions");
  expect(list?.inputSchema.required).toEqual(["address"]);
});

test("a list has amounts as they are and formatted, and goes on after its cursor", async () => {
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    // The server remembers the arguments of an answer by its cursor.
    const given: Record<string, unknown> = cursor ? { cursor } : { address: ALICE, max: 60 };
    const { json, text } = await agent.call("accounts_transactions", given);
    expect(text.length).toBeLessThanOrEqual(16_000);
    expect(json.cursor ?? "c1").toMatch(/^c\d+$/);
    for (const { transaction_hash, value, value_formatted } of json.records) {
      seen.add(transaction_hash);
      expect(value).toMatch(/^\d+$/);
      if (value !== "0") expect(value_formatted).toMatch(/^\d+(\.\d+)?$/);
    }
    cursor = json.cursor;
  } while (cursor);
  expect(seen.size).toBe(144);
});

/** The source of a contract, put together from its parts. */
async function readParts(given: Record<string, unknown>) {
  let text = "";
  for (let cursor: string | undefined = "0"; cursor !== undefined; ) {
    const part = await agent.call("contracts_code", { address: AURORA, ...given, cursor });
    expect(part.text.length).toBeLessThanOrEqual(16_000);
    text += part.json.part;
    cursor = part.json.cursor;
  }
  return JSON.parse(text);
}

test("a long answer is cut, says so, has a cursor to its rest, and the bytecode only on request", async () => {
  const first = await agent.call("eventLogs_list", { address: AURORA, max: 1000 });
  expect(first.text.length).toBeLessThanOrEqual(16_000);
  expect(first.json).toMatchObject({ count: 249, note: "more records: the answer is full" });
  expect(first.json.cursor).toMatch(/^c\d+$/);
  const whole = await readParts({ bytecode: true });
  expect(whole.data.contract_name).toBe("AuroraToken");
  const { data } = await readParts({});
  expect(data).not.toHaveProperty("contract_code");
  expect(data.bytecode_bytes).toBe(whole.data.contract_code.length / 2 - 1);
  const beyond = { address: AURORA, cursor: "9999999" };
  expect(await agent.call("contracts_code", beyond)).toMatchObject({
    isError: true,
    json: { message: "cursor: expected the cursor of an earlier answer, received 9999999" },
  });
});

test("a list of 50 records is one request, and a filtered one reads whole pages", async () => {
  const env = { EXPLORER_BASE_URL: demo.url, EXPLORER_API_KEY: KEY };
  const { client, call } = await connect([], env);
  onTestFinished(() => client.close());
  const few = await call("accounts_transactions", { address: ALICE, max: 20 });
  expect([few.json.records.length, demo.mock.journal.count("A2")]).toEqual([20, 1]);
  demo.mock.journal.clear();
  const failed = await call("accounts_transactions", { address: ALICE, failed: true });
  expect(failed.json).toMatchObject({ matching: failed.json.records.length, read: 144 });
  expect(demo.mock.journal.count("A2")).toBe(1);
}, 60_000);

test("a failure has a code and says what to do", async () => {
  const { isError, json } = await agent.call("blocks_get", { block_number: "999999" });
  expect(isError).toBe(true);
  expect(json).toEqual({ code: "NOT_FOUND", message: expect.stringContaining("999999") });
});

test("a number may come as one or as its digits, if neither loses any", async () => {
  const [number, digits] = await Promise.all(
    [7, "7"].map((block_number) => agent.call("blocks_get", { block_number })),
  );
  expect(number).toEqual(digits);
  expect(number?.json.data.block_number).toBe("7");
  const few = { address: ALICE, startBlock: 1, endBlock: "900", max: "2" };
  expect((await agent.call("accounts_transactions", few)).json.records).toHaveLength(2);
  expect((await agent.call("blocks_get", { block_number: 2 ** 53 })).isError).toBe(true);
});

test.each([
  { cursor: "", kind: "an empty" },
  { cursor: "x", kind: "an unknown" },
  { cursor: "-1", kind: "a negative" },
  { cursor: "9".repeat(500), kind: "a long" },
])("$kind cursor is refused, with what was expected", async ({ cursor }) => {
  const list = await agent.call("accounts_transactions", { address: ALICE, cursor });
  const text = await agent.call("contracts_code", { address: AURORA, cursor });
  for (const { isError, json } of [list, text]) {
    expect(isError).toBe(true);
    expect(json.message).toContain("cursor");
    expect(json.message.length).toBeLessThan(300);
  }
});

describe("beside an explorer that lies", () => {
  /** What it adds to each record. */
  let lie: Readonly<Record<string, string>> = {};
  const server = createServer(async ({ url = "" }, response) => {
    const answer = await fetch(demo.url + url, { headers: { "api-key": KEY } });
    const text = JSON.stringify(await answer.json(), (_, value) =>
      value?.block_number === undefined ? value : { ...value, ...lie },
    );
    response.setHeader("content-type", "application/json");
    response.end(text);
  });
  let liar: Awaited<ReturnType<typeof connect>>;
  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    liar = await connect(["--base-url", `http://127.0.0.1:${port}`, "--api-key", KEY]);
  });
  afterAll(async () => {
    await liar.client.close();
    server.close();
  });

  test("what it says of a formatted amount does not replace ours", async () => {
    lie = { reward_formatted: "1000000" };
    const { json } = await liar.call("blocks_get", { block_number: 1 });
    expect(json.data.reward_formatted).not.toBe("1000000");
  });

  test("an answer that repeats the key is withheld", async () => {
    lie = { remark: Buffer.from(`key: ${KEY}`).toString("base64") };
    for (const [name, given] of [
      ["blocks_get", { block_number: 1 }],
      ["accounts_transactions", { address: ALICE }],
    ] as const)
      expect(await liar.call(name, given)).toMatchObject({
        isError: true,
        json: { message: "the explorer's answer repeats the API key, so it is withheld" },
      });
  });

  test("records with texts that are too long come with these cut, and the list continues", async () => {
    lie = { remark: "\u20ac".repeat(40_000) };
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const given: Record<string, unknown> = cursor
        ? { cursor }
        : { address: ALICE, endBlock: 11, max: 1000 };
      const { text, json } = await liar.call("accounts_transactions", given);
      expect(text.length).toBeLessThanOrEqual(16_000);
      for (const { transaction_hash, remark } of json.records) {
        seen.add(transaction_hash);
        expect(remark).toMatch(/€… \(cut: 40000 characters; /);
      }
      cursor = json.cursor;
    } while (cursor);
    expect(seen.size).toBe(demo.mock.chain.transactions(ALICE, "all", { endBlock: 11 }).count);
  });
});

test("C3 is a tool with --allow-verify alone, and the key is in no message", async () => {
  const env = { EXPLORER_BASE_URL: demo.url, EXPLORER_API_KEY: KEY };
  const { client, call, messages } = await connect(["--allow-verify"], env);
  const { tools } = await client.listTools();
  const verify = tools.find(({ name }) => name === "contracts_verify");
  expect(verify?.annotations?.readOnlyHint).toBe(false);
  expect((await call("blocks_get", { block_number: 1 })).isError).toBe(false);
  demo.mock.faults.add({ fault: "failure", message: `the key ${KEY} is tired` });
  expect((await call("blocks_get", { block_number: "2" })).isError).toBe(true);
  expect(JSON.stringify([tools, messages])).not.toContain(KEY);
  await client.close();
}, 60_000);

describe("arguments", () => {
  const ask = (name: string, given: Record<string, unknown>) => agent.call(name, given);

  test.each([
    [{ address: ALICE, limit: 5 }, "limit: no such argument; accounts_transactions takes address"],
    [{ address: ALICE, condition: "form" }, "condition: expected"],
    [{}, "address: missing"],
    [{ address: "0x12" }, "address: expected an address"],
    [{ address: ALICE, address_hash: ALICE }, "address and address_hash: pass one of them"],
    [{ address: ALICE, max: "0" }, "max: expected"],
    [{ address: ALICE, max: 0 }, "max: expected"],
    [{ address: ALICE, max: "1001" }, "max: expected"],
    [{ cursor: "c999" }, "cursor: this server does not know c999"],
    [{ address: ALICE, since: "yesterday" }, "since: expected"],
  ])("a wrong one is named, with what is accepted: %j", async (given, message) => {
    const { isError, json } = await ask("accounts_transactions", given);
    expect([isError, json.code]).toEqual([true, "PARAMETER"]);
    expect(json.message).toContain(message);
  });

  test("the specification's names are accepted, and null is what is left out", async () => {
    const given = { address_hash: ALICE, startBlock: null, condition: null, max: "2" };
    expect((await ask("accounts_transactions", given)).json.records).toHaveLength(2);
  });
});

test("cancelling a call, and the end of input, stop its requests", async () => {
  const env = { EXPLORER_BASE_URL: demo.url, EXPLORER_API_KEY: KEY };
  const { client } = await connect([], env);
  onTestFinished(() => client.close());
  demo.mock.faults.add({ fault: "latency", ms: 200 });
  const stop = new AbortController();
  const given = { address: ALICE };
  const calling = client.callTool(
    { name: "accounts_createdContracts", arguments: given },
    { signal: stop.signal },
  );
  await vi.waitFor(() => expect(demo.mock.journal.count()).toBeGreaterThan(2), 20_000);
  stop.abort();
  await expect(calling).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before = demo.mock.journal.count();
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect(demo.mock.journal.count()).toBe(before);
  const second = client.callTool({ name: "accounts_createdContracts", arguments: given });
  second.catch(() => {});
  await vi.waitFor(() => expect(demo.mock.journal.count()).toBeGreaterThan(before), 20_000);
  const began = performance.now();
  await client.close();
  expect(performance.now() - began).toBeLessThan(2_000);
}, 60_000);

test("all calls share the rate limit of the server", async () => {
  const env = { EXPLORER_BASE_URL: demo.url, EXPLORER_API_KEY: KEY };
  const { client, call } = await connect(["--rate-limit", "1"], env);
  onTestFinished(() => client.close());
  const calls = Array.from({ length: 8 }, (_, block) =>
    call("blocks_get", { block_number: block }),
  );
  await Promise.race([Promise.all(calls), new Promise((resolve) => setTimeout(resolve, 2500))]);
  expect(demo.mock.journal.count("B1")).toBeLessThanOrEqual(4);
  for (const pending of calls) pending.catch(() => {});
}, 60_000);

test("a long read reports its progress", async () => {
  const env = { EXPLORER_BASE_URL: demo.url, EXPLORER_API_KEY: KEY };
  const { client } = await connect([], env);
  onTestFinished(() => client.close());
  const seen: unknown[] = [];
  // The SDK's client drops a report that arrives together with the result, so more requests follow.
  await client.callTool(
    { name: "accounts_createdContracts", arguments: { address: ALICE } },
    { onprogress: (progress) => seen.push(progress) },
  );
  expect(seen).toContainEqual({ progress: 144, total: 144 });
}, 60_000);
