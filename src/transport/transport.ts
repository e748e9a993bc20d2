// The way to the service and back: one call of an operation, with its turn, its attempts, its pauses and its limits.
import type { AnyOperation, OperationInput, OperationResults } from "../contract/index.ts";
import {
  ApiError,
  type ErrorContext,
  ExplorerError,
  RateLimitError,
  TimeoutError,
} from "../errors/index.ts";
import type { Received } from "./answer.ts";
import { attempt } from "./attempt.ts";
import type { Cache } from "./cache.ts";
import type { Answer, Call, RequestOptions } from "./call.ts";
import { decode, type Validation } from "./decode.ts";
import { Gate, type RateLimit } from "./gate.ts";
import type { Watch } from "./hooks.ts";
import type { KeySource } from "./key.ts";
import { checkOptions } from "./options.ts";
import { type PreparedRequest, prepare } from "./request.ts";
import { backoff, mayRetry, type RetryPolicy } from "./retry.ts";
import { Shared } from "./shared.ts";
import { Scope, sleep } from "./wait.ts";

/** Everything the transport needs to know, defaults filled in. */
export interface TransportSettings {
  readonly baseUrl: URL;
  readonly key: KeySource;
  readonly fetch: typeof globalThis.fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: number | undefined;
  readonly totalTimeout: number | undefined;
  readonly retry: RetryPolicy;
  readonly concurrency: number;
  readonly rateLimit: RateLimit | undefined;
  readonly dedupe: boolean;
  readonly cache: Cache | undefined;
  readonly maxResponseBytes: number;
  readonly validation: Validation;
  readonly watch: Watch;
}

export function createTransport(settings: TransportSettings): Call {
  const { cache, watch } = settings;
  const base = settings.baseUrl.href.replace(/\/+$/, "");
  const gate = new Gate(settings.concurrency, settings.rateLimit);
  const shared = new Shared<Received>();

  return async function call<Op extends AnyOperation>(
    operation: Op,
    input: OperationInput<Op>,
    options: RequestOptions = {},
  ): Promise<Answer<OperationResults<Op>>> {
    const request = prepare(base, operation, input);
    checkOptions(options);
    options.signal?.throwIfAborted();
    const kept = await cache?.get(request, options.signal);
    const received = kept ?? (await ask(request, options));
    const data = decode(operation, request, received, settings.validation, watch);
    if (!kept) await cache?.keep(request, received.results, data, options.signal);
    return { data, response: received.response };
  };

  /** Asks the service, or joins who is asking the same just now. */
  function ask(request: PreparedRequest, options: RequestOptions): Promise<Received> {
    const { signal, dedupe = settings.dedupe, ...others } = options;
    if (!dedupe || request.operation.method !== "GET") return persist(request, options, signal);
    return shared.join(JSON.stringify([request.url, others]), signal, (end) =>
      persist(request, others, end),
    );
  }

  /** All attempts of one request. */
  async function persist(
    request: PreparedRequest,
    options: RequestOptions,
    signal: AbortSignal | undefined,
  ): Promise<Received> {
    const { operation, url } = request;
    const { id, name, method } = operation;
    const policy = { ...settings.retry, limit: options.retry ?? settings.retry.limit };
    const total = options.totalTimeout ?? settings.totalTimeout ?? Number.POSITIVE_INFINITY;
    const began = performance.now();
    const elapsed = () => performance.now() - began;
    const ticket = gate.ticket();
    let attempts = 0;
    const context = (): ErrorContext => ({
      operation: id,
      method,
      url,
      attempts,
      elapsed: elapsed(),
    });
    const scope = new Scope()
      .follow(signal)
      .limit(total, () => new TimeoutError("total", total, context()));
    try {
      for (;;) {
        if (gate.held > total - elapsed()) throw heldBack(gate.held, context());
        const arrived = elapsed();
        const leave = await gate.enter(ticket, scope.signal);
        attempts++;
        const about = { operation: id, name, method, url, attempt: attempts };
        const left = elapsed();
        try {
          const received = await attempt(
            {
              request,
              headers: { ...settings.headers, ...options.headers },
              timeout: options.timeout ?? settings.timeout ?? operation.timeout,
              signal: scope.signal,
              event: { ...about, waited: left - arrived },
              context,
            },
            settings,
          );
          gate.succeeded();
          return received;
        } catch (error) {
          const delay = pauseAfter(error, operation, policy, attempts);
          if (error instanceof RateLimitError)
            gate.hold(Math.min(error.retryAfter ?? delay ?? 0, policy.maxRetryAfter));
          // "No such thing" is an answer as well: the server keeps up.
          else if (error instanceof ApiError && error.httpStatus < 500) gate.succeeded();
          if (!(error instanceof ExplorerError) || delay === undefined || delay > total - elapsed())
            throw error;
          leave();
          watch.onRetry({ ...about, error, duration: elapsed() - left, delay });
          await sleep(delay, scope.signal);
        } finally {
          leave();
        }
      }
    } finally {
      scope.close();
    }
  }
}

/** Milliseconds to wait before trying again; nothing if it is over. */
function pauseAfter(
  error: unknown,
  operation: AnyOperation,
  policy: RetryPolicy,
  attempts: number,
): number | undefined {
  if (attempts > policy.limit || !mayRetry(operation, error)) return undefined;
  const asked = error instanceof ApiError ? error.retryAfter : undefined;
  if (asked === undefined) return backoff(policy, attempts);
  return asked > policy.maxRetryAfter ? undefined : asked;
}

/** The client's own pause after a 429 is longer than the call has time for: it fails without being sent. */
const heldBack = (held: number, context: ErrorContext) =>
  new RateLimitError(
    "Not sent: the service has asked for a pause longer than totalTimeout leaves",
    { ...context, httpStatus: 429, retryAfter: held },
  );
