// `mrc-explorer mcp`, spoken to by the official client over standard input and output.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

test("there is a tool for each operation but C3, read-only, with described parameters", async () => {
  const { tools } = await agent.client.listTools();
  expect(tools).toHaveLength(Object.keys(operations).length - 1);
  for (const { annotations, description, inputSchema } of tools) {
    expect(annotations?.readOnlyHint).toBe(true);
    expect(description).toMatch(/\([A-Z]\d+\)\. Amounts are decimal strings/);
    for (const property of Object.values(inputSchema.properties ?? {}))
      expect(property).toHaveProperty("description");
  }
  const list = tools.find(({ name }) => name === "accounts_transactions");
  expect(list?.inputSchema.required).toEqual(["address_hash"]);
});

test("a list has amounts as they are and formatted, and goes on after its cursor", async () => {
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const given = { address_hash: ALICE, max: 60, ...(cursor && { cursor }) };
    const { json } = await agent.call("accounts_transactions", given);
    for (const { transaction_hash, value, value_formatted } of json.records) {
      seen.add(transaction_hash);
      expect(value).toMatch(/^\d+$/);
      if (value !== "0") expect(value_formatted).toMatch(/^\d+(\.\d+)?$/);
    }
    cursor = json.cursor;
  } while (cursor);
  expect(seen.size).toBe(144);
});

test("a long answer is cut, with a cursor to its rest, never silently", async () => {
  const given = { address: AURORA, max: 1000 };
  const first = await agent.call("eventLogs_list", given);
  expect(first.text.length).toBeLessThan(110_000);
  const { count, records, cursor } = first.json;
  expect(records.length === count || typeof cursor === "string").toBe(true);
  let text = "";
  for (let next: string | undefined = "0"; next !== undefined; ) {
    const part = await agent.call("contracts_code", { contract_hash: AURORA, cursor: next });
    expect(part.text.length).toBeLessThan(100_000);
    text += part.json.part;
    next = part.json.cursor;
  }
  expect(JSON.parse(text).data.contract_name).toBe("AuroraToken");
  const beyond = { contract_hash: AURORA, cursor: `${text.length}` };
  expect(await agent.call("contracts_code", beyond)).toMatchObject({
    isError: true,
    json: { message: `cursor: expected that of an answer before, received "${text.length}"` },
  });
});

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
  const few = { address_hash: ALICE, startBlock: 1, endBlock: "900", max: "2" };
  expect((await agent.call("accounts_transactions", few)).json.records).toHaveLength(2);
  await expect(agent.call("blocks_get", { block_number: 2 ** 53 })).rejects.toThrow();
});

test.each([
  { cursor: "", kind: "an empty" },
  { cursor: "x", kind: "an unknown" },
  { cursor: "-1", kind: "a negative" },
  { cursor: "9".repeat(500), kind: "a long" },
])("$kind cursor is refused, with what was expected", async ({ cursor }) => {
  const list = await agent.call("accounts_transactions", { address_hash: ALICE, cursor });
  const text = await agent.call("contracts_code", { contract_hash: AURORA, cursor });
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
    lie = { note: Buffer.from(`key: ${KEY}`).toString("base64") };
    for (const [name, given] of [
      ["blocks_get", { block_number: 1 }],
      ["accounts_transactions", { address_hash: ALICE }],
    ] as const)
      expect(await liar.call(name, given)).toMatchObject({
        isError: true,
        json: { message: "the explorer's answer repeats the API key, so it is withheld" },
      });
  });

  test("records with texts above 100 kB come with these cut, and the list continues", async () => {
    lie = { note: "\u20ac".repeat(40_000) };
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const given = { address_hash: ALICE, endBlock: 11, max: 1000, ...(cursor && { cursor }) };
      const { text, json } = await liar.call("accounts_transactions", given);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(100_000);
      for (const { transaction_hash, note } of json.records) {
        seen.add(transaction_hash);
        expect(note).toMatch(/€… \(cut: 40000 characters; /);
      }
      cursor = json.cursor;
    } while (cursor);
    expect(seen.size).toBe(demo.mock.chain.transactions(ALICE, "all", { endBlock: 11 }).count);
  });
});

describe("beside an explorer", () => {
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
});
