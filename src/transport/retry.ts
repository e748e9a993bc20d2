// What is tried again, how often, and after which pause.
import type { AnyOperation } from "../contract/index.ts";
import {
  ApiError,
  ConnectionError,
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
}

export type RetryPolicy = {
  readonly [Key in keyof RetryOptions]-?: NonNullable<RetryOptions[Key]>;
};

const usual: RetryPolicy = {
  limit: 3,
  delay: (attempt) => 300 * 2 ** (attempt - 1),
  backoffLimit: 10_000,
  jitter: true,
  maxRetryAfter: 30_000,
};

export function retryPolicy(options: number | RetryOptions | undefined): RetryPolicy {
  const given = typeof options === "number" ? { limit: options } : options;
  return {
    limit: given?.limit ?? usual.limit,
    delay: given?.delay ?? usual.delay,
    backoffLimit: given?.backoffLimit ?? usual.backoffLimit,
    jitter: given?.jitter ?? usual.jitter,
    maxRetryAfter: given?.maxRetryAfter ?? usual.maxRetryAfter,
  };
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

function* causes(error: unknown): Generator<unknown> {
  for (let one = error; one instanceof Error; one = one.cause) {
    yield one;
    if (one instanceof AggregateError) yield* one.errors;
  }
}

const nothingSent = (error: unknown): boolean =>
  [...causes(error)].some(
    (one) =>
      one instanceof Error &&
      "code" in one &&
      typeof one.code === "string" &&
      NOTHING_SENT.has(one.code),
  );

/** Whether the failure may pass, and asking again can do no harm. */
export function mayRetry(operation: AnyOperation, error: unknown): boolean {
  if (!operation.safe) return error instanceof ConnectionError && nothingSent(error);
  if (error instanceof RedirectError) return false;
  if (error instanceof ConnectionError) return true;
  if (error instanceof TimeoutError) return error.scope === "attempt";
  if (error instanceof RateLimitError) return true;
  if (error instanceof ServerError) return error.httpStatus !== 501;
  return error instanceof ApiError && error.httpStatus === 408;
}
