// One attempt: the key, the exchange with its redirects, the body. ky calls it in place of fetch, and limits its time.
import { ConnectionError, ExplorerError, RedirectError } from "../errors/index.ts";
import { excerpt, redactor, sanitizeError } from "../errors/redact.ts";
import { abortable } from "./abort.ts";
import { readBody, readBodyExcerpt, UnreadableBody } from "./body.ts";
import { type ReadResponse, type ResponseContext, unreadable } from "./envelope.ts";
import type { RequestEvent } from "./hooks.ts";
import type { TransportSettings } from "./transport.ts";

/** Sends a request until its signal is aborted; throws where no complete response comes of it. */
export async function attempt(
  request: Request,
  event: RequestEvent,
  { operation, context }: Omit<ResponseContext, "redact">,
  { apiKey: keyFor, fetch, instrumentation: watch, maxResponseBytes }: TransportSettings,
): Promise<ReadResponse> {
  const { signal } = request;
  const within = <T>(promise: Promise<T>) => abortable(promise, signal);
  let redact = redactor(undefined);
  try {
    const key = await within(keyFor(signal));
    redact = redactor(key);
    request.headers.set("api-key", key);
    watch.onRequest(event);
    const sent = performance.now();
    const refuse = (why: string, location?: string) =>
      new RedirectError(why, location && excerpt(location, redact, 300), context());
    const response = await within(follow(request, fetch, refuse));
    const { text, bytes } = await within(
      response.ok
        ? readBody(response, maxResponseBytes, signal)
        : readBodyExcerpt(response, signal),
    ).catch((error: unknown) => {
      if (error instanceof UnreadableBody)
        throw unreadable({ operation, context, redact }, response, error.message);
      throw error;
    });
    const duration = performance.now() - sent;
    watch.onResponse({ ...event, status: response.status, duration, bytes });
    return { response, text, redact, attempts: event.attempt };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ExplorerError) throw error;
    const cause = sanitizeError(error, redact);
    throw new ConnectionError(`No answer: ${deepest(cause)}`, { ...context(), cause });
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** More than anybody needs within one origin; a loop ends here. */
const MOST_REDIRECTS = 5;

/**
 * Sends a request, and goes where redirects of a GET lead as long as that is within the same origin; refuses all
 * others. By hand, for fetch itself would take the api-key along to any other origin.
 */
async function follow(
  request: Request,
  fetch: TransportSettings["fetch"],
  refuse: (why: string, location?: string) => RedirectError,
): Promise<Response> {
  const { origin } = new URL(request.url);
  let next = request;
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(next);
    if (response.type === "opaqueredirect") throw refuse("a browser does not say where it leads");
    if (response.redirected && new URL(response.url).origin !== origin)
      throw refuse("the given fetch followed it to another origin");
    if (!REDIRECTS.has(response.status)) return response;

    response.body?.cancel().catch(() => {});
    const location = response.headers.get("location") ?? "";
    if (location === "" || !URL.canParse(location, next.url))
      throw refuse("it names no place to go", location);
    const url = new URL(location, next.url);
    if (url.origin !== origin)
      throw refuse(
        `it leads away from ${origin}, and the api-key must not go there. If the service has moved, set baseUrl`,
        location,
      );
    if (request.method !== "GET")
      throw refuse(`a ${request.method} is not sent again elsewhere`, location);
    if (redirects === MOST_REDIRECTS)
      throw refuse(`it is number ${redirects + 1} in a row`, location);
    next = new Request(url, request);
  }
}

/** What went wrong on the way, told by its deepest cause. */
function deepest(error: Error): string {
  if (error.cause instanceof Error) return deepest(error.cause);
  return error.message || ("code" in error ? String(error.code) : error.name);
}
