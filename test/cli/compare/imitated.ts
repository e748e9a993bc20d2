// The law of imitation: a mock that imitates a compared explorer differs in the same ways, and in none other.
import { expect } from "vitest";
import type { ExplorerProfile } from "../../../mocks/double/profile/profile.ts";
import { createExplorer, type ExplorerOptions } from "../../../mocks/node.ts";
import { type Comparison, differenceKey } from "../../../src/cli/compare/compare.ts";
import { profileOf } from "../../../src/cli/compare/learn.ts";
import { comparisonOf } from "./compared.ts";

const identities = ({ differences }: ExplorerProfile) => differences.map(differenceKey).sort();

/** `sameChain`: the mock has the records that were compared, so all of its profile is the same, but for its speed. */
export async function expectImitation(
  found: Comparison,
  { sameChain, ...options }: ExplorerOptions & { readonly sameChain: boolean },
  terms: Parameters<typeof comparisonOf>[2] = {},
): Promise<void> {
  // As a file has it.
  const { delays: _, ...profile }: ExplorerProfile = JSON.parse(JSON.stringify(profileOf(found)));
  expect(profile.differences.filter(({ imitated }) => !imitated)).toEqual([]);
  const mock = createExplorer({ ...options, profile });
  const again = profileOf(await comparisonOf(mock.baseUrl, mock.fetch, terms));
  expect(identities(again)).toEqual(identities(profile));
  if (!sameChain) return;
  const { delays, differences, ...rest } = again;
  expect({ ...rest, differences: profile.differences }).toEqual(profile);
}
