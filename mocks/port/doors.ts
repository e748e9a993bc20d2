// The doors of a port: which requests go to the admin API, the page, its views, tools and the service itself, and which may enter.
import { readFileSync } from "node:fs";
import type { Explorer } from "../create-explorer.ts";
import { inspection } from "../inspect/index.ts";
import type { AnswerWireOf } from "../inspect/views.ts";
import { ServiceError } from "../message/api.ts";
import { yieldToEventLoop } from "../message/event-loop.ts";
import {
  errorResponse,
  jsonHeaders,
  type ServiceRequest,
  type ServiceResponse,
} from "../message/message.ts";
import { noStrings, withoutKey } from "../message/notes.ts";
import {
  apiKeyOf,
  assertReady,
  createDispatcher,
  type Dispatch,
  toErrorResponse,
} from "../service/dispatcher.ts";
import { checkDestination, checkOrigin, createAdminCheck } from "./access.ts";
import { administration } from "./admin/index.ts";
import { ADMIN_ROOT } from "./admin/operations.ts";
import { createEtherscan, isEtherscan } from "./etherscan.ts";
import { createPage, inPackage, isOfPage } from "./page.ts";
import { ConnectionClosed, type IncomingRequest } from "./request.ts";
import { asData, openCors } from "./send.ts";
import { createSourcify, SOURCIFY_ROOT } from "./sourcify.ts";

/** A part of a port. */
export interface Door {
  /** Whether it takes a request. */
  takes(request: IncomingRequest): boolean;
  /** Throws a {@link ServiceError} if the request may not enter, before its body is read. */
  readonly admit?: (request: IncomingRequest) => void;
  readonly dispatch: Dispatch;
  /** Whether browsers load it as a document or a script. */
  readonly isPage?: boolean;
  /** Added to every response, including refusals. */
  readonly headers: ServiceResponse["headers"];
  /** Called with each response, where no journal lists the requests. */
  readonly note?: (request: ServiceRequest, response: ServiceResponse, startedAt: number) => void;
}

/** A response, and the headers that its door adds. */
export type DoorResponse = readonly [response: ServiceResponse, added: ServiceResponse["headers"]];

/** Without CORS, so that no page of another origin reads the response. */
const closed = asData;

/** Nothing keeps what changes with the next block. */
const changing = { "cache-control": "no-store", ...asData } as const;

/** Leads a request through a door: a promise only if it has to wait. */
export function enter(door: Door, request: IncomingRequest): DoorResponse | Promise<DoorResponse> {
  const startedAt = door.note ? performance.now() : 0;
  const answerWith = (response: ServiceResponse): DoorResponse => {
    door.note?.(request, response, startedAt);
    return [response, door.headers];
  };
  const refuse = (error: unknown): DoorResponse => {
    // Nobody waits for a response.
    if (error instanceof ConnectionClosed) throw error;
    return answerWith(toErrorResponse(error));
  };
  try {
    if (!door.isPage) checkDestination(request);
    door.admit?.(request);
    const response = request.hasBody
      ? request
          .readBody()
          .then(yieldToEventLoop)
          .then(() => door.dispatch(request))
      : door.dispatch(request);
    return response instanceof Promise ? response.then(answerWith, refuse) : answerWith(response);
  } catch (error) {
    return refuse(error);
  }
}

/** `/admin`, on or off. With tenants, the api-key selects the explorer. */
function adminDoor(explorer: Explorer, token: string | undefined): Door {
  const takes = ({ target }: IncomingRequest) => target.startsWith(ADMIN_ROOT);
  if (token === undefined) {
    const off = "the admin API is off; `admin: true` and --admin turn it on";
    return { takes, dispatch: () => errorResponse(404, off), headers: closed };
  }
  const checkToken = createAdminCheck(token);
  // Somebody may read them.
  explorer.requests.exchanges.isOn = true;
  const { tenants } = explorer.terms;
  const dispatch = createDispatcher({
    api: administration,
    tenantOf(request) {
      const apiKey = tenants ? apiKeyOf(request) : undefined;
      const services = apiKey === undefined ? explorer : explorer.tenant(apiKey);
      return { chain: services.chain, live: undefined, services };
    },
  });
  return {
    takes,
    admit: checkToken,
    dispatch: (request) =>
      request.target === `${ADMIN_ROOT}openapi.json`
        ? document("admin.openapi.json")
        : dispatch(request),
    headers: closed,
  };
}

/** An OpenAPI document of the package. */
function document(name: "openapi.json" | "admin.openapi.json"): ServiceResponse {
  const path = inPackage(name);
  if (path === undefined) return errorResponse(404, `this build has no ${name}`);
  return { status: 200, headers: jsonHeaders, body: readFileSync(path, "utf8") };
}

/** Where the paths of `/inspect` begin. */
const INSPECT_ROOT = "/inspect/";

/** Below this, the operations of `/v1` answer, without faults and journal. */
const OBSERVED = "/inspect/v1/";

/** `/inspect`: what the page reads, for callers with an api-key, and from no other origin. */
function inspectDoor(explorer: Explorer, { admin }: { readonly admin: boolean }): Door {
  const access = (): AnswerWireOf<"access"> => {
    const { keysListed, ...terms } = explorer.terms;
    return { keys_listed: keysListed, admin, ...terms, compilers: [...terms.compilers] };
  };
  const tenantFor = (request: ServiceRequest) => {
    const apiKey = apiKeyOf(request);
    if (apiKey === undefined) throw new ServiceError(401, "api-key: the header is missing");
    return explorer.tenant(apiKey);
  };
  const inspect = createDispatcher({
    api: inspection,
    tenantOf(request, view) {
      const { chain, live } = view === "access" ? explorer : tenantFor(request);
      // The head itself reports how far the chain is.
      if (view !== "access" && view !== "head") assertReady(live);
      return { chain, live, services: { live, access } };
    },
  });
  const dispatch: Dispatch = (request) => {
    const { method, target, headers, body } = request;
    if (!target.startsWith(OBSERVED)) return inspect(request);
    return explorer.observe({
      method,
      target: target.slice(INSPECT_ROOT.length - 1),
      headers,
      body,
    });
  };
  return {
    takes: ({ target }) => target.startsWith(INSPECT_ROOT),
    admit: (request) => checkOrigin(request, "/inspect"),
    dispatch,
    headers: changing,
  };
}

const pageDoor = (): Door => ({
  takes: ({ target, headers }) => isOfPage(target, headers),
  dispatch: createPage(),
  isPage: true,
  headers: {},
});

/** CORS preflights to the service. */
const preflightDoor: Door = {
  takes: ({ method, headers }) =>
    method === "OPTIONS" && headers["access-control-request-method"] !== undefined,
  dispatch: ({ headers }) => ({
    status: 204,
    headers: {
      ...openCors,
      "access-control-allow-methods": "GET, POST, DELETE",
      "access-control-allow-headers": `${headers["access-control-request-headers"] ?? "api-key, content-type"}`,
      "access-control-max-age": "86400",
    },
    body: "",
  }),
  headers: closed,
};

function health({ chain, live }: Explorer, { method }: ServiceRequest): ServiceResponse {
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

const healthDoor = (explorer: Explorer): Door => ({
  takes: ({ target }) => target === "/health" || target.startsWith("/health?"),
  dispatch: (request) => health(explorer, request),
  headers: openCors,
});

/** The OpenAPI document of the service. */
const documentDoor: Door = {
  takes: ({ method, target }) =>
    target === "/openapi.json" && (method === "GET" || method === "HEAD"),
  dispatch: () => document("openapi.json"),
  headers: openCors,
};

const etherscanDoor = (explorer: Explorer): Door => ({
  takes: ({ target }) => isEtherscan(target),
  dispatch: createEtherscan(explorer),
  headers: openCors,
});

const sourcifyDoor = (explorer: Explorer): Door => ({
  takes: ({ target }) => target.startsWith(SOURCIFY_ROOT),
  dispatch: createSourcify(explorer),
  headers: openCors,
});

/** Everything else: an operation of the specification, or 404. */
const serviceDoor = ({ dispatch }: Explorer): Door => ({
  takes: () => true,
  dispatch,
  headers: openCors,
});

/** Reports to logs a request that no journal lists. */
const noteFor =
  (onRequest: NonNullable<Explorer["onRequest"]>): NonNullable<Door["note"]> =>
  (request, { status, message }, startedAt) => {
    const { method, target } = request;
    const times = { at: Date.now(), duration: performance.now() - startedAt };
    const found = { operation: undefined, input: undefined, notes: noStrings, faults: noStrings };
    const shown = { number: 0, method, target: withoutKey(target) };
    onRequest({ ...shown, ...found, status, message, ...times }, request);
  };

export interface DoorOptions {
  /** Undefined if the admin API is off. */
  readonly token: string | undefined;
  readonly page: boolean;
}

/** The doors of a port, in order: a request goes through the first that takes it. */
export const createDoors = (explorer: Explorer, { token, page }: DoorOptions): readonly Door[] => {
  const isAdmin = token !== undefined;
  const { onRequest } = explorer;
  const note = onRequest && { note: noteFor(onRequest) };
  const others = [
    adminDoor(explorer, token),
    ...(page ? [inspectDoor(explorer, { admin: isAdmin }), pageDoor()] : []),
    preflightDoor,
    healthDoor(explorer),
    documentDoor,
  ];
  return [
    ...others.map((door) => ({ ...door, ...note })),
    etherscanDoor(explorer),
    sourcifyDoor(explorer),
    serviceDoor(explorer),
  ];
};
