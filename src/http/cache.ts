// The optional cache: keeps answers that can no longer change (their definition says which), and only those.
import { check } from "../models/issues.ts";
import { AbortScope, abortable } from "./abort.ts";
import type { ParsedResponse } from "./envelope.ts";
import type { PreparedRequest } from "./request.ts";

/** What a cache stores answers in: a Keyv, a Map, or anything with these two methods. */
export interface CacheStore {
  /** What was set, or a promise of it; undefined if nothing was. */
  get(key: string): unknown;
  /** Keeps a value that survives JSON. */
  set(key: string, value: unknown): unknown;
}

/** Blocks on top of a block after which it is taken to stay: twice the deepest reorganisation Ethereum's finality allows. */
export const defaultConfirmations = 128;

/** Milliseconds after which a store that does not answer has failed: asking the service is hardly slower. */
const PATIENCE = 1000;

/** Transactions whose block is remembered; the oldest give way. */
const REMEMBERED = 100_000;

/** What the answers tell of the chain on the side: how high it is, and which block a transaction is in. */
class SeenChain {
  /** The highest block that was seen. */
  head = 0n;
  readonly #blocks = new Map<string, bigint>();

  /** Whether a successful answer can no longer change, where a block with so many `confirmations` stays. */
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

  /** Learns from the decoded results of any operation. */
  learn(results: unknown): void {
    if (typeof results !== "object" || results === null || !("data" in results)) return;
    const { data } = results;
    for (const record of Array.isArray(data) ? data : [data]) this.#see(record);
  }

  #see(record: unknown): void {
    if (typeof record !== "object" || record === null || !("block_number" in record)) return;
    const { block_number: block } = record;
    if (typeof block !== "bigint") return;
    const on =
      "confirmations" in record && typeof record.confirmations === "number"
        ? record.confirmations
        : 0;
    const head = block + BigInt(on);
    if (head > this.head) this.head = head;
    if (!("transaction_hash" in record) || typeof record.transaction_hash !== "string") return;
    const oldest = this.#blocks.keys().next();
    if (this.#blocks.size >= REMEMBERED && !oldest.done) this.#blocks.delete(oldest.value);
    this.#blocks.set(record.transaction_hash.toLowerCase(), block);
  }
}

/** Keeps final answers as JSON, by the address they were asked at. A store that fails only costs its use. */
export class Cache {
  readonly #store: CacheStore;
  readonly #confirmations: number;
  readonly #chain = new SeenChain();
  #complained = false;

  constructor(store: CacheStore, confirmations: number) {
    this.#store = store;
    this.#confirmations = confirmations;
  }

  /** The kept answer to this request; undefined if there is none that can be read. */
  async get(
    { operation, url }: PreparedRequest,
    signal: AbortSignal | undefined,
  ): Promise<ParsedResponse | undefined> {
    if (operation.finality === undefined) return undefined;
    const results = await this.#carefully(() => this.#store.get(keyOf(url)), signal);
    if (results === undefined || results === null) return undefined;
    if (check(operation.results, results).issues) return undefined;
    return {
      // There was none; this one says so.
      response: new Response(null, { headers: { "x-mrc-explorer-cache": "hit" } }),
      text: "",
      results,
      redact: (text) => text,
      attempts: 0,
    };
  }

  /** Learns from an answer, and keeps it if it is final. */
  async keep(
    request: PreparedRequest,
    results: unknown,
    decoded: unknown,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    this.#chain.learn(decoded);
    if (!this.#chain.isFinal(request, this.#confirmations)) return;
    await this.#carefully(() => this.#store.set(keyOf(request.url), results), signal);
  }

  async #carefully(use: () => unknown, signal: AbortSignal | undefined): Promise<unknown> {
    const late = () => new Error(`No answer within ${PATIENCE} ms`);
    const scope = new AbortScope().follow(signal).timeout(PATIENCE, late);
    try {
      return await abortable((async () => use())(), scope.signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!this.#complained)
        console.warn("mrc-explorer: the cache's store fails, and is not used:", error);
      this.#complained = true;
      return undefined;
    } finally {
      scope.close();
    }
  }
}

const keyOf = (url: string): string => `mrc-explorer:${url}`;
