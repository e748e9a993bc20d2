// How to follow a node: the options, their defaults and checks.
import * as z from "zod/mini";
import { check, explain, type Issue } from "../../src/models/issues.ts";
import type { AnySchema } from "../../src/models/schema.ts";
import type { ChainWriter } from "../chain/writer.ts";
import type { RpcOptions } from "../rpc/node.ts";

/** How to follow a node. `signal` stops following, as `close` does. */
export interface FollowOptions extends RpcOptions {
  /**
   * The first block to load, or `latest`.
   *
   * @default the block that a development node was forked from, or 0
   */
  readonly fromBlock?: number | "latest" | undefined;
  /** Loads chains of more than 5 million blocks from their genesis. @default false */
  readonly all?: boolean | undefined;
  /** `none` leaves out traces, for nodes without tracing: internal transactions are empty. @default "auto" */
  readonly traces?: "auto" | "none" | undefined;
  /** Milliseconds between polls of the node's head; a websocket that announces heads is polled ten times as rarely. @default 1000 */
  readonly interval?: number | undefined;
  /** Whether requests are answered before the chain has reached the head for the first time. @default false */
  readonly servePartial?: boolean | undefined;
  /**
   * The most calls that one request to the explorer may cost: balances, owners and token data are requested when they are read. Beyond it,
   * the response is what blocks and earlier calls imply, and has the header `head-state: incomplete`. @default 2000
   */
  readonly callBudget?: number | undefined;
  /**
   * A folder to keep the chain in, which is created if it does not exist: the next start continues from it, and `loadChain` reads it. One process
   * at a time can use it. @default nothing is kept
   */
  readonly store?: string | undefined;
  /**
   * Whether a recorded chain in `store` is replaced if the node has another one, or less of it: it is kept beside, in a folder named by date.
   * Otherwise following ends with a `StoreError`. @default false
   */
  readonly replace?: boolean | undefined;
  /** Called when the chain has reached a new head of the node, before `ready` resolves. */
  readonly onHead?: ((chain: ChainWriter) => void) | undefined;
  /**
   * Called when an update fails. Following continues, unless it has `ended`: before the head was reached, with an error that no retry can mend,
   * which `ready` rejects with, too. @default a warning on the console, once per message
   */
  readonly onError?: ((error: unknown, ended: boolean) => void) | undefined;
}

const integer = (min: number) => {
  const expected = `an integer of ${min} or more`;
  return z.optional(z.int(expected).check(z.gte(min, expected)));
};
const callback = <Callback>() =>
  z.optional(z.custom<Callback>((value) => typeof value === "function", "a function"));
const firstBlock = '"latest" or the number of a block';

const fields = {
  fromBlock: z.optional(z.union([z.literal("latest"), z.int().check(z.gte(0))], firstBlock)),
  all: z.optional(z.boolean()),
  traces: z.optional(z.enum(["auto", "none"])),
  interval: integer(1),
  servePartial: z.optional(z.boolean()),
  callBudget: integer(0),
  store: z.optional(z.string()),
  replace: z.optional(z.boolean()),
  onHead: callback<NonNullable<FollowOptions["onHead"]>>(),
  onError: callback<NonNullable<FollowOptions["onError"]>>(),
  batch: integer(1),
  concurrency: integer(1),
  headers: z.optional(z.record(z.string(), z.string())),
  fetch: callback<typeof globalThis.fetch>(),
  timeout: integer(1),
  retries: integer(0),
  retryDelay: integer(0),
  onRetry: callback<NonNullable<FollowOptions["onRetry"]>>(),
  signal: z.optional(z.instanceof(AbortSignal)),
} satisfies Record<keyof FollowOptions, AnySchema>;

const schema = z.strictObject(fields);

/** Headers may be secrets. */
const explainOption = (issue: Issue): string =>
  issue.path[0] === "headers"
    ? `${issue.path.join(".")}: expected ${issue.expected}`
    : explain(issue);

const url = (text: unknown): text is string =>
  typeof text === "string" && /^(https?|wss?):\/\//i.test(text) && URL.canParse(text);

/** Checks how a node is followed. @throws TypeError that names everything invalid, and no secret */
export function checkFollowOptions(rpcUrl: string, options: FollowOptions): void {
  const { issues = [] } = check(schema, options);
  const wrong = issues.map(explainOption);
  // The text may contain a key.
  if (!url(rpcUrl))
    wrong.unshift(
      "expected the URL of a node, such as http://127.0.0.1:8545 or ws://127.0.0.1:8545",
    );
  if (wrong.length > 0) throw new TypeError(`Cannot follow a node: ${wrong.join("; ")}`);
}
