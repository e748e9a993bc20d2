// Takes over blocks of a node into a chain: in groups far from the head, and near it in one step.
import * as z from "zod/mini";
import { messageOf } from "../../src/errors/base.ts";
import { check } from "../../src/models/issues.ts";
import type { Block, BlockInput, Hash } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { linkReserved, readBlock } from "../ingest/block.ts";
import type { RpcBlock } from "../ingest/block-fields.ts";
import { hash, IngestError } from "../ingest/read.ts";
import { pauseIfBusy } from "../message/event-loop.ts";
import { BlockSource, type Lack } from "./block-source.ts";
import type { HeadStateCache } from "./head-state.ts";
import {
  blockHash,
  lacksBlock,
  methodsLackedBy,
  type NodeHead,
  type NodeKind,
} from "./node-info.ts";
import type { RpcNode } from "./rpc/node.ts";
import type { ChainStore } from "./store/chain-store.ts";

/** Blocks in the first group: few, because each may have thousands of frames. */
const FIRST_GROUP = 4;
const MAX_GROUP = 100;
/** The transactions a group should have: receipts and traces of more make large responses. */
const GROUP_TRANSACTIONS = 300;

/** Neighbouring blocks, undefined for one that the node did not have. */
export interface BlockGroup {
  readonly from: number;
  readonly blocks: readonly (RpcBlock | undefined)[];
}

/** The blocks from `from` to `to`, both included, while `ahead` groups are in flight. */
export async function* blockGroups(
  source: Pick<BlockSource, "blocks">,
  from: number,
  to: number,
  ahead: number,
): AsyncGenerator<BlockGroup, void, undefined> {
  const pending: { readonly from: number; readonly blocks: Promise<BlockGroup["blocks"]> }[] = [];
  let next = from;
  let size = FIRST_GROUP;
  // The first group shows how large the blocks are: until then, more of them might fill the memory.
  let most = 1;
  const request = () => {
    while (pending.length < most && next <= to) {
      const count = Math.min(size, to - next + 1);
      const blocks = source.blocks(next, count);
      // The caller that takes the group handles its failure; a group that nobody takes needs no
      // handling.
      blocks.catch(() => {});
      pending.push({ from: next, blocks });
      next += count;
    }
  };
  for (;;) {
    request();
    const group = pending.shift();
    if (group === undefined) return;
    const blocks = await group.blocks;
    size = nextSize(blocks);
    most = ahead;
    // Others are in flight while this group is taken over.
    request();
    yield { from: group.from, blocks };
  }
}

/** The number of blocks with about `GROUP_TRANSACTIONS`, if the next ones are like these. */
function nextSize(blocks: BlockGroup["blocks"]): number {
  const transactions = blocks.reduce((sum, block) => sum + transactionsIn(block), 0);
  const fitting = Math.floor((GROUP_TRANSACTIONS * blocks.length) / Math.max(1, transactions));
  return Math.min(MAX_GROUP, Math.max(1, fitting), 2 * Math.max(blocks.length, FIRST_GROUP));
}

const transactionsIn = (block: RpcBlock | undefined): number =>
  Array.isArray(block?.receipts) ? block.receipts.length : 0;

/** Neighbouring blocks, up to the first one that the node did not have or that cannot be read. */
interface ReadBlocks {
  readonly from: number;
  readonly inputs: readonly BlockInput[];
  /** Raw responses of the node for these blocks, for the store. */
  readonly blocks: readonly RpcBlock[];
  /** How many were requested. */
  readonly count: number;
  /** The block after these, if it cannot be read. */
  readonly failed?: { readonly number: number; readonly block: RpcBlock; readonly error: unknown };
}

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
  /** Whether blocks are taken over with traces. */
  readonly wantsTraces: boolean;
  /** Keeps the chain in a folder. */
  readonly store?: ChainStore | undefined;
}

/** The rate of taking over blocks, since a catch-up began. */
export class CatchUp {
  #since: number | undefined;
  #blocks = 0;
  #transactions = 0;

  /** Counts a block. */
  add(transactions: number): void {
    this.#since ??= performance.now();
    this.#blocks += 1;
    this.#transactions += transactions;
  }

  reset(): void {
    this.#since = undefined;
    this.#blocks = 0;
    this.#transactions = 0;
  }

  /** Per second; null as long as there is nothing to count. */
  rates(): { readonly blocks: number; readonly transactions: number } | null {
    const seconds = this.#since === undefined ? 0 : (performance.now() - this.#since) / 1000;
    if (seconds === 0) return null;
    return { blocks: this.#blocks / seconds, transactions: this.#transactions / seconds };
  }
}

export class ChainUpdater {
  readonly #chain: ChainWriter;
  readonly #node: RpcNode;
  readonly #source: BlockSource;
  readonly #ahead: number;
  readonly unreadable = new UnreadableBlocks();
  readonly progress = new CatchUp();
  readonly #store: ChainStore | undefined;
  readonly #state: HeadStateCache;
  /** Whether readers see the chain grow towards the node's head. */
  #isPartial = true;

  constructor(
    chain: ChainWriter,
    node: RpcNode,
    state: HeadStateCache,
    { ahead, wantsTraces, store }: ChainUpdaterOptions,
  ) {
    this.#chain = chain;
    this.#node = node;
    this.#source = new BlockSource(node, wantsTraces);
    this.#ahead = ahead;
    this.#store = store;
    this.#state = state;
  }

  /** Whether blocks come with traces. */
  get isTraced(): boolean {
    return this.#source.isTraced;
  }

  /** Data that the node did not return: `eth_call to 0x…`. */
  get missing(): readonly string[] {
    return [...this.#state.missing, ...this.#source.incomplete];
  }

  /** Why blocks were not taken over, if the node says it lacks what they need. */
  get lack(): Lack | undefined {
    return this.#source.lack;
  }

  forgetLack(): void {
    this.#source.forgetLack();
  }

  // Takes the kind of the node into account: which methods it lacks, and what to do about its
  // blocks.
  meet(kind: NodeKind): void {
    this.#source.avoid(methodsLackedBy(kind));
    this.unreadable.kind = kind;
  }

  /** The block that the node was forked from is not traced. */
  forkedFrom(number: number | undefined): void {
    this.#source.forkedFrom(number);
  }

  // Clears everything, because the node now serves a different chain.
  // @throws StoreError if the store keeps another chain
  async startOver(chainId: number, found?: string): Promise<void> {
    await this.#store?.startOver(chainId, found);
    this.#chain.reset(chainId);
    this.#state.reset();
    this.#isPartial = true;
  }

  /** Takes over the blocks up to `to`, group by group. Returns whether it took over any. */
  async takeGroups(span: BlockSpan, to: number, head: NodeHead): Promise<boolean> {
    this.#isPartial = true;
    return (await this.#takeGroups(span, to, head)) > span.from;
  }

  /** Returns the number of the block after those that were taken over. */
  async #takeGroups({ from, kept }: BlockSpan, to: number, head: NodeHead): Promise<number> {
    let keep = kept;
    let next = from;
    for await (const fetched of blockGroups(this.#source, from, to, this.#ahead)) {
      const group = await this.#read(fetched);
      const inputs = await this.#linked(keep, group, head);
      if (inputs.length === 0) break;
      const appended = await this.#replaceInTurns(keep, inputs);
      await this.#keep({ kept: keep, from: group.from }, group, appended);
      keep += appended;
      next += appended;
      if (appended < group.count) break;
      // Early, because a standard that is set after many transfers reads them all again. The last
      // step retries a failure.
      await this.#state.settle().catch(() => {});
    }
    return next;
  }

  // Takes over the blocks up to the node's head: readers see either the old chain or the new one,
  // unless they see it grow already. Returns false if the node's chain changed meanwhile.
  async takeAll(span: BlockSpan, head: NodeHead): Promise<boolean> {
    const grows = this.#isPartial && span.from <= head.number;
    return grows ? await this.#growTo(span, head) : await this.#takeAtOnce(span, head);
  }

  async #growTo(span: BlockSpan, head: NodeHead): Promise<boolean> {
    const next = await this.#takeGroups(span, head.number, head);
    if (next <= head.number) return false;
    await this.#state.settle();
    this.#isPartial = (await blockHash(this.#node, head.number)) !== head.hash;
    return !this.#isPartial;
  }

  async #takeAtOnce({ from, kept }: BlockSpan, head: NodeHead): Promise<boolean> {
    const length = head.number - from + 1;
    const fetched = length > 0 ? await this.#source.blocks(from, length) : [];
    const blocks = await this.#read({ from, blocks: fetched });
    const inputs = await this.#linked(kept, blocks, head);
    if (inputs.length < blocks.count) return false;
    if ((await blockHash(this.#node, head.number)) !== head.hash) return false;
    const appended = this.#replace(kept, inputs);
    this.#isPartial &&= appended < inputs.length;
    await this.#keep({ kept, from }, blocks, appended);
    await this.#state.settle();
    return appended === inputs.length;
  }

  async #keep(span: BlockSpan, { blocks }: ReadBlocks, count: number): Promise<void> {
    await this.#store?.update({ ...span, blocks: blocks.slice(0, count) });
  }

  async #read({ from, blocks: given }: BlockGroup): Promise<ReadBlocks> {
    const chain = this.#chain;
    const { chainId } = chain;
    /** The transactions of the blocks before, which the chain does not have yet. */
    const readHashes = new Set<Hash>();
    const blocks: RpcBlock[] = [];
    const inputs: BlockInput[] = [];
    for (const block of given) {
      if (block === undefined) break;
      const number = from + inputs.length;
      try {
        const input = readBlock(block, {
          chainId,
          missingTraces: this.isTraced ? "refuse" : "accept",
          onMissing: (what) => this.#source.note(what),
          isTaken: (hash) =>
            readHashes.has(hash) || (chain.transaction(hash)?.block.number ?? from) < from,
        });
        for (const { transaction } of input.executions) readHashes.add(transaction.hash);
        inputs.push(input);
      } catch (error) {
        return { from, inputs, blocks, count: given.length, failed: { number, block, error } };
      }
      blocks.push(block);
      await pauseIfBusy();
    }
    return { from, inputs, blocks, count: given.length };
  }

  // Returns the blocks that follow the first `kept` ones of the chain, and notes the block that
  // ends them.
  async #linked(kept: number, read: ReadBlocks, head: NodeHead): Promise<readonly BlockInput[]> {
    const { from, inputs, failed, count } = read;
    let below = kept === 0 ? undefined : this.#chain.block(from - 1);
    for (const [index, input] of inputs.entries()) {
      const { block } = input;
      linkReserved(input, below);
      if (below !== undefined && block.parentHash !== below.hash) {
        this.unreadable.noteUnlinked(block, below.hash);
        return inputs.slice(0, index);
      }
      below = block;
    }
    const next = from + inputs.length;
    if (failed !== undefined) this.unreadable.note(failed.number, failed.block, failed.error);
    else if (inputs.length < count && (await lacksBlock(this.#node, next, head)))
      this.unreadable.noteMissing(next, head.number);
    return inputs;
  }

  // Replaces the blocks after the first `kept` ones at once. Returns how many the chain accepted.
  #replace(kept: number, inputs: readonly BlockInput[]): number {
    const chain = this.#chain;
    if (chain.length > kept) chain.rewind(chain.length - kept);
    const refused = inputs.findIndex((input) => !this.#append(input));
    return refused === -1 ? inputs.length : refused;
  }

  // Like `#replace`, but readers may see the chain between two blocks, unless it was longer before.
  async #replaceInTurns(kept: number, inputs: readonly BlockInput[]): Promise<number> {
    if (this.#chain.length > kept) return this.#replace(kept, inputs);
    for (const [index, input] of inputs.entries()) {
      if (!this.#append(input)) return index;
      await pauseIfBusy();
    }
    return inputs.length;
  }

  /** Appends a block. Returns whether the chain takes it. */
  #append(input: BlockInput): boolean {
    try {
      this.#chain.append(input);
    } catch (error) {
      const { block } = input;
      this.unreadable.note(block.number, { block, receipts: [] }, error);
      return false;
    }
    this.#state.note(input);
    this.progress.add(input.executions.length);
    return true;
  }
}

// A block that stays unreadable, does not follow the one below it, or is missing below the head.
export interface UnreadableBlock {
  readonly number: number;
  /** Undefined if the node does not have the block, or not even its hash can be read. */
  readonly hash: string | undefined;
  /** The hash of the block below, if that is not the parent that this one names. */
  readonly below: string | undefined;
  readonly error: IngestError;
}

/** Failed reads after which a block counts as unreadable. Before, the node may have replaced it. */
const MAX_READS = 3;
/** Milliseconds before an unreadable block is read again. Each further pause is twice as long. */
const FIRST_PAUSE = 1000;
const MAX_PAUSE = 60_000;

/** Advice for the user, by the words of the error. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/timestamp/, "set the node's time to seconds since 1970"],
];

/** How to get other blocks from a kind of node. */
const RESET: Readonly<Record<NodeKind, string>> = {
  anvil: "reset the node (anvil_reset) or restart it",
  "hardhat-2": "reset the node (hardhat_reset) or restart it",
  hardhat: "reset the node (hardhat_reset) or restart it",
  other: "wait, or use another address of the network",
};

const hashSchema = z.object({ block: z.object({ hash }) });

class UnreadableBlocks {
  kind: NodeKind = "other";
  #suspect: (UnreadableBlock & { readonly reads: number }) | undefined;
  #pause = FIRST_PAUSE;
  #retryAt = 0;

  get current(): UnreadableBlock | undefined {
    return this.#suspect !== undefined && this.#suspect.reads >= MAX_READS
      ? this.#suspect
      : undefined;
  }

  // Whether the block is to be read again, although nothing shows that the node replaced it: wrong
  // answers may have been a gateway's for a moment. The pauses grow.
  retryIfDue(): boolean {
    if (this.#suspect === undefined || performance.now() < this.#retryAt) return false;
    this.#suspect = { ...this.#suspect, reads: MAX_READS - 1 };
    this.#pause = Math.min(MAX_PAUSE, 2 * this.#pause);
    return true;
  }

  /** Reading a block failed. */
  note(number: number, block: RpcBlock, cause: unknown): void {
    const hash = check(hashSchema, block).value?.block.hash;
    this.#suspects({ number, hash, below: undefined, error: describeUnreadable(number, cause) });
  }

  /** A block names another parent than the block below it. */
  noteUnlinked(block: Block, below: string): void {
    const { number, hash } = block;
    this.#suspects({
      number,
      hash,
      below,
      error: describeUnlinked(block, below, RESET[this.kind]),
    });
  }

  /** The node does not have a block below its head. */
  noteMissing(number: number, head: number): void {
    const error = describeMissing(number, head, RESET[this.kind]);
    this.#suspects({ number, hash: undefined, below: undefined, error });
  }

  #suspects(block: UnreadableBlock): void {
    const before = this.#suspect;
    const isSame =
      before?.number === block.number && before.hash === block.hash && before.below === block.below;
    this.#suspect = { ...block, reads: isSame ? before.reads + 1 : 1 };
    if (!isSame) this.#pause = FIRST_PAUSE;
    this.#retryAt = performance.now() + this.#pause;
  }

  clear(): void {
    this.#suspect = undefined;
  }
}

function describeUnreadable(number: number, cause: unknown): IngestError {
  const reason = messageOf(cause);
  const advice = ADVICE.find(([words]) => words.test(reason))?.[1] ?? "check the node's response";
  return new IngestError(
    `cannot read block ${number}; the blocks before it are served, and it is tried again: ${reason}. What to do: ${advice}`,
    {},
    cause,
  );
}

const describeUnlinked = (
  { number, hash, parentHash }: Block,
  below: string,
  reset: string,
): IngestError =>
  new IngestError(
    `the node's block ${number} (${hash}) does not follow its block ${number - 1} (${below}): its parent is ${parentHash}; the blocks before it are served, and it is tried again. What to do: ${reset}, or begin at this block (--from-block ${number})`,
  );

const describeMissing = (number: number, head: number, reset: string): IngestError =>
  new IngestError(
    `the node does not have block ${number}, though its head is block ${head}; the blocks before it are served, and it is tried again. What to do: ${reset}, or begin after the gap (--from-block)`,
  );
