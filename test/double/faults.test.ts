// Faults: which requests they match, effects that take time or state, and invalid faults.
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createExplorer, type Explorer } from "../../mocks/double/explorer.ts";
import {
  type Fault,
  FaultError,
  type FaultPreset,
  faultPresets,
} from "../../mocks/double/faults/index.ts";
import { createHandlers } from "../../mocks/double/msw/handlers.ts";
import { buildChain, coins } from "../../mocks/double/sources/builder/index.ts";
import { serveExplorer } from "../../mocks/workbench/port/server.ts";

const smallChain = () => {
  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const bob = builder.account({ name: "bob" });
  builder.transfer(alice, bob, coins(1));
  builder.mine();
  return { builder, alice, bob };
};

/** Sends a request to `mock.fetch` and reads status, headers and body. */
async function ask(mock: Explorer, target: string, key = "k") {
  const response = await mock.fetch(`${mock.baseUrl}${target}`, { headers: { "api-key": key } });
  const body = await response.text();
  return { status: response.status, headers: response.headers, body };
}

const statuses = async (mock: Explorer, targets: readonly string[]): Promise<number[]> => {
  const received: number[] = [];
  for (const target of targets) received.push((await ask(mock, target)).status);
  return received;
};

const head = "/v1/blocks/1";

describe("a fault strikes", () => {
  const { builder, alice, bob } = smallChain();
  const made = (...faults: Fault[]) => createExplorer({ chain: builder.chain.fork(), faults });

  test("the operations that are named", async () => {
    const mock = made({ fault: "status", status: 503, operation: ["A10", "B1"] });
    const targets = [head, `/v1/accounts/${alice}/mined-blocks`, `/v1/accounts/${alice}/tokens`];
    expect(await statuses(mock, targets)).toEqual([503, 503, 200]);
  });

  test("the operations that are named by the client's method, alone or in a list", async () => {
    const targets = [head, `/v1/accounts/${alice}/mined-blocks`, `/v1/accounts/${alice}/tokens`];
    const one = made({ fault: "status", status: 503, operation: "accounts.minedBlocks" });
    expect(await statuses(one, targets)).toEqual([200, 503, 200]);
    const both = made({ fault: "status", status: 503, operation: ["accounts.tokens", "B1"] });
    expect(await statuses(both, targets)).toEqual([503, 200, 503]);
  });

  test("requests with an address, in any case, also in a list", async () => {
    const mock = made({
      fault: "status",
      status: 503,
      address: alice.toUpperCase().replace("0X", "0x"),
    });
    expect(
      await statuses(mock, [`/v1/accounts/${alice}/tokens`, `/v1/accounts/${bob}/tokens`]),
    ).toEqual([503, 200]);
    const response = await mock.fetch(`${mock.baseUrl}/v1/accounts/balance`, {
      method: "POST",
      headers: { "api-key": "k", "content-type": "application/json" },
      body: JSON.stringify({ addresses: [bob, alice] }),
    });
    expect(response.status).toBe(503);
  });

  test("the n-th request", async () => {
    const mock = made({ fault: "status", status: 503, nth: [2, 4] });
    expect(await statuses(mock, Array(5).fill(head))).toEqual([200, 503, 200, 503, 200]);
  });

  test("once, or so many times", async () => {
    const once = made({ fault: "status", status: 503, once: true });
    expect(await statuses(once, Array(3).fill(head))).toEqual([503, 200, 200]);
    const twice = made({ fault: "status", status: 503, times: 2 });
    expect(await statuses(twice, Array(3).fill(head))).toEqual([503, 503, 200]);
  });

  test("until a moment, or a block", async () => {
    let now = Date.parse("2026-01-01T00:00:00Z");
    const chain = builder.chain.fork();
    const mock = createExplorer({ chain, now: () => now });
    mock.faults.add({ fault: "status", status: 503, until: "2026-01-01T00:00:10Z" });
    expect((await ask(mock, head)).status).toBe(503);
    now += 10_000;
    expect((await ask(mock, head)).status).toBe(200);
    mock.faults.add({ fault: "status", status: 500, untilBlock: chain.head.number });
    expect((await ask(mock, head)).status).toBe(200);
    mock.faults.add({ fault: "status", status: 500, untilBlock: chain.head.number + 1 });
    expect((await ask(mock, head)).status).toBe(500);
  });

  test("by chance, the same in every run of a seed", async () => {
    const run = (seed: number) =>
      statuses(
        createExplorer({
          chain: builder.chain.fork(),
          seed,
          faults: [{ fault: "status", status: 503, probability: 0.3 }],
        }),
        Array(400).fill(head),
      );
    const first = await run(1);
    expect(await run(1)).toEqual(first);
    expect(await run(2)).not.toEqual(first);
    const struck = first.filter((status) => status === 503).length;
    expect(struck).toBeGreaterThan(80);
    expect(struck).toBeLessThan(160);
  });

  test("by chance the same after a reset, and in a fork, whatever was added before", async () => {
    const mock = made();
    const run = (on: Explorer) => {
      on.faults.add({ fault: "status", status: 503, probability: 0.5 });
      return statuses(on, new Array(20).fill(head));
    };
    const first = await run(mock);
    mock.reset();
    const fork = mock.fork();
    expect(await run(mock)).toEqual(first);
    expect(await run(fork)).toEqual(first);
  });

  test("and counts how often, until it is removed", async () => {
    const mock = made();
    const active = mock.faults.add({ fault: "status", status: 503, nth: 2 });
    await statuses(mock, Array(3).fill(head));
    expect([active.matched, active.struck]).toEqual([3, 1]);
    active.remove();
    expect(mock.faults.list).toEqual([]);
  });
});

describe("limits", () => {
  const { builder } = smallChain();

  test("429 has the time until a request succeeds, and keeps to it", async () => {
    let now = 0;
    const mock = createExplorer({ chain: builder.chain.fork(), now: () => now });
    mock.faults.add({ fault: "rate-limit", retryAfter: 3, once: true });
    const refused = await ask(mock, head);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
    expect(JSON.parse(refused.body)).toMatchObject({ status: "429", results: null });
    now = 1500;
    expect((await ask(mock, head)).headers.get("retry-after")).toBe("2");
    now = 3000;
    expect((await ask(mock, head)).status).toBe(200);
  });

  test("a token bucket for each key fills evenly", async () => {
    let now = 0;
    const mock = createExplorer({ chain: builder.chain.fork(), now: () => now });
    mock.faults.add({ fault: "token-bucket", requests: 2, perMs: 10_000 });
    expect(await statuses(mock, Array(3).fill(head))).toEqual([200, 200, 429]);
    expect((await ask(mock, head, "another")).status).toBe(200);
    const { headers } = await ask(mock, head);
    expect(headers.get("retry-after")).toBe("5");
    now = 4999;
    expect((await ask(mock, head)).status).toBe(429);
    now = 5000;
    expect(await statuses(mock, [head, head])).toEqual([200, 429]);
  });
});

describe("time", () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const { builder } = smallChain();

  test("latency delays the response, and adds up", async () => {
    vi.useFakeTimers();
    const mock = createExplorer({ chain: builder.chain });
    mock.faults.add({ fault: "latency", ms: 40_000 });
    mock.faults.add({ fault: "latency", ms: { from: 20_000, to: 20_000 } });
    const pending = ask(mock, head);
    let arrived = false;
    pending.then(() => {
      arrived = true;
    });
    await vi.advanceTimersByTimeAsync(59_999);
    expect(arrived).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect((await pending).status).toBe(200);
  });

  test("never is ended by the caller alone, with the caller's reason", async () => {
    const mock = createExplorer({ chain: builder.chain, faults: [{ fault: "never" }] });
    const giveUp = new AbortController();
    const pending = mock.fetch(`${mock.baseUrl}${head}`, {
      headers: { "api-key": "k" },
      signal: giveUp.signal,
    });
    setTimeout(() => giveUp.abort(new Error("enough")), 20);
    await expect(pending).rejects.toThrow("enough");
  });

  test("a server closes in time, also while a response never comes", async () => {
    const mock = createExplorer({ chain: builder.chain.fork(), faults: [{ fault: "never" }] });
    const served = await serveExplorer(mock);
    const pending = fetch(`${served.url}${head}`, { headers: { "api-key": "k" } });
    pending.catch(() => {});
    while (mock.journal.count() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await served.close({ graceMs: 50 });
    await expect(pending).rejects.toThrow("fetch failed");
  });
});

describe("an index that lags", () => {
  const count = async (mock: Explorer, target: string) =>
    Number(JSON.parse((await ask(mock, target)).body).results.count);

  test("by blocks does not show the newest", async () => {
    const { builder, alice, bob } = smallChain();
    const mock = createExplorer({ chain: builder.chain });
    mock.faults.add({ fault: "stale", blocks: 2 });
    const payment = builder.transfer(alice, bob, 1n);
    builder.mine();
    const list = `/v1/accounts/${alice}/transactions`;
    const status = `/v1/transactions/${payment.hash}/transaction-status`;
    expect([await count(mock, list), (await ask(mock, status)).status]).toEqual([0, 404]);
    builder.mine(1);
    expect([await count(mock, list), (await ask(mock, status)).status]).toEqual([1, 404]);
    builder.mine(1);
    expect([await count(mock, list), (await ask(mock, status)).status]).toEqual([2, 200]);
  });

  test("leaves no word on traces where transactions are traced", async () => {
    const { builder, alice } = smallChain();
    const faults: Fault[] = [
      { fault: "latency", ms: 0 },
      { fault: "field", path: "count" },
    ];
    const mock = createExplorer({ chain: builder.chain, faults });
    const { status, headers } = await ask(mock, `/v1/accounts/${alice}/internal-transactions`);
    expect([status, headers.get("internal-transactions")]).toEqual([200, null]);
  });

  test("by polls shows a new block after that many requests", async () => {
    const { builder, alice, bob } = smallChain();
    const mock = createExplorer({ chain: builder.chain });
    mock.faults.add({ fault: "stale", polls: 2 });
    const list = `/v1/accounts/${alice}/transactions`;
    expect(await count(mock, list)).toBe(1);
    builder.transfer(alice, bob, 1n);
    builder.mine();
    expect([await count(mock, list), await count(mock, list), await count(mock, list)]).toEqual([
      1, 1, 2,
    ]);
  });

  test("in its traces alone has the transaction, but not what happened inside", async () => {
    const { builder, alice, bob } = smallChain();
    const mock = createExplorer({ chain: builder.chain });
    mock.faults.add({ fault: "pending-traces", blocks: 1 });
    const contract = builder.deploy(alice);
    builder.mine();
    const call = builder.call(alice, {
      to: contract.address,
      does: (frame) => void frame.call({ to: bob }),
    });
    builder.mine();
    const frames = `/v1/transactions/${call.hash}/internal-transactions`;
    expect((await ask(mock, `/v1/transactions/${call.hash}/transaction-status`)).status).toBe(200);
    expect(await count(mock, frames)).toBe(0);
    builder.mine(1);
    expect(await count(mock, frames)).toBe(1);
  });
});

test("a field can be wrong, null or missing, alone or in every entry", async () => {
  const { builder, alice } = smallChain();
  const mock = createExplorer({ chain: builder.chain });
  const results = async () =>
    JSON.parse((await ask(mock, `/v1/accounts/${alice}/transactions`)).body).results;
  mock.faults.add({ fault: "field", path: "count", value: "many", once: true });
  expect((await results()).count).toBe("many");
  mock.faults.add({ fault: "field", path: "data.*.value", value: null, once: true });
  expect((await results()).data[0].value).toBeNull();
  mock.faults.add({ fault: "field", path: "data.0.sender", once: true });
  expect((await results()).data[0]).not.toHaveProperty("sender");
  mock.faults.add({ fault: "field", path: "data.0.extra", value: 1, once: true });
  expect((await results()).data[0].extra).toBe(1);
});

describe("a path", () => {
  const { builder, alice, bob } = smallChain();
  for (let count = 0; count < 30; count++) builder.transfer(alice, bob, 1n);
  builder.mine();
  const made = () => createExplorer({ chain: builder.chain.fork() });
  const sent = (limit: number) => `/v1/accounts/${alice}/transactions?limit=${limit}`;

  test.each([
    "data.length",
    "data.*.__proto__.polluted",
    "__proto__.polluted",
    "data.0.constructor",
    "data.0.constructor.name",
    "data.prototype",
  ])("%s is refused: it leads to no field of the results", (path) => {
    const { faults } = made();
    expect(() => faults.add({ fault: "field", operation: "A2", path, value: 50_000_000 })).toThrow(
      FaultError,
    );
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  test("reaches entries that are there, and the one after the last, but makes no long list", async () => {
    const mock = made();
    const resultsWith = async (path: string) => {
      mock.faults.add({ fault: "field", path, value: "x", once: true });
      return JSON.parse((await ask(mock, sent(2))).body).results;
    };
    expect((await resultsWith("data.1")).data).toMatchObject([expect.any(Object), "x"]);
    expect((await resultsWith("data.2")).data).toHaveLength(3);
    expect((await resultsWith("data.3")).data).toHaveLength(2);
    expect((await resultsWith("data.50000000")).data).toHaveLength(2);
    expect(Object.hasOwn(await resultsWith("hasOwnProperty"), "hasOwnProperty")).toBe(true);
  });

  test("may add 1 MiB to a response, and no more", async () => {
    const mock = made();
    const answerWith = (value: string) => {
      mock.faults.clear();
      mock.faults.add({ fault: "field", path: "data.*.value", value });
      return ask(mock, sent(1000));
    };
    const count = JSON.parse((await answerWith("")).body).results.data.length;
    expect(count).toBe(31);
    // Two characters of each are its quotes.
    const most = Math.floor(2 ** 20 / count) - 2;
    expect((await answerWith("x".repeat(most))).status).toBe(200);
    const refused = await answerWith("x".repeat(most + 1));
    expect(refused.status).toBe(500);
    expect(refused.body).toContain("expected to add at most 1048576 characters");
  });

  test("into a value that another fault set changes that response alone", async () => {
    const mock = made();
    mock.faults.add({ fault: "field", path: "data.0", value: { value: 1 } });
    mock.faults.add({ fault: "field", path: "data.0.value", value: 2 });
    for (let time = 0; time < 2; time++) {
      const { results } = JSON.parse((await ask(mock, sent(1))).body);
      expect(results.data).toEqual([{ value: 2 }]);
      expect(mock.faults.list[0]?.fault).toMatchObject({ value: { value: 1 } });
    }
  });
});

test("a field is changed while the body is whole, whichever fault was added first", async () => {
  const { builder, alice } = smallChain();
  const bodyUnder = async (faults: readonly Fault[]) => {
    const mock = createExplorer({ chain: builder.chain });
    for (const fault of faults) mock.faults.add(fault);
    return (await ask(mock, `/v1/accounts/${alice}/transactions`)).body;
  };
  const field: Fault = { fault: "field", path: "data.*.value", value: "seven" };
  const broken: Fault = { fault: "malformed-json" };
  const body = await bodyUnder([field, broken]);
  expect(body).toContain('"seven"');
  expect(() => JSON.parse(body)).toThrow(SyntaxError);
  expect(await bodyUnder([broken, field])).toBe(body);
});

describe("an invalid fault is refused where it is configured", () => {
  const mock = createExplorer({ chain: smallChain().builder.chain });
  test.each([
    [{ fault: "reste" }, "did you mean reset?"],
    [{ fault: "status" }, "status of the fault status: expected a status from 200 to 999"],
    [{ fault: "status", status: 204 }, "that may have a body"],
    [{ fault: "status", status: 503, operation: "A11" }, "expected an operation of the contract"],
    [{ fault: "status", status: 503, probabilty: 0.5 }, "did you mean probability?"],
    [{ fault: "latency", ms: -1 }, "expected milliseconds"],
    [{ fault: "latency", ms: { median: 9, p99: 3 } }, "expected milliseconds"],
    [{ fault: "truncated", keep: 1 }, "between 0 and 1"],
    [{ fault: "stale" }, "expected either blocks or polls"],
    [{ fault: "stale", blocks: 1, polls: 1 }, "expected either blocks or polls"],
    [{ fault: "content-type", type: "a\nb" }, "expected a header value"],
    [{ fault: "never", nth: 0 }, "expected an integer of 1 or more"],
    [{ fault: "never", until: "tomorrow" }, "expected an ISO time"],
    [{ fault: "never", address: "alice" }, "expected an address or a hash"],
    [{ fault: "field", path: "data.*.from" }, "no response of any operation has data.*.from"],
    [
      { fault: "field", path: "count", operation: "B1" },
      "no response of blocks.get (B1) has count",
    ],
    [{ fault: "field", path: "count", operation: "blocks.get" }, "no response of blocks.get (B1)"],
    [{ fault: "never", operation: "acounts.balance" }, "did you mean accounts.balance?"],
    [{ fault: "never", operation: ["A1", "accounts.blance"] }, "did you mean accounts.balance?"],
    [{ fault: "field", path: "dta.*.value", value: 1 }, "has dta.*.value"],
    ["never", "expected an object"],
    [{ preset: "slwo" }, "did you mean slow?"],
    [{ preset: "constructor" }, "preset: expected one of 503 twice, slow, offline"],
    [{ preset: "slow", fault: "reset" }, "expected one of preset, operation"],
  ])("%j", (fault, reason) => {
    expect(() => mock.faults.add(fault as Fault)).toThrow(FaultError);
    expect(() => mock.faults.add(fault as Fault)).toThrow(reason);
  });
});

test("all problems of a fault are reported at once", () => {
  const mock = createExplorer({ chain: smallChain().builder.chain });
  const fault: object = {
    fault: "status",
    status: 99,
    headers: { "x-a": "b\n" },
    nth: [0],
    tmes: 2,
  };
  expect(() => mock.faults.add(fault as Fault)).toThrow(
    /^status of the fault status: expected a status .*, received 99; headers\.x-a of the fault status: expected a header value, received "b\\n"; nth\.0 of the fault status: expected an integer of 1 or more, received 0; tmes of the fault status: .*; did you mean times\?$/,
  );
});

describe("a preset", () => {
  const { builder, alice } = smallChain();
  builder.mine(11);
  const mock = () => createExplorer({ chain: builder.chain.fork(), now: () => 0 });

  test.each(Object.entries(faultPresets))(
    "%s stands for a fault, under its name",
    (name, fault) => {
      const { faults } = mock();
      faults.add({ preset: name as FaultPreset });
      faults.add({ preset: name as FaultPreset, operation: "B1", times: 7 });
      expect(faults.list).toMatchObject([
        { preset: name, fault },
        { preset: name, fault: { ...fault, operation: "B1", times: 7 } },
      ]);
    },
  );

  test("does what its name says", async () => {
    const under = async (preset: FaultPreset, targets: readonly string[]) => {
      const explorer = mock();
      explorer.faults.add({ preset });
      return statuses(explorer, targets);
    };
    expect(await under("503 twice", Array(3).fill(head))).toEqual([503, 503, 200]);
    await expect(under("offline", [head])).rejects.toThrow("fetch failed");
    expect(await under("5 requests a second", Array(7).fill(head))).toEqual([
      ...Array(5).fill(200),
      429,
      429,
    ]);
    const newest = builder.chain.head.number;
    const blocks = [newest, newest - 9, newest - 10].map((number) => `/v1/blocks/${number}`);
    expect(await under("indexer 10 blocks behind", blocks)).toEqual([404, 404, 200]);
  });

  test("slow delays each response, and changes nothing else", async () => {
    const slow = mock();
    slow.faults.add({ preset: "slow" });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const answered = ask(slow, head);
    await vi.advanceTimersByTimeAsync(100);
    expect(slow.journal.entries).toMatchObject([{ status: 0, faults: ["latency"] }]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await answered).status).toBe(200);
  });

  test("is among the initial faults, and applies to what it names", async () => {
    const faults = [{ preset: "503 twice", operation: "A10" }] as const;
    const explorer = createExplorer({ chain: builder.chain.fork(), faults });
    const targets = [head, `/v1/accounts/${alice}/mined-blocks`];
    expect(await statuses(explorer, targets)).toEqual([200, 503]);
    explorer.faults.clear();
    explorer.reset();
    expect(explorer.faults.list).toMatchObject([{ preset: "503 twice" }]);
  });
});

describe("what a transport cannot express", () => {
  const beyond: Fault = { fault: "status", status: 700 };

  test("is refused when the transport is in use", async () => {
    const mock = createExplorer({ chain: smallChain().builder.chain });
    expect(mock.fetch).toBeTypeOf("function");
    expect(() => mock.faults.add(beyond)).toThrow(
      "expected 200 to 599, the range of a Response (fetch), received 700",
    );
  });

  test("refuses the transport when the fault was added first, and works where it can", async () => {
    const mock = createExplorer({ chain: smallChain().builder.chain, faults: [beyond] });
    expect(() => createHandlers(mock)).toThrow("the range of a Response (msw)");
    expect(() => mock.fetch).toThrow(FaultError);
    const served = await serveExplorer(mock);
    const { request } = await import("node:http");
    const status = await new Promise((resolve, reject) =>
      request(`${served.url}${head}`, { headers: { "api-key": "k" } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end(),
    );
    expect(status).toBe(700);
    await served.close();
  });
});

test("a dripping body fails when its request is aborted", async () => {
  const mock = createExplorer({ faults: [{ fault: "drip", bytes: 1, everyMs: 3_600_000 }] });
  const controller = new AbortController();
  const response = await mock.fetch(`${mock.baseUrl}/v1/blocks/0`, {
    headers: { "api-key": "k" },
    signal: controller.signal,
  });
  const body = response.text();
  controller.abort(new Error("enough"));
  await expect(body).rejects.toThrow("enough");
});
