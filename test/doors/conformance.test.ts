// Answers that break the contract are found out at every door, also those a test puts in the service's place.
import { HttpResponse, http } from "msw";
import * as hooks from "vitest";
import { describe, expect, test, vi } from "vitest";
import { buildChain, coins } from "../../mocks/chain/build/index.ts";
import { createExplorer } from "../../mocks/doors/explorer.ts";
import { setupExplorer } from "../../mocks/doors/setup.ts";

const story = buildChain();
const alice = story.account({ name: "alice", balance: coins(10) });
story.mine();
const baseUrl = "https://explorer.test";
const url = `${baseUrl}/v1/accounts/${alice}/transactions`;
const route = `${baseUrl}/v1/accounts/:address/transactions`;
const ask = (target = url) => fetch(target, { headers: { "api-key": "k" } });

describe("an override that breaks the contract", () => {
  const mock = createExplorer({ chain: story.chain, baseUrl, conformance: "throw" });
  const { server } = setupExplorer(mock, { hooks });
  const envelope = (results: unknown) => ({ status: "200", message: "success", results });

  test.each([
    ["a wrong field", envelope({ count: "many", data: [] }), "results.count"],
    ["a missing field", envelope({ count: "0" }), "results.data"],
    ["no envelope", { count: "0", data: [] }, "expected an envelope"],
    [
      "a number for a status",
      { status: 200, message: "success", results: {} },
      "expected an envelope",
    ],
  ])("with %s is answered with 500 that says where", async (_, answer, where) => {
    server.use(http.get(route, () => HttpResponse.json(answer)));
    const response = await ask();
    expect(response.status).toBe(500);
    expect((await response.json()).message).toContain(
      `an answer of A2 breaks the contract: ${where}`,
    );
    // Else this test would fail, as it should.
    expect(mock.violations.splice(0)).toHaveLength(1);
  });

  test.each([
    ["text", () => HttpResponse.text("hello"), "content type"],
    [
      "no JSON",
      () => new HttpResponse("{", { headers: { "content-type": "application/json" } }),
      "expected JSON",
    ],
    [
      "an error without envelope",
      () => HttpResponse.json({ error: "x" }, { status: 500 }),
      "envelope",
    ],
  ])("with %s is found out", async (_, answer, what) => {
    server.use(http.get(route, answer));
    await ask();
    expect(mock.violations.splice(0)[0]?.message).toContain(what);
  });

  test("is left alone where it keeps it: results, refusals, broken connections, other services", async () => {
    server.use(
      http.get(route, () => HttpResponse.json(envelope({ count: "0", data: [] })), { once: true }),
      http.get(
        route,
        () => HttpResponse.json({ status: "503", message: "busy", results: null }, { status: 503 }),
        { once: true },
      ),
      http.get(
        route,
        () =>
          HttpResponse.json({
            status: "200",
            message: "contract is not yet verified",
            results: {},
          }),
        { once: true },
      ),
      http.get(route, () => HttpResponse.error(), { once: true }),
      http.get("https://elsewhere.example/", () => HttpResponse.text("hello")),
    );
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(503);
    expect((await ask()).status).toBe(200);
    await expect(ask()).rejects.toThrow();
    expect((await ask("https://elsewhere.example/")).status).toBe(200);
    expect((await ask()).status).toBe(200);
    expect(mock.violations).toEqual([]);
  });

  test("faults break the contract on purpose, and are not held against anybody", async () => {
    mock.faults.add({ fault: "field", path: "count", value: "many" });
    expect((await (await ask()).json()).results.count).toBe("many");
    expect(mock.violations).toEqual([]);
  });
});

describe("in tests that run at the same time an override counts against its own test only", () => {
  const mock = createExplorer({ chain: story.chain.fork(), baseUrl, conformance: "throw" });
  const { server, isolated } = setupExplorer(mock, { hooks });

  test("the isolated test hears of it, the explorer of the file does not", async () => {
    const slip = isolated(async (mine) => {
      server.use(http.get(route, () => HttpResponse.json({})));
      expect((await ask()).status).toBe(500);
      expect(mine.violations).toHaveLength(1);
    });
    await expect(slip()).rejects.toThrow("an answer of A2 breaks the contract");
    expect(mock.violations).toEqual([]);
  });
});

test("with conformance 'warn' the answer passes, and the console says so", async () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const chain = story.chain.fork();
  const mock = createExplorer({ chain, baseUrl, conformance: "warn" });
  // A chain that brings what no answer may have.
  vi.spyOn(chain, "balance").mockReturnValue(-1n);
  const response = await mock.fetch(`${baseUrl}/v1/accounts/balance`, {
    method: "POST",
    headers: { "api-key": "k", "content-type": "application/json" },
    body: JSON.stringify({ addresses: [alice] }),
  });
  expect(response.status).toBe(200);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("results.data.0.balance"));
  warn.mockRestore();
});
