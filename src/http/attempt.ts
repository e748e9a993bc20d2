// One attempt: gets the API key and headers, follows redirects, reads the body. ky calls it as its
// fetch function, and enforces the timeout.
import {
  ConnectionError,
  type ErrorContext,
  ExplorerError,
  RedirectError,
} from "../errors/index.ts";
import {
  excerpt,
  loadRedaction,
  type Redact,
  redactionOf,
  sanitizeError,
  unredacted,
} from "../errors/redact.ts";
import { abortable } from "./abort.ts";
import { cancelBody, InvalidBodyError, readBody, readBodyExcerpt } from "./body.ts";
import type { FetchInit, FetchResponse, ReadResponse } from "./fetch.ts";
import type { RequestEvent } from "./hooks.ts";
import { invalidBody } from "./invalid-body.ts";
import type { PreparedRequest } from "./request.ts";
import type { TransportSettings } from "./transport-settings.ts";

export interface OutgoingRequest extends PreparedRequest {
  /** All headers except the API key and the headers that `onRequest` adds, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetchOptions: Readonly<Record<string, unknown>>;
  readonly timeout: number;
}

/** Sends a request and reads its response. Throws if no complete response arrives. */
export async function attempt(
  request: OutgoingRequest,
  event: RequestEvent,
  context: () => ErrorContext,
  signal: AbortSignal,
  settings: TransportSettings,
): Promise<ReadResponse> {
  let redact: Redact = unredacted;
  const send = async (): Promise<ReadResponse> => {
    const key = await settings.apiKey(signal);
    redact = key.redact;
    signal.throwIfAborted();
    const added = await settings.instrumentation.onRequest?.(event);
    const { fetchOptions, operation, body } = request;
    const init: FetchInit = {
      ...fetchOptions,
      method: operation.method,
      headers: {
        ...request.headers,
        ...added,
        ...(key.value !== undefined && { "api-key": key.value }),
      },
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal,
    };
    const sentAt = performance.now();
    const redirectError = async (reason: string, location?: string) => {
      await loadRedaction();
      const target = location && excerpt(withoutCredentials(location), redact, 300);
      return new RedirectError(reason, target, context());
    };
    const response = await followRedirects(request.url, init, settings.fetch, redirectError);
    if (signal.aborted) cancelBody(response);
    const elapsed = () => performance.now() - sentAt;
    const { text, bytes } = response.ok
      ? await readBody(response, settings.maxResponseBytes, signal)
      : await readBodyExcerpt(response, request.timeout - elapsed(), signal);
    signal.throwIfAborted();
    const { status } = response;
    settings.instrumentation.onResponse?.({ ...event, status, duration: elapsed(), bytes });
    return { response: toResponse(response, text, redact), text, redact, attempts: event.attempt };
  };
  try {
    // Rejects on abort even if a key function or a custom fetch ignores the signal.
    return await abortable(send(), signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ExplorerError) throw error;
    await loadRedaction();
    if (error instanceof InvalidBodyError)
      throw invalidBody({ redact, context }, error.httpStatus, error.message);
    const cause = sanitizeError(error, redact);
    // If the advice cannot be loaded, the error still says what happened.
    const advice = await import("./advice.ts").catch(() => undefined);
    const lines = advice?.connectionAdvice(request.url);
    const lasting = advice?.isLasting(cause) ?? false;
    const details = { ...context(), cause, lines, lasting };
    const message = rootMessage(cause);
    const reason = advice?.reasonOf(message) ?? message;
    throw new ConnectionError(`Connection failed: ${reason}`, details);
  }
}

const NO_BODY_STATUSES = new Set([204, 205, 304]);

/** Converts a response of any fetch implementation to a `Response` with the text as its body. */
function toResponse(from: FetchResponse, text: string, redact: Redact): Response {
  const { status, statusText, url } = from;
  const headers = new Headers();
  from.headers.forEach((value, name) => {
    headers.append(name, value);
  });
  const body = NO_BODY_STATUSES.has(status) ? null : text;
  // The constructor refuses some statuses and reason phrases that servers send, such as 999:
  // https://fetch.spec.whatwg.org/#initialize-a-response
  const isAccepted = status >= 200 && status < 600;
  const response = new Response(body, { headers, ...(isAccepted && { status }) });
  return complete(response, { status, statusText, url, ok: from.ok }, redact);
}

/** Sets properties that the constructor of `Response` does not accept. */
function complete(
  response: Response,
  properties: Pick<FetchResponse, "ok" | "status" | "statusText" | "url">,
  redact: Redact,
): Response {
  for (const [name, value] of Object.entries(properties))
    Object.defineProperty(response, name, { value });
  redactionOf.set(response, redact);
  return response;
}

/** Copies a response, because each caller that shares a request may read the body. */
export function copyOf(response: Response): Response {
  const { ok, status, statusText, url } = response;
  const redact = redactionOf.get(response) ?? unredacted;
  return complete(response.clone(), { ok, status, statusText, url }, redact);
}

/** Returns the message of the innermost cause, because fetch's "fetch failed" gives no reason. */
export function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return rootMessage(error.cause);
  return error.message || ("code" in error ? String(error.code) : error.name);
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/**
 * Sends a request and follows redirects of a GET within its origin. Refuses all other redirects,
 * because they would send the API key to another origin.
 */
async function followRedirects(
  first: string,
  init: FetchInit,
  fetch: TransportSettings["fetch"],
  redirectError: (reason: string, location?: string) => Promise<RedirectError>,
): Promise<FetchResponse> {
  let next = first;
  for (let redirects = 0; ; redirects++) {
    // The attempt may have ended since the last redirect.
    init.signal.throwIfAborted();
    const response = await fetch(next, init);
    if (response.type === "opaqueredirect")
      throw await redirectError("browsers do not reveal its location");
    // Assumes a redirect in React Native, whose responses have no `redirected`.
    const { redirected = true, url = "" } = response;
    if (redirected && URL.canParse(url) && originOf(url) !== originOf(first))
      throw await redirectError("the custom fetch followed it to another origin");
    if (!REDIRECT_STATUSES.has(response.status)) return response;

    cancelBody(response);
    const location = response.headers.get("location") ?? "";
    const flaw = redirectFlaw(location, next, init.method);
    if (flaw) throw await redirectError(flaw, location);
    next = new URL(location, next).href;
    if (redirects === MAX_REDIRECTS)
      throw await redirectError(`${redirects + 1} redirects in a row`, location);
  }
}

const originOf = (url: string): string => new URL(url).origin;

/** Returns the reason not to follow a redirect; undefined if it is safe. */
function redirectFlaw(location: string, from: string, method: string): string | undefined {
  if (location === "" || !URL.canParse(location, from)) return "its location is missing or invalid";
  const { origin, password, username } = new URL(location, from);
  const ownOrigin = originOf(from);
  if (origin !== ownOrigin)
    return `it leads away from ${ownOrigin}, which would expose the API key. If the service has moved, change baseUrl`;
  if (username || password) return "its location contains a user or a password";
  return method === "GET" ? undefined : `a ${method} request is not repeated at another URL`;
}

/** Removes the user and password from a location, which may be an invalid URL. */
const withoutCredentials = (location: string): string =>
  location.replace(/^([^/\\]*[/\\]{2})?[^/\\?#]*@/, "$1");
