// State per test: what one explorer, tenant or test does, no other sees.

import * as hooks from "vitest";
import { describe, expect, test } from "vitest";
import { buildChain, coins, continueChain } from "../mocks/builder/index.ts";
import { createExplorer, type Explorer } from "../mocks/explorer.ts";
import { setupExplorer } from "../mocks/msw/setup.ts";

const story = buildChain();
const alice = story.account({ name: "alice", balance: coins(10) });
const bob = story.account({ name: "bob" });
story.transfer(alice, bob, coins(1));
story.mine();
const mock = createExplorer({ chain: story.chain, baseUrl: "https://explorer.test" });

/** The number of Alice's transactions, as the service at `url` reports it. */
async function transactionCount(
  url: string,
  key = "k",
  ask: typeof fetch = fetch,
): Promise<number> {
  const response = await ask(`${url}/v1/accounts/${alice}/transactions`, {
    headers: { "api-key": key },
  });
  if (!response.ok) throw new Error(`${response.status}`);
  const { results } = await response.json();
  return Number(results.count);
}

/** A payment of Alice's more on an explorer's chain. */
function pay({ chain }: Explorer): void {
  const builder = continueChain(chain);
  builder.transfer(alice, bob, 1n);
  builder.mine();
}

test("a fork continues with the faults in their state, each counting for itself", async () => {
  const base = mock.fork();
  base.faults.add({ fault: "status", status: 503, nth: 2 });
  expect(await transactionCount(base.baseUrl, "k", base.fetch)).toBe(1);
  const fork = base.fork();
  await expect(transactionCount(fork.baseUrl, "k", fork.fetch)).rejects.toThrow("503");
  await expect(transactionCount(base.baseUrl, "k", base.fetch)).rejects.toThrow("503");
});

test("a fork that is reset is as it was when it was made", async () => {
  const base = mock.fork();
  pay(base);
  base.faults.add({ fault: "status", status: 503, nth: 2 });
  const fork = base.fork();
  pay(fork);
  fork.faults.clear();
  fork.reset();
  expect(await transactionCount(fork.baseUrl, "k", fork.fetch)).toBe(2);
  await expect(transactionCount(fork.baseUrl, "k", fork.fetch)).rejects.toThrow("503");
});

test("a snapshot is come back to as often as wanted; reset goes back to the beginning", async () => {
  const mine = mock.fork();
  pay(mine);
  const snapshot = mine.snapshot();
  for (let round = 0; round < 3; round++) {
    pay(mine);
    mine.faults.add({ fault: "reset" });
    mine.restore(snapshot);
    expect(await transactionCount(mine.baseUrl, "k", mine.fetch)).toBe(2);
    expect(mine.journal.count()).toBe(1);
  }
  mine.reset();
  expect(await transactionCount(mine.baseUrl, "k", mine.fetch)).toBe(1);
});

test("what is no snapshot is refused by name, and nothing changes", async () => {
  const mine = mock.fork();
  pay(mine);
  for (const given of ["x", undefined, {}, mine.chain.snapshot(), { chain: "x", faults: [] }])
    expect(() => mine.restore(given as never)).toThrow("Invalid snapshot: expected one that a");
  expect(() => mine.chain.restore(undefined as never)).toThrow("Invalid snapshot");
  expect(await transactionCount(mine.baseUrl, "k", mine.fetch)).toBe(2);
});

test("faults to begin with are there again after a reset", async () => {
  const mine = createExplorer({
    chain: mock.chain.fork(),
    faults: [{ fault: "status", status: 503, once: true }],
  });
  for (let round = 0; round < 2; round++) {
    await expect(transactionCount(mine.baseUrl, "k", mine.fetch)).rejects.toThrow("503");
    expect(await transactionCount(mine.baseUrl, "k", mine.fetch)).toBe(1);
    mine.faults.clear();
    mine.reset();
  }
});

test("there are at most a thousand tenants, and a reset lets them go", async () => {
  const explorer = createExplorer({ tenant: "api-key" });
  const ask = (key: string) =>
    explorer.fetch(`${explorer.baseUrl}/v1/blocks/0`, { headers: { "api-key": key } });
  for (let number = 0; number < 1000; number++) explorer.tenant(`${number}`);
  expect((await ask("0")).status).toBe(200);
  const refused = await ask("1000");
  expect([refused.status, (await refused.json()).message]).toEqual([
    503,
    "api-key: expected at most 1000 keys, each with an explorer of its own; reset() drops them",
  ]);
  explorer.reset();
  expect((await ask("1000")).status).toBe(200);
});

describe("the builder of an explorer", () => {
  const own = () => {
    const builder = buildChain({ freeGas: true });
    const payer = builder.account({ name: "payer", balance: 10n });
    return { builder, payer, mock: createExplorer({ chain: builder }) };
  };

  test("is as it was after a reset: time, names, pending transactions and coins", () => {
    const { builder, payer, mock } = own();
    expect(mock.builder).toBe(builder);
    const turn = () => {
      const made = builder.account({ balance: 5n });
      builder.wait(60);
      const { hash } = builder.transfer(made, payer, 1n);
      const { timestamp } = builder.mine([hash]);
      builder.reorg(1);
      builder.transfer(payer, made, 1n);
      builder.wait(600);
      return [made, hash, timestamp, mock.chain.head.hash];
    };
    const first = turn();
    for (const _ of [1, 2]) {
      mock.reset();
      expect(builder.pending).toEqual([]);
      expect(mock.chain.balance(first[0] as never)).toBe(0n);
      expect(turn()).toEqual(first);
    }
  });

  test("goes back to what was pending in a snapshot, and a fork has the same on its own chain", () => {
    const { builder, payer, mock } = own();
    const pending = builder.transfer(payer, payer, 3n);
    builder.wait(100);
    const snapshot = mock.snapshot();
    const fork = mock.fork();
    builder.mine();
    mock.restore(snapshot);
    expect(builder.pending.map(({ hash }) => hash)).toEqual([pending.hash]);
    const mined = builder.mine();
    expect(fork.chain.head.number).toBe(0);
    expect(fork.builder.mine()).toEqual(mined);
    expect(fork.builder.account()).toBe(builder.account());
  });

  test("continues the chain where the explorer was created without one", () => {
    const mock = createExplorer();
    const payer = mock.builder.account({ balance: coins(1) });
    mock.builder.transfer(payer, payer, 1n);
    mock.builder.mine();
    expect(mock.chain.transactions(payer, "all", {}).count).toBe(1);
    mock.reset();
    expect(mock.builder.account()).toBe(payer);
  });
});

describe("behind the same fetch", () => {
  const { isolated } = setupExplorer(mock, { hooks });

  test("a test sees the explorer", async () => {
    pay(mock);
    expect(await transactionCount(mock.baseUrl)).toBe(2);
  });

  test("and the next one sees it as it was", async () => {
    expect(await transactionCount(mock.baseUrl)).toBe(1);
    expect(mock.journal.count()).toBe(1);
  });

  for (const worker of [0, 1, 2, 3])
    test.concurrent(
      `concurrent test ${worker} has a chain, faults and a journal of its own`,
      isolated(async (mine) => {
        for (let paid = 0; paid < worker; paid++) {
          pay(mine);
          expect(await transactionCount(mine.baseUrl)).toBe(2 + paid);
        }
        mine.faults.add({ fault: "status", status: 500 + worker });
        await expect(transactionCount(mine.baseUrl)).rejects.toThrow(`${500 + worker}`);
        expect(mine.journal.count("A2")).toBe(worker + 1);
      }),
    );

  test(
    "inside isolated, the shared chain and its builders are refused",
    isolated((mine) => {
      const shared = continueChain(mock.fork().chain);
      for (const change of [
        () => mock.builder.transfer(alice, bob, 1n),
        () => mock.builder.account(),
        () => mock.builder.wait(1),
        () => mock.builder.mine(),
        () => continueChain(mock.chain).fund(alice, 1n),
        () => mock.chain.rewind(1),
      ])
        expect(change).toThrow("mine.builder, mine.chain");
      shared.mine();
      mine.builder.transfer(alice, bob, 1n);
      expect(mine.builder.mine().transactionCount).toBe(1);
    }),
  );

  test("what would leave this machine is refused", async () => {
    const { error } = console;
    console.error = () => {};
    await expect(fetch("https://real-explorer.example/v1/blocks/1")).rejects.toThrow();
    console.error = error;
  });
});
