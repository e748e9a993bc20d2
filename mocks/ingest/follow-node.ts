// Fills a chain from a live node and keeps following its head, through reorganisations; Node only.
import * as z from "zod/mini";
import type { BlockInput } from "../chain/block-input.ts";
import { Chain } from "../chain/chain.ts";
import type { Address } from "../chain/records.ts";
import { readBlock } from "./block.ts";
import { BlockSource, tag } from "./fetch-block.ts";
import { fetchHeadState, touchedBy } from "./fetch-head-state.ts";
import { HeadStateReader } from "./head-state.ts";
import { IngestError } from "./ingest-error.ts";
import { read } from "./read.ts";
import { RpcError, RpcNode, type RpcOptions } from "./rpc.ts";
import { address, count, hash, list } from "./values.ts";

/** How a node is followed; `signal` ends it, as `close` does. */
export interface FollowOptions extends RpcOptions {
  /** The first block to take. Default 0. */
  readonly fromBlock?: number | undefined;
  /** Milliseconds between two looks at the node's head. Default 1000. */
  readonly interval?: number | undefined;
  /** Blocks asked for at once. Default 4. */
  readonly concurrency?: number | undefined;
  /** What to do when a look at the node fails; following goes on. Default: a warning on the console. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A chain that follows a node. */
export interface Follower {
  /** The chain: the same object for good, changed block by block. */
  readonly chain: Chain;
  /** Looks at the node now; resolves when the chain has what the node had then. */
  update(): Promise<void>;
  /** Ends following; the chain stays as it is. */
  close(): Promise<void>;
}

/** A block, where the node has it. */
const hashed = z.nullish(z.object({ hash }));

/** How often a look at the node may find that its chain changed meanwhile. */
const ATTEMPTS = 10;

/**
 * Fills a chain from the JSON-RPC node at `rpcUrl` and keeps following its head. Resolves when the chain has reached
 * the head. Traces are taken from `trace_block`, `debug_traceBlockByNumber` or `debug_traceTransaction`, receipts from
 * `eth_getBlockReceipts` or one by one, whatever the node offers; balances, code and token calls are asked at the head.
 *
 * @example
 * const { chain, close } = await followNode("http://127.0.0.1:8545");
 * chain.head.number; // the node's head
 * await close();
 */
export async function followNode(rpcUrl: string, options: FollowOptions = {}): Promise<Follower> {
  const closing = new AbortController();
  const ended = AbortSignal.any([closing.signal, options.signal ?? closing.signal]);
  const node = new RpcNode(rpcUrl, { ...options, signal: ended });
  const chainId = read(count, await node.ask("eth_chainId", []), ["eth_chainId"]);
  const following = new NodeFollower(node, new Chain({ chainId }), options);
  await following.update();

  const { interval = 1000, onError = warn } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async () => {
    try {
      await following.update();
    } catch (error) {
      if (!ended.aborted) onError(error);
    }
    later();
  };
  const later = () => {
    if (ended.aborted) return;
    timer = setTimeout(look, interval);
    // Following alone is no reason for a program to go on.
    timer.unref();
  };
  later();

  return {
    chain: following.chain,
    update: () => following.update(),
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await following.idle();
    },
  };
}

function warn(error: unknown): void {
  console.warn("mrc-explorer: following the node failed, it is tried again:", error);
}

class NodeFollower {
  readonly chain: Chain;
  readonly #node: RpcNode;
  readonly #source: BlockSource;
  readonly #fromBlock: number;
  readonly #concurrency: number;
  #running: Promise<void> = Promise.resolve();

  constructor(node: RpcNode, chain: Chain, { fromBlock = 0, concurrency = 4 }: FollowOptions) {
    this.chain = chain;
    this.#node = node;
    this.#source = new BlockSource(node);
    this.#fromBlock = fromBlock;
    this.#concurrency = concurrency;
  }

  /** One look after the other: each changes the chain. */
  update(): Promise<void> {
    const look = this.#running.then(() => this.#look());
    this.#running = look.catch(() => undefined);
    return look;
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async #look(): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (await this.#catchUp()) return;
    }
    throw new IngestError(`the node's chain changed ${ATTEMPTS} times while it was read`);
  }

  /** Whether the chain is at the node's head; false if that changed meanwhile and nothing was taken over. */
  async #catchUp(): Promise<boolean> {
    const { chain } = this;
    const head = read(count, await this.#node.ask("eth_blockNumber", []), ["eth_blockNumber"]);
    if (head < this.#fromBlock) {
      throw new IngestError(
        `expected the node to have block ${this.#fromBlock}, its head is ${head}`,
      );
    }
    const common = await this.#common(head);
    const first = chain.length === 0 ? this.#fromBlock : chain.head.number - chain.length + 1;
    const kept = common === undefined ? 0 : common - first + 1;
    const from = first + kept;
    if (kept === chain.length && from > head) return true;

    const bodies = await this.#bodies(from, head);
    if (bodies === undefined || !isLinked(bodies, chain.block(from - 1)?.hash)) return false;
    const gone = Array.from({ length: chain.length - kept }, (_, index) =>
      chain.body(from + index),
    );
    const answers = await this.#ask(
      [...gone.filter((body) => body !== undefined), ...bodies],
      head,
    );
    const last = bodies.at(-1)?.block.hash ?? chain.block(head)?.hash;
    if ((await this.#hash(head)) !== last) return false;

    // At once: whoever asks the chain meanwhile sees the old state or the new one.
    chain.rewind(chain.length - kept);
    for (const body of bodies) chain.append(body);
    chain.applyHeadState(answers.facts(chain));
    return true;
  }

  /** The last block the chain shares with the node; undefined if there is none. */
  async #common(head: number): Promise<number | undefined> {
    const { chain } = this;
    if (chain.length === 0) return undefined;
    const first = chain.head.number - chain.length + 1;
    for (let number = Math.min(head, chain.head.number); number >= first; number -= 1) {
      if ((await this.#hash(number)) === chain.block(number)?.hash) return number;
    }
    return undefined;
  }

  async #hash(number: number): Promise<string | undefined> {
    const block = await this.#node.ask("eth_getBlockByNumber", [tag(number), false]);
    return read(hashed, block, ["block"])?.hash;
  }

  /** The blocks in this range; undefined if the node has lost one meanwhile. */
  async #bodies(from: number, head: number): Promise<BlockInput[] | undefined> {
    const bodies: BlockInput[] = [];
    for (let number = from; number <= head; number += this.#concurrency) {
      const length = Math.min(this.#concurrency, head - number + 1);
      const answers = await Promise.all(
        Array.from({ length }, (_, index) => this.#source.block(number + index)),
      );
      for (const answer of answers) {
        if (answer === undefined) return undefined;
        bodies.push(readBlock(answer, { chainId: this.chain.chainId }));
      }
    }
    return bodies;
  }

  async #ask(bodies: readonly BlockInput[], head: number): Promise<HeadStateReader> {
    const touched = touchedBy(bodies);
    const accounts = new Set([...touched.accounts, ...(await this.#ownAccounts())]);
    const answers = new HeadStateReader();
    for (const call of await fetchHeadState(this.#node, { ...touched, accounts }, tag(head))) {
      answers.add(call);
    }
    return answers;
  }

  /** The accounts a development node has from the start: they hold coins, though no block tells of it. */
  async #ownAccounts(): Promise<Address[]> {
    if (this.chain.length > 0) return [];
    try {
      return read(list(address), await this.#node.ask("eth_accounts", []), ["eth_accounts"]);
    } catch (error) {
      if (error instanceof RpcError) return [];
      throw error;
    }
  }
}

/** Whether each block is the next one's parent, beginning with the one on top of `parent`, if there is any. */
function isLinked(bodies: readonly BlockInput[], parent: string | undefined): boolean {
  return bodies.every(({ block }, index) => {
    const before = index === 0 ? parent : bodies[index - 1]?.block.hash;
    return before === undefined || block.parentHash === before;
  });
}
