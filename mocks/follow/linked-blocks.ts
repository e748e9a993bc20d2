// Which blocks of those read can be appended: they end before one that cannot be read, does not follow the one below it, or is missing below the head.
import type { BlockInput } from "../chain/block-input.ts";
import type { ChainWriter } from "../chain/writer.ts";
import type { RpcNode } from "../rpc/node.ts";
import type { ReadBlocks } from "./block-reader.ts";
import { lacksBlock, type NodeHead } from "./node-info.ts";
import type { UnreadableBlocks } from "./unreadable-block.ts";

export class LinkedBlocks {
  readonly #chain: ChainWriter;
  readonly #node: RpcNode;
  readonly #unreadable: UnreadableBlocks;

  constructor(chain: ChainWriter, node: RpcNode, unreadable: UnreadableBlocks) {
    this.#chain = chain;
    this.#node = node;
    this.#unreadable = unreadable;
  }

  /** The blocks that can be appended after the first `kept` ones of the chain; notes the block that ends them. */
  async of(kept: number, read: ReadBlocks, head: NodeHead): Promise<readonly BlockInput[]> {
    const { from, inputs, failed, count } = read;
    let below = kept === 0 ? undefined : this.#chain.block(from - 1)?.hash;
    for (const [index, { block }] of inputs.entries()) {
      const { number, hash, parentHash } = block;
      if (below !== undefined && parentHash !== below) {
        this.#unreadable.noteUnlinked({ number, hash, parentHash, below });
        return inputs.slice(0, index);
      }
      below = hash;
    }
    const next = from + inputs.length;
    if (failed !== undefined) this.#unreadable.note(failed.number, failed.block, failed.error);
    else if (inputs.length < count && (await lacksBlock(this.#node, next, head)))
      this.#unreadable.noteMissing(next, head.number);
    return inputs;
  }
}
