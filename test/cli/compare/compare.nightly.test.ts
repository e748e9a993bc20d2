// What is found at explorers that depart from the specification in one thing each: that thing, and nothing else.
import { describe, expect, test } from "vitest";
import { createExplorer, generateChain, loadDemo, type Verifier } from "../../../mocks/node.ts";
import { comparisonOf, shownBy } from "./compared.ts";
import { departing, deviations, submissionDeviations } from "./deviations.ts";

const chain = await loadDemo({ verified: true });

/** Refuses every source, at once. */
const verifier: Verifier = {
  verify: async () => ({ verified: false, message: "the code differs" }),
  close: async () => {},
};

test.each(Object.entries(deviations))("%s", async (_, deviation) => {
  const mock = createExplorer({ chain });
  const found = await comparisonOf(mock.baseUrl, departing(mock, deviation));
  expect(shownBy(found)).toEqual([...deviation.shows].sort());
});

describe("with sources that must be refused", () => {
  const verify = { verify: true };

  test("an explorer that refuses them does not differ", async () => {
    const mock = createExplorer({ chain, verifier });
    expect((await comparisonOf(mock.baseUrl, mock.fetch, verify)).differences).toEqual([]);
  });

  test.each(Object.entries(submissionDeviations))("%s", async (_, deviation) => {
    const mock = createExplorer({ chain, verifier });
    const found = await comparisonOf(mock.baseUrl, departing(mock, deviation), verify);
    expect(shownBy(found)).toEqual([...deviation.shows].sort());
    expect([...new Set(found.differences.map(({ operation }) => operation))]).toEqual(["C3"]);
  });
});

test("long lists of every kind, and verified contracts, show nothing by themselves", async () => {
  const large = generateChain({ transactions: 3000, blocks: 150 });
  const [source] = chain.verifiedContracts();
  if (source === undefined) throw new Error("the demo chain has no verified contract");
  const verified = Array.from(large.knownTokens(), (address) => {
    return { ...source, address, code: large.code(address) };
  });
  large.applyHeadState({ verified });
  const mock = createExplorer({ chain: large });
  expect((await comparisonOf(mock.baseUrl, mock.fetch)).differences).toEqual([]);
});
