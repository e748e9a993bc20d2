// When a call sends, waits and gives up, to the millisecond, on a virtual clock.
import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { MAX_TIMER_MS } from "../../src/http/abort.ts";
import type { ExplorerClientOptions, Hooks, RequestEvent, RetryEvent } from "../../src/index.ts";
import {
  ADDRESS,
  clientOf,
  gate,
  refusal,
  SENTINEL,
  submission,
  supply,
  thrown,
} from "./server.ts";

const other = `0x${"ff".repeat(20)}` as const;

beforeEach(() => {
  vi.useFakeTimers();
});

interface Answer {
  /** 200 by default; 0: the connection fails. */
  readonly status?: number;
  /** The status that the body alone has. */
  readonly reported?: number;
  /** Milliseconds until it comes. */
  readonly after?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of a service that gives these answers in order, then successes; and when each request was sent. */
function setUp(answers: readonly Answer[], options: ExplorerClientOptions = {}) {
  // No clock begins at zero.
  vi.advanceTimersByTime(1_000_000);
  const began = performance.now();
  const sent: number[] = [];
  const client = clientOf(
    { url: "https://explorer.example" },
    {
      retry: 0,
      ...options,
      fetch: async () => {
        const { status = 200, after = 0, headers = {}, ...given } = answers[sent.length] ?? {};
        const { reported = status } = given;
        sent.push(performance.now() - began);
        if (after > 0) await new Promise((resolve) => setTimeout(resolve, after));
        if (status === 0) throw new TypeError("fetch failed");
        const body = reported === 200 ? supply("7") : refusal(reported, "no");
        return Response.json(body, { status, headers });
      },
    },
  );
  const ask = (
    ...[address = ADDRESS, how]: Partial<Parameters<typeof client.tokens.totalSupply>>
  ) => client.tokens.totalSupply(address, how);
  /** The result, or the code of the error, and when it came. */
  const outcome = (...given: Parameters<typeof ask>) =>
    ask(...given).then(
      (value) => [value, performance.now() - began],
      ({ code }) => [code, performance.now() - began],
    );
  return { client, sent, ask, outcome };
}

const paused = (seconds: number): Answer => ({
  status: 429,
  headers: { "retry-after": `${seconds}` },
});
/** A delay between attempts, without jitter. */
const every = (delay: number, limit = 1) => ({
  ...{ limit, delay: () => delay, jitter: false },
  backoffLimit: Number.POSITIVE_INFINITY,
});

describe("the pause after a 429", () => {
  test.each([
    ["timeout", {}],
    ["timeout", { timeout: 19_999 }],
    ["timeout", { timeout: 10_000, totalTimeout: 10_000 }],
    ["totalTimeout", { timeout: 10_000, totalTimeout: 9_999 }],
  ])("fails a call that names %s as too short: %j", async (name, how) => {
    const { ask, sent } = setUp([paused(20)], { timeout: undefined });
    await thrown(ask());
    const refused = thrown(ask(other, how));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await refused).toMatchObject({
      shortMessage: `Rate limited: the pause the service asked for exceeds ${name}`,
      httpStatus: 429,
      retryAfter: 20_000,
      attempts: 0,
    });
    expect(sent).toEqual([0]);
  });

  test("may be as long as a verification may take", async () => {
    const answers = [{}, paused(90), paused(91)];
    const { client, sent } = setUp(answers, { timeout: undefined });
    const verify = () => thrown(client.contracts.verify(ADDRESS, submission));
    // The first one loads the code.
    await verify();
    await verify();
    for (const [attempts, pause] of [
      [1, 90_000],
      [0, 91_000],
    ] as const) {
      const verdict = verify();
      await vi.advanceTimersByTimeAsync(pause);
      expect(await verdict).toMatchObject({ attempts });
    }
    expect(sent).toEqual([0, 0, 90_000]);
  });

  test("is waited for if it is as long as timeout, and the request says how long it waited", async () => {
    const events: RequestEvent[] = [];
    const hooks = { onRequest: (event: RequestEvent) => void events.push(event) };
    const { ask, sent, outcome } = setUp([paused(20)], { hooks });
    await thrown(ask());
    await vi.advanceTimersByTimeAsync(5_000);
    const waiting = outcome(other, { timeout: 15_000 });
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await waiting).toEqual([7n, 20_000]);
    expect(sent).toEqual([0, 20_000]);
    expect(events.map(({ waited }) => waited)).toEqual([0, 15_000]);
  });

  test.each([
    ["maxRetryAfter", { timeout: 1_000 }],
    ["timeout", { timeout: 40_000 }],
  ])("ends a call in the queue, naming %s", async (name, how) => {
    const { ask } = setUp([paused(3600)], { concurrency: 1 });
    const first = thrown(ask());
    const queued = thrown(ask(other, how));
    await first;
    expect(await queued).toMatchObject({ shortMessage: expect.stringMatching(` ${name}$`) });
  });

  test.each([
    [{ timeout: 5_000 }, [7n, 15_000]],
    [{ timeout: 5_000, totalTimeout: 14_000 }, ["RATE_LIMIT", 6_000]],
  ])("that begins during a call with %j", async (how, expected) => {
    const answers = [
      { status: 503, after: 4_000 },
      { ...paused(10), after: 5_000 },
    ];
    const { ask, outcome } = setUp(answers, { retry: every(2_000) });
    const retried = outcome(ADDRESS, how);
    await vi.advanceTimersByTimeAsync(0);
    const refused = thrown(ask(other, { retry: 0, timeout: 6_000 }));
    await vi.advanceTimersByTimeAsync(15_000);
    await refused;
    expect(await retried).toEqual(expected);
  });

  test("without Retry-After is that of the retry, for all calls; there is none after the last attempt", async () => {
    const first = setUp([{ status: 429 }], { retry: every(5_000) });
    const calls = [first.outcome(), first.outcome(other)];
    await vi.advanceTimersByTimeAsync(0);
    const third = first.outcome(other, { retry: 0 });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await Promise.all([...calls, third])).toEqual([
      [7n, 5_000],
      [7n, 0],
      [7n, 5_000],
    ]);
    const last = setUp([{ status: 429 }], { retry: { ...every(5_000), limit: 0 } });
    expect(await last.outcome()).toEqual(["RATE_LIMIT", 0]);
    expect(await last.outcome()).toEqual([7n, 0]);
  });

  test("that only the body reports is waited for by all calls", async () => {
    const answer = { ...paused(10), status: 200, reported: 429 };
    const { outcome } = setUp([answer], { retry: 1, concurrency: 1 });
    const calls = [outcome(), outcome(other)];
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await Promise.all(calls)).toEqual([
      [7n, 10_000],
      [7n, 10_000],
    ]);
  });

  test("as long as maxRetryAfter is waited for", async () => {
    const { outcome } = setUp([{ ...paused(30), status: 503 }], { retry: 1 });
    const call = outcome();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await call).toEqual([7n, 30_000]);
  });
});

describe("a retry", () => {
  test("says how long the attempt took, and waits for no slot", async () => {
    const retries: RetryEvent[] = [];
    const waits: number[] = [];
    const hooks: Hooks = {
      onRetry: (event) => void retries.push(event),
      onRequest: ({ waited }) => void waits.push(waited),
    };
    const answers = [
      { status: 503, after: 40 },
      { status: 503, after: 50 },
    ];
    const { sent, outcome } = setUp(answers, { hooks, retry: every(1_000, 2) });
    const call = outcome();
    await vi.advanceTimersByTimeAsync(40 + 1_000 + 50 + 1_000);
    expect(await call).toEqual([7n, 2_090]);
    expect(sent).toEqual([0, 1_040, 2_090]);
    expect(retries).toMatchObject([
      { attempt: 1, delay: 1_000, duration: 40 },
      { attempt: 2, delay: 1_000, duration: 50 },
    ]);
    expect(waits).toEqual([0, 0, 0]);
  });

  test.each([
    [3_999, [7n, 9_999]],
    [4_000, ["SERVER", 6_000]],
    [4_001, ["SERVER", 6_000]],
  ])("in %d ms, when 4 s of the call are left", async (delay, expected) => {
    const { outcome } = setUp([{ status: 503, after: 6_000 }], { retry: every(delay) });
    const call = outcome(ADDRESS, { totalTimeout: 10_000 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await call).toEqual(expected);
  });

  test("is not considered after an abort", async () => {
    const shouldRetry = vi.fn(() => true);
    const { ask } = setUp([{ status: 503, after: 10 }], { retry: { shouldRetry } });
    const abort = new AbortController();
    const call = thrown(ask(ADDRESS, { signal: abort.signal }));
    await vi.advanceTimersByTimeAsync(5);
    abort.abort("enough");
    expect(await call).toBe("enough");
    await vi.advanceTimersByTimeAsync(10);
    expect(shouldRetry).not.toHaveBeenCalled();
  });
});

describe("a time limit", () => {
  test("that both options set is that of the whole call", async () => {
    const { client, sent } = setUp([{ after: 60_000 }], { retry: 3 });
    const call = thrown(client.tokens.totalSupply(ADDRESS, { timeout: 50, totalTimeout: 50 }));
    await vi.advanceTimersByTimeAsync(50);
    expect(await call).toMatchObject({ scope: "total", limit: 50, elapsed: 50, attempts: 1 });
    expect(sent).toEqual([0]);
  });

  test("can be as long as a timer runs, and is none beyond", async () => {
    const { outcome } = setUp([{ after: MAX_TIMER_MS }, { after: MAX_TIMER_MS }]);
    const limited = outcome(ADDRESS, { timeout: MAX_TIMER_MS - 1 });
    const unlimited = outcome(other, { timeout: MAX_TIMER_MS + 1 });
    await vi.advanceTimersByTimeAsync(MAX_TIMER_MS);
    expect(await Promise.all([limited, unlimited])).toEqual([
      ["TIMEOUT", MAX_TIMER_MS - 1],
      [7n, MAX_TIMER_MS],
    ]);
  });
});

test("a call that is done leaves no timer, so that a program can end", async () => {
  const minutes = 600_000;
  const rateLimit = { requests: 1, perMs: minutes };
  const { ask } = setUp([], { timeout: minutes, totalTimeout: minutes, rateLimit });
  await ask();
  expect(vi.getTimerCount()).toBe(0);
});

test("a call that ended listens to its signal no longer, and gives its slot back, whenever it is aborted", async () => {
  vi.useRealTimers();
  for (let steps = 0; steps < 60; steps++) {
    const fetch = async () => Response.json(supply("7"));
    const client = clientOf(
      { url: "https://explorer.example" },
      { fetch, concurrency: 1, dedupe: false, apiKey: SENTINEL },
    );
    const abort = new AbortController();
    const call = client.tokens.totalSupply(ADDRESS, { signal: abort.signal }).catch(String);
    for (let step = 0; step < steps; step++) await undefined;
    abort.abort("left");
    expect(["left", 7n]).toContain(await call);
    expect(await client.tokens.totalSupply(other)).toBe(7n);
    await setImmediate();
    expect(getEventListeners(abort.signal, "abort")).toEqual([]);
  }
});

test("a call that has timed out gives its slot back, whenever it got it", async () => {
  for (let steps = 0; steps < 30; steps++) {
    const { opened, open } = gate();
    const acquire = vi.fn(async () => {}).mockReturnValueOnce(opened);
    const { outcome } = setUp([], {
      concurrency: 1,
      rateLimit: { requests: 9, perMs: 1, acquire },
    });
    const late = outcome(ADDRESS, { totalTimeout: 50 });
    await vi.advanceTimersByTimeAsync(49);
    vi.advanceTimersByTime(1);
    for (let step = 0; step < steps; step++) await undefined;
    open();
    expect(await late).toEqual(["TIMEOUT", 50]);
    const next = outcome(other);
    await vi.advanceTimersByTimeAsync(1);
    expect(await next).toEqual([7n, 50]);
  }
});
