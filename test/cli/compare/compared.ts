// Compares an explorer by its fetch, in memory.
import { Asker } from "../../../src/cli/compare/ask.ts";
import { type Comparison, compare } from "../../../src/cli/compare/compare.ts";
import type { DialectName } from "../../../src/contract/dialects.ts";
import { resolveSettings } from "../../../src/settings.ts";

interface Terms {
  readonly verify?: boolean;
  readonly dialect?: DialectName;
  readonly say?: (message: string) => void;
}

export async function comparisonOf(
  baseUrl: string,
  fetch: typeof globalThis.fetch,
  { verify = false, say = () => {}, dialect }: Terms = {},
): Promise<Comparison> {
  const settings = resolveSettings({ baseUrl, apiKey: "s3cret-key", fetch, dialect });
  const asker = new Asker(settings, {
    rate: { requests: 1_000_000, perMs: 1 },
    signal: new AbortController().signal,
    say,
  });
  return await compare(asker, {
    given: { addresses: [], tokens: [], contracts: [] },
    verify,
    needsKey: dialect !== "wemix",
  });
}

/** What was found, whatever the operation: rule and field. */
export const shownBy = ({ differences }: Comparison): string[] =>
  [...new Set(differences.map(({ rule, field }) => `${rule} ${field}`))].sort();
