// The class `Explorer`, and `createExplorer`.
import type { ConformanceError } from "../src/contract/conformance.ts";
import { buildChain, type ChainBuilder } from "./builder/index.ts";
import type { ChainWriter } from "./chain/writer.ts";
import type { Faults } from "./faults/faults.ts";
import { classOf } from "./input/options.ts";
import type { Journal } from "./journal/journal.ts";
import { INSPECT } from "./message/notes.ts";
import { createExplorerApi } from "./service/explorer-api.ts";
import { createFetch } from "./service/fetch.ts";
import { handleRequest } from "./service/handle-request.ts";
import { checkExplorerOptions, type ExplorerOptions } from "./service/options.ts";
import { type ExplorerSnapshot, Service } from "./service/service.ts";

export type { ExplorerOptions } from "./service/options.ts";
export type { ExplorerSnapshot } from "./service/service.ts";

/**
 * A registered symbol, because the explorer may come from the package's CommonJS build and its
 * server from the ES module build.
 */
const SERVICE = Symbol.for("mrc-explorer.service");

/** Returns the service of an explorer, for transports. Throws a TypeError for any other value. */
export function serviceOf(explorer: Explorer, caller = "mrc-explorer"): Service {
  const service: Service | undefined = Object(explorer)[SERVICE];
  if (service === undefined)
    throw new TypeError(
      `${caller}: expected an explorer from createExplorer, received ${classOf(explorer)}`,
    );
  return service;
}

/**
 * A mock explorer in memory, created by {@link createExplorer}. It responds as the explorer's API
 * documentation says. Where the documentation is silent, it follows the S rows of the docs page
 * "Decisions". It sends nothing over the network.
 */
export class Explorer {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The chain behind the explorer. Blocks mined on it are visible to the next request. */
  readonly chain: ChainWriter;
  /** Faults on demand. */
  readonly faults: Faults;
  /** The requests received. */
  readonly journal: Journal;
  /** Responses that violated the contract, if the option `conformance` is on. */
  readonly violations: ConformanceError[];
  readonly #service: Service;
  #fetch: typeof fetch | undefined;

  /** @internal */
  constructor(service: Service) {
    this.#service = service;
    Object.defineProperty(this, SERVICE, { value: service });
    this.baseUrl = service.baseUrl;
    this.chain = service.chain;
    this.faults = service.faults;
    this.journal = service.journal;
    this.violations = service.violations;
  }

  /**
   * Responds in memory, for the client's `fetch` option: the fastest transport, without changes to
   * globals.
   *
   * @example
   * ```ts
   * const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });
   * ```
   */
  get fetch(): typeof fetch {
    const service = this.#service;
    this.#fetch ??= createFetch(this.baseUrl, (request) =>
      handleRequest(service.api, service, request),
    );
    return this.#fetch;
  }

  /**
   * `console.log(mock)` prints the explorer's address and its numbers of blocks, requests and
   * faults.
   */
  [INSPECT](): string {
    const { length } = this.chain;
    return `Explorer at ${this.baseUrl}: ${length} blocks, ${this.journal.count()} requests, ${this.faults.size} faults`;
  }

  /**
   * The builder of {@link chain}: the builder that was passed to `createExplorer`, or a new one
   * that continues the chain. A fork has its own builder. `reset` and `restore` also restore the
   * names, waits and pending transactions of the builder. Throws for a chain that follows a node.
   */
  get builder(): ChainBuilder {
    return this.#service.builder;
  }

  /**
   * Saves chain, builder and faults for {@link restore}, which may use the snapshot any number of
   * times.
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
    return this.#service.snapshot();
  }

  /** Restores chain, builder and faults, and clears the journal. */
  restore(snapshot: ExplorerSnapshot): void {
    this.#service.restore(snapshot);
  }

  /** Restores the initial chain, builder and faults, clears the journal and drops all tenants. */
  reset(): void {
    this.#service.reset();
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
    return explorerOf(this.#service.fork());
  }

  /**
   * Returns the explorer that answers requests with this API key. If the option `tenant` is
   * "api-key", each key has an explorer of its own; otherwise it is this one. Throws if the key is
   * not accepted.
   */
  tenant(apiKey: string): Explorer {
    if (typeof apiKey !== "string")
      throw new TypeError(`explorer.tenant: expected an API key, received ${classOf(apiKey)}`);
    return explorerOf(this.#service.tenant(apiKey));
  }
}

/** Explorers by service, so that a service always has the same explorer. */
const explorerByService = new WeakMap<Service, Explorer>();

function explorerOf(service: Service): Explorer {
  const existing = explorerByService.get(service);
  if (existing !== undefined) return existing;
  const created = new Explorer(service);
  explorerByService.set(service, created);
  return created;
}

/**
 * Creates a mock explorer in memory. Throws a TypeError for an invalid option, and a
 * {@link FaultError} for an invalid initial fault.
 *
 * @example
 * ```ts
 * const mock = createExplorer({ chain });
 * const explorer = new ExplorerClient({ baseUrl: mock.baseUrl, apiKey: "any", fetch: mock.fetch });
 * ```
 */
export function createExplorer(options: ExplorerOptions = {}): Explorer {
  checkExplorerOptions(options);
  const { chain = buildChain() } = options;
  return explorerOf(new Service({ ...options, chain }, createExplorerApi(options.dialect)));
}
