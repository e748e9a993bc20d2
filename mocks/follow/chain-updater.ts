// Takes over blocks of a node into a chain: in groups far from the head, and near it together with the head state.
import type { BlockInput } from "../chain/block-input.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { type RpcBlock, readBlock } from "../ingest/block.ts";
import { HeadStateReader } from "../ingest/head-state.ts";
import { read } from "../ingest/read.ts";
import { address, list } from "../ingest/values.ts";
import { RpcError } from "../rpc/failure.ts";
import type { RpcNode } from "../rpc/node.ts";
import type { RpcRequest } from "../rpc/post.ts";
import type { ChainStore, StoredState } from "../store/chain-store.ts";
import { blockGroups } from "./block-groups.ts";
import { BlockSource, hexQuantity, type TraceMethod } from "./block-source.ts";
import type { Progress } from "./follow-status.ts";
import { fetchHeadState } from "./head-calls.ts";
import { blockHash, type NodeHead } from "./node-head.ts";
import { Touched } from "./touched.ts";
import type { UnreadableBlocks } from "./unreadable-block.ts";

/** Blocks to take over. */
export interface BlockSpan {
  /** The first one: the block after those that the chain shares with the node. */
  readonly from: number;
  /** How many blocks of the chain stay. */
  readonly kept: number;
}

export interface ChainUpdaterOptions {
  /** Groups of blocks in flight. */
  readonly ahead: number;
  /** None: blocks are taken over without traces. */
  readonly traceMethods?: readonly TraceMethod[] | undefined;
  /** Keeps the chain in a folder. */
  readonly store?: ChainStore | undefined;
}

export class ChainUpdater {
  readonly #chain: ChainWriter;
  readonly #node: RpcNode;
  readonly #source: BlockSource;
  readonly #ahead: number;
  readonly #missingTraces: "accept" | "refuse";
  readonly #unreadable: UnreadableBlocks;
  readonly #progress: Progress;
  readonly #store: ChainStore | undefined;
  /** What blocks touched whose head state was not asked for, or not told. */
  #touched = new Touched();
  #missing: readonly string[] = [];

  constructor(
    chain: ChainWriter,
    node: RpcNode,
    unreadable: UnreadableBlocks,
    progress: Progress,
    { ahead, traceMethods, store }: ChainUpdaterOptions,
  ) {
    this.#chain = chain;
    this.#node = node;
    this.#source = new BlockSource(node, traceMethods);
    this.#ahead = ahead;
    this.#missingTraces = traceMethods?.length === 0 ? "accept" : "refuse";
    this.#unreadable = unreadable;
    this.#progress = progress;
    this.#store = store;
  }

  /** Whether the head state is known of all that blocks touched. */
  get isComplete(): boolean {
    return this.#touched.accounts.size === 0;
  }

  /** What the node did not tell of the head state: `eth_call to 0x…`. */
  get missing(): readonly string[] {
    return [...this.#missing, ...this.#source.incomplete];
  }

  /** Methods that the node is known not to have are asked last. */
  avoid(methods: readonly string[]): void {
    this.#source.avoid(methods);
  }

  /** Another chain begins. @throws StoreError if the store has the chain of another network */
  async startOver(chainId: number): Promise<void> {
    await this.#store?.startOver(chainId);
    this.#chain.reset(chainId);
    this.#touched = new Touched();
    this.#missing = [];
  }

  /** Takes over the blocks up to `to`, group by group. Returns whether it took over any. */
  async takeGroups({ from, kept }: BlockSpan, to: number): Promise<boolean> {
    if (kept === 0) await this.#touchNodeAccounts();
    let keep = kept;
    let next = from;
    for await (const group of blockGroups(this.#source, from, to, this.#ahead)) {
      const inputs = this.#read({ from: group.from, kept: keep }, group.blocks);
      if (inputs.length === 0) break;
      this.#touch(keep, inputs);
      const appended = this.#replace(keep, inputs);
      await this.#keep({ kept: keep, from: group.from }, group.blocks, inputs.slice(0, appended));
      keep += appended;
      next += appended;
      if (appended < group.blocks.length) break;
      // Requests to the explorer have their turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return next > from;
  }

  /**
   * Takes over the blocks up to the node's head with the head state, in one go: readers see either the old state or the new one. Returns false,
   * with the chain as it was or with blocks only, if the node's chain changed meanwhile.
   *
   * @param byNumber whether to ask for the state of that block, rather than the latest
   */
  async takeAll({ from, kept }: BlockSpan, head: NodeHead, byNumber: boolean): Promise<boolean> {
    const chain = this.#chain;
    const length = head.number - from + 1;
    const blocks = length > 0 ? await this.#source.blocks(from, length) : [];
    const inputs = this.#read({ from, kept }, blocks);
    if (inputs.length < blocks.length) return false;
    this.#touch(kept, inputs);
    if (kept === 0) await this.#touchNodeAccounts();
    const state = await this.#headState(byNumber ? hexQuantity(head.number) : "latest");
    if (state === undefined || (await blockHash(this.#node, head.number)) !== head.hash)
      return false;

    const appended = this.#replace(kept, inputs);
    if (appended < inputs.length) {
      await this.#keep({ kept, from }, blocks, inputs.slice(0, appended));
      return false;
    }
    chain.applyHeadState(state.reader.headState(chain));
    this.#missing = state.missing.map(describeRequest);
    this.#touched.keepOnly(state.missingAccounts);
    const { calls } = state;
    await this.#keep({ kept, from }, blocks, inputs, { calls, isComplete: this.isComplete });
    return true;
  }

  /** Goes on with a chain from the store: what its blocks from `unknownFrom` on touched is to be asked for. */
  async resume(unknownFrom: number): Promise<void> {
    const { head, length } = this.#chain;
    const first = head.number - length + 1;
    for (let number = Math.max(first, unknownFrom); number <= head.number; number += 1) {
      const input = this.#chain.blockInput(number);
      if (input !== undefined) this.#touched.addBlock(input);
    }
    if (unknownFrom <= first) await this.#touchNodeAccounts();
  }

  /** Keeps the blocks that were read into `inputs` in the store, if there is one. */
  async #keep(
    span: BlockSpan,
    blocks: readonly (RpcBlock | undefined)[],
    inputs: readonly BlockInput[],
    state?: StoredState,
  ): Promise<void> {
    const read = blocks.slice(0, inputs.length).filter((block) => block !== undefined);
    await this.#store?.update({ ...span, blocks: read, inputs, state });
  }

  /** These blocks up to the first one that is absent, cannot be read, or does not follow the one before. */
  #read({ from, kept }: BlockSpan, blocks: readonly (RpcBlock | undefined)[]): BlockInput[] {
    const inputs: BlockInput[] = [];
    const options = { chainId: this.#chain.chainId, missingTraces: this.#missingTraces };
    let below = kept === 0 ? undefined : this.#chain.block(from - 1)?.hash;
    for (const [index, block] of blocks.entries()) {
      if (block === undefined) break;
      try {
        const input = readBlock(block, options);
        const { number, hash, parentHash } = input.block;
        if (below !== undefined && parentHash !== below) {
          this.#unreadable.noteUnlinked({ number, hash, parentHash, below });
          break;
        }
        inputs.push(input);
        below = hash;
      } catch (error) {
        this.#unreadable.note(from + index, block, error);
        break;
      }
    }
    return inputs;
  }

  /** Notes what changes when these blocks replace all behind the first `kept` ones. */
  #touch(kept: number, inputs: readonly BlockInput[]): void {
    const chain = this.#chain;
    for (let index = kept; index < chain.length; index += 1) {
      const removed = chain.blockInput(chain.head.number - chain.length + 1 + index);
      if (removed !== undefined) this.#touched.addBlock(removed);
    }
    for (const input of inputs) this.#touched.addBlock(input);
  }

  /** Replaces the blocks behind the first `kept` ones. Returns how many it appended: fewer if the chain refuses one. */
  #replace(kept: number, inputs: readonly BlockInput[]): number {
    const chain = this.#chain;
    if (chain.length > kept) chain.rewind(chain.length - kept);
    for (const [index, input] of inputs.entries()) {
      try {
        chain.append(input);
      } catch (error) {
        this.#unreadable.note(input.block.number, { block: input.block, receipts: [] }, error);
        return index;
      }
      this.#progress.add(input.executions.length);
    }
    return inputs.length;
  }

  /** The head state of what blocks touched; undefined if the node does not have the state of the block. */
  async #headState(at: string) {
    try {
      const state = await fetchHeadState(this.#node, this.#touched, at);
      const reader = new HeadStateReader();
      for (const call of state.calls) reader.add(call);
      return { reader, ...state };
    } catch (error) {
      if (error instanceof RpcError && error.kind === "unavailable") return undefined;
      throw error;
    }
  }

  /** The accounts of a development node, which hold coins from the start. */
  async #touchNodeAccounts(): Promise<void> {
    try {
      const accounts = await this.#node.call("eth_accounts", []);
      for (const of of read(list(address), accounts, ["eth_accounts"]))
        this.#touched.accounts.add(of);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
    }
  }
}

/** A request of the head state as `/health` shows it. */
function describeRequest({ method, params: [subject] }: RpcRequest): string {
  if (typeof subject === "string") return `${method} ${subject}`;
  const { to, data } = subject as { readonly to: string; readonly data: string };
  return `${method} ${to} ${data.slice(0, 10)}`;
}
