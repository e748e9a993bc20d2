// Takes over blocks of a node into a chain: in groups far from the head, and near it together with the head state.
import type { BlockInput } from "../chain/block-input.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { HeadStateReader } from "../ingest/head-state.ts";
import { read } from "../ingest/read.ts";
import { address, list } from "../ingest/values.ts";
import { RpcError } from "../rpc/failure.ts";
import type { RpcNode } from "../rpc/node.ts";
import type { RpcRequest } from "../rpc/post.ts";
import type { ChainStore, StoredState } from "../store/chain-store.ts";
import { BlockReader, type ReadBlocks } from "./block-reader.ts";
import { BlockSource, hexQuantity, type Lack, type TraceMethod } from "./block-source.ts";
import { EarlyStandards } from "./early-standards.ts";
import type { Progress } from "./follow-status.ts";
import { fetchHeadState } from "./head-calls.ts";
import { LinkedBlocks } from "./linked-blocks.ts";
import { blockHash, type NodeHead } from "./node-head.ts";
import { Touched } from "./touched.ts";
import { Turns } from "./turns.ts";
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
  readonly #linked: LinkedBlocks;
  readonly #progress: Progress;
  readonly #store: ChainStore | undefined;
  /** What blocks touched whose head state was not asked for, or not told. */
  #touched = new Touched();
  readonly #turns = new Turns();
  #missing: readonly string[] = [];
  #stateLack: Lack | undefined;
  /** Whether readers see blocks whose head state was not asked for yet. */
  #isPartial = true;

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
    this.#linked = new LinkedBlocks(chain, node, unreadable);
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

  /** Why blocks were not taken over, if the node says that it does not have what they need. */
  get lack(): Lack | undefined {
    return this.#source.lack ?? this.#stateLack;
  }

  forgetLack(): void {
    this.#source.forgetLack();
    this.#stateLack = undefined;
  }

  /** Methods that the node is known not to have are asked last. */
  avoid(methods: readonly string[]): void {
    this.#source.avoid(methods);
  }

  /** The block that the node was forked from is not traced. */
  forkedFrom(number: number | undefined): void {
    this.#source.forkedFrom(number);
  }

  /** Another chain begins. @throws StoreError if the store has the chain of another network */
  async startOver(chainId: number): Promise<void> {
    await this.#store?.startOver(chainId);
    this.#chain.reset(chainId);
    this.#touched = new Touched();
    this.#missing = [];
    this.#isPartial = true;
  }

  /** Takes over the blocks up to `to`, which lies below the node's head, group by group. Returns whether it took over any. */
  async takeGroups({ from, kept }: BlockSpan, to: number, head: NodeHead): Promise<boolean> {
    if (kept === 0) await this.#touchNodeAccounts();
    this.#isPartial = true;
    let keep = kept;
    let next = from;
    const standards = new EarlyStandards(this.#chain, this.#node);
    for await (const group of this.#reader.groups(from, to, this.#ahead)) {
      const inputs = await this.#linked.of(keep, group, head);
      if (inputs.length === 0) break;
      await this.#touch(keep, inputs);
      const appended = await this.#replaceInTurns(keep, inputs);
      await this.#keep({ kept: keep, from: group.from }, group, appended);
      keep += appended;
      next += appended;
      if (appended < group.count) break;
      standards.note(inputs);
      if (this.#turns.isDue) await this.#turns.next();
    }
    await standards.settle();
    return next > from;
  }

  /**
   * Takes over the blocks up to the node's head with the head state, in one go: readers see either the old state or the new one, unless they see
   * blocks without it already. Returns false, with the chain as it was or with blocks only, if the node's chain changed meanwhile.
   *
   * @param byNumber whether to ask for the state of that block, rather than the latest
   */
  async takeAll({ from, kept }: BlockSpan, head: NodeHead, byNumber: boolean): Promise<boolean> {
    const chain = this.#chain;
    const length = head.number - from + 1;
    const blocks = await this.#reader.blocks(from, length);
    const inputs = await this.#linked.of(kept, blocks, head);
    if (inputs.length < blocks.count) return false;
    await this.#touch(kept, inputs);
    if (kept === 0) await this.#touchNodeAccounts();
    const state = await this.#headState(head.number, byNumber);
    if (state === undefined || (await blockHash(this.#node, head.number)) !== head.hash)
      return false;

    const appended = this.#isPartial
      ? await this.#replaceInTurns(kept, inputs)
      : this.#replace(kept, inputs);
    if (appended < inputs.length) {
      await this.#keep({ kept, from }, blocks, appended);
      return false;
    }
    chain.applyHeadState(state.reader.headState(chain));
    this.#isPartial = false;
    this.#missing = state.missing.map(describeRequest);
    this.#touched.keepOnly(state.missingAccounts);
    const { calls } = state;
    await this.#keep({ kept, from }, blocks, appended, { calls, isComplete: this.isComplete });
    return true;
  }

  /** Goes on with a chain from the store: what its blocks from `unknownFrom` on touched is to be asked for. */
  async resume(unknownFrom: number): Promise<void> {
    const { head, length } = this.#chain;
    const first = head.number - length + 1;
    for (let number = Math.max(first, unknownFrom); number <= head.number; number += 1) {
      const input = this.#chain.blockInput(number);
      if (input !== undefined) this.#touched.addBlock(input);
      if (this.#turns.isDue) await this.#turns.next();
    }
    if (unknownFrom <= first) await this.#touchNodeAccounts();
  }

  /** Keeps the first `count` of these blocks in the store, if there is one. */
  async #keep(
    span: BlockSpan,
    { inputs, blocks }: ReadBlocks,
    count: number,
    state?: StoredState,
  ): Promise<void> {
    const kept = { blocks: blocks.slice(0, count), inputs: inputs.slice(0, count) };
    await this.#store?.update({ ...span, ...kept, state });
  }

  /** Reads blocks for the chain as it is. */
  get #reader(): BlockReader {
    const { chainId } = this.#chain;
    return new BlockReader(this.#source, { chainId, missingTraces: this.#missingTraces });
  }

  /** Notes what changes when these blocks replace all behind the first `kept` ones. */
  async #touch(kept: number, inputs: readonly BlockInput[]): Promise<void> {
    const chain = this.#chain;
    for (let index = kept; index < chain.length; index += 1) {
      const removed = chain.blockInput(chain.head.number - chain.length + 1 + index);
      if (removed !== undefined) this.#touched.addBlock(removed);
      if (this.#turns.isDue) await this.#turns.next();
    }
    for (const input of inputs) {
      this.#touched.addBlock(input);
      if (this.#turns.isDue) await this.#turns.next();
    }
  }

  /** Replaces the blocks behind the first `kept` ones at once. Returns how many it appended: fewer if the chain refuses one. */
  #replace(kept: number, inputs: readonly BlockInput[]): number {
    const chain = this.#chain;
    if (chain.length > kept) chain.rewind(chain.length - kept);
    const refused = inputs.findIndex((input) => !this.#append(input));
    return refused === -1 ? inputs.length : refused;
  }

  /** The same, but readers may see the chain between two blocks, unless it was longer before. */
  async #replaceInTurns(kept: number, inputs: readonly BlockInput[]): Promise<number> {
    if (this.#chain.length > kept) return this.#replace(kept, inputs);
    for (const [index, input] of inputs.entries()) {
      if (!this.#append(input)) return index;
      if (this.#turns.isDue) await this.#turns.next();
    }
    return inputs.length;
  }

  /** Appends a block. Returns whether the chain takes it. */
  #append(input: BlockInput): boolean {
    try {
      this.#chain.append(input);
    } catch (error) {
      const { block } = input;
      this.#unreadable.note(block.number, { block, receipts: [] }, error);
      return false;
    }
    this.#progress.add(input.executions.length);
    return true;
  }

  /** The head state of what blocks touched; undefined if the node does not have the state of the block. */
  async #headState(block: number, byNumber: boolean) {
    try {
      const at = byNumber ? hexQuantity(block) : "latest";
      const state = await fetchHeadState(this.#node, this.#touched, at);
      const reader = new HeadStateReader();
      for (const call of state.calls) {
        reader.add(call);
        if (this.#turns.isDue) await this.#turns.next();
      }
      return { reader, ...state };
    } catch (error) {
      if (!(error instanceof RpcError) || error.kind !== "unavailable") throw error;
      this.#stateLack = { block, error };
      return undefined;
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
