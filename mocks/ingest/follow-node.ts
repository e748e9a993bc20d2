// Fills a chain from a live node and follows its head, through reorganisations; Node only.
import * as z from "zod/mini";
import type { BlockInput } from "../chain/block-input.ts";
import { Chain } from "../chain/chain.ts";
import type { Address } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { readBlock } from "./block.ts";
import { BlockSource, hexQuantity } from "./fetch-block.ts";
import { fetchHeadState, touchedBy } from "./fetch-head-state.ts";
import { HeadStateReader } from "./head-state.ts";
import { IngestError } from "./ingest-error.ts";
import { read } from "./read.ts";
import { RpcError, RpcNode, type RpcOptions } from "./rpc.ts";
import { address, count, hash, list } from "./values.ts";

/** How to follow a node. `signal` stops following, as `close` does. */
export interface FollowOptions extends RpcOptions {
  /** The first block to load. Default 0. */
  readonly fromBlock?: number | undefined;
  /** Milliseconds between polls of the node's head. Default 1000. */
  readonly interval?: number | undefined;
  /** Blocks to fetch at once. Default 4. */
  readonly concurrency?: number | undefined;
  /** Called when a poll fails; following continues. Default: a warning on the console. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A chain that follows a node. */
export interface Follower {
  /** The chain: always the same object, updated block by block. */
  readonly chain: ChainWriter;
  /** Polls the node now; resolves when the chain is up to date. */
  update(): Promise<void>;
  /** Stops following; the chain stays as it is. */
  close(): Promise<void>;
}

/** The hash of a block, or null. */
const blockHashSchema = z.nullish(z.object({ hash }));

/** How often one update starts again because the node's chain changed meanwhile. */
const MAX_ATTEMPTS = 10;

/**
 * Fills a chain from the JSON-RPC node at `rpcUrl` and follows its head. Resolves when the chain has reached the head. It reads traces from
 * `trace_block`, `debug_traceBlockByNumber` or `debug_traceTransaction` and receipts from `eth_getBlockReceipts` or one by one, as the node
 * supports; balances, code and token calls are those at the head.
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
  const chainId = read(count, await node.call("eth_chainId", []), ["eth_chainId"]);
  const follower = new NodeFollower(node, new Chain({ chainId }), options);
  await follower.update();

  const { interval = 1000, onError = warn } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const poll = async () => {
    try {
      await follower.update();
    } catch (error) {
      if (!ended.aborted) onError(error);
    }
    schedule();
  };
  const schedule = () => {
    if (ended.aborted) return;
    timer = setTimeout(poll, interval);
    // Following does not keep the process alive.
    timer.unref();
  };
  schedule();

  return {
    chain: follower.chain,
    update: () => follower.update(),
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      await follower.idle();
    },
  };
}

function warn(error: unknown): void {
  console.warn("mrc-explorer: Failed to poll the node; retrying:", error);
}

class NodeFollower {
  readonly chain: ChainWriter;
  readonly #node: RpcNode;
  readonly #source: BlockSource;
  readonly #fromBlock: number;
  readonly #concurrency: number;
  #running: Promise<void> = Promise.resolve();

  constructor(
    node: RpcNode,
    chain: ChainWriter,
    { fromBlock = 0, concurrency = 4 }: FollowOptions,
  ) {
    this.chain = chain;
    this.#node = node;
    this.#source = new BlockSource(node);
    this.#fromBlock = fromBlock;
    this.#concurrency = concurrency;
  }

  /** Updates run one after another, as each changes the chain. */
  update(): Promise<void> {
    const update = this.#running.then(() => this.#update());
    this.#running = update.catch(() => undefined);
    return update;
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async #update(): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (await this.#catchUp()) return;
    }
    throw new IngestError(
      `gave up the update: the node's chain changed ${MAX_ATTEMPTS} times while it was read`,
    );
  }

  /** Whether the chain is at the node's head; false, with no change, if the node's chain changed meanwhile. */
  async #catchUp(): Promise<boolean> {
    const { chain } = this;
    const head = read(count, await this.#node.call("eth_blockNumber", []), ["eth_blockNumber"]);
    if (head < this.#fromBlock) {
      throw new IngestError(
        `cannot follow from block ${this.#fromBlock}: the node's head is ${head}`,
      );
    }
    const common = await this.#lastCommonBlock(head);
    const first = chain.length === 0 ? this.#fromBlock : chain.head.number - chain.length + 1;
    const kept = common === undefined ? 0 : common - first + 1;
    const from = first + kept;
    if (kept === chain.length && from > head) return true;

    const added = await this.#fetchBlocks(from, head);
    if (added === undefined || !isLinked(added, chain.block(from - 1)?.hash)) return false;
    const removed = Array.from({ length: chain.length - kept }, (_, index) =>
      chain.blockInput(from + index),
    );
    const headStateReader = await this.#fetchHeadState(
      [...removed.filter((input) => input !== undefined), ...added],
      head,
    );
    const last = added.at(-1)?.block.hash ?? chain.block(head)?.hash;
    if ((await this.#hash(head)) !== last) return false;

    // In one go, so that readers see either the old state or the new one.
    chain.rewind(chain.length - kept);
    for (const input of added) chain.append(input);
    chain.applyHeadState(headStateReader.headState(chain));
    return true;
  }

  /** The last block the chain shares with the node; undefined if there is none. */
  async #lastCommonBlock(head: number): Promise<number | undefined> {
    const { chain } = this;
    if (chain.length === 0) return undefined;
    const first = chain.head.number - chain.length + 1;
    for (let number = Math.min(head, chain.head.number); number >= first; number -= 1) {
      if ((await this.#hash(number)) === chain.block(number)?.hash) return number;
    }
    return undefined;
  }

  async #hash(number: number): Promise<string | undefined> {
    const block = await this.#node.call("eth_getBlockByNumber", [hexQuantity(number), false]);
    return read(blockHashSchema, block, ["block"])?.hash;
  }

  /** The blocks in this range; undefined if the node no longer has one of them. */
  async #fetchBlocks(from: number, head: number): Promise<BlockInput[] | undefined> {
    const inputs: BlockInput[] = [];
    for (let number = from; number <= head; number += this.#concurrency) {
      const length = Math.min(this.#concurrency, head - number + 1);
      const blocks = await Promise.all(
        Array.from({ length }, (_, index) => this.#source.block(number + index)),
      );
      for (const block of blocks) {
        if (block === undefined) return undefined;
        inputs.push(readBlock(block, { chainId: this.chain.chainId }));
      }
    }
    return inputs;
  }

  async #fetchHeadState(inputs: readonly BlockInput[], head: number): Promise<HeadStateReader> {
    const touched = touchedBy(inputs);
    const accounts = new Set([...touched.accounts, ...(await this.#nodeAccounts())]);
    const reader = new HeadStateReader();
    for (const call of await fetchHeadState(
      this.#node,
      { ...touched, accounts },
      hexQuantity(head),
    )) {
      reader.add(call);
    }
    return reader;
  }

  /** The accounts of a development node, which hold coins from the start. */
  async #nodeAccounts(): Promise<Address[]> {
    if (this.chain.length > 0) return [];
    try {
      return read(list(address), await this.#node.call("eth_accounts", []), ["eth_accounts"]);
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
