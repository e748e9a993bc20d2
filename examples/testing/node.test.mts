// Tests with node:test: `node --test node.test.mts`. The client calls `mock.fetch`; no globals are
// patched.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { ExplorerClient, RateLimitError } from "mrc-explorer";
import { buildChain, coins, createExplorer } from "mrc-explorer/mocks";
import { overview } from "./wallet.mjs";

const builder = buildChain();
const alice = builder.account({ name: "alice", balance: coins(10) });
const bob = builder.account({ name: "bob" });

const mock = createExplorer({ chain: builder });

// A client remembers rate limits, so each test creates its own.
let explorer: ExplorerClient;
beforeEach(() => {
  mock.reset();
  explorer = new ExplorerClient({
    baseUrl: mock.baseUrl,
    apiKey: "any",
    fetch: mock.fetch,
    retry: 0,
  });
});

test("shows token balances and holders", async () => {
  const gold = builder.deployMRC20(alice, { name: "Gold", symbol: "GLD", supply: 100n });
  gold.transfer(alice, bob, 30n);
  builder.mine();
  assert.equal(await explorer.tokens.balance(gold.address, bob), 30n);
  assert.equal(await explorer.tokens.holderCount(gold.address), 2);
});

test("rejects impossible payments when you build the chain", () => {
  assert.throws(() => builder.transfer(bob, alice, coins(1)), /bob .* has 0 coins .* needs 1/);
});

test("throws if the rate limit is exceeded", async () => {
  mock.faults.add({ fault: "rate-limit", retryAfter: 1 });
  await assert.rejects(overview(explorer, bob), (error: unknown) => {
    assert(error instanceof RateLimitError);
    assert.equal(error.retryAfter, 1_000);
    return true;
  });
});

test("drops a payment in a reorganisation", async () => {
  const payment = builder.transfer(alice, bob, coins(1));
  builder.mine();
  assert.equal((await overview(explorer, bob)).payments.length, 1);
  builder.reorg(1, { drop: [payment] });
  assert.equal((await overview(explorer, bob)).payments.length, 0);
});
