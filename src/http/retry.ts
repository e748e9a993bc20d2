// Decides which failures are retried, how often, and after which pause.
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

/**
 * How transient failures are retried.
 *
 * @example
 * new ExplorerClient({ retry: { limit: 5, backoffLimit: 3_000 } });
 */
export interface RetryOptions {
  /**
   * How often to retry; 0 never retries.
   *
   * @default 3
   */
  readonly limit?: number | undefined;
  /**
   * Milliseconds to wait after attempt number `attempt`, before jitter. The server's `Retry-After`
   * takes precedence.
   *
   * @default (attempt) => 300 * 2 ** (attempt - 1)
   */
  readonly delay?: ((attempt: number) => number) | undefined;
  /**
   * The longest pause between attempts, in milliseconds, if the server does not name one.
   *
   * @default 10_000
   */
  readonly backoffLimit?: number | undefined;
  /**
   * Randomizes pauses between 0 and their full length, so that clients do not retry all at once.
   *
   * @default true
   */
  readonly jitter?: boolean | undefined;
  /**
   * The longest `Retry-After` to honour, in milliseconds. If the server asks for more, the call
   * fails at once.
   *
   * @default 30_000
   */
  readonly maxRetryAfter?: number | undefined;
  /**
   * Decides whether to retry a failure: `true` retries it even if it is not transient, `false`
   * fails the call, `undefined` applies the default rule. It is not called beyond `limit` or for
   * requests that are unsafe to repeat, and does not override `Retry-After` or `totalTimeout`.
   *
   * @example
   * const shouldRetry = ({ error }: RetryState) => (error.code === "NOT_FOUND" ? true : undefined);
   * new ExplorerClient({ retry: { shouldRetry } });
   */
  readonly shouldRetry?:
    | ((failure: RetryState) => boolean | undefined | Promise<boolean | undefined>)
    | undefined;
}

/** A failure that may be retried. */
export interface RetryState {
  /** The error of the failed attempt. */
  readonly error: ExplorerError;
  /** The number of the retry: 1 for the first. */
  readonly retryCount: number;
}

export type RetryPolicy = {
  readonly [Key in keyof RetryOptions]-?: NonNullable<RetryOptions[Key]>;
};

/** Rounds a number of retries, because ky accepts only integers. */
export const limitOf = (retries: number) => ({
  limit: Math.min(Math.floor(retries), Number.MAX_SAFE_INTEGER),
});

/** Applies the defaults. */
export function retryPolicy(options: number | RetryOptions | undefined): RetryPolicy {
  const {
    limit = 3,
    delay = (attempt) => 300 * 2 ** (attempt - 1),
    backoffLimit = 10_000,
    jitter = true,
    maxRetryAfter = 30_000,
    shouldRetry = () => undefined,
    ...unknown
  }: RetryOptions = typeof options === "number" ? { limit: options } : (options ?? {});
  return { ...limitOf(limit), delay, backoffLimit, jitter, maxRetryAfter, shouldRetry, ...unknown };
}

/** Returns the pause before the next attempt if the server does not name one. */
export function backoff(policy: RetryPolicy, attempt: number): number {
  // The caller's function may return NaN, and timers accept no negative time.
  const delay = Math.max(0, Math.min(policy.backoffLimit, policy.delay(attempt)) || 0);
  return policy.jitter ? Math.random() * delay : delay;
}

/** Codes of failures before a connection exists, so that the request cannot have arrived. */
const NOT_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const neverConnected = (error: unknown): boolean =>
  error instanceof Error &&
  (("code" in error && NOT_CONNECTED.has(String(error.code))) || neverConnected(error.cause));

/** Whether the service refused the request unprocessed, and says when to repeat it (R20). */
const didNothing = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.httpStatus === 429 || error.httpStatus === 503) &&
  error.headers.has("retry-after");

/** Whether the operation only reads, the request never arrived, or the service ignored it. */
export const isSafeToRetry = (operation: AnyOperation, error: ExplorerError): boolean =>
  operation.safe ||
  didNothing(error) ||
  (error instanceof ConnectionError && neverConnected(error));

/** Whether a later attempt may succeed. */
export function isTransient(error: ExplorerError): boolean {
  if (error instanceof ConnectionError) return !(error instanceof RedirectError) && !error.lasting;
  if (error instanceof TimeoutError) return error.scope === "attempt";
  if (error instanceof RateLimitError) return true;
  if (error instanceof ServerError) return error.httpStatus !== 501;
  return error instanceof ApiError && error.httpStatus === 408;
}
