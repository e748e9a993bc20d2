// Laws of every built chain: coins are conserved, nonces have no gaps, supplies match balances,
// lists match the blocks.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { continueChain, tokenEvents, word } from "../../mocks/builder/index.ts";
import { Chain } from "../../mocks/chain/chain.ts";
import { items } from "../../mocks/chain/listing.ts";
import type { Address, ChainTransaction } from "../../mocks/chain/records.ts";
import {
  anyStep,
  initial,
  inputs,
  people,
  type Result,
  runSteps,
} from "../builder/random-steps.ts";
import { addressesIn, answers } from "../chain/answers.ts";
import { runs } from "../support/runs.ts";

const executions = (result: Result) => inputs(result).flatMap((input) => input.executions);

/** Every account that ever had coins. */
const allAccounts = ({ chain, accounts }: Result): Address[] => [
  ...new Set([...accounts, ...addressesIn(chain)]),
];

const law = (name: string, check: (result: Result) => void) =>
  test(name, () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), fc.boolean(), (steps, freeGas) =>
        check(runSteps(steps, freeGas)),
      ),
      { numRuns: runs(60) },
    );
  });

const sum = (values: readonly bigint[]): bigint => values.reduce((one, other) => one + other, 0n);

describe("every built chain", () => {
  law(
    "coins come from the first block and from mining, and go only with the base fee",
    (result) => {
      const have = sum(allAccounts(result).map((account) => result.chain.balance(account)));
      const issued = sum(inputs(result).map(({ block }) => block.miningReward));
      const burnt = sum(
        inputs(result).map(({ block }) => BigInt(block.gasUsed ?? 0) * (block.baseFeePerGas ?? 0n)),
      );
      expect(have).toBe(initial * BigInt(people + 1) + issued - burnt);
    },
  );

  law("an account's nonces have no gap, and continue where they are", (result) => {
    for (const account of result.accounts) {
      const sent = items(result.chain.transactions(account, "from", {}));
      expect(sent.map(({ nonce }) => nonce)).toEqual(sent.map((_, index) => index));
      expect(result.builder.nonce(account)).toBe(sent.length);
      expect(continueChain(result.chain).nonce(account)).toBe(sent.length);
    }
  });

  law("the supply of a token is what its holders hold", (result) => {
    const { chain, gold, art } = result;
    const balances = allAccounts(result).map((account) =>
      chain.tokenBalance(gold.address, account),
    );
    expect(chain.token(gold.address)).toMatchObject({
      totalSupply: sum(balances),
      holderCount: balances.filter((balance) => balance > 0n).length,
    });
    const owned = result.accounts.map((account) => chain.nfts(art.address, account).count);
    expect(chain.token(art.address)?.totalSupply).toBe(sum(owned.map(BigInt)));
    expect(chain.nfts(art.address).count).toBe(owned.reduce((one, other) => one + other, 0));
  });

  law("an account's lists match what happened, in order", (result) => {
    const { chain } = result;
    const happened = executions(result);
    for (const account of allAccounts(result)) {
      const plays = ({ from, to, created }: ChainTransaction) =>
        [from, to, created].includes(account);
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

  law("a token's transfers are its Transfer events", (result) => {
    const { chain, accounts } = result;
    const logs = executions(result).flatMap((one) => one.logs);
    for (const [standard, length] of [
      ["mrc20", 3],
      ["mrc721", 4],
    ] as const) {
      for (const account of accounts) {
        const about = logs.filter(({ address, topics, data }) => {
          // One that indexes nothing has the same words in its data.
          const indexesNothing = topics.length === 1 && data.length === 2 + 3 * 64;
          const [from, to] = indexesNothing
            ? [data.slice(2, 66), data.slice(66, 130)].map((digits) => `0x${digits}`)
            : topics.slice(1);
          return (
            chain.token(address)?.standard === standard &&
            topics[0] === tokenEvents.transfer &&
            (topics.length === length || indexesNothing) &&
            [from, to].includes(word(account))
          );
        });
        expect(items(chain.transfers(account, standard, {})).map(({ log }) => log)).toEqual(about);
      }
    }
  });

  law("a block's numbers are those of what is in it", (result) => {
    for (const { block, executions } of inputs(result)) {
      const gas = executions.map(({ transaction }) => transaction.gasUsed ?? 0);
      expect(block.gasUsed).toBe(gas.reduce((one, other) => one + other, 0));
      expect(executions.at(-1)?.transaction.cumulativeGasUsed ?? 0).toBe(block.gasUsed);
      expect(executions.map(({ transaction }) => transaction.index)).toEqual([...gas.keys()]);
      const logs = executions.flatMap((one) => one.logs);
      expect(logs.map(({ index }) => index)).toEqual([...logs.keys()]);
    }
  });

  law("a chain is what its blocks make of it, whatever was dropped", (result) => {
    const again = new Chain({ chainId: result.chain.chainId });
    const who = allAccounts(result);
    again.applyHeadState({
      balances: result.accounts.slice(0, -1).map((account) => [account, initial]),
    });
    again.applyHeadState(result.chain.headStateOf(who));
    for (const input of inputs(result)) again.append(input);
    expect(answers(again, who)).toEqual(answers(result.chain, who));
  });

  law("a payment that nothing depends on can be dropped, whatever contracts emit", (result) => {
    const { builder, chain, unrelated, first } = result;
    const tokens = [result.gold.address, result.art.address, ...Object.values(result.emitters)];
    const ofTokens = () => {
      const { token, nfts, tokenBalance, holdings } = answers(chain, [
        ...tokens,
        ...result.accounts,
      ]);
      return { token, nfts, tokenBalance, holdings };
    };
    const before = ofTokens();
    const count = chain.head.number - first + 1;
    const { dropped } = builder.reorg(count, { drop: [unrelated] });
    expect(dropped.map(({ hash }) => hash)).toEqual([unrelated.hash]);
    expect(result.accounts.slice(-2).map((account) => chain.balance(account))).toEqual([
      initial,
      0n,
    ]);
    expect(ofTokens()).toEqual(before);
  });

  law("what failed left nothing", (result) => {
    for (const { transaction, frames, logs } of executions(result)) {
      if (transaction.succeeded === false) {
        expect(logs).toEqual([]);
        expect(frames.every(({ undone }) => undone)).toBe(true);
        expect(
          transaction.created === null || result.chain.code(transaction.created) === "0x",
        ).toBe(true);
      }
    }
  });
});
