// The explorer in memory: a chain, the service over it, and the door that needs nothing else.
import { buildChain } from "./builder/index.ts";
import type { Chain, Snapshot } from "./chain/chain.ts";
import type { VerifiedContract } from "./chain/records.ts";
import { type Fault, Faults, type FaultsSnapshot, type Transport } from "./faults/index.ts";
import { Journal } from "./journal.ts";
import { ServiceError } from "./operations/handler.ts";
import type { Conformance, ConformanceError } from "./transports/conformance.ts";
import { createDispatcher, type Dispatch, type Tenant } from "./transports/dispatcher.ts";
import { createFetch } from "./transports/fetch.ts";
import { normalBase } from "./transports/request.ts";
import { verifyOn } from "./transports/verify.ts";
import type { Verifier } from "./verification/port.ts";

/** How an explorer is made. */
export interface ExplorerOptions {
  /**
   * A chain, or the story told on one: what is mined later is there for the next request.
   * Left out, a new chain of one block, to be gone on with by `continueChain(mock.chain)`.
   */
  readonly chain?: Chain | { readonly chain: Chain } | undefined;
  /** Where the service pretends to be. @default "https://explorer.test" */
  readonly baseUrl?: string | undefined;
  /** The keys that are known; any non-empty one is, if there are none. */
  readonly apiKeys?: readonly string[] | undefined;
  /** The time, as milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
  /** Compiles and compares what C3 submits; without one C3 answers 501. */
  readonly verifier?: Verifier | undefined;
  /** `"api-key"`: each key has a fork of the chain, faults and a journal of its own, so that tests share a port. */
  readonly tenant?: "api-key" | undefined;
  /** Check every answer against the contract: `throw` answers 500 instead, `warn` says so and lets it pass. */
  readonly conformance?: Conformance | undefined;
  /** Faults to begin with; `reset()` comes back to them. */
  readonly faults?: readonly Fault[] | undefined;
  /** What chance is drawn from. @default 1 */
  readonly seed?: number | undefined;
}

/** An explorer at one moment: its chain and its faults. */
export interface ExplorerSnapshot {
  readonly chain: Snapshot;
  readonly faults: FaultsSnapshot;
}

/** What a copy takes over: the faults as they stand; a tenant also the ways out, for it leaves through the same doors. */
interface Inherited {
  readonly faults?: FaultsSnapshot | undefined;
  readonly transports?: Set<Transport> | undefined;
}

/** Nobody runs so many tests at once: their keys are made anew for each request by mistake. */
const maxTenants = 1000;

/**
 * The explorer in memory; {@link createExplorer} makes one. It refuses and answers as the rows S of {@link decisions} say; nothing it does leaves
 * this process.
 */
export class Explorer {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** The chain that is answered from; whatever is mined on it is there for the next request. */
  readonly chain: Chain;
  /** What goes wrong on demand. */
  readonly faults: Faults;
  /** What was asked. */
  readonly journal = new Journal();
  /** Answers that broke the contract, where `conformance` is on. */
  readonly violations: ConformanceError[] = [];
  readonly conformance: Conformance | undefined;
  /** For doors: the service without any transport. */
  readonly dispatch: Dispatch;
  readonly #options: ExplorerOptions;
  readonly #transports: Set<Transport>;
  readonly #stand: Tenant;
  readonly #tenants = new Map<string, Explorer>();
  readonly #beginning: ExplorerSnapshot;
  #fetch: typeof fetch | undefined;

  constructor(options: ExplorerOptions, inherited: Inherited = {}) {
    const { transports = new Set<Transport>() } = inherited;
    const { verifier, now = Date.now, baseUrl = "https://explorer.test", seed } = options;
    const { chain: given = buildChain() } = options;
    const chain = "chain" in given ? given.chain : given;
    this.#options = options;
    this.#transports = transports;
    this.baseUrl = normalBase(baseUrl);
    this.chain = chain;
    this.conformance = options.conformance;
    this.faults = new Faults({ now, seed, transports, head: () => chain.head.number });
    if (inherited.faults) this.faults.restore(inherited.faults);
    else for (const fault of options.faults ?? []) this.faults.add(fault);
    const record = (contract: VerifiedContract) => chain.applyHeadState({ verified: [contract] });
    this.#stand = {
      chain,
      services: { verify: verifier && verifyOn(chain, verifier, record, now) },
      faults: this.faults,
      journal: this.journal,
    };
    this.dispatch = createDispatcher({
      apiKeys: options.apiKeys,
      conformance: options.conformance,
      now,
      onViolation: (violation) => this.report(violation),
      onError: (error) => console.error("mrc-explorer: an answer failed:", error),
      tenantOf: (apiKey) => (apiKey === undefined ? this : this.tenant(apiKey)).#stand,
    });
    this.#beginning = this.snapshot();
  }

  /**
   * Answers in place, for the client's `fetch` option: the fastest door, and nothing global is touched.
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

  /** For doors: notes an answer that breaks the contract. */
  report(violation: ConformanceError): void {
    this.violations.push(violation);
    if (this.conformance === "warn") console.warn(violation.message);
  }

  /**
   * Chain and faults as they are now, to come back to with {@link restore}, as often as wanted.
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

  /** Chain and faults as they were then; the journal begins anew. */
  restore({ chain, faults }: ExplorerSnapshot): void {
    this.chain.restore(chain);
    this.faults.restore(faults);
    this.journal.clear();
    this.violations.length = 0;
  }

  /** As it was made: chain and faults of then, an empty journal, no tenants. */
  reset(): void {
    this.restore(this.#beginning);
    this.#tenants.clear();
  }

  /**
   * An explorer of its own, in the state of this one, at the same address: neither sees what happens to the other.
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

  /** The explorer that the requests of a key meet: its own, where `tenant` is "api-key"; else this one. */
  tenant(apiKey: string): Explorer {
    if (this.#options.tenant === undefined) return this;
    const known = this.#tenants.get(apiKey);
    if (known !== undefined) return known;
    if (this.#tenants.size >= maxTenants)
      throw new ServiceError(
        503,
        `api-key: ${maxTenants} keys have an explorer of their own already; reset() lets them go`,
      );
    const tenant = this.#copy({ tenant: undefined }, this.#transports);
    this.#tenants.set(apiKey, tenant);
    return tenant;
  }

  #copy(changed: Partial<ExplorerOptions>, transports?: Set<Transport>): Explorer {
    const options = { ...this.#options, ...changed, chain: this.chain.fork() };
    return new Explorer(options, { transports, faults: this.faults.snapshot() });
  }
}

/**
 * The explorer as a test double, in memory. It throws a {@link FaultError} for a fault to begin with that makes no sense.
 *
 * @example
 * ```ts
 * const mock = createExplorer({ chain: story });
 * const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });
 * ```
 */
export const createExplorer = (options: ExplorerOptions = {}): Explorer => new Explorer(options);
