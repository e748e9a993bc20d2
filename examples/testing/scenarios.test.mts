// Twelve states that a dApp must survive, with node:test and MSW: `node --test scenarios.test.mts`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ExplorerClient, isExplorerError } from "mrc-explorer";
import { buildChain, coins, createExplorer, setupExplorer } from "mrc-explorer/mocks/msw";

const builder = buildChain();
const alice = builder.account({ name: "alice", balance: coins(10) });
const bob = builder.account({ name: "bob" });
const mock = createExplorer({ chain: builder, baseUrl: "https://explorer.example" });
// Resets after each test, and fails a test with an unknown parameter or path.
setupExplorer(mock, { strict: true });

const client = (retry = 0) => new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", retry });

test("1. a balance", async () => {
  builder.transfer(alice, bob, coins(1));
  builder.mine();
  assert.equal(await client().accounts.balance(bob), coins(1));
});

test("2. 120 records in 3 pages", async () => {
  for (let value = 1n; value <= 120n; value++) builder.transfer(alice, bob, value);
  builder.mine();
  const list = client().accounts.transactions(bob, { condition: "to", limit: 50 });
  const values: bigint[] = [];
  for await (const { value } of list) values.push(value);
  assert.equal(values.length, 120);
  assert.equal(mock.journal.count("accounts.transactions"), 3);
});

test("3. odd tokens: unknown decimals and no symbol, 0 decimals, 36 decimals", async () => {
  for (const metadata of [{ decimals: 0 }, { symbol: "" }, { decimals: 36 }])
    builder.deployMRC20(alice, { name: "Odd", symbol: "ODD", supply: 1n, ...metadata });
  builder.mine();
  const { mrc_20 } = await client().accounts.tokens(alice);
  assert.deepEqual(
    mrc_20.results.map(({ token_symbol, token_decimals }) => [token_symbol, token_decimals]).sort(),
    [
      ["", null],
      ["ODD", 0],
      ["ODD", 36],
    ],
  );
});

test("4. a failed transaction", async () => {
  const vault = builder.deploy(alice).address;
  const { hash } = builder.call(alice, { to: vault, fails: "paused" });
  builder.mine();
  assert.equal(await client().transactions.status(hash), "0");
});

test("5. a rate limit, and a client that waits as it says", async () => {
  mock.faults.add({ fault: "rate-limit", retryAfter: 1 });
  assert.equal(await client(1).accounts.balance(alice), coins(10));
  mock.faults.expectMatched();
});

test("6. a body that is cut short", async () => {
  mock.faults.add({ fault: "truncated", operation: "accounts.balance" });
  await assert.rejects(client().accounts.balance(alice), (error) =>
    isExplorerError(error, "CONNECTION"),
  );
});

test("7. a reorganisation", async () => {
  const { hash } = builder.transfer(alice, bob, 7n);
  builder.mine();
  builder.reorg(1, { drop: [hash] });
  await assert.rejects(client().transactions.status(hash), (error) =>
    isExplorerError(error, "NOT_FOUND"),
  );
});

test("8. logs by topic", async () => {
  const gold = builder.deployMRC20(alice, { name: "Gold", symbol: "GLD", supply: 5n });
  gold.transfer(alice, bob, 2n);
  gold.approve(alice, bob, 1n);
  builder.mine();
  const topic_0 = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  const logs = await client().eventLogs.list({ address: gold.address, topic_0 });
  assert.equal(logs.data.length, 2); // the supply, and the transfer
});

test("9. a token at the address that the dApp knows", async () => {
  const address = "0xdac17f958d2ee523a2206206994597c13d831ec7";
  builder.deployMRC20(alice, { name: "Tether", symbol: "USDT", supply: 9n, address });
  builder.mine();
  assert.equal(await client().tokens.balance(address, alice), 9n);
});

test("10. a response by hand: an offset that is ignored, and a wrong count", async () => {
  for (const value of [1n, 2n, 3n]) builder.transfer(alice, bob, value);
  builder.mine();
  mock.faults.add({
    fault: "response",
    operation: "accounts.transactions",
    body: (results) => ({ ...results, count: "7" }),
  });
  const page = await client().accounts.transactions(bob, { condition: "to" });
  assert.deepEqual([page.count, page.data.length], [7, 3]);
});

test("11. an outage of one page for one API key", async () => {
  mock.faults.add({ preset: "503 twice", key: "any", where: { offset: 0 } });
  await client(2).accounts.transactions(alice);
  assert.equal(mock.journal.count("accounts.transactions"), 3);
});

test("12. a typing mistake that a real explorer ignores", async () => {
  const headers = { "api-key": "any" };
  await fetch(`${mock.baseUrl}/v1/accounts/${alice}/transactions?startblock=3`, { headers });
  assert.throws(() => mock.journal.expectNoNearMisses(), /did you mean startBlock/);
  mock.journal.clear(); // or this test fails, because of `strict`
});
