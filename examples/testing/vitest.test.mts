// Tests with vitest: MSW intercepts every request, and the mock server resets after each test.
import { ExplorerClient, ServerError } from "mrc-explorer";
import {
  buildChain,
  coins,
  continueChain,
  createExplorer,
  setupExplorer,
} from "mrc-explorer/mocks/msw";
import * as hooks from "vitest";
import { expect, test } from "vitest";
import { overview } from "./wallet.mjs";

const builder = buildChain();
const alice = builder.account({ name: "alice", balance: coins(10) });
const bob = builder.account({ name: "bob" });

const mock = createExplorer({ baseUrl: "https://explorer.example", chain: builder });
const { isolated } = setupExplorer(mock, { hooks });

const client = () =>
  new ExplorerClient({
    baseUrl: "https://explorer.example",
    apiKey: "any",
    retry: { limit: 2, delay: () => 1 },
  });
const explorer = client();

test("shows a payment once it is mined", async () => {
  builder.transfer(alice, bob, coins(1));
  expect(await overview(explorer, bob)).toEqual({ balance: 0n, payments: [] });
  builder.mine();
  expect(await overview(explorer, bob)).toEqual({
    balance: coins(1),
    payments: [{ from: alice, value: coins(1) }],
  });
});

test("starts each test with the initial chain", async () => {
  expect((await overview(explorer, bob)).payments).toEqual([]);
});

test("ignores failed payments", async () => {
  builder.transfer(alice, bob, coins(1), { fails: "out of gas" });
  builder.mine();
  expect((await overview(explorer, bob)).payments).toEqual([]);
});

test("retries if the explorer is busy", async () => {
  mock.faults.add({ fault: "status", status: 503, operation: "accounts.transactions", once: true });
  await overview(explorer, bob);
  expect(mock.journal.find("accounts.transactions").map(({ status }) => status)).toEqual([
    503, 200,
  ]);
});

test("throws if the explorer keeps failing", async () => {
  mock.faults.add({ fault: "status", status: 500, operation: "accounts.balance" });
  await expect(overview(explorer, bob)).rejects.toThrow(ServerError);
});

// Concurrent tests need their own chain, which `isolated` provides, and their own client, because a
// client sends concurrent equal requests only once.
test.concurrent.each([1, 2, 3])("shows %i payments, concurrently", (count) =>
  isolated(async ({ chain }) => {
    const own = continueChain(chain);
    for (let i = 0; i < count; i++) {
      own.transfer(alice, bob, 1n);
    }
    own.mine();
    expect((await overview(client(), bob)).payments).toHaveLength(count);
  })(),
);
