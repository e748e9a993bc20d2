// The options of an explorer, and their check.
import * as z from "zod/mini";
import type { Conformance } from "../../src/contract/conformance.ts";
import type { Dialect } from "../../src/contract/dialect.ts";
import type { DialectName } from "../../src/contract/dialects.ts";
import type { OperationId } from "../../src/contract/index.ts";
import { callback } from "../../src/http/request.ts";
import type { ChainWriter } from "../chain/writer.ts";
import type { Fault, PresetFault } from "../faults/fault.ts";
import { validOptions } from "../input/options.ts";
import type { ServiceRequest, ServiceResponse } from "../message/message.ts";
import type { JournalEntry } from "../message/notes.ts";
import type { Verifier } from "../operations/verifier.ts";

/**
 * Answers requests in place of the chain: a recording, or another explorer. `notes` are for the
 * journal.
 */
export type Source = (
  request: ServiceRequest,
  operation: OperationId,
) => Promise<{ readonly response: ServiceResponse; readonly notes: readonly string[] }>;

/** The options of `createExplorer`. */
export interface ExplorerOptions {
  /**
   * A chain, its builder, or a follower of a node; blocks mined later are visible to the next
   * request. Default: a new chain of one block, which `continueChain(mock.chain)` extends.
   */
  readonly chain?: ChainWriter | { readonly chain: ChainWriter } | undefined;
  /**
   * Creates the source that answers instead of the chain. Called at the start and at each `reset`,
   * so that the source starts again. Used by `createReplay` and `createProxy` of
   * `mrc-explorer/mocks/node`. Journal and faults work as usual.
   */
  readonly source?: (() => Source) | undefined;
  /** The address of the service. @default "https://explorer.test" */
  readonly baseUrl?: string | undefined;
  /**
   * Answers like an explorer of another dialect: `"wemix"`, or one that `defineDialect` of
   * `mrc-explorer` made. Journal, faults and errors such as 404 keep the names of the API
   * documentation.
   *
   * @default "metadium": the specification
   */
  readonly dialect?: DialectName | Dialect | undefined;
  /** The accepted API keys. By default, every non-empty key is accepted. */
  readonly apiKeys?: readonly string[] | undefined;
  /**
   * The symbol or name of the coin, shown next to amounts on the page: up to 12 characters.
   * @default none
   */
  readonly coin?: string | undefined;
  /** The clock, in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
  /**
   * Verifies the sources submitted to C3 (contract verification); without a verifier, C3 responds
   * 501.
   */
  readonly verifier?: Verifier | undefined;
  /**
   * `"api-key"`: each key has its own fork of the chain, faults and journal, so that tests can
   * share a port.
   */
  readonly tenant?: "api-key" | undefined;
  /**
   * Checks every response against the contract: `throw` responds 500 to a violation, `warn` logs
   * it.
   */
  readonly conformance?: Conformance | undefined;
  /** Initial faults; `reset()` restores them. */
  readonly faults?: readonly (Fault | PresetFault)[] | undefined;
  /**
   * Called for each request of every tenant once its response is ready, with its journal entry and
   * the request itself. On a port, also called for requests that no journal lists (`/health`,
   * `/inspect`, `/admin`); the number of their entries is 0. Use it for logs, but do not log the
   * header `api-key`.
   */
  readonly onRequest?: ((entry: JournalEntry, request: ServiceRequest) => void) | undefined;
  /** The seed for probabilities and latencies. @default 1 */
  readonly seed?: number | undefined;
}

const A_CHAIN = "a chain, its builder, or a follower (from buildChain, loadChain, followNode …)";
const A_URL = "an https:// or http:// URL";
const A_COIN = "1 to 12 characters";

const isFunction = (value: unknown) => typeof value === "function";
const isChain = (value: unknown) => isFunction(Object(value).snapshot);

const optionalFunction = z.optional(callback);

/** The schemas of the options of `createExplorer`. */
export const explorerFields = {
  chain: z.optional(
    z.custom<never>((value) => isChain(value) || isChain(Object(value).chain), A_CHAIN),
  ),
  source: optionalFunction,
  baseUrl: z.optional(
    z
      .string(A_URL)
      .check(z.refine((value) => /^https?:/i.test(value) && URL.canParse(value), A_URL)),
  ),
  dialect: z.optional(z.unknown()),
  apiKeys: z.optional(z.unknown()),
  // No control characters, and no space at the ends.
  coin: z.optional(
    z.string(A_COIN).check(z.regex(/^[^\p{C}\s](?:[^\p{C}]{0,10}[^\p{C}\s])?$/u, A_COIN)),
  ),
  now: optionalFunction,
  verifier: z.optional(
    z.custom<never>((value) => isFunction(Object(value).verify), "a verifier from createVerifier"),
  ),
  tenant: z.optional(z.literal("api-key")),
  conformance: z.optional(z.enum(["throw", "warn"])),
  // `faults.add` checks each fault.
  faults: z.optional(z.array(z.unknown())),
  onRequest: optionalFunction,
  seed: z.optional(z.number()),
} satisfies Record<keyof ExplorerOptions, z.ZodMiniType>;

/** Throws a TypeError that names every wrong option, and what was expected. */
export function checkExplorerOptions(options: ExplorerOptions): void {
  if (Object(options).chain instanceof Promise)
    throw new TypeError("createExplorer: chain: expected a chain, received a Promise: await it");
  validOptions("createExplorer", z.strictObject(explorerFields), options);
  const { apiKeys = [] } = options;
  // Checked without the schema, whose message would show the keys.
  if (
    !Array.isArray(apiKeys) ||
    !apiKeys.every((key) => typeof key === "string" && key.trim() !== "")
  )
    throw new TypeError("createExplorer: apiKeys: expected keys that are not empty");
}
