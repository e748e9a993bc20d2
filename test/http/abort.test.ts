// Aborts: a call ends at once with its reason, waits leave no timer, and events that are left end.
import { describe, expect, test, vi } from "vitest";
import { abortable, leavable, MAX_TIMER_MS, sleep } from "../../src/http/abort.ts";
import type { ExplorerClientOptions } from "../../src/index.ts";
import { ADDRESS, clientOf, gate, json, never, refusal, serve, supply, thrown } from "./server.ts";

const other = "0x00000000000000000000000000000000000000ff";
const reason = { any: "value" };

test("a call with a signal that is aborted already sends nothing", async () => {
  const server = await serve((_, response) => json(response, supply("7")));
  const call = clientOf(server).tokens.totalSupply(ADDRESS, { signal: AbortSignal.abort(reason) });
  await expect(call).rejects.toBe(reason);
  expect(server.asked).toHaveLength(0);
});

describe("an abort ends a call with its reason", () => {
  type Waiting = (waits: () => void) => ExplorerClientOptions;
  /** Options with which a call waits for ever, and says when it does. */
  const hangs = (waits: () => void) => () => {
    waits();
    return never();
  };
  test.each<[string, Waiting]>([
    ["while it waits for the key", (waits) => ({ apiKey: hangs(waits) })],
    [
      "while a limit delays it",
      (waits) => ({ rateLimit: { requests: 1, perMs: 60_000, acquire: hangs(waits) } }),
    ],
    [
      "during the delay before a retry",
      (waits) => ({
        fetch: async () =>
          Response.json(refusal(503, "later"), { status: 503, headers: { "retry-after": "25" } }),
        hooks: { onRetry: waits },
      }),
    ],
  ])("%s", async (_, waiting) => {
    const { opened, open } = gate();
    const abort = new AbortController();
    const client = clientOf(
      { url: "https://explorer.example" },
      { fetch: never, ...waiting(open) },
    );
    const call = thrown(client.tokens.totalSupply(ADDRESS, { signal: abort.signal }));
    await opened;
    abort.abort(reason);
    expect(await call).toBe(reason);
  });

  test("and frees its slot for others", async () => {
    const server = await serve((asked, response) => {
      if (asked.url.includes(other)) json(response, supply("7"));
    });
    const client = clientOf(server, { concurrency: 1 });
    const abort = new AbortController();
    const stuck = thrown(client.tokens.totalSupply(ADDRESS, { signal: abort.signal }));
    await expect.poll(() => server.asked.length).toBe(1);
    abort.abort(reason);
    expect(await stuck).toBe(reason);
    expect(await client.tokens.totalSupply(other)).toBe(7n);
  });
});

describe("a wait", () => {
  test("ends after its time, or with the signal, and leaves no timer", async () => {
    vi.useFakeTimers();
    const ended = vi.fn();
    const abort = new AbortController();
    const wait = sleep(100, abort.signal).then(ended);
    await vi.advanceTimersByTimeAsync(99);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await wait;
    const long = thrown(sleep(100, abort.signal));
    expect(vi.getTimerCount()).toBe(1);
    abort.abort("gone");
    expect([await long, vi.getTimerCount()]).toEqual(["gone", 0]);
  });

  test("may be longer than a timer can run", async () => {
    vi.useFakeTimers();
    // A timer with a longer delay than it can run fires at once, here as in Node.
    let isOver = false;
    const wait = sleep(MAX_TIMER_MS + 100, new AbortController().signal).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(MAX_TIMER_MS + 99);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await wait;
  });
});

describe("events that are left", () => {
  const hanging = () => {
    let left: AbortSignal | undefined;
    const events = leavable<number>(async function* (signal) {
      left = signal;
      yield 1;
      await abortable(never(), signal).catch(() => {});
    });
    return { events, isLeft: () => left?.aborted };
  };

  test("end at once, also while the next one is awaited", async () => {
    const { events, isLeft } = hanging();
    expect(await events.next()).toEqual({ done: false, value: 1 });
    const pending = events.next();
    await undefined;
    expect(isLeft()).toBe(false);
    await events.return();
    expect([isLeft(), await pending]).toEqual([true, { done: true, value: undefined }]);
  });
});
