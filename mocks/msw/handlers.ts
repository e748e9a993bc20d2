// The door for MSW: a handler for each operation, and one for everything else below the base address.
import { type HttpHandler, HttpResponse, type HttpResponseResolver, http } from "msw";
import { type OperationId, operations } from "../../src/contract/index.ts";
import type { Explorer } from "../explorer.ts";
import { targetBelow, toServiceRequest } from "../transports/request.ts";
import { toResponseParts } from "../transports/response.ts";
import { routeOf } from "../transports/router.ts";

/** MSW's handlers, by the number of the operation. */
export type Handlers = { readonly [Id in OperationId]: HttpHandler };

/** Which requests a handler is for. The service's own routing tells: MSW's patterns read odd paths in their own way. */
type RequestPredicate = (asked: { readonly request: Request }) => boolean;

/** Ids are forgotten the oldest first, for nobody may ever ask for them. */
const maxIds = 10_000;

const answeredIds = new Set<string>();

/** Remembers MSW's id of a request. */
export function noteAnswered(requestId: string): void {
  answeredIds.add(requestId);
  if (answeredIds.size <= maxIds) return;
  for (const oldest of answeredIds) {
    answeredIds.delete(oldest);
    return;
  }
}

export const wasAnswered = (requestId: string): boolean => answeredIds.has(requestId);

/** Answers a request as through every other door. */
const resolverOf =
  ({ baseUrl, dispatch: answer }: Explorer): HttpResponseResolver =>
  async ({ request, requestId }) => {
    const target = targetBelow(baseUrl, request.url);
    if (target === undefined) return undefined;
    const reply = await answer(await toServiceRequest(request, target));
    // MSW itself ends a request that its sender has given up.
    if (reply.delivery?.kind === "never") return new Promise<never>(() => {});
    noteAnswered(requestId);
    return reply.delivery?.kind === "reset"
      ? HttpResponse.error()
      : new HttpResponse(...toResponseParts(reply, request.signal));
  };

/**
 * MSW's handlers for single operations: `createOperationHandlers(mock).A2`.
 * It throws a {@link FaultError} where a fault is arranged that cannot pass through MSW.
 *
 * @example
 * ```ts
 * import { setupServer } from "msw/node";
 *
 * const { A1, A2 } = createOperationHandlers(mock);
 * const server = setupServer(A1, A2);
 * ```
 */
export function createOperationHandlers(explorer: Explorer): Handlers {
  explorer.faults.attach("msw");
  const resolver = resolverOf(explorer);
  const entries = Object.values(operations).map(({ id, method }) => {
    const takes: RequestPredicate = ({ request }) => {
      const target = targetBelow(explorer.baseUrl, request.url);
      return target !== undefined && routeOf(request.method, target)?.id === id;
    };
    const handler = method === "GET" ? http.get(takes, resolver) : http.post(takes, resolver);
    return [id, handler] as const;
  });
  return Object.fromEntries(entries) as Handlers;
}

/** Whether a page asks the explorer under its own origin: there, what is not below `/v1` is the page's. */
const sharesOrigin = (baseUrl: string): boolean =>
  (globalThis as { location?: { origin: string } }).location?.origin === new URL(baseUrl).origin;

/** Answers what no operation takes, as the service does: 404, 405. */
function createFallbackHandler(explorer: Explorer): HttpHandler {
  const { baseUrl } = explorer;
  const within = sharesOrigin(baseUrl) ? "/v1/" : "";
  const takes: RequestPredicate = ({ request }) =>
    targetBelow(baseUrl, request.url)?.startsWith(within) === true;
  return http.all(takes, resolverOf(explorer));
}

/**
 * MSW's handlers for a whole explorer: every operation, and 404 or 405 for everything else below the base address.
 * It throws a {@link FaultError} where a fault is arranged that cannot pass through MSW.
 *
 * @example
 * ```ts
 * import { setupServer } from "msw/node";
 *
 * const server = setupServer(...createHandlers(mock));
 * ```
 */
export const createHandlers = (explorer: Explorer): HttpHandler[] => [
  ...Object.values(createOperationHandlers(explorer)),
  createFallbackHandler(explorer),
];
