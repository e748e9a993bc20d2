// Following an anvil whose time stands still, jumps by years, or leaves the years that a time can have.
import { afterEach, beforeEach, expect, test } from "vitest";
import { createExplorer, type Follower, followNode } from "../../../mocks/node.ts";
import { ExplorerClient } from "../../../src/index.ts";
import { type Anvil, startAnvil } from "../../support/anvil.ts";

const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

let node: Anvil;
let follower: Follower;

beforeEach(async () => {
  node = await startAnvil(["--no-mining"]);
  follower = await followNode(node.url);
});
afterEach(async () => {
  await follower.close();
  await node.stop();
});

/** Mines a block with a transaction at this time, or when the node thinks it is. */
async function mine(timestamp?: number): Promise<void> {
  const [from] = (await node.ask("eth_accounts")) as string[];
  await node.ask("eth_sendTransaction", { from, to: from, value: "0x1" });
  if (timestamp !== undefined) await node.ask("evm_setNextBlockTimestamp", timestamp);
  await node.ask("evm_mine");
}

/** The times of the account's transactions as the client reads them, the oldest first. */
async function times(): Promise<string[]> {
  const { baseUrl, fetch } = createExplorer({ chain: follower });
  const explorer = new ExplorerClient({ baseUrl, apiKey: "any", fetch });
  const [from] = (await node.ask("eth_accounts")) as `0x${string}`[];
  const { data } = await explorer.accounts.transactions(from as `0x${string}`);
  return data.map(({ timestamp }) => timestamp.toISOString()).reverse();
}

test("blocks years apart, and at the last second that a time can have, are followed", async () => {
  await mine(Date.UTC(2030, 0, 1) / 1000);
  await node.ask("evm_increaseTime", 100 * 365 * 86_400);
  await mine(Date.UTC(2500, 5, 1) / 1000);
  await mine(LAST_SECOND);
  await follower.update();
  expect(follower.status()).toMatchObject({ state: "following", head: 3 });
  expect(await times()).toEqual([
    "2030-01-01T00:00:00.000Z",
    "2500-06-01T00:00:00.000Z",
    "9999-12-31T23:59:59.000Z",
  ]);
});

test.each([LAST_SECOND + 1, 10 ** 13])(
  "a block at second %s is named once with what to do, and the blocks before it are served",
  async (timestamp) => {
    await mine(Date.UTC(2030, 0, 1) / 1000);
    await mine(timestamp);
    await follower.update();
    const { state, head, lastError } = follower.status();
    expect({ state, head }).toEqual({ state: "stuck", head: 1 });
    expect(lastError?.message).toMatch(/block 2.*timestamp.*set the node's time to seconds/);
    expect(await times()).toEqual(["2030-01-01T00:00:00.000Z"]);
  },
);
