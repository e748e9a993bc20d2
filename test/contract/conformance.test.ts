// Responses that violate the contract are detected on every transport, also those of a test's own handlers.
import { HttpResponse, http } from "msw";
import * as hooks from "vitest";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { buildChain, coins } from "../../mocks/builder/index.ts";
import { createExplorer, type Explorer } from "../../mocks/explorer.ts";
import type { TestHook } from "../../mocks/msw/lifecycle.ts";
import { setupExplorer } from "../../mocks/msw/setup.ts";
import type { Conformance } from "../../src/contract/conformance.ts";

const story = buildChain();
const alice = story.account({ name: "alice", balance: coins(10) });
story.mine();
const baseUrl = "https://explorer.test";
const url = `${baseUrl}/v1/accounts/${alice}/transactions`;
const route = `${baseUrl}/v1/accounts/:address/transactions`;
/** What was found out since the last time: taken away, or else the test would fail, as it should. */
const found = async ({ violations }: Explorer) => {
  await expect.poll(() => violations.length).toBeGreaterThan(0);
  return violations.splice(0).map(({ message }) => message);
};
const ask = (target = url) => fetch(target, { headers: { "api-key": "k" } });

/** A response whose body comes in two parts, the second once it is released. */
const inParts = () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const body = () =>
    new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('{"status":"200",'));
        await released;
        controller.enqueue(new TextEncoder().encode('"message":"success","results":{}}'));
        controller.close();
      },
    });
  const headers = { "content-type": "application/json" };
  return { handler: http.get(route, () => new HttpResponse(body(), { headers })), release };
};

describe("an override that violates the contract", () => {
  const mock = createExplorer({ chain: story.chain, baseUrl, conformance: "throw" });
  const { server } = setupExplorer(mock, { hooks });
  const envelope = (results: unknown) => ({ status: "200", message: "success", results });

  test("passes, and is a violation that names the field", async () => {
    const answer = envelope({ count: "many", data: [] });
    server.use(http.get(route, () => HttpResponse.json(answer)));
    const response = await ask();
    expect([response.status, await response.json()]).toEqual([200, answer]);
    expect(await found(mock)).toEqual([
      expect.stringContaining(
        "response of accounts.transactions (A2) violates the contract: results.count",
      ),
    ]);
  });

  test("is left alone where it keeps it: results, broken connections, other services", async () => {
    server.use(
      http.get(route, () => HttpResponse.json(envelope({ count: "0", data: [] })), { once: true }),
      http.get(route, () => HttpResponse.error(), { once: true }),
      http.get("https://elsewhere.example/", () => HttpResponse.text("hello")),
    );
    expect((await ask()).status).toBe(200);
    await expect(ask()).rejects.toThrow();
    expect((await ask("https://elsewhere.example/")).status).toBe(200);
    expect((await ask()).status).toBe(200);
    expect(mock.violations).toEqual([]);
  });

  test("faults violate the contract deliberately and are no violations", async () => {
    mock.faults.add({ fault: "field", path: "count", value: "many" });
    expect((await (await ask()).json()).results.count).toBe("many");
    expect(mock.violations).toEqual([]);
  });
});

describe("in tests that run at the same time an override counts against its own test only", () => {
  const mock = createExplorer({ chain: story.chain.fork(), baseUrl, conformance: "throw" });
  const { server, isolated } = setupExplorer(mock, { hooks });

  test("the isolated test gets the violation, also where its body is still on the way, the explorer of the file does not", async () => {
    const { handler, release } = inParts();
    const violating = isolated(async () => {
      server.use(handler);
      expect((await ask()).status).toBe(200);
      setImmediate(release);
    });
    await expect(violating()).rejects.toThrow(
      "response of accounts.transactions (A2) violates the contract",
    );
    expect(mock.violations).toEqual([]);
  });

  test("of concurrent tests only the one with the wrong response gets the violation", async () => {
    const responding = (answer: object) =>
      isolated(async () => {
        server.use(http.get(route, () => HttpResponse.json(answer)));
        expect(await (await ask()).json()).toEqual(answer);
      });
    const right = { status: "200", message: "success", results: { count: "0", data: [] } };
    const runs = [right, {}, right, {}].map((answer) => responding(answer)());
    expect((await Promise.allSettled(runs)).map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
    ]);
    expect(mock.violations).toEqual([]);
  });
});

describe("at the end of a test", () => {
  /** A test runner whose hooks are called here. */
  function runner() {
    const called: Record<string, () => unknown> = {};
    const hook = (name: string) => (run: () => unknown) => {
      called[name] = run;
    };
    const names = ["beforeAll", "afterEach", "afterAll"] as const;
    const [beforeAll, afterEach, afterAll] = names.map(hook) as [TestHook, TestHook, TestHook];
    return { hooks: { beforeAll, afterEach, afterAll }, run: (name: string) => called[name]?.() };
  }
  const setUp = async (conformance: Conformance) => {
    const mock = createExplorer({ chain: story.chain.fork(), baseUrl, conformance });
    const { hooks, run } = runner();
    const { server } = setupExplorer(mock, { hooks });
    onTestFinished(() => void run("afterAll"));
    await run("beforeAll");
    return { mock, server, end: async () => run("afterEach") };
  };
  test("a violation fails it, also where its body is still on the way", async () => {
    const { mock, server, end } = await setUp("throw");
    const { handler, release } = inParts();
    server.use(handler);
    await ask();
    expect(mock.violations).toEqual([]);
    const ended = expect(end()).rejects.toThrow(
      "response of accounts.transactions (A2) violates the contract: results.data",
    );
    release();
    await ended;
    await ask();
    await end();
    server.use(http.get(route, () => HttpResponse.json({})));
    for (let count = 0; count < 2; count++) await ask();
    await expect(end()).rejects.toHaveProperty("errors.length", 2);
  });

  test("a body that does not end is not waited for, and is not held against the next test", async () => {
    const { mock, server, end } = await setUp("throw");
    const { handler, release } = inParts();
    server.use(handler);
    const answer = await ask();
    await end();
    release();
    expect((await answer.json()).results).toEqual({});
    expect(mock.violations).toEqual([]);
  });

  test("a caller who aborts is not told of a violation in half a body", async () => {
    const { mock, server, end } = await setUp("throw");
    const { handler, release } = inParts();
    server.use(handler);
    const controller = new AbortController();
    const answer = await fetch(url, { signal: controller.signal });
    controller.abort();
    await expect(answer.text()).rejects.toThrow();
    release();
    await end();
    expect(mock.violations).toEqual([]);
  });

  test("with 'warn' it passes, and the console has said once what is wrong", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { mock, server, end } = await setUp("warn");
    server.use(http.get(route, () => HttpResponse.json({}), { once: true }));
    await ask();
    await expect.poll(() => mock.violations).toHaveLength(1);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining("accounts.transactions (A2) violates the contract"),
    );
    warn.mockClear();
    // The service's own responses are checked where they are created, and only there.
    vi.spyOn(mock.chain, "transactions").mockReturnValue({
      count: -1,
      at: () => undefined,
      slice: () => [],
    } as never);
    await ask();
    await end();
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});
