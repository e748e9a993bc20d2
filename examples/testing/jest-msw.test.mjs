// Tests with jest, MSW and fake timers: `node --experimental-vm-modules node_modules/jest/bin/jest.js`.
import * as hooks from "@jest/globals";
import { ExplorerClient } from "mrc-explorer";
import { buildChain, coins } from "mrc-explorer/mocks";
import { createExplorer, setupExplorer } from "mrc-explorer/mocks/msw";

const { afterEach, beforeEach, expect, jest, test } = hooks;

const builder = buildChain();
const alice = builder.account({ name: "alice", balance: coins(10) });
const bob = builder.account({ name: "bob" });

const mock = createExplorer({ chain: builder, baseUrl: "https://explorer.example" });
setupExplorer(mock, { hooks }); // answers every request to this address, and resets after each test

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Advances the clock until a promise has settled: responses take turns of the event loop, in which no timer is due. */
async function settle(promise) {
  let isPending = true;
  const settled = () => {
    isPending = false;
  };
  promise.then(settled, settled);
  while (isPending) await jest.advanceTimersByTimeAsync(1_000);
  return promise;
}

test("tries again after an outage", async () => {
  mock.faults.add({ fault: "status", status: 503, operation: "accounts.balance", times: 1 });
  const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any" });
  expect(await settle(explorer.accounts.balance(alice))).toBe(coins(10));
  expect(mock.journal.count("accounts.balance")).toBe(2);
});

test("sees a payment with the next poll", async () => {
  const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any" });
  const records = explorer.accounts.watch(bob, { from: 1, pollInterval: 30_000 });
  const watching = records[Symbol.asyncIterator]();
  const arrival = watching.next();
  await settle(explorer.accounts.balance(bob));
  builder.transfer(alice, bob, coins(1));
  builder.mine();
  const { value } = await settle(arrival);
  expect(value.record).toMatchObject({ sender: alice, value: coins(1) });
  await watching.return();
});
