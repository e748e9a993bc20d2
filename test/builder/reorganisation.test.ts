// What a reorganisation drops, and what it refuses to drop: the rules by which the chain itself counts decide.
import { beforeEach, describe, expect, test } from "vitest";
import { named } from "../../mocks/builder/account.ts";
import { create2Address } from "../../mocks/builder/evm.ts";
import { codeOf } from "../../mocks/builder/frame.ts";
import {
  buildChain,
  type Call,
  type CallFrame,
  type ChainBuilder,
  coins,
  continueChain,
  eventTopic,
  type Sent,
  word,
} from "../../mocks/builder/index.ts";
import type { BlockInput } from "../../mocks/chain/block-input.ts";
import { Chain } from "../../mocks/chain/chain.ts";
import { ZERO_ADDRESS } from "../../mocks/chain/constants.ts";
import type { Address } from "../../mocks/chain/records.ts";
import { answers, bodies } from "../chain/answers.ts";

const transfer = eventTopic("Transfer(address,address,uint256)");
const most = 2n ** 256n - 1n;

const [alice, bob, carol, dave] = [named("alice"), named("bob"), named("carol"), named("dave")];
const people = [alice, bob, carol, dave];

let story: ChainBuilder;
let payment: Sent;

beforeEach(() => {
  story = buildChain({ freeGas: true });
  for (const name of ["alice", "bob", "carol", "dave"]) story.account({ name, balance: coins(10) });
  story.mine();
  payment = story.transfer(alice, bob, coins(1));
});

/** Carol has a contract do something. */
const run = (to: Address, does: (frame: CallFrame) => void) => story.call(carol, { to, does });
const amountEvent = (from: Address, to: Address, amount: bigint) => (frame: CallFrame) =>
  frame.emit([transfer, from, to], word(amount));
const idEvent = (from: Address, to: Address, id: bigint) => (frame: CallFrame) =>
  frame.emit([transfer, from, to, id]);
const unindexedEvent = (from: Address, to: Address, amount: bigint) => (frame: CallFrame) =>
  frame.emit([transfer], `0x${[from, to, amount].map((value) => word(value).slice(2)).join("")}`);

const everybody = (...others: Address[]) => [...people, ZERO_ADDRESS, ...others];

/** A chain in which the blocks are as `change` has them. */
function retold(change: (body: BlockInput) => BlockInput): ChainBuilder {
  const chain = new Chain(story.chain);
  chain.applyHeadState({ balances: people.map((account) => [account, coins(10)]) });
  for (const body of bodies(story.chain)) if (body !== undefined) chain.append(change(body));
  return continueChain(chain);
}

describe("an unrelated payment can be dropped though", () => {
  let gold: Address;
  let art: Address;
  let plain: Address;
  beforeEach(() => {
    gold = story.deployMRC20(carol, { symbol: "GLD", supply: 5n }).address;
    const collection = story.deployMRC721(carol, { symbol: "ART" });
    collection.mint(carol, 1n);
    art = collection.address;
    plain = story.deploy(carol).address;
    story.mine();
  });

  test.each([
    [
      "a plain contract tells of an amount nobody has",
      () => plain,
      () => amountEvent(alice, bob, 5n),
    ],
    ["a plain contract tells of an id nobody has", () => plain, () => idEvent(alice, bob, 5n)],
    ["a token tells of an amount nobody has", () => gold, () => amountEvent(alice, bob, 5n)],
    [
      "a token tells of an amount nobody has, unindexed",
      () => gold,
      () => unindexedEvent(alice, bob, 5n),
    ],
    ["a token tells of an id", () => gold, () => idEvent(alice, bob, 5n)],
    ["a collection tells of an id nobody has", () => art, () => idEvent(alice, bob, 5n)],
    ["a collection tells of an amount", () => art, () => amountEvent(alice, bob, 5n)],
    ["a collection gives away what another has", () => art, () => idEvent(alice, bob, 1n)],
    ["a collection mints what is there already", () => art, () => idEvent(ZERO_ADDRESS, bob, 1n)],
    ["a token burns what nobody has", () => gold, () => amountEvent(alice, ZERO_ADDRESS, 5n)],
  ] as const)("%s", (_, contract, event) => {
    run(contract(), event());
    story.mine();
    const before = answers(story.chain, everybody(gold, art, plain));
    const { dropped } = story.reorg(2, { drop: [payment] });
    expect(dropped.map(({ hash }) => hash)).toEqual([payment.hash]);
    const tokensOf = ({ addresses }: typeof before) =>
      addresses.map(({ token, nfts, balances }) => ({ token, nfts, balances }));
    expect(tokensOf(answers(story.chain, everybody(gold, art, plain)))).toEqual(tokensOf(before));
    expect([alice, bob].map((of) => story.chain.balance(of))).toEqual([coins(10), coins(10)]);
  });

  test("a token mints more than there can be", () => {
    run(gold, amountEvent(ZERO_ADDRESS, bob, most));
    run(gold, amountEvent(ZERO_ADDRESS, bob, most));
    story.mine();
    expect(story.reorg(2, { drop: [payment] }).dropped).toHaveLength(1);
  });

  test("a miner spends what it has just received in fees", () => {
    const miner = story.account({ name: "a miner", balance: 210_000n });
    const paying = story.transfer(dave, bob, 1n, { gasPrice: 10n });
    const spent = story.transfer(miner, bob, 210_000n);
    story.mine([paying, spent], { miner });
    const poor = retold((body) => body);
    expect(() => poor.reorg(2, { drop: [paying] })).toThrow(/ has 0 coins .* and needs /);
    expect(poor.reorg(2, { drop: [payment] }).dropped).toHaveLength(1);
    expect(poor.chain.balance(miner)).toBe(coins(2));
  });

  test("a transaction failed before receipts said so", () => {
    const failed = story.transfer(dave, bob, coins(9), { fails: "out of gas" });
    story.transfer(dave, bob, coins(8));
    story.mine();
    const old = retold((body) => ({
      ...body,
      executions: body.executions.map(({ transaction, ...rest }) => ({
        ...rest,
        transaction: { ...transaction, succeeded: null },
      })),
    }));
    expect(old.chain.transaction(failed.hash)).toMatchObject({ succeeded: null });
    expect(old.reorg(2, { drop: [payment] }).dropped).toHaveLength(1);
    expect(old.chain.balance(dave)).toBe(coins(2));
  });

  test("the chain does not begin with anybody's first transaction", () => {
    const other = story.transfer(dave, bob, 1n);
    story.mine();
    const late = retold((body) => ({
      ...body,
      executions: body.executions.map(({ transaction, ...rest }) => ({
        ...rest,
        transaction: { ...transaction, nonce: transaction.nonce + 57 },
      })),
    }));
    expect(late.reorg(2, { drop: [payment] }).dropped).toHaveLength(1);
    expect(late.chain.transaction(other.hash)).toMatchObject({ nonce: 57 });
  });
});

describe("a transaction is not dropped that another needs for", () => {
  const refuses = (of: Sent, message: RegExp) => {
    const before = answers(story.chain, everybody());
    expect(() => story.reorg(story.chain.head.number - 1, { drop: [of] })).toThrow(message);
    expect(answers(story.chain, everybody())).toEqual(before);
  };

  test("its tokens, also if the event that tells of them has no topics", () => {
    const gold = story.deployMRC20(carol, { symbol: "GLD" });
    const given = story.transfer(dave, gold.address, 0n);
    story.mine([payment, gold.deployment as Sent, given]);
    const minted = story.call(dave, { to: gold.address, does: amountEvent(ZERO_ADDRESS, bob, 5n) });
    run(gold.address, unindexedEvent(bob, alice, 3n));
    story.mine();
    refuses(minted, /^bob .* has 0 of GLD .* and needs 3 to send to alice/);
  });

  test("a token id, or its absence", () => {
    const art = story.deployMRC721(carol, { symbol: "ART" });
    story.mine();
    const minted = story.call(dave, { to: art.address, does: idEvent(ZERO_ADDRESS, bob, 7n) });
    const burnt = story.call(bob, { to: art.address, does: idEvent(bob, ZERO_ADDRESS, 7n) });
    run(art.address, idEvent(ZERO_ADDRESS, alice, 7n));
    story.mine();
    refuses(minted, /^bob .* does not own token 7 of ART .*: it does not exist$/);
    refuses(burnt, /^token 7 of ART .* exists already: bob .* owns it$/);
  });

  test("coins that a withdrawal brings only at the end of the block", () => {
    story.mine();
    const given = story.transfer(alice, bob, coins(5));
    story.transfer(bob, carol, coins(15));
    story.mine();
    const paid = retold((body) =>
      body.executions.some(({ transaction }) => transaction.hash === given.hash)
        ? { ...body, credits: [[bob, coins(5)]] }
        : body,
    );
    expect(() => paid.reorg(1, { drop: [given] })).toThrow(/has 11 coins .* and needs 15/);
  });

  test("its place in the order", () => {
    const first = story.transfer(dave, bob, 1n);
    const second = story.transfer(dave, bob, 2n);
    story.mine();
    refuses(first, new RegExp(`${second.hash} of dave .* has nonce 1 and the next is 0: drop all`));
  });

  test("the contract it created", () => {
    const deployed = story.deploy(dave);
    story.mine();
    run(deployed.address, (frame) => frame.emit([1n]));
    story.mine();
    refuses(deployed, /runs 0x.*, and the transaction that created this contract is dropped/);
  });
});

describe("a reorganisation that drops nothing changes no", () => {
  test("reading of a contract that is said to be no token", () => {
    const { address } = story.deploy(carol);
    story.mine();
    story.chain.applyHeadState({ tokens: [{ address, standard: null }] });
    run(address, amountEvent(ZERO_ADDRESS, bob, 5n));
    story.mine();
    expect(story.chain.token(address)).toBeUndefined();
    story.reorg(2);
    expect(story.chain.token(address)).toBeUndefined();
  });

  test("reading of a token that only its events show", () => {
    const { address } = story.deploy(carol);
    story.mine();
    run(address, amountEvent(ZERO_ADDRESS, bob, 5n));
    run(address, unindexedEvent(ZERO_ADDRESS, bob, 5n));
    story.mine();
    expect(story.chain.tokenBalance(address, bob)).toBe(5n);
    story.reorg(2);
    expect(story.chain.tokenBalance(address, bob)).toBe(5n);
  });

  test("fees, whatever they were", () => {
    story.mine();
    const miner = story.chain.head.miner;
    const tipped = retold((body) => ({ ...body, block: { ...body.block, fees: 7n } }));
    const before = tipped.chain.balance(miner);
    tipped.reorg(1);
    expect([tipped.chain.head.fees, tipped.chain.balance(miner)]).toEqual([7n, before]);
  });
});

test("events of what says it is no token hinder nothing", () => {
  const { address } = story.deploy(carol);
  story.mine();
  story.chain.applyHeadState({ tokens: [{ address, standard: null }] });
  const seen = story.call(dave, { to: address, does: amountEvent(ZERO_ADDRESS, bob, 5n) });
  run(address, amountEvent(bob, alice, 5n));
  story.mine();
  expect(story.reorg(1, { drop: [seen] }).dropped).toHaveLength(1);
});

describe("a contract that ends in the transaction that creates it", () => {
  const child = (maker: Address): Address => create2Address(maker, word(1n), codeOf({}).input);
  const create = (does?: Call["does"]) => (frame: CallFrame) => {
    frame.create2({ salt: 1n, value: frame.value, ...(does === undefined ? {} : { does }) });
  };
  const ends = create((made) => made.selfdestruct(made.self));
  let maker: Address;
  beforeEach(() => {
    maker = story.deploy(carol).address;
    story.mine();
  });

  test("takes its coins and its code with it, also before it is mined", () => {
    story.call(carol, { to: maker, value: 5n, does: ends });
    let seen: bigint | undefined;
    story.call(carol, { to: maker, does: create((made) => (seen = made.balance)) });
    expect(seen).toBe(0n);
    story.mine();
    expect(story.chain.balance(child(maker))).toBe(0n);
    expect(story.chain.code(child(maker))).toBe("0x00");
  });

  test("leaves nothing for who comes after it when what it was paid since is dropped", () => {
    story.call(carol, { to: maker, value: 5n, does: ends });
    const paid = story.transfer(dave, child(maker), 5n);
    story.call(carol, {
      to: maker,
      does: create((made) => {
        made.call({ to: bob, value: 5n });
      }),
    });
    story.mine();
    expect(() => story.reorg(1, { drop: [paid] })).toThrow(/has 0 coins .* to send to bob/);
  });
});
