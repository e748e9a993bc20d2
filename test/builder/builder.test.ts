// A chain told as a builder: what follows from each sentence, and what is refused.
import { describe, expect, test } from "vitest";
import { word } from "../../mocks/builder/evm.ts";
import {
  buildChain,
  type CallFrame,
  callData,
  coins,
  continueChain,
  gwei,
  ImpossibleError,
  tokenEvents,
} from "../../mocks/builder/index.ts";
import { items } from "../../mocks/chain/listing.ts";
import type { Address } from "../../mocks/chain/records.ts";
import { createExplorer } from "../../mocks/explorer.ts";

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
    builder.fund(alice, coins(2));
    builder.transfer(alice, bob, coins(6));
    builder.mine();
    expect(builder.chain.balance(bob)).toBe(coins(12));
  });

  test("what a deposit mints can be sent by an account that has nothing", () => {
    const { builder, alice, bob } = free();
    builder.transfer(bob, alice, 5n, { mint: 5n });
    expect(() => builder.transfer(bob, alice, 6n, { mint: 5n })).toThrow(ImpossibleError);
    builder.mine();
    expect([alice, bob].map((account) => builder.chain.balance(account))).toEqual([
      coins(10) + 5n,
      0n,
    ]);
  });

  test("a call may use all but a 64th of the gas of the one above it", () => {
    const { builder, alice } = free();
    const [outer, inner] = [builder.deploy(alice).address, builder.deploy(alice).address];
    const nested = (frame: CallFrame) => void frame.call({ to: inner });
    const message = {
      to: outer,
      does: (frame: CallFrame) => void frame.call({ to: outer, does: nested }),
    };
    builder.call(alice, message, { gasLimit: 640_000 });
    builder.mine();
    const limits = items(builder.chain.frames(outer, {})).map(({ gasLimit }) => gasLimit);
    expect(limits).toEqual([630_000, 630_000 - 9843]);
  });

  test("a transaction that runs out of gas uses its whole limit", () => {
    const { builder, alice, bob } = free();
    const options = { fails: "Out of gas", gasLimit: 30_000 };
    expect(builder.transfer(alice, bob, 1n, options).gasUsed).toBe(30_000);
  });

  test("an amount is a bigint: a number is refused, and the reason shows how to write it", () => {
    const { builder, alice, bob } = free();
    const gold = builder.deployMRC20(alice);
    const art = builder.deployMRC721(alice);
    for (const send of [
      () => builder.transfer(alice, bob, 1 as never),
      () => builder.fund(alice, 1 as never),
      () => gold.mint(bob, 1 as never),
      () => gold.approve(alice, bob, 1 as never),
      () => art.mint(bob, 1 as never),
    ])
      expect(send).toThrow('Invalid amount 1: expected a bigint, such as 5n or coins("0.5")');
    expect(() => builder.account({ balance: 1 as never })).toThrow(
      'builder.account: balance: expected an amount: a bigint such as 5n or coins("0.5"), or decimal digits, received 1',
    );
    expect(builder.pending).toHaveLength(2);
  });

  test("options that make no sense are refused by name", () => {
    const { builder, alice } = free();
    const { head } = builder.chain;
    for (const decimals of [300, -1, 1.5, "18"])
      expect(() => builder.deployMRC20(alice, { decimals: decimals as number })).toThrow(
        "builder.deployMRC20: decimals: expected a whole number from 0 to 255, received",
      );
    for (const timestamp of ["2030-01-01", null, Number.NaN, new Date("x")])
      expect(() => builder.mine(1, { timestamp: timestamp as number })).toThrow(
        "builder.mine: timestamp: expected a Date, seconds since 1970, or a time such as 2030-01-01T00:00:00Z, received",
      );
    for (const seconds of [0.5, -50, "1h", Number.NaN])
      expect(() => builder.wait(seconds as number)).toThrow(
        "builder.wait: expected a whole number of seconds from 0 up, received",
      );
    expect(builder.mine().timestamp).toBe(head.timestamp + 12);
    expect(builder.pending).toEqual([]);
  });

  /** Wrong use that JavaScript would let pass. */
  type Loose = Record<string, (...values: readonly unknown[]) => unknown>;
  const wrongUse: readonly (readonly [string, (builder: Loose, alice: Address) => unknown])[] = [
    [
      'builder.transfer: unknown option fail; did you mean "fails"?',
      (b, a) => b.transfer?.(a, a, 1n, { fail: "x" }),
    ],
    ['builder.account: options: expected an object, received "alice"', (b) => b.account?.("alice")],
    [
      'builder.account: unknown option ballance; did you mean "balance"?',
      (b) => b.account?.({ ballance: 1n }),
    ],
    [
      'buildChain: unknown option blocktime; did you mean "blockTime"?',
      () => buildChain({ blocktime: 1 } as never),
    ],
    [
      'builder.deployMRC20: unknown option adress; did you mean "address"?',
      (b, a) => b.deployMRC20?.(a, { adress: a }),
    ],
    [
      "Invalid address an object: expected 0x and 40 hex digits",
      (b) => b.deployMRC20?.({ supply: 5n }),
    ],
    [
      'builder.call: unknown option vallue; did you mean "value"?',
      (b, a) => b.call?.(a, { to: a, vallue: 1n }),
    ],
    [
      "builder.call: to: expected an address: 0x and 40 hex digits, received nothing",
      (b, a) => b.call?.(a, {}),
    ],
    ["builder.deploy: unknown option supply", (b, a) => b.deploy?.(a, { supply: 1n })],
    ["builder.mine: unknown option time", (b) => b.mine?.({ time: 1 })],
    [
      'builder.reorg: unknown option dropp; did you mean "drop"?',
      (b) => b.reorg?.(0, { dropp: "all" }),
    ],
    ['drop: expected "all" or a list of transactions', (b) => b.reorg?.(0, { drop: "x" })],
    ["it is in none of the last 0 blocks", (b) => b.reorg?.(0, { drop: [`0x${"ab".repeat(32)}`] })],
    ["expected a transaction or its hash, received nothing", (b) => b.mine?.([undefined])],
    [
      "continueChain: expected a chain, such as mock.chain or builder.chain, received an Explorer",
      () => continueChain(createExplorer() as never),
    ],
    [
      "callData: expected 2 arguments for f(uint256,bool), received 1",
      () => callData("f(uint256,bool)", 1n),
    ],
    ["callData: expected 0 arguments for f(), received 1", () => callData("f()", 1n)],
    [
      "callData: argument 1 of f(address): expected address, received 5n",
      () => callData("f(address)", 5n),
    ],
    [
      "callData: argument 1 of f(uint8): expected uint8, received 256",
      () => callData("f(uint8)", 256),
    ],
    ["callData: argument 1 of f(bool): expected bool, received 1", () => callData("f(bool)", 1)],
    [
      "received string: encode f(string) with viem's encodeFunctionData",
      () => callData("f(string)", "0x"),
    ],
    [
      'callData: expected a signature such as "transfer(address,uint256)", received "f"',
      () => callData("f"),
    ],
  ];
  test.each(wrongUse)("wrong use is refused: %s", (message, use) => {
    const { builder, alice } = free();
    const { head } = builder.chain;
    expect(() => use(builder as never, alice)).toThrow(message);
    expect([builder.chain.head, builder.pending]).toEqual([head, []]);
  });

  test("an argument may fill its type", () => {
    expect(callData("f(bytes4)", "0x12345678")).toMatch(/^0x\w{8}12345678(00){28}$/);
  });

  test("an async contract is refused, because its events would be lost", () => {
    const { builder, alice } = free();
    const vault = builder.deploy(alice).address;
    const does = (async (frame: CallFrame) => frame.emit([1n])) as never;
    expect(() => builder.call(alice, { to: vault, does })).toThrow(
      "does: expected a function without async, received one that returns a Promise",
    );
    expect(builder.pending).toHaveLength(1);
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
    const [first, second] = builder.mine(2, { timestamp: new Date("2030-01-01T00:00:00.999Z") });
    expect(first?.timestamp).toBe(1_893_456_000);
    expect(second?.timestamp).toBe(1_893_456_012);
    builder.wait(3000);
    builder.wait(600);
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

  test("the smallest base fee rises after a full block", () => {
    const builder = buildChain();
    const alice = builder.account({ balance: coins(1) });
    builder.transfer(alice, alice, 1n);
    builder.mine({ baseFeePerGas: 1n, gasLimit: 21_000 });
    expect(builder.mine().baseFeePerGas).toBe(2n);
  });

  test("leave room in the default maximum fee, so that a transaction can wait while the base fee rises", () => {
    const builder = buildChain();
    const alice = builder.account({ balance: coins(1) });
    builder.transfer(alice, alice, 1n);
    builder.mine([], { baseFeePerGas: gwei(3) });
    expect(builder.mine().transactionCount).toBe(1);
  });

  test("are mined whole: neither fewer than none nor a part of one", () => {
    const builder = buildChain();
    expect(() => builder.mine(-1)).toThrow("cannot mine -1 blocks");
    expect(() => builder.mine(1.5)).toThrow("cannot mine 1.5 blocks");
    expect(builder.chain.head.number).toBe(0);
  });
});

describe("contracts", () => {
  test("a contract or token is at the address that was chosen, once", () => {
    const { builder, chain, alice, bob } = free();
    const address = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
    const usdt = builder.deployMRC20(alice, { address, symbol: "USDT", supply: 5n });
    const vault = builder.deploy(alice, { address: `0x${"ab".repeat(20)}`, code: "0x6001" });
    usdt.transfer(alice, bob, 2n);
    builder.mine();
    expect(usdt.address).toBe(address.toLowerCase());
    expect(chain.tokenBalance(usdt.address, bob)).toBe(2n);
    expect(chain.transaction(vault.hash)?.created).toBe(vault.address);
    expect(() => builder.deployMRC721(alice, { address })).toThrow("there is already a contract");
    builder.reorg(1, { drop: "all" });
    expect([chain.code(vault.address), chain.token(usdt.address)]).toEqual(["0x", undefined]);
  });

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
    builder.reorg(1, { drop: "all" });
    expect(builder.deploy(alice, { code: "0x6001" }).address).toBe(contract.address);
    builder.mine();
    expect(chain.verified(contract.address)).toBeUndefined();
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

test("a fork continues with the tokens and nonces of the chain, without the pending transactions", () => {
  const { builder, chain, alice, bob } = free();
  const { address } = builder.deployMRC20(alice, { supply: 9n });
  builder.mine();
  builder.transfer(alice, bob, 1n);
  const other = continueChain(chain.fork());
  expect([builder.nonce(alice), other.nonce(alice)]).toEqual([2, 1]);
  other.mrc20(address, alice).transfer(alice, bob, 5n);
  other.mine();
  const held = (reader: typeof chain) => [reader.balance(bob), reader.tokenBalance(address, bob)];
  expect([held(chain), held(other.chain)]).toEqual([
    [0n, 0n],
    [0n, 5n],
  ]);
  expect(() => other.mrc20(bob, alice)).toThrow(`there is no token at ${bob}`);
  const emptied = builder.account({ balance: 1n });
  builder.transfer(emptied, alice, 1n);
  builder.mine();
  expect(continueChain(chain.fork()).account()).not.toBe(emptied);
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
