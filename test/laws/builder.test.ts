// What holds in every story: coins are conserved, nonces have no gaps, supplies are what holders hold, lists tell what happened.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { continueChain, tokenEvents, word } from "../../mocks/builder/index.ts";
import { Chain } from "../../mocks/chain/chain.ts";
import { items } from "../../mocks/chain/listing.ts";
import type { Address, Transaction } from "../../mocks/chain/records.ts";
import { bodies, initial, people, sentence, type Told, tell } from "../builder/stories.ts";
import { addressesIn, answers } from "../chain/answers.ts";

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
    expect(have).toBe(initial * BigInt(people + 1) + issued - burnt);
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
    const { chain, accounts } = told;
    const logs = executions(told).flatMap((one) => one.logs);
    for (const [standard, length] of [
      ["mrc20", 3],
      ["mrc721", 4],
    ] as const) {
      for (const account of accounts) {
        const about = logs.filter(
          ({ address, topics }) =>
            chain.token(address)?.standard === standard &&
            topics[0] === tokenEvents.transfer &&
            topics.length === length &&
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

  law("a chain is what its blocks make of it, whatever was dropped", (told) => {
    const again = new Chain(told.chain);
    const who = [...addressesIn(told.chain), ...everybody(told)];
    again.applyHeadState({
      balances: told.accounts.slice(0, -1).map((account) => [account, initial]),
    });
    again.applyHeadState(told.chain.headStateOf(who));
    for (const body of bodies(told)) again.append(body);
    expect(answers(again, who)).toEqual(answers(told.chain, who));
  });

  law("a payment nobody needs can be dropped, whatever contracts emit", (told) => {
    const { story, chain, unrelated, first } = told;
    const tokens = [told.gold.address, told.art.address, ...Object.values(told.emitters)];
    const ofTokens = () =>
      answers(chain, [...tokens, ...told.accounts]).addresses.map(
        ({ token, nfts, balances, holdings }) => ({ token, nfts, balances, holdings }),
      );
    const before = ofTokens();
    const count = chain.head.number - first + 1;
    const { dropped } = story.reorg(count, { drop: [unrelated] });
    expect(dropped.map(({ hash }) => hash)).toEqual([unrelated.hash]);
    expect(told.accounts.slice(-2).map((account) => chain.balance(account))).toEqual([initial, 0n]);
    expect(ofTokens()).toEqual(before);
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
