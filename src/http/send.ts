// Sends a request until it succeeds or fails for good: ky runs attempts, timeouts and retries; the rate limiter and the retry rules decide when.
import ky, { TimeoutError as KyTimeoutError } from "ky";
import {
  ApiError,
  type ErrorContext,
  ExplorerError,
  RateLimitError,
  TimeoutError,
} from "../errors/index.ts";
import { AbortScope, abortable, MAX_TIMER_MS, sleep } from "./abort.ts";
import { attempt, type OutgoingRequest } from "./attempt.ts";
import type { CallRoute } from "./base-url.ts";
import type { CallOptions } from "./call.ts";
import { type ParsedResponse, parseResponse } from "./envelope.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { PreparedRequest } from "./request.ts";
import { backoff, isSafeToRetry, isTransient, type RetryPolicy } from "./retry.ts";
import { traced } from "./tracing.ts";
import type { TransportSettings } from "./transport-settings.ts";

/** Sends a request of a client. */
export function send(
  request: PreparedRequest,
  options: CallOptions,
  settings: TransportSettings,
): Promise<ParsedResponse> {
  const { id: operation, name, method } = request.operation;
  return traced({ operation, name, method, url: request.url }, () =>
    new CallInProgress(request, options, settings).run(),
  );
}

/** One call in progress: what its attempts and the waits between them share. */
class CallInProgress {
  readonly #settings: TransportSettings;
  readonly #limiter: RateLimiter;
  /** Its URL is that of the last attempt. */
  #request: OutgoingRequest;
  /** Its route through several addresses. */
  readonly #route: CallRoute | undefined;
  readonly #policy: RetryPolicy;
  /** Milliseconds for the whole call. */
  readonly #total: number;
  /** Also ends waits that ky has given up on. */
  readonly #scope: AbortScope;
  readonly #startedAt = performance.now();
  /** Whether it waits as long as a retry if it begins in a pause after a 429. */
  readonly #isPatient: boolean;
  /** The place in the queue of the rate limiter. */
  readonly #ticket: number;
  #releaseSlot = () => {};
  #attempts = 0;
  /** Milliseconds the last attempt waited for its slot. */
  #waited = 0;
  /** When the last attempt began, in milliseconds since the call did. */
  #sentAt = 0;
  /** When the attempt under way times out, in milliseconds since the call began; none is under way at first and between two attempts. */
  #attemptEnds = Number.POSITIVE_INFINITY;
  /** Milliseconds until the next attempt; undefined before the last one failed. */
  #retryDelay: number | undefined;
  #result: ParsedResponse | undefined;

  constructor(request: PreparedRequest, options: CallOptions, settings: TransportSettings) {
    const { retry, timeout, totalTimeout, headers, fetchOptions, signal, isPatient } = options;
    this.#isPatient = isPatient ?? false;
    this.#settings = settings;
    this.#limiter = settings.limiter;
    this.#ticket = this.#limiter.ticket();
    this.#policy = retry === undefined ? settings.retry : { ...settings.retry, limit: retry };
    this.#route = settings.fallback?.route();
    this.#total = totalTimeout ?? settings.totalTimeout ?? Number.POSITIVE_INFINITY;
    this.#scope = new AbortScope().follow(signal);
    this.#request = {
      ...request,
      headers: {
        accept: "application/json",
        ...settings.headers,
        ...headers,
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      },
      fetchOptions: { ...settings.fetchOptions, ...fetchOptions },
      timeout: timeout ?? settings.timeout ?? request.operation.timeout,
    };
  }

  async run(): Promise<ParsedResponse> {
    const { signal } = this.#scope;
    try {
      await ky(this.#request.url, {
        signal,
        timeout: kyTimeout(this.#request.timeout),
        totalTimeout: kyTimeout(this.#total),
        // ky's request carries the signal of the attempt; what is sent are plain values.
        fetch: (request) => this.#attempt((request as Request).signal),
        hooks: {
          beforeRequest: [() => this.#acquireSlot(this.#isPatient)],
          beforeRetry: [() => this.#waitToRetry()],
        },
        retry: {
          limit: Math.min(this.#retries, Number.MAX_SAFE_INTEGER),
          shouldRetry: ({ error }) => this.#prepareRetry(this.#toOwnError(error)),
          delay: () => this.#retryDelay ?? 0,
        },
      });
      const result = this.#result;
      // What ky's promise holds stays in memory for a long time.
      this.#result = undefined;
      if (result) return result;
      throw new TypeError("ky resolved without a response");
    } catch (error) {
      // The signal's own reason, which ky may have replaced.
      signal.throwIfAborted();
      const own = this.#toOwnError(error);
      this.#scope.abort(own);
      throw own;
    } finally {
      this.#releaseSlot();
      this.#scope.close();
    }
  }

  get #addresses(): number {
    return this.#route?.length ?? 1;
  }

  /** Maximum retries: `limit` counts rounds through all addresses. */
  get #retries(): number {
    return (Math.floor(this.#policy.limit) + 1) * this.#addresses - 1;
  }

  /** Milliseconds since the call began. */
  #elapsed(): number {
    return performance.now() - this.#startedAt;
  }

  #event() {
    const { operation, url } = this.#request;
    const { id, name, method } = operation;
    return { operation: id, name, method, url, attempt: this.#attempts };
  }

  #context(): ErrorContext {
    const { name, attempt: attempts, ...target } = this.#event();
    return { ...target, operationName: name, attempts, elapsed: this.#elapsed() };
  }

  /**
   * Waits for a slot of the rate limiter. ky counts the wait towards the total timeout, not the attempt's. Fails at once if the service
   * asked for a pause longer than an option of this call allows.
   */
  async #acquireSlot(isPatient: boolean): Promise<void> {
    const queuedAt = this.#elapsed();
    const { signal } = this.#scope;
    const { timeout } = this.#request;
    const patience = Math.max(timeout, this.#policy.maxRetryAfter);
    const left = Math.max(0, this.#total - queuedAt);
    const check = (pause: number, longest = patience) => {
      if (pause <= Math.min(longest, left)) return;
      const limit =
        left < longest ? "totalTimeout" : longest === timeout ? "timeout" : "maxRetryAfter";
      throw new RateLimitError(`Rate limited: the pause the service asked for exceeds ${limit}`, {
        ...this.#context(),
        httpStatus: 429,
        retryAfter: pause,
      });
    };
    check(this.#limiter.pausedFor, isPatient ? patience : timeout);
    // In the queue, all calls are patient.
    this.#releaseSlot = await this.#limiter.acquire(this.#ticket, signal, check);
    // ky may have given up at the same moment.
    if (signal.aborted) this.#releaseSlot();
    this.#waited = this.#elapsed() - queuedAt;
  }

  /** Sends the request once; ky limits its time, from the API key to the end of the body. */
  async #attempt(signal: AbortSignal): Promise<Response> {
    this.#sentAt = this.#elapsed();
    this.#attemptEnds = this.#sentAt + this.#request.timeout;
    this.#retryDelay = undefined;
    this.#attempts++;
    if (this.#route) this.#request = { ...this.#request, url: this.#route.next(this.#request.url) };
    const event = { ...this.#event(), waited: this.#waited };
    const context = () => this.#context();
    try {
      const read = await attempt(this.#request, event, context, signal, this.#settings);
      const results = parseResponse(this.#request.operation, read, context);
      this.#succeeded();
      this.#result = { ...read, results };
      // Not the response that was read: ky's promise, and the text with it, would stay in memory for a long time, since V8 does not consider it young.
      return new Response();
    } catch (error) {
      this.#adjustRate(error);
      throw error;
    }
  }

  /** The server keeps up. */
  #succeeded(): void {
    this.#limiter.succeeded();
    this.#route?.succeeded();
  }

  /** Slows all calls down after a 429, unless they can go elsewhere. */
  #adjustRate(error: unknown): void {
    if (error instanceof RateLimitError) {
      const isLast = this.#attempts > this.#retries;
      if (!this.#route?.failed(error))
        this.#limiter.pauseFor(error.retryAfter ?? (isLast ? 0 : this.#delayAfter(error)));
    }
    // An error such as "not found" also shows that the server keeps up.
    else if (error instanceof ApiError && error.httpStatus < 500) this.#succeeded();
    this.#releaseSlot();
  }

  /** Milliseconds from a failure to the next attempt. */
  #delayAfter(error: ExplorerError): number {
    const retryAfter = error instanceof ApiError ? error.retryAfter : undefined;
    this.#retryDelay ??=
      retryAfter ?? backoff(this.#policy, Math.ceil(this.#attempts / this.#addresses));
    return this.#retryDelay;
  }

  /** Decides whether a failure is retried, and when; throws it if it is not. */
  async #prepareRetry(error: unknown): Promise<true> {
    const duration = this.#elapsed() - this.#sentAt;
    this.#attemptEnds = Number.POSITIVE_INFINITY;
    if (!(error instanceof ExplorerError) || !isSafeToRetry(this.#request.operation, error))
      throw error;
    const { shouldRetry, maxRetryAfter } = this.#policy;
    if (this.#route?.failed(error)) this.#retryDelay = 0;
    else if (error instanceof ApiError && (error.retryAfter ?? 0) > maxRetryAfter) throw error;
    const decide = async () => shouldRetry({ error, retryCount: this.#attempts });
    const isRetried = (await abortable(decide(), this.#scope.signal)) ?? isTransient(error);
    const delay = this.#delayAfter(error);
    if (!isRetried || delay >= this.#total - this.#elapsed()) throw error;
    this.#settings.instrumentation.onRetry({ ...this.#event(), error, duration, delay });
    return true;
  }

  /** Waits for a slot, and for the rest of the delay: ky waits no longer than a timer can run. */
  async #waitToRetry(): Promise<void> {
    const rest = (this.#retryDelay ?? 0) - MAX_TIMER_MS;
    if (rest > 0) await sleep(rest, this.#scope.signal);
    await this.#acquireSlot(true);
  }

  /** ky's timeout as one of our errors; any other error unchanged. */
  #toOwnError(error: unknown): unknown {
    if (!(error instanceof KyTimeoutError)) return error;
    // ky does not say which of the two it was. Timers fire early where the event loop is late, so the clock does not say either.
    return this.#attemptEnds < this.#total
      ? new TimeoutError("attempt", this.#request.timeout, this.#context())
      : new TimeoutError("total", this.#total, this.#context());
  }
}

/** ky rejects timeouts longer than a timer can run; they never expire in practice. */
const kyTimeout = (milliseconds: number): number | false =>
  milliseconds <= MAX_TIMER_MS ? milliseconds : false;
