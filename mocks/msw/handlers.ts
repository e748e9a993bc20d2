// The MSW handler of an explorer.
import { type HttpHandler, HttpResponse, type HttpResponseResolver, http } from "msw";
import { type Explorer, serviceOf } from "../explorer.ts";
import { keepRecent } from "../message/keep-recent.ts";
import type { Respond } from "../message/message.ts";
import { cors, preflight } from "../service/cors.ts";
import { targetBelow, toResponseParts, toServiceRequest } from "../service/fetch.ts";
import { handleRequest } from "../service/handle-request.ts";

/**
 * Creates a handler for the requests that `takes` accepts. Sets `predicate`, because MSW's patterns
 * treat unusual paths differently from the service's router, and MSW's first versions do not accept
 * a function in place of a pattern.
 */
export const handlerOf = (
  takes: (request: Request) => boolean,
  resolver: HttpResponseResolver,
): HttpHandler =>
  Object.assign(http.all(/./, resolver), {
    predicate: ({ request }: { readonly request: Request }) => takes(request),
  });

/** Number of ids to remember; the oldest are dropped, because some are never looked up. */
const MAX_IDS = 10_000;

/** MSW's ids of the requests that the service responded to; their violations are deliberate. */
const handledIds = new Map<string, true>();

export const wasHandled = (requestId: string): boolean => handledIds.has(requestId);

/** Responds to requests below a base URL like the other transports, and allows preflights. */
export const resolverOf =
  (baseUrl: string, respond: Respond): HttpResponseResolver =>
  async ({ request, requestId }) => {
    const target = targetBelow(baseUrl, request.url);
    if (target === undefined) return undefined;
    const incoming = await toServiceRequest(request, target);
    // Treats every OPTIONS request as a preflight: no operation has this method, and some DOM
    // environments send preflights without their headers.
    const isPreflight = incoming.method === "OPTIONS";
    const response = isPreflight ? preflight(incoming) : await respond(incoming);
    // MSW itself ends a request that the caller aborts.
    if (response.delivery?.kind === "never") return new Promise<never>(() => {});
    keepRecent(handledIds, requestId, true, MAX_IDS);
    if (response.delivery?.kind === "reset") return HttpResponse.error();
    // DOM environments and browsers hide a response without these headers from pages of other
    // origins.
    const openResponse = { ...response, headers: { ...response.headers, ...cors } };
    return new HttpResponse(...toResponseParts(openResponse, request));
  };

/**
 * Whether the page and the explorer share an origin. If so, only paths below `/v1` belong to the
 * explorer.
 */
const sharesOrigin = (baseUrl: string): boolean =>
  (globalThis as { location?: { origin: string } }).location?.origin === new URL(baseUrl).origin;

/**
 * The MSW handler for the whole explorer: every operation, and 404 or 405 for everything else below
 * the base URL.
 *
 * @example
 * ```ts
 * import { setupServer } from "msw/node";
 *
 * const server = setupServer(...createHandlers(mock));
 * ```
 */
export function createHandlers(explorer: Explorer): HttpHandler[] {
  const service = serviceOf(explorer, "createHandlers");
  const { baseUrl, api } = service;
  const ownPrefix = sharesOrigin(baseUrl) ? `${api.prefix}/` : "";
  const takes = ({ url }: Request) => targetBelow(baseUrl, url)?.startsWith(ownPrefix) === true;
  const respond: Respond = (request) => handleRequest(api, service, request);
  return [handlerOf(takes, resolverOf(baseUrl, respond))];
}
