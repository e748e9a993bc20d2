// Requests in full: what is kept, shown without the key, and bounded.
import { expect, onTestFinished, test } from "vitest";
import {
  createExplorer,
  type Explorer,
  type ExplorerOptions,
  serviceOf,
} from "../../mocks/explorer.ts";
import { Exchanges, MAX_EXCHANGES, MAX_KEPT_BODY } from "../../mocks/journal/exchanges.ts";
import { serveExplorer } from "../../mocks/port/server.ts";
import { rawAdmin } from "../support/raw-admin.ts";
import { buildSampleChain } from "../support/sample-chain.ts";

const key = "a secret/key";
const account = `0x${"a1".repeat(20)}`;

async function serve(options: ExplorerOptions = {}) {
  const { builder, ...sample } = buildSampleChain();
  const explorer = createExplorer({ chain: builder, ...options });
  const served = await serveExplorer(explorer, { admin: true });
  onTestFinished(() => served.close({ graceMs: 0 }));
  const { call } = rawAdmin(served);
  const open = async (number: number) => Object((await call(`GET journal/${number}`)) as object);
  const ask = async (target: string, init: RequestInit = {}) => {
    const headers = { "api-key": key, ...init.headers };
    const response = await fetch(`${served.url}${target}`, { ...init, headers });
    return { status: response.status, body: await response.text() };
  };
  return { explorer, sample, call, open, ask };
}

test("a request is kept with headers and body, and its response as it was sent", async () => {
  const { ask, open } = await serve();
  const sent = JSON.stringify({ addresses: [account] });
  const headers = { "content-type": "application/json", "x-trace": "7" };
  const { body } = await ask("/v1/accounts/balance", { method: "POST", body: sent, headers });
  const { entry, exchange } = await open(1);
  expect(entry).toMatchObject({ number: 1, target: "/v1/accounts/balance" });
  expect(exchange).toMatchObject({
    request: { headers: { "x-trace": "7", "api-key": "[api-key]" }, body: sent, encoding: "text" },
    response: { headers: { "content-type": "application/json" }, body },
    untouched: null,
    faults: [],
  });
});

test("bytes that are no text are kept as base64", async () => {
  const { ask, open } = await serve();
  const bytes = new Uint8Array([0xff, 0, 0x7b]);
  await ask("/v1/accounts/balance", { method: "POST", body: bytes });
  const { exchange } = await open(1);
  expect(exchange.request).toMatchObject({ body: "/wB7", encoding: "base64" });
});

test("the key is nowhere, wherever it was sent", async () => {
  const { ask, open, call } = await serve();
  const form = new URLSearchParams({ module: "contract", action: "getabi", apikey: key });
  await ask(`/v1/blocks/1?api-key=${encodeURIComponent(key)}`);
  await ask("/etherscan/api", {
    method: "POST",
    body: `${form}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  await ask("/v1/accounts/balance", {
    method: "POST",
    body: JSON.stringify({
      addresses: [key],
      note: key,
      coded: btoa(`:${key}`),
      "api-key": "short",
    }),
    headers: { authorization: "Bearer short", cookie: "a=short", "x-copy": key },
  });
  const all = JSON.stringify([await open(1), await open(2), await open(3)]);
  for (const secret of [key, encodeURIComponent(key), "a+secret%2Fkey", "short", "c2VjcmV0"])
    expect(all).not.toContain(secret);
  expect(all.match(/\[api-key\]/g)?.length).toBeGreaterThan(6);
  expect(JSON.stringify(await call("GET journal"))).not.toContain("a+secret%2Fkey");
});

test("a fault that applied is kept with the response it took the place of", async () => {
  const { ask, open, explorer } = await serve();
  const healthy = await ask("/v1/blocks/1");
  explorer.faults.add({ fault: "status", status: 503, once: true });
  explorer.faults.add({ fault: "field", path: "data.block_number", value: "x", nth: 1 });
  expect((await ask("/v1/blocks/1")).status).toBe(503);
  const changed = await ask("/v1/blocks/1");
  const [, second, third] = [await open(1), await open(2), await open(3)];
  expect(second.exchange).toMatchObject({
    response: { status: 503 },
    untouched: healthy,
    faults: [{ fault: "status", status: 503, once: true }],
  });
  expect(changed.body).not.toBe(healthy.body);
  expect(third.exchange).toMatchObject({ response: changed, untouched: healthy });
});

test("a fault does not submit a source twice", async () => {
  let submitted = 0;
  const verifier = {
    verify: async () => ({ verified: false as const, message: `${++submitted}` }),
    close: async () => {},
  };
  const { ask, open, explorer, sample } = await serve({ verifier });
  explorer.faults.add({ fault: "status", status: 503 });
  const to = Object.values(sample).find((one) => typeof one === "string") ?? account;
  await ask(`/v1/contracts/${to}/verify`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ contract_name: "A", compiler: "0.8.20" }),
  });
  const { exchange } = await open(1);
  expect(exchange.untouched).toBeNull();
  expect(submitted).toBe(0);
});

test("the journal lists the requests that returned a text", async () => {
  const { ask, call, explorer } = await serve();
  const { hash, from } =
    explorer.chain.allTransactions({}).at(explorer.chain.transactionCount - 1) ?? {};
  await ask(`/v1/accounts/${from}/transactions`);
  await ask("/v1/blocks/0");
  const checksummed = `0x${hash?.slice(2).toUpperCase()}`;
  await ask(`/v1/accounts/${from}/transactions?limit=9`);
  for (const [limit, found] of [
    ["", [{ number: 1 }, { number: 3 }]],
    ["&limit=1", [{ number: 3 }]],
  ] as const)
    expect(await call(`GET journal?containing=${checksummed}${limit}`)).toMatchObject({
      entries: found,
    });
  expect(await call("GET journal?containing=nowhere")).toMatchObject({ entries: [] });
});

test("nothing is kept without the admin API, nor of requests that were forgotten", async () => {
  const { explorer } = await serve();
  const plain = createExplorer({ chain: buildSampleChain().builder });
  const keptOf = async (of: Explorer) => {
    const { requests } = serviceOf(of);
    const { fetch, baseUrl } = of;
    await fetch(`${baseUrl}/v1/blocks/1`, { headers: { "api-key": key } });
    return requests.exchanges.of(requests.entries[0] ?? {});
  };
  expect(await keptOf(plain)).toBeUndefined();
  expect(await keptOf(explorer)).toBeDefined();
  const [entry = {}] = explorer.journal.entries;
  explorer.journal.clear();
  expect(serviceOf(explorer).requests.exchanges.of(entry)).toBeUndefined();
});

test("the newest are kept, with the beginning of a long body, which says what is missing", () => {
  const exchanges = new Exchanges();
  const response = { status: 200, headers: {}, body: "x".repeat(MAX_KEPT_BODY + 7) };
  const entries = Array.from({ length: MAX_EXCHANGES + 5 }, () => {
    const entry = {};
    exchanges.keep(entry, { request: { headers: {} }, response, faults: [] });
    return entry;
  });
  expect(entries.filter((entry) => exchanges.of(entry))).toHaveLength(MAX_EXCHANGES);
  const { body, missing } = exchanges.of(entries.at(-1) ?? {})?.response ?? {};
  expect({ body, missing }).toEqual({ body: "x".repeat(MAX_KEPT_BODY), missing: 7 });
});

test.each([
  ["12345678", "[api-key]"],
  ["1234567", "1234567"],
])("a key %s is hidden in a body only if it is no part of any word: %s", (secret, shown) => {
  const exchanges = new Exchanges();
  const entry = {};
  exchanges.keep(entry, {
    request: {
      headers: { "api-key": secret },
      body: new TextEncoder().encode(`of ${secret}`),
    },
    response: { status: 200, headers: {}, body: `to ${secret}` },
    faults: [],
  });
  const kept = exchanges.of(entry);
  expect(kept?.request.headers).toEqual({ "api-key": "[api-key]" });
  expect([kept?.request.body, kept?.response.body]).toEqual([`of ${shown}`, `to ${shown}`]);
});
