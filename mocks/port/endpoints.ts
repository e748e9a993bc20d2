// The endpoints of a port: which requests go to the admin API, the page, its views, tools and the
// service itself, and which are admitted.
import { readFileSync } from "node:fs";
import { createInspectApi } from "../inspect/index.ts";
import { yieldToEventLoop } from "../message/event-loop.ts";
import {
  errorResponse,
  jsonHeaders,
  type Respond,
  type ServiceRequest,
  type ServiceResponse,
} from "../message/message.ts";
import { noStrings, withoutKey } from "../message/notes.ts";
import { isPreflight, preflight } from "../service/cors.ts";
import { createObserverApi } from "../service/explorer-api.ts";
import { handleRequest, toErrorResponse } from "../service/handle-request.ts";
import type { ExplorerOptions } from "../service/options.ts";
import type { Service } from "../service/service.ts";
import { checkDestination, checkOrigin, createAdminCheck } from "./access.ts";
import { adminApi } from "./admin/index.ts";
import { ADMIN_ROOT } from "./admin/operations.ts";
import { createEtherscan, isEtherscan } from "./etherscan.ts";
import { createPage, inPackage, isOfPage } from "./page.ts";
import { ConnectionClosed, type IncomingRequest } from "./request.ts";
import { asData, openCors } from "./send.ts";
import { createSourcify, SOURCIFY_ROOT } from "./sourcify.ts";

/** A part of a port with its own rules of admission. */
export interface Endpoint {
  /** Whether this endpoint handles a request. */
  takes(request: IncomingRequest): boolean;
  /** Throws a {@link ServiceError} if the request may not enter, before its body is read. */
  readonly admit?: (request: IncomingRequest) => void;
  readonly respond: Respond;
  /** Whether browsers load it as a document or a script. */
  readonly isPage?: boolean;
  /** Headers of every response, including refusals. */
  readonly headers: ServiceResponse["headers"];
  /** Called with each response, if no journal lists the requests. */
  readonly note?: (request: ServiceRequest, response: ServiceResponse, startedAt: number) => void;
}

/** Prevents caching, because the next block may change the response. */
const changing = { "cache-control": "no-store", ...asData } as const;

/** Responds to a request at an endpoint, once it is admitted and its body is read. */
export async function respondAt(
  endpoint: Endpoint,
  request: IncomingRequest,
): Promise<ServiceResponse> {
  const startedAt = endpoint.note ? performance.now() : 0;
  let response: ServiceResponse;
  try {
    if (!endpoint.isPage) checkDestination(request);
    endpoint.admit?.(request);
    if (request.hasBody) {
      await request.readBody();
      await yieldToEventLoop();
    }
    response = await endpoint.respond(request);
  } catch (error) {
    // The client has gone, so there is nobody to respond to.
    if (error instanceof ConnectionClosed) throw error;
    response = toErrorResponse(error);
  }
  endpoint.note?.(request, response, startedAt);
  return response;
}

/** `/admin`, on or off. */
function adminEndpoint(service: Service, token: string | undefined): Endpoint {
  const takes = ({ target }: IncomingRequest) => target.startsWith(ADMIN_ROOT);
  if (token === undefined) {
    const off = "the admin API is off; `admin: true` and --admin turn it on";
    return { takes, respond: () => errorResponse(404, off), headers: asData };
  }
  // Exchanges are kept only where the admin API can show them.
  service.requests.exchanges.isOn = true;
  return {
    takes,
    admit: createAdminCheck(token),
    respond: (request) =>
      request.target === `${ADMIN_ROOT}openapi.json`
        ? document("admin.openapi.json")
        : handleRequest(adminApi, service, request),
    // Without CORS, so that no page of another origin reads the response.
    headers: asData,
  };
}

/** An OpenAPI document of the package. */
function document(name: "openapi.json" | "admin.openapi.json"): ServiceResponse {
  const path = inPackage(name);
  if (path === undefined) return errorResponse(404, `this build has no ${name}`);
  return { status: 200, headers: jsonHeaders, body: readFileSync(path, "utf8") };
}

/** The beginning of the paths of `/inspect`. */
const INSPECT_ROOT = "/inspect/";

/**
 * The beginning of the paths at which the operations of `/v1` respond without faults and journal.
 */
const OBSERVER_ROOT = "/inspect/v1/";

/**
 * `/inspect`: the data of the page, for callers with an API key, but not for pages of other
 * origins.
 */
function inspectEndpoint(service: Service, isAdmin: boolean): Endpoint {
  const inspectApi = createInspectApi(isAdmin);
  const observerApi = createObserverApi(service.api);
  return {
    takes: ({ target }) => target.startsWith(INSPECT_ROOT),
    admit: (request) => checkOrigin(request, "/inspect"),
    respond(request) {
      const { method, target, headers, body } = request;
      if (!target.startsWith(OBSERVER_ROOT)) return handleRequest(inspectApi, service, request);
      const observerRequest = {
        method,
        target: target.slice(INSPECT_ROOT.length - 1),
        headers,
        body,
      };
      return handleRequest(observerApi, service, observerRequest);
    },
    headers: changing,
  };
}

function health({ chain, live }: Service, { method }: ServiceRequest): ServiceResponse {
  if (method !== "GET" && method !== "HEAD")
    return errorResponse(405, `expected GET or HEAD, received ${method.slice(0, 20)}`, null, {
      allow: "GET, HEAD",
    });
  const unavailable = live?.unavailable();
  const body = {
    status: unavailable ?? "ok",
    head: chain.length > 0 ? `${chain.head.number}` : null,
    ...live?.health(),
  };
  const status = unavailable === undefined ? 200 : 503;
  return { status, headers: jsonHeaders, body: JSON.stringify(body) };
}

/** Reports a request that no journal lists to the option `onRequest`. */
const noteFor =
  (onRequest: NonNullable<ExplorerOptions["onRequest"]>): NonNullable<Endpoint["note"]> =>
  (request, { status, message }, startedAt) => {
    const { method, target } = request;
    const times = { at: Date.now(), duration: performance.now() - startedAt };
    const empty = { operation: undefined, input: undefined, notes: noStrings, faults: noStrings };
    const shown = { number: 0, method, target: withoutKey(target) };
    onRequest({ ...shown, ...empty, status, message, ...times }, request);
  };

export interface EndpointOptions {
  /** Undefined if the admin API is off. */
  readonly token: string | undefined;
  readonly page: boolean;
}

/** The endpoints of a port, in order: the first that takes a request responds. */
export const createEndpoints = (
  service: Service,
  { token, page }: EndpointOptions,
): readonly Endpoint[] => {
  const pageEndpoint: Endpoint = {
    // Monitors send HEAD requests that do not accept HTML.
    takes: ({ method, target, headers }) =>
      isOfPage(target, headers) || (method === "HEAD" && target === "/"),
    respond: createPage(),
    isPage: true,
    headers: {},
  };
  /** Endpoints whose requests no journal lists. */
  const unlisted: readonly Endpoint[] = [
    adminEndpoint(service, token),
    ...(page ? [inspectEndpoint(service, token !== undefined), pageEndpoint] : []),
    { takes: isPreflight, respond: preflight, headers: asData },
    {
      takes: ({ target }) => target === "/health" || target.startsWith("/health?"),
      respond: (request) => health(service, request),
      headers: openCors,
    },
    {
      takes: ({ method, target }) => target === "/openapi.json" && /^(GET|HEAD)$/.test(method),
      respond: () => document("openapi.json"),
      headers: openCors,
    },
  ];
  const { onRequest } = service.options;
  const note = onRequest && { note: noteFor(onRequest) };
  return [
    ...unlisted.map((endpoint) => ({ ...endpoint, ...note })),
    {
      takes: ({ target }) => isEtherscan(target),
      respond: createEtherscan(service),
      headers: openCors,
    },
    {
      takes: ({ target }) => target.startsWith(SOURCIFY_ROOT),
      respond: createSourcify(service),
      headers: openCors,
    },
    // Everything else is an operation of the specification, or 404.
    {
      takes: () => true,
      respond: (request) => handleRequest(service.api, service, request),
      headers: openCors,
    },
  ];
};
