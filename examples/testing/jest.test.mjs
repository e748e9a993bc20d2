// Tests with jest: `npx jest`.
import { ExplorerClient } from "mrc-explorer";
import { buildChain, coins, createExplorer } from "mrc-explorer/mocks";
import { overview } from "./wallet.mjs";

const builder = buildChain();
const alice = builder.account({ name: "alice", balance: coins(10) });
const bob = builder.account({ name: "bob" });

const mock = createExplorer({ chain: builder });
const explorer = new ExplorerClient({
  baseUrl: mock.baseUrl,
  apiKey: "any",
  fetch: mock.fetch,
  retry: { limit: 2, delay: () => 1 },
});

beforeEach(() => mock.reset());

test("shows a payment once it is mined", async () => {
  builder.transfer(alice, bob, coins(1));
  builder.mine();
  expect(await overview(explorer, bob)).toEqual({
    balance: coins(1),
    payments: [{ from: alice, value: coins(1) }],
  });
});

test("lists payments by a contract as internal transactions", async () => {
  const shop = builder.deploy(alice).address;
  const sale = builder.call(alice, {
    to: shop,
    value: 100n,
    does(frame) {
      frame.call({ to: bob, value: 90n });
      frame.call({ to: bob, value: 10n, fails: "closed" });
    },
  });
  builder.mine();
  const { data } = await explorer.transactions.internalTransactions(sale.hash);
  expect(data.map(({ value, status, message }) => [value, status, message])).toEqual([
    [90n, "1", null],
    [10n, "0", "closed"],
  ]);
});

test("retries after a broken connection", async () => {
  mock.faults.add({ fault: "reset", operation: "accounts.balance", once: true });
  expect((await overview(explorer, alice)).balance).toBe(coins(10));
  expect(mock.journal.count("accounts.balance")).toBe(2);
});
