// Where a watch starts without `from`, how long it pauses, and what its callbacks may do.
import { afterEach, describe, expect, it, vi } from "vitest";
import { buildChain, createExplorer } from "../../mocks/index.ts";
import {
  type AccountEvent,
  ExplorerClient,
  isExplorerError,
  operations,
  type ReorganisedRecords,
} from "../../src/index.ts";
import { ListPoller } from "../../src/lists/list-poller.ts";
import type { ListRecord } from "../../src/lists/list-records.ts";
import { GrowingList, mining } from "../laws/lists/growing-list.ts";

const coin = 10n ** 18n;
const { signal } = new AbortController();

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

const until = (done: () => boolean) => vi.waitFor(() => expect(done()).toBe(true));

async function take(events: AsyncGenerator<AccountEvent>, count: number): Promise<string[]> {
  const taken: string[] = [];
  while (taken.length < count) {
    const { value } = await events.next();
    if (value) taken.push(value.record.transaction_hash);
  }
  await events.return(undefined);
  return taken;
}

afterEach(() => void vi.useRealTimers());

describe("what is new", () => {
  it("is what arrived since the watch began, although the first looks failed", async () => {
    const { bob, mock, client, pay } = setting();
    for (let old = 0; old < 5; old++) pay();
    const began = Date.now();
    const outage = mock.faults.add({ fault: "status", status: 503 });
    const errors: unknown[] = [];
    const events = client.accounts.watch(bob, {
      pollInterval: 1,
      // More blocks pass while the looks fail.
      depth: 2,
      kinds: ["transaction"],
      onError: (error) => errors.push(error),
    });
    const took = take(events, 6);
    await until(() => errors.length > 1);
    const sent = [0, 1, 2, 3, 4].map((second) => pay(began + second * 1000));
    outage.remove();
    const calls = mock.journal.count();
    await until(() => mock.journal.count() > calls + 10);
    sent.push(pay());
    expect(await took).toEqual(sent);
  });

  it("is no record of a time still to come, as a simulated chain may have", async () => {
    const { bob, mock, client, pay } = setting();
    pay(Date.now() + 86_400_000);
    const outage = mock.faults.add({ fault: "status", status: 503, times: 1 });
    const events = client.accounts.watch(bob, { pollInterval: 1, kinds: ["transaction"] });
    const took = take(events, 1);
    await until(() => mock.journal.count() > 10);
    outage.remove();
    const sent = pay();
    expect(await took).toEqual([sent]);
  });

  it("is told by the service's time, however wrong the clock here is", async () => {
    const { bob, mock, pay } = setting();
    pay();
    const ahead = 3_000_000;
    let down = true;
    const client = new ExplorerClient({
      baseUrl: mock.baseUrl,
      apiKey: "key",
      retry: 0,
      fetch: async (...request) => {
        if (down) throw new Error("no connection");
        const { body, status } = await mock.fetch(...request);
        const date = new Date(Date.now() - ahead).toUTCString();
        return new Response(body, { status, headers: { date } });
      },
    });
    const errors: unknown[] = [];
    const events = client.accounts.watch(bob, {
      pollInterval: 1,
      kinds: ["transaction"],
      onError: (error) => errors.push(error),
    });
    const took = take(events, 1);
    await until(() => errors.length > 1);
    const sent = pay(Date.now() - ahead + 1000);
    down = false;
    expect(await took).toEqual([sent]);
  });

  it.each(["newest first", "oldest first"] as const)(
    "is fixed by the first response (%s)",
    async (order) => {
      const list = new GrowingList({ order, count: "total", cap: 1000 });
      const mine = (id: "A2" | "L1") => {
        list.blocks.push(mining[id]?.(list.blocks.length, 1, 0) ?? []);
        return list.records.at(-1);
      };
      for (const id of ["A2", "L1"] as const) {
        list.blocks.length = 0;
        list.requests = 0;
        mine(id);
        mine(id);
        // A block after the first response.
        list.before = () => {
          if (list.requests === 2) mine(id);
        };
        const poller = new ListPoller<ListRecord>(
          {
            operation: operations[id],
            list: (reading) => list.list(id, reading),
            event: (record) => record,
          },
          { from: undefined, depth: 32 },
        );
        const { added } = await poller.poll(signal);
        // Oldest first, the newest is known only after a search.
        expect(added).toEqual(order === "newest first" ? [list.records[2]] : []);
        const next = mine(id);
        expect((await poller.poll(signal)).added).toEqual([next]);
      }
    },
  );

  it("is everything where there was nothing", async () => {
    const { bob, client, mock, pay } = setting();
    const events = client.accounts.watch(bob, { pollInterval: 1, kinds: ["transaction"] });
    const took = take(events, 1);
    await until(() => mock.journal.count() > 10);
    const sent = pay();
    expect(await took).toEqual([sent]);
  });
});

describe("the pause between polls", () => {
  it.each([1e-9, 1, 2 ** 31, 1e13, Number.POSITIVE_INFINITY])("is honoured: %d", async (pause) => {
    vi.useFakeTimers();
    const { bob, client, mock } = setting();
    const controller = new AbortController();
    const events = client.accounts.watch(bob, {
      pollInterval: pause,
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
    kinds: ["transaction"],
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
