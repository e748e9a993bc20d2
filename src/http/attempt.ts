// One attempt: adds the API key, follows redirects, reads the body. ky calls it as fetch and limits its time.
import { ConnectionError, ExplorerError, RedirectError } from "../errors/index.ts";
import { excerpt, redactionOf, redactor, sanitizeError } from "../errors/redact.ts";
import { abortable } from "./abort.ts";
import { InvalidBodyError, readBody, readBodyExcerpt } from "./body.ts";
import { invalidBody, type ReadResponse, type ResponseContext } from "./envelope.ts";
import type { RequestEvent } from "./hooks.ts";
import { rootMessage } from "./root-message.ts";
import type { TransportSettings } from "./transport-settings.ts";

/** Sends a request until its signal aborts, after `timeout` milliseconds; throws if no complete response arrives. */
export async function attempt(
  request: Request,
  timeout: number,
  event: RequestEvent,
  { operation, context }: Omit<ResponseContext, "redact">,
  { apiKey, fetch, instrumentation, maxResponseBytes }: TransportSettings,
): Promise<ReadResponse> {
  const { signal } = request;
  const untilAborted = <T>(promise: Promise<T>) => abortable(promise, signal);
  let redact = redactor(undefined);
  try {
    const key = await untilAborted(apiKey(signal));
    redact = redactor(key);
    request.headers.set("api-key", key);
    instrumentation.onRequest(event);
    const sentAt = performance.now();
    const redirectError = (reason: string, location?: string) =>
      new RedirectError(
        reason,
        location && excerpt(withoutCredentials(location), redact, 300),
        context(),
      );
    const response = await untilAborted(followRedirects(request, fetch, redirectError));
    redactionOf.set(response, redact);
    const { text, bytes } = await untilAborted(
      response.ok
        ? readBody(response, maxResponseBytes, signal)
        : readBodyExcerpt(response, timeout - (performance.now() - sentAt), signal),
    ).catch((error: unknown) => {
      if (error instanceof InvalidBodyError)
        throw invalidBody({ operation, context, redact }, response, error.message);
      throw error;
    });
    const duration = performance.now() - sentAt;
    instrumentation.onResponse({ ...event, status: response.status, duration, bytes });
    return { response, text, redact, attempts: event.attempt };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ExplorerError) throw error;
    const cause = sanitizeError(error, redact);
    throw new ConnectionError(`Connection failed: ${rootMessage(cause)}`, { ...context(), cause });
  }
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/**
 * Sends a request and follows redirects of a GET within the same origin; rejects all others. `fetch` itself would send the API key to the
 * other origin.
 */
async function followRedirects(
  request: Request,
  fetch: TransportSettings["fetch"],
  redirectError: (reason: string, location?: string) => RedirectError,
): Promise<Response> {
  const { origin } = new URL(request.url);
  let next = request;
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(next);
    if (response.type === "opaqueredirect")
      throw redirectError("browsers do not reveal its location");
    if (response.redirected && new URL(response.url).origin !== origin)
      throw redirectError("the custom fetch followed it to another origin");
    if (!REDIRECT_STATUSES.has(response.status)) return response;

    response.body?.cancel().catch(() => {});
    const location = response.headers.get("location") ?? "";
    if (location === "" || !URL.canParse(location, next.url))
      throw redirectError("its location is missing or invalid", location);
    const url = new URL(location, next.url);
    if (url.origin !== origin)
      throw redirectError(
        `it leads away from ${origin}, which would expose the API key. If the service has moved, change baseUrl`,
        location,
      );
    if (url.username || url.password)
      throw redirectError("its location contains a user or a password", location);
    if (request.method !== "GET")
      throw redirectError(`a ${request.method} request is not repeated at another URL`, location);
    if (redirects === MAX_REDIRECTS)
      throw redirectError(`${redirects + 1} redirects in a row`, location);
    next = new Request(url, request);
  }
}

/** A location without user and password, even if it is no valid URL. */
const withoutCredentials = (location: string): string =>
  location.replace(/^([^/\\]*[/\\]{2})?[^/\\?#]*@/, "$1");
