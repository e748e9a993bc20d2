// Lists and batches that could only be read in part. Also an entry of the build: programs load these errors with the code of lists.
import type { AccountBalance } from "../models/holdings.ts";
import type { Address } from "../models/primitives.ts";
import { type ErrorDetails, ExplorerError, messageOf } from "./base.ts";

/** How many addresses the message lists. */
const MAX_LISTED = 5;

/** How many times the failed requests were sent; addresses of one request share its error. */
const attemptsOf = (errors: Iterable<unknown>): number =>
  [...new Set(errors)].reduce<number>(
    (sum, error) => sum + (error instanceof ExplorerError ? error.attempts : 0),
    0,
  );

/**
 * Some balances of a batch could not be fetched. `succeeded` holds the others, so you need not fetch them again; `failed` lists the
 * addresses to retry, and `errors` why each of them failed.
 *
 * @example
 * const balances = await explorer.accounts.balances(addresses).catch((error) => {
 *   if (isExplorerError(error, "BATCH")) return error.succeeded;
 *   throw error;
 * });
 */
export class BatchError extends ExplorerError {
  readonly code = "BATCH";
  /** The balances that arrived, one per address. */
  readonly succeeded: readonly AccountBalance[];
  /** The addresses without a balance, each once. */
  readonly failed: readonly Address[];
  /** The error of each failed address. */
  readonly errors: ReadonlyMap<Address, unknown>;

  constructor(succeeded: readonly AccountBalance[], errors: ReadonlyMap<Address, unknown>) {
    const failed = [...errors.keys()];
    const [cause] = errors.values();
    const more = failed.length - MAX_LISTED;
    super(
      `Failed to fetch ${failed.length} of ${failed.length + succeeded.length} balances: ${
        cause instanceof ExplorerError ? cause.shortMessage : messageOf(cause)
      }`,
      {
        operation: "A1",
        operationName: "accounts.balances",
        url: cause instanceof ExplorerError ? cause.url : undefined,
        attempts: attemptsOf(errors.values()),
        cause,
        lines: [
          ...failed.slice(0, MAX_LISTED).map((address) => `- ${address}`),
          ...(more > 0 ? [`… and ${more} more`] : []),
        ],
      },
    );
    this.succeeded = succeeded;
    this.failed = failed;
    this.errors = errors;
  }
}

/** What the server does. */
export type ListErrorReason = "OFFSET_IGNORED" | "RESULT_WINDOW" | "NO_PROGRESS";

/**
 * A list cannot be read to its end, because of how the server answers. `reason` says what it does:
 *
 * - `OFFSET_IGNORED`: two offsets return the same page, and there may be more records.
 * - `RESULT_WINDOW`: it returns no records after a position, and the list cannot be read in smaller ranges of blocks.
 * - `NO_PROGRESS`: many requests in a row returned no new record.
 *
 * `records` holds what `collect` read so far, and `{ resume: cursor }` continues after it.
 */
export class ListError extends ExplorerError {
  readonly code = "LIST";
  readonly reason: ListErrorReason;

  constructor(reason: ListErrorReason, summary: string, details: ErrorDetails = {}) {
    super(summary, details);
    this.reason = reason;
  }
}
