// Creates the mock explorer: checks its options, and gives it a chain of one block where it has none.

import { buildChain } from "./builder/index.ts";
import { Explorer, type ExplorerOptions } from "./explorer.ts";
import { didYouMean } from "./input/suggest.ts";

export type { Explorer, ExplorerOptions, ExplorerSnapshot } from "./explorer.ts";

/** Their names, to refuse a misspelt one. */
const OPTIONS: Readonly<Record<keyof ExplorerOptions, true>> = {
  chain: true,
  source: true,
  baseUrl: true,
  dialect: true,
  apiKeys: true,
  coin: true,
  now: true,
  verifier: true,
  tenant: true,
  conformance: true,
  faults: true,
  onRequest: true,
  seed: true,
};

/**
 * Creates a mock explorer in memory. Throws a {@link FaultError} for an invalid initial fault.
 *
 * @example
 * ```ts
 * const mock = createExplorer({ chain });
 * const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });
 * ```
 */
export function createExplorer(options: ExplorerOptions = {}): Explorer {
  const refuse = (what: string): never => {
    throw new TypeError(`createExplorer: ${what}`);
  };
  for (const name of Object.keys(options))
    if (!Object.hasOwn(OPTIONS, name))
      refuse(`no option ${name}${didYouMean(name, Object.keys(OPTIONS))}`);
  const { baseUrl, chain = buildChain() } = options;
  if (baseUrl !== undefined && !(/^https?:/i.test(baseUrl) && URL.canParse(baseUrl)))
    refuse(`baseUrl: expected an https:// or http:// URL, received ${JSON.stringify(baseUrl)}`);
  if (chain instanceof Promise) refuse("chain: expected a chain, received a Promise: await it");
  return new Explorer({ ...options, chain });
}
