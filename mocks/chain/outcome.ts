// The outcome of a transaction: whether it failed, and the contracts it created.
import type { Execution } from "./block-input.ts";
import type { Address, ChainTransaction } from "./records.ts";

/** By its receipt; before Byzantium, whose receipts have no status, by its trace. */
export const hasFailed = ({ succeeded, error }: ChainTransaction): boolean =>
  succeeded === false || (succeeded === null && error !== null);

/** The contracts it created, unless that failed. */
export function* createdIn({ transaction, frames }: Execution): Generator<Address> {
  if (transaction.created !== null && !hasFailed(transaction)) yield transaction.created;
  for (const { created, undone } of frames) if (created !== null && !undone) yield created;
}
