// Watching: what is new comes once, in chain order, through errors and reorganisations, until the
// signal ends it.
import { getEventListeners } from "node:events";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { buildChain, createExplorer } from "../../mocks/index.ts";
import { type AccountEvent, ExplorerClient, operations } from "../../src/index.ts";
import type { ListRecord } from "../../src/lists/records.ts";
import { watch, watchAccount } from "../../src/lists/watch.ts";
import { newestFirst, oldestFirst } from "../laws/lists/habits.ts";
import { ListServer, tally } from "../laws/lists/list-server.ts";
import { runs } from "../support/runs.ts";

const coin = 10n ** 18n;

function setting() {
  const story = buildChain();
  const alice = story.account({ name: "alice", balance: 1000n * coin });
  const bob = story.account({ name: "bob" });
  const mock = createExplorer({ chain: story.chain });
  const client = new ExplorerClient({
    baseUrl: mock.baseUrl,
    apiKey: "key",
    fetch: mock.fetch,
    retry: 0,
  });
  const pay = (amount: bigint) => {
    const { hash } = story.transfer(alice, bob, amount);
    story.mine();
    return hash;
  };
  return { story, alice, bob, mock, client, pay };
}

/** Takes so many events. */
async function take<Event>(events: AsyncGenerator<Event>, count: number): Promise<Event[]> {
  const taken: Event[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

/** Until what was there has been looked at, and then some. */
async function settled(mock: { readonly journal: { readonly entries: readonly unknown[] } }) {
  while (mock.journal.entries.length < 100) await new Promise((resolve) => setTimeout(resolve, 2));
}

const hashes = (events: readonly AccountEvent[]) =>
  events.map(({ record }) => record.transaction_hash);

describe("accounts.watch", () => {
  it("yields new records in chain order, and ends with the signal", async () => {
    const { bob, client, mock, pay, story } = setting();
    story.mine(40);
    pay(1n);
    const startBlock = BigInt(story.chain.head.number - 31);
    const controller = new AbortController();
    const events = client.accounts.watch(bob, { pollInterval: 1, signal: controller.signal });
    const first = events.next();
    await settled(mock);
    mock.journal.expect("A2", { startBlock });
    const sent = [pay(2n), pay(3n), pay(4n)];
    const { value } = await first;
    const rest = await take(events, 2);
    expect(hashes(value ? [value, ...rest] : rest)).toEqual(sent);
    const next = events.next();
    controller.abort();
    expect(await next).toEqual({ value: undefined, done: true });
  });

  it.each([400, 401, 404])(
    "ends with an error that a retry cannot fix (HTTP %d), and leaves no listener behind",
    async (status) => {
      const { client, mock, bob, pay } = setting();
      const errors: unknown[] = [];
      pay(1n);
      const { signal } = new AbortController();
      const events = client.accounts.watch(bob, {
        pollInterval: 1,
        from: 0,
        depth: 0,
        onError: (error) => errors.push(error),
        signal,
      });
      await events.next();
      mock.faults.add({ fault: "status", status });
      await expect(events.next()).rejects.toMatchObject({ httpStatus: status });
      expect(errors).toEqual([]);
      expect(getEventListeners(signal, "abort")).toEqual([]);
    },
  );

  it("yields the records of several lists in chain order, until it is aborted among them", async () => {
    const { story, alice, bob, client, pay } = setting();
    const token = story.deployMRC20(alice, {
      name: "Token",
      symbol: "TOK",
      decimals: 2,
      holders: [[bob, 5n]],
    });
    story.mine();
    const collection = story.deployMRC721(alice, { name: "Arts", symbol: "ART" });
    story.mine();
    const { hash } = collection.mint(bob, 7n);
    story.mine();
    const sent = [token.deployment?.hash, hash, pay(1n), pay(2n)];
    const controller = new AbortController();
    const events = client.accounts.watch(bob, { from: 0, signal: controller.signal });
    const taken = await take(events, 3);
    expect(taken.map(({ kind }) => kind)).toEqual([
      ...["mrc20Transfer", "mrc721Transfer", "transaction"],
    ]);
    expect(hashes(taken)).toEqual(sent.slice(0, 3));
    controller.abort();
    expect(await events.next()).toEqual({ value: undefined, done: true });
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it("tries a list again after an error, whether or not others have one, and needs no callback for a reorganisation", async () => {
    vi.useFakeTimers();
    let [polls, reads] = [0, 0];
    const list = new ListServer("A2", [newestFirst], [1, 1]);
    const watched = (read: () => void) => ({
      operation: operations.A2,
      list: (reading: object) => {
        read();
        return list.read(reading);
      },
      event: (record: ListRecord) => record,
    });
    const lists = [
      watched(() => {
        reads++;
      }),
      watched(() => {
        if (++polls > 1) throw new Error("down");
      }),
    ];
    const errors: unknown[] = [];
    const controller = new AbortController();
    const { signal } = controller;
    const events = watch(lists, {
      from: 0,
      pollInterval: 1000,
      signal,
      onError: (error) => errors.push(String(error)),
    });
    await take(events, 4);
    const next = events.next();
    list.blocks.pop();
    await vi.advanceTimersByTimeAsync(7_500);
    expect(errors).toEqual(["Error: down", "Error: down", "Error: down"]);
    expect(reads).toBe(4);
    controller.abort();
    expect(await next).toEqual({ value: undefined, done: true });
  });

  it("names internal transactions by their kind", async () => {
    const list = new ListServer("A2", [newestFirst], [1]);
    const request = (() => list.read()) as never;
    const address = "0x0000000000000000000000000000000000000001";
    const query = { kinds: ["internalTransaction" as const], from: 0 };
    const { signal } = new AbortController();
    const events = watchAccount(request, address, query, undefined, {}, signal);
    expect(await take(events, 1)).toEqual([
      { kind: "internalTransaction", record: list.records[0] },
    ]);
    await events.return();
  });
});

describe("eventLogs.watch", () => {
  it("asks for the first block: logs do not name theirs", async () => {
    const { alice, client, mock } = setting();
    const query = { address: alice } as Parameters<typeof client.eventLogs.watch>[0];
    await expect(client.eventLogs.watch(query).next()).rejects.toMatchObject({
      code: "PARAMETER",
      issues: [{ path: ["from"] }],
    });
    const deep = client.eventLogs.watch({ address: alice, from: 0, depth: -1 });
    await expect(deep.next()).rejects.toMatchObject({ issues: [{ path: ["depth"] }] });
    expect(mock.journal.count()).toBe(0);
  });
});

describe.each(["A2", "A5", "L1"] as const)("watching a list (%s)", (id) => {
  it("yields every record once, whatever is mined, lost and brought back", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(newestFirst, oldestFirst),
        fc.array(
          fc.record({
            back: fc.oneof(
              { weight: 4, arbitrary: fc.constant(0) },
              fc.integer({ min: 1, max: 6 }),
            ),
            sizes: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 6 }),
            fails: fc.boolean(),
          }),
          { minLength: 1, maxLength: 8 },
        ),
        async (order, steps) => {
          const list = new ListServer(id, [order], []);
          const ever = new Map<string, number>();
          let failing = false;
          /** The first poll has to succeed. */
          let polled = false;
          list.before = () => {
            if (failing && polled) throw new Error("no connection");
            polled = true;
          };
          const controller = new AbortController();
          /** What happens before the next look. */
          const act = ({ limit }: { readonly limit?: number }) => {
            const step = steps.shift();
            if (!step) return controller.abort();
            failing = step.fails && polled;
            list.mine(step.sizes, step.back);
            // A read of the newest block alone sees no whole list.
            if (failing || limit !== undefined) return;
            for (const [record, times] of tally(list.records))
              ever.set(record, Math.max(times, ever.get(record) ?? 0));
          };
          const watched = {
            operation: operations[id],
            list: (reading: object) => {
              act(reading);
              return list.read(reading);
            },
            event: (record: ListRecord) => record as ListRecord,
          };
          const { signal } = controller;
          const got = await Array.fromAsync(
            watch<ListRecord>([watched], { from: 0, depth: 1000, signal, pollInterval: 0 }),
          );
          const seen = tally(got);
          expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(ever));
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
