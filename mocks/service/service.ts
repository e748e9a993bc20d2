// The service behind an explorer: the chain, faults, journal and tenants that a request uses, and
// the APIs that serve it.
import type { ConformanceError } from "../../src/contract/conformance.ts";
import type { TranslatedOperation } from "../../src/contract/dialect.ts";
import type { OperationId } from "../../src/contract/index.ts";
import type { BuilderState, ChainBuilder } from "../builder/builder.ts";
import { continueChain } from "../builder/index.ts";
import { type HeadRead, isLive, type LiveChain } from "../chain/live-chain.ts";
import type { ContractVerification } from "../chain/records.ts";
import type { ChainSnapshot, ChainWriter } from "../chain/writer.ts";
import { Faults, type FaultsSnapshot } from "../faults/faults.ts";
import type { Exchanges } from "../journal/exchanges.ts";
import { Journal } from "../journal/journal.ts";
import { JOURNAL_ENTRIES, RequestLog, TENANT_ENTRIES } from "../journal/request-log.ts";
import { ServiceError } from "../message/api.ts";
import type { ServiceRequest, ServiceResponse } from "../message/message.ts";
import type { JournalEntry } from "../message/notes.ts";
import { Submissions } from "../operations/submissions.ts";
import { type Verify, verifyOn } from "../operations/verify.ts";
import { normalBase } from "./fetch.ts";
import type { ExplorerOptions, Source } from "./options.ts";
import type { Router } from "./router.ts";

/**
 * An API as data: its operations, their handlers, and which parts of the service its requests use.
 */
export interface Api {
  readonly router: Router;
  /** Handlers by the operation's id. `chain` is the service's chain, or a fault's view of it. */
  readonly handlers: Readonly<
    Record<
      string,
      (chain: never, input: never, service: Service, request: ServiceRequest) => unknown
    >
  >;
  /** The state at the head that each operation reads; null or left out if it reads none. */
  readonly headReads?: Readonly<
    Record<string, ((chain: never, input: never) => Iterable<HeadRead>) | null>
  >;
  /** Whether unknown parameters are noted in the journal (S5), or refused as typing mistakes. */
  readonly unknownParameters: "ignored" | "refused";
  /** The most JSON values that a body may have, on all levels. */
  readonly maxValues: number;
  /**
   * Finds the service of a request's key. Throws a {@link ServiceError}, such as 401, if there is
   * none.
   */
  readonly serviceFor: (service: Service, request: ServiceRequest, id: string) => Service;
  /**
   * Returns a request's fields for the journal. Left out if the journal does not list this API's
   * requests.
   */
  readonly listed?: (
    id: string | undefined,
    target: string,
  ) => Pick<JournalEntry, "operation" | "target">;
  /**
   * Returns the operation whose faults apply to a request. Left out if no fault applies to this
   * API.
   */
  readonly faultsOf?: (id: string) => OperationId;
  /** Whether the source of the service answers, if it has one: a recording or another explorer. */
  readonly usesSource?: true;
  /** Returns an operation in the explorer's dialect. */
  readonly inDialect?: ((id: string) => TranslatedOperation | undefined) | undefined;
  /** Returns how results violate the contract, if they do. */
  readonly violationOf?: (
    id: string,
    results: unknown,
    input: Readonly<Record<string, unknown>>,
  ) => ConformanceError | undefined;
  /** The operations whose results come from traces, which a node may not have. */
  readonly traced?: ReadonlySet<string>;
  /**
   * How long a request waits for the node, in milliseconds, before it answers from the state known
   * so far. Left out if it waits for all of the state.
   */
  readonly patienceMs?: number;
  /** Returns an error response in the API's own form; undefined for the envelope of S1. */
  readonly refusal?: (error: ServiceError) => ServiceResponse | undefined;
}

/** The API of the specification, in an explorer's dialect. */
export interface ExplorerApi extends Api {
  /** The beginning of every path, such as `/v1`. */
  readonly prefix: string;
}

/** The state of an explorer: its chain, its builder and its faults. */
export interface ExplorerSnapshot {
  readonly chain: ChainSnapshot;
  readonly faults: FaultsSnapshot;
  /** Undefined if nothing was built yet. */
  readonly builder?: BuilderState | undefined;
}

/** The parts that a fork or a tenant inherits. */
interface Inherited {
  readonly faults: FaultsSnapshot;
  /** The full exchanges, which all tenants of an explorer share; undefined for a fork. */
  readonly exchanges?: Exchanges | undefined;
}

/** The newest violations are kept, because a server may run for days. */
const MAX_VIOLATIONS = 1000;

/**
 * More tenants than any test run needs. A program that exceeds it sends a new key with each request
 * by mistake.
 */
const MAX_TENANTS = 1000;

/** The options after the default chain is filled in. */
export type ServiceOptions = ExplorerOptions & {
  readonly chain: NonNullable<ExplorerOptions["chain"]>;
};

/** The api-key of a request; undefined without one. */
export function apiKeyOf({ headers }: ServiceRequest): string | undefined {
  const key = headers["api-key"];
  return typeof key === "string" && key !== "" ? key : undefined;
}

/** Recognises a builder by its methods, because it may come from another build of the package. */
const isBuilder = (source: ServiceOptions["chain"]): source is ChainBuilder =>
  typeof Object(source).fund === "function";

/** An explorer as transports use it. Users see it through `Explorer`. */
export class Service {
  readonly options: ServiceOptions;
  /** The operations of the specification, in the explorer's dialect. */
  readonly api: ExplorerApi;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly chain: ChainWriter;
  /**
   * The chain's source if the chain changes by itself. `reset`, `restore` and tenants leave such a
   * chain alone.
   */
  readonly live: LiveChain | undefined;
  readonly faults: Faults;
  readonly requests: RequestLog;
  readonly journal: Journal;
  /** Responses that violated the contract, where `conformance` is on. */
  readonly violations: ConformanceError[] = [];
  /** Verifies and records sources; undefined without a verifier. */
  readonly verify: Verify | undefined;
  /** The outcomes of the sources that tools submitted. */
  readonly submissions = new Submissions();
  /** Answers in place of the chain: a recording, or another explorer. */
  source: Source | undefined;
  #builder: ChainBuilder | undefined;
  readonly #tenants = new Map<string, Service>();
  readonly #initial: ExplorerSnapshot;

  constructor(options: ServiceOptions, api: ExplorerApi, inherited?: Inherited) {
    const { verifier, seed, chain: source } = options;
    this.options = options;
    this.api = api;
    this.baseUrl = normalBase(options.baseUrl ?? "https://explorer.test");
    this.live = isLive(source) ? source : undefined;
    this.chain = "chain" in source ? source.chain : source;
    this.#builder = isBuilder(source) ? source : undefined;
    const { chain } = this;
    const exchanges = inherited?.exchanges;
    this.requests = new RequestLog(exchanges ? TENANT_ENTRIES : JOURNAL_ENTRIES, exchanges);
    this.journal = new Journal(this.requests);
    const now = () => this.now();
    this.faults = new Faults({ now, seed, head: () => chain.head.number });
    if (inherited) this.faults.restore(inherited.faults);
    else for (const fault of options.faults ?? []) this.faults.add(fault);
    const record = (contract: ContractVerification) => {
      chain.applyHeadState({ verified: [contract] });
      this.live?.keepVerified?.(contract);
    };
    this.verify = verifier && verifyOn(chain, verifier, record, now);
    this.source = options.source?.();
    this.#initial = this.snapshot();
  }

  /**
   * Milliseconds since 1970. Looks the clock up when it is used, because a test may replace `Date`
   * later.
   */
  now(): number {
    return this.options.now?.() ?? Date.now();
  }

  /** Milliseconds of the clock that measures durations. */
  elapsed(): number {
    return this.options.now?.() ?? performance.now();
  }

  /** Whether only the listed API keys are accepted. */
  get keysListed(): boolean {
    return Boolean(this.options.apiKeys?.length);
  }

  /** Whether each api-key has its own chain, faults and journal. */
  get hasTenants(): boolean {
    return this.options.tenant !== undefined;
  }

  /**
   * Returns the service for a request's key. Throws a 503 while its chain cannot be read, and a 401
   * with the message `missing`, if defined, for a request without a key.
   */
  serviceFor(request: ServiceRequest, missing: string | undefined): Service {
    const apiKey = apiKeyOf(request);
    if (apiKey === undefined && missing !== undefined) throw new ServiceError(401, missing);
    const tenant = this.tenant(apiKey ?? "");
    tenant.assertReady();
    return tenant;
  }

  /** Throws a {@link ServiceError} 503 while the chain cannot be read. */
  assertReady(): void {
    const unavailable = this.live?.unavailable();
    if (unavailable) throw new ServiceError(503, unavailable, null, { "retry-after": "1" });
  }

  /** Adds a request to the journal that was refused before it reached an operation. */
  note(request: ServiceRequest, { status, message }: ServiceResponse): void {
    const { method, target } = request;
    const entry = this.requests.open({ method, target, operation: undefined, at: this.now() });
    this.requests.close(entry, { status, message, duration: 0 });
    this.options.onRequest?.(entry, request);
  }

  /** Records a response that violates the contract. */
  report(violation: ConformanceError): void {
    this.violations.push(violation);
    if (this.violations.length > MAX_VIOLATIONS) this.violations.shift();
    if (this.options.conformance === "warn") console.warn(violation.message);
  }

  snapshot(): ExplorerSnapshot {
    const [chain, faults] = [this.chain.snapshot(), this.faults.snapshot()];
    return { chain, faults, builder: this.#builder?.state() };
  }

  /** The builder that the explorer was created with, or one that continues its chain. */
  get builder(): ChainBuilder {
    if (this.live)
      throw new TypeError(
        "explorer.builder: the chain follows a node: send transactions to the node",
      );
    this.#builder ??= continueChain(this.chain);
    return this.#builder;
  }

  restore(snapshot: ExplorerSnapshot): void {
    const { chain, faults, builder }: Partial<ExplorerSnapshot> = Object(snapshot);
    if (!chain || !faults)
      throw new TypeError("Invalid snapshot: expected one that an explorer's snapshot() returned");
    if (!this.live) this.chain.restore(chain);
    this.#builder?.restore(builder);
    this.faults.restore(faults);
    this.journal.clear();
    this.submissions.clear();
    this.violations.length = 0;
  }

  reset(): void {
    this.restore(this.#initial);
    this.source = this.options.source?.();
    for (const { journal } of this.#tenants.values()) journal.clear();
    this.#tenants.clear();
  }

  fork(): Service {
    return this.#copy({});
  }

  /**
   * Returns the service for a key: its own tenant if the option `tenant` is set, otherwise this
   * service.
   */
  tenant(apiKey: string): Service {
    const { apiKeys } = this.options;
    if (apiKeys?.length && !apiKeys.includes(apiKey))
      throw new ServiceError(401, "api-key: not a known key");
    if (!this.hasTenants) return this;
    const existing = this.#tenants.get(apiKey);
    if (existing !== undefined) return existing;
    if (this.#tenants.size >= MAX_TENANTS)
      throw new ServiceError(
        503,
        `api-key: expected at most ${MAX_TENANTS} keys, each with an explorer of its own; reset() drops them`,
      );
    const tenant = this.#copy({ tenant: undefined }, this.requests.exchanges);
    this.#tenants.set(apiKey, tenant);
    return tenant;
  }

  #copy(changed: Partial<ExplorerOptions>, exchanges?: Exchanges): Service {
    const chain = this.live ?? this.#builder?.fork() ?? this.chain.fork();
    const options = { ...this.options, ...changed, chain };
    return new Service(options, this.api, { exchanges, faults: this.faults.snapshot() });
  }
}
