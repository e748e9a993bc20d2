// What a reorganisation drops, and what it refuses to: the chain's own replay decides.
import { expect, test } from "vitest";
import { buildChain, coins, eventTopic, word } from "../../../mocks/chain/build/index.ts";

const transferTopic = eventTopic("Transfer(address,address,uint256)");

test("drops an unrelated payment though a contract emits a transfer of what nobody holds", () => {
  const story = buildChain({ freeGas: true });
  const alice = story.account({ name: "alice", balance: coins(10) });
  const bob = story.account({ name: "bob" });
  const carol = story.account({ name: "carol", balance: coins(1) });
  const { address } = story.deploy(carol);
  const payment = story.transfer(alice, bob, coins(1));
  story.mine();
  story.call(carol, {
    to: address,
    does: (frame) => frame.emit([transferTopic, alice, bob], word(5)),
  });
  story.mine();
  expect(story.reorg(2, { drop: [payment] }).dropped).toHaveLength(1);
  expect(story.chain.balance(bob)).toBe(0n);
});
