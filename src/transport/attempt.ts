// One attempt: the key, the exchange, the body, all within the time of one attempt.
import {
  ConnectionError,
  type ErrorContext,
  ExplorerError,
  TimeoutError,
} from "../errors/index.ts";
import { type Redact, redactor, sanitised } from "../errors/redact.ts";
import { type Reading, type Received, readRefusal, readResults, unreadable } from "./answer.ts";
import { quoteBody, readBody, UnreadableBody } from "./body.ts";
import { follow } from "./follow.ts";
import type { RequestEvent } from "./hooks.ts";
import type { PreparedRequest } from "./request.ts";
import type { TransportSettings } from "./transport.ts";
import { abortable, Scope } from "./wait.ts";

/** What one attempt is about. */
export interface Attempt {
  readonly request: PreparedRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly event: RequestEvent;
  readonly context: () => ErrorContext;
}

/** Sends a request once; throws what came of it if that is not a success. */
export async function attempt(
  { request, headers, timeout, signal, event, context }: Attempt,
  settings: TransportSettings,
): Promise<Received> {
  const scope = new Scope()
    .follow(signal)
    .limit(timeout, () => new TimeoutError("attempt", timeout, context()));
  const within = <T>(promise: Promise<T>) => abortable(promise, scope.signal);
  let redact: Redact = redactor(undefined);
  try {
    const key = await within(settings.key(scope.signal));
    redact = redactor(key);
    const reading: Reading = { operation: request.operation, redact, context };
    const { url, body } = request;
    const { method } = request.operation;
    settings.watch.onRequest(event);
    const sent = performance.now();
    const response = await within(
      follow({
        method,
        url,
        body,
        headers: {
          accept: "application/json",
          ...headers,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          "api-key": key,
        },
        fetch: settings.fetch,
        signal: scope.signal,
        redact,
        context,
      }),
    );
    const { text, bytes } = await within(
      response.ok
        ? readBody(response, settings.maxResponseBytes, scope.signal)
        : quoteBody(response, scope.signal),
    ).catch((error: unknown) => {
      if (error instanceof UnreadableBody) throw unreadable(reading, response, error.message);
      throw error;
    });
    const duration = performance.now() - sent;
    settings.watch.onResponse({ ...event, status: response.status, duration, bytes });
    if (!response.ok) throw readRefusal(reading, response, text);
    const results = readResults(reading, response, text);
    return { response, text, results, redact, attempts: event.attempt };
  } catch (error) {
    if (scope.signal.aborted) throw scope.signal.reason;
    throw error instanceof ExplorerError ? error : connectionError(error, redact, context());
  } finally {
    scope.close();
  }
}

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
