// Where a watch starts without `from`, how long it pauses, also in an outage, and what its
// callbacks may do.
import { describe, expect, it, vi } from "vitest";
import { buildChain, createExplorer } from "../../mocks/index.ts";
import {
  type AccountEvent,
  ExplorerClient,
  isExplorerError,
  type ReorganisedRecords,
} from "../../src/index.ts";

const coin = 10n ** 18n;

/** A chain of the present, and a client of its explorer. */
function setting() {
  const story = buildChain({ timestamp: new Date(Date.now() - 3_600_000) });
  const alice = story.account({ name: "alice", balance: 1000n * coin });
  const bob = story.account({ name: "bob" });
  const mock = createExplorer({ chain: story.chain });
  const { baseUrl, fetch } = mock;
  const client = new ExplorerClient({ baseUrl, apiKey: "key", fetch, retry: 0 });
  const pay = (time?: number) => {
    const { hash } = story.transfer(alice, bob, 1n);
    story.mine(1, time === undefined ? {} : { timestamp: new Date(time) });
    return hash;
  };
  return { story, bob, mock, client, pay };
}

const until = (done: () => boolean) => expect.poll(() => done()).toBe(true);

async function take(events: AsyncGenerator<AccountEvent>, count: number): Promise<string[]> {
  const taken: string[] = [];
  while (taken.length < count) {
    const { value } = await events.next();
    if (value) taken.push(value.record.transaction_hash);
  }
  await events.return(undefined);
  return taken;
}

describe("leaving a watch", () => {
  it("ends it at the end of the block that declares it, also while it waits for the next poll", async () => {
    const { bob, client, mock, pay } = setting();
    const sent = pay();
    let waiting: Promise<unknown> | undefined;
    let events: AsyncGenerator<unknown>;
    {
      await using watch = client.accounts.watch(bob, { from: 0, pollInterval: 3_600_000 });
      events = watch;
      expect(await watch.next()).toMatchObject({ value: { record: { transaction_hash: sent } } });
      waiting = watch.next();
    }
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    const requests = mock.journal.count();
    await using logs = client.eventLogs.watch({ address: bob, from: 0 });
    await logs.return();
    expect(mock.journal.count()).toBe(requests);
  });

  it("aborts a request in flight", async () => {
    const { bob, client, mock, pay } = setting();
    pay();
    mock.faults.add({ fault: "never" });
    for (const events of [
      client.accounts.watch(bob, { kinds: ["transaction"] }),
      client.eventLogs.watch({ address: bob, from: 0 }),
    ]) {
      mock.journal.clear();
      const waiting = events.next();
      await until(() => mock.journal.count() > 0);
      await events.return();
      expect(await waiting).toEqual({ done: true, value: undefined });
    }
  });
});

describe("an outage", () => {
  const down = { fault: "status", status: 503 } as const;

  it("at the first poll ends the watch with its error, after the retries of the request", async () => {
    const { bob, mock, pay } = setting();
    pay();
    mock.faults.add(down);
    const { baseUrl, fetch } = mock;
    const retry = { limit: 2, delay: () => 1 };
    const client = new ExplorerClient({ baseUrl, apiKey: "key", fetch, retry });
    const events = client.accounts.watch(bob, { kinds: ["transaction"] });
    await expect(events.next()).rejects.toMatchObject({ code: "SERVER", attempts: 3 });
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });

  it("at the first poll is reported to `onError`, and the watch goes on", async () => {
    const { bob, mock, pay } = setting();
    mock.faults.add({ ...down, times: 1 });
    const { baseUrl, fetch } = mock;
    const client = new ExplorerClient({ baseUrl, apiKey: "key", fetch, retry: 0 });
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const kinds = ["transaction"] as const;
    const sent = pay();
    vi.useFakeTimers();
    const events = client.accounts.watch(bob, { kinds, from: 0, onError });
    const first = events.next();
    await until(() => errors.length > 0);
    await vi.advanceTimersByTimeAsync(20_000);
    expect((await first).value).toMatchObject({ record: { transaction_hash: sent } });
    expect(errors).toMatchObject([{ code: "SERVER" }]);
    await events.return();
  });

  it("doubles the pause with each poll that fails, up to a minute, and warns once", async () => {
    const { bob, mock, pay } = setting();
    const warn = vi.fn();
    const { baseUrl, fetch } = mock;
    const client = new ExplorerClient({
      baseUrl,
      apiKey: "key",
      fetch,
      retry: 0,
      logger: { warn },
    });
    const polls: number[] = [];
    const sent = [pay()];
    // Loads what is loaded on first use: that takes real time.
    await take(client.accounts.watch(bob, { from: 0 }), 1);
    vi.useFakeTimers();
    const events = client.accounts.watch(bob, { from: 0, pollInterval: 5_000 });
    const took = take(events, 3);
    for (const round of [1, 2]) {
      await vi.advanceTimersByTimeAsync(100);
      const outage = mock.faults.add(down);
      polls.length = 0;
      for (let second = 0; second < 240; second++) {
        const before = mock.journal.count("A2");
        await vi.advanceTimersByTimeAsync(1000);
        if (mock.journal.count("A2") > before) polls.push(second);
      }
      const pauses = polls.slice(1).map((second, index) => second - (polls[index] ?? 0));
      expect(pauses).toEqual([10, 20, 40, 60, 60]);
      // Three lists fail with each poll.
      expect(warn).toHaveBeenCalledTimes(round);
      expect(warn.mock.calls.at(-1)?.[0]).toContain("Server error (HTTP 503)");
      outage.remove();
      sent.push(pay());
      // In steps: the service gives each request a turn of the event loop, which takes real time.
      for (let second = 0; second < 60; second++) await vi.advanceTimersByTimeAsync(1000);
      expect(warn).toHaveBeenCalledTimes(round);
    }
    expect(await took).toEqual(sent);
  });

  it("leaves a pause alone that is longer than a minute", async () => {
    vi.useFakeTimers();
    const { bob, client, mock } = setting();
    const errors: unknown[] = [];
    const controller = new AbortController();
    const next = client.accounts
      .watch(bob, {
        from: 0,
        pollInterval: 600_000,
        kinds: ["transaction"],
        onError: (error) => errors.push(error),
        signal: controller.signal,
      })
      .next();
    await vi.advanceTimersByTimeAsync(1000);
    mock.faults.add(down);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(errors).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(590_000);
    expect(errors).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(errors).toHaveLength(2);
    controller.abort();
    await next;
  });
});

describe("the pause between polls", () => {
  const pauses = [1e-9, 1, 10_000, 2 ** 31, 1e13, Number.POSITIVE_INFINITY];
  it.each(pauses)("is honoured: %d", async (pause) => {
    vi.useFakeTimers();
    const { bob, client, mock } = setting();
    const controller = new AbortController();
    const events = client.accounts.watch(bob, {
      // 10 s is the default.
      pollInterval: pause === 10_000 ? undefined : pause,
      from: 0,
      kinds: ["transaction"],
      signal: controller.signal,
    });
    const next = events.next();
    const month = 30 * 86_400_000;
    await vi.advanceTimersByTimeAsync(Math.min(pause, month) / 2);
    const first = mock.journal.count();
    expect(first).toBeGreaterThan(0);
    if (pause > 1) {
      await vi.advanceTimersByTimeAsync(Math.min(pause, 20 * month) / 4);
      expect(mock.journal.count()).toBe(first);
    }
    if (pause < 1e13) {
      await vi.advanceTimersByTimeAsync(pause);
      await vi.advanceTimersByTimeAsync(10);
      expect(mock.journal.count()).toBeGreaterThan(first);
    }
    controller.abort();
    await next;
  });

  it.each<object>([
    { pollInterval: Number.NaN },
    { pollInterval: -1 },
    { pollInterval: Number.NEGATIVE_INFINITY },
    { pollInterval: "5" },
    { from: 1.5 },
    { from: -1 },
    { from: 2n ** 63n },
    { depth: -1 },
    { depth: 1.5 },
    { depth: Number.POSITIVE_INFINITY },
    { kinds: ["transfer"] },
    { kinds: null },
    { signal: 5 },
    { onError: 5 },
    { onReorganisation: "log" },
  ])("and the other options are refused if they make no sense: %o", async (options) => {
    const { bob, client, mock } = setting();
    const name = Object.keys(options)[0];
    const error = await client.accounts
      .watch(bob, options)
      .next()
      .catch((thrown: unknown) => thrown);
    expect(isExplorerError(error, "PARAMETER") && error.issues[0]?.path[0]).toBe(name);
    expect(mock.journal.count()).toBe(0);
  });
});

it("yields the records of a poll whose onReorganisation throws, and hands the error to onError", async () => {
  const { story, bob, client, pay } = setting();
  const reported: ReorganisedRecords<AccountEvent>[] = [];
  const errors: unknown[] = [];
  const broken = new Error("no disk");
  const sent = [pay(), pay()];
  const events = client.accounts.watch(bob, {
    pollInterval: 1,
    from: 0,
    kinds: ["transaction", "transaction"],
    onReorganisation: (event) => {
      reported.push(event);
      throw broken;
    },
    onError: (error) => errors.push(error),
  });
  expect((await events.next()).value?.record.transaction_hash).toBe(sent[0]);
  expect((await events.next()).value?.record.transaction_hash).toBe(sent[1]);
  story.reorg(1, { drop: [sent[1] ?? "0x"] });
  const next = pay();
  expect(await take(events, 1)).toEqual([next]);
  expect(reported).toHaveLength(1);
  expect(errors).toEqual([broken]);
});
