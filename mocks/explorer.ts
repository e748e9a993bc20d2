// The explorer in memory: a chain, the service over it, and its `fetch`.

import {
  type Conformance,
  type ConformanceError,
  resultsViolation,
} from "../src/contract/conformance.ts";
import type { Dialect } from "../src/contract/dialect.ts";
import type { DialectName } from "../src/contract/dialects.ts";
import type { OperationId } from "../src/contract/index.ts";
import { isLive, type LiveChain } from "./chain/live-chain.ts";
import type { ChainReader } from "./chain/reader.ts";
import type { ContractVerification } from "./chain/records.ts";
import type { ChainSnapshot, ChainWriter } from "./chain/writer.ts";
import {
  type Fault,
  Faults,
  type FaultsSnapshot,
  type PresetFault,
  type Transport,
} from "./faults/index.ts";
import { Exchanges } from "./journal/exchanges.ts";
import { Journal } from "./journal/journal.ts";
import { JOURNAL_ENTRIES, RequestLog, TENANT_ENTRIES } from "./journal/request-log.ts";
import { type Api, ServiceError } from "./message/api.ts";
import { errorResponse, type ServiceRequest } from "./message/message.ts";
import type { JournalEntry, Notes } from "./message/notes.ts";
import type { Services } from "./operations/handler.ts";
import { ServedOperations, service } from "./operations/index.ts";
import { Submissions } from "./operations/submissions.ts";
import type { Verifier } from "./operations/verifier.ts";
import { type Verify, verifyOn } from "./operations/verify.ts";
import {
  apiKeyOf,
  assertReady,
  createDispatcher,
  type Dispatch,
  type Source,
  type Tenant,
} from "./service/dispatcher.ts";
import { createFetch, normalBase } from "./service/fetch.ts";

/** The options of `createExplorer`. */
export interface ExplorerOptions {
  /**
   * A chain, its builder, or a follower of a node; blocks mined later are visible to the next request. Without it the explorer has a new chain
   * of one block, which `continueChain(mock.chain)` extends.
   */
  readonly chain?: ChainWriter | { readonly chain: ChainWriter } | undefined;
  /**
   * Creates the source that answers instead of the chain; called at the start and at each `reset`, so that the source starts again. Used by `createReplay` and
   * `createProxy` of `mrc-explorer/mocks/node`. Journal and faults work as usual.
   */
  readonly source?: (() => Source<OperationId>) | undefined;
  /** The address of the service. @default "https://explorer.test" */
  readonly baseUrl?: string | undefined;
  /**
   * Answers like an explorer of another dialect: `"wemix"`, or one that `defineDialect` of `mrc-explorer` made. Journal, faults and errors of
   * handlers keep the specification's names.
   *
   * @default "metadium": the specification
   */
  readonly dialect?: DialectName | Dialect | undefined;
  /** The accepted api-keys; without any, every non-empty key is accepted. */
  readonly apiKeys?: readonly string[] | undefined;
  /** The symbol or name of the coin, shown next to amounts on the page: up to 12 characters. @default none */
  readonly coin?: string | undefined;
  /** The clock, in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Verifies the sources submitted to C3 (contract verification); without a verifier, C3 responds 501. */
  readonly verifier?: Verifier | undefined;
  /** `"api-key"`: each key has its own fork of the chain, faults and journal, so that tests can share a port. */
  readonly tenant?: "api-key" | undefined;
  /** Checks every response against the contract: `throw` responds 500 to a violation, `warn` logs it. */
  readonly conformance?: Conformance | undefined;
  /** Initial faults; `reset()` restores them. */
  readonly faults?: readonly (Fault | PresetFault)[] | undefined;
  /**
   * Called for each request of every tenant once its response is ready, with its entry in the journal, and the request with its headers. On a
   * port, it is also called for requests that no journal lists (`/health`, `/inspect`, `/admin`): their number is 0. Use it for logs, but keep the `api-key` out of them.
   */
  readonly onRequest?: ((entry: JournalEntry, request: ServiceRequest) => void) | undefined;
  /** The seed for probabilities and latencies. @default 1 */
  readonly seed?: number | undefined;
}

/** The options with the chain that answers. */
type OptionsWithChain = ExplorerOptions & { readonly chain: NonNullable<ExplorerOptions["chain"]> };

/** A dispatcher that is made with its first request: those of a tenant arrive at the explorer that has the tenant. */
function lazily(create: () => Dispatch): Dispatch {
  let dispatch: Dispatch | undefined;
  return (request) => {
    dispatch ??= create();
    return dispatch(request);
  };
}

/** The state of an explorer: its chain and its faults. */
export interface ExplorerSnapshot {
  readonly chain: ChainSnapshot;
  readonly faults: FaultsSnapshot;
}

/** What a request to an explorer needs, and what it can do. */
export interface ExplorerTerms {
  /** Only listed api-keys are accepted; otherwise any text is. */
  readonly keysListed: boolean;
  /** Each api-key has its own chain, faults and journal. */
  readonly tenants: boolean;
  /** C3 compiles sources. */
  readonly verifier: boolean;
  /** With these compilers. */
  readonly compilers: readonly string[];
  /** The symbol or name of the coin; null if none was given. */
  readonly coin: string | null;
}

/** No control characters, and no space at the ends. */
const COIN_PATTERN = /^[^\p{C}\s](?:[^\p{C}]{0,10}[^\p{C}\s])?$/u;

/** What the tenants of an explorer share: the transports in use, and the requests in full. */
interface Shared {
  readonly transports: Set<Transport>;
  readonly exchanges: Exchanges;
}

type ServiceTenant = Tenant<OperationId, ChainReader, Services>;

/** The parts that a copy inherits: the faults with their state, and, for a tenant, the parts it shares. */
interface Inherited {
  readonly faults?: FaultsSnapshot | undefined;
  readonly shared?: Shared | undefined;
}

/** The newest are kept: a server may run for days. */
const MAX_VIOLATIONS = 1000;

/** Observers change nothing: no fault applies, and no journal lists their requests. */
const unobserved = {
  source: undefined,
  services: {
    verify(): never {
      throw new ServiceError(405, "this endpoint is read-only: submit a source below /v1");
    },
  },
  faults: undefined,
  journal: undefined,
};

const noSource = (): never => {
  throw new Error("the explorer answers from its chain");
};

const MISSING_KEY = "api-key: the header is missing";

/** No test run needs more: beyond this, a key per request is a mistake. */
const MAX_TENANTS = 1000;

/**
 * The explorer in memory, created by `createExplorer`. It responds as {@link decisions} define (the rows S: points that the specification leaves open); nothing leaves this
 * process.
 */
export class Explorer {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The chain of the service; blocks mined on it are visible to the next request. */
  readonly chain: ChainWriter;
  /** Faults on demand. */
  readonly faults: Faults;
  /** The requests received. */
  readonly journal: Journal;
  /** For transports: where requests are noted. */
  readonly requests: RequestLog;
  /** Responses that violated the contract, where `conformance` is on. */
  readonly violations: ConformanceError[] = [];
  readonly conformance: Conformance | undefined;
  /** The chain's source if the chain changes by itself: `reset`, `restore` and tenants do not change such a chain. */
  readonly live: LiveChain | undefined;
  /** For transports: the operations in the explorer's dialect. */
  readonly operations: ServedOperations;
  /** For transports: the service itself. */
  readonly dispatch: Dispatch;
  /** For the page: the service without faults and journal, so that observers change nothing; C3 is refused. */
  readonly observe: Dispatch;
  /** For transports: verifies and records sources without C3; undefined without a verifier. */
  readonly verify: Verify | undefined;
  /** For transports: the outcomes of the sources that tools submitted. */
  readonly submissions = new Submissions();
  readonly #options: OptionsWithChain;
  readonly #shared: Shared;
  readonly #asTenant: ServiceTenant;
  readonly #tenants = new Map<string, Explorer>();
  readonly #initial: ExplorerSnapshot;
  #source: Source<OperationId>;
  readonly #now: () => number;
  #fetch: typeof fetch | undefined;

  constructor(options: OptionsWithChain, inherited: Inherited = {}) {
    const { shared = { transports: new Set<Transport>(), exchanges: new Exchanges() } } = inherited;
    const { verifier, baseUrl = "https://explorer.test", seed } = options;
    // Looked up when it is used: the clock of a test may come later.
    const { now = () => Date.now() } = options;
    const { chain: source } = options;
    const chain = "chain" in source ? source.chain : source;
    if (options.apiKeys?.some((key) => key.trim() === ""))
      throw new TypeError("createExplorer: apiKeys: expected keys that are not empty");
    if (options.coin !== undefined && !COIN_PATTERN.test(options.coin))
      throw new TypeError(
        `createExplorer: coin: expected 1 to 12 characters, received ${JSON.stringify(options.coin.slice(0, 40))}`,
      );
    this.#options = options;
    this.operations = new ServedOperations(options.dialect);
    this.#now = now;
    this.#shared = shared;
    this.baseUrl = normalBase(baseUrl);
    this.chain = chain;
    this.live = isLive(source) ? source : undefined;
    const isTenant = inherited.shared !== undefined;
    this.requests = new RequestLog(isTenant ? TENANT_ENTRIES : JOURNAL_ENTRIES, shared.exchanges);
    this.journal = new Journal(this.requests);
    this.conformance = options.conformance;
    const { transports } = shared;
    this.faults = new Faults({ now, seed, transports, head: () => chain.head.number });
    if (inherited.faults) this.faults.restore(inherited.faults);
    else for (const fault of options.faults ?? []) this.faults.add(fault);
    const record = (contract: ContractVerification) => {
      chain.applyHeadState({ verified: [contract] });
      this.live?.keepVerified?.(contract);
    };
    this.verify = verifier && verifyOn(chain, verifier, record, now);
    this.#source = options.source?.() ?? noSource;
    this.#asTenant = {
      ...(options.source && { source: (...call) => this.#source(...call) }),
      chain,
      live: this.live,
      services: { verify: this.verify },
      faults: this.faults,
      journal: this.requests,
    };
    this.dispatch = lazily(() =>
      createDispatcher<OperationId, ChainReader, Services>({
        api: this.operations.api,
        now: options.now,
        tenantOf: (request) => this.#tenantOf(request),
        journal: () => this.requests,
        refuseResults: this.conformance && ((...given) => this.#refuseResults(...given)),
        onRequest: this.onRequest,
      }),
    );
    this.observe = lazily(() =>
      createDispatcher({
        api: service,
        tenantOf: (request) => ({ ...this.#tenantOf(request), ...unobserved }),
      }),
    );
    this.#initial = this.snapshot();
  }

  #tenantOf(request: ServiceRequest): ServiceTenant {
    const { keysListed, tenants } = this.terms;
    const isNeeded = this.operations.needsKey || keysListed || tenants;
    const missing = this.#options.source || !isNeeded ? undefined : MISSING_KEY;
    return this.#ownOf(request, missing).#asTenant;
  }

  /**
   * Responds in memory, for the client's `fetch` option: the fastest transport, without changes to globals.
   *
   * @example
   * ```ts
   * const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });
   * ```
   */
  get fetch(): typeof fetch {
    this.faults.attach("fetch");
    this.#fetch ??= createFetch(this.baseUrl, this.dispatch);
    return this.#fetch;
  }

  /**
   * For transports: serves an API that tools speak, with the chain, faults and journal of the request's key; without one, those of all keys.
   * `standsFor`: the operation of the specification whose faults apply to a tool's operation; `shown`: a request's target, as the journal has it.
   */
  serveTools<Id extends string>(
    api: Api<Id, ChainReader, Explorer>,
    standsFor: Readonly<Record<Id, OperationId>>,
    shown = (target: string) => target,
  ): Dispatch {
    // It is no operation of the specification, so its entries have none.
    const notesIn = ({ requests }: Explorer): Notes<Id> => ({
      exchanges: requests.exchanges,
      open: ({ method, target, at }) =>
        requests.open({ method, target: shown(target), at, operation: undefined }),
      close: (entry, outcome) => requests.close(entry, outcome),
    });
    return createDispatcher<Id, ChainReader, Explorer>({
      api,
      now: this.#options.now,
      journal: () => notesIn(this),
      onRequest: this.onRequest,
      tenantOf: (request) => {
        const { keysListed, tenants } = this.terms;
        const missing = "Missing/Invalid API Key: give the tool one of this explorer's keys";
        const own = this.#ownOf(request, keysListed || tenants ? missing : undefined);
        const { faults } = own;
        return {
          ...own.#asTenant,
          source: undefined,
          services: own,
          faults: {
            get size() {
              return faults.size;
            },
            plan: ({ operation, ...call }) =>
              faults.plan({ operation: standsFor[operation], ...call }),
          },
          journal: notesIn(own),
        };
      },
    });
  }

  /** For transports: notes a request that was refused before an operation of a tool's API took it. */
  note(
    request: ServiceRequest,
    { status, message }: Pick<JournalEntry, "status" | "message">,
  ): void {
    const { method, target } = request;
    const entry = this.requests.open({ method, target, operation: undefined, at: this.#now() });
    this.requests.close(entry, { status, message, duration: 0 });
    this.onRequest?.(entry, request);
  }

  /** The explorer of a request's key, which can answer; `missing` refuses a request without a key. */
  #ownOf(request: ServiceRequest, missing: string | undefined): Explorer {
    const apiKey = apiKeyOf(request);
    if (apiKey === undefined && missing !== undefined) throw new ServiceError(401, missing);
    const own = this.tenant(apiKey ?? "");
    assertReady(own.live);
    return own;
  }

  /** For the page: what a request needs, and what it can do. */
  get terms(): ExplorerTerms {
    const { apiKeys, tenant, verifier, coin = null } = this.#options;
    return {
      keysListed: Boolean(apiKeys?.length),
      tenants: tenant !== undefined,
      verifier: verifier !== undefined,
      compilers: verifier?.compilers?.() ?? [],
      coin,
    };
  }

  /** For ports: called with each request, as the option says. */
  get onRequest(): ExplorerOptions["onRequest"] {
    return this.#options.onRequest;
  }

  /** For transports: records a response that violates the contract. */
  report(violation: ConformanceError): void {
    this.violations.push(violation);
    if (this.violations.length > MAX_VIOLATIONS) this.violations.shift();
    if (this.conformance === "warn") console.warn(violation.message);
  }

  /** The response to send instead of results that violate the contract, where `conformance` is "throw". */
  #refuseResults(
    operation: OperationId,
    results: unknown,
    { simple }: Readonly<Record<string, unknown>>,
  ) {
    const violation = resultsViolation(operation, results, simple === true);
    if (violation === undefined) return undefined;
    this.report(violation);
    return this.conformance === "throw" ? errorResponse(500, violation.message) : undefined;
  }

  /**
   * Saves chain and faults for {@link restore}, which may use the snapshot any number of times.
   *
   * @example
   * ```ts
   * const before = mock.snapshot();
   * mock.chain.rewind(2);
   * mock.restore(before);
   * mock.chain.head.number; // 92
   * ```
   */
  snapshot(): ExplorerSnapshot {
    return { chain: this.chain.snapshot(), faults: this.faults.snapshot() };
  }

  /** Restores chain and faults and clears the journal. */
  restore(snapshot: ExplorerSnapshot): void {
    const { chain, faults }: Partial<ExplorerSnapshot> = Object(snapshot);
    if (!chain || !faults)
      throw new TypeError("Invalid snapshot: expected one that an explorer's snapshot() returned");
    if (!this.live) this.chain.restore(chain);
    this.faults.restore(faults);
    this.journal.clear();
    this.submissions.clear();
    this.violations.length = 0;
  }

  /** Restores the initial chain and faults, clears the journal and drops all tenants. */
  reset(): void {
    this.restore(this.#initial);
    this.#source = this.#options.source?.() ?? noSource;
    for (const { journal } of this.#tenants.values()) journal.clear();
    this.#tenants.clear();
  }

  /**
   * Creates an independent copy in the same state and at the same address.
   *
   * @example
   * ```ts
   * const mine = mock.fork();
   * const explorer = new ExplorerClient({ baseUrl: mine.baseUrl, apiKey: "any", fetch: mine.fetch });
   * ```
   */
  fork(): Explorer {
    return this.#copy({});
  }

  /** The explorer for the requests of a key: its own where `tenant` is "api-key", else this one. Throws for a key that is not accepted. */
  tenant(apiKey: string): Explorer {
    const { apiKeys } = this.#options;
    if (apiKeys?.length && !apiKeys.includes(apiKey))
      throw new ServiceError(401, "api-key: not a known key");
    if (this.#options.tenant === undefined) return this;
    const known = this.#tenants.get(apiKey);
    if (known !== undefined) return known;
    if (this.#tenants.size >= MAX_TENANTS)
      throw new ServiceError(
        503,
        `api-key: expected at most ${MAX_TENANTS} keys, each with an explorer of its own; reset() drops them`,
      );
    const tenant = this.#copy({ tenant: undefined }, this.#shared);
    this.#tenants.set(apiKey, tenant);
    return tenant;
  }

  #copy(changed: Partial<ExplorerOptions>, shared?: Shared): Explorer {
    const options = { ...this.#options, ...changed, chain: this.live ?? this.chain.fork() };
    return new Explorer(options, { shared, faults: this.faults.snapshot() });
  }
}
