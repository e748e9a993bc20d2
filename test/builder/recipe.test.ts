// Recipes: a chain from JSON is the chain that the same calls of the builder make.
import { describe, expect, test } from "vitest";
import { buildChain, buildRecipe, coins, eventTopic, word } from "../../mocks/builder/index.ts";
import type { Recipe } from "../../mocks/builder/recipe-schema.ts";
import { items } from "../../mocks/chain/listing.ts";
import type { ChainWriter } from "../../mocks/chain/writer.ts";
import { addressesIn, answers } from "../chain/answers.ts";

const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7";

const recipe: Recipe = {
  chain: { chainId: 7, freeGas: true, timestamp: "2030-01-01T00:00:00Z", blockTime: 5 },
  accounts: [
    { name: "alice", balance: `${coins(10)}` },
    { name: "bob" },
    { name: "treasury", address: `0x${"7e".repeat(20)}`, balance: "5" },
  ],
  blocks: [
    {
      miner: "bob",
      transactions: [
        { send: "coins", from: "alice", to: "bob", value: "3", gasLimit: 30_000 },
        { send: "coins", from: "treasury", to: "bob", value: "5", fails: "out of gas" },
        { send: "contract", from: "alice", as: "shop", code: "0x6001" },
        {
          ...{ send: "mrc20", from: "alice", as: "usdt", address: USDT, name: "Tether" },
          ...{ symbol: "USDT", decimals: 6, supply: "1000" },
          holders: [{ holder: "bob", amount: "7" }],
        },
        { send: "mrc721", from: "alice", as: "art", name: "Art", symbol: "" },
      ],
    },
    {
      wait: 60,
      count: 2,
      transactions: [
        { send: "transfer", token: "usdt", from: "alice", to: "bob", value: "300" },
        { send: "approve", token: "usdt", from: "bob", to: "shop", value: "9" },
        { send: "burn", token: "usdt", from: "bob", value: "1" },
        { send: "mint", token: "art", from: "alice", to: "bob", value: "42", uri: "ipfs://42" },
        {
          ...{ send: "call", from: "alice", to: "shop", value: "4", input: "0xc0de" },
          logs: [{ topics: ["Sold(address,uint256)", "bob", "7"], data: "0x01" }],
          calls: [
            { to: "bob", value: "1" },
            { to: USDT, fails: "closed", logs: [{ topics: ["0x01"] }] },
          ],
        },
      ],
    },
  ],
  verified: [{ address: "shop", contractName: "Shop", abi: [], source: "contract Shop {}" }],
};

/** The same chain, call by call. */
function built(): ChainWriter {
  const timestamp = new Date("2030-01-01T00:00:00Z");
  const builder = buildChain({ chainId: 7, freeGas: true, timestamp, blockTime: 5 });
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const bob = builder.account({ name: "bob" });
  const treasury = `0x${"7e".repeat(20)}` as const;
  builder.fund(treasury, 5n);
  builder.transfer(alice, bob, 3n, { gasLimit: 30_000 });
  builder.transfer(treasury, bob, 5n, { fails: "out of gas" });
  const shop = builder.deploy(alice, { code: "0x6001" }).address;
  const metadata = { name: "Tether", symbol: "USDT", decimals: 6, supply: 1000n };
  const usdt = builder.deployMRC20(alice, { ...metadata, address: USDT, holders: [[bob, 7n]] });
  const art = builder.deployMRC721(alice, { name: "Art", symbol: "" });
  builder.mine({ miner: bob });
  usdt.transfer(alice, bob, 300n);
  usdt.approve(bob, shop, 9n);
  usdt.burn(bob, 1n);
  art.mint(bob, 42n, { uri: "ipfs://42" });
  builder.call(alice, {
    ...{ to: shop, value: 4n, input: "0xc0de" },
    does(frame) {
      frame.emit([eventTopic("Sold(address,uint256)"), bob, word(7)], "0x01");
      frame.call({ to: bob, value: 1n });
      frame.call({ to: USDT, fails: "closed", does: (inner) => inner.emit([1n]) });
    },
  });
  builder.wait(60);
  builder.mine(2);
  builder.verify(shop, { contractName: "Shop", abi: [], source: "contract Shop {}" });
  return builder.chain;
}

describe("a recipe", () => {
  test("makes the chain that the same calls make", () => {
    const { chain } = buildRecipe(recipe);
    const expected = built();
    const addresses = addressesIn(chain, expected);
    expect(answers(chain, addresses)).toEqual(answers(expected, addresses));
    expect([chain.chainId, chain.head]).toEqual([7, expected.head]);
    expect(items(chain.allTransactions({})).map(({ succeeded }) => succeeded)).toContain(false);
    expect(chain.verifiedContracts()).toEqual(expected.verifiedContracts());
  });

  const [mint] = [{ send: "mint", token: "art", from: "bob", to: "bob", value: "1" }] as const;
  test.each<[string, Recipe | object, string]>([
    [
      "an unknown field",
      { account: [] },
      'buildRecipe: unknown option account; did you mean "accounts"?',
    ],
    [
      "an unknown kind of transaction",
      { blocks: [{ transactions: [{ send: "coin", from: "alice" }] }] },
      /blocks.0.transactions.0.send: expected one of coins, call, contract/.source,
    ],
    [
      "a number as an amount",
      { accounts: [{ name: "a", balance: 1.5 }] },
      "accounts.0.balance: expected an amount",
    ],
    [
      "an unknown name",
      { accounts: [{ name: "alice" }], blocks: [{ transactions: [{ ...mint, from: "alise" }] }] },
      'blocks.0.transactions.0: no account or contract has the name alise; did you mean "alice"?',
    ],
    [
      "a step that no chain allows",
      { ...recipe, blocks: [...(recipe.blocks ?? []), { transactions: [mint] }] },
      "blocks.2.transactions.0: 0x",
    ],
    [
      "a contract that is not mined",
      { verified: [{ address: USDT, abi: [] }] },
      "verified.0: there is no contract at",
    ],
  ])("with %s is refused, and the error names the place", (_, wrong, message) => {
    expect(() => buildRecipe(wrong)).toThrow(new RegExp(message.replaceAll(/[?()]/g, ".")));
  });
});
