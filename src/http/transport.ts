// One call from top to bottom: prepares the request, looks into the cache, joins an identical
// request or sends a new one, and decodes the response. ky runs attempts, timeouts and retries.
import ky, { TimeoutError as KyTimeoutError } from "ky";
import type { AnyOperation, OperationInput, OperationResults } from "../contract/index.ts";
import { loadCode } from "../errors/connection.ts";
import {
  ApiError,
  type ErrorContext,
  ExplorerError,
  ParameterError,
  RateLimitError,
  TimeoutError,
} from "../errors/index.ts";
import { UNKNOWN } from "../models/check.ts";
import { deepFreeze } from "../models/json.ts";
import { AbortScope, abortable, MAX_TIMER_MS } from "./abort.ts";
import { attempt, copyOf, type OutgoingRequest } from "./attempt.ts";
import { baseOf } from "./base-url.ts";
import type { Call, CallOptions, ResponseWithData } from "./call.ts";
import { nameCaller } from "./caller.ts";
import { InFlightRequests } from "./dedupe.ts";
import type { ParsedResponse } from "./fetch.ts";
import {
  checkOptions,
  checkParameters,
  invalidFor,
  type PreparedRequest,
  prepare,
} from "./request.ts";
import { decodeOther, decodeValid, parseResponse } from "./response.ts";
import { backoff, isSafeToRetry, isTransient, limitOf, type RetryPolicy } from "./retry.ts";
import type { TransportSettings } from "./transport-settings.ts";

/** Matches hexadecimal digits in mixed case, which may be the checksum of an address. */
const MIXED_CASE = /0x(?:[\dA-F]*[a-f][\da-f]*[A-F]|[\da-f]*[A-F][\dA-F]*[a-f])/;

export function createTransport(settings: TransportSettings): Call {
  const run = createRun(settings);
  function call<Op extends AnyOperation>(
    operation: Op,
    input: OperationInput<Op>,
    options?: CallOptions,
  ): Promise<ResponseWithData<OperationResults<Op>>> {
    return run(operation, input, options).catch(nameCaller(call));
  }
  const { checksum, dialect } = settings;
  const listOf = async (operation: AnyOperation) =>
    (await dialect?.())?.translate(operation)?.operation.list;
  return Object.assign(call, {
    log: settings.instrumentation.log,
    minPollInterval: settings.minPollInterval,
    checksum,
    ...(dialect && { listOf }),
  });
}

function createRun(settings: TransportSettings) {
  const base = baseOf(settings.baseUrl);
  const inFlight = new InFlightRequests<ParsedResponse>((received) => {
    deepFreeze(received.results);
    return { ...received, response: copyOf(received.response) };
  });

  async function run<Op extends AnyOperation>(
    operation: Op,
    input: OperationInput<Op>,
    callOptions?: CallOptions,
  ): Promise<ResponseWithData<OperationResults<Op>>> {
    const translate = settings.dialect && (await settings.dialect()).translate;
    let wire: PreparedRequest["wire"] = input;
    if (!callOptions?.isChecked) {
      try {
        wire = checkParameters(operation, input);
      } catch (error) {
        return rethrow(error, operation, input);
      }
      if (callOptions !== undefined) checkOptions(operation, callOptions);
    }
    const request = prepare(base, operation, wire, translate);
    const options = callOptions ?? {};
    options.signal?.throwIfAborted();
    if (settings.checksum && MIXED_CASE.test(request.url + (request.body ?? ""))) {
      const { checkChecksums } = await loadCode(() => import("./checksums.ts"));
      checkChecksums(invalidFor(operation), request.wire, { operation: operation.id });
    }
    const cache = settings.cache && (await settings.cache());
    const cached = cache && (await cache.get(request, options.signal));
    if (cached) {
      // Decodes even cached results, because a store may return anything.
      const data = decodeValid(operation, request, cached.results);
      deepFreeze(data && cached.results);
      if (data) return { data, response: cached.response };
    }
    const received = await fetchOnce(request, options);
    let data = decodeValid(operation, request, received.results);
    if (data === undefined) data = await decodeOther(operation, request, received, settings);
    if (cache) await cache.set(request, received.results, data, options.signal);
    return { data, response: received.response };
  }
  return run;

  /** Joins an identical GET that is in flight, or sends the request. */
  function fetchOnce(request: PreparedRequest, options: CallOptions): Promise<ParsedResponse> {
    const { signal, dedupe = settings.dedupe, fetchOptions } = options;
    const send = (scope: AbortScope) => new CallInProgress(request, options, settings, scope).run();
    // A call with `fetchOptions` shares no request, because a dispatcher cannot be compared.
    if (!settings.canShare || !dedupe || fetchOptions || request.operation.method !== "GET")
      return send(new AbortScope().follow(signal));
    const { timeout, totalTimeout, retry, headers } = options;
    const key = JSON.stringify([request.url, timeout, totalTimeout, retry, headers]);
    return inFlight.join(key, signal, send);
  }
}

/**
 * Throws the error of an invalid input. First completes its issues with code that is loaded late,
 * if the schemas of a caller's own operation do not say which values they expect.
 */
async function rethrow(error: unknown, operation: AnyOperation, input: unknown): Promise<never> {
  if (
    error instanceof ParameterError &&
    error.issues.some(({ expected }) => expected === UNKNOWN)
  ) {
    const code = await import("./invalid.ts").catch(() => undefined);
    checkParameters(operation, input, code?.check);
  }
  throw error;
}

/** One call in progress, with the state that its attempts share. */
class CallInProgress {
  readonly #settings: TransportSettings;
  readonly #request: OutgoingRequest;
  readonly #policy: RetryPolicy;
  readonly #total: number;
  /** Aborts when no caller waits for the response any more, or after `totalTimeout`. */
  readonly #scope: AbortScope;
  readonly #startedAt = performance.now();
  /** Whether the call waits as long as a retry if it begins in a pause after a 429. */
  readonly #isPatient: boolean;
  readonly #ticket: number;
  #releaseSlot = () => {};
  #attempts = 0;
  /** How long the last attempt waited for its slot, in milliseconds. */
  #waited = 0;
  /** When the last attempt began, in milliseconds since the beginning of the call. */
  #sentAt = 0;
  /** Milliseconds until the next attempt; undefined while an attempt runs. */
  #retryDelay: number | undefined;
  #parsed: ParsedResponse | undefined;

  constructor(
    request: PreparedRequest,
    options: CallOptions,
    settings: TransportSettings,
    scope: AbortScope,
  ) {
    const { retry, timeout, totalTimeout, headers, fetchOptions, isPatient } = options;
    this.#isPatient = isPatient ?? false;
    this.#settings = settings;
    this.#ticket = settings.limiter.ticket();
    this.#policy = retry === undefined ? settings.retry : { ...settings.retry, ...limitOf(retry) };
    this.#total = totalTimeout ?? settings.totalTimeout ?? Number.POSITIVE_INFINITY;
    this.#scope = scope;
    const timedOut = () => new TimeoutError("total", this.#total, this.#context());
    this.#scope.timeout(this.#total, timedOut);
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
    const { timeout, url } = this.#request;
    try {
      const response = await ky(url, {
        signal,
        // ky refuses a timeout that is longer than a timer can run.
        timeout: timeout <= MAX_TIMER_MS && timeout,
        // Uses only the signal of ky's request, because a custom `fetch` takes plain values.
        fetch: (request) => this.#attempt((request as Request).signal),
        hooks: {
          beforeRequest: [() => this.#acquireSlot(this.#isPatient)],
          beforeRetry: [() => this.#acquireSlot(true)],
        },
        retry: {
          limit: this.#policy.limit,
          shouldRetry: ({ error }) => this.#prepareRetry(this.#toOwnError(error)),
          delay: () => this.#retryDelay ?? 0,
        },
      });
      return { ...(this.#parsed as ParsedResponse), response };
    } catch (error) {
      // ky may have replaced the reason of an abort.
      const reason: unknown = signal.aborted ? signal.reason : this.#toOwnError(error);
      // Some implementations of `fetch` keep the connection open until they are aborted.
      this.#scope.abort(reason);
      if (this.#attempts > 0)
        this.#settings.instrumentation.onError?.({ ...this.#event(), error: reason });
      throw reason;
    } finally {
      this.#releaseSlot();
      this.#scope.close();
      // ky's promise would keep the response in memory for a long time.
      this.#parsed = undefined;
    }
  }

  #elapsed(): number {
    return performance.now() - this.#startedAt;
  }

  #event() {
    const { operation, url } = this.#request;
    const { id, name, method } = operation;
    return { operation: id, name, method, url, call: this.#ticket, attempt: this.#attempts };
  }

  #context(): ErrorContext {
    const { operation, name, method, url, attempt: attempts } = this.#event();
    const elapsed = this.#elapsed();
    return { operation, operationName: name, method, url, attempts, elapsed };
  }

  /**
   * Waits for a slot of the rate limiter, which does not count towards the attempt's timeout. Fails
   * at once if the service asked for a pause longer than an option of this call allows.
   */
  async #acquireSlot(isPatient: boolean): Promise<void> {
    const queuedAt = this.#elapsed();
    const { limiter } = this.#settings;
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
    const { pausedFor } = limiter;
    if (pausedFor > 0) check(pausedFor, isPatient ? patience : timeout);
    // For pauses that begin while a call waits in the queue, every call is patient.
    this.#releaseSlot = await limiter.acquire(this.#ticket, this.#scope.signal, check);
    this.#waited = this.#elapsed() - queuedAt;
  }

  /** Sends the request once. ky's timeout covers all of it, including the API key and the body. */
  async #attempt(signal: AbortSignal): Promise<Response> {
    this.#sentAt = this.#elapsed();
    this.#retryDelay = undefined;
    this.#attempts++;
    const event = { ...this.#event(), waited: this.#waited };
    const context = () => this.#context();
    try {
      const received = await attempt(this.#request, event, context, signal, this.#settings);
      const results = await parseResponse(this.#request.operation, received, context);
      this.#parsed = { ...received, results };
      return received.response;
    } catch (error) {
      if (error instanceof RateLimitError) {
        const isLast = this.#attempts > this.#policy.limit;
        const pause = error.retryAfter ?? (isLast ? 0 : this.#delayAfter(error));
        this.#settings.limiter.pauseFor(pause);
      }
      throw error;
    }
  }

  /** Milliseconds from a failure to the next attempt. */
  #delayAfter(error: ExplorerError): number {
    const retryAfter = error instanceof ApiError ? error.retryAfter : undefined;
    this.#retryDelay ??= retryAfter ?? backoff(this.#policy, this.#attempts);
    return this.#retryDelay;
  }

  async #prepareRetry(error: unknown): Promise<true> {
    this.#releaseSlot();
    const duration = this.#elapsed() - this.#sentAt;
    if (!(error instanceof ExplorerError) || !isSafeToRetry(this.#request.operation, error))
      throw error;
    const { shouldRetry, maxRetryAfter } = this.#policy;
    if (error instanceof ApiError && (error.retryAfter ?? 0) > maxRetryAfter) throw error;
    const decide = async () => shouldRetry({ error, retryCount: this.#attempts });
    const isRetried = (await abortable(decide(), this.#scope.signal)) ?? isTransient(error);
    const delay = this.#delayAfter(error);
    if (!isRetried || delay >= this.#total - this.#elapsed()) throw error;
    this.#settings.instrumentation.onRetry?.({ ...this.#event(), error, duration, delay });
    return true;
  }

  /** Converts ky's timeout error to ours; returns any other error unchanged. */
  #toOwnError(error: unknown): unknown {
    return error instanceof KyTimeoutError
      ? new TimeoutError("attempt", this.#request.timeout, this.#context())
      : error;
  }
}
