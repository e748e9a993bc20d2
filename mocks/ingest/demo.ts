// Loads the demo chain that the package contains; Node only.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Chain } from "../chain/chain.ts";
import { loadFolder } from "./load-chain.ts";
import type { LoadOptions } from "./parse-chain.ts";

/** The folder of the demo chain. The sources and the built files are at different depths below the package's root. */
function demoFolder(): string {
  for (const root of ["../", "../../", "../../../"]) {
    const folder = new URL(`${root}mocks/demo/`, import.meta.url);
    if (existsSync(new URL("blocks.ndjson.gz", folder))) return fileURLToPath(folder);
  }
  throw new Error(
    `The demo chain is missing: found no mocks/demo near ${import.meta.url}; reinstall mrc-explorer`,
  );
}

/**
 * The demo chain: 93 blocks executed by a real node, with tokens of both standards, failures and internal transactions.
 *
 * @example
 * const chain = await loadDemo();
 * chain.head.number; // 92
 */
export const loadDemo = (options: LoadOptions = {}): Promise<Chain> =>
  loadFolder(demoFolder(), options, { kind: "demo", name: null });
