// A dApp tested with vitest: the double stands behind `fetch`, and every test finds it as it was.
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

const story = buildChain();
const alice = story.account({ name: "alice", balance: coins(10) });
const bob = story.account({ name: "bob" });

const mock = createExplorer({ baseUrl: "https://explorer.example", chain: story });
const { isolated } = setupExplorer(mock, { hooks });

const client = () =>
  new ExplorerClient({
    baseUrl: "https://explorer.example",
    apiKey: "any",
    retry: { limit: 2, delay: () => 1 },
  });
const explorer = client();

test("a payment shows once it is mined", async () => {
  story.transfer(alice, bob, coins(1));
  expect(await overview(explorer, bob)).toEqual({ balance: 0n, payments: [] });
  story.mine();
  expect(await overview(explorer, bob)).toEqual({
    balance: coins(1),
    payments: [{ from: alice, value: coins(1) }],
  });
});

test("the next test finds the chain as it was", async () => {
  expect((await overview(explorer, bob)).payments).toEqual([]);
});

test("a failed payment does not count", async () => {
  story.transfer(alice, bob, coins(1), { fails: "out of gas" });
  story.mine();
  expect((await overview(explorer, bob)).payments).toEqual([]);
});

test("a busy explorer is asked again", async () => {
  mock.faults.add({ fault: "status", status: 503, operation: "accounts.transactions", once: true });
  await overview(explorer, bob);
  expect(mock.journal.find("accounts.transactions").map(({ status }) => status)).toEqual([
    503, 200,
  ]);
});

test("an explorer that stays broken is an error the dApp can show", async () => {
  mock.faults.add({ fault: "status", status: 500, operation: "accounts.balance" });
  await expect(overview(explorer, bob)).rejects.toThrow(ServerError);
});

// Each of these has a chain of its own, so they may run at once. And a client of its own: one client sends equal questions
// that are under way at once only once.
test.concurrent.each([1, 2, 3])("%i payments, side by side", (count) =>
  isolated(async ({ chain }) => {
    const mine = continueChain(chain);
    for (let at = 0; at < count; at++) {
      mine.transfer(alice, bob, 1n);
    }
    mine.mine();
    expect((await overview(client(), bob)).payments).toHaveLength(count);
  })(),
);
