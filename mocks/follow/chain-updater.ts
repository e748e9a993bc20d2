// Copies a node's blocks into a chain: group by group far from the head, and all at once near it.
import * as z from "zod/mini";
import { messageOf } from "../../src/errors/base.ts";
import { check } from "../../src/models/issues.ts";
import type { Block, BlockInput, Hash } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";
import { linkReserved, readBlock } from "../ingest/block.ts";
import type { RpcBlock } from "../ingest/block-fields.ts";
import { hash, IngestError } from "../ingest/read.ts";
import { pauseIfBusy } from "../message/event-loop.ts";
import { BlockSource } from "./block-source.ts";
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

/** Maximum blocks to append at once. It is below 128, because nodes keep the state of 128 blocks. */
const AT_ONCE = 64;
/** Blocks in the first group: few, because each may have thousands of frames. */
const FIRST_GROUP = 4;
const MAX_GROUP = 100;
/**
 * Target number of transactions per group, because the receipts and traces of more would be too
 * large for a response.
 */
const GROUP_TRANSACTIONS = 300;

/** Consecutive blocks. A block that the node did not have is undefined. */
export interface BlockGroup {
  readonly from: number;
  readonly blocks: readonly (RpcBlock | undefined)[];
}

/** Yields the blocks from `from` to `to`, both included, and keeps `ahead` groups in flight. */
export async function* blockGroups(
  source: Pick<BlockSource, "blocks">,
  from: number,
  to: number,
  ahead: number,
): AsyncGenerator<BlockGroup, void, undefined> {
  const pending: { readonly from: number; readonly blocks: Promise<BlockGroup["blocks"]> }[] = [];
  let next = from;
  let size = FIRST_GROUP;
  // Requests a single group first, to see how large the blocks are, because several groups of large
  // blocks might fill the memory.
  let maxPending = 1;
  const request = () => {
    while (pending.length < maxPending && next <= to) {
      const count = Math.min(size, to - next + 1);
      const blocks = source.blocks(next, count);
      // Prevents an unhandled rejection if the caller stops, and so nobody awaits this group.
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
    maxPending = ahead;
    // Keeps other groups in flight while the caller appends this group.
    request();
    yield { from: group.from, blocks };
  }
}

/** Estimates from the last group how many blocks have `GROUP_TRANSACTIONS` transactions. */
function nextSize(blocks: BlockGroup["blocks"]): number {
  const transactions = blocks.reduce((sum, block) => sum + transactionsIn(block), 0);
  const fitting = Math.floor((GROUP_TRANSACTIONS * blocks.length) / Math.max(1, transactions));
  return Math.min(MAX_GROUP, Math.max(1, fitting), 2 * Math.max(blocks.length, FIRST_GROUP));
}

const transactionsIn = (block: RpcBlock | undefined): number =>
  Array.isArray(block?.receipts) ? block.receipts.length : 0;

/** Consecutive blocks, up to the first one that is missing or cannot be read. */
interface ReadBlocks {
  readonly from: number;
  readonly inputs: readonly BlockInput[];
  /** Raw responses of the node for these blocks, for the store. */
  readonly blocks: readonly RpcBlock[];
  /** Number of blocks requested. */
  readonly count: number;
  /** The block after these, if it cannot be read. */
  readonly failed?: { readonly number: number; readonly block: RpcBlock; readonly error: unknown };
}

/** Where new blocks join the chain. */
export interface BlockSpan {
  /** Number of the first block that the chain does not share with the node. */
  readonly from: number;
  /** Number of blocks that the chain shares with the node. They stay. */
  readonly kept: number;
}

export interface ChainUpdaterOptions {
  /** Maximum number of groups in flight. */
  readonly ahead: number;
  readonly wantsTraces: boolean;
  /** Keeps the chain in a folder. */
  readonly store?: ChainStore | undefined;
}

/** Measures how fast blocks are appended during a catch-up. */
class CatchUp {
  #since: number | undefined;
  #blocks = 0;
  #transactions = 0;

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

  /** Returns rates per second; null before the first block. */
  rates(): { readonly blocks: number; readonly transactions: number } | null {
    const seconds = this.#since === undefined ? 0 : (performance.now() - this.#since) / 1000;
    if (seconds === 0) return null;
    return { blocks: this.#blocks / seconds, transactions: this.#transactions / seconds };
  }
}

export class ChainUpdater {
  readonly #chain: ChainWriter;
  readonly #node: RpcNode;
  readonly source: BlockSource;
  readonly #ahead: number;
  readonly unreadable = new UnreadableBlocks();
  readonly progress = new CatchUp();
  readonly #store: ChainStore | undefined;
  readonly #state: HeadStateCache;
  /** Whether a catch-up is under way, in which readers see the chain grow block by block. */
  #isPartial = true;

  constructor(
    chain: ChainWriter,
    node: RpcNode,
    state: HeadStateCache,
    { ahead, wantsTraces, store }: ChainUpdaterOptions,
  ) {
    this.#chain = chain;
    this.#node = node;
    this.source = new BlockSource(node, wantsTraces);
    this.#ahead = ahead;
    this.#store = store;
    this.#state = state;
  }

  // Adapts to the kind of node: avoids methods that it lacks, and gives advice for it in errors.
  meet(kind: NodeKind): void {
    this.source.avoid(methodsLackedBy(kind));
    this.unreadable.kind = kind;
  }

  // Clears everything, because the node now serves a different chain.
  // @throws StoreError if the store keeps another chain
  async startOver(chainId: number, found?: string): Promise<void> {
    await this.#store?.startOver(chainId, found);
    this.#chain.reset(chainId);
    this.#state.reset();
    this.#isPartial = true;
  }

  // Appends blocks up to the node's head: at once if they are few, so that readers see either the old
  // chain or the new one; otherwise group by group. Returns false if the node's chain changed in the
  // meantime.
  async take(span: BlockSpan, head: NodeHead): Promise<boolean> {
    const isFar = head.number - span.from >= AT_ONCE;
    this.#isPartial ||= isFar;
    if (!this.#isPartial || span.from > head.number) return await this.#takeAtOnce(span, head);
    // Blocks near the head are read last, because the node may replace them during a long catch-up.
    const to = isFar ? head.number - AT_ONCE : head.number;
    const next = await this.#takeGroups(span, to, head);
    if (isFar) return next > span.from;
    if (next <= to) return false;
    await this.#state.settle();
    this.#isPartial = (await blockHash(this.#node, head.number)) !== head.hash;
    return !this.#isPartial;
  }

  /** Returns the number of the first block that was not appended. */
  async #takeGroups({ from, kept }: BlockSpan, to: number, head: NodeHead): Promise<number> {
    let keep = kept;
    let next = from;
    for await (const fetched of blockGroups(this.source, from, to, this.#ahead)) {
      const group = await this.#read(fetched);
      const inputs = await this.#linked(keep, group, head);
      if (inputs.length === 0) break;
      const appended = await this.#replace(keep, inputs);
      await this.#keep({ kept: keep, from: group.from }, group, appended);
      keep += appended;
      next += appended;
      if (appended < group.count) break;
      // Fetches head state after each group, because setting a token's standard later would read
      // all of its transfers again. The last step retries a failure.
      await this.#state.settle().catch(() => {});
    }
    return next;
  }

  async #takeAtOnce({ from, kept }: BlockSpan, head: NodeHead): Promise<boolean> {
    const length = head.number - from + 1;
    const fetched = length > 0 ? await this.source.blocks(from, length) : [];
    const blocks = await this.#read({ from, blocks: fetched });
    const inputs = await this.#linked(kept, blocks, head);
    if (inputs.length < blocks.count) return false;
    if ((await blockHash(this.#node, head.number)) !== head.hash) return false;
    const appended = await this.#replace(kept, inputs);
    this.#isPartial &&= appended < inputs.length;
    await this.#keep({ kept, from }, blocks, appended);
    await this.#state.settle();
    return appended === inputs.length;
  }

  async #keep(span: BlockSpan, { blocks }: ReadBlocks, count: number): Promise<void> {
    await this.#store?.update({ ...span, blocks: blocks.slice(0, count) });
  }

  async #read({ from, blocks: fetched }: BlockGroup): Promise<ReadBlocks> {
    const chain = this.#chain;
    const { chainId } = chain;
    /** Transactions of earlier blocks in this group, which the chain does not have yet. */
    const readHashes = new Set<Hash>();
    const blocks: RpcBlock[] = [];
    const inputs: BlockInput[] = [];
    for (const block of fetched) {
      if (block === undefined) break;
      const number = from + inputs.length;
      try {
        const input = readBlock(block, {
          chainId,
          missingTraces: this.source.isTraced ? "refuse" : "accept",
          onMissing: (what) => this.source.note(what),
          isTaken: (hash) =>
            readHashes.has(hash) || (chain.transaction(hash)?.block.number ?? from) < from,
        });
        for (const { transaction } of input.executions) readHashes.add(transaction.hash);
        inputs.push(input);
      } catch (error) {
        return { from, inputs, blocks, count: fetched.length, failed: { number, block, error } };
      }
      blocks.push(block);
      await pauseIfBusy();
    }
    return { from, inputs, blocks, count: fetched.length };
  }

  // Returns the blocks that continue the first `kept` blocks of the chain, and notes the first
  // block that does not.
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

  // Replaces the blocks after the first `kept` blocks. Returns how many blocks were appended.
  // Readers run between two blocks only during a catch-up that removes none.
  async #replace(kept: number, inputs: readonly BlockInput[]): Promise<number> {
    const chain = this.#chain;
    const isAtOnce = !this.#isPartial || chain.length > kept;
    if (chain.length > kept) chain.rewind(chain.length - kept);
    for (const [index, input] of inputs.entries()) {
      if (!this.#append(input)) return index;
      if (!isAtOnce) await pauseIfBusy();
    }
    return inputs.length;
  }

  /** Appends a block. Returns false if the chain rejects it. */
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

// A block that cannot be read, does not follow its predecessor, or is missing below the head.
export interface UnreadableBlock {
  readonly number: number;
  /** Undefined if the node does not have the block, or not even its hash can be read. */
  readonly hash: string | undefined;
  /** Hash of the node's block below, if this block names another parent. */
  readonly below: string | undefined;
  readonly error: IngestError;
}

/**
 * Failed reads after which a block counts as unreadable. Earlier failures may only mean that the
 * node has just replaced the block.
 */
const MAX_READS = 3;
/** Milliseconds before an unreadable block is read again. Each further pause is twice as long. */
const FIRST_PAUSE = 1000;
const MAX_PAUSE = 60_000;

/** How to make each kind of node serve other blocks. */
const RESET: Readonly<Record<NodeKind, string>> = {
  anvil: "reset the node (anvil_reset) or restart it",
  "hardhat-2": "reset the node (hardhat_reset) or restart it",
  hardhat: "reset the node (hardhat_reset) or restart it",
  other: "wait, or use another address of the network",
};

const RETRYING = "the blocks before it are served, and it is tried again";

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

  // Returns whether to read the block again with exponential backoff, although the node has not
  // replaced it, because a gateway may have returned a wrong response only for a moment.
  retryIfDue(): boolean {
    if (this.#suspect === undefined || performance.now() < this.#retryAt) return false;
    this.#suspect = { ...this.#suspect, reads: MAX_READS - 1 };
    this.#pause = Math.min(MAX_PAUSE, 2 * this.#pause);
    return true;
  }

  /** Notes that a block could not be read. */
  note(number: number, block: RpcBlock, cause: unknown): void {
    const hash = check(hashSchema, block).value?.block.hash;
    const reason = messageOf(cause);
    const advice = /timestamp/.test(reason)
      ? "set the node's time to seconds since 1970"
      : "check the node's response";
    const error = new IngestError(
      `cannot read block ${number}; ${RETRYING}: ${reason}. What to do: ${advice}`,
      {},
      cause,
    );
    this.#suspects({ number, hash, below: undefined, error });
  }

  /** Notes that a block's parent is not the block below it. */
  noteUnlinked({ number, hash, parentHash }: Block, below: string): void {
    const error = new IngestError(
      `the node's block ${number} (${hash}) does not follow its block ${number - 1} (${below}): its parent is ${parentHash}; ${RETRYING}. What to do: ${RESET[this.kind]}, or begin at this block (--from-block ${number})`,
    );
    this.#suspects({ number, hash, below, error });
  }

  /** Notes that the node lacks a block below its head. */
  noteMissing(number: number, head: number): void {
    const error = new IngestError(
      `the node does not have block ${number}, though its head is block ${head}; ${RETRYING}. What to do: ${RESET[this.kind]}, or begin after the gap (--from-block)`,
    );
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
