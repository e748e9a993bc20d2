// Blocks as Metadium's nodes make them: rewards that a header states, and gas that another account
// pays.
import { describe, expect, test } from "vitest";
import { addressOfName } from "../../mocks/builder/evm.ts";
import { buildChain, coins } from "../../mocks/builder/index.ts";

function start() {
  const builder = buildChain();
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const bob = builder.account({ name: "bob" });
  return { builder, chain: builder.chain, alice, bob };
}

describe("rewards and fees that a header or another account states", () => {
  const [member, staker] = [addressOfName("member"), addressOfName("staker")];

  test("go to the accounts of the header, and not to the miner", () => {
    const { builder, chain, alice, bob } = start();
    const { gasUsed, hash } = builder.transfer(alice, bob, 1n);
    const rewards = [
      { addr: member, reward: coins(1) },
      { addr: staker, reward: coins(2) },
      { addr: member, reward: 5n },
    ];
    const block = builder.mine({ rewards });
    const tip = (chain.transaction(hash)?.gasPrice ?? 0n) - (block.baseFeePerGas ?? 0n);
    expect(block.fees).toBe(tip * BigInt(gasUsed));
    expect(block.miningReward).toBe(coins(3) + 5n - block.fees);
    expect([member, staker, block.miner].map((one) => chain.balance(one))).toEqual([
      coins(1) + 5n,
      coins(2),
      0n,
    ]);
    builder.reorg(1, { drop: "all" });
    expect(chain.head).toMatchObject({ fees: 0n, miningReward: coins(3) + 5n });
    expect([chain.balance(member), chain.balance(block.miner)]).toEqual([coins(1) + 5n, 0n]);
    expect(() => {
      builder.transfer(alice, bob, 1n);
      builder.mine({ rewards: [{ addr: member, reward: 1n }] });
    }).toThrow(/rewards of block 2 are 1, less than its fees of \d+/);
    const reward = tip * BigInt(gasUsed);
    expect(builder.mine({ rewards: [{ addr: member, reward }] }).miningReward).toBe(0n);
  });

  test("another account pays for the gas, and its sender does not", () => {
    const { builder, chain, alice, bob } = start();
    const payer = builder.account({ name: "payer", balance: coins(1) });
    const before = chain.balance(alice);
    const { hash } = builder.transfer(alice, bob, 7n, { feePayer: payer });
    builder.mine();
    const { gasUsed, gasPrice, feePayer } = chain.transaction(hash) ?? {};
    expect(feePayer).toBe(payer);
    expect(chain.balance(alice)).toBe(before - 7n);
    expect(chain.balance(payer)).toBe(coins(1) - BigInt(gasUsed ?? 0) * (gasPrice ?? 0n));
    // Enough for the gas that is used, and not for the limit.
    const poor = builder.account({ name: "poor", balance: coins("0.0005") });
    const options = { feePayer: poor, gasLimit: 1_000_000 };
    expect(() => builder.transfer(alice, bob, 7n, options)).toThrow(
      /poor \(0x\w+\) has 0.0005 coins \(5\d+\) and needs .*: up to .* for gas/,
    );
  });
});
