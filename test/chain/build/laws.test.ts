// What holds in every story: coins are conserved, nonces have no gaps, supplies are what holders hold, lists tell what happened.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  buildChain,
  coins,
  continueChain,
  ImpossibleError,
  tokenEvents,
  word,
} from "../../../mocks/chain/build/index.ts";
import { items } from "../../../mocks/chain/listing.ts";
import type { Address, Transaction } from "../../../mocks/chain/records.ts";

const people = 4;
const person = fc.nat(people - 1);
const amount = fc.oneof(fc.bigInt(0n, 50n), fc.bigInt(0n, coins(3)));
const outcome = fc.option(fc.constantFrom("execution reverted", "out of gas"), { freq: 4 });

const sentence = fc.oneof(
  fc.record({ does: fc.constant("transfer" as const), from: person, to: person, amount, outcome }),
  fc.record({ does: fc.constant("deploy" as const), from: person, amount, outcome }),
  fc.record({
    does: fc.constant("call" as const),
    from: person,
    to: person,
    amount,
    outcome,
    innerFails: fc.boolean(),
    creates: fc.boolean(),
  }),
  fc.record({
    does: fc.constantFrom(
      "token transfer" as const,
      "mint" as const,
      "burn" as const,
      "nft mint" as const,
      "nft transfer" as const,
      "nft burn" as const,
    ),
    from: person,
    to: person,
    amount: fc.bigInt(0n, 60n),
    outcome,
  }),
  fc.record({ does: fc.constant("mine" as const), blocks: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ does: fc.constant("reorg" as const), blocks: fc.nat(3), drops: fc.boolean() }),
);
type Sentence = typeof sentence extends fc.Arbitrary<infer Told> ? Told : never;

const initial = coins(5);

function tell(sentences: readonly Sentence[], freeGas: boolean) {
  const story = buildChain({ freeGas, gasLimit: 1_000_000_000 });
  const accounts = Array.from({ length: people }, () => story.account({ balance: initial }));
  const at = (index: number): Address => accounts[index] ?? "0x";
  const gold = story.deployMRC20(at(0), { symbol: "GLD", supply: 100n });
  const art = story.deployMRC721(at(0));
  const vault = story.deploy(at(0)).address;
  story.mine();
  let refused = 0;
  for (const told of sentences) {
    const fails =
      "outcome" in told && told.outcome !== null ? { fails: told.outcome } : ({} as const);
    try {
      switch (told.does) {
        case "transfer":
          story.transfer(at(told.from), at(told.to), told.amount, fails);
          break;
        case "deploy":
          story.deploy(at(told.from), { value: told.amount, ...fails });
          break;
        case "call":
          story.call(at(told.from), {
            to: vault,
            value: told.amount,
            ...fails,
            does: (frame) => {
              frame.emit([told.amount]);
              frame.call({
                to: at(told.to),
                value: told.amount / 2n,
                ...(told.innerFails ? { fails: "no" } : {}),
              });
              if (told.creates) frame.create({ value: frame.balance / 3n });
            },
          });
          break;
        case "token transfer":
          gold.transfer(at(told.from), at(told.to), told.amount, fails);
          break;
        case "mint":
          gold.mint(at(told.to), told.amount, fails);
          break;
        case "burn":
          gold.burn(at(told.from), told.amount, fails);
          break;
        case "nft mint":
          art.mint(at(told.to), told.amount, fails);
          break;
        case "nft transfer":
          art.transfer(at(told.from), at(told.to), told.amount, fails);
          break;
        case "nft burn":
          art.burn(at(told.from), told.amount, fails);
          break;
        case "mine":
          story.mine(told.blocks);
          break;
        case "reorg": {
          story.mine();
          const last = story.chain.body(story.chain.head.number)?.executions.at(-1);
          const drop = told.drops && last !== undefined ? [last.transaction] : [];
          story.reorg(Math.min(told.blocks, story.chain.head.number - 1), { drop });
        }
      }
    } catch (error) {
      if (!(error instanceof ImpossibleError)) throw error;
      refused += 1;
    }
  }
  story.mine();
  return { story, chain: story.chain, accounts, gold, art, refused };
}

type Told = ReturnType<typeof tell>;

const bodies = ({ chain }: Told) =>
  Array.from({ length: chain.head.number + 1 }, (_, number) => chain.body(number)).filter(
    (body) => body !== undefined,
  );
const executions = (told: Told) => bodies(told).flatMap((body) => body.executions);

/** Everybody who ever had coins. */
function everybody(told: Told): Address[] {
  const found = new Set<Address>(told.accounts);
  for (const { block, executions } of bodies(told)) {
    found.add(block.miner);
    for (const { transaction, frames } of executions) {
      for (const { from, to, created } of [transaction, ...frames]) {
        for (const account of [from, to, created]) {
          if (account !== null) found.add(account);
        }
      }
    }
  }
  return [...found];
}

const law = (name: string, check: (told: Told) => void) =>
  test(name, () => {
    fc.assert(
      fc.property(fc.array(sentence, { maxLength: 60 }), fc.boolean(), (sentences, freeGas) =>
        check(tell(sentences, freeGas)),
      ),
      { numRuns: 60 },
    );
  });

const sum = (values: readonly bigint[]): bigint => values.reduce((one, other) => one + other, 0n);

describe("in every story", () => {
  law("coins come from the first block and from mining, and go only with the base fee", (told) => {
    const have = sum(everybody(told).map((account) => told.chain.balance(account)));
    const issued = sum(bodies(told).map(({ block }) => block.miningReward));
    const burnt = sum(
      bodies(told).map(({ block }) => BigInt(block.gasUsed) * (block.baseFeePerGas ?? 0n)),
    );
    expect(have).toBe(initial * BigInt(people) + issued - burnt);
  });

  law("nobody owes coins or tokens", (told) => {
    for (const account of everybody(told)) {
      expect(told.chain.balance(account)).toBeGreaterThanOrEqual(0n);
      expect(told.chain.tokenBalance(told.gold.address, account)).toBeGreaterThanOrEqual(0n);
    }
  });

  law("an account's nonces have no gap, and continue where they are", (told) => {
    for (const account of told.accounts) {
      const sent = items(told.chain.transactions(account, "from", {}));
      expect(sent.map(({ nonce }) => nonce)).toEqual(sent.map((_, index) => index));
      expect(told.story.nonce(account)).toBe(sent.length);
      expect(continueChain(told.chain).nonce(account)).toBe(sent.length);
    }
  });

  law("the supply of a token is what its holders hold", (told) => {
    const { chain, gold, art } = told;
    const balances = everybody(told).map((account) => chain.tokenBalance(gold.address, account));
    expect(chain.token(gold.address)).toMatchObject({
      totalSupply: sum(balances),
      holderCount: balances.filter((balance) => balance > 0n).length,
    });
    const owned = told.accounts.map((account) => chain.nfts(art.address, account).count);
    expect(chain.token(art.address)?.totalSupply).toBe(sum(owned.map(BigInt)));
    expect(chain.nfts(art.address).count).toBe(owned.reduce((one, other) => one + other, 0));
  });

  law("an account's lists tell what happened, in order", (told) => {
    const { chain } = told;
    const happened = executions(told);
    for (const account of everybody(told)) {
      const plays = ({ from, to, created }: Transaction) => [from, to, created].includes(account);
      expect(items(chain.transactions(account, "all", {})).map(({ hash }) => hash)).toEqual(
        happened.filter(({ transaction }) => plays(transaction)).map((one) => one.transaction.hash),
      );
      const frames = happened.flatMap((one) => one.frames);
      expect(items(chain.frames(account, {}))).toEqual(
        frames.filter(({ from, to, created }) => [from, to, created].includes(account)),
      );
      const logs = happened.flatMap((one) => one.logs).filter((log) => log.address === account);
      expect(items(chain.logs({ address: account, topics: [], operand: "and" }))).toEqual(logs);
    }
  });

  law("a token's transfers are its Transfer events", (told) => {
    const { chain, gold, art, accounts } = told;
    const logs = executions(told).flatMap((one) => one.logs);
    for (const [token, standard] of [
      [gold, "mrc20"],
      [art, "mrc721"],
    ] as const) {
      for (const account of accounts) {
        const about = logs.filter(
          ({ address, topics }) =>
            address === token.address &&
            topics[0] === tokenEvents.transfer &&
            topics.slice(1, 3).includes(word(account)),
        );
        expect(items(chain.transfers(account, standard, {})).map(({ log }) => log)).toEqual(about);
      }
    }
  });

  law("a block's numbers are those of what is in it", (told) => {
    for (const { block, executions } of bodies(told)) {
      const gas = executions.map(({ transaction }) => transaction.gasUsed);
      expect(block.gasUsed).toBe(gas.reduce((one, other) => one + other, 0));
      expect(executions.at(-1)?.transaction.cumulativeGasUsed ?? 0).toBe(block.gasUsed);
      expect(executions.map(({ transaction }) => transaction.index)).toEqual([...gas.keys()]);
      const logs = executions.flatMap((one) => one.logs);
      expect(logs.map(({ index }) => index)).toEqual([...logs.keys()]);
    }
  });

  law("what failed left nothing", (told) => {
    for (const { transaction, frames, logs } of executions(told)) {
      if (transaction.succeeded === false) {
        expect(logs).toEqual([]);
        expect(frames.every(({ undone }) => undone)).toBe(true);
        expect(transaction.created === null || told.chain.code(transaction.created) === "0x").toBe(
          true,
        );
      }
    }
  });
});
