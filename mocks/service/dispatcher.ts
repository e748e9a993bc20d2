// The dispatcher of every transport: leads a request through the steps from its operation to its response; every error has an envelope (S1).

import type { SpokenOperation } from "../../src/contract/dialect.ts";
import { RESULTS } from "../../src/contract/envelope.ts";
import { isObject, jsonIn } from "../../src/models/json.ts";
import { type HeadQuestion, HeadStateUnavailable, type LiveChain } from "../chain/live-chain.ts";
import { closestMatch } from "../input/suggest.ts";
import { type Api, ServiceError, WrittenResults } from "../message/api.ts";
import { delay, isTimeout, timeLimited, yieldToEventLoop } from "../message/event-loop.ts";
import {
  errorResponse,
  internalError,
  type ServiceRequest,
  type ServiceResponse,
  successResponse,
} from "../message/message.ts";
import { type JournalEntry, type Notes, noStrings, type OpenEntry } from "../message/notes.ts";
import { checkedParameters, collectParameters } from "./parameters.ts";
import { type RouteMatch, Router } from "./router.ts";

/** The combined effect of faults on one request. */
interface Plan<Chain> {
  readonly names: readonly string[];
  readonly struck: readonly object[];
  readonly delayMs: number;
  /** Sent in place of the API's response. */
  readonly response: ServiceResponse | undefined;
  /** The chain the API answers from. */
  readonly view: (chain: Chain) => Chain;
  /** Changes the response. */
  readonly reshape: (response: ServiceResponse) => ServiceResponse;
}

interface PlannedCall<Id extends string> {
  readonly operation: Id;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly apiKey: string;
}

/** Answers requests in place of the API's handlers: a recording, or another explorer. `notes` are for the journal. */
export type Source<Id extends string> = (
  request: ServiceRequest,
  operation: Id,
) => Promise<{ readonly response: ServiceResponse; readonly notes: readonly string[] }>;

/** What the requests of one api-key share: a chain, and faults and a journal where the API has them. */
export interface Tenant<Id extends string, Chain, Services> {
  readonly chain: Chain;
  readonly live: LiveChain | undefined;
  readonly services: Services;
  /** Also answers what the API would refuse for its parameters. */
  readonly source?: Source<Id> | undefined;
  readonly faults?:
    | {
        readonly size: number;
        plan(call: PlannedCall<Id>): Plan<Chain> | undefined;
      }
    | undefined;
  readonly journal?: Notes<Id> | undefined;
}

export interface DispatcherOptions<Id extends string, Chain, Services> {
  readonly api: Api<Id, Chain, Services>;
  /** The tenant of a request to an operation. Throws a {@link ServiceError}, such as 401 for a key that is not accepted. */
  readonly tenantOf: (request: ServiceRequest, operation: Id) => Tenant<Id, Chain, Services>;
  /** The journal of requests that have no tenant. */
  readonly journal?: () => Notes<Id>;
  /** The clock, in milliseconds since 1970, which durations are measured by, too. @default Date.now, and performance.now for durations */
  readonly now?: (() => number) | undefined;
  /** The response to send instead of results that violate the contract, if they do and it should be. */
  readonly refuseResults?:
    | ((
        operation: Id,
        results: unknown,
        input: Readonly<Record<string, unknown>>,
      ) => ServiceResponse | undefined)
    | undefined;
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

/** A request on its way: each step adds what it finds. */
class Call<Id extends string, Chain, Services> {
  readonly request: ServiceRequest;
  readonly path: string;
  readonly query: string;
  readonly startedAt: number;
  /** The parameters as they came. */
  readonly raw: Record<string, unknown> = {};
  /** Undefined where none has this path and method. */
  operation: Id | undefined;
  /** Set by the first two steps, or there are no others. */
  match!: RouteMatch<Id>;
  tenant!: Tenant<Id, Chain, Services>;
  entry: OpenEntry | undefined;
  /** The checked parameters. */
  input: Readonly<Record<string, unknown>> = this.raw;
  plan: Plan<Chain> | undefined;
  /** Once it is set, no handler is called. */
  response: ServiceResponse | undefined;
  /** The response before faults changed it. */
  untouched: ServiceResponse | undefined;

  constructor(request: ServiceRequest, startedAt: number) {
    this.startedAt = startedAt;
    const { target } = request;
    const cut = target.indexOf("?");
    this.request = request;
    this.path = cut < 0 ? target : target.slice(0, cut);
    this.query = cut < 0 ? "" : target.slice(cut + 1);
  }
}

/** A step on the way of a request; a promise where it waits. A step that throws is the last. */
type Step<Call> = (call: Call) => Promise<void> | undefined;

/** Says that an answer may be older than the head (S38). */
const INCOMPLETE = { "head-state": "incomplete" } as const;

/** Says that there may be internal transactions, though the list is empty. */
const NOT_TRACED = { "internal-transactions": "not traced" } as const;

/** Leads requests through the steps, from their operation to their response. */
class Dispatcher<Id extends string, Chain, Services> {
  readonly #options: DispatcherOptions<Id, Chain, Services>;
  readonly #api: Api<Id, Chain, Services>;
  readonly #router: Router<Id>;
  /** From checked parameters to the response. */
  readonly #lastSteps: readonly Step<Call<Id, Chain, Services>>[] = [
    (call) => this.#answer(call),
    (call) => this.#applyFaults(call),
  ];
  /** The steps of a request whose operation and tenant are known and to which no fault applies. */
  readonly #stepsWithoutFaults: readonly Step<Call<Id, Chain, Services>>[] = [
    (call) => this.#readParameters(call),
    ...this.#lastSteps,
  ];
  readonly #steps: readonly Step<Call<Id, Chain, Services>>[] = [
    (call) => this.#findOperation(call),
    (call) => this.#findTenant(call),
    (call) => this.#openEntry(call),
    (call) => this.#readParameters(call),
    (call) => this.#planFaults(call),
    ...this.#lastSteps,
  ];

  constructor(options: DispatcherOptions<Id, Chain, Services>) {
    this.#options = options;
    this.#api = options.api;
    this.#router = new Router(options.api.operations, options.api.formerly);
  }

  /** Milliseconds of the clock for durations. */
  elapsed(): number {
    return this.#options.now?.() ?? performance.now();
  }

  /** Takes all steps, and completes the journal's entry. */
  take(call: Call<Id, Chain, Services>): ServiceResponse | Promise<ServiceResponse> {
    const response = this.#takeSteps(call, this.#steps);
    return response instanceof Promise
      ? response.then((awaited) => this.#close(call, awaited))
      : this.#close(call, response);
  }

  /** Takes steps from one on. */
  #takeSteps(
    call: Call<Id, Chain, Services>,
    steps: readonly Step<Call<Id, Chain, Services>>[],
    from = 0,
  ): ServiceResponse | Promise<ServiceResponse> {
    try {
      for (let at = from; at < steps.length; at++) {
        const waiting = steps[at]?.(call);
        if (waiting)
          return waiting.then(
            () => this.#takeSteps(call, steps, at + 1),
            (error) => this.#fail(call, error),
          );
      }
      return call.response ?? internalError(new Error("no step gave a response"));
    } catch (error) {
      return this.#fail(call, error);
    }
  }

  /** The response to an error that a step threw. */
  #fail(call: Call<Id, Chain, Services>, error: unknown): ServiceResponse {
    call.response = this.#refusal(error);
    return call.response;
  }

  #findOperation(call: Call<Id, Chain, Services>): undefined {
    call.match = this.#router.find(call.request.method, call.path);
    call.operation = call.match.route.id;
  }

  #findTenant(call: Call<Id, Chain, Services>): undefined {
    call.tenant = this.#options.tenantOf(call.request, call.match.route.id);
  }

  /** Before anything waits: entries are in order of arrival, and `reset` forgets pending requests. */
  #openEntry(call: Call<Id, Chain, Services>): undefined {
    call.entry = this.#openIn(call.tenant.journal, call);
  }

  /** Faults apply to invalid requests, too. */
  #readParameters(call: Call<Id, Chain, Services>): undefined {
    const { match, query, request, raw, entry } = call;
    const { operation } = match.route;
    try {
      const unknown = collectParameters(match, query, request, raw, this.#api);
      if (entry) entry.notes = suggestions(operation.places, unknown);
      const checked = checkedParameters(operation, raw, unknown, this.#api);
      call.input = this.#specified(call, checked);
      if (entry) entry.input = call.input;
    } catch (error) {
      if (!call.tenant.source) call.response = this.#refusal(error);
    }
  }

  /** Parameters under the specification's names, which handlers, faults and journal use. */
  #specified({ match }: Call<Id, Chain, Services>, parameters: Call<Id, Chain, Services>["input"]) {
    return this.#api.spoken?.(match.route.id)?.received(parameters) ?? parameters;
  }

  #planFaults(call: Call<Id, Chain, Services>): Promise<void> | undefined {
    const { tenant, match, raw, request, entry } = call;
    if (!tenant.faults?.size) return undefined;
    const { id } = match.route;
    const given = { raw: this.#specified(call, raw), apiKey: apiKeyOf(request) ?? "" };
    const plan = tenant.faults.plan({ operation: id, ...given });
    if (plan === undefined) return undefined;
    call.plan = plan;
    if (entry) entry.faults = plan.names;
    return delay(plan.delayMs, request.signal)
      .then(yieldToEventLoop)
      .then(() => {
        call.response = plan.response ?? call.response;
      });
  }

  #answer(call: Call<Id, Chain, Services>): Promise<void> | undefined {
    if (call.response) return undefined;
    if (call.tenant.source) return this.#answerFrom(call.tenant.source, call);
    const { id } = call.match.route;
    const { live, chain: own } = call.tenant;
    const chain = call.plan?.view(own) ?? own;
    const receive = (response: ServiceResponse) => {
      call.response = response;
    };
    try {
      const reads = this.#api.headReads?.[id];
      const question = reads && live?.question(() => reads(chain, call.input as never));
      const response =
        live && question
          ? this.#answerAtHead(call, chain, live, question)
          : this.#handle(call, chain);
      if (response instanceof Promise)
        return response.catch((error: unknown) => this.#refusal(error)).then(receive);
      receive(response);
    } catch (error) {
      receive(this.#refusal(error));
    }
    return undefined;
  }

  async #answerFrom(source: Source<Id>, call: Call<Id, Chain, Services>): Promise<void> {
    const { response, notes } = await source(call.request, call.match.route.id);
    call.response = response;
    if (call.entry) call.entry.notes = [...call.entry.notes, ...notes];
  }

  /** The response once the chain has what the call reads of the state at the head, or the node took too long. */
  async #answerAtHead(
    call: Call<Id, Chain, Services>,
    chain: Chain,
    live: LiveChain,
    question: HeadQuestion,
  ): Promise<ServiceResponse> {
    const { patienceMs } = this.#api;
    const until = performance.now() + (patienceMs ?? 0);
    let isSilent = patienceMs !== undefined && live.status().state === "failing";
    const ask = () => (isSilent ? undefined : question.fetch());
    for (let wait = ask(); wait; wait = ask()) {
      const limited =
        patienceMs === undefined ? wait : timeLimited(wait, until - performance.now());
      await limited.catch((error: unknown) => {
        const isLate = error instanceof HeadStateUnavailable || isTimeout(error);
        if (patienceMs === undefined || !isLate) throw error;
        isSilent = true;
      });
    }
    // Nothing may run between the last look and the handler: it answers from one head.
    const response = await this.#handle(call, chain);
    return isSilent || question.incomplete ? withHeaders(response, INCOMPLETE) : response;
  }

  /** What the operation's handler answers, as a response, or answered before on the same chain. */
  #handle(
    call: Call<Id, Chain, Services>,
    chain: Chain,
  ): ServiceResponse | Promise<ServiceResponse> {
    const { request, tenant, match, input } = call;
    const handler = this.#api.handlers[match.route.id];
    const results = handler(chain, input as never, tenant.services, request);
    if (results instanceof Promise)
      return results.then((awaited) => this.#toResponse(call, awaited));
    return this.#toResponse(call, results);
  }

  /** The response with these results, in the contract's form. */
  #toResponse({ match, input }: Call<Id, Chain, Services>, results: unknown): ServiceResponse {
    const { id, operation } = match.route;
    const written = results instanceof WrittenResults ? results : undefined;
    const { refuseResults } = this.#options;
    const refusal = refuseResults?.(id, written ? written.parse() : results, input);
    if (refusal) return refusal;
    return successResponse(written?.json ?? JSON.stringify(results), operation.enveloped);
  }

  /** A replaced response stays as the fault made it. */
  #applyFaults(call: Call<Id, Chain, Services>): undefined {
    const { response, plan, tenant, match } = call;
    if (response === undefined || plan?.response) return;
    const isTraced = !tenant.live?.untraced || !this.#api.traced?.has(match.route.id);
    const complete = isTraced ? response : withHeaders(response, NOT_TRACED);
    call.untouched = complete;
    const shaped = plan ? plan.reshape(complete) : complete;
    const spoken = this.#api.spoken?.(match.route.id);
    call.response = spoken?.fields
      ? withFields(shaped, spoken.fields, match.route.operation.enveloped)
      : shaped;
  }

  /** The response to an error, in the API's own form where it has one. */
  #refusal(error: unknown): ServiceResponse {
    const own = error instanceof ServiceError ? this.#api.refusal?.(error) : undefined;
    return own ?? toErrorResponse(error);
  }

  #openIn(
    journal: Notes<Id> | undefined,
    { request, operation }: Call<Id, Chain, Services>,
  ): OpenEntry | undefined {
    const { now = () => Date.now() } = this.#options;
    return journal?.open({ method: request.method, target: request.target, at: now(), operation });
  }

  /** Completes the journal's entry of a request. */
  #close(call: Call<Id, Chain, Services>, response: ServiceResponse): ServiceResponse {
    const journal = call.entry ? call.tenant.journal : this.#options.journal?.();
    const entry = call.entry ?? this.#openIn(journal, call);
    if (journal === undefined || entry === undefined) return response;
    const { status, message } = response;
    journal.close(entry, { status, message, duration: this.elapsed() - call.startedAt });
    if (journal.exchanges.isOn) {
      const { request, plan } = call;
      const untouched = plan && this.#withoutFaults(call);
      journal.exchanges.keep(entry, { request, response, faults: plan?.struck ?? [], untouched });
    }
    this.#options.onRequest?.(entry, call.request);
    return response;
  }

  /** The response that no fault touched; undefined where it would take another request, or do something twice. */
  #withoutFaults(
    call: Call<Id, Chain, Services>,
  ): ServiceResponse | Promise<ServiceResponse> | undefined {
    const { plan, tenant, match } = call;
    const { id, operation } = match.route;
    // What only changes how it is sent has left the answer as it was.
    if (call.untouched && plan?.view(tenant.chain) === tenant.chain) return call.untouched;
    if (tenant.source || !operation.safe) return undefined;
    const again = new Call<Id, Chain, Services>(call.request, call.startedAt);
    again.match = match;
    again.operation = id;
    again.tenant = tenant;
    return this.#takeSteps(again, this.#stepsWithoutFaults);
  }
}

export function createDispatcher<Id extends string, Chain, Services>(
  options: DispatcherOptions<Id, Chain, Services>,
): Dispatch {
  const dispatcher = new Dispatcher(options);
  return (request) => dispatcher.take(new Call(request, dispatcher.elapsed()));
}

/** The response with the fields of its results under other names; unchanged if a fault left no JSON of it. */
function withFields(
  response: ServiceResponse,
  { written }: NonNullable<SpokenOperation["fields"]>,
  enveloped: boolean,
): ServiceResponse {
  const json = jsonIn(response.body);
  if (!isObject(json)) return response;
  const other = enveloped ? { ...json, [RESULTS]: written(json[RESULTS]) } : written(json);
  return { ...response, body: JSON.stringify(other) };
}

const withHeaders = (
  response: ServiceResponse,
  headers: ServiceResponse["headers"],
): ServiceResponse => ({ ...response, headers: { ...response.headers, ...headers } });

/** A ServiceError becomes its envelope; the details of any other error stay in the process. */
export function toErrorResponse(error: unknown): ServiceResponse {
  if (error instanceof ServiceError)
    return errorResponse(error.status, error.message, error.results, error.headers);
  if (error instanceof HeadStateUnavailable)
    return errorResponse(503, error.message, null, { "retry-after": "1" });
  return internalError(error);
}

/** Throws a {@link ServiceError} 503 while a chain cannot be read. */
export function assertReady(live: LiveChain | undefined): void {
  const unavailable = live?.unavailable();
  if (unavailable) throw new ServiceError(503, unavailable, null, { "retry-after": "1" });
}

/** Notes on unknown names that look like typing mistakes. */
const suggestions = (
  { query, body }: Readonly<Record<"query" | "body", readonly string[]>>,
  unknown: readonly string[],
): readonly string[] =>
  unknown.length === 0
    ? noStrings
    : unknown.flatMap((name) => {
        const match = closestMatch(name, [...query, ...body]);
        return match === undefined ? [] : [`ignored the parameter ${name}; did you mean ${match}?`];
      });
