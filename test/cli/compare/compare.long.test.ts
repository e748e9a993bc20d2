// What is found at explorers that depart from the specification in one thing each: that thing, and nothing else.
import { describe, expect, test } from "vitest";
import { createExplorer, loadDemo } from "../../../mocks/node.ts";
import { comparisonOf, shownBy } from "./compared.ts";
import { departing, deviations } from "./deviations.ts";
import { departures, expectOfForeign, hasPython } from "./foreign-explorer.ts";

const chain = await loadDemo({ verified: true });

test("there are twenty departures or more", () => {
  expect(Object.keys(deviations).length).toBeGreaterThanOrEqual(20);
});

test.each(Object.entries(deviations))("%s", async (_, deviation) => {
  const mock = createExplorer({ chain });
  const found = await comparisonOf(mock.baseUrl, departing(mock, deviation));
  expect(shownBy(found)).toEqual([...deviation.shows].sort());
});

describe.skipIf(!hasPython)("an explorer in Python", () => {
  test.each(Object.keys(departures) as (keyof typeof departures)[])("%s", expectOfForeign);
});
