// What lasts of a transaction: whether it succeeded, and the contracts it made.
import type { Execution } from "./block-input.ts";
import type { Address, Transaction } from "./records.ts";

/** Before Byzantium receipts do not say; then the trace's error does. */
export const hasFailed = ({ succeeded, error }: Transaction): boolean =>
  succeeded === false || (succeeded === null && error !== null);

/** The contracts that are there after it, and were not before. */
export function* createdIn({ transaction, frames }: Execution): Generator<Address> {
  if (transaction.created !== null && !hasFailed(transaction)) yield transaction.created;
  for (const { created, undone } of frames) if (created !== null && !undone) yield created;
}
