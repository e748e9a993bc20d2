// The optional cache, which stores only responses that can no longer change: see `finality`.
import { deepFreeze, isObject } from "../models/json.ts";
import { AbortScope, abortable } from "./abort.ts";
import type { ParsedResponse } from "./fetch.ts";
import type { WriteLog } from "./hooks.ts";
import type { PreparedRequest } from "./request.ts";
import { cachedResponse } from "./result-promise.ts";

/**
 * The store of the cache: a Keyv, a Map, or any object with these two methods.
 *
 * @example
 * new ExplorerClient({ cache: new Map() });
 */
export interface CacheStore {
  /** Returns the stored value or a promise of it; undefined if there is none. */
  get(key: string): unknown;
  /** Stores a JSON value. */
  set(key: string, value: unknown): unknown;
}

/**
 * How many blocks make the block below them final: twice the deepest reorganisation that Ethereum's
 * finality allows.
 */
const DEFAULT_CONFIRMATIONS = 128;

/** Milliseconds to wait for the store, because a request to the service is hardly slower. */
const STORE_TIMEOUT = 1000;

/** For how many transactions to remember the block; the oldest are dropped. */
const MAX_TRANSACTIONS = 100_000;

/** Learns from responses the height of the chain and the blocks of transactions. */
class FinalityTracker {
  head = 0n;
  readonly #blocks = new Map<string, bigint>();

  /** Whether a response can no longer change, if so many confirmations make a block final. */
  isFinal({ operation, wire }: PreparedRequest, confirmations: number): boolean {
    const isDeepEnough = (block: bigint | undefined) =>
      block !== undefined && block + BigInt(confirmations) <= this.head;
    switch (operation.finality) {
      case "verified":
        return true;
      case "transaction":
        return isDeepEnough(this.#blocks.get(String(wire.transaction_hash).toLowerCase()));
      case "block":
        return isDeepEnough(BigInt(String(wire.block_number)));
      default:
        return false;
    }
  }

  learn(results: unknown): void {
    const data = isObject(results) ? results.data : undefined;
    for (const record of Array.isArray(data) ? data : [data])
      if (isObject(record)) this.#learnRecord(record);
  }

  #learnRecord({
    block_number: block,
    confirmations = 0,
    transaction_hash: hash,
  }: Readonly<Record<string, unknown>>): void {
    if (typeof block !== "bigint") return;
    const head = block + BigInt(Number(confirmations));
    if (head > this.head) this.head = head;
    if (typeof hash !== "string") return;
    const oldest = this.#blocks.keys().next();
    if (this.#blocks.size >= MAX_TRANSACTIONS && !oldest.done) this.#blocks.delete(oldest.value);
    this.#blocks.set(hash.toLowerCase(), block);
  }
}

/** Stores final results as JSON, by URL. If the store fails, requests go to the service. */
export class Cache {
  readonly #store: CacheStore;
  readonly #confirmations: number;
  readonly #finality = new FinalityTracker();
  readonly #log: WriteLog;
  #warned = false;

  constructor(store: CacheStore, log: WriteLog, confirmations = DEFAULT_CONFIRMATIONS) {
    this.#store = store;
    this.#log = log;
    this.#confirmations = confirmations;
  }

  /** Returns the stored results of a request with a stand-in for its response. */
  async get(
    { operation, url }: PreparedRequest,
    signal: AbortSignal | undefined,
  ): Promise<Pick<ParsedResponse, "response" | "results"> | undefined> {
    if (operation.finality === undefined) return undefined;
    const results = await this.#useStore(() => this.#store.get(cacheKey(url)), signal);
    if (results === undefined) return undefined;
    return { response: cachedResponse(), results };
  }

  async set(
    request: PreparedRequest,
    results: unknown,
    decoded: unknown,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    this.#finality.learn(decoded);
    if (!this.#finality.isFinal(request, this.#confirmations)) return;
    // Frozen, because a store such as a Map keeps this object, which the caller has, too.
    deepFreeze(results);
    await this.#useStore(() => this.#store.set(cacheKey(request.url), results), signal);
  }

  async #useStore(use: () => unknown, signal: AbortSignal | undefined): Promise<unknown> {
    const timedOut = () => new Error(`Timed out after ${STORE_TIMEOUT} ms`);
    const scope = new AbortScope().follow(signal).timeout(STORE_TIMEOUT, timedOut);
    try {
      return await abortable((async () => use())(), scope.signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!this.#warned)
        this.#log("warn", "The cache store failed; requests go to the service:", error);
      this.#warned = true;
      return undefined;
    } finally {
      scope.close();
    }
  }
}

const cacheKey = (url: string): string => `mrc-explorer:${url}`;
