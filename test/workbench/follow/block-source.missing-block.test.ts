// A node without blocks that it should have: anvil after an evm_revert to a block that it lost has no latest block, then a gap below its head.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Follower, followNode } from "../../../mocks/workbench/follow/follow-node.ts";
import { type Anvil, startAnvil } from "../../support/anvil.ts";

let node: Anvil;
const followers: Follower[] = [];
beforeEach(async () => {
  node = await startAnvil();
});
afterEach(async () => {
  for (const follower of followers.splice(0)) await follower.close();
  await node.stop();
});

const errors: string[] = [];
async function follow(): Promise<Follower> {
  errors.length = 0;
  const onError = (error: unknown) => errors.push(String(error));
  const follower = await followNode(node.url, { interval: 3_600_000, onError });
  followers.push(follower);
  return follower;
}

const mine = async (count: number) => {
  for (let mined = 0; mined < count; mined += 1) await node.ask("evm_mine");
};

/** The reset drops the blocks of the snapshot; anvil 1.7 goes back to its number all the same. */
const goBackToLostBlock = async () => {
  await mine(5);
  const lost = await node.ask("evm_snapshot");
  await node.ask("anvil_reset");
  await expect(node.ask("evm_revert", lost)).rejects.toThrow("Resource not found");
  expect(await node.ask("eth_getBlockByNumber", "latest", false)).toBeNull();
};

test("no latest block: the error says what to do, and what was followed is served", async () => {
  await mine(2);
  const follower = await follow();
  const { hash } = follower.chain.head;
  await goBackToLostBlock();
  await expect(follower.update()).rejects.toThrow(
    /no latest block.*What to do: .*mine a block \(evm_mine\) or restart the node/,
  );
  expect(follower.chain.head.hash).toBe(hash);
  expect(follower.unavailable()).toBeUndefined();
  expect(follower.health()).toMatchObject({
    node: { state: "failing", lastError: { message: expect.stringContaining("evm_mine") } },
  });
});

test("a gap below the head is named once, and what lies before it is served, until the node has a head without it", async () => {
  await mine(2);
  const follower = await follow();
  await goBackToLostBlock();
  await mine(2);
  for (let poll = 0; poll < 3; poll += 1) await follower.update();
  expect(errors).toEqual([
    expect.stringMatching(
      /the node does not have block 1, though its head is block 9; .*What to do: .*anvil_reset.*--from-block/,
    ),
  ]);
  expect(follower.status()).toMatchObject({ state: "stuck", head: 0, nodeHead: 9, lag: 9 });

  await node.ask("anvil_reset");
  await follower.update();
  expect(follower.status()).toMatchObject({ state: "following", head: 0, nodeHead: 0, lag: 0 });
  await mine(3);
  await follower.update();
  expect(follower.status()).toMatchObject({ state: "following", head: 3, lag: 0 });
});

test("a gap is named by a follower that starts, also far below the head", async () => {
  await goBackToLostBlock();
  await node.ask("anvil_mine", "0x64");
  const { chain, status } = await follow();
  expect([chain.head.number, errors.length]).toEqual([0, 1]);
  expect(status()).toMatchObject({ state: "stuck", nodeHead: 105 });
});
