// The types of faults: an effect, and the requests it matches. Faults are plain data, so that
// tests, files and other processes can write them.
import type { OperationKey } from "../../src/contract/operation-names.ts";

/** Which requests a fault matches; fields left out match everything. */
export interface FaultMatch {
  /** One or several operations: a number, "A2", or the client's method, "accounts.transactions". */
  readonly operation?: OperationKey | readonly OperationKey[] | undefined;
  /** The value of any parameter, an address or a hash; case is ignored. */
  readonly address?: string | undefined;
  /**
   * Values of parameters by name, `{ offset: 50 }`. A request without a parameter has its default.
   * Numbers, bigints and decimal strings are equal, and case is ignored. A list matches if one of
   * its entries does.
   */
  readonly where?: Readonly<Record<string, string | number | bigint | boolean>> | undefined;
  /** The API key of the request. Lists of faults and messages show it as `[api-key]`. */
  readonly key?: string | undefined;
  /** Only the nth request that matches the fields above, counted from 1. */
  readonly nth?: number | readonly number[] | undefined;
  /** A number from 0 to 1. Draws depend on the explorer's seed, so that runs are reproducible. */
  readonly probability?: number | undefined;
  /** Short for `times: 1`. */
  readonly once?: boolean | undefined;
  /**
   * Maximum number of requests that the fault applies to. For a rate limit: the number of pauses
   * for each API key.
   */
  readonly times?: number | undefined;
  /** Skips this many requests that match the fields above. */
  readonly afterCalls?: number | undefined;
  /** Start on the explorer's clock: an ISO time, or milliseconds since 1970. */
  readonly from?: string | number | undefined;
  /** End on the explorer's clock: an ISO time, or milliseconds since 1970. */
  readonly until?: string | number | undefined;
  /** Ends when the chain has this block. */
  readonly untilBlock?: number | undefined;
}

/**
 * Milliseconds: constant, uniform from `from` to `to`, or log-normal with this `median` and 99th
 * percentile.
 */
export type Latency =
  | number
  | { readonly from: number; readonly to: number }
  | { readonly median: number; readonly p99: number };

/** How far an index lags: a number of blocks, or a number of requests after a new block. */
export type Lag = { readonly blocks: number } | { readonly polls: number };

/** Returns other results in place of the correct ones, such as `{ ...results, count: "7" }`. */
export type ReshapeResults = (results: Readonly<Record<string, unknown>>) => unknown;

/** The effect of a fault on a request. */
export type Effect =
  /** The response is delayed. */
  | { readonly fault: "latency"; readonly ms: Latency }
  /** An error in the error envelope (S1). */
  | {
      readonly fault: "status";
      readonly status: number;
      readonly message?: string | undefined;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    }
  /** A failure with HTTP 200 and a message other than success, as deployments send them. */
  | { readonly fault: "failure"; readonly message: string; readonly results?: unknown }
  /**
   * A pause of `retryAfter` seconds for each API key: requests during the pause get 429 with the
   * remaining seconds, later ones succeed. `times` makes more pauses.
   */
  | { readonly fault: "rate-limit"; readonly retryAfter: number }
  /**
   * A bucket of `requests` tokens for each API key, refilled evenly within `perMs`. 429 when the
   * bucket is empty.
   */
  | { readonly fault: "token-bucket"; readonly requests: number; readonly perMs: number }
  /**
   * A response written by hand. `body` is a whole body, or only the results, which then get the
   * envelope. In a program, it may be a function of the correct results. The response is checked
   * against the contract, unless `checked` is false.
   */
  | {
      readonly fault: "response";
      readonly status?: number | undefined;
      readonly headers?: Readonly<Record<string, string>> | undefined;
      readonly body?: string | number | boolean | null | object | ReshapeResults;
      readonly checked?: boolean | undefined;
    }
  /** Invalid JSON. */
  | { readonly fault: "malformed-json" }
  /** The connection ends after this share of the body (0.5 if left out). */
  | { readonly fault: "truncated"; readonly keep?: number | undefined }
  /** The correct body with another content type. */
  | { readonly fault: "content-type"; readonly type: string }
  /** An HTML page, as proxies send it. */
  | { readonly fault: "html"; readonly status?: number | undefined }
  /** An empty body. */
  | { readonly fault: "empty"; readonly status?: number | undefined }
  /** A slow body: `bytes` at a time, `everyMs` apart. */
  | { readonly fault: "drip"; readonly bytes: number; readonly everyMs: number }
  /** The connection breaks before the response. */
  | { readonly fault: "reset" }
  /** No response, ever. */
  | { readonly fault: "never" }
  /**
   * A field of the results gets another value, or is removed if `value` is left out. `path` starts
   * at the results; `*` is every entry: `data.*.value`.
   */
  | { readonly fault: "field"; readonly path: string; readonly value?: unknown }
  /** The index lags behind the chain: the newest blocks are missing. */
  | ({ readonly fault: "stale" } & Lag)
  /** Blocks are indexed before their traces: internal transactions (A3, X3) are missing. */
  | ({ readonly fault: "pending-traces" } & Lag);

/** An effect, and the requests it applies to. */
export type Fault = FaultMatch & Effect;

export type FaultName = Effect["fault"];

/** Named faults for common cases. */
export const faultPresets = {
  "503 twice": { fault: "status", status: 503, times: 2 },
  slow: { fault: "latency", ms: { median: 1500, p99: 6000 } },
  offline: { fault: "reset" },
  "indexer 10 blocks behind": { fault: "stale", blocks: 10 },
  "5 requests a second": { fault: "token-bucket", requests: 5, perMs: 1000 },
} as const satisfies Record<string, Fault>;

export type FaultPreset = keyof typeof faultPresets;

/** A preset, by name, and the requests it applies to. */
export type PresetFault = FaultMatch & { readonly preset: FaultPreset };

/** Thrown for an invalid fault. */
export class FaultError extends Error {
  override readonly name = "FaultError";
}

/** Returns how often a fault may be applied. A rate limit makes one pause for each key by default. */
const timesOf = ({ fault, nth, once, times }: FaultMatch & { readonly fault?: string }) =>
  times ?? (once || (fault === "rate-limit" && nth === undefined) ? 1 : Number.POSITIVE_INFINITY);

/** Whether a fault has been applied as often as allowed, or has seen all the requests it is for. */
export function isUsedUp(
  fault: FaultMatch & { readonly fault?: string },
  { matched, applied }: { readonly matched: number; readonly applied: number },
): boolean {
  const { nth } = fault;
  return applied >= timesOf(fault) || (nth !== undefined && matched >= Math.max(...[nth].flat()));
}
