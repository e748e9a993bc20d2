// A chain with a bit of everything, built in a moment; for tests in browsers, where no file can be read.
import { buildChain, coins, eventTopic } from "../../mocks/builder/index.ts";

export function buildSampleChain() {
  const builder = buildChain({ timestamp: new Date("2026-03-01T00:00:00Z") });
  const { chain } = builder;
  const alice = builder.account({ name: "alice", balance: coins(100) });
  const bob = builder.account({ name: "bob", balance: coins(5) });
  const gold = builder.deployMRC20(alice, {
    name: "Gold",
    symbol: "GLD",
    decimals: 18,
    supply: coins(9),
  });
  const art = builder.deployMRC721(alice, { name: "Art", symbol: "" });
  const till = builder.deploy(alice).address;
  builder.mine();
  builder.verify(till, {
    contractName: "Till",
    abi: [{ type: "receive", stateMutability: "payable" }],
  });
  for (let block = 0; block < 30; block++) {
    builder.transfer(alice, bob, coins("0.1"));
    gold.transfer(alice, bob, coins("0.01"));
    art.mint(block % 2 === 0 ? alice : bob, BigInt(block) ** 40n, { uri: `ipfs://${block}` });
    builder.call(bob, {
      to: till,
      value: 1_000n,
      does(frame) {
        frame.emit([eventTopic("Paid(address)"), frame.caller]);
        frame.call({ to: alice, value: 10n });
        frame.call({ to: gold.address, fails: "no" });
      },
      ...(block % 7 === 6 ? { fails: "execution reverted" } : {}),
    });
    builder.mine();
  }
  return { builder, chain, alice, bob, gold, art, till };
}
