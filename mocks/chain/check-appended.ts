// Whether a block may be appended to a chain.
import type { BlockInput } from "./block-input.ts";
import type { Block, Hash } from "./records.ts";

/** Throws an Error that says why a block cannot follow the head. `has` tells whether the chain has a transaction. */
export function checkAppended(
  { block, executions }: BlockInput,
  head: Block | undefined,
  has: (hash: Hash) => boolean,
): void {
  if (block.transactionCount !== executions.length) {
    throw new Error(
      `Cannot append block ${block.number}: its transactionCount is ${block.transactionCount}, but it has ${executions.length} transactions`,
    );
  }
  if (head !== undefined) checkParent(block, head);
  const hashes = new Set<Hash>();
  for (const { transaction } of executions) {
    if (hashes.has(transaction.hash) || has(transaction.hash)) {
      throw new Error(
        `Cannot append block ${block.number}: the chain already has its transaction ${transaction.hash}`,
      );
    }
    hashes.add(transaction.hash);
  }
}

function checkParent(block: Block, head: Block): void {
  if (block.number !== head.number + 1) {
    throw new Error(
      `Cannot append block ${block.number}: expected block ${head.number + 1}, the one after the head`,
    );
  }
  if (block.parentHash !== head.hash) {
    throw new Error(
      `Cannot append block ${block.number}: expected the parent hash ${head.hash} (that of block ${head.number}), received ${block.parentHash}`,
    );
  }
}
