// The outcome of a transaction: whether it failed, and the contracts it created.
import type { ChainTransaction, Frame } from "./records.ts";

/** Whether a transaction failed; of its error, only whether there is one. */
export type Outcome = Pick<ChainTransaction, "succeeded"> & { readonly error: unknown };

/** By its receipt; before Byzantium, whose receipts have no status, by its trace. */
export const hasFailed = ({ succeeded, error }: Outcome): boolean =>
  succeeded === false || (succeeded === null && error !== null);

/** The fields of a transaction and its frames that say which contracts it created. */
interface Creating<Account> {
  readonly transaction: Outcome & { readonly created: Account | null };
  readonly frames: readonly (Pick<Frame, "undone"> & { readonly created: Account | null })[];
}

/** The contracts it created, unless that failed. */
export function* createdIn<Account>({
  transaction,
  frames,
}: Creating<Account>): Generator<Account> {
  if (transaction.created !== null && !hasFailed(transaction)) yield transaction.created;
  for (const { created, undone } of frames) if (created !== null && !undone) yield created;
}
