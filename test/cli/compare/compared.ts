// Compares an explorer by its fetch, in memory.
import { Asker } from "../../../src/cli/compare/ask.ts";
import { type Comparison, compare } from "../../../src/cli/compare/compare.ts";
import type { Node } from "../../../src/cli/compare/node-values.ts";
import type { DialectName } from "../../../src/contract/dialects.ts";
import { resolveSettings } from "../../../src/settings.ts";

interface Terms {
  readonly requests?: number;
  readonly verify?: boolean;
  readonly dialect?: DialectName;
  readonly say?: (message: string) => void;
  readonly node?: Node;
}

export async function comparisonOf(
  baseUrl: string,
  fetch: typeof globalThis.fetch,
  { requests = 1000, verify = false, node, say = () => {}, dialect }: Terms = {},
): Promise<Comparison> {
  const settings = resolveSettings({ baseUrl, apiKey: "s3cret-key", fetch, dialect });
  const asker = new Asker(settings, {
    rate: { requests: 1_000_000, perMs: 1 },
    budget: requests,
    signal: new AbortController().signal,
    say,
  });
  return await compare(asker, {
    given: { addresses: [], tokens: [], contracts: [] },
    verify,
    needsKey: dialect !== "wemix",
    node,
  });
}

/** What was found, whatever the operation: rule and field. */
export const shownBy = ({ differences }: Comparison): string[] =>
  [...new Set(differences.map(({ rule, field }) => `${rule} ${field}`))].sort();
