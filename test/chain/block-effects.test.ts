// The coins of a contract that selfdestructs in the transaction that creates it, or later.
import { expect, test } from "vitest";
import { buildChain } from "../../mocks/builder/index.ts";
import { accountsIn } from "../../mocks/chain/block-effects.ts";
import { Chain } from "../../mocks/chain/chain.ts";
import type { Address, Hex } from "../../mocks/chain/records.ts";
import { parseChain } from "../../mocks/ingest/parse-chain.ts";
import { ALICE, ALICE_HAS, blocksWith, hex, sent } from "../nodes/shapes/shape.ts";
import { addressOf, type Content, mine } from "./random-blocks.ts";

const [FACTORY, CHILD, HEIR] = ["fa", "c1", "4e"].map(
  (byte): Address => `0x${byte.repeat(20)}`,
) as [Address, Address, Address];

const create = { type: "CREATE", from: FACTORY, to: CHILD, value: "0x64" };
const end = (heir: Address, value: Hex) => ({ type: "SELFDESTRUCT", from: CHILD, to: heir, value });
const pay = (value: Hex) => ({ type: "CALL", from: FACTORY, to: CHILD, value });

/** A transaction in which Alice pays a factory 300, that calls as given. */
function chainWith(calls: readonly object[]) {
  const of = { to: FACTORY, value: "0x12c" };
  const blocks = blocksWith([sent("paying", { transaction: of, trace: { ...of, calls } })]);
  const balance = { method: "eth_getBalance", params: [ALICE, "0x0"], result: hex(ALICE_HAS) };
  const lines = blocks.map((block) => JSON.stringify(block));
  return parseChain({ blocks: lines, calls: JSON.stringify(balance) }, { chainId: 1717 });
}

test.each([
  ["leaves all to its heir", [create, end(HEIR, "0x64")], 0n, 100n],
  ["burns what it leaves to itself", [create, end(CHILD, "0x64")], 0n, 0n],
  ["burns what it is paid after its end", [create, end(HEIR, "0x64"), pay("0x32")], 0n, 100n],
  [
    "keeps what it has if its end is undone",
    [create, { ...end(CHILD, "0x64"), error: "out of gas" }],
    100n,
    0n,
  ],
  [
    "that was there before keeps what it leaves to itself",
    [pay("0x64"), end(CHILD, "0x64")],
    100n,
    0n,
  ],
] as const)("a contract %s", (_, calls, child, heir) => {
  const chain = chainWith(calls);
  expect([chain.balance(CHILD), chain.balance(HEIR)]).toEqual([child, heir]);
  chain.rewind(1);
  expect([CHILD, HEIR].map((of) => chain.balance(of))).toEqual([0n, 0n]);
});

test("the indexed arguments of an event are accounts that took part", () => {
  const builder = buildChain({ freeGas: true });
  const [alice, ...others] = ["a", "b", "c", "d"].map((name) => builder.account({ name }));
  const { address } = builder.deploy(alice ?? "0x");
  builder.mine();
  const topics = [`0x${"1".repeat(64)}` as const, ...others];
  builder.call(alice ?? "0x", { to: address, does: (frame) => void frame.emit(topics) });
  builder.mine();
  const accounts = builder.chain.blockInput(2)?.executions.flatMap((one) => [...accountsIn(one)]);
  expect(accounts).toEqual([alice, address, ...others]);
});

test("what a block credits comes with the block, and goes with it", () => {
  const chain = new Chain({ chainId: 1 });
  const [rich, poor] = [addressOf(1), addressOf(2)];
  const credits: Content["credits"] = [[rich, 7n]];
  mine(chain, { miner: addressOf(9), credits, transactions: [] });
  mine(chain, {
    miner: addressOf(9),
    credits: [
      [rich, -2n],
      [poor, 2n],
    ],
    transactions: [],
  });
  const balances = () => [rich, poor].map((account) => chain.balance(account));
  expect(balances()).toEqual([5n, 2n]);
  chain.rewind(1);
  expect(balances()).toEqual([7n, 0n]);
});
