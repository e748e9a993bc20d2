// Sends a request until it succeeds or fails for good: ky runs attempts, timeouts and retries; the rate limiter and the retry rules decide when.
import ky, { TimeoutError as KyTimeoutError } from "ky";
import {
  ApiError,
  type ErrorContext,
  ExplorerError,
  RateLimitError,
  TimeoutError,
} from "../errors/index.ts";
import { AbortScope, abortable, maxTimerMs, sleep } from "./abort.ts";
import { attempt } from "./attempt.ts";
import type { RequestOptions } from "./call.ts";
import { type ParsedResponse, parseResponse, type ReadResponse } from "./envelope.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { PreparedRequest } from "./request.ts";
import { backoff, isSafeToRetry, isTransient } from "./retry.ts";
import type { TransportSettings } from "./transport-settings.ts";

/** The `send` of one client: all its requests share one ky instance and one rate limiter. */
export function createSend(settings: TransportSettings) {
  const limiter = new RateLimiter(settings.concurrency, settings.rateLimit);
  const http = ky.create({
    headers: { accept: "application/json", ...settings.headers },
    redirect: "manual",
    throwHttpErrors: false,
    // Operation and failure decide whether a POST is retried (retry.ts).
    retry: { methods: ["get", "post"] },
  });

  return async function send(
    request: PreparedRequest,
    options: RequestOptions,
  ): Promise<ParsedResponse> {
    const { operation, url, body } = request;
    const { method, name } = operation;
    const policy = { ...settings.retry, limit: options.retry ?? settings.retry.limit };
    const timeout = options.timeout ?? settings.timeout ?? operation.timeout;
    const total = options.totalTimeout ?? settings.totalTimeout ?? Number.POSITIVE_INFINITY;
    const headers = new Headers(options.headers);
    if (body !== undefined) headers.set("content-type", "application/json");

    const ticket = limiter.ticket();
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    const scope = new AbortScope().follow(options.signal);
    const { signal } = scope;
    const target = { operation: operation.id, method, url };
    let attempts = 0;
    let waited = 0;
    let sentAt = 0;
    let releaseSlot = () => {};
    let read: ReadResponse | undefined;
    let parsed: ParsedResponse | undefined;
    let retryDelay = 0;
    const event = () => ({ ...target, name, attempt: attempts });
    const context = (): ErrorContext => ({
      ...target,
      operationName: name,
      attempts,
      elapsed: elapsed(),
    });

    try {
      await http(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal,
        timeout: kyTimeout(timeout),
        totalTimeout: kyTimeout(total),
        fetch: runAttempt,
        hooks: {
          beforeRequest: [acquireSlot],
          afterResponse: [parse],
          beforeRetry: [waitLonger, acquireSlot],
          beforeError: [({ error }) => toOwnError(error)],
        },
        retry: {
          limit: Math.min(Math.floor(policy.limit), Number.MAX_SAFE_INTEGER),
          shouldRetry: async ({ error }) => {
            retryDelay = await delayBeforeRetry(toOwnError(error));
            return true;
          },
          delay: () => retryDelay,
        },
      });
      if (parsed) return parsed;
      throw new TypeError("ky resolved without a response");
    } catch (error) {
      // The signal's own reason, whatever ky made of it.
      signal.throwIfAborted();
      // Also ends what ky no longer waits for.
      scope.abort(error);
      throw error;
    } finally {
      releaseSlot();
      scope.close();
    }

    /** Waits for the rest of the delay: ky waits no longer than a timer can run. */
    async function waitLonger(): Promise<void> {
      if (retryDelay > maxTimerMs) await sleep(retryDelay - maxTimerMs, signal);
    }

    /** Waits for a slot of the rate limiter. ky counts the wait towards the total timeout, not the attempt's. */
    async function acquireSlot(): Promise<void> {
      const { pausedFor } = limiter;
      if (pausedFor > Math.max(0, total - elapsed()))
        throw new RateLimitError(
          "Rate limited: the pause the service asked for exceeds totalTimeout",
          { ...context(), httpStatus: 429, retryAfter: pausedFor },
        );
      const queuedAt = elapsed();
      releaseSlot = await limiter.acquire(ticket, signal);
      // ky may have given up at the same moment.
      if (signal.aborted) releaseSlot();
      waited = elapsed() - queuedAt;
    }

    /** ky calls this as fetch, so its timeout covers API key, redirects and body. */
    async function runAttempt(input: string | URL | Request): Promise<Response> {
      sentAt = elapsed();
      attempts++;
      const requestEvent = { ...event(), waited };
      read = await attempt(
        input as Request,
        timeout,
        requestEvent,
        { operation, context },
        settings,
      );
      // ky clones the response, and a body that is read cannot be cloned.
      return new Response();
    }

    /** Parses the response: a failure may be visible in the body only. */
    async function parse() {
      if (!read) return;
      const { response, text, redact } = read;
      try {
        const results = parseResponse({ operation, redact, context }, response, text);
        parsed = { ...read, results };
        limiter.succeeded();
      } catch (error) {
        retryDelay = await delayBeforeRetry(error);
        return ky.retry({ delay: retryDelay });
      }
    }

    /** ky's timeout as one of our errors; any other error unchanged. */
    function toOwnError(error: Error): Error {
      if (!(error instanceof KyTimeoutError)) return error;
      // Timers may fire up to 1 ms early.
      return elapsed() > total - 1
        ? new TimeoutError("total", total, context())
        : new TimeoutError("attempt", timeout, context());
    }

    /** Milliseconds to wait before the next attempt; throws the failure if there is none. */
    async function delayBeforeRetry(error: unknown): Promise<number> {
      signal.throwIfAborted();
      if (!(error instanceof ExplorerError)) throw error;
      const duration = elapsed() - sentAt;
      const retryAfter = error instanceof ApiError ? error.retryAfter : undefined;
      const delay = retryAfter ?? backoff(policy, attempts);
      const retryable = attempts <= policy.limit && isSafeToRetry(operation, error);
      if (error instanceof RateLimitError)
        limiter.pauseFor(Math.min(retryAfter ?? (retryable ? delay : 0), policy.maxRetryAfter));
      // An error such as "not found" also shows that the server keeps up.
      else if (error instanceof ApiError && error.httpStatus < 500) limiter.succeeded();
      releaseSlot();
      if (!retryable || (retryAfter ?? 0) > policy.maxRetryAfter) throw error;
      const decision = (async () => policy.shouldRetry({ error, retryCount: attempts }))();
      if (!((await abortable(decision, signal)) ?? isTransient(error)) || delay > total - elapsed())
        throw error;
      settings.instrumentation.onRetry({ ...event(), error, duration, delay });
      return delay;
    }
  };
}

/** ky rejects timeouts longer than a timer can run; they never expire in practice. */
const kyTimeout = (milliseconds: number): number | false =>
  milliseconds <= maxTimerMs ? milliseconds : false;
