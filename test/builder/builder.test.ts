// A chain told as a builder: what follows from each sentence, and what is refused.
import { describe, expect, test } from "vitest";
import { word } from "../../mocks/builder/evm.ts";
import {
  buildChain,
  type CallFrame,
  coins,
  continueChain,
  ImpossibleError,
  tokenEvents,
} from "../../mocks/builder/index.ts";
import { items } from "../../mocks/chain/listing.ts";

/** Two people and a chain on which gas costs nothing. */
function free() {
  const builder = buildChain({ freeGas: true });
  const alice = builder.account({ name: "alice", balance: coins(10) });
  const bob = builder.account({ name: "bob" });
  return { builder, chain: builder.chain, alice, bob };
}

describe("coins", () => {
  test("what nobody has cannot be sent: the reason names who, what it has and what it needs", () => {
    const { builder, alice, bob } = free();
    expect(() => builder.transfer(alice, bob, coins(11))).toThrow(
      `alice (${alice}) has 10 coins (10000000000000000000) and needs 11 (11000000000000000000) to send to bob (${bob})`,
    );
    expect(builder.pending).toEqual([]);
    builder.transfer(alice, bob, coins(6));
    expect(() => builder.transfer(alice, bob, coins(6))).toThrow(ImpossibleError);
    builder.mine();
    expect(builder.chain.balance(bob)).toBe(coins(6));
  });

  test("an amount is a bigint: a number is refused, and the reason shows how to write it", () => {
    const { builder, alice, bob } = free();
    for (const send of [
      () => builder.transfer(alice, bob, 1 as never),
      () => builder.account({ balance: 1 as never }),
    ])
      expect(send).toThrow('Invalid amount 1: expected a bigint, such as 5n or coins("0.5")');
    expect(builder.pending).toEqual([]);
  });

  test("options that make no sense are refused by name", () => {
    const { builder, alice } = free();
    const { head } = builder.chain;
    for (const decimals of [300, -1, 1.5, "18"])
      expect(() => builder.deployMRC20(alice, { decimals: decimals as number })).toThrow(
        "Invalid decimals: expected an integer from 0 to 255, received",
      );
    for (const timestamp of ["2030-01-01", null, Number.NaN, new Date("x")])
      expect(() => builder.mine(1, { timestamp: timestamp as number })).toThrow(
        "Invalid timestamp: expected a Date, or seconds since 1970, received",
      );
    expect([builder.chain.head, builder.pending]).toEqual([head, []]);
  });

  test("bytes as the reason are what a failed call returns", () => {
    const { builder, chain, alice } = free();
    const vault = builder.deploy(alice).address;
    const inner = builder.deploy(alice).address;
    const sent = builder.call(alice, {
      to: vault,
      does(frame) {
        frame.call({ to: inner, fails: "0xC0DE" });
        frame.call({ to: inner, fails: "no" });
        frame.revert("0xcafe");
      },
    });
    builder.mine();
    builder.reorg(1);
    const error = "execution reverted";
    const { transaction, frames } = chain.execution(sent.hash) ?? expect.fail("not mined");
    expect(transaction).toMatchObject({ succeeded: false, error, output: "0xcafe" });
    expect(frames).toMatchObject([{ error, output: "0xc0de" }, { error: "no" }]);
    expect(frames[1]?.output).toBeUndefined();
  });
});

describe("blocks", () => {
  test("chosen transactions are mined in the order given, the others stay pending", () => {
    const { builder, chain, alice, bob } = free();
    const carol = builder.account({ balance: coins(1) });
    const first = builder.transfer(alice, bob, 1n);
    const second = builder.transfer(carol, bob, 2n);
    const block = builder.mine([second]);
    expect(chain.transaction(second.hash)?.block).toEqual(block);
    expect(chain.transaction(first.hash)).toBeUndefined();
    expect(builder.pending.map(({ hash }) => hash)).toEqual([first.hash]);
    builder.mine();
    expect(chain.balance(bob)).toBe(3n);
  });

  test("an account's transactions are mined in the order of their nonces", () => {
    const { builder, chain, alice, bob } = free();
    builder.transfer(alice, bob, 1n);
    const second = builder.transfer(alice, bob, 1n);
    expect(() => builder.mine([second])).toThrow(/in order: expected nonce 0/);
    expect(chain.head.number).toBe(0);
  });

  test("timestamps follow block time, waits and options", () => {
    const { builder } = free();
    const [first, second] = builder.mine(2, { timestamp: new Date("2030-01-01T00:00:00Z") });
    expect(first?.timestamp).toBe(1_893_456_000);
    expect(second?.timestamp).toBe(1_893_456_012);
    builder.wait(3600);
    expect(builder.mine().timestamp).toBe(1_893_456_012 + 3612);
    expect(builder.mine().timestamp).toBe(1_893_456_012 + 3624);
    expect(() => builder.mine([], { timestamp: 5 })).toThrow(/expected one after its parent's/);
  });

  test("a block has room for so much gas", () => {
    const builder = buildChain({ freeGas: true, gasLimit: 50_000 });
    const alice = builder.account({ balance: 3n });
    for (let at = 0; at < 3; at++) builder.transfer(alice, alice, 1n);
    expect(() => builder.mine()).toThrow(
      /needs up to 21000 gas and block 1 has 8000 of 50000 left/,
    );
    expect(builder.mine([], { gasLimit: 70_000 }).transactionCount).toBe(0);
  });

  test("are mined whole: neither fewer than none nor a part of one", () => {
    const builder = buildChain();
    expect(() => builder.mine(-1)).toThrow("cannot mine -1 blocks");
    expect(() => builder.mine(1.5)).toThrow("cannot mine 1.5 blocks");
    expect(builder.chain.head.number).toBe(0);
  });
});

describe("contracts", () => {
  test("a contract is where its creator's nonce puts it, and can be verified", () => {
    const { builder, chain, alice } = free();
    const contract = builder.deploy(alice, { code: "0x6001", constructorArguments: word(7) });
    expect(() => builder.verify(contract.address, { abi: [] })).toThrow(/mine it first/);
    builder.mine();
    expect(chain.code(contract.address)).toBe("0x6001");
    expect(items(chain.transactions(contract.address, "contract", {}))).toMatchObject([
      { hash: contract.hash, to: null },
    ]);
    builder.verify(contract.address, {
      contractName: "Vault",
      abi: [{ type: "receive" }],
      source: "contract Vault {}",
    });
    expect(chain.verified(contract.address)).toMatchObject({
      contractName: "Vault",
      code: "0x6001",
    });
  });

  test("contracts send no transactions", () => {
    const { builder, alice, bob } = free();
    const { address } = builder.deploy(alice, { value: coins(1) });
    expect(() => builder.transfer(address, bob, 1n)).toThrow(/is a contract/);
  });

  test("what contracts cannot do is refused", () => {
    const { builder, alice, bob } = free();
    const { address } = builder.deploy(alice);
    const does = (what: (frame: CallFrame) => void) => () =>
      builder.call(alice, { to: address, does: what });
    expect(() => builder.call(alice, { to: bob, does: () => {} })).toThrow(/bob .* has no code/);
    expect(
      does((frame) => frame.staticcall({ to: address, does: (inner) => inner.emit([]) })),
    ).toThrow(/in a static call/);
    expect(does((frame) => frame.emit([1, 2, 3, 4, 5]))).toThrow(/at most 4 topics/);
    expect(does((frame) => frame.call({ to: bob, value: 1n }))).toThrow(/has 0 coins/);
    expect(builder.pending).toHaveLength(1);
  });

  test("a failed factory call leaves the factory's nonce as it was, a failed constructor does not", () => {
    const { builder, alice } = free();
    const factory = builder.deploy(alice).address;
    builder.call(alice, { to: factory, fails: "no", does: (frame) => void frame.create() });
    builder.mine();
    expect(builder.nonce(factory)).toBe(1);
    builder.call(alice, { to: factory, does: (frame) => void frame.create({ fails: "no" }) });
    builder.mine();
    expect(builder.nonce(factory)).toBe(2);
    expect(continueChain(builder.chain).nonce(factory)).toBe(2);
  });
});

describe("tokens", () => {
  test.each([{}, { name: "", symbol: "", decimals: 0 }, { name: "Wide", decimals: 77 }])(
    "metadata can be %j",
    (metadata) => {
      const { builder, chain, alice } = free();
      const token = builder.deployMRC20(alice, { ...metadata, supply: 1n });
      const art = builder.deployMRC721(alice, metadata);
      art.mint(alice, 1n);
      builder.mine();
      const expected = { name: null, symbol: null, decimals: null, totalSupply: 1n, ...metadata };
      expect(chain.token(token.address)).toMatchObject(expected);
      expect(chain.token(art.address)).toMatchObject({ ...expected, standard: "mrc721" });
    },
  );

  test("a transfer that the sender cannot cover may be sent as one that fails", () => {
    const { builder, chain, alice, bob } = free();
    const gold = builder.deployMRC20(alice, { supply: 1n });
    const sent = gold.transfer(bob, alice, 5n, { fails: "insufficient balance" });
    builder.mine();
    expect(chain.transaction(sent.hash)).toMatchObject({
      succeeded: false,
      error: "insufficient balance",
    });
    expect(sent.logs).toEqual([]);
    expect(chain.tokenBalance(gold.address, alice)).toBe(1n);
  });

  test("a coin is moved by others as far as its holder allows, and says what is left", () => {
    const { builder, chain, alice, bob } = free();
    const gold = builder.deployMRC20(alice, { symbol: "GLD", supply: 100n });
    expect(() => gold.transferFrom(bob, alice, bob, 1n)).toThrow(/bob .* may .* 0 of GLD/);
    gold.approve(alice, bob, 10n);
    const { logs } = gold.transferFrom(bob, alice, bob, 6n);
    expect(logs.map(({ topics, data }) => [topics, data])).toEqual([
      [[tokenEvents.transfer, word(alice), word(bob)], word(6n)],
      [[tokenEvents.approval, word(alice), word(bob)], word(4n)],
    ]);
    expect(() => gold.transferFrom(bob, alice, bob, 5n)).toThrow(ImpossibleError);
    expect(() => gold.burn(bob, 7n)).toThrow(ImpossibleError);
    builder.mine();
    expect(chain.tokenBalance(gold.address, bob)).toBe(6n);
  });

  test("a collectible is moved by its owner, whom that approved for it, and by an operator", () => {
    const { builder, chain, alice, bob } = free();
    const art = builder.deployMRC721(alice, { symbol: "ART" });
    for (const id of [1n, 2n]) art.mint(alice, id);
    expect(() => art.mint(bob, 1n)).toThrow(ImpossibleError);
    expect(() => art.burn(bob, 1n)).toThrow(ImpossibleError);
    expect(() => art.approve(bob, bob, 1n)).toThrow(/bob .* does not own token 1 of ART/);
    expect(() => art.transferFrom(bob, alice, bob, 1n)).toThrow(/bob .* may not move token 1/);
    art.approve(alice, bob, 1n);
    art.transferFrom(bob, alice, bob, 1n);
    // An approval ends with the transfer.
    art.transfer(bob, alice, 1n);
    expect(() => art.transferFrom(bob, alice, bob, 1n)).toThrow(ImpossibleError);
    const { logs } = art.setApprovalForAll(alice, bob, true);
    const topics = [tokenEvents.approvalForAll, word(alice), word(bob)];
    expect(logs).toMatchObject([{ topics, data: word(1) }]);
    art.transferFrom(bob, alice, bob, 2n);
    art.setApprovalForAll(alice, bob, false);
    expect(() => art.transferFrom(bob, alice, bob, 1n)).toThrow(ImpossibleError);
    builder.mine();
    const owners = items(chain.nfts(art.address)).map(({ tokenId, owner }) => [tokenId, owner]);
    expect(owners).toEqual([
      [1n, alice],
      [2n, bob],
    ]);
  });

  test("a supply has 256 bits", () => {
    const { builder, alice } = free();
    const gold = builder.deployMRC20(alice, { supply: 2n ** 256n - 1n });
    expect(() => gold.mint(alice, 1n)).toThrow(/at most 2\^256 - 1/);
    gold.burn(alice, 1n);
    gold.mint(alice, 1n);
  });

  test("a contract moves tokens with its own calls", () => {
    const { builder, chain, alice, bob } = free();
    const gold = builder.deployMRC20(alice, { supply: 100n });
    const shop = builder.deploy(alice).address;
    gold.transfer(alice, shop, 40n);
    gold.approve(alice, shop, 10n);
    builder.call(bob, {
      to: shop,
      does(frame) {
        frame.call(gold.calls.transfer(bob, 30n));
        frame.call(gold.calls.transferFrom(alice, bob, 10n));
        frame.call({ ...gold.calls.transfer(bob, 5n), fails: "paused" });
      },
    });
    builder.mine();
    expect(chain.tokenBalance(gold.address, bob)).toBe(40n);
    expect(chain.tokenBalance(gold.address, shop)).toBe(10n);
  });
});

test("a fork continues without the pending transactions", () => {
  const { builder, chain, alice, bob } = free();
  builder.transfer(alice, bob, 1n);
  builder.mine();
  const other = continueChain(chain.fork());
  other.transfer(alice, bob, 5n);
  other.mine();
  expect([chain.balance(bob), other.chain.balance(bob)]).toEqual([1n, 6n]);
});

test("a chain that goes back takes what was pending with it", () => {
  const { builder, chain, alice, bob } = free();
  const before = chain.snapshot();
  builder.transfer(alice, bob, 1n);
  chain.restore(before);
  expect(builder.pending).toEqual([]);
  expect(builder.mine().transactionCount).toBe(0);
});

test("the same name is the same account on every chain", () => {
  const { builder, alice } = free();
  expect(builder.account({ name: "alice", balance: 1n })).toBe(alice);
  expect(builder.chain.balance(alice)).toBe(coins(10) + 1n);
  expect(buildChain().account({ name: "alice" })).toBe(alice);
});
