// The language of faults: what may go wrong, and for which requests. Plain data, so that a test, a file and another process speak it alike.
import type { OperationKey } from "../../src/contract/operation-names.ts";

/** Which requests a fault strikes; everything left out matches. */
export interface FaultMatch {
  /** By number or by the client's method, "A2" or "accounts.transactions"; one or several. */
  readonly operation?: OperationKey | readonly OperationKey[] | undefined;
  /** A parameter has this value (an address, a hash), in any case. */
  readonly address?: string | undefined;
  /** Only the n-th of the requests that match the above, from 1. */
  readonly nth?: number | readonly number[] | undefined;
  /** From 0 to 1; drawn from the seed, so that a run repeats. */
  readonly probability?: number | undefined;
  /** The same as `times: 1`. */
  readonly once?: boolean | undefined;
  /** How often it strikes at most. */
  readonly times?: number | undefined;
  /** Until this moment of the explorer's clock: an ISO time, or milliseconds since 1970. */
  readonly until?: string | number | undefined;
  /** Until the chain has this block. */
  readonly untilBlock?: number | undefined;
}

/** Milliseconds: always the same, evenly spread, or mostly about `median` and rarely above `p99`. */
export type Latency =
  | number
  | { readonly from: number; readonly to: number }
  | { readonly median: number; readonly p99: number };

/** How long an index lags: so many blocks behind, or so many questions after a block. */
export type Lag = { readonly blocks: number } | { readonly polls: number };

/** What goes wrong. */
export type Effect =
  /** The reply comes late. */
  | { readonly fault: "latency"; readonly ms: Latency }
  /** An error in its envelope (S1). */
  | {
      readonly fault: "status";
      readonly status: number;
      readonly message?: string | undefined;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    }
  /** A failure with HTTP 200 and another message than success, as deployments answer them. */
  | { readonly fault: "failure"; readonly message: string; readonly results?: unknown }
  /** 429; whoever comes back before `retryAfter` seconds are over hears it again, with what remains. */
  | { readonly fault: "rate-limit"; readonly retryAfter: number }
  /** A bucket of `requests` tokens for each api-key, filled again evenly in `perMs`; 429 when it is empty. */
  | { readonly fault: "token-bucket"; readonly requests: number; readonly perMs: number }
  /** JSON with a piece missing. */
  | { readonly fault: "malformed-json" }
  /** The connection ends after this share of the body (0.5 if left out). */
  | { readonly fault: "truncated"; readonly keep?: number | undefined }
  /** The right body under a wrong content type. */
  | { readonly fault: "content-type"; readonly type: string }
  /** A page for people, as proxies send them. */
  | { readonly fault: "html"; readonly status?: number | undefined }
  /** No body at all. */
  | { readonly fault: "empty"; readonly status?: number | undefined }
  /** `bytes` at a time, with a pause of `everyMs`. */
  | { readonly fault: "drip"; readonly bytes: number; readonly everyMs: number }
  /** The connection breaks before the reply. */
  | { readonly fault: "reset" }
  /** No reply, ever. */
  | { readonly fault: "never" }
  /**
   * A field of the results with another value (missing, without `value`). `path` goes from the results inwards,
   * `*` is every entry: `data.*.value`.
   */
  | { readonly fault: "field"; readonly path: string; readonly value?: unknown }
  /** The index lags behind the chain: the newest blocks are not there yet. */
  | ({ readonly fault: "stale" } & Lag)
  /** Blocks are indexed, their traces not yet: internal transactions (A3, X3) are missing. */
  | ({ readonly fault: "pending-traces" } & Lag);

/** What goes wrong, and for which requests. */
export type Fault = FaultMatch & Effect;

export type FaultName = Effect["fault"];

/** A fault that makes no sense, or that a door cannot express. */
export class FaultError extends Error {
  override readonly name = "FaultError";
}

/** The ways out of the service. */
export type Transport = "fetch" | "msw" | "worker" | "http";

/** What a transport cannot express of a fault, if there is such a thing. */
export function inexpressibleReason(fault: Fault, transport: Transport): string | undefined {
  if (transport !== "http" && "status" in fault && fault.status !== undefined && fault.status > 599)
    return `the fault ${fault.fault} with status ${fault.status} cannot pass through ${transport}: a Response has a status from 200 to 599`;
  return undefined;
}
