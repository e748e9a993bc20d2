// Posting lists that only the page needs: blocks by hash, failed transactions, calls and events.
import type { Block, ChainTransaction, Hash, Hex, Log } from "../chain/records.ts";
import { selectorOf } from "../chain/records.ts";
import type { ChainWriter } from "../chain/writer.ts";

/** The posting lists of a chain, up to the block that was read last. */
class ChainIndex {
  readonly blocks = new Map<Hash, Block>();
  readonly failed: ChainTransaction[] = [];
  readonly #calls = new Map<Hex, ChainTransaction[]>();
  readonly #events = new Map<Hash, Log[]>();
  readonly #rewindCount: number;
  #next: number;

  constructor({ head, length, rewindCount }: ChainWriter) {
    this.#rewindCount = rewindCount;
    this.#next = head.number - length + 1;
  }

  /** Whether no block was removed since, so that reading the new blocks is enough. */
  isValidFor({ rewindCount }: ChainWriter): boolean {
    return rewindCount === this.#rewindCount;
  }

  /** Reads the blocks that were added since. */
  update(chain: ChainWriter): void {
    for (; this.#next <= chain.head.number; this.#next++) {
      const { block, executions = [] } = chain.blockInput(this.#next) ?? {};
      if (block !== undefined) this.blocks.set(block.hash, block);
      for (const { transaction, logs } of executions) {
        if (transaction.succeeded === false) this.failed.push(transaction);
        const selector = selectorOf(transaction);
        if (selector !== null) add(this.#calls, selector, transaction);
        for (const log of logs)
          if (log.topics[0] !== undefined) add(this.#events, log.topics[0], log);
      }
    }
  }

  /** Transactions that call a function. */
  calls(selector: Hex): readonly ChainTransaction[] {
    return this.#calls.get(selector) ?? [];
  }

  /** The logs of an event, of all contracts. */
  events(topic: Hash): readonly Log[] {
    return this.#events.get(topic) ?? [];
  }
}

function add<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

const indexes = new WeakMap<ChainWriter, ChainIndex>();

/** Returns the index of a chain. The first call, and the first after a reorg, read all blocks. */
export function indexOf(chain: ChainWriter): ChainIndex {
  const cached = indexes.get(chain);
  const index = cached?.isValidFor(chain) ? cached : new ChainIndex(chain);
  index.update(chain);
  indexes.set(chain, index);
  return index;
}
