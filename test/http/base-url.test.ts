// Several addresses of one service: which failures switch, when an address comes back, and what hooks and errors say of it.
import { describe, expect, test, vi } from "vitest";
import { createExplorer } from "../../mocks/double/explorer.ts";
import type { Fault } from "../../mocks/double/faults/index.ts";
import { baseOf, checkUrl } from "../../src/http/base-url.ts";
import {
  ExplorerClient,
  type ExplorerClientOptions,
  type ExplorerError,
  fallback,
  type RequestEvent,
  type RetryEvent,
} from "../../src/index.ts";
import { buildSampleChain } from "../support/sample-chain.ts";
import { refused, skipTime, submission, thrown } from "./server.ts";

const first = "https://first.example/explorer";
const second = "https://second.example";
const { chain, bob, till } = buildSampleChain();

/** Two explorers of one chain, and a client of both. */
function setUp(options: ExplorerClientOptions = {}, rest?: number) {
  const services = [first, second].map((baseUrl) =>
    createExplorer({ chain: chain.fork(), baseUrl, apiKeys: ["key"] }),
  );
  const events: RequestEvent[] = [];
  const retries: RetryEvent[] = [];
  const explorer = new ExplorerClient({
    baseUrl: fallback([`${first}/`, new URL(second)], { rest }),
    apiKey: "key",
    fetch: (url, init) => {
      const service = services.find(({ baseUrl }) => url.startsWith(`${baseUrl}/v1/`));
      if (service === undefined) throw new Error(`no service at ${url}`);
      return service.fetch(url, init);
    },
    retry: { limit: 1, delay: () => 5, jitter: false },
    hooks: {
      onRequest: (event) => void events.push(event),
      onRetry: (event) => void retries.push(event),
    },
    ...options,
  });
  const [a, b] = services;
  if (a === undefined || b === undefined) throw new Error("two services");
  /** Which address each attempt went to. */
  const went = () => events.map(({ url }) => (url.startsWith(first) ? "first" : "second"));
  return { a, b, explorer, events, retries, went, get: () => explorer.blocks.get(2) };
}

describe("a failed attempt goes on at the next address, at once", () => {
  const transient: readonly Fault[] = [
    { fault: "reset" },
    { fault: "status", status: 503 },
    { fault: "status", status: 503, headers: { "retry-after": "600" } },
    { fault: "status", status: 408 },
    { fault: "rate-limit", retryAfter: 600 },
    { fault: "truncated" },
  ];
  test.each(transient)("%j", async (fault) => {
    const { a, get, went, retries, events } = setUp({ retry: { delay: () => 600_000 } });
    a.faults.add(fault);
    expect((await get()).block_number).toBe(2n);
    expect(went()).toEqual(["first", "second"]);
    expect(events.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(retries).toMatchObject([{ delay: 0, url: `${first}/v1/blocks/2` }]);
    // Those after it do not try the first one again, and need no retry.
    await get();
    expect(went()).toEqual(["first", "second", "second"]);
  });

  test("after its timeout", async () => {
    skipTime();
    const { a, get, went } = setUp();
    a.faults.add({ fault: "never" });
    const answer = get();
    await expect.poll(() => went().length).toBe(1);
    vi.advanceTimersByTime(15_000);
    expect((await answer).block_number).toBe(2n);
    expect(went()).toEqual(["first", "second"]);
  });

  test("also without retries", async () => {
    const { a, get, went } = setUp({ retry: 0 });
    a.faults.add({ fault: "reset" });
    await get();
    expect(went()).toEqual(["first", "second"]);
  });

  test("in the middle of a list, of which each record comes once", async () => {
    const { a, explorer, went } = setUp();
    const expected = await explorer.accounts.transactions(bob).collect();
    a.faults.add({ fault: "reset", nth: 3 });
    const read: string[] = [];
    for await (const one of explorer.accounts.transactions(bob, { limit: 5 }))
      read.push(one.transaction_hash);
    expect(read).toEqual(expected.map((one) => one.transaction_hash));
    expect(new Set(went())).toEqual(new Set(["first", "second"]));
  });
});

describe("an answer is no failure", () => {
  test("not found, refused or not verified: the first address has said it", async () => {
    const { a, b, explorer, went } = setUp();
    a.faults.add({ fault: "status", status: 401, operation: "A10" });
    const errors = [
      await thrown(explorer.blocks.get(10_000)),
      await thrown(explorer.accounts.minedBlocks(bob)),
      await thrown(explorer.contracts.abi(bob)),
    ];
    expect(errors.map(({ code }) => code)).toEqual(["NOT_FOUND", "AUTHENTICATION", "NOT_VERIFIED"]);
    expect(went()).toEqual(["first", "first", "first"]);
    expect(b.journal.count()).toBe(0);
  });

  test("a submission is sent twice only if the first one cannot have arrived", async () => {
    const { a, explorer, went } = setUp();
    a.faults.add({ fault: "status", status: 500, operation: "C3" });
    expect(await thrown(explorer.contracts.verify(till, submission))).toMatchObject({
      code: "SERVER",
      attempts: 1,
    });
    // Nor is the address left out.
    await explorer.blocks.get(2);
    expect(went()).toEqual(["first", "first"]);
  });

  test("a submission that is rate limited is not sent again, and other calls go on elsewhere", async () => {
    const { a, explorer, went } = setUp();
    a.faults.add({ fault: "status", status: 429, operation: "C3" });
    expect(await thrown(explorer.contracts.verify(till, submission))).toMatchObject({
      code: "RATE_LIMIT",
      attempts: 1,
    });
    await explorer.blocks.get(2);
    expect(went()).toEqual(["first", "second"]);
  });

  test("a caller's own retry of it has its pause, and goes to the same address", async () => {
    const shouldRetry = () => true;
    const { a, explorer, went, retries } = setUp({
      retry: { limit: 1, delay: () => 5, jitter: false, shouldRetry },
    });
    a.faults.add({ fault: "status", status: 404 });
    await thrown(explorer.blocks.get(2));
    expect(new Set(went())).toEqual(new Set(["first"]));
    expect(new Set(retries.map(({ delay }) => delay))).toEqual(new Set([5]));
  });
});

describe("an address that failed", () => {
  test("is left out for its rest; then one request tries it, and all return if it works", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const { a, explorer, get, went } = setUp({}, 1000);
      const failing = a.faults.add({ fault: "reset" });
      await get();
      vi.advanceTimersByTime(999);
      await get();
      expect(went().splice(2)).toEqual(["second"]);
      vi.advanceTimersByTime(1);
      await Promise.all([2, 3, 4, 5].map((number) => explorer.blocks.get(number)));
      expect(
        went()
          .slice(3)
          .filter((one) => one === "first"),
      ).toEqual(["first"]);
      failing.remove();
      vi.advanceTimersByTime(1000);
      const before = went().length;
      await get();
      await get();
      expect(went().slice(before)).toEqual(["first", "first"]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("rests as long as it asks for", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const { a, get, went } = setUp({}, 1000);
      a.faults.add({ fault: "status", status: 503, headers: { "retry-after": "7" }, once: true });
      await get();
      vi.advanceTimersByTime(6900);
      await get();
      vi.advanceTimersByTime(101);
      await get();
      expect(went()).toEqual(["first", "second", "second", "first"]);
    } finally {
      vi.useRealTimers();
    }
  });
});

test("where all fail, a retry is a round through all, with its pause between rounds", async () => {
  const delay = (round: number) => 5 * round;
  const { a, b, get, went, retries } = setUp({ retry: { limit: 1, delay, jitter: false } });
  for (const { faults } of [a, b]) faults.add({ fault: "status", status: 503 });
  const error: ExplorerError = await thrown(get());
  expect(error).toMatchObject({ code: "SERVER", attempts: 4, url: `${second}/v1/blocks/2` });
  expect(went()).toEqual(["first", "second", "first", "second"]);
  expect(retries.map(({ delay }) => delay)).toEqual([0, 5, 10]);
});

test.each([
  [() => fallback([]), "baseUrl: expected one URL or more"],
  [() => fallback(["https://a.example", "ftp://b.example"]), "baseUrl.1: expected an https:"],
  [() => fallback(["https://a.example/v1"]), "baseUrl.0: expected the URL without /v1"],
  [() => fallback(["https://a.example"], { rest: -1 }), "rest: expected a number of milliseconds"],
  [() => fallback(["https://a.example"], { rest: 0 }), "rest: expected a number of milliseconds"],
  [() => checkUrl(undefined), "baseUrl: expected a URL, or the environment variable"],
  [() => checkUrl("a.example"), "baseUrl: expected an https:// or http:// URL"],
  [() => checkUrl("xhttps://a.example"), "baseUrl: expected an https:// or http:// URL"],
  [() => checkUrl("https://user@a.example"), "a URL without user, password, query or fragment"],
  [() => checkUrl("https://:word@a.example"), "a URL without user, password, query or fragment"],
  [() => checkUrl("https://a.example/?"), "a URL without user, password, query or fragment"],
  [() => checkUrl("https://a.example/V1/"), "baseUrl: expected the URL without /v1"],
])("%s is a mistake", async (make, message) => {
  expect((await refused(make)).message).toContain(message);
});

test.each([
  ["http://a.example/v1beta", "http://a.example/v1beta"],
  ["https://a.example/b//", "https://a.example/b"],
])("%s is an address", (text, base) => {
  expect(baseOf(checkUrl(text))).toBe(base);
});
