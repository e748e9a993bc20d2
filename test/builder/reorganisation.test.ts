// What a reorganisation drops, and what it refuses to drop.
import { beforeEach, describe, expect, test } from "vitest";
import { addressOfName, create2Address, creationCode } from "../../mocks/builder/evm.ts";
import { generateChain } from "../../mocks/builder/generator.ts";
import {
  buildChain,
  type CallFrame,
  type CallMessage,
  type ChainBuilder,
  coins,
  continueChain,
  eventTopic,
  gwei,
  type SentTransaction,
  word,
} from "../../mocks/builder/index.ts";
import { rewindInSlices } from "../../mocks/builder/reorganisation.ts";
import { Chain } from "../../mocks/chain/chain.ts";
import { ZERO_ADDRESS } from "../../mocks/chain/hex.ts";
import type { Address, BlockInput } from "../../mocks/chain/records.ts";
import { answers, bodies } from "../chain/answers.ts";

const transfer = eventTopic("Transfer(address,address,uint256)");

const [alice, bob, carol, dave] = [
  addressOfName("alice"),
  addressOfName("bob"),
  addressOfName("carol"),
  addressOfName("dave"),
];
const people = [alice, bob, carol, dave];

let builder: ChainBuilder;
let payment: SentTransaction;

beforeEach(() => {
  builder = buildChain({ freeGas: true });
  for (const name of ["alice", "bob", "carol", "dave"])
    builder.account({ name, balance: coins(10) });
  builder.mine();
  payment = builder.transfer(alice, bob, coins(1));
});

/** Carol has a contract do something. */
const run = (to: Address, does: (frame: CallFrame) => void) => builder.call(carol, { to, does });
const amountEvent = (from: Address, to: Address, amount: bigint) => (frame: CallFrame) =>
  frame.emit([transfer, from, to], word(amount));
const idEvent = (from: Address, to: Address, id: bigint) => (frame: CallFrame) =>
  frame.emit([transfer, from, to, id]);
const unindexedEvent = (from: Address, to: Address, amount: bigint) => (frame: CallFrame) =>
  frame.emit([transfer], `0x${[from, to, amount].map((value) => word(value).slice(2)).join("")}`);

const everybody = (...others: Address[]) => [...people, ZERO_ADDRESS, ...others];

/** A chain in which the blocks are as `change` has them. */
function rebuilt(change: (body: BlockInput) => BlockInput): ChainBuilder {
  const chain = new Chain({ chainId: builder.chain.chainId });
  chain.applyHeadState({ balances: people.map((account) => [account, coins(10)]) });
  for (const body of bodies(builder.chain)) if (body !== undefined) chain.append(change(body));
  return continueChain(chain);
}

test("a block that replaces one with the same transactions has another hash, each time", () => {
  builder.mine();
  const hashes = new Set([builder.chain.head.hash]);
  for (let time = 0; time < 3; time += 1) {
    expect(builder.reorg(1).dropped).toEqual([]);
    expect(builder.chain.transaction(payment.hash)?.block).toBe(builder.chain.head);
    hashes.add(builder.chain.head.hash);
  }
  expect(hashes.size).toBe(4);
  const genesis = [1, 2].map((chainId) => buildChain({ chainId }).chain.head.hash);
  expect(new Set(genesis).size).toBe(2);
});

describe("an unrelated payment can be dropped though", () => {
  beforeEach(() => void builder.mine());

  test("a miner spends what it has just received in fees", () => {
    const miner = builder.account({ name: "a miner", balance: 210_000n });
    const paying = builder.transfer(dave, bob, 1n, { gasPrice: 10n });
    const spent = builder.transfer(miner, bob, 210_000n);
    builder.mine([paying, spent], { miner });
    const poor = rebuilt((body) => body);
    expect(() => poor.reorg(2, { drop: [paying] })).toThrow(/ has 0 coins .* and needs /);
    expect(poor.reorg(2, { drop: [payment] }).dropped).toHaveLength(1);
    expect(poor.chain.balance(miner)).toBe(coins(2));
  });

  test("a transaction failed before receipts had a status", () => {
    const failed = builder.transfer(dave, bob, coins(9), { fails: "out of gas" });
    builder.transfer(dave, bob, coins(8));
    builder.mine();
    const old = rebuilt((body) => ({
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
    const other = builder.transfer(dave, bob, 1n);
    builder.mine();
    const late = rebuilt((body) => ({
      ...body,
      executions: body.executions.map(({ transaction, ...rest }) => ({
        ...rest,
        transaction: { ...transaction, nonce: (transaction.nonce ?? 0) + 57 },
      })),
    }));
    expect(late.reorg(2, { drop: [payment] }).dropped).toHaveLength(1);
    expect(late.chain.transaction(other.hash)).toMatchObject({ nonce: 57 });
  });
});

describe("a transaction is not dropped that another needs for", () => {
  const refuses = (of: SentTransaction, message: RegExp) => {
    const before = answers(builder.chain, everybody());
    expect(() => builder.reorg(builder.chain.head.number - 1, { drop: [of] })).toThrow(message);
    expect(answers(builder.chain, everybody())).toEqual(before);
  };

  test("its tokens, also if its event has no topics", () => {
    const gold = builder.deployMRC20(carol, { symbol: "GLD" });
    const given = builder.transfer(dave, gold.address, 0n);
    builder.mine([payment, gold.deployment as SentTransaction, given]);
    const minted = builder.call(dave, {
      to: gold.address,
      does: amountEvent(ZERO_ADDRESS, bob, 5n),
    });
    run(gold.address, unindexedEvent(bob, alice, 3n));
    builder.mine();
    refuses(minted, /^bob .* has 0 of GLD .* and needs 3 to send to alice/);
  });

  test("a token id, or its absence", () => {
    const art = builder.deployMRC721(carol, { symbol: "ART" });
    builder.mine();
    const minted = builder.call(dave, { to: art.address, does: idEvent(ZERO_ADDRESS, bob, 7n) });
    const burnt = builder.call(bob, { to: art.address, does: idEvent(bob, ZERO_ADDRESS, 7n) });
    run(art.address, idEvent(ZERO_ADDRESS, alice, 7n));
    builder.mine();
    refuses(minted, /^bob .* cannot move token 7 of ART .*: it does not exist$/);
    refuses(burnt, /^token 7 of ART .* exists already: bob .* owns it$/);
  });

  test("coins that a withdrawal brings only at the end of the block", () => {
    builder.mine();
    const given = builder.transfer(alice, bob, coins(5));
    builder.transfer(bob, carol, coins(15));
    builder.mine();
    const paid = rebuilt((body) =>
      body.executions.some(({ transaction }) => transaction.hash === given.hash)
        ? { ...body, credits: [[bob, coins(5)]] }
        : body,
    );
    expect(() => paid.reorg(1, { drop: [given] })).toThrow(/has 11 coins .* and needs 15/);
  });

  test("its place in the order", () => {
    const first = builder.transfer(dave, bob, 1n);
    const second = builder.transfer(dave, bob, 2n);
    builder.mine();
    refuses(
      first,
      new RegExp(
        `${second.hash} of dave .* has nonce 1, but the transaction with nonce 0 is dropped: drop the account's later transactions`,
      ),
    );
  });

  test("the contract it created", () => {
    const deployed = builder.deploy(dave);
    builder.mine();
    run(deployed.address, (frame) => frame.emit([1n]));
    builder.mine();
    refuses(deployed, /runs 0x.*, and the transaction that created this contract is dropped/);
  });
});

test("the tip of a dropped transaction leaves the block and its miner, and the base fee was never theirs", () => {
  const paid = buildChain();
  const sender = paid.account({ balance: coins(10) });
  const miner = paid.account({ name: "a miner" });
  const [kept, dropped] = [paid.transfer(sender, bob, 1n), paid.transfer(sender, bob, 2n)];
  paid.mine([kept, dropped], { miner });
  paid.reorg(1, { drop: [dropped] });
  const tip = 21_000n * gwei(1);
  expect([paid.chain.head.fees, paid.chain.balance(miner)]).toEqual([tip, coins(2) + tip]);
});

describe("a contract that ends in the transaction that creates it", () => {
  const child = (maker: Address): Address =>
    create2Address(maker, word(1n), creationCode({}).input);
  const create = (does?: CallMessage["does"]) => (frame: CallFrame) => {
    frame.create2({ salt: 1n, value: frame.value, ...(does === undefined ? {} : { does }) });
  };
  const ends = create((made) => made.selfdestruct(made.self));
  let maker: Address;
  beforeEach(() => {
    maker = builder.deploy(carol).address;
    builder.mine();
  });

  test("may be dropped where another transaction creates it again, and a later one runs it", () => {
    const first = builder.call(carol, { to: maker, does: ends });
    builder.mine();
    builder.call(dave, { to: maker, does: create() });
    builder.mine();
    builder.call(dave, { to: child(maker), does: (frame) => frame.emit([1n]) });
    builder.mine();
    expect(builder.reorg(3, { drop: [first] }).dropped).toMatchObject([{ hash: first.hash }]);
  });

  test("takes its coins and its code with it, also before it is mined", () => {
    builder.call(carol, { to: maker, value: 5n, does: ends });
    let seen: bigint | undefined;
    builder.call(carol, { to: maker, does: create((made) => (seen = made.balance)) });
    expect(seen).toBe(0n);
    builder.mine();
    expect(builder.chain.balance(child(maker))).toBe(0n);
    expect(builder.chain.code(child(maker))).toBe("0x00");
  });

  test("leaves nothing for who comes after it when what it was paid since is dropped", () => {
    builder.call(carol, { to: maker, value: 5n, does: ends });
    const paid = builder.transfer(dave, child(maker), 5n);
    builder.call(carol, {
      to: maker,
      does: create((made) => {
        made.call({ to: bob, value: 5n });
      }),
    });
    builder.mine();
    expect(() => builder.reorg(1, { drop: [paid] })).toThrow(/has 0 coins .* to send to bob/);
  });
});

describe("in slices", () => {
  /** A chain of 2,000 transactions, with tokens of both standards. */
  const generated = () => generateChain({ blocks: 200, transactions: 2000 });

  test("a reorganisation gives the chain that it gives at once, and changes it at the end", () => {
    const [sliced, whole] = [continueChain(generated()), continueChain(generated())];
    const drop = [sliced.chain.blockInput(200)?.executions.at(-1)?.transaction].filter(
      (last) => last !== undefined,
    );
    const before = sliced.chain.head.hash;
    const slices = sliced.reorgInSlices(150, { drop });
    let steps = 0;
    let step = slices.next();
    for (; step.done !== true; step = slices.next()) {
      steps++;
      expect(sliced.chain.head.hash).toBe(before);
    }
    // 1,500 transactions are read, taken back, and appended twice: once to see which overdrafts
    // there were.
    expect(steps).toBeGreaterThanOrEqual(10);
    expect(step.value).toEqual(whole.reorg(150, { drop }));
    expect(bodies(sliced.chain)).toEqual(bodies(whole.chain));
    expect(sliced.chain.tokens()).toEqual(whole.chain.tokens());
  });

  test("a rewind gives the chain that it gives at once, and changes it at the end", () => {
    const [sliced, whole] = [generated(), generated()];
    let steps = 0;
    for (const _ of rewindInSlices(sliced, 175)) {
      steps++;
      expect(sliced.head.number).toBe(200);
    }
    expect(steps).toBeGreaterThanOrEqual(3);
    expect(() => [...rewindInSlices(sliced, 27)]).toThrow(
      "Cannot rewind 27 blocks: the chain has 26",
    );
    whole.rewind(175);
    expect(bodies(sliced)).toEqual(bodies(whole));
    expect(sliced.tokens()).toEqual(whole.tokens());
    expect(sliced.busiestAccounts(10)).toEqual(whole.busiestAccounts(10));
    expect([...rewindInSlices(sliced, 26), sliced.length]).toEqual([0]);
  });
});

test("blocks that differ in their transactions differ in their hash, also if two builders replace the same one", () => {
  const before = buildChain();
  const [alice, bob] = [before.account({ balance: coins(10) }), before.account()];
  const payments = [before.transfer(alice, bob, 1n), before.transfer(alice, bob, 2n)];
  before.mine();
  const hashOf = (drop: readonly SentTransaction[]) =>
    continueChain(before.chain.fork()).reorg(1, { drop }).blocks[0]?.hash;
  const [, last] = payments;
  const hashes = [hashOf([]), hashOf(last ? [last] : []), hashOf(payments)];
  expect(new Set(hashes).size).toBe(3);
  expect(hashOf(payments)).toBe(hashes[2]);
});
