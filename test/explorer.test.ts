// The options of a mock explorer: a mistake is named when it is made, not by a puzzling response.
import { inspect } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { createHandlers } from "../mocks/msw/handlers.ts";
import { setupExplorer } from "../mocks/msw/setup.ts";
import {
  buildChain,
  Chain,
  callData,
  coins,
  createExplorer,
  createProxy,
  createReplay,
  createVerifier,
  loadChain,
  loadDemo,
  parseChain,
  serveExplorer,
  word,
} from "../mocks/node.ts";

test.each([
  [{ chian: undefined }, 'unknown option chian; did you mean "chain"?'],
  [
    { upstream: "https://a.example" },
    "unknown option upstream; expected one of chain, source, baseUrl",
  ],
  [
    { baseUrl: "localhost:3000" },
    'baseUrl: expected an https:// or http:// URL, received "localhost:3000"',
  ],
  [
    { chain: {} },
    "chain: expected a chain, its builder, or a follower (from buildChain, loadChain, followNode …), received an object",
  ],
  [buildChain(), "expected an object of options, received a ChainBuilder"],
  [{ conformance: "error" }, 'conformance: expected one of throw, warn, received "error"'],
  [{ apiKeys: "secret" }, "apiKeys: expected keys that are not empty"],
  [{ chain: Promise.resolve() }, "chain: expected a chain, received a Promise: await it"],
])("createExplorer(%o) is a mistake", (options, message) => {
  expect(() => createExplorer(options as never)).toThrow(`createExplorer: ${message}`);
});

test("wrong use is refused by the name of the function, with what it expected", async () => {
  const mock = createExplorer();
  const { journal, builder } = mock;
  const served = await serveExplorer(mock, { admin: true });
  onTestFinished(() => served.close());
  // What a program without types may pass.
  const wrong = <Value>(value: unknown) => value as Value;
  const payer = builder.account({ balance: coins(1) });
  for (const [run, message] of [
    [
      () => createExplorer(wrong({ dialect: "wemx" })),
      /^dialect: .*received "wemx"; did you mean "wemix"/,
    ],
    [() => createReplay("calls", wrong({ stale: true })), /^createReplay: unknown option stale;/],
    [
      () => createReplay(wrong(undefined)),
      /^createReplay: expected the folder of a recording, received nothing/,
    ],
    [
      () => createProxy(wrong(undefined)),
      /^createProxy: expected the URL of an explorer, received nothing/,
    ],
    [
      () => createProxy("https://x.test", wrong({ recrod: "x" })),
      /^createProxy: unknown option recrod; did you mean "record"/,
    ],
    [
      () => createProxy("https://x.test", wrong({ fetch: 5 })),
      /^createProxy: fetch: expected a function, received 5/,
    ],
    [
      () => createVerifier(wrong({ timeuot: 1 })),
      /^createVerifier: unknown option timeuot; did you mean "timeout"/,
    ],
    [
      () => createVerifier(wrong({ memory: "1" })),
      /^createVerifier: memory: expected a number above 0, received "1"/,
    ],
    [() => loadChain(wrong(undefined)), /^loadChain: expected a folder, received nothing/],
    [
      () => loadChain("chain", wrong({ chainid: 1 })),
      /^loadChain: unknown option chainid; did you mean "chainId"/,
    ],
    [
      () => loadDemo(wrong({ verifed: true })),
      /^loadDemo: unknown option verifed; did you mean "verified"/,
    ],
    [
      () => parseChain(wrong(undefined)),
      /^parseChain: expected the texts of blocks, .*received nothing/,
    ],
    [() => parseChain({}, wrong({ chainid: 1 })), /^parseChain: unknown option chainid/],
    [
      () => new Chain(wrong({ chainid: 1 })),
      /^new Chain: chainId: expected a whole number, received nothing/,
    ],
    [
      () => mock.chain.append(wrong({})),
      /^chain.append: expected a block and its executions, received an Object/,
    ],
    [
      () => journal.expect("A2", {}, wrong({ time: 0 })),
      /^journal.expect: unknown option time; did you mean "times"/,
    ],
    [
      () => journal.expect("A2", {}, wrong({ times: "0" })),
      /^journal.expect: times: expected .*received "0"/,
    ],
    [
      () => journal.find("A2", wrong(null)),
      /^parameters of accounts.transactions \(A2\): expected an object, received null/,
    ],
    [
      () => journal.count(undefined, wrong({ limit: 1 })),
      /^count: expected the operation that has these parameters/,
    ],
    [() => journal.expect(wrong<"A2">(undefined)), /^no operation undefined; the operations are /],
    [
      () => mock.chain.transactions(payer, wrong("sender")),
      /^chain.transactions: role: expected one of all, to, from, contract, received "sender"/,
    ],
    [() => word(wrong("x")), /^word: expected a whole number, a boolean or .* received "x"/],
    [() => word(1.5), /^word: expected a whole number, .*received 1.5/],
    [() => callData("f(uint7)", 1n), /^callData: expected static types .*received uint7/],
    [
      () => mock.tenant(wrong(undefined)),
      /^explorer.tenant: expected an API key, received nothing/,
    ],
    [
      () => builder.deploy(payer, { does: (frame) => frame.emit(wrong("x")) }),
      /^emit: expected a list of topics, received "x"/,
    ],
    [
      () => served.close(wrong({ grace: 1 })),
      /^close: unknown option grace; did you mean "graceMs"/,
    ],
    [
      () => served.admin.request(wrong<"mine">("mime"), {}),
      /^admin.request: no operation "mime"; did you mean "mine"/,
    ],
  ] as const)
    await expect(async () => run()).rejects.toThrow(message);
  // A range of blocks may be left out.
  const lists = [mock.chain.transactions(payer), mock.chain.frames(payer)];
  expect([...lists, mock.chain.transfers(payer, "mrc20")].map(({ count }) => count)).toEqual([
    0, 0, 0,
  ]);
});

test("amounts are bigints in every call, and decimal digits in what is shown", async () => {
  const mock = createExplorer();
  const served = await serveExplorer(mock, { admin: true });
  onTestFinished(() => served.close());
  const { request } = served.admin;
  const { accounts } = await request("recipe", { accounts: [{ name: "payer", balance: 5n }] });
  expect(mock.chain.balance(accounts.payer ?? "0x")).toBe(5n);
  const where = { block_number: 7n };
  await request("addFaults", { fault: "reset", where });
  expect(inspect(mock.faults)).toContain('"where":{"block_number":"7"}');
  expect(() => mock.faults.expectMatched()).toThrow('"where":{"block_number":"7"}');
  await expect(request("expect", { operation: "B1", parameters: where })).rejects.toThrow(
    'expected a request of blocks.get (B1) with block_number "7", received none',
  );
});

test("a builder in place of an explorer is named by every transport", async () => {
  const builder = buildChain() as never;
  const mistake =
    /^(serveExplorer|setupExplorer|createHandlers): expected an explorer from createExplorer, received a ChainBuilder$/;
  await expect(serveExplorer(builder)).rejects.toThrow(mistake);
  expect(() => setupExplorer(builder)).toThrow(mistake);
  expect(() => createHandlers(builder)).toThrow(mistake);
  expect(() => setupExplorer(createExplorer(), { handler: [] } as never)).toThrow(
    'setupExplorer: unknown option handler; did you mean "handlers"?',
  );
});

test("a base URL with the version in it is explained", async () => {
  const ask = async (baseUrl: string, url: string) => {
    const response = await createExplorer({ baseUrl }).fetch(url, { headers: { "api-key": "k" } });
    return (await response.json()).message;
  };
  const hint = "paths begin with /v1 once: leave it out of the base URL";
  expect(await ask("https://x.test/v1", "https://x.test/v1/blocks/0")).toContain(hint);
  expect(await ask("https://x.test", "https://x.test/v1/v1/blocks/0")).toContain(hint);
});

test("console.log shows what an explorer, its journal and its faults hold", async () => {
  const mock = createExplorer();
  mock.faults.add({ preset: "503 twice" });
  await mock.fetch(`${mock.baseUrl}/v1/blocks/0?page=1`, { headers: { "api-key": "k" } });
  expect(inspect(mock)).toBe("Explorer at https://explorer.test: 1 blocks, 1 requests, 1 faults");
  expect(inspect(mock.journal)).toMatch(
    /^Journal of 1 request:\n {2}#1 503 blocks.get \(B1\) GET .*ignored the parameter page$/,
  );
  expect(inspect(mock.faults)).toMatch(
    /^1 faults:\n {2}#1 \{"fault":"status".*matched 1, applied 1$/,
  );
});

test("a base URL has no slash at its end", () => {
  expect(createExplorer({ baseUrl: "https://A.test/a//b//" }).baseUrl).toBe("https://a.test/a//b");
});

test("the clock of a test is the explorer's, also one that is replaced later", async () => {
  const mock = createExplorer();
  mock.faults.add({ fault: "rate-limit", retryAfter: 5, times: 1 });
  const status = async () =>
    (await mock.fetch(`${mock.baseUrl}/v1/blocks/0`, { headers: { "api-key": "k" } })).status;
  vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ["Date"] });
  expect([await status(), await status()]).toEqual([429, 429]);
  vi.setSystemTime(1_700_000_006_000);
  expect(await status()).toBe(200);
  expect(mock.journal.entries.map(({ at }) => at)).toEqual([
    ...[1_700_000_000_000, 1_700_000_000_000, 1_700_000_006_000],
  ]);
});

test("durations are by a given clock", async () => {
  const mock = createExplorer({ now: () => 1_700_000_000_000 });
  mock.faults.add({ fault: "latency", ms: 5 });
  await mock.fetch(`${mock.baseUrl}/v1/blocks/0`, { headers: { "api-key": "k" } });
  expect(mock.journal.entries[0]).toMatchObject({ at: 1_700_000_000_000, duration: 0 });
});
