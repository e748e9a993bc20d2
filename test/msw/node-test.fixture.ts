// Run by `node --test`: setupExplorer finds the hooks of node:test without being configured.
import assert from "node:assert/strict";
import test from "node:test";
import { buildChain, coins } from "../../mocks/builder/index.ts";
import { createExplorer } from "../../mocks/explorer.ts";
import { setupExplorer } from "../../mocks/msw/setup.ts";

const story = buildChain();
story.account({ name: "alice", balance: coins(10) });
story.mine();
const mock = createExplorer({ chain: story.chain });
setupExplorer(mock);

const ask = () => fetch(`${mock.baseUrl}/v1/blocks/1`, { headers: { "api-key": "k" } });

test("the explorer answers", async () => {
  mock.faults.add({ fault: "status", status: 503 });
  assert.equal((await ask()).status, 503);
});

test("and is reset after each test", async () => {
  assert.equal((await ask()).status, 200);
  assert.equal(mock.journal.count(), 1);
});
