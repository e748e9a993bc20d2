// Whether a block may be appended to a chain.
import type { BlockInput } from "./block-input.ts";
import type { Block, Hash } from "./records.ts";

/** The end of the year 9999: the specification's times have four digits for the year. */
const LAST_SECOND = 253_402_300_799;

/** Throws an Error that says why a block cannot follow the head. That its transactions are new is checked when their hashes are added. */
export function checkAppended({ block, executions }: BlockInput, head: Block | undefined): void {
  if (block.transactionCount !== executions.length) {
    throw new Error(
      `Cannot append block ${block.number}: its transactionCount is ${block.transactionCount}, but it has ${executions.length} transactions`,
    );
  }
  if (block.timestamp > LAST_SECOND) {
    throw new Error(
      `Cannot append block ${block.number}: its timestamp ${block.timestamp} is after the year 9999; expected seconds since 1970, up to ${LAST_SECOND}`,
    );
  }
  if (head !== undefined) checkParent(block, head);
}

/** Throws if the chain already has one of the block's transactions; `has` tells that of one. */
export function checkNew({ block, executions }: BlockInput, has: (hash: Hash) => boolean): void {
  for (const { transaction } of executions)
    if (has(transaction.hash)) throwKnown(block, transaction.hash);
}

/** Throws for a transaction that the chain already has. */
export function throwKnown(block: Block, hash: Hash): never {
  throw new Error(
    `Cannot append block ${block.number}: the chain already has its transaction ${hash}`,
  );
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
