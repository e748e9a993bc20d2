// Lists and batches that could only be read in part. Also an entry of the build: programs load
// these errors with the code of lists.
import type { AccountBalance } from "../models/holdings.ts";
import type { Address } from "../models/primitives.ts";
import { type ErrorDetails, ExplorerError, messageOf } from "./base.ts";

const MAX_LISTED = 5;

/** How many times the failed requests were sent; addresses of one request share its error. */
const attemptsOf = (errors: Iterable<unknown>): number =>
  [...new Set(errors)].reduce<number>(
    (sum, error) => sum + (error instanceof ExplorerError ? error.attempts : 0),
    0,
  );

/**
 * Some balances of a batch could not be fetched. `succeeded` holds the others, so you need not
 * fetch them again; `failed` lists the addresses to retry, and `errors` why each of them failed.
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

/** The ways in which a server contradicts itself. */
export type ListErrorReason = keyof typeof problems;

/** The fault of the server, and what to do about it. */
const problems = {
  OFFSET_IGNORED: [
    "The server does not take `offset` for the position of a record: it returned known records, or none, where others follow",
    "Read the list in parts that fit on one page: by `startBlock` and `endBlock`, where the operation has them.",
  ],
  RANGE_IGNORED: [
    "The server returned records of other blocks than those requested, or none of a block that has some",
    "Read the list without `startBlock` and `endBlock`, and leave out what you do not need.",
  ],
  ORDER_CHANGED: [
    "The list is not in the order in which it began: a record of an earlier or a later block followed",
    "Read the list in small ranges of blocks, by `startBlock` and `endBlock`.",
  ],
  RESULT_WINDOW: [
    "The server returns no records from this position on, although the list continues",
    "Read the list in parts: `split()` returns a cursor for each. A list without blocks cannot be read further.",
  ],
  NO_PROGRESS: [
    "Request after request returned nothing new: the list grows faster than it is read, or the server repeats its pages",
    "Read it again with a larger `limit`, or when it grows more slowly.",
  ],
} as const;

/**
 * A list cannot be read on, because the server contradicts itself. `reason` says what it did, and
 * the message what to do:
 *
 * - `OFFSET_IGNORED`: `offset` is not the position of a record. The server ignores it, or counts pages.
 * - `RANGE_IGNORED`: a record is outside the blocks requested.
 * - `ORDER_CHANGED`: the list began in the order of its blocks, and did not continue so.
 * - `RESULT_WINDOW`: the server returns no records after a position, and the list cannot be read in
 * smaller ranges of blocks.
 * - `NO_PROGRESS`: many requests in a row returned no new record.
 *
 * `records` holds what `collect` read so far, and `{ resume: cursor }` continues after it.
 */
export class ListError extends ExplorerError {
  readonly code = "LIST";
  /** The fault of the server. */
  readonly reason: ListErrorReason;

  constructor(reason: ListErrorReason, details: ErrorDetails = {}) {
    const [summary, advice] = problems[reason];
    const hint = "What was read is in `records`; `cursor` continues after it.";
    super(summary, { ...details, lines: [...(details.lines ?? []), advice, hint] });
    this.reason = reason;
  }
}
