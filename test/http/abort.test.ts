import { describe, expect, onTestFinished, test, vi } from "vitest";
import { abortable, leavable, MAX_TIMER_MS, sleep } from "../../src/http/abort.ts";
import {
  ADDRESS,
  clientOf,
  json,
  never,
  nobody,
  PATIENCE,
  refusal,
  serve,
  supply,
  thrown,
} from "./server.ts";

const other = "0x00000000000000000000000000000000000000ff";
const reason = { any: "value" };

/** Rejects with the very reason, and soon: the test's own time limit would be 30 s. */
async function endsAt(abort: AbortController, call: PromiseLike<unknown>): Promise<void> {
  const outcome = call.then(
    () => "done",
    (thrown: unknown) => thrown,
  );
  abort.abort(reason);
  expect(await outcome).toBe(reason);
}

describe("an abort", () => {
  test("before the call: nothing is sent", async () => {
    const server = await serve((_, response) => json(response, supply("7")));
    const call = clientOf(server).tokens.totalSupply(ADDRESS, {
      signal: AbortSignal.abort(reason),
    });
    await expect(call).rejects.toBe(reason);
    expect(server.asked).toHaveLength(0);
  });

  test("while the client waits for the key", async () => {
    const server = await serve((_, response) => json(response, supply("7")));
    const abort = new AbortController();
    const client = clientOf(server, { apiKey: () => new Promise(() => {}) });
    await endsAt(abort, client.tokens.totalSupply(ADDRESS, { signal: abort.signal }));
  });

  test("while the rate limit delays the call", async () => {
    const server = await serve((_, response) => json(response, supply("7")));
    const client = clientOf(server, { rateLimit: { requests: 1, perMs: 60_000 } });
    await client.tokens.totalSupply(ADDRESS);
    const abort = new AbortController();
    await endsAt(abort, client.tokens.totalSupply(other, { signal: abort.signal }));
  });

  test("during the delay before a retry", async () => {
    const abort = new AbortController();
    const server = await serve((_, response) =>
      json(response, refusal(503, "later"), 503, { "retry-after": "25" }),
    );
    let paused: () => void = () => {};
    const pause = new Promise<void>((resolve) => {
      paused = resolve;
    });
    const client = clientOf(server, { hooks: { onRetry: () => paused() } });
    const call = client.tokens.totalSupply(ADDRESS, { signal: abort.signal });
    call.catch(() => {});
    await pause;
    await endsAt(abort, call);
  });

  test("works even if a custom fetch ignores signals", async () => {
    const abort = new AbortController();
    const client = clientOf(await nobody(), { fetch: () => new Promise(() => {}) });
    await endsAt(abort, client.tokens.totalSupply(ADDRESS, { signal: abort.signal }));
  });

  test("frees the slot for other calls", async () => {
    const server = await serve((asked, response) => {
      if (asked.url.includes(other)) json(response, supply("7"));
    });
    const client = clientOf(server, { concurrency: 1 });
    const abort = new AbortController();
    const stuck = client.tokens.totalSupply(ADDRESS, { signal: abort.signal });
    stuck.catch(() => {});
    await expect.poll(() => server.asked.length).toBe(1);
    await endsAt(abort, stuck);
    expect(await client.tokens.totalSupply(other)).toBe(7n);
  });
});

describe("a wait", () => {
  test("ends after its time, or with the signal, and leaves no timer", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
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
    onTestFinished(() => void vi.useRealTimers());
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

  test("end with the block that uses them", async () => {
    const { events, isLeft } = hanging();
    {
      await using used = events;
      await used.next();
    }
    expect([isLeft(), await events.next()]).toEqual([true, { done: true, value: undefined }]);
  });
});

test("the balance of one account, with an option of its own, ends with its signal", async () => {
  const server = await serve(() => {});
  const end = new AbortController();
  const { signal } = end;
  const asked = clientOf(server).accounts.balance(ADDRESS, { timeout: PATIENCE, signal });
  const error = thrown(asked);
  await expect.poll(() => server.asked.length).toBe(1);
  end.abort(new Error("mine"));
  expect(await error).toMatchObject({ message: "mine" });
});
