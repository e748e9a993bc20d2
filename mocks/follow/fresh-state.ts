// Asks a node for the state at the head when a request reads it: in batches, once per head, and of one block.
import { messageOf } from "../../src/errors/base.ts";
import { abortable } from "../../src/http/abort.ts";
import { type HeadQuestion, type HeadRead, HeadStateUnavailable } from "../chain/live-chain.ts";
import type { Block } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { HeadStateReader } from "../ingest/head-state.ts";
import { RpcError } from "../rpc/failure.ts";
import type { RpcNode } from "../rpc/node.ts";
import type { RpcResponse } from "../rpc/post.ts";
import { applyNews } from "./apply-state.ts";
import { hexQuantity } from "./block-source.ts";
import { blockHash } from "./node-head.ts";
import { nodeKind } from "./node-kind.ts";
import { callsOf, costOf, type HeadCall, keyOf, keyOfCall } from "./read-calls.ts";

export interface FreshStateOptions {
  readonly chain: ChainWriter;
  readonly node: RpcNode;
  /** Brings the chain to the node's head. */
  readonly update: () => Promise<void>;
  /** Why the node is not to be asked: it is of another network than the chain. */
  readonly refusal: () => Error | undefined;
  /** Once it aborts, the chain stays as it is, and nothing is asked. */
  readonly signal: AbortSignal;
  /** The most calls for one request. */
  readonly callBudget: number;
}

/** How long a request waits for the node, in milliseconds. */
const PATIENCE = 10_000;
/** What is known of a head is forgotten when it is more than this. */
const MAX_KNOWN = 200_000;

/** A read that was asked for. */
interface Known {
  readonly since: number;
  /** Whether the node told it; otherwise blocks and earlier answers decide. */
  readonly told: boolean;
}

export class FreshState {
  readonly #options: FreshStateOptions;
  /** By read, what was asked for at this state of the chain. */
  readonly #known = new Map<string, Known>();
  #knownAt = "";
  readonly #inFlight = new Map<string, { readonly since: number; readonly done: Promise<void> }>();
  /** On a development node the state changes without a block, as by `anvil_setBalance`: what is known counts for one request. */
  #isDevelopmentNode: boolean | undefined;

  constructor(options: FreshStateOptions) {
    this.#options = options;
  }

  question(reads: () => Iterable<HeadRead>): HeadQuestion {
    const { signal, callBudget } = this.#options;
    const since = performance.now();
    let patience: AbortSignal | undefined;
    let incomplete = false;
    const openReads = (): HeadRead[] => {
      const open = new Map<string, HeadRead>();
      const counted = new Set<string>();
      let cost = 0;
      incomplete = false;
      for (const read of reads()) {
        const key = keyOf(read);
        if (counted.has(key)) continue;
        counted.add(key);
        cost += costOf(read);
        if (cost > callBudget) {
          incomplete = true;
          break;
        }
        const known = this.#knownRead(key, since);
        if (known === undefined) open.set(key, read);
        else if (!known.told) incomplete = true;
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
        patience ??= AbortSignal.timeout(PATIENCE);
        return abortable(this.#fetch(open, since), patience).catch((error: unknown) => {
          if (!signal.aborted) throw this.#unavailable(error);
        });
      },
    };
  }

  /** What is known of a read for a request that began then. */
  #knownRead(key: string, began: number): Known | undefined {
    const state = stateOf(this.#options.chain);
    if (state !== this.#knownAt || this.#known.size > MAX_KNOWN) {
      this.#known.clear();
      this.#knownAt = state;
    }
    const known = this.#known.get(key);
    return known !== undefined && known.since >= this.#oldest(began) ? known : undefined;
  }

  /** The time since which an answer counts. */
  #oldest(began: number): number {
    return this.#isDevelopmentNode === false ? Number.NEGATIVE_INFINITY : began;
  }

  /** Asks for what nobody asks for already. */
  async #fetch(reads: readonly HeadRead[], began: number): Promise<void> {
    const refusal = this.#options.refusal();
    if (refusal !== undefined) throw refusal;
    if (this.#isDevelopmentNode === undefined) await this.#meetNode();
    const waitFor = new Set<Promise<void>>();
    const own = reads.filter((read) => {
      const asked = this.#inFlight.get(keyOf(read));
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
    const keys = reads.map(keyOf);
    const done = this.#askNode(reads, since).finally(() => {
      for (const key of keys)
        if (this.#inFlight.get(key)?.done === done) this.#inFlight.delete(key);
    });
    for (const key of keys) this.#inFlight.set(key, { since, done });
    return done;
  }

  /** Asks the node at the chain's head; what it says of another head is dropped, and asked again. */
  async #askNode(reads: readonly HeadRead[], since: number): Promise<void> {
    const { chain, node, update } = this.#options;
    const { head } = chain;
    const state = stateOf(chain);
    const calls = new Map(reads.flatMap(callsOf).map((call) => [keyOfCall(call), call]));
    const responses = await this.#call([...calls.values()], head);
    if ((await blockHash(node, head.number)) !== head.hash) return await update();
    if (state !== stateOf(chain)) return;

    const reader = new HeadStateReader();
    const read = new Map<HeadRead, boolean>();
    const used = new Set<string>();
    for (const one of reads) {
      const own = callsOf(one);
      const told = own.every((call) => isTold(call, responses.get(keyOfCall(call)), one));
      read.set(one, told);
      if (told) for (const call of own) used.add(keyOfCall(call));
    }
    for (const key of used) {
      const { method, subject } = calls.get(key) as HeadCall;
      reader.add({ method, params: [subject, "latest"], ...responses.get(key) });
    }
    applyNews(chain, reader.headState(chain));
    for (const [one, told] of read) this.#known.set(keyOf(one), { since, told });
  }

  /** The responses by call. */
  async #call(calls: readonly HeadCall[], { number }: Block): Promise<Map<string, RpcResponse>> {
    const responses = await this.#options.node.callAll(
      calls.map(({ method, subject }) => ({ method, params: [subject, hexQuantity(number)] })),
    );
    return new Map(
      calls.flatMap((call, index) => {
        const response = responses[index];
        return response === undefined ? [] : [[keyOfCall(call), response] as const];
      }),
    );
  }

  #unavailable(error: unknown): HeadStateUnavailable {
    const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
    const reason = isTimeout ? `no response within ${PATIENCE / 1000} s` : messageOf(error);
    const { number } = this.#options.chain.head;
    return new HeadStateUnavailable(
      `the node does not tell the state at block ${number}: ${reason}`,
    );
  }
}

/** Whether a node said something about the chain. @throws RpcError for a failure to answer, if the request needs the read */
function isTold(call: HeadCall, response: RpcResponse | undefined, read: HeadRead): boolean {
  if (response !== undefined && "result" in response) return true;
  const error = new RpcError(call.method, response?.error ?? { message: "no response" });
  if (error.kind === "reverted" && call.method === "eth_call") return true;
  // The state of a block far from the node's head: it may have been pruned.
  if (error.kind === "unavailable") return false;
  if (read.kind === "token-balance" && read.optional) return false;
  throw error;
}

/** Differs as soon as the chain's head does, or was another one meanwhile. */
const stateOf = (chain: ChainWriter): string => `${chain.rewindCount} ${chain.head.hash}`;
