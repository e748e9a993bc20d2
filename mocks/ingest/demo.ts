// The demo chain the package brings along: where it lies, and how it is loaded; Node only.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Chain } from "../chain/chain.ts";
import { loadChain } from "./load-chain.ts";
import type { LoadOptions } from "./parse-chain.ts";

/** The folder of the demo chain: the sources, and each of the files they are built into, lie at another depth below the package's root. */
function demoFolder(): string {
  for (const root of ["../", "../../", "../../../"]) {
    const folder = new URL(`${root}mocks/demo/`, import.meta.url);
    if (existsSync(new URL("blocks.ndjson.gz", folder))) return fileURLToPath(folder);
  }
  throw new Error(`the demo chain is missing: no mocks/demo beside ${import.meta.url}`);
}

/**
 * The demo chain: 93 blocks that a real node executed, with tokens of both kinds, failures and internal transactions.
 *
 * @example
 * const chain = await loadDemo();
 * chain.head.number; // 92
 */
export const loadDemo = (options?: LoadOptions): Promise<Chain> => loadChain(demoFolder(), options);
