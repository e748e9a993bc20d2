// Fills a chain from a live node and follows its head: the options and the follower; Node only.
import * as z from "zod/mini";
import { messageOf, oncePerMessage } from "../../src/errors/base.ts";
import { check, explain, type Issue } from "../../src/models/issues.ts";
import type { AnySchema } from "../../src/models/schema.ts";
import type {
  FollowStatus,
  HeadQuestion,
  HeadRead,
  LiveChain,
  NodeAnswer,
  NodeCall,
  Steps,
} from "../chain/live-chain.ts";
import type { ContractVerification, Hash } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { describeStatus, isFinal } from "./follow-status.ts";
import { NodeFollower } from "./node-follower.ts";
import { RpcNode, type RpcOptions } from "./rpc/node.ts";
import { ChainStore, StoreError } from "./store/chain-store.ts";
import { transactionSteps } from "./transaction-steps.ts";

/** Options of following a node. `signal` stops following, like `close`. */
export interface FollowOptions extends RpcOptions {
  /**
   * The first block to load, or `latest`.
   *
   * @default the block that a development node was forked from, or 0. A chain of more than 5 million
   * blocks is loaded from its genesis only with `0`, because that takes hours
   */
  readonly fromBlock?: number | "latest" | undefined;
  /** The last block to load. @default the node's head, which is then followed */
  readonly toBlock?: number | undefined;
  /**
   * `none` leaves out traces, for nodes without tracing: internal transactions are empty.
   *
   * @default "auto"
   */
  readonly traces?: "auto" | "none" | undefined;
  /**
   * Milliseconds between polls of the head. A quarter of that for ten seconds after a new head.
   *
   * @default 1000
   */
  readonly interval?: number | undefined;
  /** Whether requests are answered before the chain has reached the head. @default false */
  readonly servePartial?: boolean | undefined;
  /**
   * Maximum number of calls to the node for one request to the explorer, because balances, owners
   * and token data are requested when they are read. Beyond it, the response is derived from blocks
   * and earlier calls, and has the header `head-state: incomplete`. @default 2000
   */
  readonly callBudget?: number | undefined;
  /**
   * A folder to keep the chain in, which is created if it does not exist: the next start continues
   * from it, and `loadChain` reads it. One process at a time can use it. @default nothing is kept
   */
  readonly store?: string | undefined;
  /**
   * Whether to start a new recording if `store` has another chain than the node, or more of it. The
   * old recording moves to a folder next to it, named by date. Otherwise, following ends with a
   * `StoreError`. @default false
   */
  readonly replace?: boolean | undefined;
  /** Called when the chain has reached a new head of the node, before `ready` resolves. */
  readonly onHead?: ((chain: ChainWriter) => void) | undefined;
  /**
   * Returns the contract that an input creates, if known, so that the page can say why its
   * constructor failed.
   */
  readonly contractCreatedBy?: LiveChain["contractCreatedBy"];
  /**
   * Called when an update fails. Following continues, unless `ended` is true: the error came before
   * the head was reached, and no retry can fix it. `ready` then rejects with it, too. @default a
   * warning on the console, once per message
   */
  readonly onError?: ((error: unknown, ended: boolean) => void) | undefined;
}

const integer = (min: number) => {
  const expected = `an integer of ${min} or more`;
  return z.optional(z.int(expected).check(z.gte(min, expected)));
};
const callback = <Callback>() =>
  z.optional(z.custom<Callback>((value) => typeof value === "function", "a function"));
const FIRST_BLOCK = '"latest" or the number of a block';

const fields = {
  fromBlock: z.optional(z.union([z.literal("latest"), z.int().check(z.gte(0))], FIRST_BLOCK)),
  toBlock: integer(0),
  traces: z.optional(z.enum(["auto", "none"])),
  interval: integer(1),
  servePartial: z.optional(z.boolean()),
  callBudget: integer(0),
  store: z.optional(z.string()),
  replace: z.optional(z.boolean()),
  onHead: callback<NonNullable<FollowOptions["onHead"]>>(),
  contractCreatedBy: callback<NonNullable<FollowOptions["contractCreatedBy"]>>(),
  onError: callback<NonNullable<FollowOptions["onError"]>>(),
  batch: integer(1),
  concurrency: integer(1),
  headers: z.optional(z.record(z.string(), z.string())),
  fetch: callback<typeof globalThis.fetch>(),
  timeout: integer(1),
  maxResponseBytes: integer(1),
  retries: integer(0),
  retryDelay: integer(0),
  onRetry: callback<NonNullable<FollowOptions["onRetry"]>>(),
  signal: z.optional(z.instanceof(AbortSignal)),
} satisfies Record<keyof FollowOptions, AnySchema>;

const schema = z.strictObject(fields);

/** Does not show received headers, because they may be secrets. */
const explainOption = (issue: Issue): string =>
  issue.path[0] === "headers"
    ? `${issue.path.join(".")}: expected ${issue.expected}`
    : explain(issue);

/**
 * Explains why a text is not a node's URL; undefined if it may be. Does not quote it, because it
 * may contain a key.
 */
function explainUrl(text: unknown): string | undefined {
  if (typeof text !== "string" || !/^(http|ws)s?:\/\//i.test(text) || !URL.canParse(text))
    return "expected the URL of a node, such as http://127.0.0.1:8545";
  const { protocol, host, pathname } = new URL(text);
  if (protocol.startsWith("http")) return undefined;
  const http = `${protocol.replace("ws", "http")}//${host}${pathname === "/" ? "" : "/…"}`;
  return `expected the URL of a node over HTTP, received the URL of a websocket; try ${http}, because most nodes also serve HTTP`;
}

/** Checks how a node is followed. @throws TypeError that names everything invalid, and no secret */
function checkFollowOptions(rpcUrl: string, options: FollowOptions): void {
  const { issues = [] } = check(schema, options);
  const problems = issues.map(explainOption);
  const urlProblem = explainUrl(rpcUrl);
  if (urlProblem !== undefined) problems.unshift(urlProblem);
  if (problems.length > 0) throw new TypeError(`Cannot follow a node: ${problems.join("; ")}`);
}

/** A chain that follows a node. */
export interface Follower extends LiveChain {
  /**
   * The chain: always the same object, updated block by block. It is empty until the first blocks
   * arrive.
   *
   * Reading it sends no calls to the node. Blocks, transactions, frames, logs and transfers are the
   * node's. Balances, holders, owners and supplies are derived from these, or come from the node's
   * responses to the last request to an explorer that needed them. Coins from before the first
   * block, and changes without a transaction or an event, are missing. Code and the kind of token
   * are known for contracts that were created, called by a transaction, or emitted transfers. An
   * explorer of this chain (`createExplorer({ chain: follower })`) requests the state that it
   * returns.
   */
  readonly chain: ChainWriter;
  /**
   * Resolves when the chain first reaches the node's head. Rejects if it never can, for example
   * because the node refuses access.
   */
  readonly ready: Promise<void>;
  /** Its progress, missing data, and the last failure. */
  status(): FollowStatus;
  /** Polls the node now; resolves when the chain is up to date. */
  update(): Promise<void>;
  /** Stops following. With a `store`, first stores the state of all accounts in blocks. */
  close(): Promise<void>;
  /** `await using` closes it at the end of a block. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Fills a chain from the JSON-RPC node at `rpcUrl` and follows its head. Resolves when the chain
 * has reached the head. It reads traces from `trace_block`, `debug_traceBlockByNumber` or
 * `debug_traceTransaction` and receipts from `eth_getBlockReceipts` or one by one, as the node
 * supports. Of the state, it requests only the code and kind of new contracts: an explorer requests
 * the rest when a request reads it.
 *
 * Transient failures of the node are retried. If the first update still fails, the promise rejects;
 * a later error is passed to `onError`.
 *
 * @example
 * const { chain, close } = await followNode("http://127.0.0.1:8545");
 * chain.head.number; // the node's head
 * await close();
 */
export async function followNode(rpcUrl: string, options: FollowOptions = {}): Promise<Follower> {
  const following = new Following(rpcUrl, options);
  try {
    await following.update();
  } catch (error) {
    await following.close();
    throw error;
  }
  following.pollLater();
  return following;
}

/**
 * Follows a node like {@link followNode}, but returns at once: the chain fills as blocks arrive,
 * and the node may start later. `ready` resolves when the chain has reached the head; `status()`
 * reports the progress. Throws a {@link StoreError} if `store` cannot be used.
 *
 * @example
 * const follower = startFollowing("http://127.0.0.1:8545", { onError: console.warn });
 * follower.status().state; // "connecting"
 * await follower.ready;
 * await follower.close();
 */
export function startFollowing(rpcUrl: string, options: FollowOptions = {}): Follower {
  const following = new Following(rpcUrl, options);
  following.poll();
  return following;
}

/** Polls a node until it is closed. */
class Following implements Follower {
  readonly ready: Promise<void>;
  readonly live = true;
  readonly contractCreatedBy: LiveChain["contractCreatedBy"];
  readonly #follower: NodeFollower;
  readonly #node: RpcNode;
  readonly #nodeAtEnd: RpcNode;
  readonly #closing = new AbortController();
  readonly #ended: AbortSignal;
  readonly #stopping = new AbortController();
  /** Also aborts the last requests to the node, which `close` sends. */
  readonly #stopped: AbortSignal;
  readonly #interval: number;
  readonly #onError: (error: unknown, ended: boolean) => void;
  readonly #onHead: (chain: ChainWriter) => void;
  #reportedHead: string | undefined;
  readonly #servePartial: boolean;
  readonly #store: ChainStore | undefined;
  #isReady = false;
  #becomeReady = () => {};
  #fail = (_: unknown) => {};
  /** Whether following has ended with an error. */
  #hasFailed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the head last changed. */
  #newHeadAt = Number.NEGATIVE_INFINITY;

  constructor(rpcUrl: string, options: FollowOptions) {
    checkFollowOptions(rpcUrl, options);
    const { signal, fromBlock, traces = "auto", interval = 1000, concurrency = 4 } = options;
    const stopping = this.#stopping.signal;
    this.#stopped = AbortSignal.any([stopping, signal ?? stopping]);
    this.#ended = AbortSignal.any([this.#closing.signal, this.#stopped]);
    this.#interval = interval;
    this.contractCreatedBy = options.contractCreatedBy;
    this.#servePartial = options.servePartial ?? false;
    this.#onHead = options.onHead ?? (() => {});
    this.#onError = options.onError ?? oncePerMessage(warn);
    this.#store = this.#openStore(options);
    this.ready = new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#becomeReady = () => {
        this.#isReady = true;
        resolve();
      };
    });
    // Prevents an unhandled rejection, because `onError` gets the error, too.
    this.ready.catch(() => {});
    const nodeUntil = (end: AbortSignal) =>
      new RpcNode(rpcUrl, {
        ...options,
        signal: end,
        onRetry: (error) => {
          this.#follower.note(error);
          options.onRetry?.(error);
        },
      });
    const node = nodeUntil(this.#ended);
    this.#node = node;
    this.#nodeAtEnd = nodeUntil(this.#stopped);
    this.#follower = new NodeFollower(node, {
      fromBlock,
      toBlock: options.toBlock,
      ahead: concurrency,
      wantsTraces: traces === "auto",
      store: this.#store,
      onUnreadable: (error) => this.#onError(error, false),
      // The host only, because path and password may be secret.
      nodeName: new URL(rpcUrl).host,
      update: () => this.update(),
      signal: this.#ended,
      callBudget: options.callBudget ?? 2000,
    });
  }

  get untraced(): boolean {
    return !this.#follower.isTraced;
  }

  get chain(): ChainWriter {
    return this.#follower.chain;
  }

  // Functions rather than methods, so that `const { update } = await followNode(url)` works.
  readonly status = (): FollowStatus => this.#follower.status();

  readonly update = async (): Promise<void> => {
    try {
      await this.#follower.update();
      this.#reportHead();
      this.#becomeReady();
    } catch (error) {
      if (!this.#ended.aborted) this.#follower.failed(error);
      throw error;
    }
  };

  readonly close = async (): Promise<void> => {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#follower.idle();
    if (this.#isReady) await this.#sweep();
    this.#stopping.abort();
    await this.#store?.close();
  };

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #sweep(): Promise<void> {
    try {
      if (!this.#stopped.aborted) await this.#follower.sweep(this.#nodeAtEnd);
    } catch (error) {
      if (this.#stopped.aborted) return;
      this.#onError(
        new StoreError(
          `the state at the head is not in ${this.#store?.folder}: ${messageOf(error)}. The next start with this folder requests it`,
        ),
        false,
      );
    }
  }

  readonly keepVerified = (contract: ContractVerification): void => {
    void this.#store?.addVerified(contract);
  };

  readonly ask = (calls: readonly NodeCall[]): Promise<readonly NodeAnswer[]> =>
    this.#node.callAll(calls);

  readonly stepsOf = (hash: Hash): Promise<Steps | undefined> =>
    transactionSteps(this.#node, this.chain, hash);

  unavailable(): string | undefined {
    const { head } = this.status();
    if (head !== null && (this.#isReady || this.#servePartial)) return undefined;
    return describeStatus(this.status());
  }

  readonly question = (reads: () => Iterable<HeadRead>): HeadQuestion =>
    this.#follower.state.question(reads);

  health(): Readonly<Record<string, unknown>> {
    const { head: _, ...status } = this.status();
    return { node: { ...status, traces: this.untraced ? "none" : "auto" } };
  }

  #openStore({ store, replace }: FollowOptions): ChainStore | undefined {
    if (store === undefined) return undefined;
    const onError = (error: Error) => {
      this.#follower.note(error);
      this.#onError(error, false);
    };
    return new ChainStore(store, { isTraced: () => !this.untraced, replace, onError });
  }

  /** Updates the chain, and again after each interval. */
  poll(): void {
    clearTimeout(this.#timer);
    this.update()
      .catch((error: unknown) => {
        if (this.#ended.aborted) return;
        this.#hasFailed = !this.#isReady && isFinal(error);
        if (this.#hasFailed) this.#fail(error);
        this.#onError(error, this.#hasFailed);
      })
      .finally(() => this.pollLater());
  }

  pollLater(): void {
    clearTimeout(this.#timer);
    if (this.#ended.aborted || this.#hasFailed) return;
    const isActive = performance.now() - this.#newHeadAt < ACTIVE_MS;
    this.#timer = setTimeout(() => this.poll(), this.#interval / (isActive ? ACTIVE_POLLS : 1));
    // Following does not keep the process alive.
    this.#timer.unref();
  }

  #reportHead(): void {
    const { hash } = this.chain.head;
    if (hash === this.#reportedHead) return;
    this.#reportedHead = hash;
    this.#newHeadAt = performance.now();
    this.#onHead(this.chain);
  }
}

/** Milliseconds after a new head in which another head is likely. */
const ACTIVE_MS = 10_000;
// Polls per interval while blocks arrive. An idle node is polled less, because it logs each poll.
const ACTIVE_POLLS = 4;

const warn = (message: string): void =>
  console.warn(`mrc-explorer: Failed to follow the node; trying again: ${message}`);
