// The laws of a chain's state: what is rewound never was, forks do not see each other, snapshots
// come back.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Chain } from "../../mocks/chain/chain.ts";
import { addressesIn, answers } from "../chain/answers.ts";
import { ADDRESSES, type Content, contents, mine, TOKENS } from "../chain/random-blocks.ts";
import { runs } from "../support/runs.ts";

function chainOf(...parts: { readonly of: readonly Content[]; readonly branch?: string }[]): Chain {
  const chain = new Chain({ chainId: 1 });
  grow(chain, ...parts);
  return chain;
}

function grow(
  chain: Chain,
  ...parts: { readonly of: readonly Content[]; readonly branch?: string }[]
): void {
  for (const { of, branch } of parts) for (const content of of) mine(chain, content, branch);
}

function expectSame(left: Chain, right: Chain, ...others: Chain[]): void {
  const addresses = [...ADDRESSES, ...TOKENS, ...addressesIn(left, right, ...others)];
  expect(answers(left, addresses)).toEqual(answers(right, addresses));
}

describe("a chain", () => {
  test("is after a rewind as if the blocks never were, and can go another way", () => {
    fc.assert(
      fc.property(contents(), contents(), contents(), (kept, lost, other) => {
        const abandoned = chainOf({ of: kept }, { of: lost, branch: "lost" });
        const chain = abandoned.fork();
        chain.rewind(lost.length);
        expectSame(chain, chainOf({ of: kept }), abandoned);
        grow(chain, { of: other, branch: "other" });
        expectSame(chain, chainOf({ of: kept }, { of: other, branch: "other" }), abandoned);
      }),
      { numRuns: runs(60) },
    );
  });

  test("credits accounts what its blocks say, until the blocks are taken back", () => {
    fc.assert(
      fc.property(contents(), fc.nat(6), (of, lost) => {
        // More than these accounts spend, because a chain shows a negative balance as zero.
        const balances = ADDRESSES.map((account) => [account, 2n ** 100n] as const);
        const balancesOf = (contents: readonly Content[]) => {
          const chain = new Chain({ chainId: 1 });
          chain.applyHeadState({ balances });
          grow(chain, { of: contents });
          chain.rewind(Math.min(lost, chain.length));
          return ADDRESSES.map((account) => chain.balance(account));
        };
        const without = balancesOf(of.map((content) => ({ ...content, credits: [] })));
        const credits = of.slice(0, Math.max(0, of.length - lost)).flatMap((each) => each.credits);
        const credited = ADDRESSES.map((account, index) =>
          credits
            .filter(([receiver]) => receiver === account)
            .reduce((sum, [, amount]) => sum + amount, without[index] ?? 0n),
        );
        expect(balancesOf(of)).toEqual(credited);
      }),
      { numRuns: runs(60) },
    );
  });

  test("rewinds across the places where it was forked", () => {
    fc.assert(
      fc.property(fc.array(contents(3), { maxLength: 4 }), fc.nat(12), (parts, count) => {
        const chain = new Chain({ chainId: 1 });
        for (const part of parts) {
          grow(chain, { of: part });
          chain.snapshot();
        }
        const all = parts.flat();
        const lost = Math.min(count, all.length);
        chain.rewind(lost);
        expectSame(chain, chainOf({ of: all.slice(0, all.length - lost) }), chainOf({ of: all }));
      }),
      { numRuns: runs(60) },
    );
  });

  test("and its fork go on without seeing each other", () => {
    fc.assert(
      fc.property(contents(), contents(), contents(), (common, left, right) => {
        const chain = chainOf({ of: common });
        const fork = chain.fork();
        grow(chain, { of: left, branch: "left" });
        grow(fork, { of: right, branch: "right" });
        expectSame(chain, chainOf({ of: common }, { of: left, branch: "left" }), fork);
        expectSame(fork, chainOf({ of: common }, { of: right, branch: "right" }), chain);
      }),
      { numRuns: runs(60) },
    );
  });

  test("comes back to a snapshot as often as asked", () => {
    fc.assert(
      fc.property(contents(), contents(), fc.nat(3), (kept, tried, back) => {
        const chain = chainOf({ of: kept });
        const snapshot = chain.snapshot();
        for (const branch of ["first", "second"]) {
          chain.rewind(Math.min(back, chain.length));
          grow(chain, { of: tried, branch });
          if (branch === "second") chain.reset(2);
          chain.restore(snapshot);
        }
        expectSame(chain, chainOf({ of: kept }));
      }),
      { numRuns: runs(60) },
    );
  });

  test("forked block by block is the same as one never forked", () => {
    fc.assert(
      fc.property(contents(8), (of) => {
        let chain = new Chain({ chainId: 1 });
        for (const content of of) {
          chain = chain.fork();
          mine(chain, content);
        }
        expectSame(chain, chainOf({ of }));
        const busiest = chain.busiestAccounts(1000);
        const byCount = busiest.toSorted((one, other) => (one.address < other.address ? -1 : 1));
        byCount.sort((one, other) => other.transactions - one.transactions);
        expect(busiest).toEqual(byCount);
      }),
      { numRuns: runs(60) },
    );
  });
});
