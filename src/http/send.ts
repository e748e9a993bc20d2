// Sending a request: ky runs the attempts, their time and the retries; when one may leave, and what is retried, is decided here.
import ky, { TimeoutError as KyTimeoutError } from "ky";
import {
  ApiError,
  type ErrorContext,
  ExplorerError,
  RateLimitError,
  TimeoutError,
} from "../errors/index.ts";
import { AbortScope, abortable, maxTimerMs } from "./abort.ts";
import { attempt } from "./attempt.ts";
import type { RequestOptions } from "./call.ts";
import { type ParsedResponse, type ReadResponse, readAnswer } from "./envelope.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { PreparedRequest } from "./request.ts";
import { backoff, isSafeToRetry, isTransient } from "./retry.ts";
import type { TransportSettings } from "./transport.ts";

/** What sends all requests of a client until there are results, or no hope of them: one ky, and one rate limiter. */
export function createSend(settings: TransportSettings) {
  const limiter = new RateLimiter(settings.concurrency, settings.rateLimit);
  const http = ky.create({
    headers: { accept: "application/json", ...settings.headers },
    redirect: "manual",
    throwHttpErrors: false,
    // Whether a POST may be sent again is a question of the operation and the failure (retry.ts).
    retry: { methods: ["get", "post"] },
  });

  return async function send(
    request: PreparedRequest,
    options: RequestOptions,
  ): Promise<ParsedResponse> {
    const { operation, url, body } = request;
    const { method } = operation;
    const policy = { ...settings.retry, limit: options.retry ?? settings.retry.limit };
    const timeout = options.timeout ?? settings.timeout ?? operation.timeout;
    const total = options.totalTimeout ?? settings.totalTimeout ?? Number.POSITIVE_INFINITY;
    const headers = new Headers(options.headers);
    if (body !== undefined) headers.set("content-type", "application/json");

    const ticket = limiter.ticket();
    const began = performance.now();
    const elapsed = () => performance.now() - began;
    const scope = new AbortScope().follow(options.signal);
    const { signal } = scope;
    const asked = { operation: operation.id, method, url };
    let attempts = 0;
    let waited = 0;
    let sentAt = 0;
    let leave = () => {};
    let answer: ReadResponse | undefined;
    let received: ParsedResponse | undefined;
    let pause = 0;
    const about = () => ({ ...asked, name: operation.name, attempt: attempts });
    const context = (): ErrorContext => ({ ...asked, attempts, elapsed: elapsed() });

    try {
      await http(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal,
        timeout: limited(timeout),
        totalTimeout: limited(total),
        fetch: exchange,
        hooks: {
          beforeRequest: [takeTurn],
          afterResponse: [read],
          beforeRetry: [takeTurn],
          beforeError: [({ error }) => explain(error)],
        },
        retry: {
          limit: Math.min(Math.floor(policy.limit), Number.MAX_SAFE_INTEGER),
          shouldRetry: async ({ error }) => {
            pause = await pauseAfter(explain(error));
            return true;
          },
          delay: () => pause,
        },
      });
      if (received) return received;
      throw new TypeError("ky ended without an answer");
    } catch (error) {
      // Its own reason, whatever has become of it on the way.
      signal.throwIfAborted();
      // Ends also what ky no longer waits for.
      scope.abort(error);
      throw error;
    } finally {
      leave();
      scope.close();
    }

    /** Waits until the next attempt may leave. ky counts that towards the total, and not towards the attempt. */
    async function takeTurn(): Promise<void> {
      const { pausedFor: held } = limiter;
      if (held > Math.max(0, total - elapsed()))
        throw new RateLimitError(
          "Not sent: the service has asked for a pause longer than totalTimeout leaves",
          { ...context(), httpStatus: 429, retryAfter: held },
        );
      const arrived = elapsed();
      leave = await limiter.acquire(ticket, signal);
      // ky may have given up in the same moment.
      if (signal.aborted) leave();
      waited = elapsed() - arrived;
    }

    /** What ky calls as fetch: so its time for an attempt covers the key, redirects and the body. */
    async function exchange(sent: string | URL | Request): Promise<Response> {
      sentAt = elapsed();
      attempts++;
      const event = { ...about(), waited };
      answer = await attempt(sent as Request, event, { operation, context }, settings);
      // ky copies what it is given, and a body that is read cannot be copied.
      return new Response();
    }

    /** Reads the answer, which may be a failure that only its body tells. */
    async function read() {
      if (!answer) return;
      const { response, text, redact } = answer;
      try {
        const results = readAnswer({ operation, redact, context }, response, text);
        received = { ...answer, results };
        limiter.succeeded();
      } catch (error) {
        return ky.retry({ delay: await pauseAfter(error) });
      }
    }

    /** The error ky throws, as one of ours. */
    function explain(error: Error): Error {
      if (!(error instanceof KyTimeoutError)) return error;
      // Timers may be early by less than this.
      return elapsed() > total - 1
        ? new TimeoutError("total", total, context())
        : new TimeoutError("attempt", timeout, context());
    }

    /** Milliseconds to wait after a failure before trying again; throws the failure if it is the last. */
    async function pauseAfter(error: unknown): Promise<number> {
      signal.throwIfAborted();
      if (!(error instanceof ExplorerError)) throw error;
      const duration = elapsed() - sentAt;
      const retryAfter = error instanceof ApiError ? error.retryAfter : undefined;
      const delay = retryAfter ?? backoff(policy, attempts);
      const possible = attempts <= policy.limit && isSafeToRetry(operation, error);
      if (error instanceof RateLimitError)
        limiter.pauseFor(Math.min(retryAfter ?? (possible ? delay : 0), policy.maxRetryAfter));
      // "No such thing" is an answer as well: the server keeps up.
      else if (error instanceof ApiError && error.httpStatus < 500) limiter.succeeded();
      leave();
      if (!possible || (retryAfter ?? 0) > policy.maxRetryAfter) throw error;
      const wanted = (async () => policy.shouldRetry({ error, retryCount: attempts }))();
      if (!((await abortable(wanted, signal)) ?? isTransient(error)) || delay > total - elapsed())
        throw error;
      settings.instrumentation.onRetry({ ...about(), error, duration, delay });
      return delay;
    }
  };
}

/** ky refuses times no timer can be set to; nobody waits for their end. */
const limited = (milliseconds: number): number | false =>
  milliseconds <= maxTimerMs ? milliseconds : false;
