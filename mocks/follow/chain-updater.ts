// Takes over blocks of a node into a chain: in groups far from the head, and near it in one step.
import type { BlockInput } from "../chain/block-input.ts";
import type { ChainWriter } from "../chain/writer.ts";
import type { RpcNode } from "../rpc/node.ts";
import type { ChainStore } from "../store/chain-store.ts";
import { BlockReader, type ReadBlocks } from "./block-reader.ts";
import { BlockSource, type Lack, type TraceMethod } from "./block-source.ts";
import { Breaks } from "./breaks.ts";
import type { Progress } from "./follow-status.ts";
import { NewContracts } from "./new-contracts.ts";
import { blockHash, type NodeHead } from "./node-info.ts";
import type { UnreadableBlocks } from "./unreadable-block.ts";
import { LinkedBlocks } from "./unreadable-block.ts";

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
  readonly #contracts: NewContracts;
  readonly #breaks = new Breaks();
  /** Whether readers see the chain grow towards the node's head. */
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
    this.#contracts = new NewContracts(chain, node);
  }

  /** Whether the code and kind of all new contracts are known. */
  get isComplete(): boolean {
    return this.#contracts.isComplete;
  }

  /** What the node did not return: `eth_call to 0x…`. */
  get missing(): readonly string[] {
    return [...this.#contracts.missing, ...this.#source.incomplete];
  }

  /** Why blocks were not taken over, if the node says that it does not have what they need. */
  get lack(): Lack | undefined {
    return this.#source.lack;
  }

  forgetLack(): void {
    this.#source.forgetLack();
  }

  /** Methods that the node is known not to have are asked last. */
  avoid(methods: readonly string[]): void {
    this.#source.avoid(methods);
  }

  /** The block that the node was forked from is not traced. */
  forkedFrom(number: number | undefined): void {
    this.#source.forkedFrom(number);
  }

  /** Another chain begins; `found` describes it. @throws StoreError if the store has a chain that is not to be replaced */
  async startOver(chainId: number, found?: string): Promise<void> {
    await this.#store?.startOver(chainId, found);
    this.#chain.reset(chainId);
    this.#contracts.reset();
    this.#isPartial = true;
  }

  /** Takes over the blocks up to `to`, which lies below the node's head, group by group. Returns whether it took over any. */
  async takeGroups({ from, kept }: BlockSpan, to: number, head: NodeHead): Promise<boolean> {
    this.#isPartial = true;
    let keep = kept;
    let next = from;
    const contracts = this.#contracts;
    let asking: Promise<void> = Promise.resolve();
    for await (const group of this.#reader.groups(from, to, this.#ahead)) {
      const inputs = await this.#linked.of(keep, group, head);
      if (inputs.length === 0) break;
      const appended = await this.#replaceInTurns(keep, inputs);
      await this.#keep({ kept: keep, from: group.from }, group, appended);
      keep += appended;
      next += appended;
      if (appended < group.count) break;
      // As soon as they appear: a standard that is set after many transfers reads them all again.
      contracts.apply();
      contracts.note(inputs, group.blocks);
      // A failure leaves them to the last step, which reports it.
      if (!contracts.isComplete) asking = asking.then(() => contracts.ask()).catch(() => {});
      if (this.#breaks.isDue) await this.#breaks.take();
    }
    await asking;
    contracts.apply();
    return next > from;
  }

  /**
   * Takes over the blocks up to the node's head in one go: readers see either the old chain or the new one, unless they see it grow already.
   * Returns false if the node's chain changed meanwhile.
   */
  async takeAll({ from, kept }: BlockSpan, head: NodeHead): Promise<boolean> {
    const length = head.number - from + 1;
    const blocks = await this.#reader.blocks(from, length);
    const inputs = await this.#linked.of(kept, blocks, head);
    if (inputs.length < blocks.count) return false;
    this.#contracts.note(inputs, blocks.blocks);
    await this.#contracts.ask();
    if ((await blockHash(this.#node, head.number)) !== head.hash) return false;
    const appended = this.#isPartial
      ? await this.#replaceInTurns(kept, inputs)
      : this.#replace(kept, inputs);
    if (appended === inputs.length) this.#contracts.apply();
    this.#isPartial &&= appended < inputs.length;
    await this.#keep({ kept, from }, blocks, appended);
    return appended === inputs.length;
  }

  /** Continues with a chain from the store: what its blocks from `from` on created is asked for. */
  async resume(from: number): Promise<void> {
    const { head, length } = this.#chain;
    const first = head.number - length + 1;
    for (let number = Math.max(first, from); number <= head.number; number += 1) {
      const input = this.#chain.blockInput(number);
      if (input !== undefined) this.#contracts.note([input]);
      if (this.#breaks.isDue) await this.#breaks.take();
    }
  }

  /** Keeps the first `count` of these blocks in the store, if there is one. */
  async #keep(span: BlockSpan, { inputs, blocks }: ReadBlocks, count: number): Promise<void> {
    const kept = { blocks: blocks.slice(0, count), inputs: inputs.slice(0, count) };
    await this.#store?.update({ ...span, ...kept });
  }

  /** Reads blocks for the chain as it is. */
  get #reader(): BlockReader {
    const { chainId } = this.#chain;
    return new BlockReader(this.#source, { chainId, missingTraces: this.#missingTraces });
  }

  /** Replaces the blocks after the first `kept` ones at once. Returns how many it appended: fewer if the chain refuses one. */
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
      if (this.#breaks.isDue) await this.#breaks.take();
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
}
