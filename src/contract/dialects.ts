// The dialects of explorers that exist, as their documentation and their public clients show them
// (docs/explorers.md has the sources).
import { loadCode } from "../errors/connection.ts";
import { type Dialect, metadium, type SpokenOperation, speakerOf } from "./dialect.ts";
import type { AnyOperation } from "./index.ts";
import { wemixPaths } from "./paths.ts";

const blocks = { startBlock: "start_block", endBlock: "end_block" } as const;

/**
 * WEMIX's explorer: documented, and called by public clients; the paths of token lists are
 * extrapolated.
 */
const wemix: Dialect = {
  name: "wemix",
  prefix: "/v1",
  // Some public clients send none.
  key: "optional",
  operations: {
    T3: { path: wemixPaths.T3 },
    A2: { parameters: blocks },
    A3: { parameters: blocks },
    A4: { path: wemixPaths.A4, parameters: blocks },
    A5: { path: wemixPaths.A5, parameters: blocks },
    A7: { path: wemixPaths.A7 },
    A8: { path: wemixPaths.A8 },
    L1: {
      parameters: {
        ...blocks,
        // The oldest page of its documentation writes them without `_`.
        topic_0: ["topic_0", "topic0"],
        topic_1: ["topic_1", "topic1"],
        topic_2: ["topic_2", "topic2"],
        topic_3: ["topic_3", "topic3"],
      },
      words: { type: { conbine: "combine" } },
    },
  },
};

/**
 * The dialects of explorers that exist: `metadium`, which is the specification, and `wemix`.
 *
 * @example
 * const explorer = new ExplorerClient({ baseUrl: "https://explorerapi.wemix.com", dialect: "wemix" });
 */
export const dialects = { metadium, wemix } as const;

/** A dialect by name, or one that {@link defineDialect} made. */
export type DialectName = keyof typeof dialects;

export const dialectNames = Object.keys(dialects) as readonly DialectName[];

/** A dialect and the operations in it. */
export interface SpokenDialect {
  readonly dialect: Dialect;
  readonly speak: (operation: AnyOperation) => SpokenOperation | undefined;
}

/** Loads a dialect by name, or checks a user's own. */
export async function spokenDialect(given: DialectName | Dialect): Promise<SpokenDialect> {
  const dialect =
    typeof given === "string"
      ? dialects[given]
      : (await loadCode(() => import("./define-dialect.ts"))).defineDialect(given);
  return { dialect, speak: speakerOf(dialect) };
}
