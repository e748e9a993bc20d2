// The built-in dialects, from the documentation and the public clients of existing explorers:
// docs/explorers.md has the sources.
import { loadCode } from "../errors/connection.ts";
import { type Dialect, metadium, type TranslatedOperation, translatorOf } from "./dialect.ts";
import type { AnyOperation } from "./index.ts";
import { wemixPaths } from "./paths.ts";

const blocks = { startBlock: "start_block", endBlock: "end_block" } as const;

/** The dialect of WEMIX's explorer, which is documented except for the paths of token lists. */
const wemix: Dialect = {
  name: "wemix",
  prefix: "/v1",
  // Some public clients send no key.
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
        // The oldest page of WEMIX's documentation writes topics without `_`.
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
 * The built-in dialects: `metadium`, which is the specification, and `wemix`.
 *
 * @example
 * const explorer = new ExplorerClient({ baseUrl: "https://explorerapi.wemix.com", dialect: "wemix" });
 */
export const dialects = { metadium, wemix } as const;

/** The name of a built-in dialect. */
export type DialectName = keyof typeof dialects;

export const dialectNames = Object.keys(dialects) as readonly DialectName[];

/** A dialect, and the function that translates operations into it. */
export interface LoadedDialect {
  readonly dialect: Dialect;
  readonly translate: (operation: AnyOperation) => TranslatedOperation | undefined;
}

/** Returns a built-in dialect by name, or checks a dialect that a user defined. */
export async function loadDialect(source: DialectName | Dialect): Promise<LoadedDialect> {
  const dialect =
    typeof source === "string"
      ? dialects[source]
      : (await loadCode(() => import("./define-dialect.ts"))).defineDialect(source);
  return { dialect, translate: translatorOf(dialect) };
}
