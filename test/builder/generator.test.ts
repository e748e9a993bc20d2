// Generated chains: the same for the same seed, longer ones begin with shorter ones.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type GenerateOptions, generateChain } from "../../mocks/builder/generator.ts";
import type { Chain } from "../../mocks/chain/chain.ts";
import { ZERO_ADDRESS } from "../../mocks/chain/hex.ts";
import { items } from "../../mocks/chain/listing.ts";
import { addressesIn, answers, bodies } from "../chain/answers.ts";
import { runs } from "../support/runs.ts";

const holdersIn = (chain: Chain) => {
  const credited = bodies(chain).flatMap((body) => body?.credits ?? []);
  return new Set([...addressesIn(chain), ...credited.map(([address]) => address)]);
};

const executionsIn = (chain: Chain) => bodies(chain).flatMap((body) => body?.executions ?? []);

const tokensIn = (chain: Chain) =>
  [...addressesIn(chain)].flatMap((address) => chain.token(address) ?? []);

describe("a generated chain", () => {
  test("is as large as asked", () => {
    const chain = generateChain({ blocks: 7, transactions: 100, tokens: 5 });
    expect(chain.head.number).toBe(7);
    expect(chain.transactionCount).toBe(100);
    expect(tokensIn(chain)).toHaveLength(5);
  });

  test("is the same for the same seed, and another for another", () => {
    const options = { seed: "a", blocks: 5 };
    const chain = generateChain(options);
    const again = generateChain(options);
    expect(answers(again, holdersIn(chain))).toEqual(answers(chain, holdersIn(chain)));
    const other = generateChain({ ...options, seed: "b" });
    expect(other.head.hash).not.toBe(chain.head.hash);
  });

  test("begins with the blocks of a shorter one, whatever is asked for", () => {
    const chains = fc.record({
      seed: fc.oneof(fc.nat(), fc.string()),
      accounts: fc.integer({ min: 1, max: 60 }),
      tokens: fc.nat(8),
      perBlock: fc.nat(25),
      blocks: fc.nat(8),
      more: fc.nat(8),
    });
    fc.assert(
      fc.property(chains, ({ perBlock, blocks, more, ...options }) => {
        const ofLength = (blocks: number) =>
          generateChain({ ...options, blocks, transactions: blocks * perBlock });
        const short = ofLength(blocks);
        const long = ofLength(blocks + more);
        expect(bodies(long).slice(0, blocks + 1)).toEqual(bodies(short));
        long.rewind(more);
        const addresses = holdersIn(short);
        expect(answers(long, addresses)).toEqual(answers(short, addresses));
      }),
      { numRuns: runs(30) },
    );
  });

  test("has of everything: failures, creations, internal transactions, both kinds of tokens, several miners", () => {
    const chain = generateChain({ blocks: 50, transactions: 4000, accounts: 200 });
    const executions = executionsIn(chain);
    const frames = executions.flatMap((execution) => execution.frames);
    expect(executions.some(({ transaction }) => transaction.succeeded === false)).toBe(true);
    expect(executions.some(({ transaction }) => transaction.created !== null)).toBe(true);
    expect(new Set(frames.map(({ type }) => type))).toEqual(
      new Set(["call", "delegatecall", "staticcall", "create", "create2"]),
    );
    expect(frames.some(({ undone }) => undone)).toBe(true);
    expect(new Set(tokensIn(chain).map(({ standard }) => standard)).size).toBe(2);
    expect(new Set(bodies(chain).map((body) => body?.block.miner)).size).toBeGreaterThan(3);
    const counts = [...holdersIn(chain)].map((it) => chain.transactions(it, "all", {}).count);
    expect(Math.max(...counts)).toBeGreaterThan(400);
    const ids = tokensIn(chain).flatMap(({ address }) => items(chain.nfts(address)));
    expect(ids.some(({ tokenId }) => tokenId > 2n ** 128n)).toBe(true);
    expect(ids.every(({ owner }) => owner !== ZERO_ADDRESS)).toBe(true);
  });

  test.each<[GenerateOptions, string]>([
    [{ blocks: -1 }, "generateChain: blocks: expected a whole number from 0 up, received -1"],
    [{ accounts: 0 }, "generateChain: accounts: expected a whole number from 1 up, received 0"],
    [{ tokens: 1.5 }, "generateChain: tokens: expected a whole number from 0 up, received 1.5"],
    [{ blocks: 0, transactions: 1 }, "blocks: expected at least 1 for 1 transactions, received 0"],
    [{ txs: 5 } as never, "generateChain: unknown option txs"],
  ])("refuses %o", (options, message) => {
    expect(() => generateChain(options)).toThrow(message);
  });
});
