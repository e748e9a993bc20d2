// A dApp tested with node:test: `node --test node.test.ts`. The double is found at its own `fetch`; nothing global is touched.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { ExplorerClient, RateLimitError } from "mrc-explorer";
import { buildChain, coins, createExplorer } from "mrc-explorer/mocks";
import { overview } from "./wallet.mjs";

const story = buildChain();
const alice = story.account({ name: "alice", balance: coins(10) });
const bob = story.account({ name: "bob" });

const mock = createExplorer({ chain: story });

// A client remembers that it was told to wait: each test has its own.
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

test("tokens, collectibles and contracts are part of the story", async () => {
  const gold = story.deployMRC20(alice, { name: "Gold", symbol: "GLD", supply: 100n });
  gold.transfer(alice, bob, 30n);
  story.mine();
  assert.equal(await explorer.tokens.balance(gold.address, bob), 30n);
  assert.equal(await explorer.tokens.holderCount(gold.address), 2);
});

test("an impossible payment is refused where the test is written", () => {
  assert.throws(() => story.transfer(bob, alice, coins(1)), /bob .* has 0 coins .* needs 1/);
});

test("a limit of the explorer reaches the dApp", async () => {
  mock.faults.add({ fault: "rate-limit", retryAfter: 1 });
  await assert.rejects(overview(explorer, bob), (error: unknown) => {
    assert(error instanceof RateLimitError);
    assert.equal(error.retryAfter, 1_000);
    return true;
  });
});

test("the chain reorganises, and the payment is gone", async () => {
  const payment = story.transfer(alice, bob, coins(1));
  story.mine();
  assert.equal((await overview(explorer, bob)).payments.length, 1);
  story.reorg(1, { drop: [payment] });
  assert.equal((await overview(explorer, bob)).payments.length, 0);
});
