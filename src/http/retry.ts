// What is tried again, how often, and after which pause.
import type { AnyOperation } from "../contract/index.ts";
import {
  ApiError,
  ConnectionError,
  type ExplorerError,
  RateLimitError,
  RedirectError,
  ServerError,
  TimeoutError,
} from "../errors/index.ts";

/** How failures that may pass are retried. */
export interface RetryOptions {
  /** How often to try again: 3. 0 for never. */
  readonly limit?: number | undefined;
  /**
   * Milliseconds to wait before try number `attempt` + 1, before jitter: 300 × 2^(attempt − 1).
   * A server's `Retry-After` wins over it.
   */
  readonly delay?: ((attempt: number) => number) | undefined;
  /** The longest pause of our own, in milliseconds: 10 000. */
  readonly backoffLimit?: number | undefined;
  /** Spreads pauses evenly between 0 and their full length, so that many clients do not come back at once: true. */
  readonly jitter?: boolean | undefined;
  /** The longest pause a server may ask for, in milliseconds: 30 000. If it asks for more, the call fails at once, saying so. */
  readonly maxRetryAfter?: number | undefined;
  /**
   * Decides about a failure that could be retried: `true` retries it even if it would not pass by itself, `false` ends
   * the call with it, `undefined` leaves it to the client's rule. It is asked neither about what is not safe to send
   * twice nor beyond `limit`; and no answer of it shortens the pause a server asks for, or stretches `totalTimeout`.
   */
  readonly shouldRetry?:
    | ((failure: RetryState) => boolean | undefined | Promise<boolean | undefined>)
    | undefined;
}

/** A failure that could be retried. */
export interface RetryState {
  readonly error: ExplorerError;
  /** Which retry it would be: 1 for the first. */
  readonly retryCount: number;
}

export type RetryPolicy = {
  readonly [Key in keyof RetryOptions]-?: NonNullable<RetryOptions[Key]>;
};

export function retryPolicy(options: number | RetryOptions | undefined): RetryPolicy {
  const {
    limit = 3,
    delay = (attempt) => 300 * 2 ** (attempt - 1),
    backoffLimit = 10_000,
    jitter = true,
    maxRetryAfter = 30_000,
    shouldRetry = () => undefined,
  }: RetryOptions = typeof options === "number" ? { limit: options } : (options ?? {});
  return { limit, delay, backoffLimit, jitter, maxRetryAfter, shouldRetry };
}

/** The pause before the next try when the server does not name one. */
export function backoff(policy: RetryPolicy, attempt: number): number {
  const full = Math.min(policy.backoffLimit, policy.delay(attempt));
  return policy.jitter ? Math.random() * full : full;
}

/** Codes of failures from before a connection stood: nothing can have been sent. */
const NOTHING_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const nothingSent = (error: unknown): boolean =>
  error instanceof Error &&
  (("code" in error && NOTHING_SENT.has(String(error.code))) || nothingSent(error.cause));

/** Whether asking again can do no harm: the operation changes nothing, or surely nothing was sent. */
export const isSafeToRetry = (operation: AnyOperation, error: ExplorerError): boolean =>
  operation.safe || (error instanceof ConnectionError && nothingSent(error));

/** Whether the failure may pass. */
export function isTransient(error: ExplorerError): boolean {
  if (error instanceof ConnectionError) return !(error instanceof RedirectError);
  if (error instanceof TimeoutError) return error.scope === "attempt";
  if (error instanceof RateLimitError) return true;
  if (error instanceof ServerError) return error.httpStatus !== 501;
  return error instanceof ApiError && error.httpStatus === 408;
}
