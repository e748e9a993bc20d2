// Requests the state at the chain's head from a node when a request reads it: once per head, within a budget of calls.

import { messageOf } from "../../../src/errors/base.ts";
import { quantityOf } from "../../double/chain/hex.ts";
import {
  type HeadQuestion,
  type HeadRead,
  HeadStateUnavailable,
} from "../../double/chain/live-chain.ts";
import type { ChainWriter } from "../../double/chain/writer.ts";
import { isTimeout, timeLimited } from "../../double/service/event-loop.ts";
import { blockHash, nodeKind } from "./node-info.ts";
import type { RpcNode } from "./rpc/node.ts";
import { askState, costOf, readKey } from "./state-calls.ts";

export interface HeadStateOptions {
  readonly chain: ChainWriter;
  readonly node: RpcNode;
  /** Updates the chain to the node's head. */
  readonly update: () => Promise<void>;
  /** Why the node must not be asked: it belongs to another network than the chain. */
  readonly refusal: () => Error | undefined;
  /** Once it aborts, the chain stays unchanged, and nothing is requested. */
  readonly signal: AbortSignal;
  /** Maximum calls for one request. */
  readonly callBudget: number;
}

/** How long a request waits for the node, in milliseconds. */
const PATIENCE = 10_000;
/** The same for reads that it can do without. */
const OPTIONAL_PATIENCE = 2000;
/** The state of a head is dropped when it has more entries than this. */
const MAX_KNOWN = 200_000;

/** A read that was requested. */
interface Known {
  readonly since: number;
  /** Whether the node returned it; otherwise blocks and earlier answers decide. */
  readonly answered: boolean;
}

export class HeadStateSource {
  readonly #options: HeadStateOptions;
  /** By read, what was requested at this state of the chain. */
  readonly #known = new Map<string, Known>();
  #knownAt = "";
  readonly #inFlight = new Map<string, { readonly since: number; readonly done: Promise<void> }>();
  /** On a development node, the state changes without a block, as with `anvil_setBalance`: what is known counts for one request only. */
  #isDevelopmentNode: boolean | undefined;

  constructor(options: HeadStateOptions) {
    this.#options = options;
  }

  question(reads: () => Iterable<HeadRead>): HeadQuestion {
    const { signal, callBudget } = this.#options;
    const since = performance.now();
    let until: number | undefined;
    let incomplete = false;
    /** Whether reads that the request can do without are left out. */
    let withoutOptional = false;
    const openReads = (): HeadRead[] => {
      const open = new Map<string, HeadRead>();
      const counted = new Set<string>();
      let cost = 0;
      incomplete = false;
      for (const read of reads()) {
        const key = readKey(read);
        if (counted.has(key)) continue;
        counted.add(key);
        cost += costOf(read);
        if (cost > callBudget) {
          incomplete = true;
          break;
        }
        const known = this.#knownRead(key, since);
        if (known === undefined && !(withoutOptional && isOptional(read))) open.set(key, read);
        else if (known?.answered !== true) incomplete = true;
      }
      return [...open.values()];
    };
    return {
      get incomplete() {
        return incomplete;
      },
      fetch: () => {
        if (signal.aborted) return undefined;
        const open = openReads();
        if (open.length === 0) return undefined;
        const isNeeded = !open.every(isOptional);
        const now = performance.now();
        until ??= now + PATIENCE;
        const limit = isNeeded ? until - now : OPTIONAL_PATIENCE;
        return timeLimited(this.#fetch(open, since), limit).catch((error: unknown) => {
          if (signal.aborted) return;
          if (isNeeded) throw this.#unavailable(error);
          withoutOptional = true;
        });
      },
    };
  }

  /** The known state of a read, for a request that began then. */
  #knownRead(key: string, began: number): Known | undefined {
    const state = stateOf(this.#options.chain);
    if (state !== this.#knownAt || this.#known.size > MAX_KNOWN) {
      this.#known.clear();
      this.#knownAt = state;
    }
    const known = this.#known.get(key);
    return known !== undefined && known.since >= this.#oldest(began) ? known : undefined;
  }

  /** The earliest time from which an answer counts. */
  #oldest(began: number): number {
    return this.#isDevelopmentNode === false ? Number.NEGATIVE_INFINITY : began;
  }

  /** Requests what is not in flight yet. */
  async #fetch(reads: readonly HeadRead[], began: number): Promise<void> {
    const refusal = this.#options.refusal();
    if (refusal !== undefined) throw refusal;
    if (this.#isDevelopmentNode === undefined) await this.#meetNode();
    const waitFor = new Set<Promise<void>>();
    const own = reads.filter((read) => {
      const asked = this.#inFlight.get(readKey(read));
      if (asked === undefined || asked.since < this.#oldest(began)) return true;
      waitFor.add(asked.done);
      return false;
    });
    if (own.length > 0) waitFor.add(this.#ask(own));
    await Promise.all(waitFor);
  }

  async #meetNode(): Promise<void> {
    this.#isDevelopmentNode = (await nodeKind(this.#options.node)) !== "other";
  }

  #ask(reads: readonly HeadRead[]): Promise<void> {
    const since = performance.now();
    const keys = reads.map(readKey);
    const done = this.#askNode(reads, since).finally(() => {
      for (const key of keys)
        if (this.#inFlight.get(key)?.done === done) this.#inFlight.delete(key);
    });
    for (const key of keys) this.#inFlight.set(key, { since, done });
    return done;
  }

  /** Asks the node at the chain's head; what it returns for another head is dropped, and requested again. */
  async #askNode(reads: readonly HeadRead[], since: number): Promise<void> {
    const { chain, node, update } = this.#options;
    const { head } = chain;
    const state = stateOf(chain);
    const answer = await askState(node, reads, quantityOf(head.number));
    if ((await blockHash(node, head.number)) !== head.hash) {
      await update();
      if (state === stateOf(chain))
        throw new Error(`it does not have block ${head.number} for now: it lags`);
      return;
    }
    if (state !== stateOf(chain)) return;

    const answered = new Map(reads.map((read) => [read, answer.failure(read)]));
    for (const [read, failure] of answered) {
      // The state of a block far from the node's head may have been pruned.
      if (failure !== undefined && failure.kind !== "unavailable" && !isOptional(read))
        throw failure;
    }
    answer.applyTo(chain);
    for (const [read, failure] of answered)
      this.#known.set(readKey(read), { since, answered: failure === undefined });
  }

  #unavailable(error: unknown): HeadStateUnavailable {
    const reason = isTimeout(error) ? `no response within ${PATIENCE / 1000} s` : messageOf(error);
    const { number } = this.#options.chain.head;
    return new HeadStateUnavailable(
      `the node did not return the state at block ${number}: ${reason}`,
    );
  }
}

/** Whether a request can do without a read. */
const isOptional = (read: HeadRead): boolean => "optional" in read && read.optional === true;

/** Changes whenever the chain's head does, even if the head changes back. */
const stateOf = (chain: ChainWriter): string => `${chain.rewindCount} ${chain.head.hash}`;
