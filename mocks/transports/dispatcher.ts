// The dispatcher behind every transport: finds the operation, checks the request and responds; every error has an envelope (S1).
import type { AnyOperation, OperationId } from "../../src/contract/index.ts";
import {
  type HeadQuestion,
  type HeadRead,
  HeadStateUnavailable,
  type LiveChain,
} from "../chain/live-chain.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { FaultPlan, Faults } from "../faults/faults.ts";
import type { Journal } from "../journal.ts";
import { keptInput } from "../journal-budget.ts";
import { type JournalEntry, noStrings, type OpenEntry } from "../journal-entry.ts";
import {
  errorResponse,
  type ServiceRequest,
  type ServiceResponse,
  successResponse,
} from "../message.ts";
import { type OperationHandler, ServiceError, type Services } from "../operations/handler.ts";
import { headReads } from "../operations/head-reads.ts";
import { operationHandlers } from "../operations/index.ts";
import { WrittenResults } from "../operations/written-results.ts";
import { closestMatch } from "../suggest.ts";
import { type Conformance, type ConformanceError, resultsViolation } from "./conformance.ts";
import { internalError } from "./internal-error.ts";
import { checkParameters, collectParameters } from "./parameters.ts";
import { findRoute, nearestOperation, type Route, type RouteMatch } from "./router.ts";
import { delay } from "./timing.ts";

/** What the requests of one api-key share: a chain, faults and a journal. */
export interface Tenant {
  readonly chain: ChainReader;
  readonly live: LiveChain | undefined;
  readonly services: Services;
  readonly faults: Faults;
  readonly journal: Journal;
}

export interface DispatcherOptions {
  readonly conformance?: Conformance | undefined;
  /** Called for every response that violates the contract. */
  readonly onViolation: (violation: ConformanceError) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The tenant of a key; without a key, the default tenant. Throws a {@link ServiceError} 401 for a key that is not accepted. */
  readonly tenantOf: (apiKey?: string) => Tenant;
  /** Called with each request once its response is ready. */
  readonly onRequest?: ((entry: JournalEntry, request: ServiceRequest) => void) | undefined;
}

/** The api-key of a request; undefined without one. */
export function apiKeyOf({ headers }: ServiceRequest): string | undefined {
  const key = headers["api-key"];
  return typeof key === "string" && key !== "" ? key : undefined;
}

/** A promise only where the response waits for something: promises on the way would cost a twentieth of a small response. */
export type Dispatch = (request: ServiceRequest) => ServiceResponse | Promise<ServiceResponse>;

/** A request whose operation is found. */
interface OperationCall {
  readonly request: ServiceRequest;
  readonly route: Route;
  readonly values: RouteMatch["values"];
  readonly query: string;
  /** The parameters as they came. */
  readonly raw: Record<string, unknown>;
  /** The checked parameters, once they are. */
  input?: Readonly<Record<string, unknown>>;
  /** The journal's entry, filled in on the way. */
  readonly entry: OpenEntry;
}

/** The table and a route share the id, which types cannot express. */
const handlers = operationHandlers as { readonly [Id in OperationId]: OperationHandler<never> };
const readsOf = headReads as {
  readonly [Id in OperationId]?: (chain: ChainReader, input: never) => Iterable<HeadRead>;
};

/** Says that an answer may be older than the head (S38). */
export const INCOMPLETE = { "head-state": "incomplete" } as const;

export function createDispatcher(options: DispatcherOptions): Dispatch {
  const { onViolation, onRequest, now, tenantOf } = options;

  /** The service's own response, before faults change it. */
  function respond(
    call: OperationCall,
    chain: ChainReader,
    { services, live }: Tenant,
  ): ServiceResponse | Promise<ServiceResponse> {
    try {
      const reads = readsOf[call.route.id];
      const question = reads && live?.question(() => reads(chain, call.input as never));
      const response = question
        ? respondAtHead(call, chain, services, question)
        : handle(call, chain, services);
      return response instanceof Promise ? response.catch(toErrorResponse) : response;
    } catch (error) {
      return toErrorResponse(error);
    }
  }

  /** The response once the chain has what the call reads of the state at the head. */
  async function respondAtHead(
    call: OperationCall,
    chain: ChainReader,
    services: Services,
    question: HeadQuestion,
  ): Promise<ServiceResponse> {
    for (let wait = question.fetch(); wait; wait = question.fetch()) await wait;
    // Nothing may run between the last look and the handler: it answers from one head.
    const response = await handle(call, chain, services);
    if (!question.incomplete) return response;
    return { ...response, headers: { ...response.headers, ...INCOMPLETE } };
  }

  /** What the operation's handler answers, as a response. */
  function handle(
    call: OperationCall,
    chain: ChainReader,
    services: Services,
  ): ServiceResponse | Promise<ServiceResponse> {
    const answer = handlers[call.route.id](chain, call.input as never, services, call.request);
    return answer instanceof Promise
      ? answer.then((results) => toResponse(call, results))
      : toResponse(call, answer);
  }

  /** The response to a call with this answer, in the contract's form. */
  function toResponse({ route, input }: OperationCall, answer: unknown): ServiceResponse {
    const { id, operation } = route;
    const written = answer instanceof WrittenResults ? answer : undefined;
    const violation =
      options.conformance &&
      resultsViolation(id, written ? written.parse() : answer, input?.simple === true);
    if (violation) {
      onViolation(violation);
      if (options.conformance === "throw") return errorResponse(500, violation.message);
    }
    return successResponse(written?.json ?? JSON.stringify(answer), operation.enveloped);
  }

  /** A ServiceError becomes its envelope; the details of any other error stay in the process. */
  function toErrorResponse(error: unknown): ServiceResponse {
    if (error instanceof ServiceError)
      return errorResponse(error.status, error.message, error.results, error.headers);
    if (error instanceof HeadStateUnavailable)
      return errorResponse(503, error.message, null, { "retry-after": "1" });
    return internalError(error);
  }

  /** Reads and checks the parameters of a call; returns the error response to invalid ones. */
  function readParameters(call: OperationCall): ServiceResponse | undefined {
    const { route, values, query, request, raw, entry } = call;
    try {
      entry.notes = suggestions(
        route.operation,
        collectParameters(route, values, query, request, raw),
      );
      call.input = checkParameters(route.operation, raw);
      entry.input = route.operation.places.body.length ? keptInput(call.input) : call.input;
      return undefined;
    } catch (error) {
      return toErrorResponse(error);
    }
  }

  /** The response to a call, with its faults applied. */
  function respondWithFaults(
    call: OperationCall,
    apiKey: string,
    tenant: Tenant,
  ): ServiceResponse | Promise<ServiceResponse> {
    const { raw, route } = call;
    const { chain, faults, live } = tenant;
    const invalid = readParameters(call);
    const plan = faults.size ? faults.plan({ operation: route.id, raw, apiKey }) : undefined;
    if (plan) return strike(call, plan, tenant, invalid);
    if (live && internal.has(route.id)) return respondTraced(call, chain, tenant, invalid);
    return invalid ?? respond(call, chain, tenant);
  }

  /** The same for a call that faults strike. */
  async function strike(
    call: OperationCall,
    plan: FaultPlan,
    tenant: Tenant,
    invalid: ServiceResponse | undefined,
  ): Promise<ServiceResponse> {
    const { entry, request, route } = call;
    entry.faults = plan.names;
    await delay(plan.delayMs, request.signal);
    if (plan.response) return plan.response;
    const response = await respondTraced(call, plan.view(tenant.chain), tenant, invalid);
    return plan.reshape({ ...response, operation: route.id });
  }

  /** The response, which says so if there may be internal transactions, though the list is empty. */
  async function respondTraced(
    call: OperationCall,
    chain: ChainReader,
    tenant: Tenant,
    invalid: ServiceResponse | undefined,
  ): Promise<ServiceResponse> {
    const response = invalid ?? (await respond(call, chain, tenant));
    if (!tenant.live?.untraced || !internal.has(call.route.id)) return response;
    return { ...response, headers: { ...response.headers, ...NOT_TRACED } };
  }

  return function dispatch(request) {
    const { method, target } = request;
    const started = performance.now();
    const cut = target.indexOf("?");
    const path = cut < 0 ? target : target.slice(0, cut);
    const arrival = { method, target, at: now() };
    let operation: OperationId | undefined;
    let journal: Journal | undefined;
    let entry: OpenEntry | undefined;
    let response: ServiceResponse | Promise<ServiceResponse>;

    function close(final: ServiceResponse): ServiceResponse {
      const opened = journal ?? tenantOf().journal;
      const written = entry ?? opened.open({ ...arrival, operation });
      const { status, message } = final;
      opened.close(written, { status, message, duration: performance.now() - started });
      onRequest?.(written, request);
      return final;
    }

    try {
      const { route, values } = routeRequest(method, path);
      operation = route.id;
      const apiKey = apiKeyOf(request);
      if (apiKey === undefined) throw new ServiceError(401, "api-key: the header is missing");
      const tenant = tenantOf(apiKey);
      const unavailable = tenant.live?.unavailable();
      if (unavailable) throw new ServiceError(503, unavailable, null, { "retry-after": "1" });
      // Before the first wait: entries are in order of arrival, and `reset` forgets pending requests.
      journal = tenant.journal;
      entry = journal.open({ ...arrival, operation });
      const query = cut < 0 ? "" : target.slice(cut + 1);
      response = respondWithFaults(
        { request, route, values, query, raw: {}, entry },
        apiKey,
        tenant,
      );
    } catch (error) {
      response = toErrorResponse(error);
    }
    return response instanceof Promise
      ? response.catch(toErrorResponse).then(close)
      : close(response);
  };
}

/** The lists of internal transactions. */
const internal: ReadonlySet<OperationId> = new Set(["A3", "X3"]);

/** Says that there may be internal transactions, though the list is empty. */
const NOT_TRACED = { "internal-transactions": "not traced" } as const;

/** The route of a request; 404 or 405 where there is none. */
function routeRequest(
  method: string,
  path: string,
): { route: Route; values: RouteMatch["values"] } {
  const found = findRoute(path);
  if (found === undefined) throw new ServiceError(404, unknownPath(method, path));
  const route = found.routes.get(method);
  if (route !== undefined) return { route, values: found.values };
  const allow = [...found.routes.keys()].join(", ");
  throw new ServiceError(405, `expected ${allow}, received ${method.slice(0, 20)}`, null, {
    allow,
  });
}

function unknownPath(method: string, path: string): string {
  const near = nearestOperation(path);
  const hint = near ? `; did you mean ${near.id}, ${near.method} ${near.path}?` : "";
  return `no operation at ${method.slice(0, 20)} ${path.slice(0, 200)}${hint}`;
}

/** Notes on ignored names (S5) that look like typing mistakes. */
const suggestions = (operation: AnyOperation, ignored: readonly string[]): readonly string[] =>
  ignored.length === 0
    ? noStrings
    : ignored.flatMap((name) => {
        const match = closestMatch(name, [...operation.places.query, ...operation.places.body]);
        return match === undefined ? [] : [`ignored the parameter ${name}; did you mean ${match}?`];
      });
