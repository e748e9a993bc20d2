// MSW handlers: one for each operation, and one for everything else below the base URL.
import { type HttpHandler, HttpResponse, type HttpResponseResolver, http } from "msw";
import { type OperationId, operations } from "../../src/contract/index.ts";
import type { Explorer } from "../create-explorer.ts";
import { targetBelow, toResponseParts, toServiceRequest } from "../service/fetch.ts";

/** MSW handlers by the number of the operation. */
export type Handlers = { readonly [Id in OperationId]: HttpHandler };

/**
 * A handler of the requests that `takes` selects. The service's own router decides: MSW's patterns treat unusual paths differently, and its
 * first versions do not accept a function instead.
 */
export const handlerOf = (
  takes: (request: Request) => boolean,
  resolver: HttpResponseResolver,
): HttpHandler =>
  Object.assign(http.all(/./, resolver), {
    predicate: ({ request }: { readonly request: Request }) => takes(request),
  });

/** How many ids to remember; the oldest are dropped, because some are never looked up. */
const MAX_IDS = 10_000;

const handledIds = new Set<string>();

/** Remembers MSW's id of a request that the service responded to; its violations are deliberate. */
export function rememberHandled(requestId: string): void {
  handledIds.add(requestId);
  if (handledIds.size <= MAX_IDS) return;
  for (const oldest of handledIds) {
    handledIds.delete(oldest);
    return;
  }
}

export const wasHandled = (requestId: string): boolean => handledIds.has(requestId);

/** Responds as every other transport does. */
const resolverOf =
  ({ baseUrl, dispatch }: Explorer): HttpResponseResolver =>
  async ({ request, requestId }) => {
    const target = targetBelow(baseUrl, request.url);
    if (target === undefined) return undefined;
    const response = await dispatch(await toServiceRequest(request, target));
    // MSW itself ends a request that the caller aborts.
    if (response.delivery?.kind === "never") return new Promise<never>(() => {});
    rememberHandled(requestId);
    return response.delivery?.kind === "reset"
      ? HttpResponse.error()
      : new HttpResponse(...toResponseParts(response, request));
  };

/**
 * MSW handlers for single operations: `createOperationHandlers(mock).A2`.
 * Throws a {@link FaultError} if MSW cannot express an active fault.
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
  const entries = Object.values(operations).map(({ id }) => {
    const takes = ({ method, url }: Request) => {
      const target = targetBelow(explorer.baseUrl, url);
      return target !== undefined && explorer.operations.operationOf(method, target) === id;
    };
    return [id, handlerOf(takes, resolver)] as const;
  });
  return Object.fromEntries(entries) as Handlers;
}

/** Whether a page shares its origin with the explorer: then only paths below `/v1` are the explorer's. */
const sharesOrigin = (baseUrl: string): boolean =>
  (globalThis as { location?: { origin: string } }).location?.origin === new URL(baseUrl).origin;

/** Responds to requests without an operation as the service does: 404, 405. */
function createFallbackHandler(explorer: Explorer): HttpHandler {
  const { baseUrl } = explorer;
  const within = sharesOrigin(baseUrl) ? `${explorer.operations.prefix}/` : "";
  const takes = ({ url }: Request) => targetBelow(baseUrl, url)?.startsWith(within) === true;
  return handlerOf(takes, resolverOf(explorer));
}

/**
 * MSW handlers for the whole explorer: every operation, and 404 or 405 for everything else below the base URL.
 * Throws a {@link FaultError} if MSW cannot express an active fault.
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
