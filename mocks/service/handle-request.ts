// Handles a request, from its route to its response and its journal entry.
import type { OperationId } from "../../src/contract/index.ts";
import { closestMatch } from "../../src/models/suggest.ts";
import { HeadStateUnavailable } from "../chain/live-chain.ts";
import type { ChainReader } from "../chain/reader.ts";
import { hideKeysOf } from "../journal/exchanges.ts";
import { ServiceError, WrittenResults } from "../message/api.ts";
import { delay, yieldToEventLoop } from "../message/event-loop.ts";
import {
  errorResponse,
  internalError,
  type ServiceRequest,
  type ServiceResponse,
  successResponse,
} from "../message/message.ts";
import type { OpenEntry } from "../message/notes.ts";
import { withHeadState } from "./head-state.ts";
import { type ReadParameters, readParameters } from "./parameters.ts";
import { pathOf, type RouteMatch } from "./router.ts";
import { type Api, apiKeyOf, type Service } from "./service.ts";

/** A request whose operation, service and parameters are known. */
interface Call {
  readonly api: Api;
  readonly service: Service;
  readonly request: ServiceRequest;
  readonly match: RouteMatch;
  readonly parameters: ReadParameters;
  /** The request's journal entry; undefined if the journal does not list this API's requests. */
  readonly entry: OpenEntry | undefined;
}

/**
 * Responds to a request. `root` is the explorer's service; the request's API key may select one of
 * its tenants.
 */
export async function handleRequest(
  api: Api,
  root: Service,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const startedAt = root.elapsed();
  let service = root;
  let match: RouteMatch | undefined;
  let entry: OpenEntry | undefined;
  let outcome: Outcome;
  try {
    match = api.router.find(request.method, pathOf(request.target));
    service = api.serviceFor(root, request, match.id);
    // Opens the entry before the first wait, so that entries are in order of arrival.
    entry = openEntry(api, service, request, match);
    const parameters = readParameters(match, request, api);
    if (entry) noteParameters(entry, match, parameters);
    outcome = await underFaults({ api, service, request, match, parameters, entry });
  } catch (error) {
    outcome = { response: refusal(api, error) };
  }
  entry ??= openEntry(api, service, request, match);
  if (entry) closeEntry(entry, root, service, request, outcome, root.elapsed() - startedAt);
  return outcome.response;
}

interface Outcome {
  readonly response: ServiceResponse;
  /** The faults that were applied. */
  readonly faults?: readonly object[];
  /** The response without those faults. */
  readonly untouched?: () => Promise<ServiceResponse | undefined>;
}

/** Answers a request, with the effect of the faults that match it. */
async function underFaults(call: Call): Promise<Outcome> {
  const { api, service, request, match, parameters, entry } = call;
  const plan =
    api.faultsOf && service.faults.size
      ? service.faults.plan({
          operation: api.faultsOf(match.id),
          parameters: { ...parameters.raw, ...("input" in parameters && parameters.input) },
          apiKey: apiKeyOf(request) ?? "",
        })
      : undefined;
  if (plan === undefined) return { response: await answer(call) };
  if (entry) entry.faults = plan.names;
  await delay(plan.delayMs, request.signal);
  await yieldToEventLoop();
  const view = plan.view(service.chain);
  const complete = plan.response ?? (await answer(call, view));
  return {
    response: plan.response ?? plan.reshape(complete),
    faults: plan.applied,
    untouched: async () => {
      if (plan.response === undefined && view === service.chain) return complete;
      // A second answer would send another request to the source, or submit something twice.
      const isRepeatable = match.operation.safe && !(api.usesSource && service.source);
      return isRepeatable ? answer({ ...call, entry: undefined }) : undefined;
    },
  };
}

/**
 * Answers a request from a recording or from a chain. Returns errors as responses, because faults
 * may change them.
 */
async function answer(
  { api, service, request, match: { id, operation }, parameters, entry }: Call,
  chain: ChainReader = service.chain,
): Promise<ServiceResponse> {
  const { live, source } = service;
  try {
    if (api.usesSource && source) {
      const { response, notes } = await source(request, id as OperationId);
      if (entry) entry.notes = [...entry.notes, ...notes];
      return response;
    }
    if ("error" in parameters) throw parameters.error;
    const input = parameters.input as never;
    const handle = () => api.handlers[id]?.(chain as never, input, service, request);
    const reads = api.headReads?.[id];
    const question = reads && live?.question(() => reads(chain as never, input));
    const { result, isIncomplete } =
      live && question
        ? await withHeadState(live, question, api.patienceMs, handle)
        : { result: await handle(), isIncomplete: false };
    const written = result instanceof WrittenResults ? result : undefined;
    const { conformance } = service.options;
    const violation = conformance && api.violationOf?.(id, written?.parse() ?? result, input);
    if (violation) {
      service.report(violation);
      if (conformance === "throw") return errorResponse(500, violation.message);
    }
    const json = written?.json ?? JSON.stringify(result);
    const response = successResponse(json, operation.enveloped);
    const isUntraced = live?.untraced && api.traced?.has(id);
    if (!isIncomplete && !isUntraced) return response;
    return withHeaders(response, {
      ...(isIncomplete && { "head-state": "incomplete" }),
      ...(isUntraced && { "internal-transactions": "not traced" }),
    });
  } catch (error) {
    return refusal(api, error);
  }
}

/** Opens the entry of a request in the journal, if requests to this API are listed there. */
const openEntry = (
  api: Api,
  service: Service,
  { method, target }: ServiceRequest,
  match: RouteMatch | undefined,
): OpenEntry | undefined =>
  api.listed &&
  service.requests.open({ ...api.listed(match?.id, target), method, at: service.now() });

/** Notes the checked parameters and the ignored parameters in the entry. */
function noteParameters(
  entry: OpenEntry,
  { operation: { places } }: RouteMatch,
  parameters: ReadParameters,
): void {
  if ("input" in parameters) entry.input = parameters.input;
  if (parameters.unknown.length === 0) return;
  const names = [...places.query, ...places.body];
  entry.notes = parameters.unknown.map((name) => {
    const near = closestMatch(name, names);
    return `ignored the parameter ${name.slice(0, 40)}${near === undefined ? "" : `; did you mean ${near}?`}`;
  });
}

/** Completes the entry of a request, and keeps the full exchange if the page can show it. */
function closeEntry(
  entry: OpenEntry,
  root: Service,
  { requests }: Service,
  request: ServiceRequest,
  { response, faults = [], untouched }: Outcome,
  duration: number,
): void {
  const { status, message } = response;
  const isPlain = message === undefined && entry.notes.length === 0;
  const hide = isPlain ? undefined : hideKeysOf(request);
  requests.close(entry, { status, message, duration }, hide);
  if (requests.exchanges.isOn)
    requests.exchanges.keep(entry, { request, response, faults, untouched: untouched?.() });
  root.options.onRequest?.(entry, request);
}

const withHeaders = (
  response: ServiceResponse,
  headers: ServiceResponse["headers"],
): ServiceResponse => ({ ...response, headers: { ...response.headers, ...headers } });

/** The response to an error, in the API's own form where it has one. */
function refusal(api: Api, error: unknown): ServiceResponse {
  const ownResponse = error instanceof ServiceError ? api.refusal?.(error) : undefined;
  return ownResponse ?? toErrorResponse(error);
}

/** Turns a ServiceError into its envelope. The details of any other error stay in the process. */
export function toErrorResponse(error: unknown): ServiceResponse {
  if (error instanceof ServiceError)
    return errorResponse(error.status, error.message, error.results, error.headers);
  if (error instanceof HeadStateUnavailable)
    return errorResponse(503, error.message, null, { "retry-after": "1" });
  return internalError(error);
}
