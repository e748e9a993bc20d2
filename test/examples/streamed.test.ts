// The recipe that streams a watch into a query of TanStack: it fills while somebody observes it.
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { newTransactions } from "../../examples/recipes/streamed.ts";
import { buildChain, coins, createExplorer } from "../../mocks/index.ts";
import { ExplorerClient } from "../../src/index.ts";

test("new transactions appear newest first, through an outage, until nobody observes them", async () => {
  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const bob = builder.account({ name: "bob" });
  const mock = createExplorer({ chain: builder });
  const { baseUrl, fetch } = mock;
  const explorer = new ExplorerClient({ baseUrl, apiKey: "any", fetch, retry: 0 });
  const observer = new QueryObserver(new QueryClient(), newTransactions(explorer, bob, 1));
  const leave = observer.subscribe(() => {});
  const polls = () => mock.journal.count("accounts.transactions");
  const pay = (amount: bigint) => {
    builder.transfer(alice, bob, amount);
    builder.mine();
  };
  const shown = () => observer.getCurrentResult().data?.map(({ value }) => value);

  // The watch has begun: records before its first poll are not new.
  await expect.poll(polls).toBeGreaterThan(3);
  pay(1n);
  await expect.poll(shown).toEqual([1n]);
  const outage = mock.faults.add({ fault: "status", status: 503 });
  pay(2n);
  const before = polls();
  await expect.poll(polls).toBeGreaterThan(before);
  outage.remove();
  await expect.poll(shown).toEqual([2n, 1n]);
  leave();
  const after = polls();
  pay(3n);
  await new Promise(setImmediate);
  await expect.poll(polls).toBeLessThanOrEqual(after + 1);
  expect(observer.getCurrentResult().error).toBeNull();
});
