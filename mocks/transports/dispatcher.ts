// The one core behind every door: finds the operation, checks the request, answers it; all that goes wrong is an envelope (S1).
import type { AnyOperation, OperationId } from "../../src/contract/index.ts";
import type { ChainReader } from "../chain/reader.ts";
import type { Faults } from "../faults/faults.ts";
import { type Journal, noStrings, type OpenEntry } from "../journal.ts";
import {
  errorResponse,
  type ServiceRequest,
  type ServiceResponse,
  successResponse,
} from "../message.ts";
import { type OperationHandler, ServiceError, type Services } from "../operations/handler.ts";
import { operationHandlers } from "../operations/index.ts";
import { closestMatch } from "../suggest.ts";
import { type Conformance, type ConformanceError, resultsViolation } from "./conformance.ts";
import { checkParameters, collectParameters } from "./parameters.ts";
import { findRoute, nearestOperation, type Route, type RouteMatch } from "./router.ts";
import { delay } from "./timing.ts";

/** What a request meets: a chain, what is arranged for it, and where it is noted. */
export interface Tenant {
  readonly chain: ChainReader;
  readonly services: Services;
  readonly faults: Faults;
  readonly journal: Journal;
}

export interface DispatcherOptions {
  /** The keys that are known; any non-empty one is, if there are none (S19). */
  readonly apiKeys?: readonly string[] | undefined;
  readonly conformance?: Conformance | undefined;
  /** Told of every answer that breaks the contract. */
  readonly onViolation: (violation: ConformanceError) => void;
  /** Told of what went wrong where the caller only hears 500. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The stand of a key; without one, the stand of those who have none. */
  readonly tenantOf: (apiKey?: string) => Tenant;
}

export type Dispatch = (question: ServiceRequest) => Promise<ServiceResponse>;

/** A request whose operation is found. */
interface OperationCall {
  readonly request: ServiceRequest;
  readonly route: Route;
  readonly values: RouteMatch["values"];
  readonly query: string;
  /** The parameters as they came. */
  readonly raw: Record<string, unknown>;
  /** Where is written what is learnt of it on the way. */
  readonly entry: OpenEntry;
}

/** The table and a route share the id, which types cannot follow through a look-up. */
const handlers = operationHandlers as { readonly [Id in OperationId]: OperationHandler<never> };

export function createDispatcher(options: DispatcherOptions): Dispatch {
  const { onViolation, onError, now, tenantOf: standOf } = options;
  const known = options.apiKeys?.length ? new Set(options.apiKeys) : undefined;

  function keyOf({ headers }: ServiceRequest): string {
    const key = headers["api-key"];
    if (typeof key !== "string" || key === "")
      throw new ServiceError(401, "api-key: the header is missing");
    if (known && !known.has(key)) throw new ServiceError(401, "api-key: not a known key");
    return key;
  }

  /** The answer of the service itself, before anything is done to it. */
  async function told({ route, entry }: OperationCall, chain: ChainReader, services: Services) {
    const { id, operation } = route;
    const { input } = entry;
    const results: unknown = await handlers[id](chain, input as never, services);
    const violation = options.conformance && resultsViolation(id, results, input?.simple === true);
    if (violation) {
      onViolation(violation);
      if (options.conformance === "throw") return errorResponse(500, violation.message);
    }
    return successResponse(results, operation.enveloped);
  }

  /** A refusal becomes its envelope; anything else is our mistake, and stays here. */
  function refused(error: unknown): ServiceResponse {
    if (error instanceof ServiceError)
      return errorResponse(error.status, error.message, error.results, error.headers);
    onError(error);
    return errorResponse(500, "internal error");
  }

  /** Reads and checks the parameters of a call; what is wrong with them is a reply already. */
  function read(call: OperationCall): ServiceResponse | undefined {
    const { route, values, query, request: question, raw, entry } = call;
    try {
      entry.notes = suggestions(
        route.operation,
        collectParameters(route, values, query, question, raw),
      );
      entry.input = checkParameters(route.operation, raw);
      return undefined;
    } catch (error) {
      return refused(error);
    }
  }

  /** The answer to a call, with the faults that are arranged for it. */
  async function answered(
    call: OperationCall,
    apiKey: string,
    stand: Tenant,
  ): Promise<ServiceResponse> {
    const { raw, route } = call;
    const { chain, faults, services } = stand;
    const wrong = read(call);
    const plan = faults.size ? faults.plan({ operation: route.id, raw, apiKey }) : undefined;
    if (plan) {
      call.entry.faults = plan.names;
      await delay(plan.delayMs, call.request.signal);
      if (plan.response) return plan.response;
    }
    const reply = {
      ...(wrong ?? (await told(call, plan?.view(chain) ?? chain, services).catch(refused))),
      operation: route.id,
    };
    return plan ? plan.reshape(reply) : reply;
  }

  return async function answer(question) {
    const { method, target } = question;
    const started = performance.now();
    const cut = target.indexOf("?");
    const path = cut < 0 ? target : target.slice(0, cut);
    const arrival = { method, target, at: now() };
    let operation: OperationId | undefined;
    let entry: OpenEntry | undefined;
    let reply: ServiceResponse;
    try {
      const { route, values } = routeRequest(method, path);
      operation = route.id;
      const apiKey = keyOf(question);
      const stand = standOf(apiKey);
      // Before anything is waited for: requests stand in the order they came, and `reset` forgets those under way.
      entry = stand.journal.open({ ...arrival, operation });
      const query = cut < 0 ? "" : target.slice(cut + 1);
      reply = await answered(
        { request: question, route, values, query, raw: {}, entry },
        apiKey,
        stand,
      );
    } catch (error) {
      reply = refused(error);
    }
    entry ??= standOf().journal.open({ ...arrival, operation });
    entry.status = reply.status;
    entry.message = reply.message;
    entry.duration = performance.now() - started;
    return reply;
  };
}

/** The operation a request is for, or why there is none. */
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

/** Names that are ignored (S5), where a slip of the pen is likely. */
const suggestions = (operation: AnyOperation, ignored: readonly string[]): readonly string[] =>
  ignored.length === 0
    ? noStrings
    : ignored.flatMap((name) => {
        const word = closestMatch(name, [...operation.places.query, ...operation.places.body]);
        return word === undefined ? [] : [`ignored the parameter ${name}; did you mean ${word}?`];
      });
