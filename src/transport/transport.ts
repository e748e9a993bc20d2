// The way to the service and back: one call of an operation, with its turn, its attempts, its pauses and its limits.
import ky from "ky";
import type { AnyOperation, OperationInput, OperationResults } from "../contract/index.ts";
import {
  ApiError,
  ConnectionError,
  type ErrorContext,
  ExplorerError,
  RateLimitError,
  RedirectError,
  ResponseValidationError,
  TimeoutError,
} from "../errors/index.ts";
import { excerpt, type Redact, redactor, sanitised } from "../errors/redact.ts";
import type { Issue } from "../models/kind.ts";
import { type Reading, type Received, readRefusal, readResults, unreadable } from "./answer.ts";
import { quoteBody, readBody, UnreadableBody } from "./body.ts";
import type { Answer, Call, RequestOptions } from "./call.ts";
import { Gate, type RateLimit } from "./gate.ts";
import type { Watch } from "./hooks.ts";
import { refuseKeyHeader } from "./key.ts";
import { type PreparedRequest, prepare } from "./request.ts";
import { backoff, mayRetry, type RetryPolicy } from "./retry.ts";
import { Shared } from "./shared.ts";
import { abortable, Scope, sleep } from "./wait.ts";

/** Everything the transport needs to know, defaults filled in. */
export interface TransportSettings {
  readonly baseUrl: URL;
  readonly key: () => Promise<string>;
  readonly fetch: typeof globalThis.fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: number;
  readonly totalTimeout: number | undefined;
  readonly retry: RetryPolicy;
  readonly concurrency: number;
  readonly rateLimit: RateLimit | undefined;
  readonly dedupe: boolean;
  readonly maxResponseBytes: number;
  readonly validation: "strict" | "lenient";
  readonly watch: Watch;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** More than anybody needs within one origin; a loop ends here. */
const MOST_REDIRECTS = 5;

export function createTransport(settings: TransportSettings): Call {
  const { baseUrl, watch } = settings;
  const base = baseUrl.href.replace(/\/+$/, "");
  const gate = new Gate(settings.concurrency, settings.rateLimit);
  const shared = new Shared<Received>();
  /** Knows the key as soon as it was used. */
  let redact: Redact = redactor(undefined);

  return async function call<Op extends AnyOperation>(
    operation: Op,
    input: OperationInput<Op>,
    options: RequestOptions = {},
  ): Promise<Answer<OperationResults<Op>>> {
    const request = prepare(base, operation, input);
    refuseKeyHeader(options.headers);
    const { signal, ...others } = options;
    signal?.throwIfAborted();
    const received =
      operation.method === "GET" && (options.dedupe ?? settings.dedupe)
        ? await shared.join(JSON.stringify([request.url, others]), signal, (end) =>
            obtain(request, others, end),
          )
        : await obtain(request, options, signal);
    return { data: decode(request, received), response: received.response };
  };

  /** All attempts of one request. */
  async function obtain(
    request: PreparedRequest,
    options: RequestOptions,
    signal: AbortSignal | undefined,
  ): Promise<Received> {
    const { operation } = request;
    const policy = { ...settings.retry, limit: options.retry ?? settings.retry.limit };
    const total = options.totalTimeout ?? settings.totalTimeout;
    const began = performance.now();
    const ticket = gate.ticket();
    let attempt = 0;
    const context = (): ErrorContext => ({
      operation: operation.id,
      method: operation.method,
      url: request.url,
      attempts: attempt,
      elapsed: performance.now() - began,
    });
    const left = () =>
      total === undefined ? Number.POSITIVE_INFINITY : began + total - performance.now();
    const scope = new Scope()
      .follow(signal)
      .limit(total, () => new TimeoutError("total", total ?? 0, context()));
    try {
      for (;;) {
        if (gate.held > left()) throw heldBack(gate.held, context());
        const waitingSince = performance.now();
        const leave = await gate.enter(ticket, scope.signal);
        attempt++;
        try {
          const waited = performance.now() - waitingSince;
          const received = await send(request, options, scope.signal, { attempt, waited, context });
          gate.succeeded();
          return received;
        } catch (error) {
          const delay = pauseAfter(error, operation, policy, attempt);
          if (error instanceof RateLimitError)
            gate.hold(Math.min(error.retryAfter ?? delay ?? 0, policy.maxRetryAfter));
          if (delay === undefined || delay > left() || !(error instanceof ExplorerError))
            throw error;
          leave();
          watch.onRetry({ ...about(request, attempt), error, delay });
          await sleep(delay, scope.signal);
        } finally {
          leave();
        }
      }
    } finally {
      scope.close();
    }
  }

  /** One attempt: the key, the request, redirects within the origin, the body. */
  async function send(
    request: PreparedRequest,
    options: RequestOptions,
    signal: AbortSignal,
    state: { attempt: number; waited: number; context: () => ErrorContext },
  ): Promise<Received> {
    const { operation } = request;
    const { context } = state;
    const limit = options.timeout ?? settings.timeout;
    const scope = new Scope()
      .follow(signal)
      .limit(limit, () => new TimeoutError("attempt", limit, context()));
    try {
      const key = await abortable(settings.key(), scope.signal);
      redact = redactor(key);
      const reading: Reading = { operation, redact, context };
      const event = { ...about(request, state.attempt), waited: state.waited };
      watch.onRequest(event);
      const sent = performance.now();
      const response = await abortable(
        follow(request, options, key, scope.signal, context),
        scope.signal,
      );
      if (!response.ok) {
        const text = await abortable(quoteBody(response, scope.signal), scope.signal);
        answered(text.length);
        throw readRefusal(reading, response, text);
      }
      const { text, bytes } = await abortable(
        readBody(response, settings.maxResponseBytes, scope.signal),
        scope.signal,
      ).catch((error: unknown) => {
        throw error instanceof UnreadableBody
          ? unreadable(reading, response, error.message)
          : error;
      });
      answered(bytes);
      return { response, text, results: readResults(reading, response, text) };

      function answered(size: number) {
        watch.onResponse({
          ...event,
          status: response.status,
          duration: performance.now() - sent,
          bytes: size,
        });
      }
    } catch (error) {
      if (scope.signal.aborted) throw scope.signal.reason;
      throw error instanceof ExplorerError ? error : connectionError(error, redact, context());
    } finally {
      scope.close();
    }
  }

  /**
   * Asks, and goes where redirects lead as long as that is within the origin of `baseUrl`: fetch itself would take the
   * api-key along to any other.
   */
  async function follow(
    { operation, url, body }: PreparedRequest,
    options: RequestOptions,
    key: string,
    signal: AbortSignal,
    context: () => ErrorContext,
  ): Promise<Response> {
    let target = url;
    for (let redirects = 0; ; redirects++) {
      const response = await ky(target, {
        method: operation.method,
        headers: {
          accept: "application/json",
          ...settings.headers,
          ...options.headers,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          "api-key": key,
        },
        ...(body === undefined ? {} : { body }),
        fetch: settings.fetch as typeof globalThis.fetch,
        redirect: "manual",
        retry: 0,
        timeout: false,
        throwHttpErrors: false,
        signal,
      });
      if (response.type === "opaqueredirect")
        throw new RedirectError("a browser does not say where it leads", undefined, context());
      if (response.redirected && new URL(response.url).origin !== baseUrl.origin)
        throw new RedirectError(
          "the given fetch followed it to another origin",
          response.url,
          context(),
        );
      if (!REDIRECTS.has(response.status)) return response;

      response.body?.cancel().catch(() => {});
      const location = response.headers.get("location") ?? "";
      const shown = excerpt(location, redact, 300);
      const next = URL.canParse(location, target) ? new URL(location, target) : undefined;
      if (location === "" || next === undefined)
        throw new RedirectError("it names no place to go", shown, context());
      if (next.origin !== baseUrl.origin)
        throw new RedirectError(
          `it leads away from ${baseUrl.origin}, and the api-key must not go there. If the service has moved, set baseUrl`,
          shown,
          context(),
        );
      if (operation.method !== "GET")
        throw new RedirectError(`a ${operation.method} is sent to baseUrl only`, shown, context());
      if (redirects === MOST_REDIRECTS)
        throw new RedirectError(
          `${MOST_REDIRECTS} redirects lie behind it already`,
          shown,
          context(),
        );
      target = next.href;
    }
  }

  function decode<Op extends AnyOperation>(
    { operation, url, wire }: PreparedRequest & { readonly operation: Op },
    { results, response, text }: Received,
  ): OperationResults<Op> {
    const kind =
      wire.simple === true ? (operation.simpleResults ?? operation.results) : operation.results;
    const issues: Issue[] = [];
    const data = kind.decode(results, issues);
    if (issues.length === 0) return data;
    const told = issues.map((issue) => ({
      ...issue,
      path: operation.enveloped ? ["results", ...issue.path] : issue.path,
      received: typeof issue.received === "string" ? redact(issue.received) : issue.received,
    }));
    if (settings.validation === "strict" || issues.some(({ structural }) => structural))
      throw new ResponseValidationError(
        issues.length === 1
          ? "A field of the answer is not what the specification says"
          : `${issues.length} fields of the answer are not what the specification says`,
        {
          operation: operation.id,
          method: operation.method,
          url,
          issues: told,
          httpStatus: response.status,
          body: excerpt(text, redact),
        },
      );
    for (const { path, expected, received } of told)
      watch.onValidationIssue({
        operation: operation.id,
        name: operation.name,
        url,
        path: path.join("."),
        expected,
        received,
      });
    return data;
  }
}

const about = ({ operation, url }: PreparedRequest, attempt: number) => ({
  operation: operation.id,
  name: operation.name,
  method: operation.method,
  url,
  attempt,
});

/** Milliseconds to wait before trying again; nothing if it is over. */
function pauseAfter(
  error: unknown,
  operation: AnyOperation,
  policy: RetryPolicy,
  attempt: number,
): number | undefined {
  if (attempt > policy.limit || !mayRetry(operation, error)) return undefined;
  const asked = error instanceof ApiError ? error.retryAfter : undefined;
  if (asked === undefined) return backoff(policy, attempt);
  return asked > policy.maxRetryAfter ? undefined : asked;
}

/** The client's own pause after a 429 is longer than the call has time for: it fails without being sent. */
const heldBack = (held: number, context: ErrorContext) =>
  new RateLimitError(
    "Not sent: the service has asked for a pause longer than totalTimeout leaves",
    {
      ...context,
      httpStatus: 429,
      retryAfter: held,
    },
  );

/** What went wrong on the way, told by its deepest cause. */
function connectionError(error: unknown, redact: Redact, context: ErrorContext): ConnectionError {
  // The HTTP library's own error around it says nothing more.
  const thrown =
    error instanceof Error && error.name === "NetworkError" ? (error.cause ?? error) : error;
  const cause = sanitised(thrown, redact);
  let deepest = cause;
  while (deepest.cause instanceof Error) deepest = deepest.cause;
  const said = deepest.message || ("code" in deepest ? String(deepest.code) : deepest.name);
  return new ConnectionError(`No answer: ${said}`, { ...context, cause });
}
