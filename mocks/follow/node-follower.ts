// Keeps a chain at the head of a node, through reorganisations, restarts and failures of the node.
import { getHeapStatistics } from "node:v8";
import { messageOf } from "../../src/errors/base.ts";
import { sleep } from "../../src/http/abort.ts";
import { Chain } from "../chain/chain.ts";
import type { FollowStatus } from "../chain/live-chain.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { IngestError } from "../ingest/read.ts";
import type { Lack } from "./block-source.ts";
import { ChainUpdater, type ChainUpdaterOptions } from "./chain-updater.ts";
import { FollowError } from "./follow-status.ts";
import { HeadStateCache, type HeadStateOptions, sweep } from "./head-state.ts";
import {
  blockHash,
  estimateTransactions,
  forkBlock,
  type NodeHead,
  nodeHead,
  nodeKind,
  syncLag,
} from "./node-info.ts";
import type { RpcNode } from "./rpc/node.ts";
import { StoreError } from "./store/chain-store.ts";

/** Maximum attempts of an update, which starts again if the node's chain changed meanwhile. */
const MAX_ATTEMPTS = 10;
/** Milliseconds before the second attempt; each further pause is twice as long. */
const ATTEMPT_PAUSE = 20;
/** Maximum number of recorded blocks that the node may have replaced before a restart. */
const MAX_REORGANISED = 128;
/**
 * Number of polls for which the chain id is trusted, and a lagging node is tolerated: a minute by
 * default.
 */
const TRUSTED_POLLS = 60;
/** Attempts after which the status explains the delay: 0.6 s. */
const QUIET_ATTEMPTS = 5;
/** Attempts after which receipts or traces that the node left out are given up: 2.5 s. */
const PATIENT_ATTEMPTS = 7;

export interface NodeFollowerOptions
  extends ChainUpdaterOptions,
    Omit<HeadStateOptions, "refusal"> {
  /** The first block to load. Default: the block a development node was forked from, or 0. */
  readonly fromBlock?: number | "latest" | undefined;
  /** The last block to load. Default: the node's head. */
  readonly toBlock?: number | undefined;
  /** Called once for a block that cannot be read. */
  readonly onUnreadable: (error: Error) => void;
  /** Host and port, for messages. */
  readonly nodeName: string;
}

export class NodeFollower {
  readonly chain: ChainWriter;
  readonly state: HeadStateCache;
  readonly #node: RpcNode;
  readonly #options: NodeFollowerOptions;
  readonly #updater: ChainUpdater;
  /** The first block to load; undefined until the node has responded. */
  #first: number | undefined;
  #nodeHead: number | null = null;
  #state: FollowStatus["state"] = "connecting";
  #lastError: FollowStatus["lastError"] = null;
  #running: Promise<void> = Promise.resolve();
  #isRestored = false;
  #hasMet = false;
  /** Whether the chain comes from the store, and was not compared with the node's chain yet. */
  #isRestart = false;
  // Polls until the chain id is checked again, because the node may restart on another network.
  #trust = 0;
  /** Last message about an unreadable block or a lagging node, to report each only once. */
  #reported: string | undefined;
  #lag: IngestError | undefined;
  #pollsBehind = 0;
  /** Why the store refuses the node's chain. */
  #refusal: StoreError | undefined;
  #swept: FollowStatus["swept"] = null;

  constructor(node: RpcNode, options: NodeFollowerOptions) {
    this.#node = node;
    this.#options = options;
    this.chain = new Chain({ chainId: 0, origin: { kind: "node", name: options.nodeName } });
    this.state = new HeadStateCache(this.chain, node, { ...options, refusal: () => this.#refusal });
    this.#updater = new ChainUpdater(this.chain, node, this.state, options);
  }

  status(): FollowStatus {
    const { chain } = this;
    const head = chain.length > 0 ? chain.head.number : null;
    const reached = head ?? (this.#first ?? 0) - 1;
    const lag = this.#nodeHead === null ? null : Math.max(0, this.#nodeHead - reached);
    const rates = this.#updater.progress.rates();
    return {
      state: this.#state,
      first: head === null ? null : head - chain.length + 1,
      head,
      nodeHead: this.#nodeHead,
      lag,
      blocks: chain.length,
      transactions: chain.transactionCount,
      blocksPerSecond: rates?.blocks ?? null,
      transactionsPerSecond: rates?.transactions ?? null,
      secondsLeft: rates === null || lag === null ? null : lag / rates.blocks,
      swept: this.#swept,
      missing: [...this.state.missing, ...this.#updater.source.incomplete],
      lastError: this.#lastError,
    };
  }

  /** Whether blocks come with traces. */
  get isTraced(): boolean {
    return this.#updater.source.isTraced;
  }

  failed(error: unknown): void {
    if (this.#state !== "connecting") this.#state = "failing";
    this.note(error);
  }

  /** Shows a failure in the status. */
  note(error: unknown): void {
    this.#lastError = { message: messageOf(error), at: new Date(Date.now()) };
    // Check the chain id again, because the next response may come from another node.
    this.#trust = 0;
  }

  // Brings the chain to the node's head. Updates run one after another, as each changes the chain.
  update(): Promise<void> {
    const update = this.#running.then(() => this.#update());
    this.#running = update.catch(() => undefined);
    return update;
  }

  /** Resolves when no update runs. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #update(): Promise<void> {
    try {
      if (!this.#isRestored) await this.#restore();
      await this.#catchUp();
    } finally {
      this.#updater.progress.reset();
    }
    this.#settle();
  }

  /** Loads the stored chain. */
  async #restore(): Promise<void> {
    const { store, fromBlock } = this.#options;
    this.#state = "restoring";
    const stored = await store?.load(this.chain.origin);
    this.#state = "connecting";
    if (stored === undefined) {
      this.#isRestored = true;
      return;
    }
    if (typeof fromBlock === "number" && fromBlock !== stored.first) {
      throw new StoreError(
        `${store?.folder} has the chain from block ${stored.first} on, not ${fromBlock}; choose another folder`,
      );
    }
    this.chain.restore({ chain: stored.chain });
    this.#first = stored.first;
    await this.state.resume(stored.unknownFrom);
    this.#isRestored = true;
    this.#isRestart = true;
  }

  // Requests the state of all accounts in blocks since the last sweep, and stores it.
  // @throws if the node cannot be reached, or no longer has the chain's head
  async sweep(node: RpcNode): Promise<void> {
    const { chain } = this;
    const { store } = this.#options;
    if (store === undefined || store.hasFailed || chain.length === 0 || this.#refusal) return;
    const from = store.unknownFrom;
    const { number, hash } = chain.head;
    if (from > number) return;
    // Calls once, without retries, so that a node that has stopped does not delay the end of this
    // process.
    await node.callOnce("eth_chainId", []);
    this.#swept = { blocks: 0, of: number - from + 1 };
    let isComplete = true;
    for await (const { calls, failed, ...swept } of sweep(chain, node, from)) {
      this.#swept = swept;
      isComplete &&= failed.length === 0;
      await store.addCalls(calls);
    }
    if ((await blockHash(node, number)) !== hash)
      throw new IngestError(`the node replaced block ${number} while its state was requested`);
    await store.endSweep(number, isComplete);
  }

  /** Sets the state after an update, and reports an unreadable block or a lag once. */
  #settle(): void {
    const { current } = this.#updater.unreadable;
    this.#state = current === undefined ? "following" : "stuck";
    const error = current?.error ?? this.#lag;
    const isNews = error?.message !== this.#reported;
    this.#reported = error?.message;
    if (error === undefined || !isNews) return;
    this.note(error);
    this.#options.onUnreadable(error);
  }

  // Whether the response came from a server that lags: its head is an earlier block of this chain.
  // The chain is then kept. A development node, or a node that stays behind, has really gone back
  // to that block.
  async #isBehind(head: NodeHead, common: number | undefined): Promise<boolean> {
    const { chain } = this;
    if (common === undefined || common < head.number) return false;
    if (common === chain.head.number) {
      this.#pollsBehind = 0;
      return false;
    }
    this.#pollsBehind += 1;
    if (this.#pollsBehind > TRUSTED_POLLS || (await nodeKind(this.#node)) !== "other") return false;
    this.#lag ??= describeLag(chain.head.number, head.number);
    return true;
  }

  async #catchUp(): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; ) {
      this.#updater.source.isPatient = attempt < PATIENT_ATTEMPTS;
      const step = await this.#step();
      if (step === "done") return;
      const { current } = this.#updater.unreadable;
      if (current !== undefined && current.number <= (this.#first ?? 0)) throw current.error;
      if (step === "advanced") {
        attempt = 0;
        continue;
      }
      const { lack } = this.#updater.source;
      if (lack !== undefined && attempt === MAX_ATTEMPTS - 1)
        throw describeLack(lack, "gave up the update at");
      if (attempt === QUIET_ATTEMPTS)
        this.note(
          lack !== undefined && isGone(lack)
            ? describeLack(lack, "the node is asked again about")
            : describeWait(this.#nodeHead ?? 0),
        );
      await sleep(ATTEMPT_PAUSE * 2 ** attempt, this.#options.signal);
      attempt += 1;
    }
    throw new IngestError(
      `gave up the update after ${MAX_ATTEMPTS} attempts: each time the node's chain changed, or a block, its receipts, its traces or the state was missing. What to do: wait, or use another address of the network`,
    );
  }

  /** One step towards the node's head; "changed" if the node's chain changed while it was read. */
  async #step(): Promise<"done" | "advanced" | "changed"> {
    const { chain } = this;
    const updater = this.#updater;
    updater.source.lack = undefined;
    const head = await this.#target();
    const common = await this.#keepRecorded(head, await this.#lastCommonBlock(head));
    if (await this.#isBehind(head, common)) return "done";
    if (common === undefined || !this.#hasMet) {
      this.#updater.meet(await nodeKind(this.#node));
      this.#hasMet = true;
    }
    if (common === undefined) {
      this.#lag = await syncLag(this.#node);
      if (this.#lag !== undefined) this.note(this.#lag);
      const fork = await forkBlock(this.#node);
      updater.source.forkBlock = fork;
      this.#first = firstBlock(head.number, fork, this.#options.fromBlock);
      await checkMemory(this.#node, this.#first, head.number);
    }
    const keptCount = common === undefined ? 0 : common - (chain.head.number - chain.length);
    const span = { from: (common ?? (this.#first ?? 0) - 1) + 1, kept: keptCount };
    const isCurrent = span.from > head.number && chain.length === keptCount;
    if (isCurrent) {
      // Requests again the state that the node did not return.
      await this.state.settle();
      return "done";
    }
    if (this.#state !== "stuck") this.#state = "catching-up";
    return (await updater.take(span, head)) ? "advanced" : "changed";
  }

  // Returns the last block to load: the node's head, or the block before an unreadable one.
  async #target(): Promise<NodeHead> {
    const { chain } = this;
    const newest = await nodeHead(this.#node, (hash) => {
      const isKnown = chain.length > 0 && chain.head.number > 0 && hash === chain.head.hash;
      const isTrusted = isKnown && this.#trust > 0;
      this.#trust = isTrusted ? this.#trust - 1 : TRUSTED_POLLS;
      return isTrusted ? chain.chainId : undefined;
    });
    const head = await this.#limited(newest);
    this.#nodeHead = head.number;
    if (this.#first === undefined || head.chainId !== this.chain.chainId) {
      await this.#startOver(head.chainId);
      this.#updater.unreadable.clear();
    }
    this.#refusal = undefined;
    const { current } = this.#updater.unreadable;
    if (current === undefined) return head;
    if (current.number <= (this.#first ?? 0) || current.number > head.number) {
      this.#updater.unreadable.clear();
      return head;
    }
    const [at, before] = [
      await blockHash(this.#node, current.number),
      await blockHash(this.#node, current.number - 1),
    ];
    const isSame =
      at === current.hash && before !== undefined && before === (current.below ?? before);
    if (isSame && this.#updater.unreadable.retryIfDue()) return head;
    if (isSame) return { ...head, number: current.number - 1, hash: before };
    this.#updater.unreadable.clear();
    return head;
  }

  // Returns the last common block; undefined if there is none, or the chain was cleared.
  // @throws StoreError if the store must keep the chain that clearing would remove
  async #keepRecorded(head: NodeHead, common: number | undefined): Promise<number | undefined> {
    const { chain } = this;
    const isStart = this.#isRestart;
    this.#isRestart = false;
    if (this.#options.store === undefined || chain.length === 0) return common;
    if (common === undefined) {
      await this.#startOver(chain.chainId, "another chain with this id");
      return undefined;
    }
    const lost = chain.head.number - common;
    const isLess = head.number < chain.head.number || lost > MAX_REORGANISED;
    if (!isStart || lost === 0 || !isLess) return common;
    this.#isRestart = true;
    await this.#startOver(
      chain.chainId,
      `another one with this id: only the blocks up to ${common} are the same, and its head is block ${head.number}`,
    );
    this.#isRestart = false;
    return undefined;
  }

  async #limited(newest: NodeHead): Promise<NodeHead> {
    const { toBlock = newest.number } = this.#options;
    if (newest.number <= toBlock) return newest;
    const hash = await blockHash(this.#node, toBlock);
    if (hash === undefined) throw new IngestError(`the node does not have block ${toBlock}`);
    return { ...newest, number: toBlock, hash };
  }

  async #startOver(chainId: number, found?: string): Promise<void> {
    try {
      await this.#updater.startOver(chainId, found);
    } catch (error) {
      if (error instanceof StoreError) this.#refusal = error;
      throw error;
    }
  }

  // Returns the last block that both chains have; undefined if there is none. Searches in growing
  // steps, then by bisection, because chains that differ in a block differ in all later blocks.
  async #lastCommonBlock(head: NodeHead): Promise<number | undefined> {
    const { chain } = this;
    if (chain.length === 0) return undefined;
    const isSame = async (number: number) => {
      const hash = number === head.number ? head.hash : await blockHash(this.#node, number);
      return hash === chain.block(number)?.hash;
    };
    const first = chain.head.number - chain.length + 1;
    let low = Math.min(head.number, chain.head.number);
    let different = low + 1;
    for (let step = 1; low >= first && !(await isSame(low)); step *= 2) {
      different = low;
      low -= step;
    }
    // The steps may have jumped over the first block.
    low = Math.max(low, first - 1);
    while (different - low > 1) {
      const middle = Math.floor((low + different) / 2);
      if (await isSame(middle)) low = middle;
      else different = middle;
    }
    return low < first ? undefined : low;
  }
}

// Whether the node has dropped the data for good. If its message says "not found", the data may
// come later.
const isGone = ({ error }: Lack): boolean => !/not (be )?found|unknown block/i.test(error.message);

const describeLack = ({ block, error }: Lack, doing: string): IngestError =>
  new IngestError(
    `${doing} block ${block}: ${error.message}. The node no longer has what this block needs. What to do: use an archive node, begin at a block whose state it has (--from-block latest), or follow it without internal transactions (--traces none)`,
    {},
    error,
  );

const describeWait = (head: number): IngestError =>
  new IngestError(
    `the node has announced block ${head}, but does not return all data of the blocks up to it yet; it is asked again. If this continues, the address belongs to several servers, and one of them lags. What to do: use another address of the network`,
  );

const describeLag = (own: number, head: number): IngestError =>
  new IngestError(
    `the node went from block ${own} back to ${head}, which is part of the same chain: it lags, or one of the servers behind its address does; the blocks up to ${own} are served meanwhile. What to do: wait, or use another address of the network`,
  );

/** Bytes of memory that a transaction takes, with its frames and logs. */
const TRANSACTION_BYTES = 1500;
/** Chains with fewer blocks are not checked, because they fit. */
const MANY_TO_SAMPLE = 10_000;
const MEGABYTE = 2 ** 20;

/** @throws FollowError if the blocks would not fit into the memory of this process */
async function checkMemory(node: RpcNode, first: number, last: number): Promise<void> {
  if (last - first < MANY_TO_SAMPLE) return;
  const transactions = await estimateTransactions(node, first, last);
  const bytes = transactions * TRANSACTION_BYTES;
  const { heap_size_limit: limit } = getHeapStatistics();
  if (bytes <= limit) return;
  const fitting = Math.floor(((last - first + 1) * limit) / bytes / 2);
  const [needed, available] = [bytes, limit].map((size) => Math.ceil(size / MEGABYTE));
  throw new FollowError(
    `the blocks ${first} to ${last} have about ${transactions} transactions, by a sample of them, which take about ${needed} MB of memory; this process may use ${available} MB. What to do: load fewer blocks with fromBlock (--from-block ${last - fitting}) or toBlock (--to-block ${first + fitting}), or allow more memory (NODE_OPTIONS=--max-old-space-size=${2 * (needed ?? 0)})`,
  );
}

/** Chains of this length are loaded from genesis only on request, because that takes hours. */
const MANY_BLOCKS = 5_000_000;

// Returns the first block to load. `fork` is the block that the node was forked from, if any.
function firstBlock(
  head: number,
  fork: number | undefined,
  fromBlock: NodeFollowerOptions["fromBlock"],
): number {
  if (fromBlock === "latest") return head;
  const first = fromBlock ?? fork ?? 0;
  if (head < first) {
    throw new IngestError(`cannot follow from block ${first}: the node's head is ${head}`);
  }
  if (fromBlock === undefined && head - first >= MANY_BLOCKS) {
    throw new FollowError(
      `the node has ${head + 1} blocks: choose where to begin with fromBlock (--from-block ${head - 10_000}, or --from-block latest), or load them all (--from-block 0)`,
    );
  }
  return first;
}
